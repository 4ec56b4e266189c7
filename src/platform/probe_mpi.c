/*
 * parcast-probe.<mpi>: what one node can do and what runs between nodes, seen by MPI.
 *
 *     mpiexec -n N parcast-probe.openmpi --output FILE [--pretend-hosts]
 *
 * One rank a host (its leader) measures the host, one host after the other, while all others sleep. Then
 * leaders exchange messages in pairs. With --pretend-hosts every rank counts as a host of its own, which lets
 * one machine test what needs several. Rank 0 writes FILE, schema parcast.probe-raw/1, for
 * parcast_probe_parse.
 *
 * The speed of a core is what MPI_Wtime says: the kernel's score is CPU time based and multiplied by CPU time
 * / MPI_Wtime time around it, so that a machine whose programs are slowed between MPI calls is seen as slow.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parcast/calibrate.h"
#include "parcast/probe.h"
#include "probe_mpi.h"

void stop(const char *text)
{
    fprintf(stderr, "parcast-probe: %s\n", text);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

/* A barrier whose waiting ranks sleep: they must not take the cores that are measured. */
static void sleeping_barrier(MPI_Comm comm)
{
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(comm, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done)
        nanosleep(&(struct timespec){.tv_nsec = 4000000}, NULL);
}

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU time per MPI_Wtime time while computing; the best of many short pieces, because other load only
   lowers it. */
static double measure_dilation(void)
{
    double best = 0;
    for (int i = 0; i < 31; i++) {
        double start_s = MPI_Wtime(), start_cpu_s = cpu_s();
        parcast_calibrate_core(0.002);
        double used_s = cpu_s() - start_cpu_s, elapsed_s = MPI_Wtime() - start_s;
        if (used_s / elapsed_s > best) best = used_s / elapsed_s;
    }
    return best > 0.98 ? 1 : best; /* what is above is the price of the clocks */
}

/* Messages within the host: between its first two ranks, if it has two. */
static void measure_shared(struct probe *p)
{
    int rank, size;
    MPI_Comm_rank(p->node, &rank);
    MPI_Comm_size(p->node, &size);
    if (size < 2 || rank > 1) return;
    if (rank == 1) {
        answer_pair(p, 0, p->node);
        return;
    }
    parcast_probe_pair pair;
    measure_pair(p, 1, p->node, &pair);
    int last = pair.n_sizes - 1;
    p->host.shared_latency_s = pair.one_way_s[0];
    p->host.shared_bandwidth_bytes_per_s =
        (pair.bytes[last] - 1) / (pair.one_way_s[last] - pair.one_way_s[0]);
}

static void measure_host(struct probe *p)
{
    parcast_error error;
    if (p->leader >= 0) {
        int ranks;
        if (parcast_probe_node(false, NULL, NULL, &p->host, &error) != PARCAST_OK) stop(error.text);
        MPI_Comm_size(p->node, &ranks);
        p->host.ranks = ranks;
        p->host.dilation_ratio = measure_dilation();
        p->host.calibration *= p->host.dilation_ratio;
        p->host.calibration_busy *= p->host.dilation_ratio;
        p->host.flop_rate_flop_per_s *= p->host.dilation_ratio;
        for (int i = 0; i < p->host.n_memory; i++) p->host.memory_bytes_per_s[i] *= p->host.dilation_ratio;
    }
    sleeping_barrier(p->node);
    measure_shared(p);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Standard error of the median of sorted scores: sigma from the quartiles, sqrt(pi / (2 n)) of it. */
static double error_of_median(const double *scores, int n)
{
    double sigma = (scores[3 * n / 4] - scores[n / 4]) / 1.349;
    return sqrt(1.5707963267948966 / n) * sigma;
}

/*
 * Again the speed of a core, in rounds over all hosts, and the median: clocks rise and fall by tenths within
 * seconds, and hosts that are alike must come out alike.
 */
static void measure_speeds(struct probe *p, int mine, int turns)
{
    enum { SPEED_ROUNDS = 9 };
    static const double budget_s = 0.02;
    double scores[SPEED_ROUNDS];
    for (int round = 0; round < SPEED_ROUNDS; round++)
        for (int turn = 0; turn < turns; turn++) {
            if (p->leader >= 0 && (turns == 1 || mine == turn))
                scores[round] = parcast_calibrate_core(budget_s);
            sleeping_barrier(MPI_COMM_WORLD);
        }
    if (p->leader < 0) return;
    qsort(scores, SPEED_ROUNDS, sizeof *scores, compare_numbers);
    double busy_ratio = p->host.calibration_busy / p->host.calibration;
    p->host.calibration = scores[SPEED_ROUNDS / 2] * p->host.dilation_ratio;
    p->host.calibration_error = error_of_median(scores, SPEED_ROUNDS) * p->host.dilation_ratio;
    p->host.calibration_busy = busy_ratio * p->host.calibration;
}

/* One host after the other where that does not take long: hosts may be parts of one machine. */
static void measure_hosts(struct probe *p)
{
    int mine = p->leader, turns = p->n_hosts <= ALL_PAIRS_UP_TO ? p->n_hosts : 1;
    MPI_Bcast(&mine, 1, MPI_INT, 0, p->node);
    for (int turn = 0; turn < turns; turn++) {
        if (turns == 1 || mine == turn) measure_host(p);
        sleeping_barrier(MPI_COMM_WORLD);
    }
    if (p->n_hosts > 1) measure_speeds(p, mine, turns);
}

/* Partner in a round of the circle method; n_hosts odd: one rests. -1: no partner. */
static int partner(int self, int round, int n_hosts)
{
    int n = n_hosts + n_hosts % 2, circle = n - 1, other;
    if (self == circle)
        other = (round * (n / 2)) % circle; /* the host x with 2 x = round (mod n - 1) */
    else {
        other = ((round - self) % circle + circle) % circle;
        if (other == self) other = circle;
    }
    return other < n_hosts ? other : -1;
}

/* Overlap belongs to the library and the network interface: one partner for each host is enough. */
static void measure_in_round(struct probe *p, int peer, bool with_overlap)
{
    if (peer < 0) return;
    if (peer < p->leader) {
        answer_pair(p, peer, p->leaders);
        if (with_overlap) measure_overlap(p, peer, p->leaders, NULL);
        return;
    }
    parcast_probe_pair *pair = &p->pairs[p->n_pairs++];
    pair->a = p->leader;
    pair->b = peer;
    pair->eager_up_to_bytes = NAN;
    measure_pair(p, peer, p->leaders, pair);
    if (with_overlap) measure_overlap(p, peer, p->leaders, pair);
}

static void measure_pairs(struct probe *p)
{
    int circle = p->n_hosts + p->n_hosts % 2 - 1;
    int rounds = p->n_hosts > ALL_PAIRS_UP_TO && circle > ROUNDS ? ROUNDS : circle;
    for (int round = 0; round < rounds; round++) {
        int peer = partner(p->leader, round, p->n_hosts);
        int turns = p->n_hosts <= ALL_PAIRS_UP_TO ? p->n_hosts : 1,
            first = peer < p->leader ? peer : p->leader;
        for (int turn = 0; turn < turns; turn++) { /* a pair is called by its lower host */
            if (turns == 1 || first == turn) measure_in_round(p, peer, round == 0);
            sleeping_barrier(p->leaders);
        }
    }
}

/* The largest size that all pairs had time for. */
static int common_largest(const struct probe *p)
{
    int bytes = LARGEST;
    for (int i = 0; i < p->n_pairs; i++) {
        int largest = (int)p->pairs[i].bytes[p->pairs[i].n_sizes - 1];
        if (largest < bytes) bytes = largest;
    }
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT, MPI_MIN, p->leaders);
    return bytes;
}

/* Stream `times` messages one way, until the last one has arrived. */
static void stream(struct probe *p, int to, int from, int bytes, int times)
{
    MPI_Request request = MPI_REQUEST_NULL;
    for (int i = 0; i < times; i++) {
        if (from >= 0) MPI_Irecv(p->incoming, bytes, MPI_BYTE, from, TAG_STREAM, p->leaders, &request);
        if (to >= 0) MPI_Send(p->buffer, bytes, MPI_BYTE, to, TAG_STREAM, p->leaders);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (from >= 0) MPI_Send(NULL, 0, MPI_BYTE, from, TAG_STREAM, p->leaders);
    if (to >= 0) MPI_Recv(NULL, 0, MPI_BYTE, to, TAG_STREAM, p->leaders, MPI_STATUS_IGNORE);
}

/* Time of the slowest host until its stream is through; the best of three turns. */
static double slowest_stream(struct probe *p, int to, int from, int bytes, int times)
{
    enum { TURNS = 3 };
    double best_s = INFINITY;
    for (int turn = 0; turn < TURNS; turn++) {
        double slowest_s, elapsed_s = 0;
        MPI_Barrier(p->leaders);
        if (to >= 0 || from >= 0) {
            double start_s = MPI_Wtime();
            stream(p, to, from, bytes, times);
            elapsed_s = MPI_Wtime() - start_s;
        }
        sleeping_barrier(p->leaders); /* an odd host does not spin meanwhile */
        MPI_Allreduce(&elapsed_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, p->leaders);
        best_s = fmin(best_s, slowest_s);
    }
    return best_s;
}

/*
 * Every host of the lower half sends to its partner in the upper half, all at once. One way only: libraries
 * slow down an exchange by themselves, which says nothing of the network.
 */
static double measure_bisection(struct probe *p, int bytes)
{
    enum { TIMES = 20 }; /* against ranks that begin at slightly different times */
    int half = p->n_hosts / 2;
    int to = p->leader < half ? p->leader + half : -1;
    int from = p->leader >= half && p->leader < 2 * half ? p->leader - half : -1;
    return (double)half * bytes * TIMES / slowest_stream(p, to, from, bytes, TIMES);
}

/* All pairs to rank 0, as bytes: all hosts run this very program. */
static void gather_pairs(struct probe *p)
{
    if (p->leader != 0) {
        MPI_Send(p->pairs, p->n_pairs * (int)sizeof *p->pairs, MPI_BYTE, 0, TAG_RESULT, p->leaders);
        return;
    }
    for (int host = 1; host < p->n_hosts; host++) {
        MPI_Status status;
        int bytes;
        MPI_Probe(host, TAG_RESULT, p->leaders, &status);
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        MPI_Recv(&p->pairs[p->n_pairs], bytes, MPI_BYTE, host, TAG_RESULT, p->leaders, MPI_STATUS_IGNORE);
        p->n_pairs += bytes / (int)sizeof *p->pairs;
    }
}

static void open_communicators(struct probe *p, bool pretend_hosts)
{
    int node_rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p->n_ranks);
    if (pretend_hosts)
        MPI_Comm_split(MPI_COMM_WORLD, p->rank, 0, &p->node);
    else
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, p->rank, MPI_INFO_NULL, &p->node);
    MPI_Comm_rank(p->node, &node_rank);
    MPI_Comm_split(MPI_COMM_WORLD, node_rank == 0 ? 0 : MPI_UNDEFINED, p->rank, &p->leaders);
    p->leader = -1;
    if (node_rank == 0) {
        MPI_Comm_rank(p->leaders, &p->leader);
        MPI_Comm_size(p->leaders, &p->n_hosts);
    }
    MPI_Bcast(&p->n_hosts, 1, MPI_INT, 0, p->node);
}

static void measure_network(struct probe *p, const char *path)
{
    double bisection = NAN;
    if (p->n_hosts > 1) {
        measure_pairs(p);
        bisection = measure_bisection(p, common_largest(p));
        gather_pairs(p);
    }
    parcast_probe_host *hosts = calloc((size_t)p->n_hosts, sizeof *hosts);
    if (!hosts) stop("out of memory");
    MPI_Gather(&p->host, (int)sizeof p->host, MPI_BYTE, hosts, (int)sizeof p->host, MPI_BYTE, 0, p->leaders);
    if (p->leader == 0) write_result(p, hosts, bisection, path);
    free(hosts);
}

int main(int argc, char **argv)
{
    struct probe p = {0};
    MPI_Init(&argc, &argv);
    const char *output = NULL;
    bool pretend_hosts = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--output") == 0 && i + 1 < argc) output = argv[++i];
        if (strcmp(argv[i], "--pretend-hosts") == 0) pretend_hosts = true;
    }
    open_communicators(&p, pretend_hosts);
    if (p.rank == 0 && !output) stop("usage: parcast-probe --output FILE [--pretend-hosts]");
    size_t n_pairs =
        p.n_hosts <= ALL_PAIRS_UP_TO ? (size_t)ALL_PAIRS_UP_TO * ALL_PAIRS_UP_TO : (size_t)p.n_hosts * ROUNDS;
    p.buffer = calloc(LARGEST, 1);
    p.incoming = calloc(LARGEST, 1);
    p.pairs = calloc(p.leader == 0 ? n_pairs : ALL_PAIRS_UP_TO + ROUNDS, sizeof *p.pairs);
    if (!p.buffer || !p.incoming || !p.pairs) stop("out of memory");
    measure_hosts(&p);
    if (p.leader >= 0) measure_network(&p, output);
    sleeping_barrier(MPI_COMM_WORLD);
    free(p.pairs);
    free(p.incoming);
    free(p.buffer);
    MPI_Finalize();
    return 0;
}
