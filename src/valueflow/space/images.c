#include "valueflow/space/images.h"

#include <stdlib.h>

#include "valueflow/graph/incidence.h"
#include "valueflow/graph/once.h"

/* An image of an image of an image is one in a corner of three dimensions, of which a word has 26 at most. */
enum { MOST_STEPS = 3, MOST_IMAGES = 26, MOST_OTHERS = 4, LEAST_SHARE = 8, SPARSE = 64, FAR_FEWER = 4 };

/* The other word of the shape that most of a word's values come of, or go to. */
struct other {
    uint32_t offset, count;
};

static const uint32_t many = GRAPH_NONE - 1; /* words, or at its own place */

struct search {
    const parcast_values *values;
    const struct graph_array *shape;
    uint32_t *image;  /* [words] */
    bool *written;    /* [words] */
    uint32_t *n_used; /* [arrays] words */
    uint64_t begin;   /* of the first image: the front is what stands before it */
};

static bool is_of_shape(const struct search *s, uint32_t v)
{
    const struct graph_vertex *vertex = &s->values->vertices[v];
    const struct graph_array *array = &s->values->arrays[vertex->array];
    return (array == s->shape || graph_are_alike(array, s->shape)) && vertex->offset < s->shape->words;
}

/* Copies lie in an array like that of what they are copies of: of one in which far fewer words are used, a
 * sum in a buffer of the same size, say, nothing is one. */
static bool is_beside(const struct search *s, uint32_t v, uint32_t other)
{
    const struct graph_vertex *vertices = s->values->vertices;
    return is_of_shape(s, other) &&
           FAR_FEWER * (uint64_t)s->n_used[vertices[other].array] >= s->n_used[vertices[v].array];
}

/* False as soon as it is known that there is no one other. */
static bool note(const struct search *s, uint32_t v, uint32_t beside, uint32_t count, struct other *other)
{
    uint64_t offset = s->values->vertices[beside].offset;
    if (offset == s->values->vertices[v].offset) return false;
    if (offset == other->offset) {
        other->count += count;
    } else if (other->offset == GRAPH_NONE || count > other->count) {
        other->offset = (uint32_t)offset;
        other->count = count;
    }
    return true;
}

/* More than MOST_OTHERS are too many. */
static uint32_t count_homes(const struct search *s, uint32_t v, uint32_t set)
{
    uint32_t n = 0;
    for (uint64_t j = s->values->net_first[set]; n <= MOST_OTHERS && j < s->values->net_first[set + 1]; j++)
        n += is_beside(s, v, s->values->nets[j].home);
    return n;
}

/* The other word that most of its values come of; `many` where that is not one. What a sum comes of is not
 * asked: it comes of all its terms. */
static uint32_t source_of(const struct search *s, uint32_t v)
{
    const parcast_values *values = s->values;
    struct other source = {GRAPH_NONE, 0};
    for (uint64_t i = values->at->set_first[v]; i < values->at->set_first[v + 1]; i++) {
        uint32_t set = values->at->sets[i] >> 1, n_homes = count_homes(s, v, set);
        if (!n_homes) continue;
        if (n_homes > MOST_OTHERS || values->at->sets[i] & 1) return many;
        for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++) {
            const struct graph_net *net = &values->nets[j];
            if (is_beside(s, v, net->home) && !note(s, v, net->home, net->count, &source)) return many;
        }
    }
    return source.offset;
}

/* Likewise that they go to. */
static uint32_t reader_of(const struct search *s, uint32_t v)
{
    const parcast_values *values = s->values;
    struct other reader = {GRAPH_NONE, 0};
    for (uint64_t i = values->at->net_first[v]; i < values->at->net_first[v + 1]; i++) {
        uint32_t set = values->at->net_sets[i];
        if (values->set_first[set + 1] - values->set_first[set] > MOST_OTHERS) return many;
        for (uint64_t k = values->set_first[set]; k < values->set_first[set + 1]; k++) {
            uint32_t pin = values->pins[k] & ~GRAPH_FOLD;
            if (!is_beside(s, v, pin) || !note(s, v, pin, values->at->net_counts[i], &reader)) return many;
        }
    }
    return reader.offset;
}

static void find_begin(struct search *s)
{
    s->begin = s->shape->words;
    for (uint32_t v = 0; v < s->values->n_vertices; v++)
        if (s->values->vertices[v].offset < s->begin && is_of_shape(s, v) &&
            (source_of(s, v) < many || reader_of(s, v) < many))
            s->begin = s->values->vertices[v].offset;
}

/* Of what is written behind them more than half are, and there are few to each word before them (settle). */
static bool may_be_images(const struct search *s)
{
    return s->shape->n_written < s->begin + UINT64_C(2) * MOST_IMAGES * s->begin;
}

static void take_others(const struct search *s, uint32_t (*other_of)(const struct search *, uint32_t))
{
    for (uint32_t v = 0; v < s->values->n_vertices; v++) {
        uint64_t offset = s->values->vertices[v].offset;
        if (!is_of_shape(s, v) || s->image[offset] != offset) continue;
        uint32_t other = other_of(s, v);
        if (other < many) s->image[offset] = other;
    }
}

/* To a word of the front; GRAPH_NONE where words behind it come of each other, as in a line that is swept. */
static uint32_t resolve(const struct search *s, uint64_t from)
{
    uint32_t to = (uint32_t)from;
    for (int step = 0; step < MOST_STEPS && to >= s->begin && to != GRAPH_NONE; step++) to = s->image[to];
    return to < s->begin ? to : GRAPH_NONE;
}

/* Some words behind the front have other sources: what the region found there. */
static bool settle(const struct search *s)
{
    uint64_t n_images = 0, n_written = 0;
    for (uint32_t v = 0; v < s->values->n_vertices; v++)
        if (is_of_shape(s, v) && s->values->vertices[v].work > 0)
            s->written[s->values->vertices[v].offset] = true;
    for (uint64_t i = s->shape->words; i-- > s->begin;) {
        s->image[i] = resolve(s, i);
        n_images += s->image[i] != GRAPH_NONE;
        n_written += s->written[i];
    }
    for (uint64_t i = 0; i < s->begin; i++) s->image[i] = (uint32_t)i;
    return n_images * LEAST_SHARE >= s->begin && n_images <= MOST_IMAGES * s->begin &&
           2 * n_images > n_written;
}

static bool find(struct search *s)
{
    for (uint64_t i = 0; i < s->shape->words; i++) s->image[i] = (uint32_t)i;
    take_others(s, source_of);
    take_others(s, reader_of);
    return settle(s);
}

static bool make_behind(struct search *s, struct once_images *made)
{
    s->image = malloc((s->shape->words + 1) * sizeof *s->image);
    s->written = calloc(s->shape->words + 1, sizeof *s->written);
    bool fine = s->image && s->written;
    if (fine && find(s)) {
        made->front = s->begin;
        made->image = s->image;
        s->image = NULL;
    }
    free(s->image);
    free(s->written);
    return fine;
}

static bool make(const parcast_values *values, uint32_t array, struct once_images *made)
{
    struct search s = {.values = values, .shape = &values->arrays[array]};
    if (s.shape->words >= many || s.shape->words / SPARSE > values->n_vertices || !s.shape->n_written ||
        !values->n_sets)
        return true;
    s.n_used = calloc(values->n_arrays + 1, sizeof *s.n_used);
    if (!s.n_used) return false;
    for (uint32_t v = 0; v < values->n_vertices; v++) s.n_used[values->vertices[v].array]++;
    find_begin(&s);
    bool fine = !may_be_images(&s) || make_behind(&s, made);
    free(s.n_used);
    return fine;
}

static const struct once_images *find_or_make(const parcast_values *values, uint32_t array)
{
    const struct graph_array *shape = &values->arrays[array];
    struct once_images *one = values->once->images;
    while (one && !(one->words == shape->words && one->n_blocks == shape->n_blocks)) one = one->next;
    if (one) return one;
    one = malloc(sizeof *one);
    if (!one) return NULL;
    *one = (struct once_images){values->once->images, shape->words, shape->n_blocks, shape->words, NULL};
    if (!make(values, array, one)) {
        free(one);
        return NULL;
    }
    values->once->images = one;
    return one;
}

/* Those of arrays of its shape; NULL where memory is missing. */
static const struct once_images *look_up(const parcast_values *values, uint32_t array)
{
    once_hold();
    const struct once_images *one = find_or_make(values, array);
    once_release();
    return one;
}

bool images_find(const parcast_values *values, uint32_t array, const uint32_t **image)
{
    const struct once_images *one = look_up(values, array);
    *image = one ? one->image : NULL;
    return one;
}

uint64_t images_front(const parcast_values *values, uint32_t array)
{
    const struct once_images *one = look_up(values, array);
    return one ? one->front : values->arrays[array].words;
}

void images_clear(struct once_images *images)
{
    while (images) {
        struct once_images *next = images->next;
        free(images->image);
        free(images);
        images = next;
    }
}
