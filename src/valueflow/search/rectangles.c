/* Rectangular blocks of the index spaces, and those of them that are looked at closely. */
#include <stdlib.h>
#include <string.h>

#include "core/crew.h"
#include "valueflow/search/search.h"
#include "valueflow/space/images.h"

enum { MOST_ALIKE = 3 /* one along each of three dimensions */ };

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

size_t search_cuts(const parcast_extents *grid)
{
    size_t cuts = 0;
    for (size_t i = 0; i < grid->n; i++) cuts += grid->extent[i] > 1;
    return cuts;
}

/* Even ones first, then those with fewer words. */
static bool is_better(const struct rough *a, const struct rough *b)
{
    return a->even != b->even ? a->even : a->words < b->words;
}

static void note_rough(struct search *s, struct rough rough)
{
    if (!s->best_of[rough.shape].grid.n || is_better(&rough, &s->best_of[rough.shape]))
        s->best_of[rough.shape] = rough;
    if (search_cuts(&rough.grid) == 1 && (!s->line.words || is_better(&rough, &s->line))) s->line = rough;
    for (size_t i = 0; i < s->most_rough; i++) {
        if (i < s->n_rough && !is_better(&rough, &s->rough[i])) continue;
        struct rough next = s->rough[i];
        s->rough[i] = rough;
        rough = next;
    }
    if (s->n_rough < s->most_rough) s->n_rough++;
}

/* What may become even: no part has more than twice the mean, of two none more than four fifths. */
static void note_uneven(struct search *s, const struct rough *rough, double imbalance)
{
    double most = s->p > 2 ? 1 : 0.6;
    if (imbalance <= most && (!s->fewest.words || rough->words < s->fewest.words)) s->fewest = *rough;
}

/* Grids that look best before borders are moved; these are looked at closely. */
static void note_grid(struct search *s, const struct rough *rough, double imbalance_ratio)
{
    if (!rough->even) note_uneven(s, rough, imbalance_ratio);
    note_rough(s, *rough);
}

static struct grid_choice choose_still(const struct search *s, const struct rough *rough)
{
    const struct space *space = &s->shapes[rough->shape];
    return (struct grid_choice){.array = space->array,
                                .grid = rough->grid,
                                .extents = space->extents,
                                .space = space,
                                .coarse = s->values != s->all,
                                .allowed_ratio = SEARCH_BALANCED_RATIO,
                                .still_ratio = SEARCH_BLOCK_RATIO};
}

static bool is_even_still(const struct search *s, const struct rough *rough, double imbalance_ratio)
{
    double allowed = search_allowed_for(s, &s->shapes[rough->shape], &rough->grid);
    return imbalance_ratio <= search_still_for(s, allowed);
}

parcast_status search_count_still(struct search *s, struct rough *grids, size_t n, struct grid_words *words)
{
    struct grid_choice *choices = calloc(n + 1, sizeof *choices);
    if (!choices) return PARCAST_MEMORY;
    for (size_t i = 0; i < n; i++) choices[i] = choose_still(s, &grids[i]);
    parcast_status status = grid_count_still(s->values, choices, n, &s->counted, words, s->error);
    for (size_t i = 0; !status && i < n; i++) {
        grids[i].words = words[i].words;
        grids[i].even = is_even_still(s, &grids[i], words[i].imbalance_ratio);
    }
    free(choices);
    return status;
}

static parcast_status note(struct search *s, struct rough *grids, size_t n)
{
    struct grid_words *words = malloc((n + 1) * sizeof *words);
    parcast_status status = words ? search_count_still(s, grids, n, words) : PARCAST_MEMORY;
    for (size_t i = 0; !status && i < n; i++)
        if (!words[i].is_none) note_grid(s, &grids[i], words[i].imbalance_ratio);
    free(words);
    return status;
}

/* Those that are to be noted. */
struct grids {
    struct rough *at;
    size_t n, capacity;
};

static parcast_status add_grid(struct grids *grids, size_t shape, const parcast_extents *grid)
{
    if (search_cuts(grid) > SEARCH_MOST_CUTS) return PARCAST_OK;
    if (grids->n == grids->capacity) {
        size_t wanted = grids->capacity ? 2 * grids->capacity : 64;
        struct rough *more = realloc(grids->at, wanted * sizeof *more);
        if (!more) return PARCAST_MEMORY;
        grids->at = more;
        grids->capacity = wanted;
    }
    grids->at[grids->n++] = (struct rough){.shape = shape, .grid = *grid};
    return PARCAST_OK;
}

/* All ways to write p as a product of n factors, at most four of which cut. */
static parcast_status add_grids(struct grids *grids, size_t shape, parcast_extents *grid, size_t at,
                                uint64_t left)
{
    if (at + 1 >= grid->n || at + 1 >= PARCAST_MAX_EXTENTS) {
        grid->extent[at] = left;
        return add_grid(grids, shape, grid);
    }
    parcast_status status = PARCAST_OK;
    for (uint64_t f = 1; !status && f <= left; f++) {
        if (left % f) continue;
        grid->extent[at] = f;
        status = add_grids(grids, shape, grid, at + 1, left / f);
    }
    return status;
}

static parcast_status note_shapes(struct search *s, size_t first)
{
    struct grids grids = {0};
    parcast_status status = PARCAST_OK;
    for (size_t i = first; !status && i < s->n_shapes; i++) {
        parcast_extents grid = {.n = s->shapes[i].extents.n};
        status = add_grids(&grids, i, &grid, 0, s->p);
    }
    if (!status) status = note(s, grids.at, grids.n);
    free(grids.at);
    return status;
}

static parcast_status make_shapes(struct search *s, uint32_t array)
{
    for (size_t k = 0; s->coarse && k < s->coarse->n; k++)
        if (s->coarse->shapes[k].array == array) s->shapes[s->n_shapes++] = s->coarse->shapes[k];
    if (s->coarse) return PARCAST_OK;
    parcast_extents extents[PARCAST_MAX_EXTENTS];
    size_t n = graph_infer_shapes(s->values, array, s->extent, extents);
    parcast_status status = space_make(s->values, array, extents, n, s->shapes + s->n_shapes, s->error);
    if (status == PARCAST_DATA) return PARCAST_OK;
    if (!status) s->n_shapes += n;
    return status;
}

/* Uneven sums are counted otherwise where more is allowed (graph_evaluate). */
static struct grid_choice choose(const struct search *s, const struct rough *rough)
{
    const struct space *space = &s->shapes[rough->shape];
    double allowed = search_allowed_for(s, space, &rough->grid), still = search_still_for(s, allowed);
    struct grid_choice choice = choose_still(s, rough);
    choice.allowed_ratio = allowed;
    choice.still_ratio = still;
    choice.space_words = still > SEARCH_BLOCK_RATIO ? 0 : rough->words;
    return choice;
}

/* Even blocks may be told; so may others where whole cells are nearly to blame. */
static parcast_status note_block(struct search *s, const struct grid_choice *choice, const parcast_flow *flow,
                                 bool even)
{
    double allowed = choice->allowed_ratio, most = allowed + (1 + allowed) * SEARCH_BALANCED_RATIO;
    if (!even) {
        bool is_near = !s->is_lenient && flow->imbalance_ratio <= most;
        bool is_fewer = !s->near_block.processes || flow->words < s->near_block.words;
        return is_near && is_fewer ? copy_flow(flow, &s->near_block) : PARCAST_OK;
    }
    if (!search_is_fewer(flow, allowed, &s->block, s->block_allowed)) return PARCAST_OK;
    s->block_allowed = allowed;
    s->block_cuts = search_cuts(&choice->grid);
    return copy_flow(flow, &s->block);
}

/* Even blocks with far more words than the same ones that are a little less even: these may be made even. */
static void note_tried(struct search *s, bool even, uint64_t words, uint64_t fewest)
{
    static const double far_ratio = 0.8;
    bool is_far = (double)fewest < far_ratio * (double)words;
    s->tried_even = even && !is_far;
    s->tried_words = is_far ? fewest : words;
}

/* The best of the trials is a candidate. */
static parcast_status take(struct search *s, const struct grid_choice *choice,
                           const struct grid_trials *trials)
{
    parcast_flow flow = {0};
    double allowed = choice->allowed_ratio;
    parcast_status status = grid_take(s->values, choice, trials, &flow, s->part, s->error);
    if (status) return status;
    s->index = choice->array;
    bool even = grid_is_even(choice, trials);
    note_tried(s, even, flow.words, grid_fewest_words(choice, trials));
    status = search_mix(s, &flow, grid_most_uneven(choice, trials), s->is_guess ? &s->best : &s->block);
    even = even || flow.imbalance_ratio <= grid_most_uneven(choice, trials);
    if (!status && !s->is_guess) status = note_block(s, choice, &flow, even);
    if (!status) return search_keep_within(s, &flow, allowed, even ? choice->still_ratio : 0);
    parcast_flow_clear(&flow);
    return status;
}

/* Where the array has room for the grid, what the region has written of it may have none: no candidate. */
static parcast_status begin(const struct search *s, const struct grid_choice *choice,
                            struct grid_trials *trials, bool *is_none, parcast_error *error)
{
    parcast_error refused = {0};
    parcast_status status = grid_begin(s->values, choice, trials, &refused);
    *is_none = status == PARCAST_INVALID;
    if (status && !*is_none && error) *error = refused;
    return *is_none ? PARCAST_OK : status;
}

struct beginning {
    const struct search *search;
    const struct rough *grids;
    struct grid_trials *trials;
    bool *is_none;
};

static parcast_status begin_one(void *context, size_t i, parcast_error *error)
{
    const struct beginning *b = context;
    struct grid_choice choice = choose(b->search, &b->grids[i]);
    if (i) choice.like = &b->trials[0];
    return begin(b->search, &choice, &b->trials[i], &b->is_none[i], error);
}

static parcast_status begin_other(void *context, size_t i, parcast_error *error)
{
    return begin_one(context, i + 1, error);
}

parcast_status search_grids_begin(const struct search *s, const struct rough *grids, size_t n,
                                  struct grid_trials *trials, bool *is_none)
{
    struct beginning b = {s, grids, trials, is_none};
    parcast_status status = n ? begin_one(&b, 0, s->error) : PARCAST_OK;
    return status || n < 2 ? status : crew_run(n - 1, begin_other, &b, s->error);
}

parcast_status search_grid_still(struct search *s, const struct rough *rough,
                                 const struct grid_trials *trials, bool is_none)
{
    const struct grid_choice choice = choose(s, rough);
    s->tried_even = s->tried_even || is_none; /* nothing there that could be evened */
    return is_none ? PARCAST_OK : take(s, &choice, trials);
}

parcast_status search_grid_begin(struct search *s, const struct rough *rough, struct grid_trials *trials)
{
    bool is_none = false;
    parcast_status status = search_grids_begin(s, rough, 1, trials, &is_none);
    return status ? status : search_grid_still(s, rough, trials, is_none);
}

parcast_status search_grid_moved(struct search *s, const struct rough *rough, struct grid_trials *trials)
{
    const struct grid_choice choice = choose(s, rough);
    parcast_status status = grid_end(s->values, &choice, trials, s->error);
    return status ? status : take(s, &choice, trials);
}

parcast_status search_grid(struct search *s, const struct rough *rough)
{
    const struct grid_choice choice = choose(s, rough);
    struct grid_trials trials;
    char name[sizeof s->best.decomposition];
    bool is_none;
    parcast_status status = begin(s, &choice, &trials, &is_none, s->error);
    s->tried_even = s->tried_even || is_none; /* nothing there that could be evened */
    bool stays = is_none || (search_is_slow(s) && search_is_far(s, grid_words(&choice, &trials)));
    if (!status && !stays) status = grid_end(s->values, &choice, &trials, s->error);
    if (!status && !is_none) status = take(s, &choice, &trials);
    if (!status && !stays) status = search_freely(s, &choice);
    grid_clear(&trials);
    if (status || stays || !search_is_small(s)) return status;
    grid_name(s->values, &choice, ", borders moved", name, sizeof name);
    return search_climb(s, name, choice.allowed_ratio);
}

parcast_status search_grid_evened(struct search *s, const struct rough *rough)
{
    parcast_status status = search_grid(s, rough);
    bool near = s->coarse && s->coarse->is_near && s->values != s->all;
    bool is_fewer = !s->best.processes || s->tried_words < s->best.words;
    return status || near || s->tried_even || !is_fewer ? status : search_make_even(s, rough, s->tried_words);
}

static void keep_noted(struct search *s)
{
    for (size_t i = 0; i < s->n_rough && s->n_noted < SEARCH_MOST_NOTED; i++)
        s->noted[s->n_noted++] = s->rough[i];
    if (s->line.grid.n && s->n_noted < SEARCH_MOST_NOTED) s->noted[s->n_noted++] = s->line;
}

static bool was_looked_at(const struct search *s, const struct rough *rough)
{
    const parcast_extents *grid = &rough->grid;
    for (size_t i = 0; i < s->n_rough && i < s->closely; i++)
        if (s->rough[i].shape == rough->shape &&
            memcmp(s->rough[i].grid.extent, grid->extent, grid->n * sizeof *grid->extent) == 0)
            return true;
    return false;
}

/* How words look before anything follows the blocks may mislead: the grids with the shortest cuts are looked
 * at whatever they are. */
static parcast_status try_compact(struct search *s, size_t first)
{
    parcast_status status = PARCAST_OK;
    struct rough grids[SEARCH_COMPACT];
    for (size_t shape = first; !status && shape < s->n_shapes; shape++) {
        size_t n = s->shapes[shape].extents.n > 1 ? search_compact(s, shape, grids) : 0;
        for (size_t i = 0; !status && i < n && i < MOST_ALIKE; i++)
            if (!was_looked_at(s, &grids[i])) status = search_grid_evened(s, &grids[i]);
    }
    return status;
}

/* Even ones go first: rows dealt in turn, say, go before columns that have fewer words and unequal work. */
static parcast_status try_fewest(struct search *s)
{
    static const double clearly_fewer = 0.8;
    const struct rough *grid = &s->fewest;
    bool is_fewer =
        grid->words && s->best.processes && (double)grid->words < clearly_fewer * (double)s->best.words;
    return is_fewer && !was_looked_at(s, grid) ? search_grid_evened(s, grid) : PARCAST_OK;
}

/* The best that cuts one dimension, too: nobody understands a minimum above rows. */
static parcast_status try_grids(struct search *s, size_t first)
{
    s->n_rough = 0;
    s->line = s->fewest = (struct rough){0};
    parcast_status status = note_shapes(s, first);
    if (!status && s->most_rough > s->closely) keep_noted(s);
    bool has_line = !s->line.words;
    for (size_t i = 0; !status && i < s->n_rough && i < s->closely; i++) {
        status = search_grid_evened(s, &s->rough[i]);
        has_line = has_line || search_cuts(&s->rough[i].grid) == 1;
    }
    if (!status && !has_line) status = search_grid(s, &s->line);
    if (!status) status = try_fewest(s);
    return status || s->most_rough > s->closely ? status : try_compact(s, first);
}

static parcast_status try_array(struct search *s, uint32_t array)
{
    size_t first = s->n_shapes;
    parcast_status status = make_shapes(s, array);
    return status ? status : try_grids(s, first);
}

/* One shape, however its words looked before anything followed the blocks. */
static parcast_status try_shape(struct search *s, uint32_t array, const parcast_extents *extents, size_t cut)
{
    struct rough rough = {.shape = s->n_shapes, .grid.n = extents->n};
    struct space *space = &s->shapes[s->n_shapes];
    if (extents->extent[cut] < s->p || rough.shape == SEARCH_SHAPES) return PARCAST_OK;
    for (size_t i = 0; i < extents->n; i++) rough.grid.extent[i] = i == cut ? s->p : 1;
    parcast_status status = space_make(s->values, array, extents, 1, space, s->error);
    if (status) return status == PARCAST_DATA ? PARCAST_OK : status;
    if (space->count[cut] >= s->p) status = search_grid(s, &rough);
    space_clear(space);
    return status;
}

/* Fields of which distances tell nothing, since every word has to do with every other: together, or one after
 * the other. */
static parcast_status try_fields(struct search *s, uint32_t array)
{
    uint64_t words = images_front(s->values, array);
    parcast_status status = try_shape(s, array, &(parcast_extents){1, {words}}, 0);
    for (uint64_t fields = 2; !status && fields <= GRID_FIELDS && fields < words; fields++) {
        if (words % fields) continue;
        status = try_shape(s, array, &(parcast_extents){2, {fields, words / fields}}, 1);
        if (!status) status = try_shape(s, array, &(parcast_extents){2, {words / fields, fields}}, 0);
    }
    return status;
}

static size_t find_arrays(const struct search *s, uint32_t *arrays, size_t *n_first)
{
    if (!s->coarse) return graph_index_arrays(s->values, s->extent, arrays, n_first);
    memcpy(arrays, s->coarse->arrays, s->coarse->n_arrays * sizeof *arrays);
    *n_first = s->coarse->n_first;
    return s->coarse->n_arrays;
}

/* What somebody means who asks for p blocks. */
static parcast_status try_meant(struct search *s)
{
    const parcast_extents grid = {1, {s->p}};
    parcast_error ignored = {0};
    parcast_flow flow = {0};
    uint32_t array;
    parcast_status status = grid_meant(s->values, &grid, NULL, &flow, &array, s->part, &ignored);
    if (status == PARCAST_INVALID || status == PARCAST_DATA) return PARCAST_OK; /* there are none */
    if (status) return parcast_error_set(s->error, status, NULL, 0, "%s", ignored.text);
    s->index = array;
    bool even = flow.imbalance_ratio <= SEARCH_BLOCK_RATIO;
    if (even && search_is_fewer(&flow, SEARCH_BALANCED_RATIO, &s->block, s->block_allowed)) {
        status = copy_flow(&flow, &s->block);
        s->block_allowed = SEARCH_BALANCED_RATIO;
        s->block_cuts = 1;
    }
    if (!status) return search_keep_within(s, &flow, SEARCH_BALANCED_RATIO, even ? SEARCH_BLOCK_RATIO : 0);
    parcast_flow_clear(&flow);
    return status;
}

/* Do distances tell more of the first array than how long it is? */
static bool has_rows(const struct search *s, uint32_t array)
{
    for (size_t i = 0; i < s->n_shapes; i++)
        if (s->shapes[i].array == array && s->shapes[i].extents.n > 1) return true;
    return false;
}

/* Fields that nothing tells are rectangles in nobody's eyes where blocks of known rows are. */
static parcast_status try_plain(struct search *s, uint32_t array)
{
    parcast_status status = PARCAST_OK;
    s->is_guess = has_rows(s, array) && (s->block.processes || s->near_block.processes);
    if (!search_has_block(s)) status = try_fields(s, array);
    s->is_guess = false;
    return status || search_has_even_block(s) ? status : try_meant(s);
}

/* The nodes of a mesh and its elements; another array where the blocks of the first are not even: the points
 * of a cluster analysis, say, of which nothing is written but their sums. */
parcast_status search_blocks(struct search *s)
{
    uint32_t arrays[GRAPH_INDEX_ARRAYS];
    size_t n_first, n = find_arrays(s, arrays, &n_first);
    parcast_status status = PARCAST_OK;
    bool near = s->coarse && s->coarse->is_near, is_even = false;
    for (size_t i = 0; !status && i < n && (i < n_first || !is_even || near); i++) {
        status = try_array(s, arrays[i]);
        is_even = i ? is_even : search_has_even_block(s);
    }
    bool is_plain = !s->coarse && !s->extent && n;
    if (!status && is_plain) status = try_plain(s, arrays[0]);
    if (status || search_has_even_block(s)) return status;
    s->is_lenient = true;
    return try_grids(s, 0);
}
