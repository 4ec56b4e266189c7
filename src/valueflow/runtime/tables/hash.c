#include "valueflow/runtime/tables/hash.h"

#include <string.h>

#include "valueflow/runtime/process/memory.h"
#include "valueflow/runtime/tables/ahead.h"
#include "valueflow/runtime/tables/room.h"
#include "valueflow/runtime/tables/vector.h"

static uint64_t mix(const uint32_t *key, uint32_t width)
{
    uint64_t h = 0x9e3779b97f4a7c15ull;
    for (uint32_t i = 0; i < width; i++) {
        h = (h ^ key[i]) * 0xff51afd7ed558ccdull;
        h ^= h >> 32;
    }
    return h;
}

static uint64_t pair_of(const uint32_t *key)
{
    uint64_t pair;
    memcpy(&pair, key, sizeof pair);
    return pair;
}

/* The most frequent width without loops: a key is one number of 64 bits. */
static uint32_t *find_pair(const struct vf_hash *hash, const uint32_t *key)
{
    uint64_t wanted = pair_of(key);
    for (size_t i = vf_hash_of(wanted) & (hash->capacity - 1);; i = (i + 1) & (hash->capacity - 1)) {
        uint32_t *entry = hash->entries + 3 * i;
        if (pair_of(entry) == wanted && entry[2]) return entry + 2;
        if (entry[2]) continue;
        memcpy(entry, key, sizeof wanted);
        return entry + 2;
    }
}

static uint32_t *find(const struct vf_hash *hash, const uint32_t *key)
{
    uint32_t width = hash->width;
    if (width == 2) return find_pair(hash, key);
    for (size_t i = mix(key, width) & (hash->capacity - 1);; i = (i + 1) & (hash->capacity - 1)) {
        uint32_t *entry = hash->entries + i * (width + 1);
        if (entry[width] == 0) {
            memcpy(entry, key, width * sizeof *key);
            return entry + width;
        }
        if (memcmp(entry, key, width * sizeof *key) == 0) return entry + width;
    }
}

static uint64_t place_of(const struct vf_hash *hash, const uint32_t *key)
{
    if (hash->is_index) return *key;
    return hash->width == 2 ? vf_hash_of(pair_of(key)) : mix(key, hash->width);
}

/* An entry that is not there. */
static void put(const struct vf_hash *hash, const uint32_t *entry)
{
    size_t width = hash->width + 1, i = place_of(hash, entry);
    while (hash->entries[(i & (hash->capacity - 1)) * width + hash->width]) i++;
    memcpy(hash->entries + (i & (hash->capacity - 1)) * width, entry, width * sizeof *entry);
}

/* The entries of a run without gaps, taken out to be put back. */
static uint32_t *run;
static size_t run_capacity;

static size_t take_run(struct vf_hash *hash, size_t *slot, size_t mask)
{
    size_t width = hash->width + 1, n = 0;
    for (;; ++*slot) {
        uint32_t *entry = hash->entries + (*slot & mask) * width;
        if (!entry[hash->width]) return n;
        run = vf_grow(run, &run_capacity, sizeof *run, (n + 1) * width);
        memcpy(run + n++ * width, entry, width * sizeof *run);
        memset(entry, 0, width * sizeof *run);
    }
}

/* Twice as large in the same place, so that half of it need not be cleared anew. What was in a run stays near
 * its slots or goes as many further as there were: no other run is in its way. The one round the end, which
 * may go on behind either half, is the last. */
void vf_hash_grow(struct vf_hash *hash)
{
    size_t old = hash->capacity, width = hash->width + 1, bytes = width * sizeof *hash->entries;
    vf_memory_expect(old * bytes);
    hash->capacity = old ? 2 * old : 1024;
    hash->entries = old ? vf_remap(hash->entries, old * bytes, 2 * old * bytes) : vf_map(1024 * bytes);
    hash->n_ahead = vf_has_room(hash->entries) ? hash->capacity / 16 * 9 : 0;
    size_t first = 0;
    while (old && hash->entries[first * width + hash->width]) first++;
    for (size_t slot = first; slot < first + old; slot++) {
        size_t n = take_run(hash, &slot, old - 1);
        for (size_t i = 0; i < n; i++) put(hash, run + i * width);
    }
}

uint32_t *vf_hash_at(struct vf_hash *hash, const uint32_t *key)
{
    if (hash->n * 3 >= hash->capacity * 2) vf_hash_grow(hash);
    return find(hash, key);
}

void vf_hash_ahead(struct vf_hash *hash)
{
    size_t bytes = hash->capacity * (hash->width + 1) * sizeof *hash->entries;
    vf_ahead((char *)hash->entries + bytes, bytes, vf_mapped_bytes());
}

void vf_hash_added(struct vf_hash *hash)
{
    if (++hash->n == hash->n_ahead) vf_hash_ahead(hash);
}

void vf_hash_empty(struct vf_hash *hash)
{
    vf_empty(hash->entries, hash->capacity * (hash->width + 1) * sizeof *hash->entries);
}
