/*
 * Numbers of parts that no grid of blocks suits: five parts of a square are no strips, but two and three
 * beside each other (recursive coordinate bisection, Berger and Bokhari 1987), with whole planes on either
 * side of a cut where that leaves the work even.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/search/search.h"
#include "valueflow/space/boxes.h"

enum { MOST_DIMENSIONS = 3, LEAST_CELLS = 8 /* of a part */ };

/* The area of the cuts through a box, each across its longest side. */
static double cut_halves(const double side[MOST_DIMENSIONS], size_t n, size_t n_parts)
{
    if (n_parts == 1) return 0;
    double below[MOST_DIMENSIONS], above[MOST_DIMENSIONS], area = 1;
    size_t longest = 0, lower = n_parts / 2;
    for (size_t i = 1; i < n; i++)
        if (side[i] > side[longest]) longest = i;
    for (size_t i = 0; i < n; i++) {
        below[i] = above[i] = side[i];
        if (i != longest) area *= side[i];
    }
    below[longest] *= (double)lower / (double)n_parts;
    above[longest] -= below[longest];
    return area + cut_halves(below, n, lower) + cut_halves(above, n, n_parts - lower);
}

/* That of the best grid. */
static double cut_grid(const double side[MOST_DIMENSIONS], size_t n, size_t at, size_t left)
{
    double least = INFINITY, plane = 1;
    for (size_t i = 0; i < n; i++)
        if (i != at) plane *= side[i];
    if (at + 1 == n) return (double)left <= side[at] ? plane * (double)(left - 1) : INFINITY;
    for (size_t f = 1; f <= left && (double)f <= side[at]; f++)
        if (left % f == 0) least = fmin(least, plane * (double)(f - 1) + cut_grid(side, n, at + 1, left / f));
    return least;
}

/* Slots of boxes are no dimension of a block. */
static bool has_slots(const parcast_values *values, const struct space *space)
{
    parcast_extents boxes;
    size_t n = space->extents.n;
    return boxes_extents(values, space->array, n, &boxes) &&
           memcmp(boxes.extent, space->extents.extent, n * sizeof *boxes.extent) == 0;
}

static bool is_worth_it(const struct search *s, const struct space *space)
{
    static const double clearly_ratio = 0.95;
    size_t n = space->extents.n;
    double side[MOST_DIMENSIONS];
    if (n < 2 || n > MOST_DIMENSIONS || space->n_cells < LEAST_CELLS * s->p) return false;
    for (size_t i = 0; i < n; i++) side[i] = (double)space->count[i];
    bool are_blocks_even = search_has_even_block(s) && s->block_allowed <= SEARCH_BALANCED_RATIO;
    bool is_flat = cut_halves(side, n, s->p) < clearly_ratio * cut_grid(side, n, 0, s->p);
    return (is_flat || !are_blocks_even) && !has_slots(s->all, space);
}

static parcast_status take(struct search *s, const struct grid_choice *choice,
                           const struct grid_trials *trials)
{
    parcast_flow flow = {0};
    parcast_status status = grid_take(s->values, choice, trials, &flow, s->part, s->error);
    if (status) return status;
    s->index = choice->array;
    s->tried_even = grid_is_even(choice, trials);
    s->tried_words = flow.words;
    return search_keep_within(s, &flow, choice->allowed_ratio, s->tried_even ? choice->still_ratio : 0);
}

/* With their borders moved where they come near the best. */
static parcast_status try_parts(struct search *s, const struct grid_choice *choice)
{
    struct grid_trials trials;
    parcast_status status = grid_begin(s->values, choice, &trials, s->error);
    if (!status) status = take(s, choice, &trials);
    bool is_far = !status && search_is_far(s, s->tried_words);
    if (!status && !is_far) status = grid_end(s->values, choice, &trials, s->error);
    if (!status && !is_far) status = take(s, choice, &trials);
    if (!status && !is_far) status = search_freely(s, choice);
    grid_clear(&trials);
    return status;
}

/* What has work only beside the words of the array leaves nothing to weigh: as many cells then. */
static void weigh(const struct search *s, const struct space *space, double *work)
{
    double all = 0;
    space_add_up_work(s->values, space, work);
    for (uint64_t k = 0; k < space->n_cells; k++) all += work[k];
    for (uint64_t k = 0; all <= 0 && k < space->n_cells; k++) work[k] = 1;
}

static parcast_status try_shape(struct search *s, const struct space *space)
{
    static const double spared = 0.025; /* of the three per cent: what lies between cells needs some, too */
    double *work = malloc((space->n_cells + 1) * sizeof *work), allowed = search_cells_allow(space, s->p);
    uint32_t *halved = malloc((space->n_cells + 1) * sizeof *halved);
    struct grid_choice choice = {.array = space->array,
                                 .grid = {.n = space->extents.n, .extent = {s->p, 1, 1}},
                                 .extents = space->extents,
                                 .space = space,
                                 .halved = halved,
                                 .coarse = s->values != s->all,
                                 .allowed_ratio = allowed,
                                 .still_ratio = allowed};
    parcast_status status = work && halved ? PARCAST_OK : PARCAST_MEMORY;
    if (!status) {
        weigh(s, space, work);
        status = space_divide_planes(space, s->p, work, spared, halved, s->error);
    }
    if (!status) status = try_parts(s, &choice);
    free(work);
    free(halved);
    return status;
}

parcast_status search_halved(struct search *s)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; !status && i < s->n_shapes; i++)
        if (is_worth_it(s, &s->shapes[i])) status = try_shape(s, &s->shapes[i]);
    return status;
}
