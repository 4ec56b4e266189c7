/*
 * Collectives with a root: bcast, reduce, gather, scatter. v = (rank - root) mod P counts ranks from the
 * root.
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
        if (v > 0) {
            emit_receive(s, to_rank(s, v & (v - 1)), s->bytes);
            emit_wait(s);
        }
        return true;
    }
    if (!far_child(s, v, step - 1, &m)) return false;
    if (v + m < s->n_ranks) {
        emit_send(s, to_rank(s, v + m), s->bytes);
        emit_wait(s);
    }
    return true;
}

/* To everyone in turn. */
static bool bcast_linear(struct collective_schedule *s, uint32_t step)
{
    uint32_t v = from_root(s);
    if (v > 0) {
        if (step > 0) return false;
        emit_receive(s, s->root, s->bytes);
        emit_wait(s);
        return true;
    }
    if (step + 1 < s->n_ranks) {
        emit_send(s, to_rank(s, step + 1), s->bytes);
        return true;
    }
    if (step + 1 == s->n_ranks) emit_wait(s);
    return step + 1 == s->n_ranks;
}

/* Trees with a parent and children by arithmetic; one segment. */
struct family {
    uint32_t parent, first_child, n_children, child_stride;
};

static struct family family_of(const struct collective_schedule *s, uint32_t v)
{
    enum { CHAINS = 4 };
    uint32_t last = s->n_ranks - 1; /* others than the root */
    struct family f = {0};
    if (s->algorithm == SCHEDULE_PIPELINE) {
        f = (struct family){v - 1, v + 1, v < last, 1};
    } else if (s->algorithm == SCHEDULE_BINARY) {
        f = (struct family){(v - 1) / 2, 2 * v + 1, 0, 1};
        if (f.first_child <= last) f.n_children = f.first_child < last ? 2 : 1;
    } else { /* chains of the same length, the first ones one longer */
        uint32_t n_chains = last < CHAINS ? last : CHAINS, length = last / n_chains, longer = last % n_chains;
        if (v == 0) return (struct family){0, 1, n_chains, length};
        uint32_t before = longer * (length + 1), i = v - 1;
        uint32_t at = i < before ? i % (length + 1) : (i - before) % length;
        uint32_t end = i < before ? length + 1 : length;
        f = (struct family){at == 0 ? 0 : v - 1, v + 1, at + 1 < end, 1};
    }
    return f;
}

/* The root's chains begin at 1, then after each other. */
static uint32_t child_of(const struct collective_schedule *s, uint32_t v, const struct family *f, uint32_t i)
{
    if (s->algorithm != SCHEDULE_CHAIN || v > 0) return f->first_child + i;
    uint32_t longer = (s->n_ranks - 1) % f->n_children;
    return 1 + i * f->child_stride + (i < longer ? i : longer);
}

static bool bcast_family(struct collective_schedule *s, uint32_t step)
{
    uint32_t v = from_root(s);
    struct family f = family_of(s, v);
    if (step == 0) {
        if (v > 0) {
            emit_receive(s, to_rank(s, f.parent), s->bytes);
            emit_wait(s);
        }
        return true;
    }
    if (step <= f.n_children) {
        emit_send(s, to_rank(s, child_of(s, v, &f, step - 1)), s->bytes);
        return true;
    }
    if (step == f.n_children + 1) emit_wait(s);
    return step == f.n_children + 1;
}

static bool reduce_family(struct collective_schedule *s, uint32_t step)
{
    uint32_t v = from_root(s);
    struct family f = family_of(s, v);
    if (step < f.n_children) {
        emit_receive(s, to_rank(s, child_of(s, v, &f, step)), s->bytes);
        return true;
    }
    if (step == f.n_children) emit_wait(s);
    if (step == f.n_children + 1 && v > 0) {
        emit_send(s, to_rank(s, f.parent), s->bytes);
        emit_wait(s);
    }
    return step <= f.n_children + 1;
}

/* Radix 4: each holder serves up to three subtrees a round, the largest subtrees first. */
static bool bcast_knomial(struct collective_schedule *s, uint32_t step)
{
    enum { RADIX = 4, LEVELS = 16 };
    uint32_t v = from_root(s), below = 1; /* v is the root of a subtree of `below` ranks */
    while (below < s->n_ranks && v / below % RADIX == 0) below *= RADIX;
    if (step == 0) {
        if (v > 0) {
            emit_receive(s, to_rank(s, v - v / below % RADIX * below), s->bytes);
            emit_wait(s);
        }
        return true;
    }
    for (uint32_t i = 1; i < step; i++) below /= RADIX;
    below /= RADIX;
    if (step > LEVELS || below == 0) return false;
    for (uint32_t k = 1; k < RADIX; k++)
        if ((uint64_t)v + (uint64_t)k * below < s->n_ranks) emit_send(s, to_rank(s, v + k * below), s->bytes);
    emit_wait(s);
    return true;
}

/* Blocks of ceil(n / P) down the binomial tree: v gets everything held from block v on. */
static int64_t block(const struct collective_schedule *s)
{
    return (s->bytes + s->n_ranks - 1) / s->n_ranks;
}

static int64_t held(const struct collective_schedule *s, uint32_t v, uint32_t n_blocks)
{
    int64_t left = s->bytes - v * block(s);
    return left <= 0 ? 0 : least(left, n_blocks * block(s));
}

/* Steps of the scatter; *n_steps of them. An empty part is not sent. */
static bool scatter_blocks(struct collective_schedule *s, uint32_t step, uint32_t *n_steps)
{
    uint32_t v = from_root(s), m;
    *n_steps = 1 + log_of(reach(s, v));
    if (step >= *n_steps) return false;
    if (step == 0) {
        int64_t bytes = held(s, v, reach(s, v));
        if (v == 0 || bytes == 0) return true;
        emit_receive(s, to_rank(s, v & (v - 1)), bytes);
        emit_wait(s);
        return true;
    }
    if (!far_child(s, v, step - 1, &m)) return false;
    if (v + m >= s->n_ranks || held(s, v + m, m) == 0) return true;
    emit_send(s, to_rank(s, v + m), held(s, v + m, m));
    emit_wait(s);
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

static bool bcast_scatter_doubling(struct collective_schedule *s, uint32_t step)
{
    uint32_t n_steps, v = from_root(s);
    if (scatter_blocks(s, step, &n_steps)) return true;
    uint32_t i = step - n_steps, m = i < 31 ? UINT32_C(1) << i : s->n_ranks;
    if (m >= s->n_ranks) return false;
    uint32_t partner = v ^ m;
    emit_exchange(s, to_rank(s, partner), held(s, v & ~(m - 1), m), to_rank(s, partner),
                  held(s, partner & ~(m - 1), m));
    return true;
}

bool reduce_binomial(struct collective_schedule *s, uint32_t step)
{
    uint32_t v = from_root(s), m;
    if (near_child(s, v, step, &m)) {
        if (v + m < s->n_ranks) {
            emit_receive(s, to_rank(s, v + m), s->bytes);
            emit_wait(s);
        }
        return true;
    }
    if (v == 0 || step != log_of(reach(s, v))) return false;
    emit_send(s, to_rank(s, v & (v - 1)), s->bytes);
    emit_wait(s);
    return true;
}

/* The root begins all its receives (or sends) at once, the others have one message. */
static bool root_takes_all(struct collective_schedule *s, uint32_t step, bool in_turn, bool gives)
{
    if (s->rank != s->root) {
        if (step > 0) return false;
        emit(s, gives ? SCHEDULE_RECEIVE : SCHEDULE_SEND, s->root, count_of(s, s->rank));
        emit_wait(s);
        return true;
    }
    if (step < s->n_ranks) {
        if (step == s->root) return true;
        emit(s, gives ? SCHEDULE_SEND : SCHEDULE_RECEIVE, step, count_of(s, step));
        if (in_turn) emit_wait(s);
        return true;
    }
    if (step == s->n_ranks) emit_wait(s);
    return step == s->n_ranks;
}

bool reduce_naive(struct collective_schedule *s, uint32_t step)
{
    return root_takes_all(s, step, false, false);
}

static bool gather_naive(struct collective_schedule *s, uint32_t step)
{
    return root_takes_all(s, step, false, false);
}

static bool gather_linear(struct collective_schedule *s, uint32_t step)
{
    return root_takes_all(s, step, true, false);
}

static bool scatter_naive(struct collective_schedule *s, uint32_t step)
{
    return root_takes_all(s, step, false, true);
}

static bool scatter_linear(struct collective_schedule *s, uint32_t step)
{
    return root_takes_all(s, step, true, true);
}

/* Blocks of v and its subtree of m. */
static int64_t subtree(const struct collective_schedule *s, uint32_t v, uint32_t m)
{
    return s->bytes * least(m, s->n_ranks - v);
}

static bool gather_binomial(struct collective_schedule *s, uint32_t step)
{
    uint32_t v = from_root(s), m;
    if (near_child(s, v, step, &m)) {
        if (v + m < s->n_ranks) {
            emit_receive(s, to_rank(s, v + m), subtree(s, v + m, m));
            emit_wait(s);
        }
        return true;
    }
    if (v == 0 || step != log_of(reach(s, v))) return false;
    emit_send(s, to_rank(s, v & (v - 1)), subtree(s, v, reach(s, v)));
    emit_wait(s);
    return true;
}

static bool scatter_binomial(struct collective_schedule *s, uint32_t step)
{
    uint32_t v = from_root(s), m;
    bool descending = s->algorithm == SCHEDULE_BINOMIAL_DESCENDING;
    if (step == 0) {
        if (v > 0) {
            emit_receive(s, to_rank(s, v & (v - 1)), subtree(s, v, reach(s, v)));
            emit_wait(s);
        }
        return true;
    }
    if (!(descending ? far_child(s, v, step - 1, &m) : near_child(s, v, step - 1, &m))) return false;
    if (v + m < s->n_ranks) {
        emit_send(s, to_rank(s, v + m), subtree(s, v + m, m));
        emit_wait(s);
    }
    return true;
}

/* P = p + rem: of the first 2 rem the odd ones hand down to the even ones; halving at distance 1, 2, ..; then
   gathering back in reverse order, always towards the lower number. */
static bool reduce_rabenseifner(struct collective_schedule *s, uint32_t step)
{
    uint32_t v = from_root(s), p = power_below(s->n_ranks), rem = s->n_ranks - p, k = log_of(p);
    bool folded = v < 2 * rem;
    if (step == 0) {
        if (!folded) return true;
        emit(s, v % 2 ? SCHEDULE_SEND : SCHEDULE_RECEIVE, to_rank(s, v ^ 1), s->bytes);
        emit_wait(s);
        return true;
    }
    if (folded && v % 2) return false;
    uint32_t number = folded ? v / 2 : v - rem;
    if (step <= k) {
        uint32_t partner = number ^ UINT32_C(1) << (step - 1);
        uint32_t peer = to_rank(s, partner < rem ? 2 * partner : partner + rem);
        emit_exchange(s, peer, s->bytes >> step, peer, s->bytes >> step);
        return true;
    }
    uint32_t i = step - k - 1; /* distance p/2, p/4, .. */
    if (i >= k || (i > 0 && number >> (k - i))) return false;
    uint32_t distance = p >> (i + 1), partner = number ^ distance;
    uint32_t peer = to_rank(s, partner < rem ? 2 * partner : partner + rem);
    emit(s, number & distance ? SCHEDULE_SEND : SCHEDULE_RECEIVE, peer, s->bytes >> (k - i));
    emit_wait(s);
    return true;
}

schedule_step *schedule_rooted(parcast_collective collective, enum schedule_algorithm algorithm)
{
    static const struct {
        parcast_collective collective;
        enum schedule_algorithm algorithm;
        schedule_step *step;
    } table[] = {
        {PARCAST_COLLECTIVE_BCAST, SCHEDULE_NAIVE, bcast_binomial},
        {PARCAST_COLLECTIVE_BCAST, SCHEDULE_BINOMIAL, bcast_binomial},
        {PARCAST_COLLECTIVE_BCAST, SCHEDULE_LINEAR, bcast_linear},
        {PARCAST_COLLECTIVE_BCAST, SCHEDULE_CHAIN, bcast_family},
        {PARCAST_COLLECTIVE_BCAST, SCHEDULE_PIPELINE, bcast_family},
        {PARCAST_COLLECTIVE_BCAST, SCHEDULE_BINARY, bcast_family},
        {PARCAST_COLLECTIVE_BCAST, SCHEDULE_KNOMIAL, bcast_knomial},
        {PARCAST_COLLECTIVE_BCAST, SCHEDULE_SCATTER_RING, bcast_scatter_ring},
        {PARCAST_COLLECTIVE_BCAST, SCHEDULE_SCATTER_RECURSIVE_DOUBLING, bcast_scatter_doubling},
        {PARCAST_COLLECTIVE_REDUCE, SCHEDULE_NAIVE, reduce_naive},
        {PARCAST_COLLECTIVE_REDUCE, SCHEDULE_LINEAR, gather_linear},
        {PARCAST_COLLECTIVE_REDUCE, SCHEDULE_BINOMIAL, reduce_binomial},
        {PARCAST_COLLECTIVE_REDUCE, SCHEDULE_CHAIN, reduce_family},
        {PARCAST_COLLECTIVE_REDUCE, SCHEDULE_PIPELINE, reduce_family},
        {PARCAST_COLLECTIVE_REDUCE, SCHEDULE_BINARY, reduce_family},
        {PARCAST_COLLECTIVE_REDUCE, SCHEDULE_RABENSEIFNER, reduce_rabenseifner},
        {PARCAST_COLLECTIVE_GATHER, SCHEDULE_NAIVE, gather_naive},
        {PARCAST_COLLECTIVE_GATHER, SCHEDULE_LINEAR, gather_linear},
        {PARCAST_COLLECTIVE_GATHER, SCHEDULE_BINOMIAL, gather_binomial},
        {PARCAST_COLLECTIVE_GATHERV, SCHEDULE_NAIVE, gather_naive},
        {PARCAST_COLLECTIVE_GATHERV, SCHEDULE_LINEAR, gather_linear},
        {PARCAST_COLLECTIVE_SCATTER, SCHEDULE_NAIVE, scatter_naive},
        {PARCAST_COLLECTIVE_SCATTER, SCHEDULE_LINEAR, scatter_linear},
        {PARCAST_COLLECTIVE_SCATTER, SCHEDULE_LINEAR_NONBLOCKING, scatter_naive},
        {PARCAST_COLLECTIVE_SCATTER, SCHEDULE_BINOMIAL, scatter_binomial},
        {PARCAST_COLLECTIVE_SCATTER, SCHEDULE_BINOMIAL_DESCENDING, scatter_binomial},
        {PARCAST_COLLECTIVE_SCATTERV, SCHEDULE_NAIVE, scatter_naive},
        {PARCAST_COLLECTIVE_SCATTERV, SCHEDULE_LINEAR, scatter_linear},
    };
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].collective == collective && table[i].algorithm == algorithm) return table[i].step;
    return NULL;
}
