#include "valueflow/space/extents/joins.h"

enum { PINS_PER_SET = 64, RUNS = 64 };

/* UINT64_MAX in arrays of another shape, and where an image has no place. */
static uint64_t place_of(const struct distances *d, uint32_t v)
{
    const struct graph_vertex *vertex = &d->values->vertices[v];
    const uint32_t *image = d->image[vertex->array];
    uint64_t words = d->values->arrays[vertex->array].words;
    bool is_placed = words == d->whole * distances_record(d, vertex->array) &&
                     !(image && image[vertex->offset] == GRAPH_NONE);
    return is_placed ? distances_place(d, vertex) : UINT64_MAX;
}

static bool are_joined(uint64_t x, uint64_t y, uint64_t plane, uint64_t row)
{
    uint64_t distance = x > y ? x - y : y - x;
    return distance == row && x / plane != y / plane;
}

static bool set_ends(const struct distances *d, uint32_t set, uint64_t plane, uint64_t row)
{
    const parcast_values *values = d->values;
    uint64_t pin = values->set_first[set], last_pin = values->set_first[set + 1];
    uint64_t net = values->net_first[set], last_net = values->net_first[set + 1];
    if (last_pin > pin + PINS_PER_SET) last_pin = pin + PINS_PER_SET;
    if (last_net > net + PINS_PER_SET) last_net = net + PINS_PER_SET;
    for (; pin < last_pin; pin++) {
        uint64_t x = place_of(d, values->pins[pin] & ~GRAPH_FOLD);
        for (uint64_t j = net; x != UINT64_MAX && j < last_net; j++) {
            uint64_t y = place_of(d, values->nets[j].home);
            if (y != UINT64_MAX && are_joined(x, y, plane, row)) return false;
        }
    }
    return true;
}

bool joins_end(const struct distances *d, uint64_t plane, uint64_t row)
{
    uint32_t every = graph_every(d->values, RUNS);
    for (uint32_t s = 0; s < d->values->n_sets; s++)
        if (graph_is_in_run(s, every) && !set_ends(d, s, plane, row)) return false;
    return true;
}
