/**
 * A GOAL program inside: the coded stream of each rank, and the cursor that reads it.
 *
 * One operation in the stream, numbers as little-endian base-128 varints, signed ones zigzag:
 *
 *     kind and flags (1 byte) | amount | [peer - rank] | [tag] | [cpu | nic] | line - line before
 *     | number of operations it requires | number of dependents | dependents: 2 * zigzag(distance) + started
 *
 * A dependent is named by its distance in operations; it stands with what it requires, in the order of the
 * text, because that is what a replay asks for when an operation is done.
 */
#ifndef PARCAST_TRACE_GOAL_H
#define PARCAST_TRACE_GOAL_H

#include "parcast/goal.h"
#include "trace/goal_store.h"

struct goal_rank {
    uint64_t begin, end; /**< in the store */
    uint64_t n_operations;
    uint64_t n_first; /**< every operation that requires nothing has a smaller number */
    bool begun;
};

struct goal_open; /* an operation that may still get dependences */

struct parcast_goal {
    int n_ranks;
    int n_cpus, n_nics; /**< the largest index used anywhere, plus one */
    uint64_t n_operations;
    struct goal_rank *ranks; /**< [n_ranks] */
    struct goal_store store;
    bool finished;
    char *source; /**< file, or NULL */
    /* the rank that is being built */
    int rank; /**< -1: none */
    struct goal_open *open;
    uint32_t n_open, open_room;
    uint64_t n_flushed;
    int line_before;
    struct goal_dependence *dependences;
    uint32_t n_dependences, dependence_room, free_dependence;
};

/** An operation as the cursor gives it. */
struct goal_node {
    parcast_goal_operation operation;
    uint32_t n_required;
    uint32_t n_dependents;
    const int64_t *dependents; /**< [n_dependents] 2 * distance + started; until the next goal_cursor_next */
};

struct goal_cursor {
    const parcast_goal *goal;
    struct goal_view view;
    uint64_t offset, end;
    int rank, line;
    int64_t *dependents;
    uint32_t dependent_room;
};

/** window_bytes is what is read at once from a program that lies in a file. */
bool goal_cursor_open(struct goal_cursor *cursor, const parcast_goal *goal, int rank, uint32_t window_bytes);
void goal_cursor_close(struct goal_cursor *cursor);
static inline bool goal_cursor_at_end(const struct goal_cursor *cursor)
{
    return cursor->offset == cursor->end;
}
/** It will be read from soon: fetch what it stands before. */
static inline void goal_cursor_foresee(const struct goal_cursor *cursor)
{
    const struct goal_view *view = &cursor->view;
    if (view->store->file < 0)
        __builtin_prefetch(view->store->bytes + cursor->offset);
    else if (view->window && cursor->offset >= view->window_begin)
        __builtin_prefetch(view->window + (cursor->offset - view->window_begin));
}
/** The next operation; only when there is one. False when memory is short or the file cannot be read. */
bool goal_cursor_next(struct goal_cursor *cursor, struct goal_node *node);

#endif
