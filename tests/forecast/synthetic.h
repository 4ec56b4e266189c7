/*
 * Runs of an imaginary program, for tests of the fit: a 2-D halo exchange with an allreduce each iteration.
 * Its times come from a message-by-message simulation (first come, first served on every link), not from the
 * model under test.
 */
#ifndef SYNTHETIC_H
#define SYNTHETIC_H

#include "parcast/platform.h"
#include "parcast/study.h"

struct synthetic_program {
    double work_s;       /* computing in all, on a core of speed 1 */
    double replicated_s; /* computing that every rank repeats */
    int iterations;
    double edge_bytes; /* length of the domain's side in bytes: a block's face is edge/p */
};

/* A run on n_nodes equal nodes of a type of the platform, ranks block by block; parcast_run_clear releases
 * it. */
parcast_run synthetic_run(const struct synthetic_program *program, const parcast_platform *platform,
                          size_t type, int n_ranks, int n_nodes, int64_t id);

/* Simulated time on nodes [n_nodes] with ranks per node and types. */
double synthetic_time(const struct synthetic_program *program, const parcast_platform *platform, int n_nodes,
                      const size_t *types, const int *ranks_per_node);

#endif
