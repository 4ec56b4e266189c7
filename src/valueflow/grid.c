/* The words of one block decomposition. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/describe.h"
#include "valueflow/grid.h"
#include "valueflow/place.h"

/* Ways with at most so many times the words of the best one have their borders moved. */
static const double near_ratio = 1.5;
enum { MOST_FIELDS = 8 };

static void describe(const parcast_values *values, uint32_t array, const parcast_extents *grid,
                     const parcast_extents *extents, char *text, size_t size)
{
    int n = 0;
    for (size_t i = 0; i < grid->n; i++)
        n += snprintf(text + n, size - (size_t)n, "%s%llu", i ? " x " : "",
                      (unsigned long long)grid->extent[i]);
    n += snprintf(text + n, size - (size_t)n, " blocks of %.40s (", values->arrays[array].name);
    for (size_t i = 0; i < extents->n && n < (int)size; i++)
        n += snprintf(text + n, size - (size_t)n, "%s%llu", i ? " x " : "",
                      (unsigned long long)extents->extent[i]);
    if (n < (int)size) snprintf(text + n, size - (size_t)n, ")");
}

/* Ways to place what is beside the words of the array: written arrays of its shape like it, the rest by its
 * readers and sources; likewise with arrays that are only read; or everything by its place in the space. */
enum way { WAY_LIKE, WAY_FOLLOW, WAY_SPACE, WAYS };

static parcast_status place(const parcast_values *values, const struct grid_choice *choice, enum way way,
                            const struct space *space, bool *fixed, uint32_t *part, parcast_error *error)
{
    if (way == WAY_SPACE || choice->coarse) {
        memcpy(fixed, space->fixed, values->n_vertices * sizeof *fixed);
        parcast_status cut = space_cut(values, space, &choice->grid, part, error);
        for (uint32_t v = 0; !cut && way != WAY_SPACE && v < values->n_vertices; v++)
            if (!fixed[v]) part[v] = GRAPH_NONE;
        return cut;
    }
    parcast_status status = graph_place_blocks(values, choice->array, &choice->grid, &choice->extents,
                                               way == WAY_LIKE, part, error);
    for (uint32_t v = 0; !status && v < values->n_vertices; v++) fixed[v] = part[v] != GRAPH_NONE;
    return status;
}

size_t grid_parts(const parcast_extents *grid)
{
    size_t p = 1;
    for (size_t i = 0; i < grid->n; i++) p *= grid->extent[i];
    return p;
}

/* One way before and after its borders have moved. */
struct trial {
    uint32_t *part;
    bool *fixed;
    parcast_flow flow;
};

static parcast_status begin_trial(const parcast_values *values, const struct grid_choice *choice,
                                  enum way way, const struct space *space, struct trial *trial,
                                  parcast_error *error)
{
    size_t n_parts = grid_parts(&choice->grid), n = (size_t)values->n_vertices + 1;
    bool *placed = calloc(n, sizeof *placed);
    trial->part = malloc(n * sizeof *trial->part);
    trial->fixed = calloc(n, sizeof *trial->fixed);
    parcast_status status = PARCAST_MEMORY;
    if (placed && trial->part && trial->fixed) {
        status = place(values, choice, way, space, trial->fixed, trial->part, error);
        for (uint32_t v = 0; !status && v < values->n_vertices; v++) placed[v] = trial->part[v] != GRAPH_NONE;
        if (!status) status = graph_follow(values, n_parts, placed, trial->part, error);
        if (!status)
            status = graph_evaluate(values, trial->part, n_parts, choice->allowed_ratio, &trial->flow, error);
    } else {
        parcast_error_set(error, status, NULL, 0, "out of memory for %u words", values->n_vertices);
    }
    free(placed);
    return status;
}

static bool is_even(const struct grid_choice *choice, const parcast_flow *flow)
{
    return choice->allowed_ratio <= 0 || flow->imbalance_ratio <= choice->allowed_ratio;
}

/* Even ones first. */
static bool is_better(const struct grid_choice *choice, const parcast_flow *a, const parcast_flow *b)
{
    bool even = is_even(choice, a);
    return even != is_even(choice, b) ? even : a->words < b->words;
}

/* What moves by counts that are kept up to date is near to the words, not the same: the exact count decides.
 */
static parcast_status move_borders(const parcast_values *values, const struct grid_choice *choice,
                                   double imbalance_ratio, uint32_t *before, struct trial *trial,
                                   parcast_error *error)
{
    size_t n_parts = grid_parts(&choice->grid), bytes = values->n_vertices * sizeof *trial->part;
    parcast_flow flow = {0};
    memcpy(before, trial->part, bytes);
    parcast_status status = graph_refine(values, n_parts, trial->fixed, imbalance_ratio, trial->part, error);
    if (!status) status = graph_evaluate(values, trial->part, n_parts, choice->allowed_ratio, &flow, error);
    if (!status && is_better(choice, &flow, &trial->flow)) {
        parcast_flow_clear(&trial->flow);
        trial->flow = flow;
    } else {
        memcpy(trial->part, before, bytes);
        parcast_flow_clear(&flow);
    }
    return status;
}

/* Without regard to balance; where that would spoil it, with regard to it. */
static parcast_status end_trial(const parcast_values *values, const struct grid_choice *choice,
                                struct trial *trial, parcast_error *error)
{
    uint32_t *before = malloc(values->n_vertices * sizeof *before + 1);
    if (!before)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u words",
                                 values->n_vertices);
    uint64_t words = trial->flow.words;
    parcast_status status = move_borders(values, choice, 1e9, before, trial, error);
    if (!status && choice->allowed_ratio > 0 && trial->flow.words == words && is_even(choice, &trial->flow))
        status = move_borders(values, choice, choice->allowed_ratio, before, trial, error);
    free(before);
    return status;
}

static void clear_trial(struct trial *trial)
{
    free(trial->part);
    free(trial->fixed);
    parcast_flow_clear(&trial->flow);
    *trial = (struct trial){0};
}

/* The ways that come near the best one before anything is moved. */
static parcast_status end_best(const parcast_values *values, const struct grid_choice *choice,
                               struct trial *trials, int *best, parcast_error *error)
{
    for (int way = 0; way < WAYS; way++)
        if (is_better(choice, &trials[way].flow, &trials[*best].flow)) *best = way;
    uint64_t least = trials[*best].flow.words;
    for (int way = 0; way < WAYS && !choice->still; way++) {
        size_t bytes = values->n_vertices * sizeof *trials[way].part;
        if ((double)trials[way].flow.words > near_ratio * (double)least) continue;
        if (way == WAY_FOLLOW && memcmp(trials[WAY_LIKE].part, trials[way].part, bytes) == 0) continue;
        parcast_status status = end_trial(values, choice, &trials[way], error);
        if (status) return status;
    }
    for (int way = 0; way < WAYS; way++)
        if (is_better(choice, &trials[way].flow, &trials[*best].flow)) *best = way;
    return PARCAST_OK;
}

static parcast_status try_ways(const parcast_values *values, const struct grid_choice *choice,
                               const struct space *space, parcast_flow *flow, uint32_t *part,
                               parcast_error *error)
{
    struct trial trials[WAYS] = {{0}};
    parcast_status status = PARCAST_OK;
    int best = 0;
    for (int way = 0; !status && way < WAYS; way++)
        status = begin_trial(values, choice, (enum way)way, space, &trials[way], error);
    if (!status) status = end_best(values, choice, trials, &best, error);
    if (!status) {
        memcpy(part, trials[best].part, values->n_vertices * sizeof *part);
        *flow = trials[best].flow;
        trials[best].flow = (parcast_flow){0};
    }
    for (int way = 0; way < WAYS; way++) clear_trial(&trials[way]);
    return status;
}

parcast_status grid_evaluate(const parcast_values *values, const struct grid_choice *choice,
                             parcast_flow *flow, uint32_t *part, parcast_error *error)
{
    struct space own = {0};
    parcast_status status = PARCAST_OK;
    if (!choice->space) status = space_make(values, choice->array, &choice->extents, 1, &own, error);
    if (!status) status = try_ways(values, choice, choice->space ? choice->space : &own, flow, part, error);
    space_clear(&own);
    if (!status)
        describe(values, choice->array, &choice->grid, &choice->extents, flow->decomposition,
                 sizeof flow->decomposition);
    return status;
}

parcast_status grid_evaluate_roughly(const parcast_values *values, const struct grid_choice *choice,
                                     parcast_flow *flow, parcast_error *error)
{
    struct trial trial = {0};
    parcast_status status = begin_trial(values, choice, WAY_SPACE, choice->space, &trial, error);
    if (!status) {
        *flow = trial.flow;
        trial.flow = (parcast_flow){0};
    }
    clear_trial(&trial);
    return status;
}

static parcast_status find_array(const parcast_values *values, const parcast_extents *extent, uint32_t *array,
                                 parcast_error *error)
{
    *array = graph_index_array(values, extent);
    if (*array != GRAPH_NONE) return PARCAST_OK;
    if (!extent) return parcast_error_set(error, PARCAST_DATA, NULL, 0, "the region touches no array");
    unsigned long long words = 1;
    for (size_t i = 0; i < extent->n; i++) words *= extent->extent[i];
    parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                      "no array of the region has the %llu words of --extent", words);
    parcast_error_hint(error, "arrays: %s", grid_list_arrays(values, (char[400]){0}, 400));
    return PARCAST_INVALID;
}

const char *grid_list_arrays(const parcast_values *values, char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < values->n_arrays && n < size; i++)
        if (!values->arrays[i].is_result && values->arrays[i].words > 1)
            n += (size_t)snprintf(text + n, size - n, "%s%.40s %llu", n ? ", " : "", values->arrays[i].name,
                                  (unsigned long long)values->arrays[i].words);
    return text;
}

parcast_status grid_nothing_sent(size_t p, const char *name, parcast_flow *flow, parcast_error *error)
{
    uint64_t *matrix = calloc(p * p, sizeof *matrix);
    if (!matrix) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu parts", p);
    *flow = (parcast_flow){.processes = p, .matrix = matrix};
    snprintf(flow->decomposition, sizeof flow->decomposition, "%s",
             name ? name : "any: no value is read by another word");
    return PARCAST_OK;
}

/* Fields lie together or one after the other; what is between cut dimensions would be no block. */
static bool is_plausible(const parcast_extents *extents, size_t uncut)
{
    if (uncut == 0) return extents->extent[0] <= MOST_FIELDS;
    return uncut == extents->n - 1 && (extents->n == 2 || extents->extent[uncut] <= MOST_FIELDS);
}

struct uncut {
    const parcast_values *values;
    const struct grid_choice *plain;
    parcast_flow *best;
    uint32_t *best_part, *part;
};

/* The dimension `uncut` of the extents stays whole. */
static parcast_status try_one(const struct uncut *u, const parcast_extents *extents, size_t uncut,
                              parcast_error *error)
{
    struct grid_choice choice = {.array = u->plain->array, .extents = *extents, .grid.n = extents->n};
    parcast_flow flow = {0};
    parcast_error ignored = {0};
    if (!is_plausible(extents, uncut)) return PARCAST_OK;
    for (size_t i = 0, j = 0; i < extents->n; i++)
        choice.grid.extent[i] = i == uncut ? 1 : u->plain->grid.extent[j++];
    parcast_status status = grid_evaluate(u->values, &choice, &flow, u->part, &ignored);
    if (status == PARCAST_INVALID) return PARCAST_OK; /* more parts than words in a dimension */
    if (status) return parcast_error_set(error, status, NULL, 0, "%s", ignored.text);
    if (!u->best->processes || flow.words < u->best->words) {
        memcpy(u->best_part, u->part, u->values->n_vertices * sizeof *u->part);
        parcast_flow_clear(u->best);
        *u->best = flow;
    } else {
        parcast_flow_clear(&flow);
    }
    return PARCAST_OK;
}

/* The same grid on an array of one more dimension, which is not cut: rows of a matrix, or the fields of a
 * mesh that lie in one array, of which two halves need not show in the distances. */
static parcast_status try_uncut(const struct uncut *u, parcast_error *error)
{
    size_t n = u->plain->grid.n;
    uint64_t words = u->values->arrays[u->plain->array].words;
    parcast_extents extents = {0}, halves = {2, {2, words / 2}};
    parcast_status status = PARCAST_OK;
    if (n == PARCAST_MAX_EXTENTS) return PARCAST_OK;
    if (graph_infer_extents(u->values, u->plain->array, n + 1, &extents))
        for (size_t i = 0; !status && i <= n; i++) status = try_one(u, &extents, i, error);
    bool seen = extents.n && extents.extent[0] == 2;
    if (!status && n == 1 && words % 2 == 0 && words > 2 && !seen) status = try_one(u, &halves, 0, error);
    return status;
}

static parcast_status find_extents(const parcast_values *values, const parcast_extents *extent,
                                   struct grid_choice *choice, parcast_error *error)
{
    parcast_status status = find_array(values, extent, &choice->array, error);
    if (status) return status;
    if (extent) {
        choice->extents = *extent;
        if (extent->n == choice->grid.n) return PARCAST_OK;
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%zu extents for a grid of %zu dimensions",
                                 extent->n, choice->grid.n);
    }
    if (graph_infer_extents(values, choice->array, choice->grid.n, &choice->extents)) return PARCAST_OK;
    parcast_error_set(error, PARCAST_DATA, NULL, 0, "cannot tell the %zu extents of '%s' from how it is used",
                      choice->grid.n, values->arrays[choice->array].name);
    parcast_error_hint(error, "give them: --extent ROWS,COLUMNS; it has %llu words",
                       (unsigned long long)values->arrays[choice->array].words);
    return PARCAST_DATA;
}

parcast_status parcast_values_grid(const parcast_values *values, const parcast_extents *grid,
                                   const parcast_extents *extent, parcast_flow *flow, parcast_error *error)
{
    struct grid_choice choice = {.grid = *grid};
    parcast_flow best = {0};
    size_t n = (size_t)values->n_vertices + 1, p = grid_parts(grid);
    if (!values->n_sets) return grid_nothing_sent(p, NULL, flow, error);
    parcast_status status = find_extents(values, extent, &choice, error);
    if (status) return status;
    uint32_t *part = calloc(n, sizeof *part), *best_part = calloc(n, sizeof *part);
    status = part && best_part ? grid_evaluate(values, &choice, &best, best_part, error) : PARCAST_MEMORY;
    if ((!status || status == PARCAST_INVALID) && !extent) {
        parcast_status uncut = try_uncut(&(struct uncut){values, &choice, &best, best_part, part}, error);
        if (uncut || best.processes) status = uncut;
        if (!status && error) *error = (parcast_error){0};
    }
    if (!status)
        status =
            graph_describe(values, best_part, p, choice.array, best.decomposition, sizeof best.decomposition);
    free(part);
    free(best_part);
    if (!status) {
        *flow = best;
        return PARCAST_OK;
    }
    parcast_flow_clear(&best);
    if (status == PARCAST_MEMORY) parcast_error_set(error, status, NULL, 0, "out of memory for %zu parts", p);
    return status;
}
