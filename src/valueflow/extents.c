/*
 * The extents of an array from the distances between words that are read together: 1, a row, a plane. Where
 * the program's types say that it consists of structures, distances between these tell its extents as well,
 * and the words of a structure are the last: fields that mix are at any distance from each other.
 */
#include <stdlib.h>

#include "valueflow/grid.h"
#include "valueflow/once.h"
#include "valueflow/reach.h"

/* Of a large graph some runs of neighbouring sets tell as much as all. */
enum { PINS_PER_SET = 64, RUN = 1024, RUNS = 64, FAR = 5, BESIDE = 3, MOST_MEETING = 27 };
static const uint64_t MOST_WORDS = UINT64_C(1) << 32; /* vertices have 31 bits */

struct distances {
    const parcast_values *values;
    uint64_t words;  /* or structures, */
    bool of_records; /* whichever is counted */
    uint32_t *count; /* [words / 2 + 1] */
};

static uint64_t place_of(const struct distances *d, const struct graph_vertex *vertex)
{
    return d->of_records ? vertex->offset / d->values->arrays[vertex->array].record : vertex->offset;
}

static uint64_t distance_of(const struct distances *d, const struct graph_vertex *a,
                            const struct graph_vertex *b)
{
    uint64_t x = place_of(d, a), y = place_of(d, b);
    return x > y ? x - y : y - x;
}

static void add(struct distances *d, const struct graph_vertex *a, const struct graph_vertex *b)
{
    uint64_t distance = distance_of(d, a, b);
    if (distance && distance <= d->words / 2) d->count[distance]++;
}

/* In an array of the same shape. */
static const struct graph_vertex *vertex_in(const struct distances *d, uint32_t v)
{
    const struct graph_vertex *vertex = &d->values->vertices[v];
    const struct graph_array *array = &d->values->arrays[vertex->array];
    return array->words / (d->of_records ? array->record : 1) == d->words ? vertex : NULL;
}

/* The homes of a set in arrays of the same shape, and the pin. */
static bool add_homes(const struct graph_vertex *pin, uint32_t set, struct distances *d)
{
    const parcast_values *values = d->values;
    uint64_t first = values->net_first[set], end = values->net_first[set + 1];
    bool any = false;
    for (uint64_t j = first; j < end && j < first + PINS_PER_SET; j++) {
        const struct graph_vertex *home = vertex_in(d, values->nets[j].home);
        if (home) add(d, pin, home);
        any = any || home;
    }
    return any;
}

/* Is the home a word of an array of another shape of about as many words, as nodes and elements are? */
static bool is_of_other_mesh(const struct distances *d, uint32_t home)
{
    enum { TIMES = 8 };
    const struct graph_array *array = &d->values->arrays[d->values->vertices[home].array];
    uint64_t words = array->words / (d->of_records ? array->record : 1);
    return !array->is_result && !vertex_in(d, home) && words < TIMES * d->words && d->words < TIMES * words;
}

static bool is_read_by_meeting(const struct distances *d, uint32_t set)
{
    uint64_t first = d->values->net_first[set], end = d->values->net_first[set + 1];
    for (uint64_t j = first; j < end && j < first + PINS_PER_SET; j++)
        if (!is_of_other_mesh(d, d->values->nets[j].home)) return false;
    return first < end;
}

/* Elements that meet at a node, nodes of one element: each with each. */
static void add_meeting(const parcast_values *values, uint64_t first, uint64_t end, struct distances *d)
{
    for (uint64_t i = first; i < end; i++) {
        const struct graph_vertex *pin = vertex_in(d, values->pins[i] & ~GRAPH_FOLD);
        for (uint64_t j = first; pin && j < i; j++) {
            const struct graph_vertex *other = vertex_in(d, values->pins[j] & ~GRAPH_FOLD);
            if (other && other->array == pin->array) add(d, pin, other);
        }
    }
}

/* Homes, and pins one after another. Neighbours on either side of a home are two or three words apart: that
 * is no row of so many words. */
static void add_set(const parcast_values *values, uint32_t set, struct distances *d)
{
    uint64_t first = values->set_first[set], end = values->set_first[set + 1];
    if (end <= first + MOST_MEETING && is_read_by_meeting(d, set)) {
        add_meeting(values, first, end, d);
        return;
    }
    const struct graph_vertex *before = NULL;
    if (end > first + PINS_PER_SET) end = first + PINS_PER_SET;
    for (uint64_t i = first; i < end; i++) {
        const struct graph_vertex *pin = vertex_in(d, values->pins[i] & ~GRAPH_FOLD);
        bool is_read_here = pin && add_homes(pin, set, d);
        if (pin && before && before->array == pin->array &&
            !(is_read_here && distance_of(d, pin, before) <= BESIDE))
            add(d, pin, before);
        before = pin;
    }
}

/* Two or three steps to neighbours, of those that read farther than these, are no row; nor rows a plane. */
static bool is_steps(const struct distances *d, uint64_t w, uint64_t step)
{
    return (w == 2 * step || w == 3 * step) && d->count[step] >= d->count[w];
}

static bool is_row(const struct distances *d, uint64_t w, uint64_t step)
{
    return d->words % w == 0 && d->count[w] && !is_steps(d, w, step);
}

static uint64_t best_row(const struct distances *d, uint64_t multiple_of, uint64_t below)
{
    uint64_t best = 0;
    for (uint64_t w = multiple_of > 1 ? 2 * multiple_of : 2; w <= below;
         w += multiple_of > 1 ? multiple_of : 1)
        if (is_row(d, w, multiple_of) && (!best || d->count[w] > d->count[best])) best = w;
    return best;
}

/* Rows of an array with some words more at its end, to which no row is a divisor: a distance that a quarter
 * of all words have. */
static uint64_t padded_row(const struct distances *d, uint64_t multiple_of)
{
    uint64_t best = 0;
    for (uint64_t w = 2 * multiple_of; w <= d->words / 2; w += multiple_of)
        if (d->count[w] >= d->words / 4 && !is_steps(d, w, multiple_of) &&
            (!best || d->count[w] > d->count[best]))
            best = w;
    return best;
}

static uint64_t how_many(uint64_t words, uint64_t of)
{
    return (words + of - 1) / of;
}

static bool infer_two(const struct distances *d, parcast_extents *extents)
{
    uint64_t row = best_row(d, 1, d->words / 2);
    if (!row) row = padded_row(d, 1);
    if (!row) return false;
    *extents = (parcast_extents){2, {how_many(d->words, row), row}};
    return true;
}

static bool infer_padded(const struct distances *d, parcast_extents *extents)
{
    uint64_t row = best_row(d, 1, d->words / 2) ? 0 : padded_row(d, 1), most = row ? d->count[row] : 0;
    for (uint64_t w = row ? 2 : 0; w && w < row; w++) /* the shortest that is as common */
        if (d->count[w] >= most && !is_steps(d, w, 1)) row = w;
    uint64_t plane = row ? padded_row(d, row) : 0;
    if (plane) *extents = (parcast_extents){3, {how_many(d->words, plane), plane / row, row}};
    return plane;
}

/* A field that is computed from neighbours in another one is a field and a step away. */
static uint32_t beside(const struct distances *d, uint64_t plane, uint64_t row)
{
    uint64_t steps[] = {plane - row, plane - 1, plane + 1, plane + row};
    uint32_t n = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] <= d->words / 2) n += d->count[steps[i]];
    return n;
}

static uint64_t best_field(const struct distances *d, uint64_t row)
{
    uint64_t best = 0;
    for (uint64_t w = FAR * row; w <= d->words / 2; w += row)
        if (d->words % w == 0 && d->words / w <= GRID_MOST_FIELDS && beside(d, w, row) &&
            (!best || beside(d, w, row) > beside(d, best, row)))
            best = w;
    return best;
}

/* A plane is a multiple of a row; the pair that is seen most. */
static bool infer_three(const struct distances *d, parcast_extents *extents)
{
    uint64_t most = 0;
    for (uint64_t row = 2; row <= d->words / 4; row++) {
        if (!is_row(d, row, 1)) continue;
        uint64_t plane = best_row(d, row, d->words / 2);
        if (!plane) continue;
        uint64_t seen = d->count[row] < d->count[plane] ? d->count[row] : d->count[plane];
        if (seen <= most) continue;
        most = seen;
        *extents = (parcast_extents){3, {d->words / plane, plane / row, row}};
    }
    uint64_t row = most ? 0 : best_row(d, 1, d->words / 2), plane = row ? best_field(d, row) : 0;
    if (plane) *extents = (parcast_extents){3, {d->words / plane, plane / row, row}};
    return most || plane || infer_padded(d, extents);
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
    const struct graph_vertex *a = vertex_in(d, from), *b = &d->values->vertices[to];
    if (a) add(d, a, b);
}

static void infer_all(const struct distances *d, struct once_extents *one)
{
    for (size_t n = 2; n <= PARCAST_MAX_EXTENTS; n++)
        if (!one->found[n]) one->found[n] = infer(d, n, &one->extents[n]);
}

/* Neighbours of a line or a plane that is swept through cells meet behind several results. */
static bool count_deeper(struct distances *d, struct reach *reach)
{
    if (reach_deepen(d->values, reach)) return false;
    reach_pairs(d->values, reach, add_pair, d);
    return true;
}

/* What sets tell, and what is computed through results. */
static bool work_out(const parcast_values *values, bool through_results, struct once_extents *one)
{
    struct distances d = {.values = values,
                          .words = one->words,
                          .of_records = one->of_records,
                          .count = calloc(one->words / 2 + 1, sizeof *d.count)};
    if (!d.count) return false;
    uint32_t every = values->n_sets / RUN / RUNS + 1;
    for (uint32_t s = 0; s < values->n_sets; s++)
        if (s / RUN % every == 0) add_set(values, s, &d);
    struct reach reach;
    bool fine = !through_results || reach_make(values, &reach) == PARCAST_OK;
    if (fine && through_results) {
        reach_pairs(values, &reach, add_pair, &d);
        infer_all(&d, one);
        fine = one->found[2] || one->found[3] || count_deeper(&d, &reach);
        reach_clear(&reach);
    }
    infer_all(&d, one);
    one->through_results = through_results;
    free(d.count);
    return fine;
}

/* Those of arrays of so many words or structures; NULL where memory is missing. */
static struct once_extents *find(const parcast_values *values, uint64_t words, bool of_records)
{
    struct once *once = values->once;
    for (size_t i = 0; i < once->n_extents; i++)
        if (once->extents[i].words == words && once->extents[i].of_records == of_records)
            return &once->extents[i];
    struct once_extents *more = realloc(once->extents, (once->n_extents + 1) * sizeof *more);
    if (!more) return NULL;
    once->extents = more;
    more[once->n_extents] = (struct once_extents){.words = words, .of_records = of_records};
    return work_out(values, false, &more[once->n_extents]) ? &more[once->n_extents++] : NULL;
}

static bool look_up(const parcast_values *values, uint64_t words, bool of_records, size_t n,
                    parcast_extents *extents)
{
    struct once_extents *one = find(values, words, of_records);
    if (one && !one->found[n] && !one->through_results && !work_out(values, true, one)) return false;
    if (!one || !one->found[n]) return false;
    *extents = one->extents[n];
    return true;
}

/* Structures in n - 1 dimensions, and their words. */
static bool with_fields(const parcast_values *values, const struct graph_array *array, size_t n,
                        parcast_extents *extents)
{
    uint64_t structures = array->words / array->record;
    parcast_extents found = {1, {structures}};
    if (n > 2 && !look_up(values, structures, true, n - 1, &found)) return false;
    *extents = found;
    extents->extent[extents->n++] = array->record;
    return true;
}

/* Structures in n dimensions, with the words of a row of them together. */
static bool in_rows(const parcast_values *values, const struct graph_array *array, size_t n,
                    parcast_extents *extents)
{
    if (!look_up(values, array->words / array->record, true, n, extents)) return false;
    extents->extent[n - 1] *= array->record;
    return true;
}

/* Distances between words are believed where they keep structures whole. A plane consists of rows of
 * structures or, where no row is known, of these; in more dimensions their words are the last. */
static bool infer_structures(const parcast_values *values, const struct graph_array *array, size_t n,
                             parcast_extents *extents)
{
    if (n > 2 && with_fields(values, array, n, extents)) return true;
    if (look_up(values, array->words, false, n, extents) && extents->extent[n - 1] % array->record == 0)
        return true;
    return in_rows(values, array, n, extents) || (n == 2 && with_fields(values, array, n, extents));
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
    return array->record > 1 ? infer_structures(values, array, n, extents)
                             : look_up(values, array->words, false, n, extents);
}

/* Fields lie together or one after the other. */
static bool has_fields(const parcast_extents *extents)
{
    return extents->extent[0] <= GRID_MOST_FIELDS || extents->extent[extents->n - 1] <= GRID_MOST_FIELDS;
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
