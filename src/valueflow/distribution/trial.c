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

static parcast_status count_words(const parcast_values *values, const struct grid_choice *choice,
                                  struct grid_trial *trial, parcast_error *error)
{
    return graph_evaluate_adding(values, trial->part, grid_parts(&choice->grid), choice->still_ratio,
                                 &trial->flow, trial->adds, error);
}

/* What is added up where the factors went is fewer words, and more work than a part may have: are there more
 * words than where each factor goes with its readers? */
static parcast_status count_unmoved(const parcast_values *values, const struct grid_choice *choice,
                                    const uint32_t *unmoved, struct grid_trial *trial, parcast_error *error)
{
    struct grid_trial other = {0};
    if (!make_room(values, &other)) return no_room(values, error);
    memcpy(other.part, unmoved, values->n_vertices * sizeof *other.part);
    memcpy(other.fixed, trial->fixed, values->n_vertices * sizeof *other.fixed);
    parcast_status status = count_words(values, choice, &other, error);
    if (!status && other.flow.imbalance_ratio <= choice->still_ratio &&
        (trial->flow.imbalance_ratio > choice->still_ratio || other.flow.words < trial->flow.words)) {
        struct grid_trial kept = *trial;
        *trial = other;
        other = kept;
    }
    trial_clear(&other);
    return status;
}

static bool is_spoilt(const struct grid_choice *choice, const parcast_flow *flow)
{
    return choice->still_ratio > 0 && (flow->uneven_words || flow->imbalance_ratio > choice->still_ratio);
}

parcast_status trial_count(const parcast_values *values, const struct grid_choice *choice,
                           struct grid_trial *trial, parcast_error *error)
{
    size_t n_parts = grid_parts(&choice->grid), bytes = values->n_vertices * sizeof *trial->part;
    bool *placed = trial->adds; /* not needed before */
    uint32_t *unmoved = malloc(bytes + 1);
    for (uint32_t v = 0; v < values->n_vertices; v++) placed[v] = trial->part[v] != GRAPH_NONE;
    parcast_status status =
        unmoved ? graph_follow_readers(values, n_parts, placed, trial->part, error) : no_room(values, error);
    if (!status) memcpy(unmoved, trial->part, bytes);
    if (!status && !graph_place_factors(values, n_parts, placed, trial->part))
        status = no_room(values, error);
    if (!status) status = count_words(values, choice, trial, error);
    if (!status && is_spoilt(choice, &trial->flow) && memcmp(unmoved, trial->part, bytes) != 0)
        status = count_unmoved(values, choice, unmoved, trial, error);
    free(unmoved);
    return status;
}

void trial_clear(struct grid_trial *trial)
{
    free(trial->part);
    free(trial->fixed);
    free(trial->adds);
    parcast_flow_clear(&trial->flow);
    *trial = (struct grid_trial){0};
}
