/*
 * The least words over a portfolio. Every candidate is counted exactly, so whoever proposed it, the smallest
 * one whose work is balanced is a fact: a program that distributes its words like this sends no more.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/describe.h"
#include "valueflow/grid.h"
#include "valueflow/place.h"

enum {
    SEEDS = 2,
    SHAPES = GRAPH_INDEX_ARRAYS * PARCAST_MAX_EXTENTS,
    CLOSELY = 2,
    MOST_CUTS = 3,
    MOST_FIELDS = 64,
    MOST_EMPTY = 64,
    WIDEST = 64
};
static const double balanced_ratio = 0.03;
/* Of a graph of more vertices one partition is tried: it takes seconds, and a second one saves hardly a word.
 */
static const uint32_t large_graph = 200000;

/* A grid and its words before borders are moved. */
struct rough {
    uint64_t words;
    size_t shape;
    parcast_extents grid;
};

struct search {
    const parcast_values *values;
    size_t p;
    const parcast_extents *extent;
    uint32_t *part, *best_part, *uneven_part; /* [n_vertices] */
    bool *fixed;
    parcast_flow best, block, uneven;
    struct space shapes[SHAPES];
    struct rough rough[CLOSELY];
    size_t n_shapes, n_rough;
    uint32_t index, best_index, uneven_index; /* array whose blocks a candidate is; GRAPH_NONE */
    parcast_error *error;
};

/* The most even one, for the case that none is even. */
static void keep_most_even(struct search *s, parcast_flow *flow)
{
    if (s->uneven.processes && flow->imbalance_ratio >= s->uneven.imbalance_ratio) {
        parcast_flow_clear(flow);
        return;
    }
    parcast_flow_clear(&s->uneven);
    s->uneven = *flow;
    s->uneven_index = s->index;
    memcpy(s->uneven_part, s->part, s->values->n_vertices * sizeof *s->part);
}

static void keep_best(struct search *s, parcast_flow *flow, double allowed)
{
    bool better = !s->best.processes || flow->words < s->best.words;
    if (flow->imbalance_ratio > allowed) {
        keep_most_even(s, flow);
        return;
    }
    if (!better) {
        parcast_flow_clear(flow);
        return;
    }
    parcast_flow_clear(&s->best);
    s->best = *flow;
    s->best_index = s->index;
    memcpy(s->best_part, s->part, s->values->n_vertices * sizeof *s->part);
}

static parcast_status copy_flow(const parcast_flow *from, parcast_flow *to)
{
    size_t bytes = from->processes * from->processes * sizeof *from->matrix;
    uint64_t *matrix = malloc(bytes ? bytes : 1);
    if (!matrix) return PARCAST_MEMORY;
    memcpy(matrix, from->matrix, bytes);
    parcast_flow_clear(to);
    *to = *from;
    to->matrix = matrix;
    return PARCAST_OK;
}

/* Blocks are as even as whole cells allow: seven rows on two parts are four and three. */
static double granularity(const struct space *space, const parcast_extents *grid)
{
    double ratio = 1;
    for (size_t i = 0; i < grid->n; i++) {
        uint64_t most = (space->count[i] + grid->extent[i] - 1) / grid->extent[i];
        ratio *= (double)(most * grid->extent[i]) / (double)space->count[i];
    }
    return ratio - 1;
}

/* ---- blocks ---- */

/* Grids that look best before borders are moved; these are looked at closely. */
static parcast_status note_grid(struct search *s, const struct grid_choice *choice, size_t shape)
{
    parcast_flow flow = {0};
    parcast_error ignored = {0};
    parcast_status status = grid_evaluate_roughly(s->values, choice, &flow, &ignored);
    if (status == PARCAST_INVALID) return PARCAST_OK; /* more parts than words in a dimension: no candidate */
    if (status) return status;
    struct rough rough = {flow.words, shape, choice->grid};
    parcast_flow_clear(&flow);
    for (size_t i = 0; i < CLOSELY; i++) {
        if (i < s->n_rough && s->rough[i].words <= rough.words) continue;
        struct rough next = s->rough[i];
        s->rough[i] = rough;
        rough = next;
    }
    if (s->n_rough < CLOSELY) s->n_rough++;
    return PARCAST_OK;
}

/* All ways to write p as a product of n factors, at most three of which cut. */
static parcast_status note_grids(struct search *s, struct grid_choice *choice, size_t shape, size_t at,
                                 uint64_t left)
{
    if (at + 1 >= choice->extents.n || at + 1 >= PARCAST_MAX_EXTENTS) {
        size_t cuts = 0;
        choice->grid.extent[at] = left;
        for (size_t i = 0; i <= at; i++) cuts += choice->grid.extent[i] > 1;
        return cuts <= MOST_CUTS ? note_grid(s, choice, shape) : PARCAST_OK;
    }
    parcast_status status = PARCAST_OK;
    for (uint64_t f = 1; !status && f <= left; f++) {
        if (left % f) continue;
        choice->grid.extent[at] = f;
        status = note_grids(s, choice, shape, at + 1, left / f);
    }
    return status;
}

/* Fields lie together or one after the other. */
static bool has_fields(const parcast_extents *extents)
{
    return extents->extent[0] <= MOST_FIELDS || extents->extent[extents->n - 1] <= MOST_FIELDS;
}

/* An array as a line, a plane, a block and a block of fields, as far as its use tells these. */
static parcast_status make_shapes(struct search *s, uint32_t array)
{
    parcast_extents extents[PARCAST_MAX_EXTENTS];
    size_t n = 0;
    for (size_t d = 1; d <= PARCAST_MAX_EXTENTS && !s->extent; d++)
        if (graph_infer_extents(s->values, array, d, &extents[n]) && (d < 4 || has_fields(&extents[n]))) n++;
    if (s->extent) extents[n++] = *s->extent;
    parcast_status status = space_make(s->values, array, extents, n, s->shapes + s->n_shapes, s->error);
    if (status == PARCAST_DATA) return PARCAST_OK;
    if (!status) s->n_shapes += n;
    return status;
}

static parcast_status try_grid(struct search *s, const struct rough *rough)
{
    const struct space *space = &s->shapes[rough->shape];
    struct grid_choice choice = {space->array, rough->grid, space->extents, space};
    parcast_flow flow = {0};
    parcast_status status = grid_evaluate(s->values, &choice, &flow, s->part, s->error);
    if (status) return status;
    double even = granularity(space, &rough->grid), allowed = even > balanced_ratio ? even : balanced_ratio;
    s->index = space->array;
    if (flow.imbalance_ratio <= allowed && (!s->block.processes || flow.words < s->block.words))
        status = copy_flow(&flow, &s->block);
    keep_best(s, &flow, allowed);
    return status;
}

static parcast_status try_array(struct search *s, uint32_t array)
{
    size_t first = s->n_shapes;
    s->n_rough = 0;
    parcast_status status = make_shapes(s, array);
    for (size_t i = first; !status && i < s->n_shapes; i++) {
        struct grid_choice choice = {.array = s->shapes[i].array, .extents = s->shapes[i].extents};
        choice.grid.n = choice.extents.n;
        choice.space = &s->shapes[i];
        status = note_grids(s, &choice, i, 0, s->p);
    }
    for (size_t i = 0; !status && i < s->n_rough; i++) status = try_grid(s, &s->rough[i]);
    return status;
}

/* The nodes of a mesh and its elements; another array where the blocks of these are not even: the points of a
 * cluster analysis, say, of which nothing is written but their sums. */
static parcast_status try_blocks(struct search *s)
{
    uint32_t arrays[GRAPH_INDEX_ARRAYS];
    size_t n_first, n = graph_index_arrays(s->values, s->extent, arrays, &n_first);
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; !status && i < n && (i < n_first || !s->block.processes); i++)
        status = try_array(s, arrays[i]);
    return status;
}

/* The rest follows what is placed, then everything may move. */
static parcast_status finish(struct search *s, const char *name)
{
    uint32_t n = s->values->n_vertices;
    parcast_flow flow = {0};
    for (uint32_t v = 0; v < n; v++) s->fixed[v] = s->part[v] != GRAPH_NONE;
    parcast_status status = graph_follow(s->values, s->p, s->fixed, s->part, s->error);
    if (!status) status = graph_refine(s->values, s->p, NULL, balanced_ratio, s->part, s->error);
    if (!status) status = graph_evaluate(s->values, s->part, s->p, &flow, s->error);
    if (status) return status;
    snprintf(flow.decomposition, sizeof flow.decomposition, "%s", name);
    keep_best(s, &flow, balanced_ratio);
    return PARCAST_OK;
}

/* ---- blocks in turn ---- */

static parcast_status try_width(struct search *s, const struct space *space, const parcast_extents *grid,
                                uint64_t width)
{
    parcast_flow flow = {0};
    uint32_t n = s->values->n_vertices;
    space_deal(s->values, space, grid, width, s->part);
    for (uint32_t v = 0; v < n; v++) s->fixed[v] = s->part[v] != GRAPH_NONE;
    parcast_status status = graph_follow(s->values, s->p, s->fixed, s->part, s->error);
    if (!status) status = graph_evaluate(s->values, s->part, s->p, &flow, s->error);
    if (status) return status;
    char *text = flow.decomposition;
    size_t size = sizeof flow.decomposition, used = 0;
    for (size_t i = 0; i < grid->n && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%llu", i ? " x " : "",
                                 (unsigned long long)grid->extent[i]);
    if (used < size)
        snprintf(text + used, size - used, " parts of %.40s in turn, %llu at a time",
                 s->values->arrays[space->array].name, (unsigned long long)width);
    keep_best(s, &flow, balanced_ratio);
    return PARCAST_OK;
}

/* At least as many rounds as it takes to be even. */
static parcast_status try_deals(struct search *s, const struct space *space, parcast_extents *grid, size_t at,
                                uint64_t left)
{
    parcast_status status = PARCAST_OK;
    if (at + 1 < grid->n) {
        for (uint64_t f = 1; !status && f <= left; f++) {
            if (left % f) continue;
            grid->extent[at] = f;
            status = try_deals(s, space, grid, at + 1, left / f);
        }
        return status;
    }
    uint64_t most = UINT64_MAX;
    grid->extent[at] = left;
    for (size_t i = 0; i < grid->n; i++)
        if (grid->extent[i] > 1 && space->count[i] / grid->extent[i] < most)
            most = space->count[i] / grid->extent[i];
    for (uint64_t width = 1; !status && 2 * width <= most && width <= WIDEST; width *= 4)
        status = try_width(s, space, grid, width);
    return status;
}

/* Work that moves through an array, as in a factorisation, is even where every part has some of everything.
 */
static parcast_status try_turns(struct search *s)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; !status && !s->block.processes && i < s->n_shapes; i++) {
        const struct space *space = &s->shapes[i];
        parcast_extents grid = {.n = space->extents.n};
        if (grid.n > 2) continue;
        s->index = space->array;
        status = try_deals(s, space, &grid, 0, s->p);
    }
    return status;
}

/* Blocks of equal work where those of equal size are not. */
static parcast_status try_bisections(struct search *s)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; !status && i < s->n_shapes; i++) {
        const struct space *space = &s->shapes[i];
        char name[sizeof s->best.decomposition];
        bool coarser = i + 1 < s->n_shapes && s->shapes[i + 1].array == space->array;
        bool sparse = space->n_cells > (uint64_t)MOST_EMPTY * s->values->n_vertices;
        if (space->n_cells < s->p || coarser || sparse) continue;
        snprintf(name, sizeof name, "blocks of equal work of %.40s (bisection)",
                 s->values->arrays[space->array].name);
        s->index = space->array;
        status = space_bisect(s->values, space, s->p, s->part, s->error);
        if (!status) status = finish(s, name);
    }
    return status;
}

static parcast_status try_components(struct search *s)
{
    bool placed = false;
    s->index = GRAPH_NONE;
    parcast_status status = graph_place_components(s->values, s->p, s->part, &placed, s->error);
    return status || !placed ? status : finish(s, "independent pieces, each on one part");
}

static parcast_status try_partitions(struct search *s)
{
    parcast_status status = PARCAST_OK;
    uint32_t index = graph_index_array(s->values, s->extent);
    char name[sizeof s->best.decomposition];
    snprintf(name, sizeof name, "irregular parts%s%.40s (graph partitioning)",
             index == GRAPH_NONE ? "" : " of ", index == GRAPH_NONE ? "" : s->values->arrays[index].name);
    s->index = index;
    int seeds = s->values->n_vertices > large_graph ? 1 : SEEDS;
    for (int seed = 1; !status && seed <= seeds; seed++) {
        bool placed = false;
        graph_partition(s->values, s->p, seed, s->part, &placed);
        if (placed) status = finish(s, name);
    }
    return status;
}

/* Blocks with their borders moved where that saves words. */
static parcast_status try_refined(struct search *s)
{
    parcast_flow flow = {0};
    char name[sizeof flow.decomposition];
    if (!s->best.processes) return PARCAST_OK;
    s->index = s->best_index;
    memcpy(s->part, s->best_part, s->values->n_vertices * sizeof *s->part);
    parcast_status status = graph_refine(s->values, s->p, NULL, balanced_ratio, s->part, s->error);
    if (!status) status = graph_evaluate(s->values, s->part, s->p, &flow, s->error);
    if (status) return status;
    snprintf(name, sizeof name, "%.200s, borders moved", s->best.decomposition);
    snprintf(flow.decomposition, sizeof flow.decomposition, "%s", name);
    keep_best(s, &flow, balanced_ratio);
    return PARCAST_OK;
}

/* Work that cannot be divided evenly in any of the ways: one word may be half of it. */
static void take_uneven(struct search *s)
{
    size_t used = strlen(s->uneven.decomposition);
    snprintf(s->uneven.decomposition + used, sizeof s->uneven.decomposition - used,
             ", largest part %.0f %% above the mean", 100 * s->uneven.imbalance_ratio);
    uint32_t *part = s->best_part;
    s->best = s->uneven;
    s->best_part = s->uneven_part;
    s->best_index = s->uneven_index;
    s->uneven_part = part;
    s->uneven = (parcast_flow){0};
}

static parcast_status search_all(struct search *s)
{
    parcast_status status = try_blocks(s);
    if (!status) status = try_turns(s);
    if (!status) status = try_bisections(s);
    if (!status) status = try_components(s);
    if (!status) status = try_partitions(s);
    if (!status) status = try_refined(s);
    if (!status && !s->best.processes && s->uneven.processes) take_uneven(s);
    if (!status && s->best.processes)
        status = graph_describe(s->values, s->best_part, s->p, s->best_index, s->best.decomposition,
                                sizeof s->best.decomposition);
    if (!status && !s->best.processes)
        status = parcast_error_set(s->error, PARCAST_DATA, NULL, 0,
                                   "no balanced distribution over %zu parts was found", s->p);
    if (status && s->error && !s->error->text[0])
        parcast_error_set(s->error, status, NULL, 0, "out of memory");
    return status;
}

parcast_status parcast_values_minimum(const parcast_values *values, size_t processes,
                                      const parcast_extents *extent, parcast_flow *flow, parcast_flow *block,
                                      parcast_error *error)
{
    if (processes < 1) return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "0 processes");
    if (!values->n_sets || processes == 1) {
        parcast_status status = grid_nothing_sent(processes, processes == 1 ? "one part" : NULL, flow, error);
        if (!status) *block = (parcast_flow){0};
        return status;
    }
    size_t n = (size_t)values->n_vertices + 1;
    struct search s = {.values = values, .p = processes, .extent = extent, .error = error};
    s.part = malloc(n * sizeof *s.part);
    s.best_part = malloc(n * sizeof *s.best_part);
    s.uneven_part = malloc(n * sizeof *s.uneven_part);
    s.fixed = malloc(n * sizeof *s.fixed);
    parcast_status status =
        s.part && s.best_part && s.uneven_part && s.fixed ? search_all(&s) : PARCAST_MEMORY;
    for (size_t i = 0; i < s.n_shapes; i++) space_clear(&s.shapes[i]);
    free(s.part);
    free(s.best_part);
    free(s.uneven_part);
    parcast_flow_clear(&s.uneven);
    free(s.fixed);
    if (status) {
        parcast_flow_clear(&s.best);
        parcast_flow_clear(&s.block);
        return status;
    }
    *flow = s.best;
    *block = s.block;
    return PARCAST_OK;
}
