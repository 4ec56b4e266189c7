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

enum { SEEDS = 2 };
static const double balanced_ratio = 0.03;

struct search {
    const parcast_values *values;
    size_t p;
    const parcast_extents *extent;
    uint32_t *part, *best_part; /* [n_vertices] */
    bool *fixed;
    parcast_flow best, block;
    uint32_t index, best_index; /* array whose blocks a candidate and the best are; GRAPH_NONE */
    parcast_error *error;
};

static void keep_best(struct search *s, parcast_flow *flow, double allowed)
{
    bool better = !s->best.processes || flow->words < s->best.words;
    if (flow->imbalance_ratio > allowed || !better) {
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

/* Blocks are as even as whole words allow: seven rows on two parts are four and three. */
static double granularity(const struct grid_choice *choice)
{
    double ratio = 1;
    for (size_t i = 0; i < choice->grid.n; i++) {
        double share = (double)choice->extents.extent[i] / (double)choice->grid.extent[i];
        ratio *= share >= 1 ? ((double)(uint64_t)share + 1) / share : 2;
    }
    return ratio - 1;
}

static parcast_status try_grid(struct search *s, const struct grid_choice *choice)
{
    parcast_flow flow = {0};
    parcast_error ignored = {0};
    parcast_status status = grid_evaluate(s->values, choice, &flow, s->part, &ignored);
    if (status == PARCAST_INVALID) return PARCAST_OK; /* more parts than words in a dimension: no candidate */
    if (status) return status;
    double even = granularity(choice), allowed = even > balanced_ratio ? even : balanced_ratio;
    if (flow.imbalance_ratio <= allowed && (!s->block.processes || flow.words < s->block.words))
        status = copy_flow(&flow, &s->block);
    keep_best(s, &flow, allowed);
    return status;
}

/* All ways to write p as a product of n factors; in more than one dimension no factor is 1. */
static parcast_status try_grids(struct search *s, struct grid_choice *choice, size_t at, uint64_t left)
{
    if (at + 1 == choice->grid.n) {
        choice->grid.extent[at] = left;
        return left > 1 || choice->grid.n == 1 ? try_grid(s, choice) : PARCAST_OK;
    }
    parcast_status status = PARCAST_OK;
    for (uint64_t f = 2; !status && f <= left; f++) {
        if (left % f) continue;
        choice->grid.extent[at] = f;
        status = try_grids(s, choice, at + 1, left / f);
    }
    return status;
}

static parcast_status try_blocks(struct search *s)
{
    struct grid_choice choice = {.array = graph_index_array(s->values, s->extent)};
    parcast_status status = PARCAST_OK;
    if (choice.array == GRAPH_NONE) return PARCAST_OK;
    s->index = choice.array;
    for (size_t n = 1; !status && n <= PARCAST_MAX_EXTENTS; n++) {
        if (s->extent && s->extent->n == n)
            choice.extents = *s->extent;
        else if (!graph_infer_extents(s->values, choice.array, n, &choice.extents))
            continue;
        choice.grid.n = n;
        status = try_grids(s, &choice, 0, s->p);
    }
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
    for (int seed = 1; !status && seed <= SEEDS; seed++) {
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

static parcast_status search_all(struct search *s)
{
    parcast_status status = try_blocks(s);
    if (!status) status = try_components(s);
    if (!status) status = try_partitions(s);
    if (!status) status = try_refined(s);
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
    s.fixed = malloc(n * sizeof *s.fixed);
    parcast_status status = s.part && s.best_part && s.fixed ? search_all(&s) : PARCAST_MEMORY;
    free(s.part);
    free(s.best_part);
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
