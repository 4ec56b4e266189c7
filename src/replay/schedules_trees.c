/*
 * Broadcasts and reductions along trees, by segments: a rank passes a segment on while the next one comes in.
 * v = (rank - root) mod P counts ranks from the root.
 *
 *     chain       four chains of nearly the same length, one after the other in v
 *     pipeline    one chain
 *     binary      the children of v on a level of d ranks are v + d and v + 2 d
 *     k-ary       v's children are k v + 1 .. k v + k
 *     binomial    ascending: v + m for the powers of two m above v (parent: v without its highest bit)
 *                 in order: v + m for the m below v's lowest bit (parent: v without it)
 *     k-nomial    v + j k^i below v's lowest digit that is not 0, the largest subtrees first
 *     in-order    binary tree whose root is the last rank and whose subtrees are ranges of ranks
 *
 * Source: coll/base of Open MPI 4.1 (coll_base_topo.c, bcast and reduce "generic"), read for its behaviour.
 */
#include "replay/schedules_internal.h"

enum { CHAINS = 4, RADIX = 4, BCAST_FAN_OUT = 64, REDUCE_FAN_OUT = 4 };

/* Child i is first + i stride; of the root of chains, those after the longer ones begin later. */
struct family {
    uint32_t parent, n_children;
    int64_t first, stride;
    uint32_t longer;
};

static struct family chain_of(const struct collective_schedule *s, uint32_t v, uint32_t n_chains)
{
    uint32_t last = s->n_ranks - 1; /* others than the root */
    if (last == 0) return (struct family){0};
    if (n_chains > last) n_chains = last;
    uint32_t length = last / n_chains, longer = last % n_chains;
    if (v == 0) return (struct family){0, n_chains, 1, length, longer};
    uint32_t before = longer * (length + 1), i = v - 1;
    uint32_t at = i < before ? i % (length + 1) : (i - before) % length;
    uint32_t end = i < before ? length + 1 : length;
    return (struct family){at == 0 ? 0 : v - 1, at + 1 < end, v + 1, 1, 0};
}

/* Of the numbers first, first + stride, .. at most `most` are ranks. */
static uint32_t ranks_among(const struct collective_schedule *s, uint32_t first, uint32_t stride,
                            uint32_t most)
{
    if (first >= s->n_ranks) return 0;
    uint32_t n = (s->n_ranks - 1 - first) / stride + 1;
    return n < most ? n : most;
}

static struct family binary_of(const struct collective_schedule *s, uint32_t v)
{
    uint32_t d = power_below(v + 1), above = d - 1; /* ranks on v's level, and above it */
    uint32_t parent = v - d / 2 < above || d == 1 ? v - d / 2 : v - d;
    return (struct family){parent, ranks_among(s, v + d, d, 2), v + d, d, 0};
}

static struct family kary_of(const struct collective_schedule *s, uint32_t v, uint32_t k)
{
    return (struct family){v ? (v - 1) / k : 0, ranks_among(s, k * v + 1, 1, k), k * v + 1, 1, 0};
}

static struct family in_order_of(const struct collective_schedule *s, uint32_t rank)
{
    uint32_t first = 0, size = s->n_ranks, parent = size - 1; /* the subtree is ranks [first, first + size) */
    while (rank != first + size - 1) {
        uint32_t right = size / 2;
        parent = first + size - 1;
        if (rank >= first + right) {
            first += right;
            size -= right + 1;
        } else {
            size = right;
        }
    }
    if (size < 2) return (struct family){parent, 0, 0, 0, 0};
    uint32_t left = rank - 1, right = first + size / 2 - 1; /* right: the last of its half */
    return (struct family){parent, size > 2 ? 2 : 1, left, (int64_t)right - left, 0};
}

/* The power of the radix that bounds the subtree of v. */
static uint32_t reach(const struct collective_schedule *s, uint32_t v, uint32_t radix)
{
    uint32_t below = 1;
    while (below < s->n_ranks && v / below % radix == 0) below *= radix;
    return below;
}

static uint32_t count_doublings(const struct collective_schedule *s, uint32_t v, uint32_t m, uint32_t end)
{
    uint32_t n = 0;
    for (; m < end && v + m < s->n_ranks; m *= 2) n++;
    return n;
}

static struct family knomial_of(const struct collective_schedule *s, uint32_t v)
{
    uint32_t below = reach(s, v, RADIX), n = 0;
    uint32_t parent = v ? v - v / below % RADIX * below : 0;
    for (uint32_t m = below / RADIX; m > 0; m /= RADIX) n += ranks_among(s, v + m, m, RADIX - 1);
    return (struct family){parent, n, 0, 0, 0};
}

static uint32_t knomial_child(const struct collective_schedule *s, uint32_t v, uint32_t i)
{
    uint32_t m = reach(s, v, RADIX) / RADIX;
    for (; m > 1; m /= RADIX) {
        uint32_t n = ranks_among(s, v + m, m, RADIX - 1);
        if (i < n) break;
        i -= n;
    }
    return v + (i + 1) * m;
}

static struct family family_of(const struct collective_schedule *s, uint32_t v)
{
    uint32_t highest = v ? power_below(v) : 0, lowest = v & (0 - v);
    switch (s->algorithm) {
    case ALGORITHM_PIPELINE:
        return chain_of(s, v, 1);
    case ALGORITHM_CHAIN:
        return chain_of(s, v, CHAINS);
    case ALGORITHM_KARY:
        return kary_of(s, v, s->part == PARCAST_COLLECTIVE_BCAST ? BCAST_FAN_OUT : REDUCE_FAN_OUT);
    case ALGORITHM_IN_ORDER_BINARY:
        return in_order_of(s, v);
    case ALGORITHM_KNOMIAL:
        return knomial_of(s, v);
    case ALGORITHM_BINOMIAL_ASCENDING:
        return (struct family){v - highest, count_doublings(s, v, v ? 2 * highest : 1, s->n_ranks), 0, 0, 0};
    case ALGORITHM_BINOMIAL_OVERLAPPED:
        return (struct family){v - lowest, count_doublings(s, v, 1, v ? lowest : s->n_ranks), 0, 0, 0};
    default:
        return binary_of(s, v);
    }
}

static uint32_t child_of(const struct collective_schedule *s, uint32_t v, const struct family *f, uint32_t i)
{
    switch (s->algorithm) {
    case ALGORITHM_KNOMIAL:
        return knomial_child(s, v, i);
    case ALGORITHM_BINOMIAL_ASCENDING:
        return v + (v ? power_below(v) << (i + 1) : UINT32_C(1) << i);
    case ALGORITHM_BINOMIAL_OVERLAPPED:
        return v + (UINT32_C(1) << i);
    default:
        return (uint32_t)(f->first + i * f->stride) + (i < f->longer ? i : f->longer);
    }
}

/* Segments of [begin, end) of the vector. */
struct segments {
    int64_t begin, end, bytes;
    uint32_t n;
};

static struct segments segments_of(const struct collective_schedule *s, int64_t begin, int64_t end)
{
    int64_t bytes = s->plan.segment_bytes / s->element_bytes * s->element_bytes, size = end - begin;
    if (bytes <= 0 || bytes >= size) return (struct segments){begin, end, size, 1};
    return (struct segments){begin, end, bytes, (uint32_t)((size + bytes - 1) / bytes)};
}

static struct schedule_data segment(const struct segments *g, uint32_t i)
{
    int64_t first = g->begin + i * g->bytes;
    return range(first, least(first + g->bytes, g->end));
}

static unsigned channel_of(uint32_t i)
{
    return i % 2 ? CHANNEL_ODD : CHANNEL_EVEN;
}

/*
 * Rounds of n_children + 2 steps: the receive of segment k is begun, that of segment k - 1 awaited, then
 * segment k - 1 goes to every child, and the sends are awaited.
 */
static bool pass_down(struct collective_schedule *s, uint32_t step, uint32_t v, const struct family *f,
                      const struct segments *g)
{
    uint32_t k = step / (f->n_children + 2), i = step % (f->n_children + 2);
    if (k > g->n) return false;
    if (i == 0) {
        if (v > 0 && k < g->n)
            emit_on(s, SCHEDULE_RECEIVE, channel_of(k), to_rank(s, f->parent), segment(g, k));
        if (v > 0 && k > 0) emit_wait_for(s, 1U << channel_of(k - 1));
    } else if (k > 0) {
        if (i <= f->n_children)
            emit_send(s, to_rank(s, child_of(s, v, f, i - 1)), segment(g, k - 1));
        else
            emit_wait_for(s, 1U << CHANNEL_SENDS);
    }
    return true;
}

static bool bcast_tree(struct collective_schedule *s, uint32_t step)
{
    uint32_t v = from_root(s);
    struct family f = family_of(s, v);
    struct segments g = segments_of(s, 0, s->vector);
    return pass_down(s, step, v, &f, &g);
}

/*
 * Receives are numbered through the children of segment 0, of segment 1, ..; with each, the one before is
 * awaited. When all of a segment are there it goes up.
 */
static bool take_up(struct collective_schedule *s, uint32_t step, uint32_t v, const struct family *f,
                    const struct segments *g)
{
    uint32_t parent = to_rank(s, f->parent);
    if (f->n_children == 0) {
        if (step >= g->n) return false;
        emit_send(s, parent, segment(g, step));
        emit_wait_for(s, 1U << CHANNEL_SENDS);
        return true;
    }
    uint32_t k = step / f->n_children, i = step % f->n_children;
    if (step > g->n * f->n_children) return false;
    if (k < g->n)
        emit_on(s, SCHEDULE_RECEIVE, channel_of(step), to_rank(s, child_of(s, v, f, i)), segment(g, k));
    if (step > 0) emit_wait_for(s, 1U << channel_of(step - 1));
    if (i == 0 && k > 0 && v > 0) {
        emit_send(s, parent, segment(g, k - 1));
        emit_wait_for(s, 1U << CHANNEL_SENDS);
    }
    return true;
}

static bool reduce_tree(struct collective_schedule *s, uint32_t step)
{
    uint32_t v = from_root(s);
    struct family f = family_of(s, v);
    struct segments g = segments_of(s, 0, s->vector);
    return take_up(s, step, v, &f, &g);
}

/* To the last rank, and from there to the root. */
static bool reduce_in_order(struct collective_schedule *s, uint32_t step)
{
    uint32_t root = s->root, last = s->n_ranks - 1;
    struct family f = in_order_of(s, s->rank);
    struct segments g = segments_of(s, 0, s->vector);
    if (s->phase == 0) {
        s->root = 0; /* the tree counts ranks as they are */
        bool more = take_up(s, step, last - s->rank, &f, &g);
        s->root = root;
        if (more) return true;
        s->phase = 1;
    } else {
        return false;
    }
    if (root == last || (s->rank != root && s->rank != last)) return false;
    emit_blocking(s, s->rank == last, s->rank == last ? root : last, whole(s));
    return true;
}

/*
 * The two subtrees of a binary tree get a half each, then each rank of one (odd v) exchanges halves with its
 * neighbour in the other (even v). With an even number of ranks the last one's partner would be the root,
 * which has both: it only gives.
 */
static bool bcast_split_binary(struct collective_schedule *s, uint32_t step)
{
    uint32_t v = from_root(s), n = s->n_ranks, last = n - 1;
    int64_t middle = (s->vector / s->element_bytes + 1) / 2 * s->element_bytes;
    struct segments low = segments_of(s, 0, middle), high = segments_of(s, middle, s->vector);
    const struct segments *own = v % 2 ? &low : &high;
    struct family f = binary_of(s, v);
    if (s->phase == 0) {
        /* the root sends to either side in turn, segment by segment */
        uint32_t most = low.n > high.n ? low.n : high.n;
        if (v > 0 && pass_down(s, step, v, &f, own)) return true;
        if (v == 0 && step < most * 3) {
            uint32_t k = step / 3, i = step % 3;
            const struct segments *side = i == 0 ? &low : &high;
            if (i == 2)
                emit_wait(s);
            else if (i < f.n_children && k < side->n)
                emit_send(s, to_rank(s, 1 + i), segment(side, k));
            return true;
        }
        s->phase = 1;
    } else {
        return false;
    }
    struct schedule_data lower = range(0, middle), upper = range(middle, s->vector);
    if (n % 2 == 0 && (v == 0 || v == last)) {
        emit_blocking(s, v == 0, to_rank(s, v == 0 ? last : 0), upper);
        return true;
    }
    if (v == 0) return false;
    uint32_t peer = to_rank(s, v % 2 ? v + 1 : v - 1);
    emit_exchange(s, peer, v % 2 ? lower : upper, peer, v % 2 ? upper : lower);
    return true;
}

const struct schedule_entry schedule_trees[] = {
    {PARCAST_COLLECTIVE_BCAST, ALGORITHM_CHAIN, bcast_tree},
    {PARCAST_COLLECTIVE_BCAST, ALGORITHM_PIPELINE, bcast_tree},
    {PARCAST_COLLECTIVE_BCAST, ALGORITHM_BINARY, bcast_tree},
    {PARCAST_COLLECTIVE_BCAST, ALGORITHM_BINOMIAL_ASCENDING, bcast_tree},
    {PARCAST_COLLECTIVE_BCAST, ALGORITHM_KNOMIAL, bcast_tree},
    {PARCAST_COLLECTIVE_BCAST, ALGORITHM_KARY, bcast_tree},
    {PARCAST_COLLECTIVE_BCAST, ALGORITHM_SPLIT_BINARY, bcast_split_binary},
    {PARCAST_COLLECTIVE_REDUCE, ALGORITHM_CHAIN, reduce_tree},
    {PARCAST_COLLECTIVE_REDUCE, ALGORITHM_PIPELINE, reduce_tree},
    {PARCAST_COLLECTIVE_REDUCE, ALGORITHM_BINARY, reduce_tree},
    {PARCAST_COLLECTIVE_REDUCE, ALGORITHM_BINOMIAL_OVERLAPPED, reduce_tree},
    {PARCAST_COLLECTIVE_REDUCE, ALGORITHM_KARY, reduce_tree},
    {PARCAST_COLLECTIVE_REDUCE, ALGORITHM_IN_ORDER_BINARY, reduce_in_order},
    {0},
};
