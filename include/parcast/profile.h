/**
 * What one rank of an MPI program did: the statistics that the preload library gathers.
 *
 * The library writes one raw file per rank (docs/formats/raw-profile.md); the collector reads them into these
 * structures, the study keeps them, the models fit to them. All times are seconds, all sizes bytes. "The
 * window" is the time between the return of MPI_Init and the entry of MPI_Finalize (or the last recorded
 * event, if the rank did not get there). A quantity that was not measured is NAN.
 *
 * Who counts as what: a call is counted once, at the outermost layer (a Fortran binding that calls the C one,
 * or MPI-IO that communicates inside, is one call), under its C name without `_c`. Calls made inside
 * callbacks (reduction functions, attribute copies, error handlers) are part of the call that made them.
 */
#ifndef PARCAST_PROFILE_H
#define PARCAST_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where the other side of a message is. */
typedef enum parcast_reach {
    PARCAST_REACH_SAME_NODE,
    PARCAST_REACH_OTHER_NODE,
    PARCAST_REACH_UNKNOWN, /**< receives from any source that ended unseen, collectives on odd communicators,
                              files */
} parcast_reach;

/** Classes of the message-size histogram. */
typedef enum parcast_message_class {
    PARCAST_MESSAGE_SEND,       /**< point to point, at the sender; every Start of a persistent send is one */
    PARCAST_MESSAGE_RECEIVE,    /**< point to point, at the receiver, with the size that arrived */
    PARCAST_MESSAGE_COLLECTIVE, /**< bytes that this rank contributes, for its own and for each other rank */
    PARCAST_MESSAGE_RMA,        /**< put, get, accumulate */
    PARCAST_MESSAGE_IO,         /**< MPI-IO reads and writes */
} parcast_message_class;

/**
 * Size bins: 0 holds 0 bytes, b > 0 holds 2^(b-1) <= bytes < 2^b. The last one, 63, also holds everything
 * above.
 */
enum { PARCAST_SIZE_BINS = 64, PARCAST_CALL_NAME = 48, PARCAST_HOST_NAME = 128, PARCAST_LIBRARY_TEXT = 256 };

/** One kind of call. */
typedef struct parcast_profile_call {
    char name[PARCAST_CALL_NAME]; /**< C name: "MPI_Isend" */
    uint64_t count;               /**< calls that returned */
    double time_s;                /**< sum over calls, MPI_Init and MPI_Finalize too */
    uint64_t bytes; /**< what the rank sends; receives: what arrived; RMA and I/O: what is moved; collectives:
                       contributed */
    double wait_s;  /**< blocking calls: time above the cheapest call of the same site and size bin; else 0 */
    double min_s, max_s;
} parcast_profile_call;

/** Message-size histogram; only bins that occur. */
typedef struct parcast_profile_sizes {
    parcast_message_class message_class;
    parcast_reach reach;
    int bin; /**< 0..PARCAST_SIZE_BINS-1 */
    uint64_t count;
    uint64_t bytes;
    double time_s; /**< time in the calls that send, receive, ...; of non-blocking ones only the start */
    double min_s;
} parcast_profile_sizes;

/** Collectives by name, size of the communicator and bytes per rank; non-blocking and persistent ones apart
 * by name. */
typedef struct parcast_profile_collective {
    char name[PARCAST_CALL_NAME];
    int n_ranks;         /**< of the communicator (local group of an intercommunicator) */
    parcast_reach reach; /**< OTHER_NODE: the communicator spans several nodes */
    int bin; /**< of one rank's part: the whole buffer of Bcast and Reduce, one piece of Gather and Scatter,
                else what this rank contributes */
    uint64_t count;
    uint64_t bytes;
    double time_s;
    double min_s;
} parcast_profile_collective;

/** Row of the sparse rank-to-rank matrix, at the sender. */
typedef struct parcast_profile_peer {
    int rank; /**< in the world of this rank; -1: ranks of another world (spawned or connected) */
    parcast_reach reach;
    uint64_t count; /**< messages sent */
    uint64_t bytes;
} parcast_profile_peer;

/** A call site: where in the program, which function, which size. */
typedef struct parcast_profile_site {
    char name[PARCAST_CALL_NAME]; /**< function called */
    char *module;                 /**< path of the program or shared library that calls */
    uint64_t offset;              /**< of the return address in the module, as addr2line takes it */
    int bin;
    bool blocking; /**< the call waits for others: time above min_s is waiting */
    uint64_t count;
    uint64_t bytes;
    double time_s, min_s;
    double compute_s;     /**< sum over the compute blocks that ended with this call */
    double compute_sq_s2; /**< sum of their squares [s^2] */
    double compute_min_s;
} parcast_profile_site;

/** Time by MPI_Pcontrol(level); level 1 from the start, unless the program says otherwise. */
typedef struct parcast_profile_phase {
    int level;
    uint64_t count;   /**< how often it was entered */
    double time_s;    /**< inside the window */
    double compute_s; /**< as parcast_rank_profile.compute_s */
} parcast_profile_phase;

/** How the record of a rank ended. */
typedef enum parcast_profile_end {
    PARCAST_END_FINALIZED, /**< MPI_Finalize was entered */
    PARCAST_END_ABORTED,   /**< MPI_Abort was called by this rank */
    PARCAST_END_EXITED,    /**< the process ended by exit or return without MPI_Finalize */
    PARCAST_END_LOST,      /**< killed, crashed, or the machine went away */
} parcast_profile_end;

/** The statistics of one rank. Arrays belong to it; parcast_profile_clear() frees them. */
typedef struct parcast_rank_profile {
    /* Who and where. */
    uint64_t world_id; /**< same for all ranks of one MPI_COMM_WORLD; spawned worlds differ */
    bool spawned;      /**< the world was made by MPI_Comm_spawn */
    int rank;          /**< in MPI_COMM_WORLD */
    int n_ranks;       /**< size of MPI_COMM_WORLD */
    int node; /**< 0.. in order of the lowest rank on it; from the MPI library, not from host names */
    int n_nodes;
    char host[PARCAST_HOST_NAME];
    int64_t pid, launcher_pid; /**< of the process and of its parent at MPI_Init */
    int core;                  /**< logical CPU at the return of MPI_Init, -1 if unknown */
    int allowed_cores;         /**< logical CPUs that the process may use, 0 if unknown */
    int node_allowed_cores;    /**< logical CPUs that the ranks of the node may use together, 0 if unknown */
    int node_cores;            /**< physical cores of the node, 0 if unknown */
    int node_logical_cores;    /**< logical CPUs of the node that are on, 0 if unknown */
    int node_sockets;          /**< 0 if unknown */
    int node_ranks;            /**< ranks of this world on the node */
    double node_memory_bytes;  /**< NAN if unknown */
    double calibration;        /**< parcast_calibrate_core() in MPI_Init [1/s]; NAN if not measured */
    double load_average;       /**< one minute, at MPI_Init; NAN if unknown */

    /* The MPI library and how it is used. */
    char mpi[32];                         /**< "MPICH", "Open MPI", "Intel MPI", ...; "unknown" */
    char mpi_version[32];                 /**< "4.0.2"; empty if unknown */
    char mpi_text[PARCAST_LIBRARY_TEXT];  /**< first line of MPI_Get_library_version */
    int thread_level_asked, thread_level; /**< 0 single, 1 funneled, 2 serialized, 3 multiple */
    int n_threads;                        /**< threads that called MPI */

    /* What kind of record this is. */
    bool complete; /**< MPI_Finalize was entered */
    parcast_profile_end end;
    bool oversubscribed; /**< more ranks on the node than CPUs they may use: compute_s is CPU time */
    bool uncounted; /**< unknown MPI library: calls are counted and timed, but no bytes, messages, nodes */
    bool unsaved;   /**< the rank had no file of its own (full disk, directory not on its node): written at
                         MPI_Finalize, or all that is known is the rank (no calls, times NAN) */
    /** Entries that found their table full: they are in calls[], but missing in the finer tables. */
    uint64_t lost_sites, lost_peers, lost_collectives, lost_requests;

    /* Times of the window. */
    double start_unix_s; /**< wall clock at the return of MPI_Init, seconds since 1970 */
    double time_s;       /**< length of the window */
    double startup_s;    /**< start of the process to the return of MPI_Init */
    double shutdown_s;   /**< in MPI_Finalize; NAN if it did not return */
    double mpi_s;  /**< main thread in MPI calls, waiting and I/O included, MPI_Init and MPI_Finalize not */
    double wait_s; /**< part of mpi_s: blocking calls above the cheapest call of the same site and size bin */
    double io_s;   /**< part of mpi_s: MPI-IO */
    double compute_wall_s; /**< main thread outside MPI: time_s - mpi_s */
    double
        compute_s; /**< computing of the main thread: compute_wall_s, or its CPU time when oversubscribed */
    double cpu_s;  /**< CPU time of the process in the window, all threads, busy waiting included */
    double thread_cpu_s;            /**< same of the main thread alone */
    double other_threads_mpi_s;     /**< other threads in MPI calls, summed */
    double other_threads_compute_s; /**< between MPI calls of the other threads, summed [wall] */
    uint64_t switches_voluntary, switches_involuntary; /**< context switches in the window */
    double peak_memory_bytes;                          /**< highest resident size of the process */

    /* What was called. */
    parcast_profile_call *calls; /**< [n_calls] kinds that occurred, sorted by name */
    size_t n_calls;
    parcast_profile_sizes *sizes; /**< [n_sizes] by class, reach, bin */
    size_t n_sizes;
    parcast_profile_collective *collectives; /**< [n_collectives] by name, n_ranks, reach, bin */
    size_t n_collectives;
    parcast_profile_peer *peers; /**< [n_peers] ascending rank */
    size_t n_peers;
    parcast_profile_site *sites; /**< [n_sites] by time_s, longest first */
    size_t n_sites;
    parcast_profile_phase *phases; /**< [n_phases] ascending level */
    size_t n_phases;

    /**
     * Imbalance. A synchronisation is a blocking collective on MPI_COMM_WORLD (or on a communicator of all
     * its ranks) in which every rank waits for every other: all ranks count the same ones, so window i is the
     * same part of the program on every rank. windows_s[i] is the computing between synchronisations i *
     * syncs_per_window and (i + 1) * syncs_per_window; what comes after the last one is in the last window.
     */
    double *windows_s; /**< [n_windows] compute_s of each window */
    size_t n_windows;
    uint64_t syncs_per_window; /**< a power of two */
    uint64_t n_syncs;

    /**
     * Communication rounds: blocking completions of point-to-point messages (receives, waits) before which
     * something was sent or posted since the last one. The messages of one round are under way together.
     */
    uint64_t n_rounds;

    /** Computing between blocking calls that wait for a message (receives, waits, collectives): one cycle
     * each. */
    uint64_t n_cycles;
    double cycle_s, cycle_sq_s2, cycle_min_s, cycle_max_s; /**< sum, sum of squares [s^2], extremes */
} parcast_rank_profile;

/** Release what a profile owns and set it to zero, not the structure itself. NULL is allowed. */
PARCAST_API void parcast_profile_clear(parcast_rank_profile *profile);

/** Clear n profiles, free the array and set it to NULL. */
PARCAST_API void parcast_profiles_destroy(parcast_rank_profile **profiles, size_t n);

/** Bin of a size in bytes: 0 for 0, else 1 + floor(log2(bytes)), at most PARCAST_SIZE_BINS - 1. */
PARCAST_API int parcast_profile_bin(uint64_t bytes);

/** "send", "receive", "collective", "rma", "io"; "same node", "other node", "unknown"; "finalized", ... */
PARCAST_API const char *parcast_message_class_name(parcast_message_class message_class);
PARCAST_API const char *parcast_reach_name(parcast_reach reach);
PARCAST_API const char *parcast_profile_end_name(parcast_profile_end end);

#ifdef __cplusplus
}
#endif
#endif
