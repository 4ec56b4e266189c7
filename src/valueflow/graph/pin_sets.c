/* Sets that come one after the other mostly have first pins that do: in a table that is divided by these they
 * find each other in the cache, where one table of a large graph is in none. */
#include "valueflow/graph/pin_sets.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_SLOTS = 16 };

static uint32_t hash_of(const uint32_t *pins, uint32_t n)
{
    uint64_t h = 0x9e3779b97f4a7c15ull ^ n;
    for (uint32_t i = 0; i < n; i++) h = (h ^ pins[i]) * 0xff51afd7ed558ccdull, h ^= h >> 29;
    return (uint32_t)h;
}

static struct pin_shard *shard_of(struct pin_sets *sets, const parcast_values *values, const uint32_t *pins,
                                  uint32_t n)
{
    uint64_t first = n ? pins[0] & ~GRAPH_FOLD : 0;
    return &sets->shards[first * PIN_SHARDS / ((uint64_t)values->n_vertices + 1)];
}

static bool grow_shard(struct pin_shard *shard)
{
    uint32_t size = shard->size ? 2 * shard->size : LEAST_SLOTS;
    struct pin_slot *slots = size ? calloc(size, sizeof *slots) : NULL;
    if (!slots) return false;
    for (uint32_t i = 0; i < shard->size; i++) {
        uint32_t to = shard->slots[i].hash & (size - 1);
        if (!shard->slots[i].set) continue;
        while (slots[to].set) to = (to + 1) & (size - 1);
        slots[to] = shard->slots[i];
    }
    free(shard->slots);
    shard->slots = slots;
    shard->size = size;
    return true;
}

/* Linear probing; the slot of the set, or the one where it would be. */
static struct pin_slot *find(const struct pin_shard *shard, const parcast_values *values,
                             const uint32_t *pins, uint32_t n, uint32_t hash)
{
    uint32_t i = hash & (shard->size - 1);
    for (; shard->slots[i].set; i = (i + 1) & (shard->size - 1)) {
        if (shard->slots[i].hash != hash) continue;
        const uint32_t *first = &values->set_first[shard->slots[i].set - 1];
        if (first[1] - first[0] == n && memcmp(values->pins + first[0], pins, n * sizeof *pins) == 0) break;
    }
    return &shard->slots[i];
}

static bool resize_sets(struct pin_sets *sets, parcast_values *values, uint64_t n)
{
    uint32_t *first = realloc(values->set_first, (n + 1) * sizeof *first);
    if (!first) return false;
    first[0] = 0;
    values->set_first = first;
    sets->set_capacity = n;
    return true;
}

static bool resize_pins(struct pin_sets *sets, parcast_values *values, uint64_t n)
{
    uint32_t *pins = realloc(values->pins, (n + 1) * sizeof *pins);
    if (!pins) return false;
    values->pins = pins;
    sets->pin_capacity = n;
    return true;
}

static bool make_room(struct pin_sets *sets, parcast_values *values, uint64_t n_pins)
{
    uint64_t n_sets = (uint64_t)values->n_sets + 1;
    if ((!values->set_first || n_sets > sets->set_capacity) && !resize_sets(sets, values, 2 * n_sets))
        return false;
    return (values->pins && n_pins <= sets->pin_capacity) || resize_pins(sets, values, 2 * n_pins);
}

bool pin_sets_expect(struct pin_sets *sets, parcast_values *values, uint64_t n_sets, uint64_t n_pins)
{
    return resize_sets(sets, values, n_sets) && resize_pins(sets, values, n_pins);
}

void pin_sets_end(struct pin_sets *sets, parcast_values *values)
{
    resize_sets(sets, values, values->n_sets);
    resize_pins(sets, values, sets->n_pins);
    pin_sets_clear(sets);
}

bool pin_sets_intern(struct pin_sets *sets, parcast_values *values, const uint32_t *pins, uint32_t n,
                     uint32_t *set)
{
    struct pin_shard *shard = shard_of(sets, values, pins, n);
    uint32_t hash = hash_of(pins, n);
    if (shard->n >= shard->size / 4 * 3 && !grow_shard(shard)) return false;
    struct pin_slot *slot = find(shard, values, pins, n, hash);
    *set = slot->set - 1;
    if (slot->set) return true;
    if (sets->n_pins + n > UINT32_MAX || !make_room(sets, values, sets->n_pins + n)) return false;
    memcpy(values->pins + sets->n_pins, pins, n * sizeof *pins);
    sets->n_pins += n;
    *set = values->n_sets++;
    values->set_first[*set + 1] = (uint32_t)sets->n_pins;
    *slot = (struct pin_slot){hash, *set + 1};
    shard->n++;
    return true;
}

void pin_sets_clear(struct pin_sets *sets)
{
    for (size_t i = 0; i < PIN_SHARDS; i++) free(sets->shards[i].slots);
    *sets = (struct pin_sets){0};
}
