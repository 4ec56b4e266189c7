/*
 * From one layout to another: what two ranks have in common, dimension by dimension, and from that the pieces
 * of memory that go from one to the other.
 */
#include <stdlib.h>
#include <string.h>

#include "core/divisor.h"
#include "elastic/layout.h"

/* One behind the last index of the run of own indices that begins at an own one. */
static int64_t end_of_run(const elastic_dim *dim, int part, int64_t own)
{
    if (dim->kind == PARCAST_ELASTIC_WHOLE || (dim->kind == PARCAST_ELASTIC_CYCLIC && dim->parts == 1))
        return dim->size;
    if (dim->kind == PARCAST_ELASTIC_BLOCK) return dim->offsets[part + 1];
    int64_t begin = own / dim->block * dim->block;
    return begin > dim->size - dim->block ? dim->size : begin + dim->block;
}

/* Indices that both sides have, over one common period of both dimensions; what follows repeats it. */
struct run {
    int64_t global, source, target, count;
};
struct runs {
    struct run *run;
    size_t n, n_allocated;
    int64_t size;                             /* of the dimension */
    int64_t period, source_step, target_step; /* own indices of either side in a period */
};

/* Length after which a dimension repeats; its size if it does not. */
static int64_t period_of(const elastic_dim *dim)
{
    if (dim->kind != PARCAST_ELASTIC_CYCLIC || dim->block > dim->size / dim->parts) return dim->size;
    return dim->block * dim->parts;
}

static void set_period(struct runs *runs, const elastic_dim *source, const elastic_dim *target)
{
    runs->size = runs->period = source->size;
    bool whole_source = source->kind == PARCAST_ELASTIC_WHOLE,
         whole_target = target->kind == PARCAST_ELASTIC_WHOLE;
    int64_t a = whole_source ? 1 : period_of(source), b = whole_target ? 1 : period_of(target);
    if ((whole_source && whole_target) || a >= source->size || b >= source->size) return;
    a /= (int64_t)greatest_divisor((uint64_t)a, (uint64_t)b);
    if (a > source->size / b) return;
    runs->period = a * b;
    runs->source_step = whole_source ? runs->period : runs->period / source->parts;
    runs->target_step = whole_target ? runs->period : runs->period / target->parts;
}

static bool add_run(struct runs *runs, struct run run)
{
    if (runs->n == runs->n_allocated) {
        size_t more = runs->n_allocated ? 2 * runs->n_allocated : 4;
        struct run *grown = realloc(runs->run, more * sizeof *grown);
        if (!grown) return false;
        runs->run = grown;
        runs->n_allocated = more;
    }
    runs->run[runs->n++] = run;
    return true;
}

/* Both parts are dealt the same indices, so that they lie alike in memory but for the halo. */
static bool is_same(const elastic_dim *a, int from, const elastic_dim *b, int to)
{
    if (a->kind != b->kind) return false;
    if (a->kind == PARCAST_ELASTIC_WHOLE) return true;
    if (a->kind == PARCAST_ELASTIC_CYCLIC) return a->parts == b->parts && a->block == b->block && from == to;
    return a->offsets[from] == b->offsets[to] && a->offsets[from + 1] == b->offsets[to + 1];
}

static bool find_runs(const elastic_dim *source, int from, const elastic_dim *target, int to,
                      struct runs *runs)
{
    set_period(runs, source, target);
    if (is_same(source, from, target, to)) {
        struct run all = {.count = elastic_dim_count(source, from)};
        runs->period = runs->size;
        return all.count == 0 || add_run(runs, all);
    }
    for (int64_t at = 0; at < runs->period;) {
        int64_t a = elastic_dim_next(source, from, at), b = elastic_dim_next(target, to, a);
        if (b >= runs->period) break;
        at = b;
        if (elastic_dim_next(source, from, b) != b) continue;
        int64_t end = end_of_run(source, from, b), other = end_of_run(target, to, b);
        if (other < end) end = other;
        if (end > runs->period) end = runs->period;
        struct run run = {b, elastic_dim_local(source, from, b), elastic_dim_local(target, to, b), end - b};
        if (!add_run(runs, run)) return false;
        at = end;
    }
    return true;
}

struct walk {
    struct runs runs[PARCAST_ELASTIC_MAX_DIMS];
    int64_t source_stride[PARCAST_ELASTIC_MAX_DIMS], target_stride[PARCAST_ELASTIC_MAX_DIMS]; /* [bytes] */
    int last; /* innermost dimension that is walked; those behind it are contiguous on both sides */
    elastic_visit *visit;
    void *context;
};

/* The number-th run of a dimension over its whole length; false behind the last. */
static bool nth_run(const struct runs *runs, size_t number, struct run *run)
{
    if (runs->n == 0) return false;
    int64_t repeat = (int64_t)(number / runs->n);
    *run = runs->run[number % runs->n];
    if (repeat > (runs->size - 1) / runs->period) return false;
    run->global += repeat * runs->period;
    run->source += repeat * runs->source_step;
    run->target += repeat * runs->target_step;
    if (run->global >= runs->size) return false;
    if (run->count > runs->size - run->global) run->count = runs->size - run->global;
    return true;
}

/* How often the only run of a period comes in its full length. */
static int64_t count_repeats(const struct runs *runs)
{
    const struct run *run = &runs->run[0];
    return (runs->size - run->global - run->count) / runs->period + 1;
}

/* The innermost dimension: what repeats goes in one visit. */
static bool walk_last(const struct walk *walk, int64_t source, int64_t target)
{
    const struct runs *runs = &walk->runs[walk->last];
    const int64_t source_stride = walk->source_stride[walk->last],
                  target_stride = walk->target_stride[walk->last];
    const bool repeats = runs->n == 1 && runs->period < runs->size;
    struct run run;
    for (size_t i = 0; nth_run(runs, i, &run);) {
        int64_t n = repeats && i == 0 ? count_repeats(runs) : 1;
        elastic_strided runs_of = {.source = source + run.source * source_stride,
                                   .target = target + run.target * target_stride,
                                   .bytes = run.count * source_stride,
                                   .count = n,
                                   .source_step = n > 1 ? runs->source_step * source_stride : 0,
                                   .target_step = n > 1 ? runs->target_step * target_stride : 0};
        if (!walk->visit(walk->context, &runs_of)) return false;
        i += (size_t)n;
    }
    return true;
}

/* True if the innermost dimension has one run in all: its rows lie at equal distances. */
static bool has_plain_rows(const struct walk *walk)
{
    const struct runs *last = &walk->runs[walk->last];
    return last->n == 1 && last->period >= last->size;
}

static bool walk_rows(const struct walk *walk, int d, const struct run *rows, int64_t source, int64_t target)
{
    const struct run *run = &walk->runs[walk->last].run[0];
    const int64_t n = rows->count;
    elastic_strided runs = {.source = source + run->source * walk->source_stride[walk->last],
                            .target = target + run->target * walk->target_stride[walk->last],
                            .bytes = run->count * walk->source_stride[walk->last],
                            .count = n,
                            .source_step = n > 1 ? walk->source_stride[d] : 0,
                            .target_step = n > 1 ? walk->target_stride[d] : 0};
    return walk->visit(walk->context, &runs);
}

static bool walk_dim(const struct walk *walk, int d, int64_t source, int64_t target)
{
    const int64_t source_stride = walk->source_stride[d], target_stride = walk->target_stride[d];
    if (d >= walk->last || d + 1 >= PARCAST_ELASTIC_MAX_DIMS) return walk_last(walk, source, target);
    const bool plain = d == walk->last - 1 && has_plain_rows(walk);
    struct run run;
    for (size_t i = 0; nth_run(&walk->runs[d], i, &run); i++) {
        int64_t a = source + run.source * source_stride, b = target + run.target * target_stride;
        if (plain) {
            if (!walk_rows(walk, d, &run, a, b)) return false;
            continue;
        }
        for (int64_t k = 0; k < run.count; k++)
            if (!walk_dim(walk, d + 1, a + k * source_stride, b + k * target_stride)) return false;
    }
    return true;
}

/* Strides [bytes] of what a rank holds; returns where its first own cell lies. */
static int64_t set_strides(const elastic_layout *layout, int rank, int64_t *stride)
{
    int64_t step = layout->element_bytes, begin = 0;
    for (int d = layout->n_dims - 1; d >= 0; d--) {
        const elastic_dim *dim = &layout->dims[d];
        stride[d] = step;
        begin += dim->halo * step;
        step *= elastic_dim_count(dim, elastic_layout_part(layout, rank, d)) + 2 * dim->halo;
    }
    return begin;
}

/* The innermost dimensions that both sides hold alike, without halo, are one piece of memory. */
static int innermost(const elastic_layout *source, int from, const elastic_layout *target, int to)
{
    int last = source->n_dims - 1;
    for (; last > 0; last--) {
        const elastic_dim *a = &source->dims[last], *b = &target->dims[last];
        if (a->halo || b->halo ||
            !is_same(a, elastic_layout_part(source, from, last), b, elastic_layout_part(target, to, last)))
            break;
    }
    return last;
}

parcast_status elastic_walk(const elastic_layout *source, int from, const elastic_layout *target, int to,
                            elastic_visit *visit, void *context, parcast_error *error)
{
    struct walk walk = {.last = innermost(source, from, target, to), .visit = visit, .context = context};
    bool enough = true, gone_through = true;
    int64_t source_begin = set_strides(source, from, walk.source_stride);
    int64_t target_begin = set_strides(target, to, walk.target_stride);
    if (walk.source_stride[walk.last] == 0) return PARCAST_OK; /* both have nothing of a dimension */
    for (int d = 0; d <= walk.last && enough; d++)
        enough = find_runs(&source->dims[d], elastic_layout_part(source, from, d), &target->dims[d],
                           elastic_layout_part(target, to, d), &walk.runs[d]);
    if (enough) gone_through = walk_dim(&walk, 0, source_begin, target_begin);
    for (int d = 0; d <= walk.last; d++) free(walk.runs[d].run);
    if (!enough)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "no memory to find what goes where");
    return gone_through ? PARCAST_OK : PARCAST_INTERRUPTED;
}

/* -------- copy -------- */

/* Elements of usual sizes: the compiler makes a move of each. */
#define COPY_ELEMENTS(n)                                                                                     \
    for (int64_t i = 0; i < runs->count; i++)                                                                \
    memcpy(to + i * runs->target_step, from + i * runs->source_step, (n))

void elastic_copy_strided(unsigned char *to, const unsigned char *from, const elastic_strided *runs)
{
    to += runs->target;
    from += runs->source;
    switch (runs->bytes) {
    case 4:
        COPY_ELEMENTS(4);
        break;
    case 8:
        COPY_ELEMENTS(8);
        break;
    case 16:
        COPY_ELEMENTS(16);
        break;
    default:
        COPY_ELEMENTS((size_t)runs->bytes);
        break;
    }
}
