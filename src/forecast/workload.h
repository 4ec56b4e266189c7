/*
 * The program, apart from any machine: what it computes and communicates at n processes.
 *
 * An observation is what one recorded run says; the workload is what all of them say together, as functions
 * of n. Software and hardware are described separately (the paper's section 3), so that one recording serves
 * for any platform.
 */
#ifndef PARCAST_FORECAST_WORKLOAD_H
#define PARCAST_FORECAST_WORKLOAD_H

#include <stdint.h>

#include "forecast/collective.h"
#include "forecast/growth.h"
#include "forecast/imbalance.h"
#include "forecast/machine.h"
#include "forecast/pattern.h"

enum { MAX_SIZE_SHARES = 12 };

/* Calls of one kind by size: a mean says little where tiny and huge ones are mixed. */
struct size_mix {
    int n;
    double count_share[MAX_SIZE_SHARES]; /* of the calls; sums up to 1 */
    double bytes_ratio[MAX_SIZE_SHARES]; /* bytes of such a call / mean over all calls */
};

/* One kind of collective of a run; "per run" figures are means over the ranks that took part. */
struct observed_collective {
    enum collective_kind kind;
    double n_ranks; /* size of the communicator */
    double count;   /* calls per rank */
    double bytes;   /* per call, as collective_cost wants it */
    bool rotates;   /* several ranks are the root */
    struct size_mix mix;
};

enum { MAX_OBSERVED_COLLECTIVES = 24, MAX_USED_COLLECTIVES = 24 };

struct observation {
    int64_t id;
    int n, n_nodes;
    struct machine machine;
    bool oversubscribed;
    double disturbed; /* share of the time that other programs took, 0 if none */
    double weight;    /* relative to a clean run */
    double time_s;
    double compute_s; /* mean over ranks */
    double io_s;      /* mean over ranks */
    double rounds;    /* communication rounds per process: messages of one round are under way together */
    double syncs;     /* global synchronisations */
    enum collective_library library;
    struct observed_collective collectives[MAX_OBSERVED_COLLECTIVES];
    int n_collectives;
    struct traffic_matrix traffic;
    struct traffic_entry *entries; /* owned; what traffic points to */
    struct uneven uneven;          /* owned */
};

struct used_collective {
    enum collective_kind kind;
    double size_exponent;       /* communicator of n^size_exponent ranks */
    struct growth count, bytes; /* calls per rank, mean bytes of a call */
    struct size_mix mix;        /* of the largest recorded count, as is: */
    bool rotates;
};

struct workload {
    struct growth work; /* mean computing per process on the reference core [s]: form; the fit refines it */
    bool assumed_replicated; /* the runs need no second term of work; a small constant one is assumed */
    struct imbalance imbalance;
    double noise_ratio; /* by which the computing of a run would be another one if it were made again */
    struct growth rounds, syncs;
    struct pattern pattern;
    struct used_collective collectives[MAX_USED_COLLECTIVES];
    int n_collectives;
    enum collective_library library; /* whose algorithms these are */
    double io_s;
    int n_min, n_max; /* counts that were recorded */
    bool several_nodes;
};

/* Share of a run's time that other programs took from it, 0 if none did: of the rank that lost most. */
double workload_lost_ratio(const parcast_run *run);

/* Take apart a run that has profiles. `platform` may be NULL, see machine_from_run. */
parcast_status observation_create(const parcast_run *run, const parcast_platform *platform,
                                  double reference_calibration, struct observation *observation,
                                  parcast_error *error);
void observation_clear(struct observation *observation);

/* Functions of n through the observations; those with left_out[i] are not looked at (NULL: all are). */
void workload_fit(const struct observation *observations, size_t n_observations, const bool *left_out,
                  struct workload *workload);

#endif
