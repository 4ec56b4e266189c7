#include "valueflow/distribution/trial.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/place.h"

static parcast_status cut(const parcast_values *values, const struct grid_choice *choice,
                          const struct space *space, uint32_t *part, parcast_error *error)
{
    if (!choice->halved) return space_cut(values, space, &choice->grid, part, error);
    for (uint32_t v = 0; v < values->n_vertices; v++)
        part[v] = space->cell[v] == GRAPH_NONE ? GRAPH_NONE : choice->halved[space->cell[v]];
    return PARCAST_OK;
}

static parcast_status place(const parcast_values *values, const struct grid_choice *choice, enum way way,
                            const struct space *space, bool *fixed, uint32_t *part, parcast_error *error)
{
    if (way == WAY_SPACE || choice->coarse) {
        memcpy(fixed, space->fixed, values->n_vertices * sizeof *fixed);
        parcast_status status = cut(values, choice, space, part, error);
        for (uint32_t v = 0; !status && way != WAY_SPACE && v < values->n_vertices; v++)
            if (!fixed[v]) part[v] = GRAPH_NONE;
        return status;
    }
    bool alike = way == WAY_LIKE || (choice->alike && !values->arrays[choice->array].n_written);
    parcast_status status =
        graph_place_blocks(values, space, &choice->grid, choice->halved, alike, part, error);
    for (uint32_t v = 0; !status && v < values->n_vertices; v++) fixed[v] = part[v] != GRAPH_NONE;
    return status;
}

static bool make_room(const parcast_values *values, struct grid_trial *trial)
{
    size_t n = (size_t)values->n_vertices + 1;
    trial->part = malloc(n * sizeof *trial->part);
    trial->fixed = calloc(n, sizeof *trial->fixed);
    trial->adds = calloc(n, sizeof *trial->adds);
    return trial->part && trial->fixed && trial->adds;
}

static parcast_status no_room(const parcast_values *values, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u words",
                             values->n_vertices);
}

parcast_status trial_place(const parcast_values *values, const struct grid_choice *choice, enum way way,
                           const struct space *space, struct grid_trial *trial, parcast_error *error)
{
    if (!make_room(values, trial)) return no_room(values, error);
    return place(values, choice, way, space, trial->fixed, trial->part, error);
}

parcast_status trial_copy(const parcast_values *values, const struct grid_trial *from,
                          struct grid_trial *trial, parcast_error *error)
{
    if (!make_room(values, trial)) return no_room(values, error);
    memcpy(trial->part, from->part, values->n_vertices * sizeof *trial->part);
    memcpy(trial->fixed, from->fixed, values->n_vertices * sizeof *trial->fixed);
    return PARCAST_OK;
}

parcast_status trial_count(const parcast_values *values, const struct grid_choice *choice,
                           struct grid_trial *trial, parcast_error *error)
{
    size_t n_parts = grid_parts(&choice->grid);
    bool *placed = trial->adds; /* not needed before */
    for (uint32_t v = 0; v < values->n_vertices; v++) placed[v] = trial->part[v] != GRAPH_NONE;
    parcast_status status = graph_follow(values, n_parts, placed, trial->part, error);
    return status ? status
                  : graph_evaluate_adding(values, trial->part, n_parts, choice->still_ratio, &trial->flow,
                                          trial->adds, error);
}

void trial_clear(struct grid_trial *trial)
{
    free(trial->part);
    free(trial->fixed);
    free(trial->adds);
    parcast_flow_clear(&trial->flow);
    *trial = (struct grid_trial){0};
}
