/*
 * How much of a message computing hides, between two ranks that exchange as neighbours of a grid do.
 *
 * t: both post a receive and a send and wait. w: both compute for about 2 t. b: both post, compute, wait. Of
 * t the share (t + w - b) / t was hidden; what the CPU does for a message is not, nor what waits for the
 * library to be called again (a rendezvous without a thread of its own). Sizes above the eager limit are told
 * from those below it by whether a send ends before its receive is posted.
 */
#include <math.h>
#include <stdlib.h>

#include "probe_mpi.h"

enum { TAG_CONTROL = 5, TAG_DATA = 6, MIN_REPETITIONS = 5, MAX_REPETITIONS = 60 };

#define ENOUGH_S 0.01 /* an exchange that takes longer ends the sizes */
#define SIZE_S   0.1  /* time for the repetitions of a size */

static const int sizes[] = {1024, 4096, 16384, 65536, 262144, 1048576};
enum { N_SIZES = sizeof sizes / sizeof sizes[0] };

struct overlap {
    struct probe *p;
    MPI_Comm comm;
    int peer;
    double unit_s; /* of one unit of computing */
};

static volatile double sink;

static void compute(long units)
{
    enum { UNIT = 100 };
    double x = 1, y = 2;
    for (long i = 0; i < units; i++)
        for (int j = 0; j < UNIT; j++) {
            x = x * 0.999 + 0.001;
            y = y * 0.998 + 0.002;
        }
    sink = x + y;
}

/* The best of several: other load only lengthens a unit. */
static double measure_unit(void)
{
    enum { UNITS = 500, TIMES = 9 };
    double best_s = INFINITY;
    for (int i = 0; i < TIMES; i++) {
        double start_s = MPI_Wtime();
        compute(UNITS);
        best_s = fmin(best_s, (MPI_Wtime() - start_s) / UNITS);
    }
    return best_s;
}

/* Both begin together: a late partner would look like a message that was not hidden. */
static void meet(const struct overlap *o)
{
    MPI_Sendrecv(NULL, 0, MPI_BYTE, o->peer, TAG_CONTROL, NULL, 0, MPI_BYTE, o->peer, TAG_CONTROL, o->comm,
                 MPI_STATUS_IGNORE);
}

/* Time of an exchange with computing in it, or of either alone. */
static double once(const struct overlap *o, int bytes, long units, bool exchange)
{
    MPI_Request requests[2];
    MPI_Status statuses[2]; /* gcc takes MPICH's MPI_STATUSES_IGNORE for an array of size 0 */
    meet(o);
    double start_s = MPI_Wtime();
    if (exchange) {
        MPI_Irecv(o->p->incoming, bytes, MPI_BYTE, o->peer, TAG_DATA, o->comm, &requests[0]);
        MPI_Isend(o->p->buffer, bytes, MPI_BYTE, o->peer, TAG_DATA, o->comm, &requests[1]);
    }
    compute(units);
    if (exchange) MPI_Waitall(2, requests, statuses);
    return MPI_Wtime() - start_s;
}

/* The longer of both sides'. */
static double longer(const struct overlap *o, double mine_s)
{
    double other_s;
    MPI_Sendrecv(&mine_s, 1, MPI_DOUBLE, o->peer, TAG_CONTROL, &other_s, 1, MPI_DOUBLE, o->peer, TAG_CONTROL,
                 o->comm, MPI_STATUS_IGNORE);
    return fmax(mine_s, other_s);
}

/* In turns, because clocks rise and fall; the least of each, because other load only lengthens it. The mean
   of both sides. */
static double hidden_ratio(const struct overlap *o, int bytes, long units)
{
    double exchange_s = INFINITY, compute_s = INFINITY, both_s = INFINITY;
    double start_s = MPI_Wtime();
    for (int i = 0; i < MAX_REPETITIONS; i++) {
        if (i >= MIN_REPETITIONS && longer(o, MPI_Wtime() - start_s) > SIZE_S) break; /* on both sides */
        exchange_s = fmin(exchange_s, once(o, bytes, 0, true));
        compute_s = fmin(compute_s, once(o, bytes, units, false));
        both_s = fmin(both_s, once(o, bytes, units, true));
    }
    double mine[2] = {exchange_s, exchange_s + compute_s - both_s}, other[2];
    MPI_Sendrecv(mine, 2, MPI_DOUBLE, o->peer, TAG_CONTROL, other, 2, MPI_DOUBLE, o->peer, TAG_CONTROL,
                 o->comm, MPI_STATUS_IGNORE);
    return fmin(fmax((mine[1] + other[1]) / (mine[0] + other[0]), 0), 1);
}

static double measure_size(const struct overlap *o, int bytes, double *exchange_s)
{
    enum { FIRST = 5 };
    *exchange_s = INFINITY;
    for (int i = 0; i < FIRST; i++) *exchange_s = fmin(*exchange_s, once(o, bytes, 0, true));
    *exchange_s = longer(o, *exchange_s);
    return hidden_ratio(o, bytes, (long)ceil(2 * *exchange_s / o->unit_s));
}

/* Does a send end although nobody receives? The sender finds out. */
static bool send_is_eager(const struct overlap *o, int bytes, bool sends)
{
    const double patience_s = 0.01;
    int done = 0;
    meet(o);
    if (!sends) {
        MPI_Recv(NULL, 0, MPI_BYTE, o->peer, TAG_CONTROL, o->comm, MPI_STATUS_IGNORE);
        MPI_Recv(o->p->incoming, bytes, MPI_BYTE, o->peer, TAG_DATA, o->comm, MPI_STATUS_IGNORE);
        return false;
    }
    MPI_Request request;
    double start_s = MPI_Wtime();
    MPI_Isend(o->p->buffer, bytes, MPI_BYTE, o->peer, TAG_DATA, o->comm, &request);
    while (!done && MPI_Wtime() - start_s < patience_s) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_BYTE, o->peer, TAG_CONTROL, o->comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* of a request that is done: nothing */
    return done;
}

void measure_overlap(struct probe *p, int peer, MPI_Comm comm, parcast_probe_pair *pair)
{
    struct overlap o = {p, comm, peer, measure_unit()};
    double exchange_s = 0;
    for (int k = 0; k < N_SIZES && exchange_s < ENOUGH_S; k++) {
        bool eager = send_is_eager(&o, sizes[k], pair != NULL);
        double ratio = measure_size(&o, sizes[k], &exchange_s); /* the same time on both sides */
        if (!pair) continue;
        if (eager) pair->eager_up_to_bytes = sizes[k];
        pair->overlap_bytes[pair->n_overlap] = sizes[k];
        pair->overlap_ratio[pair->n_overlap++] = ratio;
    }
}
