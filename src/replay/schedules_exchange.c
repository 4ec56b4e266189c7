/* Collectives in which every rank's blocks go to every rank: allgather, alltoall and their v forms. */
#include "replay/schedules_internal.h"

static bool gathers(const struct collective_schedule *s)
{
    return s->collective == PARCAST_COLLECTIVE_ALLGATHER || s->collective == PARCAST_COLLECTIVE_ALLGATHERV;
}

/* What this rank sends to a peer and receives from one, where each pair has a block of its own or, gathering,
   each rank one block for all. */
static int64_t sent_to(const struct collective_schedule *s, uint32_t peer)
{
    return count_of(s, gathers(s) ? s->rank : peer);
}

static int64_t received_from(const struct collective_schedule *s, uint32_t peer)
{
    if (s->receive_counts) return s->receive_counts[peer];
    return count_of(s, peer);
}

/* All receives (from rank + 1 on), all sends (from rank - 1 down), wait; in windows of `window` peers. */
static bool linear(struct collective_schedule *s, uint32_t step, uint32_t window)
{
    uint32_t n = s->n_ranks - 1, begin = step / (2 * window + 1) * window, i = step % (2 * window + 1);
    if (begin >= n) return false;
    uint32_t size = n - begin < window ? n - begin : window;
    if (i < window && i < size) {
        uint32_t from = around(s, (int64_t)begin + i + 1);
        emit_receive(s, from, received_from(s, from));
    } else if (i >= window && i - window < size) {
        uint32_t to = around(s, -((int64_t)begin + i - window + 1));
        emit_send(s, to, sent_to(s, to));
    } else if (i == 2 * window) {
        emit_wait(s);
    }
    return true;
}

static bool linear_all(struct collective_schedule *s, uint32_t step)
{
    return linear(s, step, s->n_ranks - 1);
}

static bool scattered(struct collective_schedule *s, uint32_t step)
{
    enum { WINDOW = 32 };
    return linear(s, step, WINDOW);
}

static bool pairwise_xor(struct collective_schedule *s, uint32_t step)
{
    uint32_t peer = s->rank ^ (step + 1);
    if (step + 1 >= s->n_ranks) return false;
    emit_exchange(s, peer, sent_to(s, peer), peer, received_from(s, peer));
    return true;
}

static bool pairwise_shift(struct collective_schedule *s, uint32_t step)
{
    if (step + 1 >= s->n_ranks) return false;
    uint32_t to = around(s, (int64_t)step + 1), from = around(s, -(int64_t)step - 1);
    emit_exchange(s, to, sent_to(s, to), from, received_from(s, from));
    return true;
}

/* Numbers below n with the bit m. */
static uint32_t with_bit(uint32_t n, uint32_t m)
{
    uint32_t rest = n % (2 * m);
    return n / (2 * m) * m + (rest > m ? rest - m : 0);
}

static bool alltoall_bruck(struct collective_schedule *s, uint32_t step)
{
    uint32_t m = step < 31 ? UINT32_C(1) << step : s->n_ranks;
    if (m >= s->n_ranks) return false;
    int64_t bytes = with_bit(s->n_ranks, m) * s->bytes;
    emit_exchange(s, around(s, m), bytes, around(s, -(int64_t)m), bytes);
    return true;
}

/* Blocks of n members from `first` on, around. */
static int64_t blocks(const struct collective_schedule *s, uint32_t first, uint32_t n)
{
    int64_t sum = 0;
    if (!s->counts) return n * s->bytes;
    for (uint32_t i = 0; i < n; i++) sum += s->counts[(first + i) % s->n_ranks];
    return sum;
}

static bool gather_doubling(struct collective_schedule *s, uint32_t step)
{
    uint32_t m = step < 31 ? UINT32_C(1) << step : s->n_ranks, peer = s->rank ^ m;
    if (m >= s->n_ranks) return false;
    emit_exchange(s, peer, blocks(s, s->rank & ~(m - 1), m), peer, blocks(s, peer & ~(m - 1), m));
    return true;
}

/* m blocks to rank - m, the rest last. */
static bool gather_bruck(struct collective_schedule *s, uint32_t step)
{
    uint32_t m = step < 31 ? UINT32_C(1) << step : s->n_ranks;
    if (m >= s->n_ranks) return false;
    uint32_t n = s->n_ranks - m < m ? s->n_ranks - m : m, from = around(s, m);
    emit_exchange(s, around(s, -(int64_t)m), blocks(s, s->rank, n), from, blocks(s, from, n));
    return true;
}

static bool gather_ring(struct collective_schedule *s, uint32_t step)
{
    if (step + 1 >= s->n_ranks) return false;
    emit_exchange(s, around(s, 1), count_of(s, around(s, -(int64_t)step)), around(s, -1),
                  count_of(s, around(s, -(int64_t)step - 1)));
    return true;
}

/* The pair of blocks that a rank gets in step i, and passes on in the next: from both sides in turn, one pair
   farther each time. In step 0 it is its own pair. */
static int64_t pair_bytes(const struct collective_schedule *s, uint32_t i)
{
    uint32_t n_pairs = s->n_ranks / 2, far = (i + 1) / 2, own = s->rank / 2;
    bool below = (i % 2 == 1) == (s->rank % 2 == 0);
    uint32_t pair = below ? (own + n_pairs - far % n_pairs) % n_pairs : (own + far) % n_pairs;
    return blocks(s, 2 * pair, 2);
}

/* A block with the pair's partner, then pairs of blocks alternating between both neighbours. */
static bool gather_neighbor(struct collective_schedule *s, uint32_t step)
{
    if (step >= s->n_ranks / 2) return false;
    uint32_t peer = around(s, (s->rank % 2 == 0) == (step % 2 == 0) ? 1 : -1);
    if (step == 0)
        emit_exchange(s, peer, count_of(s, s->rank), peer, count_of(s, peer));
    else
        emit_exchange(s, peer, pair_bytes(s, step - 1), peer, pair_bytes(s, step));
    return true;
}

static bool two_ranks(struct collective_schedule *s, uint32_t step)
{
    uint32_t peer = 1 - s->rank;
    if (step > 0) return false;
    emit_exchange(s, peer, sent_to(s, peer), peer, received_from(s, peer));
    return true;
}

schedule_step *schedule_exchange(parcast_collective collective, enum schedule_algorithm algorithm)
{
    bool gather = collective == PARCAST_COLLECTIVE_ALLGATHER || collective == PARCAST_COLLECTIVE_ALLGATHERV;
    bool alltoall = collective == PARCAST_COLLECTIVE_ALLTOALL || collective == PARCAST_COLLECTIVE_ALLTOALLV;
    if (!gather && !alltoall) return NULL;
    switch (algorithm) {
    case SCHEDULE_NAIVE:
    case SCHEDULE_LINEAR:
        return linear_all;
    case SCHEDULE_TWO_RANKS:
        return two_ranks;
    case SCHEDULE_SPREAD:
        return gather ? pairwise_shift : NULL;
    case SCHEDULE_RECURSIVE_DOUBLING:
        return gather ? gather_doubling : NULL;
    case SCHEDULE_RING:
        return gather ? gather_ring : NULL;
    case SCHEDULE_NEIGHBOR:
        return gather ? gather_neighbor : NULL;
    case SCHEDULE_BRUCK:
        if (collective == PARCAST_COLLECTIVE_ALLTOALLV) return NULL;
        return gather ? gather_bruck : alltoall_bruck;
    case SCHEDULE_SCATTERED:
        return gather ? NULL : scattered;
    case SCHEDULE_PAIRWISE_XOR:
        return gather ? NULL : pairwise_xor;
    case SCHEDULE_PAIRWISE_SHIFT:
        return gather ? NULL : pairwise_shift;
    default:
        return NULL;
    }
}
