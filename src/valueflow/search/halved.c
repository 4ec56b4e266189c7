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

struct halving {
    struct search *search;
    struct grid_choice choice;
    double *work, *load, *lie; /* [n_cells] of the cells; [p] what parts have, and what of it lies in cells */
    uint32_t *part;            /* [n_cells] */
    bool is_even;              /* without more words for it */
    uint64_t fewest;           /* words, even or not */
};

/* Even parts where as many words as they are come of being even are none: what lies beside the cells is in
 * the wrong place, or all terms of sums are sent. */
static bool is_even(const struct grid_choice *choice, const struct grid_trials *trials,
                    const parcast_flow *flow)
{
    static const double hardly_ratio = 1.03;
    uint64_t fewest = grid_fewest_words(choice, trials);
    if (flow->uneven_words && flow->uneven_words < fewest) fewest = flow->uneven_words;
    return grid_is_even(choice, trials) && (double)flow->words <= hardly_ratio * (double)fewest;
}

static parcast_status take(struct halving *h, const struct grid_trials *trials)
{
    struct search *s = h->search;
    parcast_flow flow = {0};
    parcast_status status = grid_take(s->values, &h->choice, trials, &flow, s->part, s->error);
    if (status) return status;
    s->index = h->choice.array;
    s->tried_even = grid_is_even(&h->choice, trials);
    s->tried_words = flow.words;
    h->is_even = is_even(&h->choice, trials, &flow);
    h->fewest = grid_fewest_words(&h->choice, trials);
    if (h->is_even && (!s->halved_words || flow.words < s->halved_words)) s->halved_words = flow.words;
    return search_keep_within(s, &flow, h->choice.allowed_ratio, s->tried_even ? h->choice.still_ratio : 0);
}

/* What the parts have of the work where that is fewest words. */
static parcast_status find_loads(const struct halving *h, const struct grid_trials *trials)
{
    const struct search *s = h->search;
    const uint32_t *part = s->part;
    for (int way = 0; way < GRID_WAYS; way++)
        if (trials->way[way].part && trials->way[way].flow.words == h->fewest) part = trials->way[way].part;
    return graph_find_loads(s->values, part, s->p, h->load);
}

/* With their borders moved where they come near the best. What is uneven is left to the next cuts. */
static parcast_status try_parts(struct halving *h, bool is_last)
{
    struct search *s = h->search;
    struct grid_trials trials;
    parcast_status status = grid_begin(s->values, &h->choice, &trials, s->error);
    if (!status) status = take(h, &trials);
    bool stays = !status && (search_is_far(s, s->tried_words) || !(h->is_even || is_last));
    if (!status && !h->is_even) status = find_loads(h, &trials);
    if (!status && !stays) status = grid_end(s->values, &h->choice, &trials, s->error);
    if (!status && !stays) status = take(h, &trials);
    if (!status && !stays) status = search_freely(s, &h->choice);
    grid_clear(&trials);
    return status;
}

/* What has work only beside the words of the array leaves nothing to weigh: as many cells then. */
static void weigh(const struct halving *h)
{
    double all = 0;
    uint64_t n = h->choice.space->n_cells;
    space_add_up_work(h->search->values, h->choice.space, h->work);
    for (uint64_t k = 0; k < n; k++) all += h->work[k];
    for (uint64_t k = 0; all <= 0 && k < n; k++) h->work[k] = 1;
}

/* As if what lies beside the cells of a part were as much for each of its cells. */
static void weigh_again(const struct halving *h)
{
    uint64_t n = h->choice.space->n_cells;
    for (size_t q = 0; q < h->search->p; q++) h->lie[q] = 0;
    for (uint64_t k = 0; k < n; k++) h->lie[h->part[k]] += h->work[k];
    for (uint64_t k = 0; k < n; k++)
        if (h->lie[h->part[k]] > 0) h->work[k] *= h->load[h->part[k]] / h->lie[h->part[k]];
}

/* Of what may be above the mean what lies beside the cells needs some, too. */
static parcast_status cut_until_even(struct halving *h)
{
    static const double spared[] = {0.025, 0.015, 0.01, 0};
    enum { ROUNDS = sizeof spared / sizeof *spared };
    struct search *s = h->search;
    parcast_status status = PARCAST_OK;
    weigh(h);
    for (int i = 0; !status && i < ROUNDS && !h->is_even; i++) {
        if (i) weigh_again(h);
        status = space_divide_planes(h->choice.space, s->p, h->work, spared[i], h->part, s->error);
        if (!status) status = try_parts(h, i + 1 == ROUNDS);
    }
    return status;
}

static parcast_status try_shape(struct search *s, const struct space *space)
{
    size_t n = (size_t)space->n_cells + 1;
    struct halving h = {.search = s,
                        .work = malloc(n * sizeof *h.work),
                        .load = malloc(s->p * sizeof *h.load),
                        .lie = malloc(s->p * sizeof *h.lie),
                        .part = malloc(n * sizeof *h.part)};
    double allowed = search_cells_allow(space, s->p);
    h.choice = (struct grid_choice){.array = space->array,
                                    .grid = {.n = space->extents.n, .extent = {s->p, 1, 1}},
                                    .extents = space->extents,
                                    .space = space,
                                    .halved = h.part,
                                    .coarse = s->values != s->all,
                                    .allowed_ratio = allowed,
                                    .still_ratio = allowed};
    bool fine = h.work && h.load && h.lie && h.part;
    parcast_status status = fine ? cut_until_even(&h) : PARCAST_MEMORY;
    free(h.work);
    free(h.load);
    free(h.lie);
    free(h.part);
    return status;
}

bool search_is_halved(const struct search *s)
{
    return s->best.processes && s->halved_words && s->halved_words <= s->best.words;
}

parcast_status search_halved(struct search *s)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; !status && i < s->n_shapes; i++)
        if (is_worth_it(s, &s->shapes[i])) status = try_shape(s, &s->shapes[i]);
    return status;
}
