/* Collectives without a root in which ranks exchange in rounds: barrier, allreduce, scan, reduce_scatter. */
#include "replay/schedules_internal.h"

/*
 * Folding P = p + rem to the power of two p: of the first 2 rem ranks the even ones hand their data to the
 * next rank and get the result back; the others are renumbered.
 */
struct fold {
    uint32_t p, rem, number;
    bool hands, takes; /* this rank hands its data over, or takes another's */
};

static struct fold fold_of(const struct collective_schedule *s)
{
    uint32_t p = power_below(s->n_ranks), rem = s->n_ranks - p;
    struct fold f = {.p = p, .rem = rem};
    f.hands = s->rank < 2 * rem && s->rank % 2 == 0;
    f.takes = s->rank < 2 * rem && s->rank % 2 == 1;
    f.number = s->rank < 2 * rem ? s->rank / 2 : s->rank - rem;
    return f;
}

static uint32_t unfold(const struct fold *f, uint32_t number)
{
    return number < f->rem ? 2 * number + 1 : number + f->rem;
}

/* Step 0, and the last one, of everything that folds. */
static void emit_fold(struct collective_schedule *s, const struct fold *f, bool back, int64_t bytes)
{
    if (!f->hands && !f->takes) return;
    emit(s, f->hands != back ? SCHEDULE_SEND : SCHEDULE_RECEIVE, f->hands ? s->rank + 1 : s->rank - 1, bytes);
    emit_wait(s);
}

static void emit_partner(struct collective_schedule *s, const struct fold *f, uint32_t distance,
                         int64_t bytes)
{
    uint32_t peer = unfold(f, f->number ^ distance);
    if (!f->hands) emit_exchange(s, peer, bytes, peer, bytes);
}

static bool recursive_doubling(struct collective_schedule *s, uint32_t step)
{
    struct fold f = fold_of(s);
    uint32_t k = log_of(f.p);
    if (step == 0) emit_fold(s, &f, false, s->bytes);
    if (step > 0 && step <= k) emit_partner(s, &f, UINT32_C(1) << (step - 1), s->bytes);
    if (step == k + 1) emit_fold(s, &f, true, s->bytes);
    return step <= k + 1;
}

/* Halving at distance 1, 2, .. with n/2, n/4, .., and doubling in reverse. */
static bool allreduce_rabenseifner(struct collective_schedule *s, uint32_t step)
{
    struct fold f = fold_of(s);
    uint32_t k = log_of(f.p);
    if (step == 0) emit_fold(s, &f, false, s->bytes);
    if (step > 0 && step <= k) emit_partner(s, &f, UINT32_C(1) << (step - 1), s->bytes >> step);
    if (step > k && step <= 2 * k)
        emit_partner(s, &f, UINT32_C(1) << (2 * k - step), s->bytes >> (2 * k + 1 - step));
    if (step == 2 * k + 1) emit_fold(s, &f, true, s->bytes);
    return step <= 2 * k + 1;
}

/* Block i of n bytes in P nearly equal ones, the first ones larger. */
static int64_t block(const struct collective_schedule *s, uint32_t i)
{
    i %= s->n_ranks;
    return s->bytes / s->n_ranks + (i < s->bytes % s->n_ranks);
}

static bool allreduce_ring(struct collective_schedule *s, uint32_t step)
{
    uint32_t n = s->n_ranks, i = step < n - 1 ? step : step - (n - 1);
    if (step >= 2 * (n - 1)) return false;
    uint32_t sent = s->rank + (step < n - 1 ? 0 : 1) + n - i % n;
    emit_exchange(s, around(s, 1), block(s, sent), around(s, -1), block(s, sent + n - 1));
    return true;
}

/* One after the other. */
static bool in_phases(struct collective_schedule *s, uint32_t step, schedule_step *first,
                      schedule_step *second)
{
    if (s->phase == 0 && first(s, step)) return true;
    if (s->phase == 0) {
        s->phase = 1;
        s->step = 1; /* this call is step 0 of the second */
        step = 0;
    }
    return second(s, step);
}

static bool allreduce_naive(struct collective_schedule *s, uint32_t step)
{
    return in_phases(s, step, reduce_naive, bcast_binomial);
}

static bool allreduce_reduce_bcast(struct collective_schedule *s, uint32_t step)
{
    return in_phases(s, step, reduce_binomial, bcast_binomial);
}

static bool scan_recursive_doubling(struct collective_schedule *s, uint32_t step)
{
    uint32_t m = step < 31 ? UINT32_C(1) << step : s->n_ranks, partner = s->rank ^ m;
    if (m >= s->n_ranks) return false;
    if (partner < s->n_ranks) emit_exchange(s, partner, s->bytes, partner, s->bytes);
    return true;
}

static bool scan_linear(struct collective_schedule *s, uint32_t step)
{
    if (step > 1) return false;
    if (step == 0 && s->rank > 0) emit_receive(s, s->rank - 1, s->bytes);
    if (step == 1 && s->rank + 1 < s->n_ranks) emit_send(s, s->rank + 1, s->bytes);
    emit_wait(s);
    return true;
}

/* Barriers: messages without bytes. */

static bool barrier_linear(struct collective_schedule *s, uint32_t step)
{
    uint32_t n = s->n_ranks;
    if (s->rank > 0) {
        if (step > 0) return false;
        emit_send(s, 0, 0);
        emit_receive(s, 0, 0);
        emit_wait(s);
        return true;
    }
    if (step == n - 1 || step == 2 * n - 1) {
        emit_wait(s);
        return true;
    }
    if (step < n - 1) emit_receive(s, step + 1, 0);
    if (step > n - 1 && step < 2 * n - 1) emit_send(s, step - n + 1, 0);
    return step < 2 * n;
}

static bool dissemination(struct collective_schedule *s, uint32_t step)
{
    uint32_t m = step < 31 ? UINT32_C(1) << step : s->n_ranks;
    if (m >= s->n_ranks) return false;
    emit_exchange(s, around(s, m), 0, around(s, -(int64_t)m), 0);
    return true;
}

/* A token goes round twice. */
static bool double_ring(struct collective_schedule *s, uint32_t step)
{
    if (step >= 4) return false;
    bool sends = (step % 2 == 0) == (s->rank == 0);
    emit(s, sends ? SCHEDULE_SEND : SCHEDULE_RECEIVE, around(s, sends ? 1 : -1), 0);
    emit_wait(s);
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
    emit(s, (partner > s->rank) == up ? SCHEDULE_RECEIVE : SCHEDULE_SEND, partner, 0);
    emit_wait(s);
    return true;
}

/* reduce_scatter: blocks of the members. */

static bool reduce_scatter_shift(struct collective_schedule *s, uint32_t step)
{
    if (step + 1 >= s->n_ranks) return false;
    uint32_t to = around(s, step + 1), from = around(s, -(int64_t)step - 1);
    emit_exchange(s, to, count_of(s, to), from, count_of(s, s->rank));
    return true;
}

static bool reduce_scatter_ring(struct collective_schedule *s, uint32_t step)
{
    if (step + 1 >= s->n_ranks) return false;
    uint32_t sent = around(s, -(int64_t)step - 1), received = around(s, -(int64_t)step - 2);
    emit_exchange(s, around(s, 1), count_of(s, sent), around(s, -1), count_of(s, received));
    return true;
}

static int64_t total(const struct collective_schedule *s)
{
    int64_t sum = 0;
    if (!s->counts) return s->bytes * s->n_ranks;
    for (uint32_t i = 0; i < s->n_ranks; i++) sum += s->counts[i];
    return sum;
}

static bool reduce_scatter_halving(struct collective_schedule *s, uint32_t step)
{
    struct fold f = fold_of(s);
    uint32_t k = log_of(f.p);
    if (step == 0) emit_fold(s, &f, false, total(s));
    if (step > 0 && step <= k) emit_partner(s, &f, f.p >> step, total(s) >> step);
    if (step == k + 1) emit_fold(s, &f, true, count_of(s, f.hands ? s->rank : s->rank - f.takes));
    return step <= k + 1;
}

schedule_step *schedule_rootless(parcast_collective collective, enum schedule_algorithm algorithm)
{
    static const struct {
        parcast_collective collective;
        enum schedule_algorithm algorithm;
        schedule_step *step;
    } table[] = {
        {PARCAST_COLLECTIVE_BARRIER, SCHEDULE_NAIVE, barrier_linear},
        {PARCAST_COLLECTIVE_BARRIER, SCHEDULE_LINEAR, barrier_linear},
        {PARCAST_COLLECTIVE_BARRIER, SCHEDULE_DISSEMINATION, dissemination},
        {PARCAST_COLLECTIVE_BARRIER, SCHEDULE_RECURSIVE_DOUBLING, recursive_doubling},
        {PARCAST_COLLECTIVE_BARRIER, SCHEDULE_DOUBLE_RING, double_ring},
        {PARCAST_COLLECTIVE_BARRIER, SCHEDULE_TREE, barrier_tree},
        {PARCAST_COLLECTIVE_ALLREDUCE, SCHEDULE_NAIVE, allreduce_naive},
        {PARCAST_COLLECTIVE_ALLREDUCE, SCHEDULE_REDUCE_BCAST, allreduce_reduce_bcast},
        {PARCAST_COLLECTIVE_ALLREDUCE, SCHEDULE_RECURSIVE_DOUBLING, recursive_doubling},
        {PARCAST_COLLECTIVE_ALLREDUCE, SCHEDULE_RABENSEIFNER, allreduce_rabenseifner},
        {PARCAST_COLLECTIVE_ALLREDUCE, SCHEDULE_RING, allreduce_ring},
        {PARCAST_COLLECTIVE_SCAN, SCHEDULE_NAIVE, scan_linear},
        {PARCAST_COLLECTIVE_SCAN, SCHEDULE_LINEAR, scan_linear},
        {PARCAST_COLLECTIVE_SCAN, SCHEDULE_RECURSIVE_DOUBLING, scan_recursive_doubling},
        {PARCAST_COLLECTIVE_EXSCAN, SCHEDULE_NAIVE, scan_linear},
        {PARCAST_COLLECTIVE_EXSCAN, SCHEDULE_LINEAR, scan_linear},
        {PARCAST_COLLECTIVE_EXSCAN, SCHEDULE_RECURSIVE_DOUBLING, scan_recursive_doubling},
        {PARCAST_COLLECTIVE_REDUCE_SCATTER, SCHEDULE_NAIVE, reduce_scatter_shift},
        {PARCAST_COLLECTIVE_REDUCE_SCATTER, SCHEDULE_PAIRWISE_SHIFT, reduce_scatter_shift},
        {PARCAST_COLLECTIVE_REDUCE_SCATTER, SCHEDULE_RING, reduce_scatter_ring},
        {PARCAST_COLLECTIVE_REDUCE_SCATTER, SCHEDULE_RECURSIVE_HALVING, reduce_scatter_halving},
    };
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].collective == collective && table[i].algorithm == algorithm) return table[i].step;
    return NULL;
}
