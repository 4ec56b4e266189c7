/*
 * What was found in a small graph that is only near is counted in the large one: the blocks that looked best
 * there, without moving anything, then the best of them with its borders moved; and the best of all
 * distributions as it is.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/search/search.h"

/* What has more than so many times the words of the best one before anything moves will not be the best. */
static const double near_ratio = 1.5;
/* Which of two it is may depend on the borders. */
static const double equal_ratio = 1.03;
/* What uneven blocks may save in becoming even: borders that move cost what blocks of many parts do. */
static const double evened_ratio = 1.2;

enum {
    MOST_GRIDS = (1 + SEARCH_COMPACT) * SEARCH_SHAPES + SEARCH_MOST_NOTED,
    MOST_CLOSELY = SEARCH_CLOSELY + 3
};

struct found {
    uint32_t *part; /* [vertices of the large graph] the best of the small graph */
    char name[sizeof((parcast_flow *)0)->decomposition];
    uint64_t words; /* there */
    double allowed;
    uint32_t index;
    struct rough grids[MOST_GRIDS]; /* the best of each shape and of each array, rows among them */
    size_t n_grids;
};

/* What lies between two dimensions that are cut is one: rows of a plane are planes of a block. */
static size_t merge_dimensions(const parcast_extents *extents, const parcast_extents *grid,
                               uint64_t merged[2 * PARCAST_MAX_EXTENTS])
{
    size_t n = 0;
    for (size_t i = 0; i < grid->n; i++) {
        if (n && grid->extent[i] == 1 && merged[n - 1] == 1) {
            merged[n - 2] *= extents->extent[i];
            continue;
        }
        merged[n++] = extents->extent[i];
        merged[n++] = grid->extent[i];
    }
    return n;
}

static bool is_same(const struct search *s, const struct rough *a, const struct rough *b)
{
    uint64_t x[2 * PARCAST_MAX_EXTENTS], y[2 * PARCAST_MAX_EXTENTS];
    const struct space *one = &s->shapes[a->shape], *other = &s->shapes[b->shape];
    if (one->array != other->array) return false;
    size_t n = merge_dimensions(&one->extents, &a->grid, x);
    return n == merge_dimensions(&other->extents, &b->grid, y) && memcmp(x, y, n * sizeof *x) == 0;
}

static void add_grid(const struct search *s, struct found *found, const struct rough *grid)
{
    bool again = !grid->grid.n;
    for (size_t i = 0; i < found->n_grids; i++) again = again || is_same(s, grid, &found->grids[i]);
    if (!again) found->grids[found->n_grids++] = *grid;
}

/* Rows are always counted: nobody understands a minimum above them. */
static void add_near(const struct search *s, struct found *found, const struct rough *grid, uint64_t least)
{
    if (search_cuts(&grid->grid) == 1 || least == UINT64_MAX ||
        (double)grid->words <= near_ratio * (double)least)
        add_grid(s, found, grid);
}

static bool remember(const struct search *s, struct found *found)
{
    const uint32_t *vertex = s->coarse->small.vertex;
    *found = (struct found){.words = s->best.words, .allowed = s->best_allowed, .index = s->best_index};
    memcpy(found->name, s->best.decomposition, sizeof found->name);
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < s->n_noted; i++)
        if (s->noted[i].even && s->noted[i].words < least) least = s->noted[i].words;
    for (size_t i = 0; i < s->n_noted; i++) add_near(s, found, &s->noted[i], least);
    for (size_t i = 0; i < s->n_shapes; i++) add_near(s, found, &s->best_of[i], least);
    found->part = malloc(((size_t)s->all->n_vertices + 1) * sizeof *found->part);
    for (uint32_t v = 0; found->part && v < s->all->n_vertices; v++) found->part[v] = s->best_part[vertex[v]];
    return found->part;
}

/* Blocks of words in place of blocks of cells. */
void search_take_fine_spaces(struct search *s)
{
    for (size_t i = 0; i < s->n_shapes; i++)
        for (size_t k = 0; k < s->coarse->n; k++)
            if (s->coarse->shapes[k].cell == s->shapes[i].cell) {
                s->shapes[i] = s->coarse->fine[k];
                break;
            }
}

/* However far the small graph is from the large one: the most compact blocks of each shape. */
static void add_compact(const struct search *s, size_t shape, struct found *found)
{
    struct rough compact[SEARCH_COMPACT];
    size_t n = search_compact(s, shape, compact);
    for (size_t i = 0; i < n; i++) add_grid(s, found, &compact[i]);
}

/* None of them is told meanwhile. */
static parcast_status begin_still(struct search *s, const struct rough *grids, size_t n,
                                  struct grid_trials *trials, bool *is_none)
{
    parcast_flow block = s->block;
    s->block = (parcast_flow){0};
    parcast_status status = search_grids_begin(s, grids, n, trials, is_none);
    s->block = block;
    return status;
}

/* *words becomes its words, or no number where it is not even: they are search->tried_words then. */
static parcast_status count_still(struct search *s, const struct rough *grid,
                                  const struct grid_trials *trials, bool is_none, uint64_t *words)
{
    parcast_flow block = s->block;
    double allowed = s->block_allowed;
    size_t cuts = s->block_cuts;
    s->block = (parcast_flow){0};
    parcast_status status = search_grid_still(s, grid, trials, is_none);
    *words = s->block.processes ? s->block.words : UINT64_MAX;
    if (status || !s->block.processes ||
        (block.processes && !search_is_fewer(&s->block, s->block_allowed, &block, allowed))) {
        parcast_flow_clear(&s->block);
        s->block = block;
        s->block_allowed = allowed;
        s->block_cuts = cuts;
    } else {
        parcast_flow_clear(&block);
    }
    return status;
}

/* Words and balance of each before anything moves. */
static parcast_status note_each(struct search *s, struct found *found)
{
    struct grid_words words[MOST_GRIDS];
    size_t n = 0;
    s->most_rough = s->closely = SEARCH_CLOSELY;
    parcast_status status = search_count_still(s, found->grids, found->n_grids, words);
    for (size_t i = 0; !status && i < found->n_grids; i++)
        if (!words[i].is_none) found->grids[n++] = found->grids[i];
    found->n_grids = n;
    return status;
}

enum wanted { EVEN, UNEVEN, ROWS, EVEN_BLOCKS /* that cut several dimensions */ };

static bool is_wanted(const struct rough *grid, enum wanted wanted)
{
    size_t cuts = search_cuts(&grid->grid);
    if (wanted == ROWS) return cuts == 1;
    return grid->even == (wanted != UNEVEN) && (wanted != EVEN_BLOCKS || cuts > 1);
}

/* The one with fewest words; it is taken out. */
static bool take_least(struct found *found, enum wanted wanted, double most, struct rough *least)
{
    size_t best = found->n_grids;
    for (size_t i = 0; i < found->n_grids; i++) {
        const struct rough *grid = &found->grids[i];
        if (!is_wanted(grid, wanted)) continue;
        if ((double)grid->words > most) continue;
        if (best == found->n_grids || grid->words < found->grids[best].words) best = i;
    }
    if (best == found->n_grids) return false;
    *least = found->grids[best];
    found->grids[best] = found->grids[--found->n_grids];
    return true;
}

static bool is_among(const struct search *s, const struct rough *grid, const struct rough *grids, size_t n)
{
    bool is = false;
    for (size_t i = 0; i < n; i++) is = is || is_same(s, grid, &grids[i]);
    return is;
}

/* Even blocks with the shortest cuts, of the shape of the best ones, unless these are such: what follows may
 * leave less of their words than of those of blocks that look better. It is taken out. */
static bool take_compact(const struct search *s, struct found *found, const struct rough *taken, size_t n,
                         double most, struct rough *grid)
{
    struct rough compact[SEARCH_COMPACT];
    size_t n_compact = n ? search_compact(s, taken[0].shape, compact) : 0, best = found->n_grids;
    for (size_t i = 0; i < n; i++)
        if (is_among(s, &taken[i], compact, n_compact)) return false;
    for (size_t i = 0; i < found->n_grids; i++) {
        const struct rough *one = &found->grids[i];
        if (!one->even || (double)one->words > most || !is_among(s, one, compact, n_compact)) continue;
        if (best == found->n_grids || one->words < found->grids[best].words) best = i;
    }
    if (best == found->n_grids) return false;
    *grid = found->grids[best];
    found->grids[best] = found->grids[--found->n_grids];
    return true;
}

/* What looked even and is not: the one with fewest words, if that is fewer than the best. */
static parcast_status make_even(struct search *s, const struct rough *grid, uint64_t words)
{
    bool is_fewer = !s->best.processes || words < s->best.words;
    return grid && is_fewer ? search_make_even(s, grid, words) : PARCAST_OK;
}

/* Those that are as good as the best before anything moves, each once; then those that are no further from it
 * than moving has saved. */
static parcast_status move_closest(struct search *s, const struct rough *grids, size_t n,
                                   struct grid_trials *trials, const uint64_t *words)
{
    uint64_t least = s->block.words;
    double most = equal_ratio * (double)least;
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; !status && i < n; i++)
        if (trials[i].is_new && (double)words[i] <= most)
            status = search_grid_moved(s, &grids[i], &trials[i]);
    uint64_t saved = s->block.words < least ? least - s->block.words : 0;
    for (size_t i = 0; !status && i < n; i++)
        if (trials[i].is_new && (double)words[i] > most && words[i] - least < saved)
            status = search_grid_moved(s, &grids[i], &trials[i]);
    return status;
}

/* All still; then the closest with their borders moved. */
static parcast_status count_closely(struct search *s, const struct rough *grids, size_t n,
                                    struct found *found)
{
    struct grid_trials trials[MOST_CLOSELY] = {0};
    uint64_t words[MOST_CLOSELY], least_uneven = UINT64_MAX;
    bool is_none[MOST_CLOSELY];
    const struct rough *uneven = NULL;
    parcast_status status = begin_still(s, grids, n, trials, is_none);
    for (size_t i = 0; !status && i < n; i++) {
        status = count_still(s, &grids[i], &trials[i], is_none[i], &words[i]);
        if (status || s->tried_even || s->tried_words >= least_uneven) continue;
        uneven = &grids[i];
        least_uneven = s->tried_words;
    }
    uint64_t least = s->still_words = s->block.words;
    bool hopeless = (double)least > near_ratio * (double)found->words;
    if (!status && !hopeless) status = move_closest(s, grids, n, trials, words);
    for (size_t i = 0; i < n; i++) grid_clear(&trials[i]);
    return status ? status : make_even(s, uneven, least_uneven);
}

static bool cut_several(const struct rough *grids, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) any = any || search_cuts(&grids[i].grid) > 1;
    return any;
}

/* Those with fewest words are looked at in every way, rows and blocks of several dimensions among them, since
 * what follows them may change which are fewer; and the best of these once more with their borders moved. */
static parcast_status count_even(struct search *s, struct found *found)
{
    struct rough grids[MOST_CLOSELY];
    size_t n = 0;
    double most = INFINITY;
    parcast_status status = PARCAST_OK;
    for (; n < SEARCH_CLOSELY && take_least(found, EVEN, most, &grids[n]); n++)
        most = near_ratio * (double)grids[0].words;
    if (take_compact(s, found, grids, n, most, &grids[n])) n++;
    if (take_least(found, ROWS, most, &grids[n])) n++;
    if (!cut_several(grids, n) && take_least(found, EVEN_BLOCKS, most, &grids[n])) n++;
    if (!status) status = count_closely(s, grids, n, found);
    return status;
}

/* What uneven blocks are compared with as they lie: even ones had not become the best then, either. */
static double words_to_reach(const struct search *s)
{
    if (!s->best.processes) return INFINITY;
    return (double)(s->still_words > s->best.words ? s->still_words : s->best.words);
}

/* As they lie; with borders moved where that may make them the best. */
static parcast_status count_one_uneven(struct search *s, const struct rough *grid)
{
    struct grid_trials trials = {0};
    parcast_status status = search_grid_begin(s, grid, &trials);
    bool hopeless = (double)s->tried_words > evened_ratio * words_to_reach(s);
    if (!status && !hopeless) status = search_make_still_even(s, grid, &trials);
    grid_clear(&trials);
    return status;
}

/* Blocks that are a little uneven may be even once their borders have moved. */
static parcast_status count_uneven(struct search *s, struct found *found)
{
    struct rough grid;
    parcast_status status = PARCAST_OK;
    for (int i = 0; !status && i < SEARCH_CLOSELY; i++) {
        if (!take_least(found, UNEVEN, near_ratio * words_to_reach(s), &grid)) return PARCAST_OK;
        status = count_one_uneven(s, &grid);
    }
    return status;
}

static parcast_status count_grids(struct search *s, struct found *found)
{
    parcast_status status = note_each(s, found);
    if (!status) status = count_even(s, found);
    return status ? status : count_uneven(s, found);
}

static parcast_status count_best(struct search *s, const struct found *found)
{
    parcast_flow flow = {0};
    memcpy(s->part, found->part, s->all->n_vertices * sizeof *s->part);
    s->index = found->index;
    parcast_status status = graph_evaluate(s->all, s->part, s->p, found->allowed, &flow, s->error);
    if (status) return status;
    memcpy(flow.decomposition, found->name, sizeof flow.decomposition);
    return search_keep(s, &flow, found->allowed);
}

/* Something uneven has far fewer words: so may something that is even. */
static bool is_far(const struct search *s)
{
    const struct spare *spares[] = {&s->uneven, &s->few};
    bool far = false;
    for (size_t i = 0; i < sizeof spares / sizeof *spares; i++)
        far = far || (spares[i]->flow.processes &&
                      (double)s->best.words > near_ratio * (double)spares[i]->flow.words);
    return s->best.processes && far;
}

parcast_status search_settle(struct search *s)
{
    struct found found;
    if (!remember(s, &found)) return PARCAST_MEMORY;
    parcast_status status = search_begin_large(s);
    if (!status) search_take_fine_spaces(s);
    for (size_t i = 0; !status && i < s->n_shapes; i++) add_compact(s, i, &found);
    if (!status) status = count_best(s, &found);
    bool parted = !status && s->coarse->is_scattered;
    if (parted) status = search_partitions(s);
    found.words = s->best.processes ? s->best.words : found.words;
    if (!status) status = count_grids(s, &found);
    if (!status) status = search_halved(s);
    /* Where whole cells are uneven, cells are parted; where there are no blocks, borders are all there is. */
    if (!status && (!search_has_even_block(s) || s->block_allowed > SEARCH_BALANCED_RATIO || is_far(s)))
        status = search_bisections(s);
    bool has_even = search_has_even_block(s) || search_is_halved(s);
    if (!status && !parted && (!has_even || search_is_irregular(s))) status = search_partitions(s);
    free(found.part);
    return status;
}
