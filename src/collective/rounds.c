#include "collective/rounds.h"

#include <math.h>
#include <stdbool.h>

/* Segment chains of Open MPI: so many start at the root. */
enum { CHAINS = 4, KNOMIAL_RADIX = 4, PAIRWISE_IN_FULL = 64 };

struct walk {
    const struct collective_visitor *v;
    int n;        /* members */
    double bytes; /* as given */
};

static void send(const struct walk *w, int from, int to, double bytes)
{
    w->v->message(w->v->context, from, to, bytes);
}

static void swap(const struct walk *w, int a, int b, double bytes)
{
    send(w, a, b, bytes);
    send(w, b, a, bytes);
}

static void end_round(const struct walk *w, double times)
{
    w->v->end_round(w->v->context, times);
}

static int power_below(int n) /* largest power of two up to n */
{
    int p = 1;
    while (2 * p <= n) p *= 2;
    return p;
}

/* ---- trees ---- */

/* From the root down (or up to it); bytes of a message to a subtree of k members: fixed + k x each. */
static void binomial(const struct walk *w, bool up, double fixed, double each)
{
    int top = power_below(w->n - 1);
    for (int i = 0; (1 << i) <= top; i++) {
        int m = up ? 1 << i : top >> i;
        for (int v = 0; v + m < w->n; v += 2 * m) {
            int below = w->n - v - m < m ? w->n - v - m : m;
            double bytes = fixed + below * each;
            if (up)
                send(w, v + m, v, bytes);
            else
                send(w, v, v + m, bytes);
        }
        end_round(w, 1);
    }
}

/* Who has the vector passes it on at distance 1, then 2, 4, ..: Open MPI's tree of a broadcast. */
static void binomial_ascending(const struct walk *w, double bytes)
{
    for (int m = 1; m < w->n; m *= 2) {
        for (int v = 0; v < m && v + m < w->n; v++) send(w, v, v + m, bytes);
        end_round(w, 1);
    }
}

static void knomial(const struct walk *w, double bytes)
{
    int top = 1;
    while (top * KNOMIAL_RADIX < w->n) top *= KNOMIAL_RADIX;
    for (int m = top; m >= 1; m /= KNOMIAL_RADIX) {
        for (int v = 0; v < w->n; v += KNOMIAL_RADIX * m)
            for (int k = 1; k < KNOMIAL_RADIX && v + k * m < w->n; k++) send(w, v, v + k * m, bytes);
        end_round(w, 1);
    }
}

/* Member v has the children 2 v + 1 and 2 v + 2; a round is a level. */
static void binary(const struct walk *w, bool up, double bytes)
{
    int levels = 0;
    while ((1 << (levels + 1)) - 1 < w->n) levels++;
    for (int i = 0; i < levels; i++) {
        int level = up ? levels - 1 - i : i, first = (1 << level) - 1;
        for (int v = first; v < 2 * first + 1 && v < w->n; v++)
            for (int child = 2 * v + 1; child <= 2 * v + 2 && child < w->n; child++)
                send(w, up ? child : v, up ? v : child, bytes);
        end_round(w, 1);
    }
}

/* Chains that begin at the root; a round passes the whole vector on by one member. */
static void chains(const struct walk *w, bool up, int n_chains, double bytes)
{
    int others = w->n - 1, longest = (others + n_chains - 1) / n_chains;
    for (int i = 0; i < longest; i++) {
        int step = up ? longest - 1 - i : i;
        for (int chain = 0, first = 1; chain < n_chains && first < w->n; chain++) {
            int length = others / n_chains + (chain < others % n_chains);
            int to = first + step, from = step == 0 ? 0 : to - 1;
            if (step < length) send(w, up ? to : from, up ? from : to, bytes);
            first += length;
        }
        end_round(w, 1);
    }
}

static void star(const struct walk *w, bool up, double bytes)
{
    for (int v = 1; v < w->n; v++) send(w, up ? v : 0, up ? 0 : v, bytes);
    end_round(w, 1);
}

/* ---- exchanges ---- */

/* Of n = p + rem members rem hand their data to a neighbour, or get the result back. */
static void fold(const struct walk *w, bool back, double bytes)
{
    int rem = w->n - power_below(w->n);
    if (rem == 0) return;
    for (int i = 0; i < rem; i++) send(w, 2 * i + back, 2 * i + !back, bytes);
    end_round(w, 1);
}

/* Member of the i-th of the p that go on after folding. */
static int folded(const struct walk *w, int i)
{
    int rem = w->n - power_below(w->n);
    return i < rem ? 2 * i + 1 : i + rem;
}

/* Exchanges at distance 1, 2, 4, ...; bytes x scale^round, or in reverse order. */
static void hypercube(const struct walk *w, bool reverse, double bytes, double scale)
{
    int p = power_below(w->n), rounds = 0;
    while ((1 << rounds) < p) rounds++;
    for (int k = 0; k < rounds; k++) {
        int round = reverse ? rounds - 1 - k : k;
        for (int i = 0; i < p; i++)
            if (i < (i ^ (1 << round)))
                swap(w, folded(w, i), folded(w, i ^ (1 << round)), bytes * pow(scale, round));
        end_round(w, 1);
    }
}

static void ring(const struct walk *w, double times, double bytes)
{
    if (w->n == 2)
        swap(w, 0, 1, bytes);
    else
        for (int v = 0; v < w->n; v++) send(w, v, (v + 1) % w->n, bytes);
    end_round(w, times);
}

static void doubling_with_fold(const struct walk *w, double bytes)
{
    fold(w, false, bytes);
    hypercube(w, false, bytes, 1);
    fold(w, true, bytes);
}

static void allgather_doubling(const struct walk *w, double block)
{
    fold(w, false, block);
    hypercube(w, false, block * w->n / power_below(w->n), 2);
    fold(w, true, block * w->n);
}

static void bruck_gather(const struct walk *w, double block)
{
    for (int m = 1; m < w->n; m *= 2) {
        double bytes = block * (m < w->n - m ? m : w->n - m);
        if (2 * m == w->n)
            for (int v = 0; v < m; v++) swap(w, v, v + m, bytes);
        else
            for (int v = 0; v < w->n; v++) send(w, v, (v + w->n - m) % w->n, bytes);
        end_round(w, 1);
    }
}

static void neighbours(const struct walk *w, double block)
{
    for (int v = 0; v + 1 < w->n; v += 2) swap(w, v, v + 1, block);
    end_round(w, 1);
    for (int round = 1; round < w->n / 2; round++) {
        for (int v = round % 2; v < w->n; v += 2) swap(w, v, (v + 1) % w->n, 2 * block);
        end_round(w, 1);
    }
}

static void bruck_all(const struct walk *w, double block)
{
    for (int m = 1; m < w->n; m *= 2) {
        int blocks = 0;
        for (int i = 1; i < w->n; i++) blocks += (i & m) != 0;
        for (int v = 0; v < w->n; v++) send(w, v, (v + m) % w->n, blocks * block);
        end_round(w, 1);
    }
}

static void pairwise(const struct walk *w, bool by_xor, double block)
{
    if (w->n > PAIRWISE_IN_FULL) {
        w->v->all_pairs(w->v->context, block);
        end_round(w, 1);
        return;
    }
    for (int step = 1; step < w->n; step++) {
        for (int v = 0; v < w->n; v++) send(w, v, by_xor ? v ^ step : (v + step) % w->n, block);
        end_round(w, 1);
    }
}

static void dissemination(const struct walk *w)
{
    for (int m = 1; m < w->n; m *= 2) {
        for (int v = 0; v < w->n; v++) send(w, v, (v + m) % w->n, 0);
        end_round(w, 1);
    }
}

/* ---- operations ---- */

static void bcast(const struct walk *w, enum collective_algorithm algorithm, double bytes)
{
    double block = ceil(bytes / w->n);
    switch (algorithm) {
    case ALGORITHM_LINEAR:
        star(w, false, bytes);
        break;
    case ALGORITHM_CHAIN:
        chains(w, false, CHAINS, bytes);
        break;
    case ALGORITHM_PIPELINE:
        chains(w, false, 1, bytes);
        break;
    case ALGORITHM_BINARY:
        binary(w, false, bytes);
        break;
    case ALGORITHM_SPLIT_BINARY:
        binary(w, false, bytes / 2);
        for (int v = 1; v + 1 < w->n; v += 2) swap(w, v, v + 1, bytes / 2);
        end_round(w, 1);
        break;
    case ALGORITHM_KNOMIAL:
        knomial(w, bytes);
        break;
    case ALGORITHM_BINOMIAL_ASCENDING:
        binomial_ascending(w, bytes);
        break;
    case ALGORITHM_SCATTER_RECURSIVE_DOUBLING:
        binomial(w, false, 0, block);
        allgather_doubling(w, block);
        break;
    case ALGORITHM_SCATTER_RING:
        binomial(w, false, 0, block);
        ring(w, w->n - 1, block);
        break;
    default:
        binomial(w, false, bytes, 0);
        break;
    }
}

static void reduce(const struct walk *w, enum collective_algorithm algorithm)
{
    switch (algorithm) {
    case ALGORITHM_LINEAR:
        star(w, true, w->bytes);
        break;
    case ALGORITHM_CHAIN:
        chains(w, true, CHAINS, w->bytes);
        break;
    case ALGORITHM_PIPELINE:
        chains(w, true, 1, w->bytes);
        break;
    case ALGORITHM_BINARY:
    case ALGORITHM_IN_ORDER_BINARY:
        binary(w, true, w->bytes);
        break;
    case ALGORITHM_RABENSEIFNER:
    case ALGORITHM_RABENSEIFNER_HALVES: /* n/2, n/4, ..; then gathered back */
        fold(w, false, w->bytes);
        hypercube(w, false, w->bytes / 2, 0.5);
        binomial(w, true, 0, w->bytes / w->n);
        break;
    default:
        binomial(w, true, w->bytes, 0);
        break;
    }
}

static void allreduce(const struct walk *w, enum collective_algorithm algorithm)
{
    switch (algorithm) {
    case ALGORITHM_REDUCE_BCAST:
        binomial(w, true, w->bytes, 0);
        binomial(w, false, w->bytes, 0);
        break;
    case ALGORITHM_RING:
    case ALGORITHM_SEGMENTED_RING:
        ring(w, 2 * (w->n - 1), w->bytes / w->n);
        break;
    case ALGORITHM_RABENSEIFNER:
    case ALGORITHM_RABENSEIFNER_HALVES:
        fold(w, false, w->bytes);
        hypercube(w, false, w->bytes / 2, 0.5);
        hypercube(w, true, w->bytes / 2, 0.5);
        fold(w, true, w->bytes);
        break;
    default:
        doubling_with_fold(w, w->bytes);
        break;
    }
}

static void allgather(const struct walk *w, enum collective_algorithm algorithm)
{
    switch (algorithm) {
    case ALGORITHM_TWO_RANKS:
    case ALGORITHM_RECURSIVE_DOUBLING:
        allgather_doubling(w, w->bytes);
        break;
    case ALGORITHM_BRUCK:
        bruck_gather(w, w->bytes);
        break;
    case ALGORITHM_NEIGHBOR:
        neighbours(w, w->bytes);
        break;
    case ALGORITHM_GATHERV_BCAST:
    case ALGORITHM_LINEAR:
        star(w, true, w->bytes);
        bcast(w, ALGORITHM_BINOMIAL, w->n * w->bytes);
        break;
    default:
        ring(w, w->n - 1, w->bytes);
        break;
    }
}

static void alltoall(const struct walk *w, enum collective_algorithm algorithm)
{
    switch (algorithm) {
    case ALGORITHM_BRUCK:
        bruck_all(w, w->bytes);
        break;
    case ALGORITHM_TWO_RANKS:
        swap(w, 0, 1, w->bytes);
        end_round(w, 1);
        break;
    case ALGORITHM_PAIRWISE_XOR:
    case ALGORITHM_PAIRWISE_SHIFT:
        pairwise(w, algorithm == ALGORITHM_PAIRWISE_XOR, w->bytes);
        break;
    default:
        w->v->all_pairs(w->v->context, w->bytes);
        end_round(w, 1);
        break;
    }
}

static void reduce_scatter(const struct walk *w, enum collective_algorithm algorithm, double bytes)
{
    switch (algorithm) {
    case ALGORITHM_RING:
        ring(w, w->n - 1, bytes / w->n);
        break;
    case ALGORITHM_PAIRWISE_SHIFT:
        pairwise(w, false, bytes / w->n);
        break;
    case ALGORITHM_REDUCE_SCATTERV:
    case ALGORITHM_LINEAR:
        binomial(w, true, bytes, 0);
        star(w, false, bytes / w->n);
        break;
    default:
        fold(w, false, bytes);
        hypercube(w, true, bytes / power_below(w->n), 2);
        fold(w, true, bytes / w->n);
        break;
    }
}

static void barrier(const struct walk *w, enum collective_algorithm algorithm)
{
    switch (algorithm) {
    case ALGORITHM_LINEAR:
        star(w, true, 0);
        star(w, false, 0);
        break;
    case ALGORITHM_TREE:
        binomial(w, true, 0, 0);
        binomial(w, false, 0, 0);
        break;
    case ALGORITHM_RECURSIVE_DOUBLING:
        doubling_with_fold(w, 0);
        break;
    default:
        dissemination(w);
        break;
    }
}

void collective_rounds(enum collective_operation operation, enum collective_algorithm algorithm, int n_ranks,
                       double bytes, const struct collective_visitor *visitor)
{
    struct walk w = {visitor, n_ranks, bytes};
    if (n_ranks < 2) return;
    switch (operation) {
    case OPERATION_BARRIER:
        barrier(&w, algorithm);
        break;
    case OPERATION_BCAST:
        bcast(&w, algorithm, bytes);
        break;
    case OPERATION_REDUCE:
        reduce(&w, algorithm);
        break;
    case OPERATION_ALLREDUCE:
        allreduce(&w, algorithm);
        break;
    case OPERATION_GATHER:
    case OPERATION_GATHERV:
        if (algorithm == ALGORITHM_BINOMIAL)
            binomial(&w, true, 0, bytes);
        else
            star(&w, true, bytes);
        break;
    case OPERATION_SCATTER:
    case OPERATION_SCATTERV:
        if (algorithm == ALGORITHM_BINOMIAL)
            binomial(&w, false, 0, bytes);
        else
            star(&w, false, bytes);
        break;
    case OPERATION_ALLGATHER:
    case OPERATION_ALLGATHERV:
        allgather(&w, algorithm);
        break;
    case OPERATION_ALLTOALL:
    case OPERATION_ALLTOALLV:
    case OPERATION_ALLTOALLW:
        alltoall(&w, algorithm);
        break;
    case OPERATION_REDUCE_SCATTER:
        reduce_scatter(&w, algorithm, bytes);
        break;
    case OPERATION_REDUCE_SCATTER_BLOCK:
        reduce_scatter(&w, algorithm, n_ranks * bytes);
        break;
    case OPERATION_SCAN:
    case OPERATION_EXSCAN:
        if (algorithm == ALGORITHM_LINEAR)
            chains(&w, false, 1, bytes);
        else
            doubling_with_fold(&w, bytes);
        break;
    case OPERATION_NEIGHBOR_ALLGATHER: /* who the neighbours are is not known here */
    case OPERATION_NEIGHBOR_ALLGATHERV:
    case OPERATION_NEIGHBOR_ALLTOALL:
    case OPERATION_NEIGHBOR_ALLTOALLV:
    case OPERATION_NEIGHBOR_ALLTOALLW:
    case COLLECTIVE_OPERATIONS:
        break;
    }
}
