/**
 * Measuring a machine: what one node can do, what the network between several carries, and the platform
 * that follows from it.
 *
 * One node is measured by the library itself. Between hosts the program parcast-probe.<mpi> measures and
 * hands over a JSON text, which parcast_probe_parse reads; the library uses no MPI.
 */
#ifndef PARCAST_PROBE_H
#define PARCAST_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "parcast/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PARCAST_PROBE_POINTS = 24, PARCAST_PROBE_NOTE = 256 };

/** What was measured on one host. Plain data, so that it can be sent as it is. */
typedef struct parcast_probe_host {
    double memory_bytes;      /**< installed */
    double calibration;       /**< score of parcast_calibrate_core, one core busy [1/s] */
    double calibration_error; /**< standard error of that score, from its repetitions; 0 if it has none */
    double calibration_busy;  /**< the same with all cores busy, median over the cores [1/s] */
    double dilation_ratio;    /**< CPU time / elapsed time of MPI_Wtime around the kernel; 1 without MPI. The
                                   scores, the flop rate and the memory are multiplied by it already */
    double flop_rate_flop_per_s; /**< multiply-add on double vectors in registers, one core */
    double shared_latency_s; /**< half a round trip between two processes of the host; NAN if not measured */
    double shared_bandwidth_bytes_per_s;
    double load_ratio; /**< load average of the last minute per core, before the measurement */
    double memory_bytes_per_s[PARCAST_PROBE_POINTS]; /**< triad with that many cores, best of nine */
    int memory_cores[PARCAST_PROBE_POINTS];
    int n_memory;       /**< points of the memory curve */
    int ranks;          /**< ranks of the probe that ran on it; 1 without MPI */
    int cores, sockets; /**< physical, that this process may use */
    char name[64];
} parcast_probe_host;

/** Messages between two hosts. */
typedef struct parcast_probe_pair {
    int a, b;                                /**< hosts */
    int n_sizes;                             /**< ascending sizes */
    double bytes[PARCAST_PROBE_POINTS];      /**< of a message */
    double one_way_s[PARCAST_PROBE_POINTS];  /**< median half round trip */
    double exchange_s[PARCAST_PROBE_POINTS]; /**< both send and receive at once, median; NAN if unknown */
    int n_overlap;                           /**< ascending sizes; 0: not measured between these two */
    double overlap_bytes[PARCAST_PROBE_POINTS];
    double overlap_ratio[PARCAST_PROBE_POINTS]; /**< share of an exchange that computing hid, median */
    double eager_up_to_bytes; /**< largest of them whose send ended before it was received; NAN: none */
    double overhead_s;        /**< CPU time of MPI_Isend for a small message, median */
    double
        both_ways_ratio; /**< time of the largest size in both directions at once / in one; NAN if unknown */
} parcast_probe_pair;

/** All that one probe measured. Release with parcast_probe_destroy. */
typedef struct parcast_probe {
    char mpi[64]; /**< "Open MPI 4.1.4"; empty without MPI */
    parcast_probe_host *hosts;
    size_t n_hosts;
    parcast_probe_pair *pairs;
    size_t n_pairs;
    int bisection_pairs;          /**< pairs across the halves that exchanged at once; 0: not measured */
    double bisection_bytes_per_s; /**< what they carried together, per direction; NAN if not measured */
} parcast_probe;

/** Called before each step with what begins. May be NULL. */
typedef void parcast_probe_progress(const char *step, void *data);

/**
 * Measure the machine that the caller runs on. Takes about half a second, more with many cores.
 *
 * @param[in]  processes true: the shared memory is measured between two processes (fork); false: between two
 *                       threads, for callers that must not fork; threads of the caller are not disturbed
 * @param[out] host      set on success
 * @return PARCAST_OK, PARCAST_MEMORY, PARCAST_IO when the topology cannot be read or no thread be started,
 *         PARCAST_INVALID when PARCAST_NODE_CORES is no number
 *
 * Where PARCAST_NODE_CORES is set, the node is emulated: it has that many cores, and one core of the machine
 * is measured for all of them.
 *
 * The CPU binding of the calling thread is widened to all allowed cores and restored.
 */
PARCAST_API parcast_status parcast_probe_node(bool processes, parcast_probe_progress *progress, void *data,
                                              parcast_probe_host *host, parcast_error *error);

/** Read what parcast-probe.<mpi> wrote. PARCAST_FORMAT when it is something else. */
PARCAST_API parcast_status parcast_probe_parse(const char *text, size_t length, const char *source,
                                               parcast_probe *probe, parcast_error *error);

/**
 * The platform that follows from a probe: hosts whose cores, speed (8 %), memory (5 %), link (15 %) and
 * memory bandwidth (50 %) agree become one node type, in the order of their first host; values are medians
 * with four digits.
 *
 * latency is half a round trip of one byte less the CPU overhead of both sides, median over the pairs; the
 * bandwidth of a host's link is the best that it reached with any partner; the network's is the highest of
 * them, a type more than 15 % below has its own. bisection is written when the pairs across the halves
 * carried less than 90 % of their links; overlap by message size is the median over the pairs.
 * docs/formats/platform.md says more.
 *
 * @return PARCAST_OK, PARCAST_INVALID when the measurements make no machine, PARCAST_MEMORY
 */
PARCAST_API parcast_status parcast_probe_platform(const parcast_probe *probe, const char *name,
                                                  parcast_platform **platform, parcast_error *error);

/** Sentences about what makes a probe doubtful (load, time dilation, oversubscription).
 *  @param[out] notes up to n_notes texts of PARCAST_PROBE_NOTE bytes
 *  @return how many there are */
PARCAST_API size_t parcast_probe_notes(const parcast_probe *probe, char (*notes)[PARCAST_PROBE_NOTE],
                                       size_t n_notes);

PARCAST_API void parcast_probe_destroy(parcast_probe *probe);

#ifdef __cplusplus
}
#endif
#endif
