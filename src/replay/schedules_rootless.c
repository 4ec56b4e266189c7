/* Collectives without a root in which ranks exchange in rounds: barrier, allreduce, scan; and the reduction
 * by Rabenseifner's algorithm, which ends in such rounds. */
#include "replay/schedules_internal.h"

static void emit_partner(struct collective_schedule *s, const struct fold *f, uint32_t distance,
                         struct schedule_data sent, struct schedule_data received)
{
    uint32_t peer = unfold(f, f->number ^ distance);
    if (!f->hands) emit_exchange(s, peer, sent, peer, received);
}

static bool recursive_doubling(struct collective_schedule *s, uint32_t step)
{
    struct fold f = fold_of(s, false);
    uint32_t k = log_of(f.p);
    if (step == 0) emit_fold(s, &f, false, whole(s));
    if (step > 0 && step <= k) emit_partner(s, &f, UINT32_C(1) << (step - 1), whole(s), whole(s));
    if (step == k + 1) emit_fold(s, &f, true, whole(s));
    return step <= k + 1;
}

/* Rabenseifner: halving at distance 1, 2, .. and gathering in reverse. */

/*
 * What number is left with after k halvings. MPICH cuts the vector into p blocks, the last one with the rest,
 * and halves the blocks; Open MPI halves the elements, the upper half with the rest.
 */
static struct schedule_data kept(const struct collective_schedule *s, const struct fold *f, uint32_t number,
                                 uint32_t k)
{
    int64_t elements = s->vector / s->element_bytes, first = 0, end = elements;
    if (s->algorithm == ALGORITHM_RABENSEIFNER_HALVES) {
        for (uint32_t i = 0; i < k; i++) {
            int64_t middle = first + (end - first) / 2;
            if (number >> i & 1)
                first = middle;
            else
                end = middle;
        }
    } else {
        uint32_t begin = halved(number, f->p, k), stop = begin + (f->p >> k);
        first = elements / f->p * begin;
        if (stop < f->p) end = elements / f->p * stop;
    }
    return range(first * s->element_bytes, end == elements ? s->vector : end * s->element_bytes);
}

/* Open MPI's fold: the pair exchanges halves, each reduces one, then the odd rank hands its half over. */
static void emit_fold_by_halves(struct collective_schedule *s, const struct fold *f)
{
    int64_t middle = s->vector / s->element_bytes / 2 * s->element_bytes;
    struct schedule_data low = range(0, middle), high = range(middle, s->vector);
    uint32_t peer = s->rank ^ 1;
    if (!f->hands && !f->takes) return;
    emit_exchange(s, peer, f->hands ? low : high, peer, f->hands ? high : low);
    emit_blocking(s, f->hands, peer, high);
}

static void emit_halving(struct collective_schedule *s, const struct fold *f, uint32_t k)
{
    uint32_t distance = UINT32_C(1) << k;
    emit_partner(s, f, distance, kept(s, f, f->number ^ distance, k + 1), kept(s, f, f->number, k + 1));
}

static bool allreduce_rabenseifner(struct collective_schedule *s, uint32_t step)
{
    bool halves = s->algorithm == ALGORITHM_RABENSEIFNER_HALVES;
    struct fold f = fold_of(s, halves);
    uint32_t k = log_of(f.p);
    if (step == 0 && halves) emit_fold_by_halves(s, &f);
    if (step == 0 && !halves) emit_fold(s, &f, false, whole(s));
    if (step > 0 && step <= k) emit_halving(s, &f, step - 1);
    if (step > k && step <= 2 * k) {
        uint32_t i = 2 * k - step, distance = UINT32_C(1) << i;
        emit_partner(s, &f, distance, kept(s, &f, f.number, i + 1), kept(s, &f, f.number ^ distance, i + 1));
    }
    if (step == 2 * k + 1) emit_fold(s, &f, true, whole(s));
    return step <= 2 * k + 1;
}

/*
 * The parts go to the root along a tree of numbers. A root that has handed its data over in the fold takes
 * the place of number 0, which gives it its part first.
 */
static bool gather_parts(struct collective_schedule *s, const struct fold *f, uint32_t step, uint32_t k)
{
    bool outside = s->root < 2 * f->rem && s->root % 2 == 1, is_root = s->rank == s->root;
    uint32_t to = outside ? 0 : s->root < 2 * f->rem ? s->root / 2 : s->root - f->rem;
    uint32_t number = outside && is_root ? 0 : f->number;
    if (step == 0) {
        if (outside && (is_root || s->rank == 0))
            emit_blocking(s, !is_root, is_root ? 0 : s->root, kept(s, f, 0, k));
        return true;
    }
    if (step > k || (f->hands && !is_root) || (outside && s->rank == 0)) return false;
    uint32_t i = k - step, distance = UINT32_C(1) << i, other = number ^ distance;
    if (number >> (i + 1) != to >> (i + 1)) return false;
    uint32_t peer = outside && other == 0 ? s->root : unfold(f, other);
    bool sends = other >> i == to >> i;
    emit_blocking(s, sends, peer, kept(s, f, sends ? number : other, i + 1));
    return true;
}

static bool reduce_rabenseifner(struct collective_schedule *s, uint32_t step)
{
    struct fold f = fold_of(s, true);
    uint32_t k = log_of(f.p);
    if (step == 0 && s->algorithm == ALGORITHM_RABENSEIFNER_HALVES)
        emit_fold_by_halves(s, &f);
    else if (step == 0)
        emit_fold(s, &f, false, whole(s));
    if (step > 0 && step <= k) emit_halving(s, &f, step - 1);
    return step <= k || gather_parts(s, &f, step - k - 1, k);
}

/* Block i of n elements in P nearly equal ones, the first ones larger. */
static struct schedule_data ring_block(const struct collective_schedule *s, uint32_t i)
{
    int64_t elements = s->vector / s->element_bytes, n = s->n_ranks, longer = elements % n;
    int64_t at = i % s->n_ranks, first = at * (elements / n) + least(at, longer);
    int64_t end = first + elements / n + (at < longer);
    return range(first * s->element_bytes, end == elements ? s->vector : end * s->element_bytes);
}

static bool allreduce_ring(struct collective_schedule *s, uint32_t step)
{
    uint32_t n = s->n_ranks, i = step < n - 1 ? step : step - (n - 1);
    if (step >= 2 * (n - 1)) return false;
    uint32_t sent = s->rank + (step < n - 1 ? 0 : 1) + n - i % n;
    struct schedule_data out = ring_block(s, sent), in = ring_block(s, sent + n - 1);
    if (step < n - 1)
        emit_ahead(s, i, n - 1, around(s, 1), out, around(s, -1), in);
    else
        emit_exchange(s, around(s, 1), out, around(s, -1), in);
    return true;
}

static bool scan_recursive_doubling(struct collective_schedule *s, uint32_t step)
{
    uint32_t m = distance_of(s, step), partner = s->rank ^ m;
    if (m >= s->n_ranks) return false;
    if (partner < s->n_ranks) emit_exchange(s, partner, whole(s), partner, whole(s));
    return true;
}

static bool scan_linear(struct collective_schedule *s, uint32_t step)
{
    if (step > 1) return false;
    if (step == 0 && s->rank > 0) emit_blocking(s, false, s->rank - 1, whole(s));
    if (step == 1 && s->rank + 1 < s->n_ranks) emit_blocking(s, true, s->rank + 1, whole(s));
    return true;
}

/* Each rank's own contribution straight to all ranks above it. */
static bool scan_nonblocking(struct collective_schedule *s, uint32_t step)
{
    uint32_t peer = step < s->rank ? step : step + 1;
    if (step >= s->n_ranks) return false;
    if (step == s->n_ranks - 1)
        emit_wait(s);
    else if (peer < s->rank)
        emit_receive(s, peer, whole(s));
    else
        emit_send(s, peer, whole(s));
    return true;
}

/* Barriers: messages without bytes. */

static bool barrier_linear(struct collective_schedule *s, uint32_t step)
{
    uint32_t n = s->n_ranks;
    if (s->rank > 0) {
        if (step > 0) return false;
        emit_send(s, 0, nothing());
        emit_receive(s, 0, nothing());
        emit_wait(s);
        return true;
    }
    if (step == n - 1 || step == 2 * n - 1) emit_wait(s);
    if (step < n - 1) emit_receive(s, step + 1, nothing());
    if (step > n - 1 && step < 2 * n - 1) emit_send(s, step - n + 1, nothing());
    return step < 2 * n;
}

/* P = p + rem: the last rem ranks tell their partners in the first ones, and hear from them in the end. */
static bool barrier_doubling(struct collective_schedule *s, uint32_t step)
{
    uint32_t p = power_below(s->n_ranks), rem = s->n_ranks - p, k = log_of(p);
    if (s->rank >= p) {
        if (step == 0) emit_exchange(s, s->rank - p, nothing(), s->rank - p, nothing());
        return step == 0;
    }
    if (step == 0 && s->rank < rem) emit_blocking(s, false, s->rank + p, nothing());
    if (step > 0 && step <= k) {
        uint32_t peer = s->rank ^ UINT32_C(1) << (step - 1);
        emit_exchange(s, peer, nothing(), peer, nothing());
    }
    if (step == k + 1 && s->rank < rem) emit_blocking(s, true, s->rank + p, nothing());
    return step <= k + 1;
}

static bool dissemination(struct collective_schedule *s, uint32_t step)
{
    uint32_t m = distance_of(s, step);
    if (m >= s->n_ranks) return false;
    emit_exchange(s, around(s, m), nothing(), around(s, -(int64_t)m), nothing());
    return true;
}

/* A token goes round twice. */
static bool double_ring(struct collective_schedule *s, uint32_t step)
{
    if (step >= 4) return false;
    bool sends = (step % 2 == 0) == (s->rank == 0);
    emit_blocking(s, sends, around(s, sends ? 1 : -1), nothing());
    return true;
}

/* Up a binomial tree to rank 0 and down again. */
static bool barrier_tree(struct collective_schedule *s, uint32_t step)
{
    uint32_t k = log_of(power_above(s->n_ranks));
    if (step >= 2 * k) return false;
    bool up = step < k;
    uint32_t jump = UINT32_C(1) << (up ? step : 2 * k - 1 - step), partner = s->rank ^ jump;
    if (s->rank % jump != 0 || partner >= s->n_ranks) return true;
    emit_blocking(s, (partner > s->rank) != up, partner, nothing());
    return true;
}

const struct schedule_entry schedule_rootless[] = {
    {PARCAST_COLLECTIVE_BARRIER, ALGORITHM_NAIVE, barrier_linear},
    {PARCAST_COLLECTIVE_BARRIER, ALGORITHM_LINEAR, barrier_linear},
    {PARCAST_COLLECTIVE_BARRIER, ALGORITHM_DISSEMINATION, dissemination},
    {PARCAST_COLLECTIVE_BARRIER, ALGORITHM_RECURSIVE_DOUBLING, barrier_doubling},
    {PARCAST_COLLECTIVE_BARRIER, ALGORITHM_DOUBLE_RING, double_ring},
    {PARCAST_COLLECTIVE_BARRIER, ALGORITHM_TREE, barrier_tree},
    {PARCAST_COLLECTIVE_REDUCE, ALGORITHM_RABENSEIFNER, reduce_rabenseifner},
    {PARCAST_COLLECTIVE_REDUCE, ALGORITHM_RABENSEIFNER_HALVES, reduce_rabenseifner},
    {PARCAST_COLLECTIVE_ALLREDUCE, ALGORITHM_RECURSIVE_DOUBLING, recursive_doubling},
    {PARCAST_COLLECTIVE_ALLREDUCE, ALGORITHM_RABENSEIFNER, allreduce_rabenseifner},
    {PARCAST_COLLECTIVE_ALLREDUCE, ALGORITHM_RABENSEIFNER_HALVES, allreduce_rabenseifner},
    {PARCAST_COLLECTIVE_ALLREDUCE, ALGORITHM_RING, allreduce_ring},
    {PARCAST_COLLECTIVE_ALLREDUCE, ALGORITHM_SEGMENTED_RING, allreduce_ring},
    {PARCAST_COLLECTIVE_SCAN, ALGORITHM_NAIVE, scan_nonblocking},
    {PARCAST_COLLECTIVE_SCAN, ALGORITHM_LINEAR_NONBLOCKING, scan_nonblocking},
    {PARCAST_COLLECTIVE_SCAN, ALGORITHM_LINEAR, scan_linear},
    {PARCAST_COLLECTIVE_SCAN, ALGORITHM_RECURSIVE_DOUBLING, scan_recursive_doubling},
    {PARCAST_COLLECTIVE_EXSCAN, ALGORITHM_NAIVE, scan_nonblocking},
    {PARCAST_COLLECTIVE_EXSCAN, ALGORITHM_LINEAR_NONBLOCKING, scan_nonblocking},
    {PARCAST_COLLECTIVE_EXSCAN, ALGORITHM_LINEAR, scan_linear},
    {PARCAST_COLLECTIVE_EXSCAN, ALGORITHM_RECURSIVE_DOUBLING, scan_recursive_doubling},
    {0},
};
