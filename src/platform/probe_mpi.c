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
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "parcast/calibrate.h"
#include "parcast/probe.h"

enum {
    TAG_CONTROL = 1,
    TAG_DATA,
    TAG_RESULT,
    ALL_PAIRS_UP_TO = 8, /* hosts; above, rounds of disjoint pairs run at the same time */
    ROUNDS = 8,
    LARGEST = 4 << 20
};

#define ENOUGH_S   0.01 /* a message that takes longer ends the sizes, */
#define SLOW_S     0.2  /* or, below 64 KiB, one that takes longer than this */
#define PER_SIZE_S 0.01 /* time for the repetitions of a size in one pass */

static const int sizes[] = {1, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, LARGEST};
enum { N_SIZES = sizeof sizes / sizeof sizes[0], MAX_REPETITIONS = 101 };

struct probe {
    int rank, n_ranks;
    MPI_Comm node, leaders; /* leaders: MPI_COMM_NULL on the others */
    int leader, n_hosts;    /* number among the leaders, -1 on the others */
    char *buffer, *incoming;
    parcast_probe_host host;
    parcast_probe_pair *pairs; /* of this leader as `a`; rank 0: of all */
    int n_pairs;
};

static void stop(const char *text)
{
    fprintf(stderr, "parcast-probe: %s\n", text);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    return values[n / 2];
}

/* A barrier whose waiting ranks sleep: they must not take the cores that are measured. */
static void sleeping_barrier(MPI_Comm comm)
{
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(comm, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done)
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
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

/* Half a round trip, median. `inner` trips are timed together where one is too short for the clock. */
static double ping(int peer, MPI_Comm comm, char *buffer, int bytes, int repetitions, int inner)
{
    double time_s[MAX_REPETITIONS];
    for (int i = 0; i < repetitions; i++) {
        double start_s = MPI_Wtime();
        for (int j = 0; j < inner; j++) {
            MPI_Send(buffer, bytes, MPI_BYTE, peer, TAG_DATA, comm);
            MPI_Recv(buffer, bytes, MPI_BYTE, peer, TAG_DATA, comm, MPI_STATUS_IGNORE);
        }
        time_s[i] = (MPI_Wtime() - start_s) / (2.0 * inner);
    }
    return median(time_s, repetitions);
}

static void echo(int peer, MPI_Comm comm, char *buffer, int bytes, int trips)
{
    for (int i = 0; i < trips; i++) {
        MPI_Recv(buffer, bytes, MPI_BYTE, peer, TAG_DATA, comm, MPI_STATUS_IGNORE);
        MPI_Send(buffer, bytes, MPI_BYTE, peer, TAG_DATA, comm);
    }
}

/* The side that measures tells the other what comes: kind, bytes, times. Kind 0 ends. */
enum { COMES_NOTHING, COMES_PING, COMES_BURST, COMES_EXCHANGE };

static void announce(int peer, MPI_Comm comm, int kind, int bytes, int times)
{
    int control[3] = {kind, bytes, times};
    MPI_Send(control, 3, MPI_INT, peer, TAG_CONTROL, comm);
}

/* Time of MPI_Isend of a byte, which the peer has posted receives for. */
static double measure_overhead(int peer, MPI_Comm comm, char *buffer)
{
    enum { BURST = 16, BURSTS = 15 };
    MPI_Request requests[BURST];
    MPI_Status statuses[BURST];
    double time_s[BURSTS];
    announce(peer, comm, COMES_BURST, BURST, BURSTS);
    for (int i = 0; i < BURSTS; i++) {
        MPI_Recv(NULL, 0, MPI_BYTE, peer, TAG_CONTROL, comm, MPI_STATUS_IGNORE);
        double start_s = MPI_Wtime();
        for (int j = 0; j < BURST; j++) MPI_Isend(buffer, 1, MPI_BYTE, peer, TAG_DATA, comm, &requests[j]);
        time_s[i] = (MPI_Wtime() - start_s) / BURST;
        MPI_Waitall(BURST, requests, statuses);
    }
    return median(time_s, BURSTS);
}

static void take_bursts(int peer, MPI_Comm comm, char *buffer, int burst, int bursts)
{
    MPI_Request requests[64];
    MPI_Status statuses[64];
    for (int i = 0; i < bursts; i++) {
        for (int j = 0; j < burst; j++)
            MPI_Irecv(buffer + j, 1, MPI_BYTE, peer, TAG_DATA, comm, &requests[j]);
        MPI_Send(NULL, 0, MPI_BYTE, peer, TAG_CONTROL, comm);
        MPI_Waitall(burst, requests, statuses);
    }
}

static double exchange(struct probe *p, int peer, MPI_Comm comm, int bytes, int times)
{
    double time_s[MAX_REPETITIONS];
    for (int i = 0; i < times; i++) {
        double start_s = MPI_Wtime();
        MPI_Sendrecv(p->buffer, bytes, MPI_BYTE, peer, TAG_DATA, p->incoming, bytes, MPI_BYTE, peer, TAG_DATA,
                     comm, MPI_STATUS_IGNORE);
        time_s[i] = MPI_Wtime() - start_s;
    }
    return median(time_s, times);
}

static int repetitions_for(double one_way_s)
{
    double n = PER_SIZE_S / (2 * one_way_s);
    return n < 3 ? 3 : n > MAX_REPETITIONS ? MAX_REPETITIONS : (int)n | 1;
}

/* A size, measured in three passes: other load hits some of them, so the lowest median counts. */
static double measure_size(struct probe *p, int peer, MPI_Comm comm, int bytes, double expected_s)
{
    enum { PASSES = 3 };
    int repetitions = repetitions_for(expected_s), inner = expected_s < 1e-5 ? 10 : 1;
    double best_s = INFINITY;
    announce(peer, comm, COMES_PING, bytes, PASSES * repetitions * inner);
    for (int pass = 0; pass < PASSES; pass++)
        best_s = fmin(best_s, ping(peer, comm, p->buffer, bytes, repetitions, inner));
    return best_s;
}

/* Is the next size worth its time? On a busy machine even a byte can take long, so small ones get more. */
static bool goes_on(int bytes, double last_s)
{
    return last_s < (bytes <= 65536 ? SLOW_S : ENOUGH_S);
}

/* The side that measures: all sizes, overhead, both directions at once. */
static void measure_pair(struct probe *p, int peer, MPI_Comm comm, parcast_probe_pair *pair)
{
    announce(peer, comm, COMES_PING, 1, 20); /* opens the connection */
    double expected_s = ping(peer, comm, p->buffer, 1, 20, 1);
    pair->n_sizes = 0;
    for (int k = 0; k < N_SIZES && (k < 2 || goes_on(sizes[k], expected_s)); k++) {
        expected_s = measure_size(p, peer, comm, sizes[k], expected_s * (k ? 2 : 1));
        pair->bytes[pair->n_sizes] = sizes[k];
        pair->one_way_s[pair->n_sizes++] = expected_s;
    }
    pair->overhead_s = measure_overhead(peer, comm, p->buffer);
    int largest = (int)pair->bytes[pair->n_sizes - 1];
    double both_s = INFINITY;
    for (int pass = 0; pass < 3; pass++) {
        announce(peer, comm, COMES_EXCHANGE, largest, 5);
        both_s = fmin(both_s, exchange(p, peer, comm, largest, 5));
    }
    pair->both_ways_ratio = both_s / expected_s;
    announce(peer, comm, COMES_NOTHING, 0, 0);
}

static void answer_pair(struct probe *p, int peer, MPI_Comm comm)
{
    int control[3];
    while (MPI_Recv(control, 3, MPI_INT, peer, TAG_CONTROL, comm, MPI_STATUS_IGNORE),
           control[0] != COMES_NOTHING) {
        if (control[0] == COMES_PING) echo(peer, comm, p->buffer, control[1], control[2]);
        if (control[0] == COMES_BURST) take_bursts(peer, comm, p->buffer, control[1], control[2]);
        if (control[0] == COMES_EXCHANGE) exchange(p, peer, comm, control[1], control[2]);
    }
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
    }
    sleeping_barrier(p->node);
    measure_shared(p);
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

static void measure_in_round(struct probe *p, int peer)
{
    if (peer < 0) return;
    if (peer < p->leader) {
        answer_pair(p, peer, p->leaders);
        return;
    }
    parcast_probe_pair *pair = &p->pairs[p->n_pairs++];
    pair->a = p->leader;
    pair->b = peer;
    measure_pair(p, peer, p->leaders, pair);
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
            if (turns == 1 || first == turn) measure_in_round(p, peer);
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

/* Every host of the lower half exchanges with its partner in the upper half, all at once; the slowest pair
   ends a turn, the best of three turns counts. */
static double measure_bisection(struct probe *p)
{
    enum { TURNS = 3, TIMES = 5 };
    int half = p->n_hosts / 2, peer = p->leader < half ? p->leader + half : p->leader - half;
    int bytes = common_largest(p);
    double best = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        double slowest_s, elapsed_s = 0;
        MPI_Barrier(p->leaders);
        if (p->leader < 2 * half) {
            double start_s = MPI_Wtime();
            exchange(p, peer, p->leaders, bytes, TIMES);
            elapsed_s = MPI_Wtime() - start_s;
        }
        sleeping_barrier(p->leaders); /* an odd host does not spin meanwhile */
        MPI_Allreduce(&elapsed_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, p->leaders);
        best = fmax(best, (double)half * bytes * TIMES / slowest_s);
    }
    return best;
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

static void put_number(FILE *out, const char *name, double value)
{
    if (isfinite(value))
        fprintf(out, ",\"%s\":%.17g", name, value);
    else
        fprintf(out, ",\"%s\":null", name);
}

static void put_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c >= ' ' && c < 127 && c != '"' && c != '\\') putc(c, out);
    }
    putc('"', out);
}

static void put_host(FILE *out, const parcast_probe_host *h)
{
    fputs("{\"name\":", out);
    put_text(out, h->name);
    fprintf(out, ",\"ranks\":%d,\"cores\":%d,\"sockets\":%d", h->ranks, h->cores, h->sockets);
    put_number(out, "memory_bytes", h->memory_bytes);
    put_number(out, "calibration", h->calibration);
    put_number(out, "calibration_busy", h->calibration_busy);
    put_number(out, "dilation_ratio", h->dilation_ratio);
    put_number(out, "flop_rate_flop_per_s", h->flop_rate_flop_per_s);
    put_number(out, "shared_latency_s", h->shared_latency_s);
    put_number(out, "shared_bandwidth_bytes_per_s", h->shared_bandwidth_bytes_per_s);
    put_number(out, "load_ratio", h->load_ratio);
    fputs(",\"memory_bandwidth\":[", out);
    for (int i = 0; i < h->n_memory; i++)
        fprintf(out, "%s[%d,%.17g]", i ? "," : "", h->memory_cores[i], h->memory_bytes_per_s[i]);
    fputs("]}", out);
}

static void put_pair(FILE *out, const parcast_probe_pair *pair)
{
    fprintf(out, "{\"a\":%d,\"b\":%d,\"one_way\":[", pair->a, pair->b);
    for (int i = 0; i < pair->n_sizes; i++)
        fprintf(out, "%s[%.0f,%.17g]", i ? "," : "", pair->bytes[i], pair->one_way_s[i]);
    putc(']', out);
    put_number(out, "overhead_s", pair->overhead_s);
    put_number(out, "both_ways_ratio", pair->both_ways_ratio);
    putc('}', out);
}

/* "Open MPI 4.1.4", "MPICH 4.0.2" */
static void mpi_name(char *name, size_t size)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    char number[32] = "";
    int length;
    MPI_Get_library_version(version, &length);
    bool open_mpi = strncmp(version, "Open MPI", 8) == 0;
    const char *digits = version + strcspn(version, "0123456789");
    snprintf(number, sizeof number, "%.*s", (int)strspn(digits, "0123456789."), digits);
    snprintf(name, size, "%s %s",
             open_mpi                            ? "Open MPI"
             : strncmp(version, "MPICH", 5) == 0 ? "MPICH"
                                                 : "MPI",
             number);
}

static void write_result(const struct probe *p, const parcast_probe_host *hosts, double bisection,
                         const char *path)
{
    char mpi[64];
    FILE *out = fopen(path, "we");
    if (!out) stop("cannot write the result");
    mpi_name(mpi, sizeof mpi);
    fprintf(out, "{\"schema\":\"parcast.probe-raw/1\",\"mpi\":");
    put_text(out, mpi);
    fprintf(out, ",\"bisection_pairs\":%d", p->n_hosts > 1 ? p->n_hosts / 2 : 0);
    put_number(out, "bisection_bytes_per_s", bisection);
    fputs(",\n\"hosts\":[", out);
    for (int i = 0; i < p->n_hosts; i++) {
        if (i) fputs(",\n", out);
        put_host(out, &hosts[i]);
    }
    fputs("],\n\"pairs\":[", out);
    for (int i = 0; i < p->n_pairs; i++) {
        if (i) fputs(",\n", out);
        put_pair(out, &p->pairs[i]);
    }
    fputs("]}\n", out);
    if (ferror(out) || fclose(out) != 0) stop("cannot write the result");
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
        bisection = measure_bisection(p);
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
