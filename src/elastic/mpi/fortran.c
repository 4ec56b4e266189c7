/* What the Fortran module calls where C's form does not fit: communicators are integers, the first dimension
 * is the contiguous one, and texts have no end. */
#include <string.h>

#include "elastic/mpi/check.h"

/* As the module declares it: interoperable, dimensions in Fortran's order. */
struct fortran_dim {
    int64_t size, halo, block;
    int kind, parts, weighted;
};

PARCAST_API parcast_elastic *parcast_elastic_open_f(MPI_Fint comm, int64_t iterations, int in_memory);
PARCAST_API MPI_Fint parcast_elastic_comm_f(const parcast_elastic *e);
PARCAST_API const parcast_elastic_array *parcast_elastic_add_f(parcast_elastic *e, const char *name,
                                                               int64_t element_bytes, int n_dims,
                                                               const struct fortran_dim *dims, int read_only);
PARCAST_API int parcast_elastic_resized_f(const parcast_elastic *e);
PARCAST_API void parcast_elastic_bounds_f(const parcast_elastic_array *array, int n_dims, void **data,
                                          int64_t *count, int64_t *first);

parcast_elastic *parcast_elastic_open_f(MPI_Fint comm, int64_t iterations, int in_memory)
{
    const parcast_elastic_options options = {.iterations = iterations, .in_memory = in_memory != 0};
    return parcast_elastic_open(MPI_Comm_f2c(comm), &options);
}

int parcast_elastic_resized_f(const parcast_elastic *e)
{
    elastic_check_handle(e, "elastic_resized");
    return e->resized;
}

MPI_Fint parcast_elastic_comm_f(const parcast_elastic *e)
{
    return MPI_Comm_c2f(parcast_elastic_comm(e));
}

/* After a resize in memory the program asks for its arrays again: its pointers have bounds of their own. */
static const parcast_elastic_array *known(const parcast_elastic *e, const char *name)
{
    for (size_t i = 0; e->begun && i < e->n_items; i++)
        if (strcmp(e->items[i]->name, name) == 0) return &e->items[i]->array;
    return NULL;
}

const parcast_elastic_array *parcast_elastic_add_f(parcast_elastic *e, const char *name,
                                                   int64_t element_bytes, int n_dims,
                                                   const struct fortran_dim *dims, int read_only)
{
    elastic_check_handle(e, "elastic_array");
    const parcast_elastic_array *again = known(e, name);
    if (again) return again;
    parcast_elastic_shape shape = {
        .name = name, .element_bytes = (size_t)element_bytes, .n_dims = n_dims, .read_only = read_only != 0};
    for (int d = 0; d < n_dims && n_dims <= PARCAST_ELASTIC_MAX_DIMS; d++) {
        const struct fortran_dim *dim = &dims[n_dims - 1 - d];
        shape.dims[d] = (parcast_elastic_dim){dim->size,  (parcast_elastic_kind)dim->kind,
                                              dim->halo,  dim->block,
                                              dim->parts, dim->weighted != 0};
    }
    return parcast_elastic_add(e, &shape);
}

void parcast_elastic_bounds_f(const parcast_elastic_array *array, int n_dims, void **data, int64_t *count,
                              int64_t *first)
{
    *data = NULL;
    for (int d = 0; d < n_dims; d++) count[d] = first[d] = 0;
    if (!array) return; /* it was said why */
    *data = array->data;
    for (int d = 0; d < n_dims; d++) {
        count[d] = array->count[n_dims - 1 - d];
        first[d] = array->first[n_dims - 1 - d];
    }
}
