#include "valueflow/runtime/hash.h"

#include <string.h>

#include "valueflow/runtime/memory.h"
#include "valueflow/runtime/vector.h"

static uint64_t mix(const uint32_t *key, uint32_t width)
{
    uint64_t h = 0x9e3779b97f4a7c15ull;
    for (uint32_t i = 0; i < width; i++) {
        h = (h ^ key[i]) * 0xff51afd7ed558ccdull;
        h ^= h >> 32;
    }
    return h;
}

/* The most frequent width without loops: a key is one number of 64 bits. */
static uint32_t *find_pair(const struct vf_hash *hash, const uint32_t *key)
{
    uint64_t wanted, found;
    memcpy(&wanted, key, sizeof wanted);
    uint64_t h = (wanted ^ wanted >> 29) * 0xff51afd7ed558ccdull;
    for (size_t i = (h ^ h >> 32) & (hash->capacity - 1);; i = (i + 1) & (hash->capacity - 1)) {
        uint32_t *entry = hash->entries + 3 * i;
        memcpy(&found, entry, sizeof found);
        if (found == wanted && entry[2]) return entry + 2;
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

static void rehash(struct vf_hash *hash)
{
    size_t old_capacity = hash->capacity, bytes = (hash->width + 1) * sizeof(uint32_t);
    uint32_t *old = hash->entries, *grown = vf_map((old_capacity ? 2 * old_capacity : 1024) * bytes);
    vf_memory_expect(old_capacity * bytes);
    hash->capacity = old_capacity ? 2 * old_capacity : 1024;
    hash->entries = grown;
    for (size_t i = 0; i < old_capacity; i++) {
        const uint32_t *entry = old + i * (hash->width + 1);
        if (entry[hash->width]) *find(hash, entry) = entry[hash->width];
    }
    if (old) vf_unmap(old, old_capacity * bytes);
}

uint32_t *vf_hash_at(struct vf_hash *hash, const uint32_t *key)
{
    if (hash->n * 3 >= hash->capacity * 2) rehash(hash);
    return find(hash, key);
}

void vf_hash_added(struct vf_hash *hash)
{
    hash->n++;
}
