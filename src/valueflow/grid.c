/* The words of one block decomposition. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/describe.h"
#include "valueflow/grid.h"
#include "valueflow/place.h"

/* Ways with at most so many times the words of the best one have their borders moved. */
static const double near_ratio = 1.5;
/* A part with half as much work again as the mean: the grid was not meant like this. */
static const double lopsided_ratio = 0.5;

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
enum way { WAY_LIKE, WAY_FOLLOW, WAY_SPACE };

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

/* ---- trials ---- */

static parcast_status out_of_memory(const parcast_values *values, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u words",
                             values->n_vertices);
}

static bool make_room(const parcast_values *values, struct grid_trial *trial)
{
    size_t n = (size_t)values->n_vertices + 1;
    trial->part = malloc(n * sizeof *trial->part);
    trial->fixed = calloc(n, sizeof *trial->fixed);
    trial->adds = calloc(n, sizeof *trial->adds);
    return trial->part && trial->fixed && trial->adds;
}

static void clear_trial(struct grid_trial *trial)
{
    free(trial->part);
    free(trial->fixed);
    free(trial->adds);
    parcast_flow_clear(&trial->flow);
    *trial = (struct grid_trial){0};
}

void grid_clear(struct grid_trials *trials)
{
    for (int way = 0; way < GRID_WAYS; way++) clear_trial(&trials->way[way]);
    *trials = (struct grid_trials){0};
}

static parcast_status copy_flow(const parcast_flow *from, parcast_flow *to, parcast_error *error)
{
    size_t bytes = from->processes * from->processes * sizeof *from->matrix;
    uint64_t *matrix = malloc(bytes ? bytes : 1);
    if (!matrix)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu parts",
                                 from->processes);
    memcpy(matrix, from->matrix, bytes);
    *to = *from;
    to->matrix = matrix;
    return PARCAST_OK;
}

/* The rest follows what is placed. */
static parcast_status count_trial(const parcast_values *values, const struct grid_choice *choice,
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

/* Has another trial, in which nothing has moved yet, the same words in the same places? `trial` is placed. */
static bool begins_like(const parcast_values *values, const struct grid_trial *trial,
                        const struct grid_trial *other)
{
    uint32_t n = values->n_vertices;
    if (!other->part || memcmp(trial->fixed, other->fixed, n * sizeof *trial->fixed) != 0) return false;
    for (uint32_t v = 0; v < n; v++)
        if (trial->fixed[v] ? trial->part[v] != other->part[v] : trial->part[v] != GRAPH_NONE) return false;
    return true;
}

/* Words that are not fixed are not placed then either, so the outcome is the same. */
static parcast_status take_over(const parcast_values *values, const struct grid_trial *other,
                                struct grid_trial *trial, parcast_error *error)
{
    memcpy(trial->part, other->part, values->n_vertices * sizeof *trial->part);
    memcpy(trial->adds, other->adds, values->n_vertices * sizeof *trial->adds);
    return copy_flow(&other->flow, &trial->flow, error);
}

static bool is_even(const struct grid_choice *choice, const parcast_flow *flow, bool is_moved)
{
    return choice->allowed_ratio <= 0 ||
           flow->imbalance_ratio <= (is_moved ? choice->allowed_ratio : choice->still_ratio);
}

/* Even ones first. */
static bool is_better(const struct grid_choice *choice, const struct grid_trial *a,
                      const struct grid_trial *b)
{
    bool even = is_even(choice, &a->flow, a->is_moved);
    if (even != is_even(choice, &b->flow, b->is_moved)) return even;
    return a->flow.words < b->flow.words;
}

/* The best trial so far. */
static int find_best(const struct grid_choice *choice, const struct grid_trials *trials)
{
    int best = trials->best;
    for (int way = 0; way < GRID_WAYS; way++)
        if (trials->way[way].part && is_better(choice, &trials->way[way], &trials->way[best])) best = way;
    return best;
}

bool grid_is_even(const struct grid_choice *choice, const struct grid_trials *trials)
{
    const struct grid_trial *best = &trials->way[find_best(choice, trials)];
    return is_even(choice, &best->flow, best->is_moved);
}

/* Words by their places in the space are counted already, and too many to be near the others. */
static bool is_hopeless(const struct grid_choice *choice, const struct grid_trials *trials)
{
    const parcast_flow *best = &trials->way[find_best(choice, trials)].flow;
    return is_even(choice, best, false) && (double)choice->space_words > near_ratio * (double)best->words;
}

static parcast_status begin_way(const parcast_values *values, const struct grid_choice *choice, int way,
                                const struct space *space, struct grid_trials *trials, parcast_error *error)
{
    struct grid_trial *trial = &trials->way[way];
    const struct grid_trials *like = choice->like;
    bool same = like && like->allowed_ratio == choice->allowed_ratio && way != WAY_SPACE;
    if (!make_room(values, trial)) return out_of_memory(values, error);
    parcast_status status = place(values, choice, (enum way)way, space, trial->fixed, trial->part, error);
    if (status) return status;
    if (way == WAY_FOLLOW && begins_like(values, trial, &trials->way[WAY_LIKE])) {
        clear_trial(trial);
        return PARCAST_OK;
    }
    if (same && begins_like(values, trial, &like->way[way]))
        return take_over(values, &like->way[way], trial, error);
    trials->is_new = true;
    return count_trial(values, choice, trial, error);
}

parcast_status grid_begin(const parcast_values *values, const struct grid_choice *choice,
                          struct grid_trials *trials, parcast_error *error)
{
    struct space own = {0};
    parcast_status status = PARCAST_OK;
    *trials = (struct grid_trials){.allowed_ratio = choice->allowed_ratio};
    if (!choice->space) status = space_make(values, choice->array, &choice->extents, 1, &own, error);
    for (int way = 0; !status && way < GRID_WAYS; way++) {
        if (way == WAY_SPACE && is_hopeless(choice, trials)) break;
        status = begin_way(values, choice, way, choice->space ? choice->space : &own, trials, error);
    }
    space_clear(&own);
    if (status)
        grid_clear(trials);
    else
        trials->best = find_best(choice, trials);
    return status;
}

/* What moves by counts that are kept up to date is near to the words, not the same: the exact count decides.
 * `moved`: whether anything has, better or not. */
static parcast_status move_borders(const parcast_values *values, const struct grid_choice *choice,
                                   double imbalance_ratio, uint32_t *before, struct grid_trial *trial,
                                   bool *moved, parcast_error *error)
{
    size_t n_parts = grid_parts(&choice->grid), bytes = values->n_vertices * sizeof *trial->part;
    struct grid_trial after = {.is_moved = true};
    memcpy(before, trial->part, bytes);
    parcast_status status =
        graph_refine(values, n_parts, trial->fixed, imbalance_ratio, trial->adds, trial->part, moved, error);
    if (status || !*moved) return status;
    status = graph_evaluate(values, trial->part, n_parts, choice->allowed_ratio, &after.flow, error);
    if (!status && is_better(choice, &after, trial)) {
        parcast_flow_clear(&trial->flow);
        trial->flow = after.flow;
        trial->is_moved = true;
    } else {
        memcpy(trial->part, before, bytes);
        parcast_flow_clear(&after.flow);
    }
    return status;
}

/* Without regard to balance; where that would spoil it, with regard to it. */
static parcast_status end_trial(const parcast_values *values, const struct grid_choice *choice,
                                struct grid_trial *trial, parcast_error *error)
{
    uint32_t *before = malloc(values->n_vertices * sizeof *before + 1);
    if (!before) return out_of_memory(values, error);
    uint64_t words = trial->flow.words;
    bool moved = false;
    parcast_status status = move_borders(values, choice, 1e9, before, trial, &moved, error);
    if (!status && moved && choice->allowed_ratio > 0 && trial->flow.words == words &&
        is_even(choice, &trial->flow, trial->is_moved))
        status = move_borders(values, choice, choice->allowed_ratio, before, trial, &moved, error);
    free(before);
    return status;
}

/* The ways that come near the best one before anything is moved. */
parcast_status grid_end(const parcast_values *values, const struct grid_choice *choice,
                        struct grid_trials *trials, parcast_error *error)
{
    uint64_t least = trials->way[find_best(choice, trials)].flow.words;
    for (int way = 0; way < GRID_WAYS; way++) {
        struct grid_trial *trial = &trials->way[way];
        if (!trial->part || (double)trial->flow.words > near_ratio * (double)least) continue;
        parcast_status status = end_trial(values, choice, trial, error);
        if (status) return status;
    }
    return PARCAST_OK;
}

parcast_status grid_take(const parcast_values *values, const struct grid_choice *choice,
                         const struct grid_trials *trials, parcast_flow *flow, uint32_t *part,
                         parcast_error *error)
{
    const struct grid_trial *best = &trials->way[find_best(choice, trials)];
    parcast_status status = copy_flow(&best->flow, flow, error);
    if (status) return status;
    memcpy(part, best->part, values->n_vertices * sizeof *part);
    describe(values, choice->array, &choice->grid, &choice->extents, flow->decomposition,
             sizeof flow->decomposition);
    return PARCAST_OK;
}

parcast_status grid_evaluate(const parcast_values *values, const struct grid_choice *choice,
                             parcast_flow *flow, uint32_t *part, parcast_error *error)
{
    struct grid_trials trials;
    parcast_status status = grid_begin(values, choice, &trials, error);
    if (!status) status = grid_end(values, choice, &trials, error);
    if (!status) status = grid_take(values, choice, &trials, flow, part, error);
    grid_clear(&trials);
    return status;
}

/* Where everything lies, as one number. */
static uint64_t hash_parts(const uint32_t *part, uint32_t n)
{
    uint64_t h = 0x9e3779b97f4a7c15ull;
    for (uint32_t v = 0; v < n; v++) h = (h ^ part[v]) * 0xff51afd7ed558ccdull, h ^= h >> 32;
    return h;
}

/* Grids of several shapes may be the same: these are ranked only, and what is reported is counted. */
static bool recall(const struct grid_memory *memory, uint64_t hash, struct grid_words *words)
{
    for (size_t i = 0; i < memory->n; i++)
        if (memory->hash[i] == hash) {
            *words = memory->words[i];
            return true;
        }
    return false;
}

parcast_status grid_count_still(const parcast_values *values, const struct grid_choice *choice,
                                struct grid_memory *memory, struct grid_words *words, parcast_error *error)
{
    struct grid_trial trial = {0};
    parcast_status status = make_room(values, &trial) ? PARCAST_OK : out_of_memory(values, error);
    if (!status) status = place(values, choice, WAY_SPACE, choice->space, trial.fixed, trial.part, error);
    uint64_t hash = status ? 0 : hash_parts(trial.part, values->n_vertices);
    if (!status && !recall(memory, hash, words)) {
        status = count_trial(values, choice, &trial, error);
        *words = (struct grid_words){trial.flow.words, trial.flow.imbalance_ratio};
        if (!status && memory->n < GRID_REMEMBERED) {
            memory->hash[memory->n] = hash;
            memory->words[memory->n++] = *words;
        }
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
    if (uncut == 0) return extents->extent[0] <= GRID_FIELDS;
    return uncut == extents->n - 1 && (extents->n == 2 || extents->extent[uncut] <= GRID_FIELDS);
}

struct uncut {
    const parcast_values *values;
    const struct grid_choice *plain;
    parcast_flow *best;
    uint32_t *best_part, *part;
};

static bool is_lopsided(const parcast_flow *flow)
{
    return flow->imbalance_ratio > lopsided_ratio;
}

/* Of two readings of a grid the one that divides the work, then the one with fewer words. */
static bool is_meant(const parcast_flow *flow, const parcast_flow *best)
{
    if (!best->processes || is_lopsided(flow) != is_lopsided(best))
        return !best->processes || is_lopsided(best);
    return flow->words < best->words;
}

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
    if (is_meant(&flow, u->best)) {
        memcpy(u->best_part, u->part, u->values->n_vertices * sizeof *u->part);
        parcast_flow_clear(u->best);
        *u->best = flow;
    } else {
        parcast_flow_clear(&flow);
    }
    return PARCAST_OK;
}

/* A line that does not divide the work may be fields one after the other, of which nothing else tells. */
static parcast_status try_fields(const struct uncut *u, parcast_error *error)
{
    uint64_t words = u->values->arrays[u->plain->array].words;
    parcast_status status = PARCAST_OK;
    for (uint64_t fields = 2; !status && fields <= GRID_FIELDS && fields < words; fields++)
        if (words % fields == 0)
            status = try_one(u, &(parcast_extents){2, {fields, words / fields}}, 0, error);
    return status;
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
    return status || n > 1 || !is_lopsided(u->best) ? status : try_fields(u, error);
}

/* Where the index array tells no such extents, another that the work might be divided by may: the elements of
 * a mesh, say, of which the largest array holds all corners. */
static bool infer_extents(const parcast_values *values, struct grid_choice *choice)
{
    uint32_t arrays[GRAPH_INDEX_ARRAYS];
    if (graph_infer_extents(values, choice->array, choice->grid.n, &choice->extents)) return true;
    size_t n_first, n = graph_index_arrays(values, NULL, arrays, &n_first);
    for (size_t i = 0; i < n; i++)
        if (graph_infer_extents(values, arrays[i], choice->grid.n, &choice->extents)) {
            choice->array = arrays[i];
            return true;
        }
    return false;
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
    if (infer_extents(values, choice)) return PARCAST_OK;
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
