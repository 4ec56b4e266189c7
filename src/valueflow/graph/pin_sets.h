/* Sets of pins, each once, numbered in the order in which they come: the sets of a graph that is being made.
 */
#ifndef PARCAST_VALUEFLOW_PIN_SETS_H
#define PARCAST_VALUEFLOW_PIN_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "valueflow/graph/graph.h"

enum { PIN_SHARDS = 4096 };

/** What was seen, beside the values' own pins and set_first. All 0: nothing yet. */
struct pin_sets {
    struct pin_shard {
        struct pin_slot {
            uint32_t hash, set; /* set + 1; 0: there is none */
        } *slots;
        uint32_t n, size; /* of slots, a power of two */
    } shards[PIN_SHARDS]; /* by the first pin */
    uint64_t n_pins, pin_capacity, set_capacity;
};

/** Room for about so many, which spares copies of what is there. False: out of memory. */
bool pin_sets_expect(struct pin_sets *sets, parcast_values *values, uint64_t n_sets, uint64_t n_pins);

/** The number of the set, a new one if it has not been seen: values->pins, set_first and n_sets then have one
 * more. Pins are below values->n_vertices, in the order of graph_sort_pins(). False: out of memory. */
bool pin_sets_intern(struct pin_sets *sets, parcast_values *values, const uint32_t *pins, uint32_t n,
                     uint32_t *set);

/** There will be no more: the values' own tables become as large as they have to be. */
void pin_sets_end(struct pin_sets *sets, parcast_values *values);
void pin_sets_clear(struct pin_sets *sets);

#endif
