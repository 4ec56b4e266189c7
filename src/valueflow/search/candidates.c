/* Distributions other than rectangular blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/describe.h"
#include "valueflow/distribution/place.h"
#include "valueflow/distribution/shown.h"
#include "valueflow/search/search.h"

enum { SEEDS = 2, SEEDS_OF_SMALL = 8, SEEDS_BY_CUT = 3, MOST_EMPTY = 64, WIDEST = 64 };
/* Of a graph of more vertices one partition by its cut is tried; of a large one one of each kind: it takes
 * seconds, and a second one saves hardly a word. In one of still more the volume may take minutes. */
static const uint32_t cut_graph = 20000, huge_graph = 1 << 20;

/* ---- blocks in turn ---- */

/* `even`: it is as even as others have to be. */
static parcast_status try_width(struct search *s, const struct space *space, const parcast_extents *grid,
                                uint64_t width, bool back, bool *even)
{
    parcast_flow flow = {0};
    uint32_t n = s->values->n_vertices;
    space_deal(s->values, space, grid, width, back, s->part);
    for (uint32_t v = 0; v < n; v++) {
        s->fixed[v] = space->fixed[v] && s->part[v] != GRAPH_NONE;
        if (!s->fixed[v]) s->part[v] = GRAPH_NONE; /* the middle of what goes round is anywhere */
    }
    parcast_status status = graph_follow(s->values, s->p, s->fixed, s->part, s->error);
    if (!status) status = graph_evaluate(s->values, s->part, s->p, SEARCH_BALANCED_RATIO, &flow, s->error);
    if (status) return status;
    char array[DESCRIBE_NAME], *text = flow.decomposition;
    size_t size = sizeof flow.decomposition, used = 0;
    for (size_t i = 0; i < grid->n && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%llu", i ? " x " : "",
                                 (unsigned long long)grid->extent[i]);
    if (used < size)
        snprintf(text + used, size - used, " parts of %s %s, %llu at a time",
                 describe_told(s->values, space->array, array, sizeof array),
                 back ? "there and back" : "in turn", (unsigned long long)width);
    *even = flow.imbalance_ratio <= SEARCH_BALANCED_RATIO;
    return search_keep(s, &flow, SEARCH_BALANCED_RATIO);
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
    for (uint64_t width = 1; !status && 2 * width <= most && width <= WIDEST; width *= 4) {
        bool even = false;
        status = try_width(s, space, grid, width, false, &even);
        if (!status && !even) status = try_width(s, space, grid, width, true, &even);
    }
    return status;
}

/* Work that moves through an array, as in a factorisation, is even where every part has some of everything;
 * what the last part of a round has more than the first is made good by a round back. */
parcast_status search_turns(struct search *s)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; !status && !search_has_even_block(s) && i < s->n_shapes; i++) {
        const struct space *space = &s->shapes[i];
        parcast_extents grid = {.n = space->extents.n};
        if (grid.n > 2) continue;
        s->index = space->array;
        status = try_deals(s, space, &grid, 0, s->p);
    }
    return status;
}

static parcast_status finish_evenly(struct search *s, const char *name, double allowed)
{
    parcast_status status = search_finish_within(s, name, allowed);
    return status ? status : search_even_out(s, name, allowed);
}

/* Blocks of equal work where those of equal size are not. */
parcast_status search_bisections(struct search *s)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; !status && i < s->n_shapes; i++) {
        const struct space *space = &s->shapes[i];
        char name[sizeof s->best.decomposition], array[DESCRIBE_NAME];
        bool coarser = i + 1 < s->n_shapes && s->shapes[i + 1].array == space->array;
        bool sparse = space->n_cells > (uint64_t)MOST_EMPTY * s->values->n_vertices;
        if (space->n_cells < s->p || coarser || sparse) continue;
        snprintf(name, sizeof name, "blocks of equal work of %s (bisection)",
                 describe_told(s->values, space->array, array, sizeof array));
        s->index = space->array;
        status = space_bisect(s->values, space, s->p, s->part, s->error);
        if (!status) status = finish_evenly(s, name, search_cells_allow(space, s->p));
    }
    return status;
}

parcast_status search_components(struct search *s)
{
    bool placed = false;
    s->index = GRAPH_NONE;
    parcast_status status = graph_place_components(s->values, s->p, s->part, &placed, s->error);
    return status || !placed ? status : search_finish(s, "independent pieces, each on one part");
}

/* As blocks of the array would be allowed, were they on a line. */
static double allowed_of(const struct search *s, uint32_t array)
{
    for (size_t i = 0; i < s->n_shapes; i++)
        if (s->shapes[i].array == array) return search_cells_allow(&s->shapes[i], s->p);
    return SEARCH_BALANCED_RATIO;
}

static parcast_status try_partition(struct search *s, const char *name, int seed, uint32_t hub, bool by_cut)
{
    bool placed = false;
    parcast_status status = graph_partition(s->values, s->p, seed, hub, by_cut, s->part, &placed, s->error);
    return status || !placed ? status : finish_evenly(s, name, allowed_of(s, s->index));
}

static bool has_terms(const parcast_values *values)
{
    for (size_t i = 0; i < values->n_arrays; i++)
        if (values->arrays[i].is_terms) return true;
    return false;
}

/* A mesh that is numbered at random, where no blocks are as few words as parts of it. Corner forces lie
 * between a cell and a node: on one side of a cut, or with their cell. */
static parcast_status try_unfolded(struct search *s, const char *of)
{
    static const double near_ratio = 1.1;
    bool any_terms = has_terms(s->values),
         is_large = s->values != s->all || s->values->n_vertices > GRAPH_LARGE;
    char name[sizeof s->best.decomposition];
    snprintf(name, sizeof name, "irregular parts%s (bisection)", of);
    if (search_has_even_block(s) && (double)s->block.words <= near_ratio * (double)s->best.words)
        return PARCAST_OK;
    parcast_status status = PARCAST_OK;
    for (int leave = any_terms && is_large; !status && leave <= any_terms; leave++) {
        bool placed = false;
        status = graph_unfold(s->values, s->p, leave, s->part, &placed, s->error);
        if (!status && placed) status = finish_evenly(s, name, allowed_of(s, s->index));
    }
    return status;
}

/* From other random numbers, as long as they come near the best: who is far from it stays so. In a small
 * graph that is not said. */
static parcast_status try_all_seeds(struct search *s, const char *name, int seeds, uint32_t hub, bool by_cut)
{
    parcast_status status = PARCAST_OK;
    bool is_far = false;
    for (int seed = 1; !status && !is_far && seed <= seeds; seed++) {
        status = try_partition(s, name, seed, hub, by_cut);
        is_far = !search_is_small(s) && search_is_far(s, s->finished_words);
    }
    return status;
}

/* What is no hub of a large graph may still be one of a small one: the sums of 256 points that have half of a
 * part's work each keep METIS from finding anything. */
static parcast_status try_seeds(struct search *s, const char *name, int seeds, bool by_cut, bool small_hubs)
{
    parcast_status status = try_all_seeds(s, name, seeds, SHOWN_HUB, by_cut);
    if (!status && small_hubs) status = try_all_seeds(s, name, seeds, SHOWN_HUB_OF_SMALL, by_cut);
    return status;
}

parcast_status search_partitions(struct search *s)
{
    uint32_t index = s->coarse ? s->coarse->arrays[0] : graph_index_array(s->values, s->extent);
    char name[sizeof s->best.decomposition], of[DESCRIBE_NAME + 8] = "", array[DESCRIBE_NAME];
    if (index != GRAPH_NONE)
        snprintf(of, sizeof of, " of %s", describe_told(s->values, index, array, sizeof array));
    snprintf(name, sizeof name, "irregular parts%s (graph partitioning)", of);
    s->index = index;
    uint32_t n = s->values->n_vertices;
    bool is_coarse = s->values != s->all, is_large = is_coarse || n > cut_graph;
    bool small_hubs = !is_large && shown_has_small_hubs(s->values);
    parcast_status status = try_seeds(s, name, is_large ? 1 : SEEDS_BY_CUT, true, small_hubs);
    if (!is_coarse && n <= huge_graph) {
        int seeds = n > GRAPH_LARGE ? 1 : search_is_small(s) ? SEEDS_OF_SMALL : SEEDS;
        if (!status) status = try_seeds(s, name, seeds, false, small_hubs);
    }
    return status || n > huge_graph ? status : try_unfolded(s, of);
}

/* Pieces that hang together only through hubs, each cut into p / n blocks. */
static parcast_status try_piece_grid(struct search *s, size_t shape, const parcast_extents *grid)
{
    const struct space *space = &s->shapes[shape];
    const struct coarse *c = s->coarse;
    parcast_error ignored = {0};
    char name[sizeof s->best.decomposition], array[DESCRIBE_NAME];
    parcast_status status = space_cut(s->values, space, grid, s->part, &ignored);
    if (status) return status == PARCAST_INVALID ? PARCAST_OK : status;
    for (uint32_t v = 0; v < s->values->n_vertices; v++)
        if (s->part[v] != GRAPH_NONE)
            s->part[v] = c->piece_of[v] ? s->part[v] * c->n_pieces + c->piece_of[v] - 1 : GRAPH_NONE;
    int n = snprintf(name, sizeof name, "%u independent pieces, each in ", c->n_pieces);
    n += describe_grid(grid, name + n, sizeof name - (size_t)n);
    snprintf(name + n, sizeof name - (size_t)n, " blocks of %s",
             describe_told(s->values, space->array, array, sizeof array));
    s->index = space->array;
    return search_finish(s, name);
}

static parcast_status cut_pieces(struct search *s, size_t shape, parcast_extents *grid, size_t at,
                                 uint64_t left)
{
    parcast_status status = PARCAST_OK;
    if (at + 1 >= grid->n || at + 1 >= PARCAST_MAX_EXTENTS) {
        grid->extent[at] = left;
        return try_piece_grid(s, shape, grid);
    }
    for (uint64_t f = 1; !status && f <= left; f++) {
        if (left % f) continue;
        grid->extent[at] = f;
        status = cut_pieces(s, shape, grid, at + 1, left / f);
    }
    return status;
}

parcast_status search_pieces(struct search *s)
{
    if (!s->coarse || s->coarse->n_pieces < 2 || s->p % s->coarse->n_pieces || s->p == s->coarse->n_pieces)
        return PARCAST_OK;
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; !status && i < s->n_shapes; i++) {
        parcast_extents grid = {.n = s->shapes[i].extents.n};
        status = cut_pieces(s, i, &grid, 0, s->p / s->coarse->n_pieces);
    }
    return status;
}
