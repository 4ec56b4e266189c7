#include "valueflow/space/boxes.h"

#include <stdlib.h>

#include "valueflow/distribution/grid.h"
#include "valueflow/graph/once.h"
#include "valueflow/space/extents/distances.h"
#include "valueflow/space/images.h"

enum {
    MOST_PAIRS = 1 << 17,
    MOST_WORDS = 1 << 24,
    PINS_PER_SET = 32,
    MOST_OF_SET = 1 << 16, /* homes times pins */
    FEWEST_PAIRS = 256,
    SHORTEST = 4,
    SEEN = 32, /* pairs to one that is a step along a dimension, at most */
    OUTSIDE = 20,
    MOST_DIMENSIONS = 3,
    MOST_ROWS = 16,
    MOST_APART = 2,
    RUNS = 64
};

/* Words that are read together. */
struct pair {
    uint64_t a, b;
};

struct sample {
    const parcast_values *values;
    const struct graph_array *shape;
    const uint32_t *image; /* or NULL */
    struct pair *pairs;
    size_t n;
    uint64_t met, every; /* pairs; one of so many is kept */
};

/* Where a word of the shape lies; false for others. */
static bool find_place(const struct sample *s, uint32_t v, uint64_t *place)
{
    const struct graph_vertex *vertex = &s->values->vertices[v];
    const struct graph_array *array = &s->values->arrays[vertex->array];
    if ((array != s->shape && !graph_are_alike(array, s->shape)) || vertex->offset >= array->words)
        return false;
    *place = s->image ? s->image[vertex->offset] : vertex->offset;
    return *place != GRAPH_NONE;
}

/* Of too many every second one is kept from then on. */
static void keep(struct sample *s, uint64_t a, uint64_t b)
{
    if (a == b || s->met++ % s->every) return;
    if (s->n == MOST_PAIRS) {
        for (size_t i = 0; 2 * i < s->n; i++) s->pairs[i] = s->pairs[2 * i];
        s->n /= 2;
        s->every *= 2;
    }
    s->pairs[s->n++] = (struct pair){a, b};
}

/* What a result comes of meets in it: each with the first. */
static void note_source(struct sample *s, uint32_t result, uint64_t place, uint64_t *first)
{
    if (first[result] == UINT64_MAX)
        first[result] = place;
    else
        keep(s, first[result], place);
}

/* Of many words that many read some are asked. Without `first` no results are. */
static void list_set(struct sample *s, uint32_t set, uint64_t *first)
{
    const parcast_values *values = s->values;
    uint64_t begin = values->set_first[set], n_pins = values->set_first[set + 1] - begin;
    uint64_t n_homes = values->net_first[set + 1] - values->net_first[set];
    uint64_t step = n_pins / PINS_PER_SET + 1, next = n_homes * n_pins / MOST_OF_SET + 1, place, beside;
    for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j += next) {
        if (!find_place(s, values->nets[j].home, &place)) continue;
        for (uint64_t i = j % step; i < n_pins; i += step)
            if (find_place(s, values->pins[begin + i] & ~GRAPH_FOLD, &beside)) keep(s, place, beside);
        for (uint64_t i = 0; first && i < n_pins; i++) {
            uint32_t pin = values->pins[begin + i] & ~GRAPH_FOLD;
            if (values->arrays[values->vertices[pin].array].is_result) note_source(s, pin, place, first);
        }
    }
}

static bool list_pairs(struct sample *s)
{
    uint64_t *first = malloc(((size_t)s->values->n_vertices + 1) * sizeof *first);
    if (!first) return false;
    for (uint32_t v = 0; v < s->values->n_vertices; v++) first[v] = UINT64_MAX;
    for (uint32_t set = 0; set < s->values->n_sets; set++) list_set(s, set, first);
    free(first);
    return true;
}

/* Some runs of neighbouring sets. */
static void list_some_pairs(struct sample *s)
{
    uint32_t every = graph_every(s->values, RUNS);
    for (uint32_t set = 0; set < s->values->n_sets; set++)
        if (graph_is_in_run(set, every)) list_set(s, set, NULL);
}

/* ---- boxes of so many words ---- */

struct trial {
    const struct sample *sample;
    uint64_t words, n_boxes; /* of a box, how many */
    uint32_t *count;         /* [n_boxes / 2 + 1] pairs of boxes that are so far apart */
    uint64_t all;            /* pairs in two boxes */
};

static void count_distances(struct trial *t)
{
    t->all = 0;
    for (uint64_t w = 0; w <= t->n_boxes / 2; w++) t->count[w] = 0;
    for (size_t i = 0; i < t->sample->n; i++) {
        uint64_t x = t->sample->pairs[i].a / t->words, y = t->sample->pairs[i].b / t->words;
        uint64_t distance = x > y ? x - y : y - x;
        t->all += distance > 0;
        if (distance && distance <= t->n_boxes / 2) t->count[distance]++;
    }
}

/* In the same place or one beside it, also across the ends. */
static bool is_beside(uint64_t x, uint64_t y, uint64_t extent)
{
    uint64_t distance = x > y ? x - y : y - x;
    return distance <= 1 || distance + 1 == extent;
}

static bool are_neighbours(const parcast_extents *extents, uint64_t x, uint64_t y)
{
    for (size_t i = extents->n; i-- > 0;) {
        if (!is_beside(x % extents->extent[i], y % extents->extent[i], extents->extent[i])) return false;
        x /= extents->extent[i];
        y /= extents->extent[i];
    }
    return true;
}

/* Places along the last dimension that nothing stands at: the slots of a box that are not filled. */
static bool has_gaps(const struct trial *t, uint64_t extent)
{
    uint64_t n_used = 0;
    bool *used = calloc(extent, sizeof *used);
    for (size_t i = 0; used && i < t->sample->n; i++) {
        uint64_t at = t->sample->pairs[i].a / t->words % extent;
        n_used += !used[at];
        used[at] = true;
    }
    free(used);
    return 2 * n_used <= extent;
}

/* Nearly all pairs are of neighbours. */
static bool is_right(const struct trial *t, const parcast_extents *extents)
{
    uint64_t outside = 0;
    for (size_t i = 0; i < t->sample->n; i++)
        outside +=
            !are_neighbours(extents, t->sample->pairs[i].a / t->words, t->sample->pairs[i].b / t->words);
    return outside * OUTSIDE < t->all && !has_gaps(t, extents->extent[extents->n - 1]);
}

static bool is_step(const struct trial *t, uint64_t w, uint64_t of)
{
    return w % of == 0 && w / of >= SHORTEST && t->n_boxes % w == 0 && t->n_boxes / w >= SHORTEST &&
           (uint64_t)t->count[w] * SEEN >= t->all;
}

/* Rows, and planes where there are three dimensions; each of them is a step to a neighbour. */
static bool find_extents(const struct trial *t, size_t n, parcast_extents *extents)
{
    int n_rows = 0;
    for (uint64_t row = SHORTEST; row <= t->n_boxes / SHORTEST && n_rows < MOST_ROWS; row++) {
        if (!is_step(t, row, 1)) continue;
        n_rows++;
        *extents = (parcast_extents){2, {t->n_boxes / row, row}};
        if (n == 2 && is_right(t, extents)) return true;
        for (uint64_t plane = SHORTEST * row; n > 2 && plane <= t->n_boxes / SHORTEST; plane += row) {
            if (!is_step(t, plane, row)) continue;
            *extents = (parcast_extents){3, {t->n_boxes / plane, plane / row, row}};
            if (is_right(t, extents)) return true;
        }
    }
    return false;
}

/* The smallest boxes that will do. */
static bool find_boxes(struct trial *t, uint64_t words, size_t n, parcast_extents *extents)
{
    for (t->words = 1; t->words * SHORTEST * SHORTEST <= words; t->words++) {
        if (words % t->words) continue;
        t->n_boxes = words / t->words;
        count_distances(t);
        if (t->all < FEWEST_PAIRS || (uint64_t)t->count[1] * SEEN < t->all) continue;
        if (find_extents(t, n, extents)) return true;
    }
    return false;
}

/* Less than one in `most` of what is read does not lie beside, as in a mesh. */
static bool is_mesh(const struct sample *s, uint32_t array, size_t most)
{
    parcast_extents extents;
    for (size_t n = 2; n <= MOST_DIMENSIONS; n++) {
        size_t apart = 0;
        if (!extents_of_words(s->values, array, n, &extents)) continue;
        for (size_t i = 0; i < s->n; i++) apart += !are_neighbours(&extents, s->pairs[i].a, s->pairs[i].b);
        if (most * apart < s->n) return true;
    }
    return false;
}

/* Most meshes are seen to be one at once. */
static bool is_clear_mesh(struct sample *s, uint32_t array)
{
    list_some_pairs(s);
    bool is_clear = s->n >= FEWEST_PAIRS && is_mesh(s, array, 2 * MOST_APART);
    s->n = s->met = 0;
    s->every = 1;
    return is_clear;
}

/* Words or structures that show their extents themselves are no boxes. */
static bool look(const struct sample *s, uint64_t words, struct once_boxes *boxes)
{
    if (words > MOST_WORDS) return true;
    struct trial t = {.sample = s, .count = malloc((words / 2 + 1) * sizeof *t.count)};
    if (!t.count) return false;
    bool found = false;
    for (size_t n = MOST_DIMENSIONS; n > 1 && !found && s->n >= FEWEST_PAIRS; n--)
        found = find_boxes(&t, words, n, &boxes->extents);
    free(t.count);
    boxes->box = t.words;
    if (!found || t.words <= GRID_FIELDS || t.words == s->shape->record || t.words % s->shape->record)
        boxes->extents.n = 0;
    return true;
}

static bool make(const parcast_values *values, uint32_t array, struct once_boxes *boxes)
{
    struct sample s = {.values = values, .shape = &values->arrays[array], .every = 1};
    bool fine = images_find(values, array, &s.image);
    if (fine) s.pairs = malloc(MOST_PAIRS * sizeof *s.pairs);
    fine = s.pairs &&
           (is_clear_mesh(&s, array) || (list_pairs(&s) && (is_mesh(&s, array, MOST_APART) ||
                                                            look(&s, images_front(values, array), boxes))));
    free(s.pairs);
    return fine;
}

static const struct once_boxes *find_or_make(const parcast_values *values, uint32_t array)
{
    const struct graph_array *shape = &values->arrays[array];
    struct once_boxes *one = values->once->boxes;
    while (one && !(one->words == shape->words && one->n_blocks == shape->n_blocks)) one = one->next;
    if (one) return one;
    one = malloc(sizeof *one);
    if (!one) return NULL;
    *one =
        (struct once_boxes){.next = values->once->boxes, .words = shape->words, .n_blocks = shape->n_blocks};
    if (!make(values, array, one)) {
        free(one);
        return NULL;
    }
    values->once->boxes = one;
    return one;
}

/* Of arrays of its shape; NULL where memory is missing. */
static const struct once_boxes *look_up(const parcast_values *values, uint32_t array)
{
    once_hold();
    const struct once_boxes *one = find_or_make(values, array);
    once_release();
    return one;
}

bool boxes_extents(const parcast_values *values, uint32_t array, size_t n, parcast_extents *extents)
{
    const struct graph_array *shape = &values->arrays[array];
    const struct once_boxes *boxes = shape->is_result ? NULL : look_up(values, array);
    if (!boxes || !boxes->extents.n || n > boxes->extents.n + 1) return false;
    *extents = boxes->extents;
    extents->extent[extents->n++] = boxes->box;
    while (extents->n > n) {
        extents->n--;
        extents->extent[extents->n - 1] *= extents->extent[extents->n];
    }
    return true;
}

uint64_t boxes_words(const parcast_values *values, uint32_t array)
{
    const struct once_boxes *boxes = look_up(values, array);
    return boxes && boxes->extents.n ? boxes->box : 1;
}

void boxes_clear(struct once_boxes *boxes)
{
    while (boxes) {
        struct once_boxes *next = boxes->next;
        free(boxes);
        boxes = next;
    }
}
