/* The extents of an array from the distances between words that are read together: 1, a row, a plane. */
#include <stdlib.h>

#include "valueflow/once.h"
#include "valueflow/reach.h"

/* Of a large graph some runs of neighbouring sets tell as much as all. */
enum { PINS_PER_SET = 64, RUN = 1024, RUNS = 64, MOST_FIELDS = 64 };
static const uint64_t MOST_WORDS = UINT64_C(1) << 32; /* vertices have 31 bits */

struct distances {
    const parcast_values *values;
    uint64_t words;
    uint32_t *count; /* [words / 2 + 1] */
};

static void add(struct distances *d, uint64_t a, uint64_t b)
{
    uint64_t distance = a > b ? a - b : b - a;
    if (distance >= 2 && distance <= d->words / 2) d->count[distance]++;
}

/* Pins one after another, and the homes of the set; all in arrays of the same shape. */
static void add_set(const parcast_values *values, uint32_t set, struct distances *d)
{
    uint64_t first = values->set_first[set], end = values->set_first[set + 1];
    if (end > first + PINS_PER_SET) end = first + PINS_PER_SET;
    for (uint64_t i = first; i < end; i++) {
        const struct graph_vertex *pin = &values->vertices[values->pins[i] & ~GRAPH_FOLD];
        if (values->arrays[pin->array].words != d->words) continue;
        if (i > first) {
            const struct graph_vertex *before = &values->vertices[values->pins[i - 1] & ~GRAPH_FOLD];
            if (before->array == pin->array) add(d, pin->offset, before->offset);
        }
        uint64_t nets = values->net_first[set + 1] - values->net_first[set];
        for (uint64_t j = 0; j < nets && j < PINS_PER_SET; j++) {
            const struct graph_vertex *home =
                &values->vertices[values->nets[values->net_first[set] + j].home];
            if (values->arrays[home->array].words == d->words) add(d, pin->offset, home->offset);
        }
    }
}

static uint64_t best_row(const struct distances *d, uint64_t multiple_of, uint64_t below)
{
    uint64_t best = 0;
    for (uint64_t w = multiple_of > 1 ? 2 * multiple_of : 2; w <= below;
         w += multiple_of > 1 ? multiple_of : 1)
        if (d->words % w == 0 && d->count[w] && (!best || d->count[w] > d->count[best])) best = w;
    return best;
}

static bool infer_two(const struct distances *d, parcast_extents *extents)
{
    uint64_t row = best_row(d, 1, d->words / 2);
    if (!row) return false;
    *extents = (parcast_extents){2, {d->words / row, row}};
    return true;
}

/* A plane is a multiple of a row; the pair that is seen most. */
static bool infer_three(const struct distances *d, parcast_extents *extents)
{
    uint64_t most = 0;
    for (uint64_t row = 2; row <= d->words / 4; row++) {
        if (d->words % row || !d->count[row]) continue;
        uint64_t plane = best_row(d, row, d->words / 2);
        if (!plane) continue;
        uint64_t seen = d->count[row] < d->count[plane] ? d->count[row] : d->count[plane];
        if (seen <= most) continue;
        most = seen;
        *extents = (parcast_extents){3, {d->words / plane, plane / row, row}};
    }
    return most > 0;
}

/* Fields of a mesh in one array, around or inside of three dimensions. */
static bool infer_four(const struct distances *d, parcast_extents *extents)
{
    uint64_t most = 0;
    for (uint64_t row = 2; row <= d->words / 8; row++) {
        if (d->words % row || !d->count[row]) continue;
        for (uint64_t plane = 2 * row; plane <= d->words / 4; plane += row) {
            if (d->words % plane || !d->count[plane]) continue;
            uint64_t block = best_row(d, plane, d->words / 2);
            uint64_t seen = d->count[row] < d->count[plane] ? d->count[row] : d->count[plane];
            if (block && d->count[block] < seen) seen = d->count[block];
            if (!block || seen <= most) continue;
            most = seen;
            *extents = (parcast_extents){4, {d->words / block, block / plane, plane / row, row}};
        }
    }
    return most > 0;
}

static bool infer(const struct distances *d, size_t n, parcast_extents *extents)
{
    if (n == 2) return infer_two(d, extents);
    return n == 3 ? infer_three(d, extents) : n == 4 && infer_four(d, extents);
}

/* Neighbours of a mesh may meet in a result only. */
static void add_pair(void *context, uint32_t from, uint32_t to)
{
    struct distances *d = context;
    const struct graph_vertex *a = &d->values->vertices[from], *b = &d->values->vertices[to];
    if (d->values->arrays[a->array].words == d->words) add(d, a->offset, b->offset);
}

static void infer_all(const struct distances *d, struct once_extents *one)
{
    for (size_t n = 2; n <= PARCAST_MAX_EXTENTS; n++)
        if (!one->found[n]) one->found[n] = infer(d, n, &one->extents[n]);
}

/* What sets tell, and what is computed through results. */
static bool work_out(const parcast_values *values, bool through_results, struct once_extents *one)
{
    struct distances d = {
        .values = values, .words = one->words, .count = calloc(one->words / 2 + 1, sizeof *d.count)};
    if (!d.count) return false;
    uint32_t every = values->n_sets / RUN / RUNS + 1;
    for (uint32_t s = 0; s < values->n_sets; s++)
        if (s / RUN % every == 0) add_set(values, s, &d);
    struct reach reach;
    if (through_results && reach_make(values, &reach) == PARCAST_OK) {
        reach_pairs(values, &reach, add_pair, &d);
        reach_clear(&reach);
    }
    infer_all(&d, one);
    one->through_results = through_results;
    free(d.count);
    return true;
}

/* Those of arrays of so many words; NULL where memory is missing. */
static struct once_extents *find(const parcast_values *values, uint64_t words)
{
    struct once *once = values->once;
    for (size_t i = 0; i < once->n_extents; i++)
        if (once->extents[i].words == words) return &once->extents[i];
    struct once_extents *more = realloc(once->extents, (once->n_extents + 1) * sizeof *more);
    if (!more) return NULL;
    once->extents = more;
    more[once->n_extents] = (struct once_extents){.words = words};
    return work_out(values, false, &more[once->n_extents]) ? &more[once->n_extents++] : NULL;
}

bool graph_infer_extents(const parcast_values *values, uint32_t index, size_t n, parcast_extents *extents)
{
    const struct graph_array *array = &values->arrays[index];
    if (n == 1) {
        *extents = (parcast_extents){1, {array->words}};
        return true;
    }
    if (n == 2 && array->n_blocks > 1) { /* rows allocated one by one */
        *extents = (parcast_extents){2, {array->n_blocks, array->block_words}};
        return true;
    }
    if (array->words > MOST_WORDS || n > PARCAST_MAX_EXTENTS) return false;
    struct once_extents *one = find(values, array->words);
    if (one && !one->found[n] && !one->through_results && !work_out(values, true, one)) return false;
    if (!one || !one->found[n]) return false;
    *extents = one->extents[n];
    return true;
}

/* Fields lie together or one after the other. */
static bool has_fields(const parcast_extents *extents)
{
    return extents->extent[0] <= MOST_FIELDS || extents->extent[extents->n - 1] <= MOST_FIELDS;
}

size_t graph_infer_shapes(const parcast_values *values, uint32_t array, const parcast_extents *given,
                          parcast_extents shapes[PARCAST_MAX_EXTENTS])
{
    size_t n = 0;
    if (given) {
        shapes[0] = *given;
        return 1;
    }
    for (size_t d = 1; d <= PARCAST_MAX_EXTENTS; d++)
        if (graph_infer_extents(values, array, d, &shapes[n]) && (d < 4 || has_fields(&shapes[n]))) n++;
    return n;
}
