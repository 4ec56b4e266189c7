/*
 * Collectives with a root: bcast, reduce, gather, scatter; v = (rank - root) mod P counts ranks from the
 * root. Those that work by segments are in schedules_trees.c.
 *
 * Binomial tree: v's parent is v without its lowest set bit, its children are v + m for the powers of two m
 * below that bit (for the root: below P).
 */
#include "replay/schedules_internal.h"

/* The power of two that bounds v's children. */
static uint32_t reach(const struct collective_schedule *s, uint32_t v)
{
    return v == 0 ? power_above(s->n_ranks) : v & (0 - v);
}

static uint32_t parent_of(uint32_t v)
{
    return v & (v - 1);
}

/* Child number i of v from the far ones to the near ones; false when there are no more. */
static bool far_child(const struct collective_schedule *s, uint32_t v, uint32_t i, uint32_t *m)
{
    uint32_t bound = reach(s, v);
    if (i >= log_of(bound)) return false;
    *m = bound >> (i + 1);
    return true;
}

static bool near_child(const struct collective_schedule *s, uint32_t v, uint32_t i, uint32_t *m)
{
    *m = i < 31 ? UINT32_C(1) << i : 0;
    return *m && *m < reach(s, v);
}

bool bcast_binomial(struct collective_schedule *s, uint32_t step)
{
    uint32_t v = from_root(s), m;
    if (step == 0) {
        if (v > 0) emit_blocking(s, false, to_rank(s, parent_of(v)), whole(s));
        return true;
    }
    if (!far_child(s, v, step - 1, &m)) return false;
    if (v + m < s->n_ranks) emit_blocking(s, true, to_rank(s, v + m), whole(s));
    return true;
}

/* To everyone at once. */
static bool bcast_linear(struct collective_schedule *s, uint32_t step)
{
    uint32_t v = from_root(s);
    if (v > 0) {
        if (step > 0) return false;
        emit_blocking(s, false, s->root, whole(s));
        return true;
    }
    if (step + 1 < s->n_ranks) {
        emit_send(s, to_rank(s, step + 1), whole(s));
        return true;
    }
    if (step + 1 == s->n_ranks) emit_wait(s);
    return step + 1 == s->n_ranks;
}

/* Blocks of ceil(n / P) down the binomial tree: v gets everything held from block v on. */
static struct schedule_data held(const struct collective_schedule *s, uint32_t v, uint32_t n_blocks)
{
    int64_t block = (s->vector + s->n_ranks - 1) / s->n_ranks, first = least(v * block, s->vector);
    return range(first, least(first + n_blocks * block, s->vector));
}

/* Steps of the scatter; *n_steps of them. An empty part is not sent. */
static bool scatter_blocks(struct collective_schedule *s, uint32_t step, uint32_t *n_steps)
{
    uint32_t v = from_root(s), m;
    *n_steps = 1 + log_of(reach(s, v));
    if (step >= *n_steps) return false;
    if (step == 0) {
        struct schedule_data data = held(s, v, reach(s, v));
        if (v > 0 && data.bytes > 0) emit_blocking(s, false, to_rank(s, parent_of(v)), data);
        return true;
    }
    if (!far_child(s, v, step - 1, &m)) return false;
    if (v + m < s->n_ranks && held(s, v + m, m).bytes > 0)
        emit_blocking(s, true, to_rank(s, v + m), held(s, v + m, m));
    return true;
}

static bool bcast_scatter_ring(struct collective_schedule *s, uint32_t step)
{
    uint32_t n_steps, v = from_root(s), n = s->n_ranks;
    if (scatter_blocks(s, step, &n_steps)) return true;
    uint32_t i = step - n_steps;
    if (i >= n - 1) return false;
    emit_exchange(s, around(s, 1), held(s, (v + n - i) % n, 1), around(s, -1),
                  held(s, (v + 2 * n - i - 1) % n, 1));
    return true;
}

/* Exchanges of what is held at distance 2^i; after each, where P is no power of two, i messages to those who
   had no partner. */
static bool bcast_scatter_doubling(struct collective_schedule *s, uint32_t step)
{
    uint32_t n_steps, v = from_root(s), turn;
    bool tells;
    if (scatter_blocks(s, step, &n_steps)) return true;
    uint32_t i = turn_of_doubling(step - n_steps, &turn);
    uint32_t m = distance_of(s, i), partner = v ^ m, own = v & ~(m - 1), other = partner & ~(m - 1);
    if (m >= s->n_ranks) return false;
    if (turn > 0 && other > own && other + m > s->n_ranks && other < s->n_ranks &&
        passes_on(s->n_ranks, v, i, m >> turn, &tells))
        emit_blocking(s, tells, to_rank(s, v ^ m >> turn), held(s, own + m, m));
    if (turn == 0 && partner < s->n_ranks)
        emit_exchange(s, to_rank(s, partner), held(s, own, m), to_rank(s, partner), held(s, other, m));
    return true;
}

static bool reduce_binomial(struct collective_schedule *s, uint32_t step)
{
    uint32_t v = from_root(s), m;
    if (near_child(s, v, step, &m)) {
        if (v + m < s->n_ranks) emit_blocking(s, false, to_rank(s, v + m), whole(s));
        return true;
    }
    if (v == 0 || step != log_of(reach(s, v))) return false;
    emit_blocking(s, true, to_rank(s, parent_of(v)), whole(s));
    return true;
}

/* The root has a message with everybody; the others have one. */
enum star { STAR_AT_ONCE, STAR_IN_TURN, STAR_DESCENDING };

static bool star(struct collective_schedule *s, uint32_t step, enum star order, bool gives, bool reduces)
{
    if (s->rank != s->root) {
        if (step > 0) return false;
        emit_blocking(s, !gives, s->root, reduces ? whole(s) : blocks(s, s->rank, 1));
        return true;
    }
    if (step > s->n_ranks || (step == s->n_ranks && order != STAR_AT_ONCE)) return false;
    uint32_t peer = order == STAR_DESCENDING ? s->n_ranks - 1 - step : step;
    if (step == s->n_ranks)
        emit_wait(s);
    else if (peer != s->root) {
        struct schedule_data data = reduces ? whole(s) : blocks(s, peer, 1);
        emit_on(s, gives ? SCHEDULE_SEND : SCHEDULE_RECEIVE, gives ? CHANNEL_SENDS : CHANNEL_EVEN, peer,
                data);
        if (order != STAR_AT_ONCE) emit_wait(s);
    }
    return true;
}

bool reduce_naive(struct collective_schedule *s, uint32_t step)
{
    return star(s, step, STAR_AT_ONCE, false, true);
}

static bool reduce_linear(struct collective_schedule *s, uint32_t step)
{
    return star(s, step, STAR_DESCENDING, false, true);
}

static bool gather_naive(struct collective_schedule *s, uint32_t step)
{
    return star(s, step, STAR_AT_ONCE, false, false);
}

static bool gather_linear(struct collective_schedule *s, uint32_t step)
{
    return star(s, step, STAR_IN_TURN, false, false);
}

static bool scatter_naive(struct collective_schedule *s, uint32_t step)
{
    return star(s, step, STAR_AT_ONCE, true, false);
}

static bool scatter_linear(struct collective_schedule *s, uint32_t step)
{
    return star(s, step, STAR_IN_TURN, true, false);
}

/* The first segment of a block, and the rest: sizes only, as the data of a block are not told apart. */
static struct schedule_data part_of_block(const struct collective_schedule *s, uint32_t member, bool second)
{
    struct schedule_data data = blocks(s, member, 1);
    int64_t first = s->plan.segment_bytes > 0 ? least(s->plan.segment_bytes, data.bytes) : data.bytes;
    data.bytes = second ? data.bytes - first : first;
    if (second) data.n_blocks = 0;
    return data;
}

/* The root asks everybody in turn with an empty message, and goes on when the first segment is there; the
   second ones are awaited in the end. */
static bool gather_two_segments(struct collective_schedule *s, uint32_t step)
{
    if (s->rank != s->root) {
        if (step == 0) emit_blocking(s, false, s->root, nothing());
        if (step == 1 || step == 2) emit_blocking(s, true, s->root, part_of_block(s, s->rank, step == 2));
        return step <= 2;
    }
    if (step > s->n_ranks) return false;
    if (step == s->n_ranks) {
        emit_wait(s);
    } else if (step != s->root) {
        emit_receive(s, step, part_of_block(s, step, false));
        emit_send(s, step, nothing());
        emit_on(s, SCHEDULE_RECEIVE, CHANNEL_ODD, step, part_of_block(s, step, true));
        emit_wait_for(s, 1U << CHANNEL_SENDS | 1U << CHANNEL_EVEN);
    }
    return true;
}

/* Blocks of v and its subtree of m. */
static struct schedule_data subtree(const struct collective_schedule *s, uint32_t v, uint32_t m)
{
    return blocks(s, to_rank(s, v), (uint32_t)least(m, s->n_ranks - v));
}

static bool gather_binomial(struct collective_schedule *s, uint32_t step)
{
    uint32_t v = from_root(s), m;
    if (near_child(s, v, step, &m)) {
        if (v + m < s->n_ranks) emit_blocking(s, false, to_rank(s, v + m), subtree(s, v + m, m));
        return true;
    }
    if (v == 0 || step != log_of(reach(s, v))) return false;
    emit_blocking(s, true, to_rank(s, parent_of(v)), subtree(s, v, reach(s, v)));
    return true;
}

static bool scatter_binomial(struct collective_schedule *s, uint32_t step)
{
    uint32_t v = from_root(s), m;
    bool descending = s->algorithm == ALGORITHM_BINOMIAL_DESCENDING;
    if (step == 0) {
        if (v > 0) emit_blocking(s, false, to_rank(s, parent_of(v)), subtree(s, v, reach(s, v)));
        return true;
    }
    if (!(descending ? far_child(s, v, step - 1, &m) : near_child(s, v, step - 1, &m))) return false;
    if (v + m < s->n_ranks) emit_blocking(s, true, to_rank(s, v + m), subtree(s, v + m, m));
    return true;
}

const struct schedule_entry schedule_rooted[] = {
    {PARCAST_COLLECTIVE_BCAST, ALGORITHM_NAIVE, bcast_binomial},
    {PARCAST_COLLECTIVE_BCAST, ALGORITHM_BINOMIAL, bcast_binomial},
    {PARCAST_COLLECTIVE_BCAST, ALGORITHM_LINEAR, bcast_linear},
    {PARCAST_COLLECTIVE_BCAST, ALGORITHM_SCATTER_RING, bcast_scatter_ring},
    {PARCAST_COLLECTIVE_BCAST, ALGORITHM_SCATTER_RECURSIVE_DOUBLING, bcast_scatter_doubling},
    {PARCAST_COLLECTIVE_REDUCE, ALGORITHM_NAIVE, reduce_naive},
    {PARCAST_COLLECTIVE_REDUCE, ALGORITHM_LINEAR, reduce_linear},
    {PARCAST_COLLECTIVE_REDUCE, ALGORITHM_BINOMIAL, reduce_binomial},
    {PARCAST_COLLECTIVE_GATHER, ALGORITHM_NAIVE, gather_naive},
    {PARCAST_COLLECTIVE_GATHER, ALGORITHM_LINEAR, gather_linear},
    {PARCAST_COLLECTIVE_GATHER, ALGORITHM_LINEAR_NONBLOCKING, gather_naive},
    {PARCAST_COLLECTIVE_GATHER, ALGORITHM_LINEAR_TWO_SEGMENTS, gather_two_segments},
    {PARCAST_COLLECTIVE_GATHER, ALGORITHM_BINOMIAL, gather_binomial},
    {PARCAST_COLLECTIVE_GATHERV, ALGORITHM_NAIVE, gather_naive},
    {PARCAST_COLLECTIVE_GATHERV, ALGORITHM_LINEAR, gather_linear},
    {PARCAST_COLLECTIVE_GATHERV, ALGORITHM_LINEAR_NONBLOCKING, gather_naive},
    {PARCAST_COLLECTIVE_SCATTER, ALGORITHM_NAIVE, scatter_naive},
    {PARCAST_COLLECTIVE_SCATTER, ALGORITHM_LINEAR, scatter_linear},
    {PARCAST_COLLECTIVE_SCATTER, ALGORITHM_LINEAR_NONBLOCKING, scatter_naive},
    {PARCAST_COLLECTIVE_SCATTER, ALGORITHM_BINOMIAL, scatter_binomial},
    {PARCAST_COLLECTIVE_SCATTER, ALGORITHM_BINOMIAL_DESCENDING, scatter_binomial},
    {PARCAST_COLLECTIVE_SCATTERV, ALGORITHM_NAIVE, scatter_naive},
    {PARCAST_COLLECTIVE_SCATTERV, ALGORITHM_LINEAR, scatter_linear},
    {PARCAST_COLLECTIVE_SCATTERV, ALGORITHM_LINEAR_NONBLOCKING, scatter_naive},
    {0},
};
