#include "trace/message_key.h"

#include <stdlib.h>

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const struct message_kind *k)
{
    uint64_t hash = mix((uint64_t)(uint32_t)k->source << 32 | (uint32_t)k->destination, 1);
    return mix(hash, (uint64_t)(uint32_t)k->comm << 32 | (uint32_t)k->tag);
}

static bool is_free(const struct message_kind *kind)
{
    return kind->n_sent == 0 && kind->n_received == 0;
}

static struct message_kind *find(const struct message_keys *keys, const struct message_kind *kind)
{
    size_t mask = keys->capacity - 1, i = hash_of(kind) & mask;
    for (; !is_free(&keys->kinds[i]); i = (i + 1) & mask) {
        const struct message_kind *k = &keys->kinds[i];
        if (k->source == kind->source && k->destination == kind->destination && k->comm == kind->comm &&
            k->tag == kind->tag)
            break;
    }
    return &keys->kinds[i];
}

static bool grow(struct message_keys *keys)
{
    struct message_keys more = {.n = keys->n, .capacity = keys->capacity ? 2 * keys->capacity : 256};
    more.kinds = calloc(more.capacity, sizeof *more.kinds);
    if (!more.kinds) return false;
    for (size_t i = 0; i < keys->capacity; i++)
        if (!is_free(&keys->kinds[i])) *find(&more, &keys->kinds[i]) = keys->kinds[i];
    free(keys->kinds);
    *keys = more;
    return true;
}

bool message_key_next(struct message_keys *keys, int32_t source, int32_t destination, int32_t comm,
                      int32_t tag, bool received, uint64_t *key)
{
    struct message_kind kind = {.source = source, .destination = destination, .comm = comm, .tag = tag};
    if (2 * (keys->n + 1) > keys->capacity && !grow(keys)) return false;
    struct message_kind *k = find(keys, &kind);
    if (is_free(k)) {
        *k = kind;
        keys->n++;
    }
    uint64_t number = received ? ++k->n_received : ++k->n_sent;
    *key = mix(hash_of(&kind), number);
    return true;
}

uint64_t message_keys_unpaired(const struct message_keys *keys)
{
    uint64_t n = 0;
    for (size_t i = 0; i < keys->capacity; i++) {
        const struct message_kind *k = &keys->kinds[i];
        n += k->n_sent > k->n_received ? k->n_sent - k->n_received : k->n_received - k->n_sent;
    }
    return n;
}

void message_keys_free(struct message_keys *keys)
{
    free(keys->kinds);
    *keys = (struct message_keys){.kinds = NULL};
}
