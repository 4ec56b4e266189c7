/*
 * The grids of a shape with the shortest cuts. Where so many words are a box of slots, and every word has to
 * do with all of its box, a cut is as long as there are boxes along it.
 */
#include <string.h>

#include "valueflow/search/search.h"
#include "valueflow/space/boxes.h"

/* The words, or boxes, that lie along the cuts of a grid. */
static double cut_length(const parcast_extents *extents, const parcast_extents *grid)
{
    double length = 0;
    for (size_t i = 0; i < grid->n; i++) {
        double plane = (double)(grid->extent[i] - 1);
        for (size_t j = 0; j < grid->n; j++)
            if (j != i) plane *= (double)extents->extent[j];
        length += plane;
    }
    return length;
}

struct compact {
    const struct search *search;
    size_t shape, n;
    parcast_extents extents; /* of the shape, in boxes where it has some */
    double allowed, length;  /* of those found */
    struct rough *grids;
};

/* As even as whole cells allow first, then with the shortest cuts; of equal ones all. */
static void add_compact(struct compact *c, const parcast_extents *grid)
{
    const struct space *space = &c->search->shapes[c->shape];
    double allowed = search_allowed_for(c->search, space, grid), length = cut_length(&c->extents, grid);
    bool is_better = !c->n || allowed < c->allowed || (allowed <= c->allowed && length < c->length);
    if (!is_better && (allowed > c->allowed || length > c->length)) return;
    if (is_better) {
        c->n = 0;
        c->allowed = allowed;
        c->length = length;
    }
    if (c->n < SEARCH_COMPACT) c->grids[c->n++] = (struct rough){.shape = c->shape, .grid = *grid};
}

static void find_compact(struct compact *c, parcast_extents *grid, size_t at, uint64_t left)
{
    const parcast_extents *extents = &c->search->shapes[c->shape].extents;
    if (at + 1 >= grid->n || at + 1 >= PARCAST_MAX_EXTENTS) {
        grid->extent[at] = left;
        if (search_cuts(grid) <= SEARCH_MOST_CUTS && left <= extents->extent[at]) add_compact(c, grid);
        return;
    }
    for (uint64_t f = 1; f <= left && f <= extents->extent[at]; f++) {
        if (left % f) continue;
        grid->extent[at] = f;
        find_compact(c, grid, at + 1, left / f);
    }
}

/* The last dimension is one of slots then, or of boxes of them. */
static parcast_extents extents_in_boxes(const parcast_values *values, const struct space *space)
{
    parcast_extents extents = space->extents, boxes;
    size_t n = extents.n;
    if (n > 1 && boxes_extents(values, space->array, n, &boxes) &&
        memcmp(boxes.extent, extents.extent, n * sizeof *extents.extent) == 0)
        extents.extent[n - 1] /= boxes_words(values, space->array);
    return extents;
}

size_t search_compact(const struct search *s, size_t shape, struct rough grids[SEARCH_COMPACT])
{
    struct compact c = {
        .search = s, .shape = shape, .extents = extents_in_boxes(s->all, &s->shapes[shape]), .grids = grids};
    parcast_extents grid = {.n = s->shapes[shape].extents.n};
    find_compact(&c, &grid, 0, s->p);
    return c.n;
}
