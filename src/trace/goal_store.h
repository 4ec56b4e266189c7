/**
 * Bytes that are appended once and then read at several places: in memory while they are few, in an unlinked
 * temporary file ($TMPDIR, /tmp) beyond GOAL_STORE_MEMORY bytes.
 */
#ifndef PARCAST_TRACE_GOAL_STORE_H
#define PARCAST_TRACE_GOAL_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"

enum { GOAL_STORE_MEMORY = 16 << 20 };

struct goal_store {
    unsigned char *bytes; /**< the tail that is not in the file yet */
    size_t n_bytes, room;
    uint64_t n_written; /**< bytes in the file */
    int file;           /**< -1: none */
};

void goal_store_create(struct goal_store *store);
void goal_store_destroy(struct goal_store *store);
parcast_status goal_store_append(struct goal_store *store, const void *bytes, size_t n_bytes,
                                 parcast_error *error);
/** Nothing more comes. */
parcast_status goal_store_finish(struct goal_store *store, parcast_error *error);
static inline uint64_t goal_store_size(const struct goal_store *store)
{
    return store->n_written + store->n_bytes;
}

/** A window on a finished store. */
struct goal_view {
    const struct goal_store *store;
    unsigned char *window; /**< NULL while nothing was read from a file */
    uint32_t window_room, n_window;
    uint64_t window_begin;
};

void goal_view_open(struct goal_view *view, const struct goal_store *store, uint32_t window_bytes);
void goal_view_close(struct goal_view *view);
/**
 * The bytes from offset on, at least n_bytes of them where there are so many; *n_available says how many.
 * NULL when memory is short or the file cannot be read. They hold until the next call.
 */
const unsigned char *goal_view_at(struct goal_view *view, uint64_t offset, uint32_t n_bytes,
                                  size_t *n_available);

#endif
