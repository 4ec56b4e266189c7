/*
 * The extents of an array from the distances between words that are read together: 1, a row, a plane. Where
 * the program's types say that it consists of structures, distances between these tell its extents as well,
 * and the words of a structure are the last: fields that mix are at any distance from each other.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/grid.h"
#include "valueflow/graph/once.h"
#include "valueflow/graph/reach.h"
#include "valueflow/space/boxes.h"
#include "valueflow/space/extents/distances.h"
#include "valueflow/space/extents/line.h"
#include "valueflow/space/extents/meet_behind.h"
#include "valueflow/space/extents/runs.h"
#include "valueflow/space/images.h"
#include "valueflow/space/turned.h"

/* Of a large graph some runs of neighbouring sets tell as much as all. */
enum { PINS_PER_SET = 64, RUNS = 64, BESIDE = 3, MOST_MEETING = 27, RAREST = 1024, MANY_TIMES = 4 };

static uint64_t distance_of(const struct distances *d, const struct graph_vertex *a,
                            const struct graph_vertex *b)
{
    uint64_t x = distances_place(d, a), y = distances_place(d, b);
    return x > y ? x - y : y - x;
}

static void add(struct distances *d, const struct graph_vertex *a, const struct graph_vertex *b)
{
    uint64_t x = distances_place(d, a), y = distances_place(d, b), distance = x > y ? x - y : y - x;
    if (d->is_within && a->array != b->array) return;
    if (distance && distance <= d->words / 2) d->count[distance]++;
    wraps_note(&d->wraps, x < y ? x : y, distance);
    if (distance != 1) return;
    d->is_joined[x < y ? x : y] = true;
    for (uint32_t k = 2; k <= GRID_FIELDS; k++) d->beside[k][(x < y ? x : y) % k]++;
}

static bool has_words(const struct distances *d, uint32_t array)
{
    return d->values->arrays[array].words == d->whole * distances_record(d, array);
}

/* A block that a list has outgrown has as many words by chance. */
static bool is_of_shape(const struct distances *d, uint32_t array)
{
    return has_words(d, array) && !(d->leaves_grown && d->values->arrays[array].is_grown);
}

static bool any_is_no_list(const struct distances *d)
{
    for (uint32_t i = 0; i < d->values->n_arrays; i++)
        if (!d->values->arrays[i].is_result && has_words(d, i) && !d->values->arrays[i].is_grown) return true;
    return false;
}

/* In an array of the same shape; what is no image at its end has no place. */
static const struct graph_vertex *vertex_in(const struct distances *d, uint32_t v)
{
    const struct graph_vertex *vertex = &d->values->vertices[v];
    const uint32_t *image = d->image[vertex->array];
    if (!is_of_shape(d, vertex->array)) return NULL;
    return !image || image[vertex->offset] != GRAPH_NONE ? vertex : NULL;
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
    uint32_t index = d->values->vertices[home].array;
    const struct graph_array *array = &d->values->arrays[index];
    uint64_t words = array->words / distances_record(d, index);
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

static void add_behind(void *context, uint32_t home, uint32_t one, uint32_t other)
{
    struct distances *d = context;
    if (!is_of_other_mesh(d, home)) return;
    const struct graph_vertex *a = vertex_in(d, one), *b = vertex_in(d, other);
    if (a && b && a->array == b->array) add(d, a, b);
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

/* Neighbours of a mesh may meet in a result only. */
static void add_pair(void *context, uint32_t from, uint32_t to)
{
    struct distances *d = context;
    const struct graph_vertex *a = vertex_in(d, from), *b = vertex_in(d, to);
    if (a && b) add(d, a, b);
}

/* Is a word as often beside the next one wherever it is in so many words? */
static bool are_even(const struct distances *d, uint32_t fields)
{
    enum { OF_FOUR = 5 }; /* a quarter more */
    uint32_t most = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < fields; i++) {
        if (d->beside[fields][i] > most) most = d->beside[fields][i];
        if (d->beside[fields][i] < least) least = d->beside[fields][i];
    }
    return 4 * (uint64_t)most <= OF_FOUR * (uint64_t)least;
}

/* Of atoms in no order any distance is seen now and then: one in so many is chance. In arrays of few words
 * blocks by chance may be as good as any. */
static void infer_all(const struct distances *d, struct once_extents *one)
{
    uint64_t all = 0;
    for (uint64_t w = 1; w <= d->words / 2; w++) all += d->count[w];
    for (size_t n = 2; n <= PARCAST_MAX_EXTENTS; n++) {
        if (!one->seen[n]) one->seen[n] = distances_infer(d, n, &one->extents[n]);
        if (d->words > MANY_TIMES * RAREST && one->seen[n] < all / RAREST) one->seen[n] = 0;
    }
    distances_go_round(d, one);
    for (size_t n = 2; n <= PARCAST_MAX_EXTENTS; n++) {
        one->runs_on_in[n] = one->seen[n] && !distances_end_in_rows(d, one->extents[n].extent[n - 1]);
        one->near[n] = one->seen[n] ? distances_near(d, &one->extents[n]) : 0;
        one->are_mixed[n] = one->seen[n] && distances_mix(d, &one->extents[n]);
    }
    one->uneven = 0;
    for (uint32_t k = 2; k <= GRID_FIELDS; k++)
        if (!are_even(d, k)) one->uneven |= UINT32_C(1) << k;
    one->are_steps = one->seen[3] && one->seen[4] &&
                     distances_are_steps(d, &one->extents[4], &one->extents[3], one->seen[3]);
}

/* The most common distance. */
static uint64_t nearest(const struct distances *d)
{
    uint64_t best = 0;
    for (uint64_t w = 1; w <= d->words / 2; w++)
        if (d->count[w] > d->count[best]) best = w;
    return best;
}

static bool has_transposed(const struct distances *d)
{
    parcast_extents ignored;
    for (uint32_t i = 0; i < d->values->n_arrays; i++)
        if (!d->values->arrays[i].is_result && is_of_shape(d, i) && turned_extents(d->values, i, &ignored))
            return true;
    return false;
}

/* Of arrays that have as many words before them. */
static bool find_images(struct distances *d)
{
    for (uint32_t i = 0; i < d->values->n_arrays; i++) {
        if (d->values->arrays[i].is_result || !is_of_shape(d, i)) continue;
        if (!images_find(d->values, i, &d->image[i])) return false;
        if (images_front(d->values, i) != d->words * distances_record(d, i)) d->image[i] = NULL;
    }
    return true;
}

/* The places of a set's words in the array that the first of them is in. */
static size_t places_of(const struct distances *d, uint32_t set, uint64_t *places)
{
    const struct graph_vertex *first = NULL;
    size_t n = 0;
    for (uint64_t i = d->values->set_first[set]; i < d->values->set_first[set + 1]; i++) {
        const struct graph_vertex *pin = vertex_in(d, d->values->pins[i] & ~GRAPH_FOLD);
        if (!first) first = pin;
        if (pin && pin->array == first->array) places[n++] = distances_place(d, pin);
    }
    return n;
}

/* How far lines are apart, or planes of lines where a row is known; 0: they tell nothing. */
static uint64_t find_runs(const struct distances *d, uint64_t row, uint64_t *places, uint32_t *seen)
{
    struct runs runs = {.row = row, .count = d->count, .most = d->words / 2};
    uint32_t every = graph_every(d->values, RUNS);
    memset(d->count, 0, (d->words / 2 + 2) * sizeof *d->count);
    for (uint32_t s = 0; s < d->values->n_sets; s++) {
        size_t size = d->values->set_first[s + 1] - d->values->set_first[s];
        if (size > MOST_MEETING && graph_is_in_run(s, every))
            runs_add(&runs, places, places_of(d, s, places));
    }
    uint64_t distance = runs_distance(&runs, d->words);
    *seen = distance ? d->count[distance] : 0;
    return distance;
}

/* Points of a lattice that atoms act on are no neighbours of each other: all that one value is read by tell
 * rows and planes, how far one of them is from the next tells neither. */
static bool take_runs(const struct distances *d, struct once_extents *one)
{
    uint32_t largest = 0, rows, planes = 0;
    for (uint32_t s = 0; s < d->values->n_sets; s++) {
        uint32_t size = d->values->set_first[s + 1] - d->values->set_first[s];
        if (size > largest) largest = size;
    }
    if (largest <= MOST_MEETING) return true;
    uint64_t *places = malloc(((size_t)largest + 1) * sizeof *places);
    if (!places) return false;
    uint64_t row = find_runs(d, 0, places, &rows), plane = row ? find_runs(d, row, places, &planes) : 0;
    free(places);
    if (plane <= row) return true;
    one->extents[2] = (parcast_extents){2, {d->words / row, row}};
    one->extents[3] = (parcast_extents){3, {d->words / plane, plane / row, row}};
    one->seen[2] = rows;
    one->seen[3] = planes;
    return true;
}

/* A few words may be a row by chance, and any of which a few pairs tell. */
static uint64_t least_row(const struct once_extents *one)
{
    enum { SHORT = 16, FEW = 64 };
    bool is_seen = FEW * (uint64_t)one->seen[2] > one->words;
    return is_seen && one->extents[2].extent[1] >= SHORT ? one->extents[2].extent[1] : 0;
}

/* How many words of an array of the shape are used, at most, and up to where. */
static bool count_used(struct distances *d)
{
    uint64_t *n = calloc(d->values->n_arrays + 1, sizeof *n);
    if (!n) return false;
    for (uint32_t v = 0; v < d->values->n_vertices; v++) {
        const struct graph_vertex *vertex = &d->values->vertices[v];
        if (!is_of_shape(d, vertex->array)) continue;
        if (++n[vertex->array] > d->used) d->used = n[vertex->array];
        if (vertex->offset >= d->front) d->front = vertex->offset + 1;
    }
    free(n);
    if (d->used > d->words || d->record != 1) d->used = d->words;
    if (d->front > d->words || d->record != 1) d->front = d->words;
    return true;
}

/* What sets tell, and what is computed through results. Where sets tell a row, results may tell planes of
 * such rows: what is read two steps to either side meets four steps apart, which is no row. */
static bool work_out(const parcast_values *values, bool through_results, struct once_extents *one)
{
    struct distances d = {.values = values,
                          .words = one->words,
                          .whole = one->whole,
                          .record = one->record,
                          .are_told = one->are_told,
                          .is_last = through_results,
                          .every = through_results ? reach_pairs_every(values) : 1,
                          .least_row = least_row(one),
                          .image = calloc(values->n_arrays + 1, sizeof *d.image),
                          .count = calloc(one->words / 2 + 2, sizeof *d.count),
                          .is_joined = calloc(one->whole + 1, sizeof *d.is_joined)};
    d.leaves_grown = any_is_no_list(&d);
    if (!d.count || !d.is_joined || !d.image || !find_images(&d) || !count_used(&d)) {
        free(d.image);
        free(d.count);
        free(d.is_joined);
        return false;
    }
    d.is_within = has_transposed(&d);
    uint32_t every = graph_every(values, RUNS);
    d.wraps.is_full = every > 1 || d.every > 1;
    for (uint32_t s = 0; s < values->n_sets; s++)
        if (graph_is_in_run(s, every)) add_set(values, s, &d);
    bool fine = !through_results || reach_pairs(values, 1, add_pair, &d);
    if (fine && through_results) {
        infer_all(&d, one);
        /* Neighbours of a line or a plane that is swept through cells meet behind several results. */
        fine = one->seen[2] || one->seen[3] || reach_pairs(values, REACH_MOST_RESULTS, add_pair, &d);
        fine = fine && (one->seen[3] || meet_behind(values, add_behind, &d));
    }
    infer_all(&d, one);
    if (one->block && !one->runs_on)
        one->runs_on = distances_run_on(&d, one->block, one->seen[2] ? one->extents[2].extent[1] : 0);
    if (!through_results) {
        one->nearest = nearest(&d);
        one->steps = d.count[1];
    }
    if (fine && !through_results) fine = take_runs(&d, one);
    one->through_results = through_results;
    free(d.image);
    free(d.count);
    free(d.is_joined);
    wraps_clear(&d.wraps);
    return fine;
}

struct once_extents *line_find(const struct line *line, uint32_t per, uint32_t record)
{
    const parcast_values *values = line->values;
    struct once *once = values->once;
    uint64_t words = line->words / per, whole = line->whole / per;
    uint64_t block = line->block % per ? 0 : line->block / per;
    for (size_t i = 0; i < once->n_extents; i++)
        if (once->extents[i].words == words && once->extents[i].whole == whole &&
            once->extents[i].record == record && once->extents[i].block == block &&
            once->extents[i].are_told == line->are_told)
            return &once->extents[i];
    struct once_extents *more = realloc(once->extents, (once->n_extents + 1) * sizeof *more);
    if (!more) return NULL;
    once->extents = more;
    more[once->n_extents] = (struct once_extents){
        .words = words, .whole = whole, .record = record, .block = block, .are_told = line->are_told};
    return work_out(values, false, &more[once->n_extents]) ? &more[once->n_extents++] : NULL;
}

uint32_t line_look_up(const struct line *line, uint32_t per, uint32_t record, size_t n,
                      parcast_extents *extents)
{
    struct once_extents *one = line_find(line, per, record);
    if (one && !one->seen[n] && !one->through_results && !work_out(line->values, true, one)) return 0;
    if (!one || !one->seen[n]) return 0;
    *extents = one->extents[n];
    return one->seen[n];
}

/* In four dimensions, as distances between structures tell, a few of which would be steps to neighbours. */
static bool find_lattice(const struct line *line, parcast_extents *extents)
{
    enum { SHORTEST = 4 };
    const struct once_extents *one = line_find(line, line->record, 0);
    if (!one || !one->seen[4]) return false;
    *extents = one->extents[4];
    for (size_t i = 0; i < extents->n; i++)
        if (extents->extent[i] < SHORTEST) return false;
    return true;
}

static bool find_structures(const struct line *line, size_t n, parcast_extents *extents)
{
    *extents = (parcast_extents){1, {line->words / line->record}};
    return n == 1 || (n > 3 ? find_lattice(line, extents) : line_look_up(line, line->record, 0, n, extents));
}

/* Structures in n - 1 dimensions, and their words. */
static bool with_fields(const struct line *line, size_t n, parcast_extents *extents)
{
    parcast_extents found;
    if (!find_structures(line, n - 1, &found)) return false;
    *extents = found;
    extents->extent[extents->n++] = line->record;
    return true;
}

/* Structures in n dimensions, with the words of a row of them together. */
static bool in_rows(const struct line *line, size_t n, parcast_extents *extents)
{
    if (!line_look_up(line, line->record, 0, n, extents)) return false;
    extents->extent[n - 1] *= line->record;
    return true;
}

/* Distances between words are believed where they keep structures whole. A plane consists of rows of
 * structures or, where no row is known, of these; in more dimensions their words are the last. */
static bool infer_structures(const struct line *line, size_t n, parcast_extents *extents)
{
    if (n > 2 && with_fields(line, n, extents)) return true;
    if (n > 4) return false;
    if (line_look_up(line, 1, 1, n, extents) && extents->extent[n - 1] % line->record == 0) return true;
    return in_rows(line, n, extents) || (n == 2 && with_fields(line, n, extents));
}

/* Words as far apart as there are structures are the most common: what the types tell are its fields, one
 * after the other. */
static bool are_fields_apart(const struct line *line)
{
    const struct once_extents *words = line_find(line, 1, 1);
    return words && words->nearest == line->words / line->record;
}

static bool run_on(const parcast_values *values, uint32_t index)
{
    struct line line = line_of(values, index);
    parcast_extents ignored;
    if (line.whole > LINE_MOST_WORDS || line.words != line.whole || line.block < 2) return false;
    line_look_up(&line, 1, 1, 2, &ignored);
    const struct once_extents *one = line_find(&line, 1, 1);
    return one && one->runs_on;
}

bool extents_run_on(const parcast_values *values, uint32_t index)
{
    once_hold();
    bool runs_on = run_on(values, index);
    once_release();
    return runs_on;
}

/* Where words tell none, what there are as many structures of may: the centres of cells, beside pressures.
 */
static bool infer_beside(const struct line *line, size_t n, parcast_extents *extents)
{
    return line_infer_words(line, n, extents) || line_look_up(line, 1, 0, n, extents);
}

static bool infer(const parcast_values *values, uint32_t index, size_t n, parcast_extents *extents)
{
    struct line line = line_of(values, index);
    if (line.whole > LINE_MOST_WORDS || n < 2 || n > PARCAST_MAX_EXTENTS) return false;
    if (n == 2 && turned_extents(values, index, extents)) return true;
    bool has_structures = line.record > 1 && line.words % line.record == 0 && !are_fields_apart(&line);
    if (has_structures) return infer_structures(&line, n, extents);
    if (n > 4 || !infer_beside(&line, n, extents)) return false;
    line_join_fields(&line, extents);
    if (line.words == line.whole) turned_faces(values, index, extents);
    return true;
}

bool extents_of_words(const parcast_values *values, uint32_t index, size_t n, parcast_extents *extents)
{
    once_hold();
    bool found = infer(values, index, n, extents);
    once_release();
    return found;
}
