#include "valueflow/search/coarse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/crew.h"
#include "core/divisor.h"
#include "valueflow/distribution/place.h"
#include "valueflow/search/cluster.h"
#include "valueflow/search/groups.h"
#include "valueflow/space/images.h"

enum { MOST_BLOCKS = 1 << 15, THIN = 8, MANY = 96, SOME = 16, SHRINKS = 4 };

/* ---- index spaces ---- */

/* The finest division that the use of the array tells; one of the plain line where there is none. */
static parcast_extents finest(const parcast_values *values, uint32_t array, const parcast_extents *extent)
{
    parcast_extents extents;
    if (extent) return *extent;
    for (size_t d = PARCAST_MAX_EXTENTS; d > 1; d--)
        if (graph_infer_extents(values, array, d, &extents)) return extents;
    return (parcast_extents){1, {images_front(values, array)}};
}

static bool is_space_of(const struct space *space, uint32_t array, const parcast_extents *extents)
{
    return space->cell && space->array == array && space->extents.n == extents->n &&
           memcmp(space->extents.extent, extents->extent, extents->n * sizeof *extents->extent) == 0;
}

/* One that a graph had which was to be exact will do for one that is near, too. */
static bool take_kept(struct coarse *c, uint32_t array, const parcast_extents *extents, struct space *space)
{
    for (size_t k = 0; k < c->n_kept; k++) {
        if (!is_space_of(&c->kept[k], array, extents)) continue;
        *space = c->kept[k];
        c->kept[k] = (struct space){0};
        return true;
    }
    return false;
}

/* Those of an array. */
struct wanted {
    uint32_t array;
    bool is_first, is_none; /* is_none: nothing is computed of it */
    size_t n;
    parcast_extents extents[PARCAST_MAX_EXTENTS];
    struct space spaces[PARCAST_MAX_EXTENTS]; /* [n] cell NULL: to be made */
};

struct making {
    const parcast_values *values;
    struct wanted *wanted;
};

static parcast_status make_wanted(void *context, size_t i, parcast_error *error)
{
    const struct making *making = context;
    struct wanted *w = &making->wanted[i];
    struct space made[PARCAST_MAX_EXTENTS];
    parcast_extents extents[PARCAST_MAX_EXTENTS] = {{0}};
    size_t m = 0, next = 0;
    for (size_t k = 0; k < w->n; k++)
        if (!w->spaces[k].cell) extents[m++] = w->extents[k];
    parcast_status status = space_make(making->values, w->array, extents, m, made, error);
    for (size_t k = 0; !status && k < w->n; k++)
        if (!w->spaces[k].cell) w->spaces[k] = made[next++];
    w->is_none = status == PARCAST_DATA;
    return w->is_none ? PARCAST_OK : status;
}

static void add_wanted(struct coarse *c, const struct wanted *w)
{
    memcpy(&c->fine[c->n], w->spaces, w->n * sizeof *w->spaces);
    c->n += w->n;
    c->arrays[c->n_arrays++] = w->array;
    c->n_first += w->is_first;
}

static parcast_status add_spaces(const parcast_values *values, struct wanted *wanted, size_t n,
                                 struct coarse *c, parcast_error *error)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < wanted[i].n; k++)
            take_kept(c, wanted[i].array, &wanted[i].extents[k], &wanted[i].spaces[k]);
    parcast_status status = crew_run(n, make_wanted, &(struct making){values, wanted}, error);
    for (size_t i = 0; i < n; i++) {
        if (!status && !wanted[i].is_none)
            add_wanted(c, &wanted[i]);
        else
            for (size_t k = 0; k < wanted[i].n; k++) space_clear(&wanted[i].spaces[k]);
    }
    return status;
}

/* ---- blocks of cells ---- */

static uint64_t common_multiple(uint64_t a, uint64_t b)
{
    return a / greatest_divisor(a, b) * b;
}

/* Blocks along a dimension of `cells`, about `side`: a multiple of the parts and of what others may be. */
static uint64_t blocks_along(uint64_t cells, uint64_t side, size_t n_parts)
{
    uint64_t multiple = common_multiple(n_parts, side >= MANY ? 48 : side >= SOME ? 16 : 1);
    if (multiple > 2 * side) multiple = n_parts;
    uint64_t blocks = multiple * (side / multiple ? side / multiple : 1);
    return blocks < cells ? blocks : cells;
}

/* Most cells lie along dimensions of few: a mesh of four dimensions, say, not the fields of one. */
static bool is_thin(const struct space *fine)
{
    double few = 1, many = 1;
    for (size_t i = 0; i < fine->extents.n; i++)
        *(fine->count[i] <= THIN ? &few : &many) *= (double)fine->count[i];
    return few > many;
}

/* `whole`: along a dimension of few cells there is but one, unless most are there. */
static void choose_blocks(const struct space *fine, size_t n_parts, uint32_t n_pieces, bool whole,
                          struct space *blocks)
{
    size_t n = 0;
    double most = MOST_BLOCKS / (n_pieces > 1 ? (double)n_pieces : 1);
    whole = whole && !is_thin(fine);
    for (size_t i = 0; i < fine->extents.n; i++) {
        n += fine->count[i] > THIN;
        if (fine->count[i] <= THIN && !whole) most /= (double)fine->count[i];
    }
    uint64_t side = n && most > 1 ? (uint64_t)pow(most, 1.0 / (double)n) : 1;
    *blocks = (struct space){.array = fine->array, .extents = fine->extents, .n_cells = 1};
    for (size_t i = 0; i < fine->extents.n; i++) {
        uint64_t cells = fine->count[i];
        blocks->count[i] = cells > THIN ? blocks_along(cells, side, n_parts) : whole ? 1 : cells;
        blocks->n_cells *= blocks->count[i];
    }
}

static bool fits(const struct coarse *c, size_t n_parts)
{
    if (c->is_clustered) return c->small.values;
    for (size_t k = 0; k < c->n; k++)
        for (size_t i = 0; i < c->shapes[k].extents.n; i++)
            if (c->shapes[k].count[i] % n_parts && c->shapes[k].count[i] != c->fine[k].count[i] &&
                c->shapes[k].count[i] > 1)
                return false;
    return c->small.values;
}

static bool place_pieces(const parcast_values *values, struct coarse *c)
{
    c->piece_of = calloc((size_t)c->small.values->n_vertices + 1, sizeof *c->piece_of);
    for (uint32_t v = 0; c->piece_of && v < values->n_vertices; v++)
        c->piece_of[c->small.vertex[v]] = c->piece[v];
    return c->piece_of;
}

static void forget_small(struct coarse *c)
{
    free(c->piece_of);
    c->piece_of = NULL;
    contraction_clear(&c->small);
    c->is_clustered = c->is_scattered = false;
    for (size_t k = 0; k < c->n; k++) space_clear(&c->shapes[k]);
}

static void forget_kept(struct coarse *c)
{
    for (size_t k = 0; k < c->n_kept; k++) space_clear(&c->kept[k]);
    c->n_kept = 0;
}

static void keep_spaces(struct coarse *c)
{
    for (size_t k = 0; k < c->n; k++)
        if (c->n_kept < COARSE_SPACES)
            c->kept[c->n_kept++] = c->fine[k];
        else
            space_clear(&c->fine[k]);
    c->n = 0;
}

static void forget_spaces(struct coarse *c)
{
    forget_small(c);
    for (size_t k = 0; k < c->n; k++) space_clear(&c->fine[k]);
    c->n = c->n_arrays = c->n_first = c->n_looked = 0;
    c->has_shapes = false;
}

/* With one space already? More of them make more groups, and more sums with terms elsewhere. */
static parcast_status can_be_small(const parcast_values *values, size_t n_parts, struct coarse *c, bool *fits)
{
    uint32_t n_groups = 0, *group = malloc(((size_t)values->n_vertices + 1) * sizeof *group);
    choose_blocks(&c->fine[0], n_parts, c->n_pieces, false, &c->shapes[0]);
    bool made = group && groups_make(values, c, group, &n_groups);
    parcast_status status =
        made ? contract_fits(values, group, n_groups, values->n_vertices / SHRINKS, fits) : PARCAST_MEMORY;
    free(group);
    return status;
}

static bool is_same(const parcast_extents *a, const parcast_extents *b)
{
    if (!b || a->n != b->n) return a->n == 0 && !b;
    return memcmp(a->extent, b->extent, a->n * sizeof *a->extent) == 0;
}

/* A large share of the vertices are sums, so it may become small only by leaving things out. */
static bool may_be_near(const parcast_values *values)
{
    uint32_t n = 0;
    for (size_t i = 0; i < values->n_chains; i++)
        n += !i || values->chains[i].vertex != values->chains[i - 1].vertex;
    return n > values->n_vertices / SHRINKS / 2;
}

/* Would it be small with this space alone? */
static parcast_status try_alone(const parcast_values *values, size_t n_parts, size_t space, struct coarse *c,
                                bool *fits)
{
    size_t n = c->n;
    struct space first = c->fine[0];
    c->fine[0] = c->fine[space];
    c->n = 1;
    parcast_status status = can_be_small(values, n_parts, c, fits);
    c->n = n;
    c->fine[0] = first;
    return status;
}

/* The finest space of the first array, or all where these may be needed, the finest last: it is the dearest
 * part of a near graph, too, and not made twice. */
static parcast_status make_first_spaces(const parcast_values *values, uint32_t array,
                                        const parcast_extents *extent, size_t n_parts, bool is_first,
                                        struct coarse *c, bool *fits, parcast_error *error)
{
    struct wanted wanted = {.array = array, .is_first = is_first};
    parcast_extents last = finest(values, array, extent);
    if (may_be_near(values)) wanted.n = graph_infer_shapes(values, array, extent, wanted.extents);
    bool all = wanted.n && is_same(&wanted.extents[wanted.n - 1], &last);
    if (!all) wanted.extents[0] = last;
    if (!all) wanted.n = 1;
    parcast_status status = add_spaces(values, &wanted, 1, c, error);
    if (status || !c->n) return status;
    status = try_alone(values, n_parts, c->n - 1, c, fits);
    c->has_shapes = !*fits && all;
    if (status || !*fits) return status;
    struct space last_space = c->fine[--c->n];
    keep_spaces(c);
    c->fine[0] = last_space;
    c->n = 1;
    return status;
}

static struct wanted want(const parcast_values *values, uint32_t array, const parcast_extents *extent,
                          bool is_first, const struct coarse *c)
{
    struct wanted w = {.array = array, .is_first = is_first, .n = 1};
    if (c->is_near)
        w.n = graph_infer_shapes(values, array, extent, w.extents);
    else
        w.extents[0] = finest(values, array, extent);
    return w;
}

/* The finest space of each index array; for a graph that is only near all of them. */
static parcast_status make_spaces(const parcast_values *values, const parcast_extents *extent, size_t n_parts,
                                  struct coarse *c, parcast_error *error)
{
    struct wanted wanted[GRAPH_INDEX_ARRAYS];
    uint32_t arrays[GRAPH_INDEX_ARRAYS];
    size_t n_first, n = graph_index_arrays(values, extent, arrays, &n_first), m = 0;
    parcast_status status = PARCAST_OK;
    bool fits = true;
    while (!status && fits && !c->is_near && !c->n && c->n_looked < n) {
        uint32_t array = arrays[c->n_looked++];
        status = make_first_spaces(values, array, extent, n_parts, c->n_looked <= n_first, c, &fits, error);
    }
    for (; !status && fits && c->n_looked < n; m++, c->n_looked++)
        wanted[m] = want(values, arrays[c->n_looked], extent, c->n_looked < n_first, c);
    if (!status && m) status = add_spaces(values, wanted, m, c, error);
    if (!fits && !c->has_shapes) {
        keep_spaces(c);
        forget_spaces(c);
    }
    return status;
}

/* Neighbours in the index spaces have little to do with each other: their pins are not the same. */
static bool is_scattered(const parcast_values *large, const struct contraction *small)
{
    uint64_t n_large = large->set_first[large->n_sets], n = small->values->set_first[small->values->n_sets];
    return UINT64_C(10) * n > UINT64_C(9) * n_large ||
           UINT64_C(50) * small->n_met > UINT64_C(49) * small->n_read;
}

/* Then groups are what hangs together. Blocks of an index space do not consist of these: such a graph is near
 * only. */
static parcast_status make_clusters(const parcast_values *values, uint32_t *group, struct coarse *c)
{
    struct contraction small;
    uint32_t n_groups = 0;
    bool made = false;
    parcast_status status = graph_cluster(values, MOST_BLOCKS, group, &n_groups);
    if (!status)
        status = contract(values, group, n_groups, values->n_vertices / SHRINKS, true, &small, &made);
    if (status || !made) return status;
    if (is_scattered(values, &small)) {
        contraction_clear(&small);
        return PARCAST_OK;
    }
    contraction_clear(&c->small);
    c->small = small;
    c->is_near = c->is_clustered = true;
    return PARCAST_OK;
}

static parcast_status make_small(const parcast_values *values, size_t n_parts, struct coarse *c, bool *made)
{
    uint32_t *group = malloc(((size_t)values->n_vertices + 1) * sizeof *group), n_groups = 0;
    forget_small(c);
    *made = false;
    for (size_t k = 0; k < c->n; k++)
        choose_blocks(&c->fine[k], n_parts, c->n_pieces, c->is_near, &c->shapes[k]);
    parcast_status status = group && groups_make(values, c, group, &n_groups) ? PARCAST_OK : PARCAST_MEMORY;
    while (!status && c->n_bases > 1 && n_groups > 2 * MOST_BLOCKS) {
        c->n_bases--;
        if (!groups_make(values, c, group, &n_groups)) status = PARCAST_MEMORY;
    }
    if (!status)
        status = contract(values, group, n_groups, values->n_vertices / SHRINKS, c->is_near, &c->small, made);
    c->is_scattered = !status && *made && is_scattered(values, &c->small);
    if (!status && *made && !c->is_scattered && !groups_miss_words(values, c, &c->is_scattered))
        status = PARCAST_MEMORY;
    if (!status && c->is_scattered) status = make_clusters(values, group, c);
    if (!status && *made && !(groups_place(values, c) && place_pieces(values, c))) status = PARCAST_MEMORY;
    free(group);
    return status;
}

/* An exact small graph, or one that is near. */
static parcast_status make_either(const parcast_values *values, const parcast_extents *extent, size_t n_parts,
                                  struct coarse *c, parcast_error *error)
{
    bool made = false;
    parcast_status status = PARCAST_OK;
    if (!c->n || c->has_shapes) status = make_spaces(values, extent, n_parts, c, error);
    if (c->is_near) c->has_shapes = false;
    if (!status && c->n && !c->has_shapes) status = make_small(values, n_parts, c, &made);
    if (status || made || c->is_near) {
        c->hopeless = !made;
        return status;
    }
    if (!c->has_shapes) {
        keep_spaces(c);
        forget_spaces(c);
    }
    c->is_near = true;
    c->n_bases = GRAPH_INDEX_ARRAYS;
    return make_either(values, extent, n_parts, c, error);
}

parcast_status coarse_make(const parcast_values *values, const parcast_extents *extent, size_t n_parts,
                           struct coarse *c, bool *made, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    *made = false;
    if (!is_same(&c->extent, extent)) coarse_clear(c);
    c->extent = extent ? *extent : (parcast_extents){0};
    if (values->n_vertices < GRAPH_LARGE || c->hopeless) return status;
    if (!c->piece) status = graph_find_pieces(values, &c->piece, &c->n_pieces, error);
    if (!status && !fits(c, n_parts)) status = make_either(values, extent, n_parts, c, error);
    forget_kept(c);
    *made = !status && !c->hopeless;
    if (status == PARCAST_MEMORY)
        parcast_error_set(error, status, NULL, 0, "out of memory for %u words", values->n_vertices);
    return status;
}

void coarse_clear(struct coarse *c)
{
    forget_spaces(c);
    forget_kept(c);
    free(c->piece);
    *c = (struct coarse){0};
}
