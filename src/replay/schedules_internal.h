/** What the algorithms share: emitting actions, numbering of ranks. */
#ifndef PARCAST_REPLAY_SCHEDULES_INTERNAL_H
#define PARCAST_REPLAY_SCHEDULES_INTERNAL_H

#include <assert.h>
#include <stddef.h>

#include "replay/schedules.h"

/** One step of a rank: puts its actions; false when there is no such step. */
typedef bool schedule_step(struct collective_schedule *s, uint32_t step);

static inline void emit(struct collective_schedule *s, enum schedule_what what, uint32_t peer, int64_t bytes)
{
    assert(s->n_actions < SCHEDULE_MOST_ACTIONS);
    s->actions[s->n_actions++] = (struct schedule_action){what, peer, bytes};
}

static inline void emit_receive(struct collective_schedule *s, uint32_t peer, int64_t bytes)
{
    emit(s, SCHEDULE_RECEIVE, peer, bytes);
}

static inline void emit_send(struct collective_schedule *s, uint32_t peer, int64_t bytes)
{
    emit(s, SCHEDULE_SEND, peer, bytes);
}

static inline void emit_wait(struct collective_schedule *s)
{
    emit(s, SCHEDULE_WAIT, 0, 0);
}

/** Send and receive started together, both awaited. */
static inline void emit_exchange(struct collective_schedule *s, uint32_t to, int64_t sent, uint32_t from,
                                 int64_t received)
{
    emit_receive(s, from, received);
    emit_send(s, to, sent);
    emit_wait(s);
}

/** (rank + by) mod n_ranks, by from -n_ranks to n_ranks. */
static inline uint32_t around(const struct collective_schedule *s, int64_t by)
{
    int64_t n = s->n_ranks;
    return (uint32_t)(((int64_t)s->rank + by % n + n) % n);
}

/** Ranks counted from the root, and back. */
static inline uint32_t from_root(const struct collective_schedule *s)
{
    return (uint32_t)(((uint64_t)s->rank + s->n_ranks - s->root) % s->n_ranks);
}

static inline uint32_t to_rank(const struct collective_schedule *s, uint32_t v)
{
    return (uint32_t)(((uint64_t)v + s->root) % s->n_ranks);
}

/** The largest power of two that is not above n; n from 1. */
static inline uint32_t power_below(uint32_t n)
{
    return UINT32_C(1) << (31 - __builtin_clz(n));
}

/** The lowest power of two that is not below n. */
static inline uint32_t power_above(uint32_t n)
{
    return n <= 1 ? 1 : power_below(n - 1) << 1;
}

static inline uint32_t log_of(uint32_t power)
{
    return (uint32_t)__builtin_ctz(power);
}

static inline int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/** Bytes that member i has to give, take or keep. */
static inline int64_t count_of(const struct collective_schedule *s, uint32_t i)
{
    return s->counts ? s->counts[i] : s->bytes;
}

schedule_step *schedule_rooted(parcast_collective collective, enum schedule_algorithm algorithm);
schedule_step *schedule_rootless(parcast_collective collective, enum schedule_algorithm algorithm);
schedule_step *schedule_exchange(parcast_collective collective, enum schedule_algorithm algorithm);

/* steps that others are made of */
bool bcast_binomial(struct collective_schedule *s, uint32_t step);
bool reduce_binomial(struct collective_schedule *s, uint32_t step);
bool reduce_naive(struct collective_schedule *s, uint32_t step);

#endif
