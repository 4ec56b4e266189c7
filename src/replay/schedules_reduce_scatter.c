/* reduce_scatter and reduce_scatter_block: every member keeps the block of the sum that has its number. */
#include "replay/schedules_internal.h"

static bool pairwise_shift(struct collective_schedule *s, uint32_t step)
{
    if (step + 1 >= s->n_ranks) return false;
    uint32_t to = around(s, (int64_t)step + 1), from = around(s, -(int64_t)step - 1);
    emit_exchange(s, to, blocks(s, to, 1), from, blocks(s, s->rank, 1));
    return true;
}

static bool ring(struct collective_schedule *s, uint32_t step)
{
    if (step + 1 >= s->n_ranks) return false;
    uint32_t sent = around(s, -(int64_t)step - 1), received = around(s, -(int64_t)step - 2);
    emit_ahead(s, step, s->n_ranks - 1, around(s, 1), blocks(s, sent, 1), around(s, -1),
               blocks(s, received, 1));
    return true;
}

/* Blocks of the members that numbers [first, first + n) stand for: their own, and of those that handed theirs
   over. */
static struct schedule_data of_numbers(const struct collective_schedule *s, const struct fold *f,
                                       uint32_t first, uint32_t n)
{
    uint32_t begin = first < f->rem ? 2 * first : first + f->rem, stop = first + n;
    uint32_t end = stop < f->rem ? 2 * stop : stop + f->rem;
    return blocks(s, begin, end - begin);
}

/* Distance p/2, p/4, ..: who is in the lower half sends what belongs to the upper one. */
static bool halving(struct collective_schedule *s, uint32_t step)
{
    struct fold f = fold_of(s, false);
    uint32_t k = log_of(f.p);
    if (step == 0) emit_fold(s, &f, false, blocks(s, 0, s->n_ranks));
    if (step > 0 && step <= k && !f.hands) {
        uint32_t m = f.p >> step, other = f.number ^ m, peer = unfold(&f, other);
        emit_exchange_of_some(s, peer, of_numbers(s, &f, other & ~(m - 1), m),
                              of_numbers(s, &f, f.number & ~(m - 1), m));
    }
    struct schedule_data own = blocks(s, s->rank & ~UINT32_C(1), 1);
    if (step == k + 1 && own.bytes > 0) emit_fold(s, &f, true, own);
    return step <= k + 1;
}

static uint32_t mirrored(uint32_t number, uint32_t n_bits)
{
    uint32_t mirror = 0;
    for (uint32_t i = 0; i < n_bits; i++, number >>= 1) mirror = mirror << 1 | (number & 1);
    return mirror;
}

/*
 * Halving at distance 1, 2, .. leaves number i with the block of its mirror image. So in the end mirror
 * images exchange; a block of a member that handed its data over goes straight to it.
 */
static void emit_mirror(struct collective_schedule *s, const struct fold *f, uint32_t k)
{
    uint32_t other = mirrored(f->number, k), peer = unfold(f, other);
    if (f->hands) {
        emit_blocking(s, false, peer, blocks(s, s->rank, 1));
        return;
    }
    if (other < f->rem) {
        emit_send(s, peer - 1, blocks(s, peer - 1, 1));
        emit_wait_for(s, 1U << CHANNEL_SENDS);
    }
    if (other != f->number) emit_exchange(s, peer, blocks(s, peer, 1), peer, blocks(s, s->rank, 1));
}

static bool butterfly(struct collective_schedule *s, uint32_t step)
{
    struct fold f = fold_of(s, false);
    uint32_t k = log_of(f.p);
    if (step == 0) emit_fold(s, &f, false, blocks(s, 0, s->n_ranks));
    if (step > 0 && step <= k && !f.hands) {
        uint32_t other = f.number ^ UINT32_C(1) << (step - 1), peer = unfold(&f, other), n = f.p >> step;
        emit_exchange(s, peer, of_numbers(s, &f, halved(other, f.p, step), n), peer,
                      of_numbers(s, &f, halved(f.number, f.p, step), n));
    }
    if (step == k + 1) emit_mirror(s, &f, k);
    return step <= k + 1;
}

/* All of the vector in every exchange. The library leaves out what the partner's side does not need. */
static bool doubling(struct collective_schedule *s, uint32_t step)
{
    struct fold f = fold_of(s, false);
    uint32_t k = log_of(f.p);
    struct schedule_data all = blocks(s, 0, s->n_ranks);
    if (step == 0) emit_fold(s, &f, false, all);
    if (step > 0 && step <= k && !f.hands) {
        uint32_t peer = unfold(&f, f.number ^ UINT32_C(1) << (step - 1));
        emit_exchange(s, peer, all, peer, all);
    }
    if (step == k + 1) emit_fold(s, &f, true, blocks(s, s->rank & ~UINT32_C(1), 1));
    return step <= k + 1;
}

/* All blocks but those of m members from `first` on. */
static struct schedule_data all_but(const struct collective_schedule *s, uint32_t first, uint32_t m)
{
    uint32_t end = first + m < s->n_ranks ? first + m : s->n_ranks;
    return blocks(s, end % s->n_ranks, s->n_ranks - (end - first));
}

/* Exchanges at distance 2^i of all that the own subtree of 2^i does not keep; what came is passed on to those
   of the subtree who had no partner. */
static bool doubling_unfolded(struct collective_schedule *s, uint32_t step)
{
    uint32_t turn, i = turn_of_doubling(step, &turn);
    uint32_t m = distance_of(s, i), peer = s->rank ^ m, own = s->rank & ~(m - 1), other = peer & ~(m - 1);
    bool tells;
    if (m >= s->n_ranks) return false;
    if (turn == 0 && peer < s->n_ranks)
        emit_exchange(s, peer, all_but(s, own, m), peer, all_but(s, other, m));
    if (turn > 0 && other > own && other + m > s->n_ranks && other < s->n_ranks &&
        passes_on(s->n_ranks, s->rank, i, m >> turn, &tells))
        emit_blocking(s, tells, s->rank ^ m >> turn, all_but(s, other, m));
    return true;
}

const struct schedule_entry schedule_reduce_scatters[] = {
    {PARCAST_COLLECTIVE_REDUCE_SCATTER, ALGORITHM_PAIRWISE_SHIFT, pairwise_shift},
    {PARCAST_COLLECTIVE_REDUCE_SCATTER, ALGORITHM_RING, ring},
    {PARCAST_COLLECTIVE_REDUCE_SCATTER, ALGORITHM_RECURSIVE_HALVING, halving},
    {PARCAST_COLLECTIVE_REDUCE_SCATTER, ALGORITHM_RECURSIVE_DOUBLING, doubling},
    {PARCAST_COLLECTIVE_REDUCE_SCATTER, ALGORITHM_RECURSIVE_DOUBLING_UNFOLDED, doubling_unfolded},
    {PARCAST_COLLECTIVE_REDUCE_SCATTER, ALGORITHM_BUTTERFLY, butterfly},
    {PARCAST_COLLECTIVE_REDUCE_SCATTER_BLOCK, ALGORITHM_PAIRWISE_SHIFT, pairwise_shift},
    {PARCAST_COLLECTIVE_REDUCE_SCATTER_BLOCK, ALGORITHM_RING, ring},
    {PARCAST_COLLECTIVE_REDUCE_SCATTER_BLOCK, ALGORITHM_RECURSIVE_HALVING, halving},
    {PARCAST_COLLECTIVE_REDUCE_SCATTER_BLOCK, ALGORITHM_RECURSIVE_DOUBLING, doubling},
    {PARCAST_COLLECTIVE_REDUCE_SCATTER_BLOCK, ALGORITHM_RECURSIVE_DOUBLING_UNFOLDED, doubling_unfolded},
    {PARCAST_COLLECTIVE_REDUCE_SCATTER_BLOCK, ALGORITHM_BUTTERFLY, butterfly},
    {0},
};
