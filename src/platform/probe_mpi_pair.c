/*
 * Messages between two ranks: one side measures and announces what comes, the other answers.
 */
#include <math.h>
#include <stdlib.h>

#include "probe_mpi.h"

enum { TAG_CONTROL = 1, TAG_DATA = 2 };

#define ENOUGH_S   0.01 /* a message that takes longer ends the sizes, */
#define SLOW_S     0.2  /* or, below 64 KiB, one that takes longer than this */
#define PER_SIZE_S 0.01 /* time for the repetitions of a size in one pass */

static const int sizes[] = {1, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, LARGEST};
enum { N_SIZES = sizeof sizes / sizeof sizes[0], MAX_REPETITIONS = 101 };

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

double exchange(struct probe *p, int peer, MPI_Comm comm, int bytes, int times)
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

/* Both directions at once. The lowest of three medians, as for one direction. */
static double measure_exchange(struct probe *p, int peer, MPI_Comm comm, int bytes, double expected_s)
{
    enum { PASSES = 3 };
    int times = repetitions_for(expected_s);
    double best_s = INFINITY;
    for (int pass = 0; pass < PASSES; pass++) {
        announce(peer, comm, COMES_EXCHANGE, bytes, times);
        best_s = fmin(best_s, exchange(p, peer, comm, bytes, times));
    }
    return best_s;
}

/* Is the next size worth its time? On a busy machine even a byte can take long, so small ones get more. */
static bool goes_on(int bytes, double last_s)
{
    return last_s < (bytes <= 65536 ? SLOW_S : ENOUGH_S);
}

/* The side that measures: all sizes, overhead, both directions at once. */
void measure_pair(struct probe *p, int peer, MPI_Comm comm, parcast_probe_pair *pair)
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
    for (int k = 0; k < pair->n_sizes; k++)
        pair->exchange_s[k] = measure_exchange(p, peer, comm, (int)pair->bytes[k], pair->one_way_s[k]);
    pair->both_ways_ratio = pair->exchange_s[pair->n_sizes - 1] / expected_s;
    announce(peer, comm, COMES_NOTHING, 0, 0);
}

void answer_pair(struct probe *p, int peer, MPI_Comm comm)
{
    int control[3];
    while (MPI_Recv(control, 3, MPI_INT, peer, TAG_CONTROL, comm, MPI_STATUS_IGNORE),
           control[0] != COMES_NOTHING) {
        if (control[0] == COMES_PING) echo(peer, comm, p->buffer, control[1], control[2]);
        if (control[0] == COMES_BURST) take_bursts(peer, comm, p->buffer, control[1], control[2]);
        if (control[0] == COMES_EXCHANGE) exchange(p, peer, comm, control[1], control[2]);
    }
}
