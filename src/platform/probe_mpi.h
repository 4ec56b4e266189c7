/**
 * Parts of parcast-probe.<mpi>: messages between two ranks, and the result as JSON.
 */
#ifndef PARCAST_PLATFORM_PROBE_MPI_H
#define PARCAST_PLATFORM_PROBE_MPI_H

#include <mpi.h>
#include <stdbool.h>

#include "parcast/probe.h"

enum {
    ALL_PAIRS_UP_TO = 8, /* hosts; above, rounds of disjoint pairs run at the same time */
    ROUNDS = 8,
    TAG_RESULT = 3,
    TAG_STREAM = 4,
    LARGEST = 4 << 20 /* bytes of a message */
};

struct probe {
    int rank, n_ranks;
    MPI_Comm node, leaders; /* leaders: MPI_COMM_NULL on the others */
    int leader, n_hosts;    /* number among the leaders, -1 on the others */
    char *buffer, *incoming;
    parcast_probe_host host;
    parcast_probe_pair *pairs; /* of this leader as `a`; rank 0: of all */
    int n_pairs;
};

/** Complain and end all ranks. */
void stop(const char *text);

/** Measure messages to a peer, which meanwhile answers. */
void measure_pair(struct probe *p, int peer, MPI_Comm comm, parcast_probe_pair *pair);
void answer_pair(struct probe *p, int peer, MPI_Comm comm);

/** The share of messages that computing hides. Both sides call it, the one that keeps the result with its
 * pair, the other with NULL. */
void measure_overlap(struct probe *p, int peer, MPI_Comm comm, parcast_probe_pair *pair);

/** Send and receive at once, `times` times; the median time. Both sides call it. */
double exchange(struct probe *p, int peer, MPI_Comm comm, int bytes, int times);

/** All that was measured, as the file that parcast_probe_parse reads. */
void write_result(const struct probe *p, const parcast_probe_host *hosts, double bisection, const char *path);

#endif
