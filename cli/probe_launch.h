/**
 * Running parcast-probe.<mpi>: inside a launcher that started this program, or by a launcher of our own.
 */
#ifndef PARCAST_PROBE_LAUNCH_H
#define PARCAST_PROBE_LAUNCH_H

#include "cli.h"
#include "parcast/probe.h"

/** The launcher that started this process. */
struct probe_launcher {
    const char *mpi; /**< "openmpi" or "mpich"; NULL: started by none */
    int rank, size;
};

struct probe_launcher probe_launcher_find(void);

/** Become parcast-probe.<mpi>: for ranks but 0. Returns only on failure, with the exit status. */
int probe_become_helper(const struct cli_common *common, const struct probe_launcher *launcher,
                        bool pretend_hosts);

/** Run parcast-probe.<mpi> as rank 0 of the launcher and read its result. 0 or the exit status. */
int probe_run_inside(const struct cli_common *common, const struct probe_launcher *launcher,
                     bool pretend_hosts, parcast_probe *probe);

/** Start N ranks with mpiexec (NULL: what is installed) and read the result. 0 or the exit status. */
int probe_run_ranks(const struct cli_common *common, int n_ranks, const char *mpiexec, bool pretend_hosts,
                    parcast_probe *probe);

#endif
