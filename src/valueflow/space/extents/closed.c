#include "valueflow/space/extents/closed.h"

#include "valueflow/distribution/grid.h"

/* Of a large graph every so many-th run of sets tells as much as all, of a set some of its words. */
enum { RUNS = 64, HOMES = 4, PINS = 64, FAR = 3, SOME = 4 };

struct pairs {
    uint32_t sizes[GRID_MOST_FIELDS], n_sizes; /* of elements that fit */
    uint64_t inside[GRID_MOST_FIELDS], across[GRID_MOST_FIELDS];
    uint64_t far[GRID_MOST_FIELDS]; /* of those inside, a third of the element apart and more */
};

static const struct graph_vertex *vertex_of(const parcast_values *values, uint64_t words, uint32_t v)
{
    const struct graph_vertex *vertex = &values->vertices[v];
    const struct graph_array *array = &values->arrays[vertex->array];
    return !array->is_result && array->words == words ? vertex : NULL;
}

static void add(struct pairs *pairs, uint64_t a, uint64_t b)
{
    uint64_t distance = a > b ? a - b : b - a;
    if (!distance || 2 * distance > GRID_MOST_FIELDS) return;
    for (uint32_t i = 0; i < pairs->n_sizes; i++) {
        if (2 * distance > pairs->sizes[i]) continue;
        if (a / pairs->sizes[i] != b / pairs->sizes[i]) {
            pairs->across[i]++;
            continue;
        }
        pairs->inside[i]++;
        pairs->far[i] += FAR * distance >= pairs->sizes[i];
    }
}

static void add_set(const parcast_values *values, uint64_t words, uint32_t set, struct pairs *pairs)
{
    uint64_t net = values->net_first[set], net_end = values->net_first[set + 1];
    uint64_t pin = values->set_first[set], pin_end = values->set_first[set + 1];
    if (net_end > net + HOMES) net_end = net + HOMES;
    if (pin_end > pin + PINS) pin_end = pin + PINS;
    for (; net < net_end; net++) {
        const struct graph_vertex *home = vertex_of(values, words, values->nets[net].home);
        for (uint64_t i = pin; home && i < pin_end; i++) {
            const struct graph_vertex *reader = vertex_of(values, words, values->pins[i] & ~GRAPH_FOLD);
            if (reader) add(pairs, home->offset, reader->offset);
        }
    }
}

uint32_t closed_words(const parcast_values *values, uint64_t words)
{
    struct pairs pairs = {.n_sizes = 0};
    uint32_t every = graph_every(values, RUNS), found = 0;
    for (uint32_t size = 2; size <= GRID_MOST_FIELDS; size++)
        if (words % size == 0) pairs.sizes[pairs.n_sizes++] = size;
    for (uint32_t s = 0; s < values->n_sets; s++)
        if (graph_is_in_run(s, every)) add_set(values, words, s, &pairs);
    for (uint32_t i = 0; i < pairs.n_sizes; i++)
        if (pairs.inside[i] * every >= words && pairs.far[i] * every >= words / SOME && !pairs.across[i])
            found = pairs.sizes[i];
    return found;
}
