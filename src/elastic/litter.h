/**
 * What MPI libraries leave on this machine when they are killed. Each launch has a folder of its own in the
 * directory of the run in memory, where Open MPI keeps its session and its segments and UCX its own:
 *
 *     launch.NUMBER
 *
 * so that all of it can be removed when the launch is over, or when the run is taken up again.
 */
#ifndef PARCAST_ELASTIC_LITTER_H
#define PARCAST_ELASTIC_LITTER_H

#include <stdbool.h>

enum { ELASTIC_LITTER_BYTES = 800 };

/** Make the folder of a launch; false if it cannot be, then it has none. */
bool elastic_litter_make(const char *directory, int launch, char path[ELASTIC_LITTER_BYTES]);
/** Remove it with all in it. */
void elastic_litter_remove(const char *directory, int launch);
/**
 * Remove what an mpirun of Open MPI that has ended has left where it puts its session by itself:
 * $TMPDIR/ompi.HOST.UID/pid.PROCESS.
 */
void elastic_litter_remove_session(long process);
/** Remove those of all launches: none of them lives. */
void elastic_litter_sweep(const char *directory);

/**
 * Remove the segments that MPICH leaves in a folder (/dev/shm) when it is killed while it starts: ours, of no
 * living process, and older than a minute.
 */
void elastic_litter_sweep_mpich(const char *folder);

#endif
