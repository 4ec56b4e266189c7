#include "valueflow/space/images.h"

#include <stdlib.h>

#include "valueflow/graph/once.h"

/* An image of an image of an image is one in a corner of three dimensions, of which a word has 26 at most. */
enum { MOST_STEPS = 3, MOST_IMAGES = 26, MOST_OTHERS = 4, LEAST_SHARE = 8, SPARSE = 64 };

/* The other word of the shape that most of a word's values come of, or go to. */
struct other {
    uint32_t offset, count;
};

static const uint32_t many = GRAPH_NONE - 1; /* words, or at its own place */

struct search {
    const parcast_values *values;
    const struct graph_array *shape;
    struct other *source, *reader; /* [n_vertices] */
    uint32_t *image;               /* [words] */
    bool *written;                 /* [words] */
    uint64_t begin;                /* of the first image: the front is what stands before it */
};

static bool is_of_shape(const struct search *s, uint32_t v)
{
    const struct graph_vertex *vertex = &s->values->vertices[v];
    const struct graph_array *array = &s->values->arrays[vertex->array];
    return (array == s->shape || graph_are_alike(array, s->shape)) && vertex->offset < s->shape->words;
}

static void note(const struct search *s, uint32_t v, uint32_t beside, uint32_t count, struct other *others)
{
    uint64_t offset = s->values->vertices[beside].offset;
    struct other *other = &others[v];
    if (!is_of_shape(s, v) || other->offset == many) return;
    if (offset == s->values->vertices[v].offset) {
        other->offset = many;
    } else if (offset == other->offset) {
        other->count += count;
    } else if (other->offset == GRAPH_NONE || count > other->count) {
        other->offset = (uint32_t)offset;
        other->count = count;
    }
}

/* What a sum comes of is not asked: it comes of all its terms. */
static void note_sources(const struct search *s, uint32_t set, bool crowd)
{
    const parcast_values *values = s->values;
    for (uint64_t i = values->set_first[set]; i < values->set_first[set + 1]; i++) {
        uint32_t reader = values->pins[i] & ~GRAPH_FOLD;
        if (crowd || values->pins[i] & GRAPH_FOLD) s->source[reader].offset = many;
        for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++) {
            const struct graph_net *net = &values->nets[j];
            if (!is_of_shape(s, net->home)) continue;
            if (!crowd) note(s, reader, net->home, net->count, s->source);
        }
    }
}

static void note_readers(const struct search *s, uint32_t set, bool crowd)
{
    const parcast_values *values = s->values;
    for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++) {
        const struct graph_net *net = &values->nets[j];
        if (crowd) s->reader[net->home].offset = many;
        for (uint64_t i = values->set_first[set]; !crowd && i < values->set_first[set + 1]; i++)
            note(s, net->home, values->pins[i] & ~GRAPH_FOLD, net->count, s->reader);
    }
}

static void find_others(const struct search *s)
{
    const parcast_values *values = s->values;
    for (uint32_t v = 0; v < values->n_vertices; v++)
        s->source[v] = s->reader[v] = (struct other){GRAPH_NONE, 0};
    for (uint32_t set = 0; set < values->n_sets; set++) {
        uint64_t n_homes = 0, n_pins = values->set_first[set + 1] - values->set_first[set];
        for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++)
            n_homes += is_of_shape(s, values->nets[j].home);
        bool elsewhere = n_pins > MOST_OTHERS;
        for (uint64_t i = values->set_first[set]; !elsewhere && i < values->set_first[set + 1]; i++)
            elsewhere = !is_of_shape(s, values->pins[i] & ~GRAPH_FOLD);
        if (n_homes) note_sources(s, set, n_homes > MOST_OTHERS);
        if (n_homes) note_readers(s, set, elsewhere);
    }
}

static void take_others(const struct search *s, const struct other *others)
{
    for (uint32_t v = 0; v < s->values->n_vertices; v++) {
        uint64_t offset = s->values->vertices[v].offset;
        if (others[v].offset < many && s->image[offset] == offset) s->image[offset] = others[v].offset;
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
    find_others(s);
    for (uint64_t i = 0; i < s->shape->words; i++) s->image[i] = (uint32_t)i;
    take_others(s, s->source);
    take_others(s, s->reader);
    while (s->begin < s->shape->words && s->image[s->begin] == s->begin) s->begin++;
    return settle(s);
}

static bool make(const parcast_values *values, uint32_t array, struct once_images *made)
{
    struct search s = {.values = values, .shape = &values->arrays[array]};
    size_t n = (size_t)values->n_vertices + 1;
    if (s.shape->words >= many || s.shape->words / SPARSE > values->n_vertices || !s.shape->n_written)
        return true;
    s.source = malloc(n * sizeof *s.source);
    s.reader = malloc(n * sizeof *s.reader);
    s.image = malloc((s.shape->words + 1) * sizeof *s.image);
    s.written = calloc(s.shape->words + 1, sizeof *s.written);
    bool fine = s.source && s.reader && s.image && s.written;
    if (fine && find(&s)) {
        made->front = s.begin;
        made->image = s.image;
        s.image = NULL;
    }
    free(s.source);
    free(s.reader);
    free(s.image);
    free(s.written);
    return fine;
}

/* Those of arrays of its shape; NULL where memory is missing. */
static const struct once_images *look_up(const parcast_values *values, uint32_t array)
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
