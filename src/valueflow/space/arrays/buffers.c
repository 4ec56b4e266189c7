#include "valueflow/space/arrays/buffers.h"

#include <stdlib.h>

/* Of arrays that took turns in one place. */
struct place {
    double work, most;
};

static bool is_of_turns(const struct place *place)
{
    static const double nearly_all = 0.75; /* of a field that each step allocates anew, or a finest level */
    return place->most < nearly_all * place->work;
}

static uint64_t most_written_elsewhere(const parcast_values *values)
{
    uint64_t most = 0;
    for (size_t i = 0; i < values->n_arrays; i++) {
        const struct graph_array *a = &values->arrays[i];
        if (!a->is_result && !a->is_buffer && a->n_written > most) most = a->n_written;
    }
    return most;
}

parcast_status buffers_find(parcast_values *values)
{
    double *work = calloc(values->n_arrays + 1, sizeof *work);
    struct place *places = calloc(values->n_arrays + 2, sizeof *places);
    bool fine = work && places;
    for (uint32_t v = 0; fine && v < values->n_vertices; v++)
        work[values->vertices[v].array] += values->vertices[v].work;
    for (size_t i = 0; fine && i < values->n_arrays; i++) {
        struct place *place = &places[values->arrays[i].place];
        place->work += work[i];
        if (work[i] > place->most) place->most = work[i];
    }
    for (size_t i = 0; fine && i < values->n_arrays; i++) {
        struct graph_array *a = &values->arrays[i];
        a->is_buffer = a->place && is_of_turns(&places[a->place]);
    }
    uint64_t most = most_written_elsewhere(values);
    for (size_t i = 0; i < values->n_arrays; i++)
        if (values->arrays[i].n_written > most) values->arrays[i].is_buffer = false;
    free(work);
    free(places);
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}
