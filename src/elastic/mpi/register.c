/* Arrays and values that a run needs to go on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elastic/mpi/check.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE                                                                                  \
    23 /* Linux 5.14; older kernels say EINVAL, and pages are made at the first touch */
#endif

enum { HUGE_BYTES = 2 << 20 };

/* Zero, on a page boundary, with huge pages where the system gives them on advice. */
static void *reserve(const parcast_elastic *e, size_t bytes, size_t *mapped)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    *mapped = (bytes + page - 1) / page * page;
    if (*mapped == 0) *mapped = page;
    void *memory = mmap(NULL, *mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    if (*mapped >= 2 * (size_t)HUGE_BYTES) madvise(memory, *mapped, MADV_HUGEPAGE);
    if (e->expect) madvise(memory, *mapped, MADV_POPULATE_WRITE); /* while the old ranks still compute */
    return memory;
}

/* Fields of the public array; flattened layouts keep the shape of the program. */
static void describe(const parcast_elastic *e, elastic_item *item)
{
    parcast_elastic_array *array = &item->array;
    const elastic_layout *layout = &item->layout;
    const bool flat = layout->n_dims != item->shape.n_dims || layout->dims[0].kind == PARCAST_ELASTIC_WHOLE;
    int64_t stride = 1;
    for (int d = item->shape.n_dims - 1; d >= 0; d--) {
        const elastic_dim *dim = &layout->dims[d];
        bool whole = flat && item->shape.dims[d].kind == PARCAST_ELASTIC_WHOLE;
        int part = whole ? 0 : elastic_layout_part(layout, e->rank, d);
        array->part[d] = part;
        array->parts[d] = whole ? 1 : dim->parts;
        array->count[d] = whole ? item->shape.dims[d].size : elastic_dim_count(dim, part);
        array->first[d] = whole ? 0 : elastic_dim_next(dim, part, 0);
        array->stride[d] = stride;
        stride *= array->count[d] + 2 * item->shape.dims[d].halo;
    }
}

parcast_status elastic_item_place(parcast_elastic *e, elastic_item *item, parcast_error *error)
{
    parcast_status status = elastic_layout_make(&item->shape, e->n_ranks, e->weights, &item->layout, error);
    if (!status) status = elastic_layout_saved(&item->layout, &item->saved, error);
    if (status) return status;
    size_t bytes = (size_t)elastic_layout_bytes(&item->layout, e->rank);
    item->array.data = reserve(e, bytes, &item->mapped_bytes);
    if (!item->array.data)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "no memory for %zu bytes of array '%s'",
                                 bytes, item->name);
    describe(e, item);
    return PARCAST_OK;
}

void elastic_item_release(elastic_item *item)
{
    if (item->array.data) munmap(item->array.data, item->mapped_bytes);
    item->array.data = NULL;
    elastic_layout_clear(&item->layout);
    elastic_layout_clear(&item->saved);
}

static bool is_taken(const parcast_elastic *e, const char *name)
{
    for (size_t i = 0; i < e->n_items; i++)
        if (strcmp(e->items[i]->name, name) == 0) return true;
    for (size_t i = 0; i < e->n_values; i++)
        if (strcmp(e->values[i].name, name) == 0) return true;
    return false;
}

static parcast_status check_name(const parcast_elastic *e, const char *name, parcast_error *error)
{
    if (e->begun)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "'%s' comes after the first iteration",
                                 name ? name : "(no name)");
    if (!elastic_name_is_valid(name))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "a name has 1 to 63 letters, digits or _ . -, not '%s'",
                                 name ? name : "(no name)");
    if (is_taken(e, name))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "'%s' is registered twice", name);
    return PARCAST_OK;
}

const parcast_elastic_array *parcast_elastic_add(parcast_elastic *e, const parcast_elastic_shape *shape)
{
    parcast_error error = {0};
    elastic_check_handle(e, "parcast_elastic_add");
    if (!shape) elastic_refuse("parcast_elastic_add has no shape");
    parcast_status status = check_name(e, shape->name, &error);
    elastic_item *item = status ? NULL : calloc(1, sizeof *item);
    if (!status && !item) status = elastic_no_memory(&error);
    if (!status) {
        elastic_item **grown = realloc(e->items, (e->n_items + 1) * sizeof(elastic_item *));
        if (!grown) status = elastic_no_memory(&error);
        if (grown) e->items = grown;
    }
    if (!status) {
        snprintf(item->name, sizeof item->name, "%s", shape->name);
        item->shape = *shape;
        item->shape.name = item->name;
        status = elastic_item_place(e, item, &error);
    }
    if (status) {
        if (item) elastic_item_release(item);
        free(item);
        elastic_raise(e, &error);
        return NULL;
    }
    e->items[e->n_items++] = item;
    return &item->array;
}

static parcast_status check_value(const parcast_elastic *e, const char *name, const void *value, size_t bytes,
                                  parcast_error *error)
{
    parcast_status status = check_name(e, name, error);
    if (!status && (!value || bytes < 1 || bytes > ELASTIC_MAX_VALUE_BYTES))
        status = parcast_error_set(error, PARCAST_INVALID, NULL, 0, "value '%s' has 1 byte to 1 MiB", name);
    return status;
}

parcast_status parcast_elastic_value(parcast_elastic *e, const char *name, void *value, size_t bytes)
{
    parcast_error error = {0};
    elastic_check_handle(e, "parcast_elastic_value");
    parcast_status status = check_value(e, name, value, bytes, &error);
    elastic_value *grown = status ? NULL : realloc(e->values, (e->n_values + 1) * sizeof *grown);
    if (!status && !grown) status = elastic_no_memory(&error);
    if (status) return elastic_raise(e, &error);
    e->values = grown;
    elastic_value *added = &e->values[e->n_values++];
    *added = (elastic_value){.data = value, .bytes = bytes};
    snprintf(added->name, sizeof added->name, "%s", name);
    return PARCAST_OK;
}

int64_t parcast_elastic_global(const parcast_elastic *e, const parcast_elastic_array *array, int dim,
                               int64_t index)
{
    elastic_check_handle(e, "parcast_elastic_global");
    for (size_t i = 0; i < e->n_items; i++) {
        const elastic_item *item = e->items[i];
        if (&item->array != array || dim < 0 || dim >= item->shape.n_dims) continue;
        if (item->shape.dims[dim].kind == PARCAST_ELASTIC_WHOLE) return index;
        return elastic_dim_global(&item->layout.dims[dim], array->part[dim], index);
    }
    return -1;
}
