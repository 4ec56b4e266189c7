/**
 * Which ends belong to one message: the k-th that is sent from a rank to another with a tag on a communicator
 * is the k-th that is received so, whatever the dates (messages of one kind do not overtake each other).
 */
#ifndef PARCAST_TRACE_MESSAGE_KEY_H
#define PARCAST_TRACE_MESSAGE_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct message_kind {
    int32_t source, destination, comm, tag;
    uint64_t n_sent, n_received; /* both 0: the slot is free */
};

struct message_keys {
    struct message_kind *kinds; /* [capacity] hash table */
    size_t n, capacity;
};

/** Key of the next message of a kind at one of its ends. False: out of memory. */
bool message_key_next(struct message_keys *keys, int32_t source, int32_t destination, int32_t comm,
                      int32_t tag, bool received, uint64_t *key);

/** Messages with one end only. */
uint64_t message_keys_unpaired(const struct message_keys *keys);

void message_keys_free(struct message_keys *keys);

#endif
