/** What the algorithms share: emitting actions, numbering of ranks. */
#ifndef PARCAST_REPLAY_SCHEDULES_INTERNAL_H
#define PARCAST_REPLAY_SCHEDULES_INTERNAL_H

#include <assert.h>
#include <stddef.h>

#include "replay/schedules.h"

/** One step of a rank: puts its actions; false when there is no such step. */
typedef bool schedule_step(struct collective_schedule *s, uint32_t step);

struct schedule_entry {
    parcast_collective collective;
    enum collective_algorithm algorithm;
    schedule_step *step;
};

static inline void emit_on(struct collective_schedule *s, enum schedule_what what, unsigned channel,
                           uint32_t peer, struct schedule_data data)
{
    assert(s->n_actions < SCHEDULE_MOST_ACTIONS);
    s->actions[s->n_actions++] =
        (struct schedule_action){what, (uint8_t)channel, s->group ? s->group[peer] : peer, data};
}

static inline void emit_receive(struct collective_schedule *s, uint32_t peer, struct schedule_data data)
{
    emit_on(s, SCHEDULE_RECEIVE, CHANNEL_EVEN, peer, data);
}

static inline void emit_send(struct collective_schedule *s, uint32_t peer, struct schedule_data data)
{
    emit_on(s, SCHEDULE_SEND, CHANNEL_SENDS, peer, data);
}

static inline void emit_wait_for(struct collective_schedule *s, unsigned channels)
{
    assert(s->n_actions < SCHEDULE_MOST_ACTIONS);
    s->actions[s->n_actions++] =
        (struct schedule_action){.what = SCHEDULE_WAIT, .channel = (uint8_t)channels};
}

static inline void emit_wait(struct collective_schedule *s)
{
    emit_wait_for(s, SCHEDULE_ALL_CHANNELS);
}

/** One message, waited for. */
static inline void emit_blocking(struct collective_schedule *s, bool sends, uint32_t peer,
                                 struct schedule_data data)
{
    if (sends)
        emit_send(s, peer, data);
    else
        emit_receive(s, peer, data);
    emit_wait(s);
}

/** Send and receive started together, both awaited. */
static inline void emit_exchange(struct collective_schedule *s, uint32_t to, struct schedule_data sent,
                                 uint32_t from, struct schedule_data received)
{
    emit_receive(s, from, received);
    emit_send(s, to, sent);
    emit_wait(s);
}

/** The same without messages of no bytes, where both sides know the sizes. */
static inline void emit_exchange_of_some(struct collective_schedule *s, uint32_t peer,
                                         struct schedule_data sent, struct schedule_data received)
{
    if (received.bytes > 0) emit_receive(s, peer, received);
    if (sent.bytes > 0) emit_send(s, peer, sent);
    emit_wait(s);
}

/**
 * Step k of a ring whose receives are begun one ahead: the receive of step k, the wait for that of step k -
 * 1, whose data are then sent on. The last one awaits all.
 */
static inline void emit_ahead(struct collective_schedule *s, uint32_t k, uint32_t n_steps, uint32_t to,
                              struct schedule_data sent, uint32_t from, struct schedule_data received)
{
    emit_on(s, SCHEDULE_RECEIVE, k % 2 ? CHANNEL_ODD : CHANNEL_EVEN, from, received);
    if (k > 0) emit_wait_for(s, 1U << (k % 2 ? CHANNEL_EVEN : CHANNEL_ODD));
    emit_send(s, to, sent);
    emit_wait_for(s, k + 1 < n_steps ? 1U << CHANNEL_SENDS : (unsigned)SCHEDULE_ALL_CHANNELS);
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

/** 2^step, or n_ranks (the end) where that is too large. */
static inline uint32_t distance_of(const struct collective_schedule *s, uint32_t step)
{
    return step < 31 ? UINT32_C(1) << step : s->n_ranks;
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

/* Data. */

/** Blocks of n members from `first` on, around. */
static inline struct schedule_data blocks(const struct collective_schedule *s, uint32_t first, uint32_t n)
{
    int64_t sum = 0;
    if (!s->counts) return (struct schedule_data){n * s->bytes, first, n};
    for (uint32_t i = 0; i < n; i++) sum += s->counts[(first + i) % s->all_ranks];
    return (struct schedule_data){sum, first, n};
}

/** Bytes [first, end) of the vector. */
static inline struct schedule_data range(int64_t first, int64_t end)
{
    return (struct schedule_data){end > first ? end - first : 0, first, 0};
}

/** All of the vector. */
static inline struct schedule_data whole(const struct collective_schedule *s)
{
    return range(0, s->vector);
}

static inline struct schedule_data nothing(void)
{
    return (struct schedule_data){0, 0, 0};
}

/*
 * Folding P = p + rem to the power of two p: of the first 2 rem ranks the even ones hand their data to the
 * next rank and get the result back (odd_hands: the odd ones to the rank before); the others are renumbered.
 */
struct fold {
    uint32_t p, rem, number;
    bool hands, takes; /**< this rank hands its data over, or takes another's */
    bool odd_hands;
};

static inline struct fold fold_of(const struct collective_schedule *s, bool odd_hands)
{
    uint32_t p = power_below(s->n_ranks), rem = s->n_ranks - p;
    struct fold f = {.p = p, .rem = rem, .odd_hands = odd_hands};
    bool folded = s->rank < 2 * rem, odd = s->rank % 2;
    f.hands = folded && odd == odd_hands;
    f.takes = folded && odd != odd_hands;
    f.number = folded ? s->rank / 2 : s->rank - rem;
    return f;
}

static inline uint32_t unfold(const struct fold *f, uint32_t number)
{
    return number < f->rem ? 2 * number + !f->odd_hands : number + f->rem;
}

/** Step 0, and the last one, of everything that folds. */
static inline void emit_fold(struct collective_schedule *s, const struct fold *f, bool back,
                             struct schedule_data data)
{
    if (f->hands || f->takes) emit_blocking(s, f->hands != back, s->rank ^ 1, data);
}

/** In v's subtree of 2^i, of n_ranks, some have no partner at distance 2^i: does v tell v ^ distance, or hear
 * from it, what the others got? */
static inline bool passes_on(uint32_t n_ranks, uint32_t v, uint32_t i, uint32_t distance, bool *tells)
{
    uint32_t m = UINT32_C(1) << i, own = v & ~(m - 1), other = v ^ distance;
    uint32_t n_complete = n_ranks - own - m; /* ranks of the subtree that had one */
    uint32_t first = v & ~(2 * distance - 1), end = first + n_complete;
    *tells = v < end;
    return *tells != (other < end) && other < n_ranks && (v < other) == *tells;
}

/** Step `turn` of exchanges at distance 2^i, each of which is followed by i messages to those without a
 * partner: the i-th exchange, and its turn. */
static inline uint32_t turn_of_doubling(uint32_t step, uint32_t *turn)
{
    uint32_t i = 0;
    while (step > i) step -= ++i;
    *turn = step;
    return i;
}

/** First block, of p, of those that `number` is left with after k halvings at distance 1, 2, .. */
static inline uint32_t halved(uint32_t number, uint32_t p, uint32_t k)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < k; i++) first += (number >> i & 1) * (p >> (i + 1));
    return first;
}

/* Tables of the files, each ended by an entry without a step. */
extern const struct schedule_entry schedule_trees[], schedule_rooted[], schedule_rootless[],
    schedule_reduce_scatters[], schedule_exchanges[], schedule_compositions[];

schedule_step *schedule_step_of(parcast_collective collective, enum collective_algorithm algorithm);

/* steps that others are made of */
bool bcast_binomial(struct collective_schedule *s, uint32_t step);
bool reduce_naive(struct collective_schedule *s, uint32_t step);
/** First inside nodes, then among their leaders: plan.hierarchy says how. */
bool schedule_by_node(struct collective_schedule *s, uint32_t step);

#endif
