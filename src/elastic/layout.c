#include "elastic/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t largest_bytes = INT64_C(1) << 62;

static parcast_status bad_shape(const parcast_elastic_shape *shape, const char *what, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "array '%s': %s",
                             shape->name ? shape->name : "(no name)", what);
}

static parcast_status check_dim(const parcast_elastic_shape *shape, const parcast_elastic_dim *dim,
                                parcast_error *error)
{
    if (dim->size < 1) return bad_shape(shape, "a dimension has no indices", error);
    if (dim->kind > PARCAST_ELASTIC_CYCLIC) return bad_shape(shape, "a dimension of unknown kind", error);
    if (dim->halo < 0 || dim->halo > dim->size)
        return bad_shape(shape, "the halo is wider than the array", error);
    if (dim->halo > 0 && dim->kind == PARCAST_ELASTIC_CYCLIC)
        return bad_shape(shape, "a cyclic dimension cannot have a halo", error);
    if (dim->block < 0 || dim->parts < 0)
        return bad_shape(shape, "block and parts cannot be negative", error);
    if (dim->weighted && dim->kind != PARCAST_ELASTIC_BLOCK)
        return bad_shape(shape, "only a block dimension can be weighted", error);
    return PARCAST_OK;
}

/* The size of the whole array with its halos bounds that of every part. */
static parcast_status check_bytes(const parcast_elastic_shape *shape, parcast_error *error)
{
    int64_t left =
        shape->element_bytes > (size_t)largest_bytes ? 0 : largest_bytes / (int64_t)shape->element_bytes;
    for (int d = 0; d < shape->n_dims; d++) {
        const parcast_elastic_dim *dim = &shape->dims[d];
        int64_t cells = dim->size > largest_bytes / 4 ? largest_bytes : dim->size + 2 * dim->halo;
        left /= cells;
    }
    if (left < 1)
        return parcast_error_set(error, PARCAST_LIMIT, NULL, 0, "array '%s' has more than 2^62 bytes",
                                 shape->name);
    return PARCAST_OK;
}

static parcast_status check(const parcast_elastic_shape *shape, parcast_error *error)
{
    if (shape->n_dims < 1 || shape->n_dims > PARCAST_ELASTIC_MAX_DIMS)
        return bad_shape(shape, "it has 1 to 4 dimensions", error);
    if (shape->element_bytes < 1) return bad_shape(shape, "its elements have no bytes", error);
    for (int d = 0; d < shape->n_dims; d++) {
        parcast_status status = check_dim(shape, &shape->dims[d], error);
        if (status) return status;
    }
    return check_bytes(shape, error);
}

/* -------- the grid of ranks -------- */

/* Largest prime factor first, each to the dimension that has most indices a part: as square as it gets. */
static void deal_factors(elastic_layout *layout, const bool *open, int factor_of)
{
    int factors[32], n = 0;
    for (int p = 2; factor_of > 1; p++)
        for (; factor_of % p == 0; factor_of /= p) factors[n++] = p;
    while (n > 0) {
        int best = -1;
        for (int d = 0; d < layout->n_dims; d++)
            if (open[d] && (best < 0 || layout->dims[d].size / layout->dims[d].parts >
                                            layout->dims[best].size / layout->dims[best].parts))
                best = d;
        layout->dims[best].parts *= factors[--n];
    }
}

static parcast_status make_grid(const parcast_elastic_shape *shape, elastic_layout *layout,
                                parcast_error *error)
{
    bool open[PARCAST_ELASTIC_MAX_DIMS] = {false};
    int64_t fixed = 1;
    int n_open = 0;
    for (int d = 0; d < layout->n_dims; d++) {
        elastic_dim *dim = &layout->dims[d];
        dim->parts = 1;
        if (dim->kind == PARCAST_ELASTIC_WHOLE) continue;
        if (shape->dims[d].parts) dim->parts = shape->dims[d].parts;
        open[d] = shape->dims[d].parts == 0;
        n_open += open[d];
        fixed *= dim->parts;
        if (fixed > layout->n_ranks) break;
    }
    if (fixed > layout->n_ranks || layout->n_ranks % fixed || (n_open == 0 && fixed != layout->n_ranks))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "array '%s': its parts do not multiply to the %d ranks", shape->name,
                                 layout->n_ranks);
    if (n_open) deal_factors(layout, open, layout->n_ranks / (int)fixed);
    return PARCAST_OK;
}

/* -------- intervals -------- */

static void equal_offsets(elastic_dim *dim)
{
    int64_t share = dim->size / dim->parts, rest = dim->size % dim->parts;
    for (int p = 0; p <= dim->parts; p++) dim->offsets[p] = p * share + (p < rest ? p : rest);
}

/* Interval p ends at size (w_0 + ... + w_p) / sum, rounded. */
static parcast_status weighted_offsets(const parcast_elastic_shape *shape, elastic_dim *dim,
                                       const double *weights, parcast_error *error)
{
    double sum = 0, part = 0;
    for (int p = 0; p < dim->parts; p++) {
        if (!(weights[p] > 0) || !isfinite(weights[p]))
            return bad_shape(shape, "a weight is not positive", error);
        sum += weights[p];
    }
    dim->offsets[0] = 0;
    for (int p = 0; p < dim->parts; p++) {
        part += weights[p];
        int64_t end = (int64_t)(((long double)part / sum) * dim->size + 0.5L);
        dim->offsets[p + 1] = end < dim->size ? end : dim->size;
    }
    dim->offsets[dim->parts] = dim->size;
    return PARCAST_OK;
}

static parcast_status make_offsets(const parcast_elastic_shape *shape, elastic_layout *layout,
                                   const double *weights, parcast_error *error)
{
    for (int d = 0; d < layout->n_dims; d++) {
        elastic_dim *dim = &layout->dims[d];
        if (dim->kind != PARCAST_ELASTIC_BLOCK) continue;
        dim->offsets = malloc(((size_t)dim->parts + 1) * sizeof *dim->offsets);
        if (!dim->offsets) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "no memory for a layout");
        if (!shape->dims[d].weighted || !weights) {
            equal_offsets(dim);
            continue;
        }
        if (dim->parts != layout->n_ranks)
            return bad_shape(shape, "a weighted dimension must be the only distributed one", error);
        parcast_status status = weighted_offsets(shape, dim, weights, error);
        if (status) return status;
    }
    return PARCAST_OK;
}

/* What every rank holds whole is a row of elements. */
static parcast_status flatten(const parcast_elastic_shape *shape, elastic_layout *layout,
                              parcast_error *error)
{
    for (int d = 0; d < layout->n_dims; d++)
        if (layout->dims[d].kind != PARCAST_ELASTIC_WHOLE) return PARCAST_OK;
    for (int d = 0; d < layout->n_dims; d++)
        if (layout->dims[d].halo)
            return bad_shape(shape, "an array that is not distributed has no halo", error);
    for (int d = 1; d < layout->n_dims; d++) layout->dims[0].size *= layout->dims[d].size;
    layout->n_dims = 1;
    return PARCAST_OK;
}

parcast_status elastic_layout_make(const parcast_elastic_shape *shape, int n_ranks, const double *weights,
                                   elastic_layout *layout, parcast_error *error)
{
    parcast_status status = check(shape, error);
    if (status) return status;
    elastic_layout made = {
        .element_bytes = (int64_t)shape->element_bytes, .n_dims = shape->n_dims, .n_ranks = n_ranks};
    for (int d = 0; d < made.n_dims; d++) {
        const parcast_elastic_dim *from = &shape->dims[d];
        made.dims[d] = (elastic_dim){.size = from->size, .kind = from->kind, .halo = from->halo, .parts = 1};
        if (from->kind == PARCAST_ELASTIC_CYCLIC) made.dims[d].block = from->block ? from->block : 1;
        if (made.dims[d].block > from->size) made.dims[d].block = from->size;
    }
    status = flatten(shape, &made, error);
    bool replicated = made.n_dims == 1 && made.dims[0].kind == PARCAST_ELASTIC_WHOLE;
    if (!status && !replicated) status = make_grid(shape, &made, error);
    if (!status && !replicated) status = make_offsets(shape, &made, weights, error);
    if (status)
        elastic_layout_clear(&made);
    else
        *layout = made;
    return status;
}

parcast_status elastic_layout_saved(const elastic_layout *layout, elastic_layout *saved, parcast_error *error)
{
    elastic_layout made = *layout;
    bool replicated = true;
    parcast_status status = PARCAST_OK;
    for (int d = 0; d < made.n_dims; d++) {
        replicated = replicated && made.dims[d].kind == PARCAST_ELASTIC_WHOLE;
        made.dims[d].halo = 0;
        made.dims[d].offsets = NULL;
    }
    if (replicated) {
        made.dims[0].kind = PARCAST_ELASTIC_BLOCK;
        made.dims[0].parts = made.n_ranks;
    }
    for (int d = 0; d < made.n_dims && !status; d++) {
        elastic_dim *dim = &made.dims[d];
        if (dim->kind != PARCAST_ELASTIC_BLOCK) continue;
        size_t bytes = ((size_t)dim->parts + 1) * sizeof *dim->offsets;
        dim->offsets = malloc(bytes);
        if (!dim->offsets)
            status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "no memory for a layout");
        else if (replicated)
            equal_offsets(dim);
        else
            memcpy(dim->offsets, layout->dims[d].offsets, bytes);
    }
    if (status)
        elastic_layout_clear(&made);
    else
        *saved = made;
    return status;
}

void elastic_layout_clear(elastic_layout *layout)
{
    for (int d = 0; d < PARCAST_ELASTIC_MAX_DIMS; d++) free(layout->dims[d].offsets);
    *layout = (elastic_layout){0};
}

bool elastic_layout_same_array(const elastic_layout *a, const elastic_layout *b)
{
    if (a->element_bytes != b->element_bytes || a->n_dims != b->n_dims) return false;
    for (int d = 0; d < a->n_dims; d++)
        if (a->dims[d].size != b->dims[d].size) return false;
    return true;
}

int elastic_layout_part(const elastic_layout *layout, int rank, int dim)
{
    for (int d = layout->n_dims - 1; d > dim; d--) rank /= layout->dims[d].parts;
    return rank % layout->dims[dim].parts;
}

/* -------- one dimension -------- */

int64_t elastic_dim_next(const elastic_dim *dim, int part, int64_t from)
{
    if (dim->kind == PARCAST_ELASTIC_WHOLE) return from < dim->size ? from : dim->size;
    if (dim->kind == PARCAST_ELASTIC_BLOCK) {
        if (from < dim->offsets[part]) from = dim->offsets[part];
        return from < dim->offsets[part + 1] ? from : dim->size;
    }
    int64_t number = from / dim->block, behind = (number - part) % dim->parts;
    if (behind < 0) behind += dim->parts;
    if (behind == 0) return from < dim->size ? from : dim->size;
    number += dim->parts - behind;
    return number > (dim->size - 1) / dim->block ? dim->size : number * dim->block;
}

int64_t elastic_dim_local(const elastic_dim *dim, int part, int64_t global)
{
    if (dim->kind == PARCAST_ELASTIC_WHOLE) return global;
    if (dim->kind == PARCAST_ELASTIC_BLOCK) return global - dim->offsets[part];
    return global / dim->block / dim->parts * dim->block + global % dim->block;
}

int64_t elastic_dim_global(const elastic_dim *dim, int part, int64_t index)
{
    if (dim->kind == PARCAST_ELASTIC_WHOLE) return index;
    if (dim->kind == PARCAST_ELASTIC_BLOCK) return dim->offsets[part] + index;
    return (index / dim->block * dim->parts + part) * dim->block + index % dim->block;
}

int64_t elastic_dim_count(const elastic_dim *dim, int part)
{
    if (dim->kind == PARCAST_ELASTIC_WHOLE) return dim->size;
    if (dim->kind == PARCAST_ELASTIC_BLOCK) return dim->offsets[part + 1] - dim->offsets[part];
    int64_t n_blocks = (dim->size - 1) / dim->block + 1, last = n_blocks - 1;
    int64_t own = n_blocks / dim->parts + (part < n_blocks % dim->parts ? 1 : 0);
    int64_t short_by = last % dim->parts == part ? n_blocks * dim->block - dim->size : 0;
    return own * dim->block - short_by;
}

int64_t elastic_layout_bytes(const elastic_layout *layout, int rank)
{
    int64_t bytes = layout->element_bytes;
    for (int d = 0; d < layout->n_dims; d++)
        bytes *= elastic_dim_count(&layout->dims[d], elastic_layout_part(layout, rank, d)) +
                 2 * layout->dims[d].halo;
    return bytes;
}
