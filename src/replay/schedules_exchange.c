/* Collectives in which blocks of every rank go to every rank, or to its neighbours: allgather, alltoall and
 * their v forms. */
#include "replay/schedules_internal.h"

static bool gathers(const struct collective_schedule *s)
{
    return s->part == PARCAST_COLLECTIVE_ALLGATHER || s->part == PARCAST_COLLECTIVE_ALLGATHERV;
}

/* What this rank sends to a peer and receives from one, where each pair has a block of its own or, gathering,
   each rank one block for all. */
static struct schedule_data sent_to(const struct collective_schedule *s, uint32_t peer)
{
    return blocks(s, gathers(s) ? s->rank : peer, 1);
}

static struct schedule_data received_from(const struct collective_schedule *s, uint32_t peer)
{
    struct schedule_data data = blocks(s, gathers(s) ? peer : s->rank, 1);
    if (s->receive_counts) data.bytes = s->receive_counts[peer];
    return data;
}

/* All receives (from rank + 1 on), all sends (from rank - 1 down), wait; in windows of `window` peers. */
static bool linear(struct collective_schedule *s, uint32_t step, uint32_t window)
{
    uint32_t n = s->n_ranks, begin = step / (2 * window + 1) * window, i = step % (2 * window + 1);
    if (begin >= n) return false;
    uint32_t at = begin + (i < window ? i : i - window); /* 0 is the rank itself */
    if (i == 2 * window) {
        emit_wait(s);
    } else if (at > 0 && at < n) {
        uint32_t peer = around(s, i < window ? (int64_t)at : -(int64_t)at);
        if (i < window)
            emit_receive(s, peer, received_from(s, peer));
        else
            emit_send(s, peer, sent_to(s, peer));
    }
    return true;
}

static bool linear_all(struct collective_schedule *s, uint32_t step)
{
    return linear(s, step, s->n_ranks);
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
    uint32_t m = distance_of(s, step);
    if (m >= s->n_ranks) return false;
    uint32_t n = with_bit(s->n_ranks, m);
    struct schedule_data slots = {n * s->bytes, m, n};
    emit_exchange(s, around(s, m), slots, around(s, -(int64_t)m), slots);
    return true;
}

static bool gather_doubling(struct collective_schedule *s, uint32_t step)
{
    uint32_t m = distance_of(s, step), peer = s->rank ^ m;
    if (m >= s->n_ranks) return false;
    emit_exchange(s, peer, blocks(s, s->rank & ~(m - 1), m), peer, blocks(s, peer & ~(m - 1), m));
    return true;
}

/* m blocks to rank - m, the rest last. */
static bool gather_bruck(struct collective_schedule *s, uint32_t step)
{
    uint32_t m = distance_of(s, step);
    if (m >= s->n_ranks) return false;
    uint32_t n = s->n_ranks - m < m ? s->n_ranks - m : m, from = around(s, m);
    emit_exchange(s, around(s, -(int64_t)m), blocks(s, s->rank, n), from, blocks(s, from, n));
    return true;
}

static bool gather_ring(struct collective_schedule *s, uint32_t step)
{
    if (step + 1 >= s->n_ranks) return false;
    emit_exchange(s, around(s, 1), blocks(s, around(s, -(int64_t)step), 1), around(s, -1),
                  blocks(s, around(s, -(int64_t)step - 1), 1));
    return true;
}

/* The pair of blocks that a rank gets in step i, and passes on in the next: from both sides in turn, one pair
   farther each time. In step 0 it is its own pair. */
static struct schedule_data pair_of_blocks(const struct collective_schedule *s, uint32_t i)
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
        emit_exchange(s, peer, blocks(s, s->rank, 1), peer, blocks(s, peer, 1));
    else
        emit_exchange(s, peer, pair_of_blocks(s, step - 1), peer, pair_of_blocks(s, step));
    return true;
}

static bool two_ranks(struct collective_schedule *s, uint32_t step)
{
    uint32_t peer = 1 - s->rank;
    if (step > 0) return false;
    emit_exchange(s, peer, sent_to(s, peer), peer, received_from(s, peer));
    return true;
}

/* Neighbourhoods: all receives in the order of the sources, all sends in that of the destinations, wait. */
static bool neighbours(struct collective_schedule *s, uint32_t step)
{
    uint32_t n = s->n_sources + s->n_destinations;
    bool receives = step < s->n_sources;
    if (step > n) return false;
    if (step == n) {
        emit_wait(s);
        return true;
    }
    uint32_t i = receives ? step : step - s->n_sources;
    int64_t peer = receives ? s->sources[i] : s->destinations[i];
    const int64_t *counts = receives ? s->receive_counts : s->counts;
    struct schedule_data data = {counts ? counts[i] : s->bytes, 0, 0};
    if (peer < 0 || peer >= s->n_ranks) return true; /* nobody, where a grid ends */
    if (receives)
        emit_receive(s, (uint32_t)peer, data);
    else
        emit_send(s, (uint32_t)peer, data);
    return true;
}

const struct schedule_entry schedule_exchanges[] = {
    {PARCAST_COLLECTIVE_ALLGATHER, ALGORITHM_NAIVE, linear_all},
    {PARCAST_COLLECTIVE_ALLGATHER, ALGORITHM_LINEAR_NONBLOCKING, linear_all},
    {PARCAST_COLLECTIVE_ALLGATHER, ALGORITHM_TWO_RANKS, two_ranks},
    {PARCAST_COLLECTIVE_ALLGATHER, ALGORITHM_SPREAD, pairwise_shift},
    {PARCAST_COLLECTIVE_ALLGATHER, ALGORITHM_RECURSIVE_DOUBLING, gather_doubling},
    {PARCAST_COLLECTIVE_ALLGATHER, ALGORITHM_RING, gather_ring},
    {PARCAST_COLLECTIVE_ALLGATHER, ALGORITHM_NEIGHBOR, gather_neighbor},
    {PARCAST_COLLECTIVE_ALLGATHER, ALGORITHM_BRUCK, gather_bruck},
    {PARCAST_COLLECTIVE_ALLGATHERV, ALGORITHM_NAIVE, linear_all},
    {PARCAST_COLLECTIVE_ALLGATHERV, ALGORITHM_LINEAR_NONBLOCKING, linear_all},
    {PARCAST_COLLECTIVE_ALLGATHERV, ALGORITHM_TWO_RANKS, two_ranks},
    {PARCAST_COLLECTIVE_ALLGATHERV, ALGORITHM_SPREAD, pairwise_shift},
    {PARCAST_COLLECTIVE_ALLGATHERV, ALGORITHM_RECURSIVE_DOUBLING, gather_doubling},
    {PARCAST_COLLECTIVE_ALLGATHERV, ALGORITHM_RING, gather_ring},
    {PARCAST_COLLECTIVE_ALLGATHERV, ALGORITHM_NEIGHBOR, gather_neighbor},
    {PARCAST_COLLECTIVE_ALLGATHERV, ALGORITHM_BRUCK, gather_bruck},
    {PARCAST_COLLECTIVE_ALLTOALL, ALGORITHM_NAIVE, linear_all},
    {PARCAST_COLLECTIVE_ALLTOALL, ALGORITHM_LINEAR, linear_all},
    {PARCAST_COLLECTIVE_ALLTOALL, ALGORITHM_TWO_RANKS, two_ranks},
    {PARCAST_COLLECTIVE_ALLTOALL, ALGORITHM_SCATTERED, scattered},
    {PARCAST_COLLECTIVE_ALLTOALL, ALGORITHM_PAIRWISE_XOR, pairwise_xor},
    {PARCAST_COLLECTIVE_ALLTOALL, ALGORITHM_PAIRWISE_SHIFT, pairwise_shift},
    {PARCAST_COLLECTIVE_ALLTOALL, ALGORITHM_BRUCK, alltoall_bruck},
    {PARCAST_COLLECTIVE_ALLTOALLV, ALGORITHM_NAIVE, linear_all},
    {PARCAST_COLLECTIVE_ALLTOALLV, ALGORITHM_LINEAR, linear_all},
    {PARCAST_COLLECTIVE_ALLTOALLV, ALGORITHM_TWO_RANKS, two_ranks},
    {PARCAST_COLLECTIVE_ALLTOALLV, ALGORITHM_SCATTERED, scattered},
    {PARCAST_COLLECTIVE_ALLTOALLV, ALGORITHM_PAIRWISE_XOR, pairwise_xor},
    {PARCAST_COLLECTIVE_ALLTOALLV, ALGORITHM_PAIRWISE_SHIFT, pairwise_shift},
    {PARCAST_COLLECTIVE_ALLTOALLW, ALGORITHM_NAIVE, linear_all},
    {PARCAST_COLLECTIVE_ALLTOALLW, ALGORITHM_LINEAR, linear_all},
    {PARCAST_COLLECTIVE_ALLTOALLW, ALGORITHM_TWO_RANKS, two_ranks},
    {PARCAST_COLLECTIVE_ALLTOALLW, ALGORITHM_SCATTERED, scattered},
    {PARCAST_COLLECTIVE_ALLTOALLW, ALGORITHM_PAIRWISE_XOR, pairwise_xor},
    {PARCAST_COLLECTIVE_ALLTOALLW, ALGORITHM_PAIRWISE_SHIFT, pairwise_shift},
    {PARCAST_COLLECTIVE_NEIGHBOR_ALLGATHER, ALGORITHM_NAIVE, neighbours},
    {PARCAST_COLLECTIVE_NEIGHBOR_ALLGATHER, ALGORITHM_LINEAR, neighbours},
    {PARCAST_COLLECTIVE_NEIGHBOR_ALLGATHERV, ALGORITHM_NAIVE, neighbours},
    {PARCAST_COLLECTIVE_NEIGHBOR_ALLGATHERV, ALGORITHM_LINEAR, neighbours},
    {PARCAST_COLLECTIVE_NEIGHBOR_ALLTOALL, ALGORITHM_NAIVE, neighbours},
    {PARCAST_COLLECTIVE_NEIGHBOR_ALLTOALL, ALGORITHM_LINEAR, neighbours},
    {PARCAST_COLLECTIVE_NEIGHBOR_ALLTOALLV, ALGORITHM_NAIVE, neighbours},
    {PARCAST_COLLECTIVE_NEIGHBOR_ALLTOALLV, ALGORITHM_LINEAR, neighbours},
    {PARCAST_COLLECTIVE_NEIGHBOR_ALLTOALLW, ALGORITHM_NAIVE, neighbours},
    {PARCAST_COLLECTIVE_NEIGHBOR_ALLTOALLW, ALGORITHM_LINEAR, neighbours},
    {0},
};
