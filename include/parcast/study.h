/**
 * The study: one SQLite database per program under study (NAME.parcast) with everything that was
 * recorded, measured and forecast about it. Schema: docs/formats/study.md.
 *
 * Every change is one transaction: a crash, a kill or a full disk loses at most the run being written.
 * A handle must not be used by two threads at once; several processes may use the same file.
 */
#ifndef PARCAST_STUDY_H
#define PARCAST_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"
#include "parcast/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct parcast_study parcast_study;

typedef enum parcast_study_mode {
    PARCAST_STUDY_READ,  /**< must exist; never written */
    PARCAST_STUDY_WRITE, /**< made when missing; an older schema is brought up to date */
} parcast_study_mode;

/**
 * Open a study.
 *
 * @return PARCAST_OK; PARCAST_NOT_FOUND (reading a missing file); PARCAST_FORMAT (no SQLite file, a database
 *         that is no study, or a newer schema: the file is left as it is); PARCAST_IO
 */
PARCAST_API parcast_status parcast_study_open(const char *path, parcast_study_mode mode,
                                              parcast_study **study, parcast_error *error);
PARCAST_API void parcast_study_close(parcast_study **study);

/** Where a run comes from. */
typedef enum parcast_run_source {
    PARCAST_RUN_RECORDED, /**< `record`: with per-rank profiles */
    PARCAST_RUN_IMPORTED, /**< `import`: total time, perhaps a compute/MPI split */
} parcast_run_source;

/** A node that took part in a run. */
typedef struct parcast_run_node {
    char *name;        /**< host name */
    char *type;        /**< node type (`record --node`), NULL if not said */
    int n_ranks;       /**< ranks that ran on it */
    int cores;         /**< physical cores; 0 if unknown */
    int allowed_cores; /**< cores that its ranks may use together; 0 if unknown */
    int sockets;       /**< 0 if unknown */
    double memory_bytes;
    double calibration; /**< score of the fixed kernel [1/s]; NAN if unknown */
} parcast_run_node;

/**
 * One run of a problem. Imported runs have no ranks and may have no nodes (n_nodes_used is then 0, or the
 * number that the table gave). Quantities that are not known are NAN.
 */
typedef struct parcast_run {
    int64_t id;         /**< set by parcast_study_add_run */
    int64_t problem_id; /**< program + arguments */
    parcast_run_source source;
    char *program;    /**< path as given */
    char **arguments; /**< [n_arguments] */
    size_t n_arguments;
    char *started_at; /**< UTC, ISO 8601 */
    char *mpi;        /**< "Open MPI 4.1.4", "MPICH 4.0.2"; NULL if unknown */
    char *launcher;   /**< command line of the launcher; NULL if none */
    char *placement;  /**< "4 ranks on 2 nodes: 2+2" */
    int n_ranks;
    int n_nodes_used;
    bool complete;       /**< every rank reached MPI_Finalize */
    bool oversubscribed; /**< more ranks than cores on some node */
    bool weak;           /**< imported with --weak: the problem grows with the ranks */
    int exit_status;     /**< as a shell gives it; 128 + signal */
    double time_s;       /**< longest rank, MPI_Init exit to MPI_Finalize entry; imported: as in the table */
    double wall_s;       /**< launcher start to end, NAN if imported */
    double compute_s;    /**< mean over ranks; NAN if unknown */
    double mpi_s;        /**< mean over ranks; NAN if unknown */
    double wait_s;       /**< mean over ranks of the waiting in MPI calls; set by parcast_study_add_run */
    double imbalance_ratio;  /**< largest over mean compute_s of a rank, >= 1; set by parcast_study_add_run */
    double load_average;     /**< one minute, before the start; NAN if unknown */
    parcast_run_node *nodes; /**< [n_nodes]; index = node of a rank's profile */
    size_t n_nodes;
    parcast_rank_profile *ranks; /**< [n_profiles] ascending rank; fewer than n_ranks when some were lost */
    size_t n_profiles;
    char *notes; /**< what the recorder wants the user to know, one per line; NULL if nothing */
} parcast_run;

/**
 * Add a run with all its profiles in one transaction.
 *
 * @param[in,out] run  its id, problem_id, wait_s and imbalance_ratio are set (the last two from its profiles;
 *                     NAN without any), and only on success
 * @return PARCAST_OK; PARCAST_INVALID (no program, a profile whose node is not among the run's nodes);
 *         PARCAST_IO (full disk, a study that another process does not let go of: nothing was added)
 */
PARCAST_API parcast_status parcast_study_add_run(parcast_study *study, parcast_run *run,
                                                 parcast_error *error);

/** Add several runs in one transaction: all of them or, on failure, none. As parcast_study_add_run. */
PARCAST_API parcast_status parcast_study_add_runs(parcast_study *study, parcast_run *runs, size_t n_runs,
                                                  parcast_error *error);

/** What parcast_study_list gives of each run: the run without its profiles (ranks == NULL). */
typedef struct parcast_run_list {
    parcast_run *runs; /**< [n_runs] ascending id */
    size_t n_runs;
} parcast_run_list;

/** All runs, of one problem or (problem_id 0) of every problem. */
PARCAST_API parcast_status parcast_study_list(parcast_study *study, int64_t problem_id,
                                              parcast_run_list *list, parcast_error *error);
PARCAST_API void parcast_run_list_clear(parcast_run_list *list);

/** Problem of the latest complete run [id], for `predict` and `validate`. PARCAST_DATA when there is none. */
PARCAST_API parcast_status parcast_study_latest_problem(parcast_study *study, int64_t *problem_id,
                                                        parcast_error *error);

/** One run with its profiles. PARCAST_NOT_FOUND names the run and lists those that exist. */
PARCAST_API parcast_status parcast_study_run(parcast_study *study, int64_t run_id, parcast_run **run,
                                             parcast_error *error);
PARCAST_API void parcast_run_destroy(parcast_run **run);

/** What parcast_study_run_parts reads of the profiles; a profile's scalars are always read. */
enum {
    PARCAST_PART_CALLS = 1,
    PARCAST_PART_SIZES = 2,
    PARCAST_PART_COLLECTIVES = 4,
    PARCAST_PART_PEERS = 8,
    PARCAST_PART_SITES = 16,
    PARCAST_PART_PHASES = 32,
    PARCAST_PART_WINDOWS = 64,
    PARCAST_PART_ALL = 127,
};

/** As parcast_study_run, but only the given arrays of the profiles are read, the others are empty. */
PARCAST_API parcast_status parcast_study_run_parts(parcast_study *study, int64_t run_id, unsigned parts,
                                                   parcast_run **run, parcast_error *error);
/** Release what a run owns, not the run itself. */
PARCAST_API void parcast_run_clear(parcast_run *run);

/* Sums over the profiles of a run that was read with the parts named; spawned ranks are included. */

/** Point-to-point messages, counted at the sender (PARCAST_PART_SIZES). */
typedef struct parcast_messages {
    uint64_t count, bytes;
    uint64_t same_node_count, same_node_bytes;
} parcast_messages;
PARCAST_API void parcast_run_messages(const parcast_run *run, parcast_messages *messages);

/** Calls by name, longest time first (PARCAST_PART_CALLS); free() the array [n]. */
PARCAST_API parcast_status parcast_run_calls(const parcast_run *run, parcast_profile_call **calls, size_t *n,
                                             parcast_error *error);
/** Message sizes by class, reach and bin (PARCAST_PART_SIZES); free() the array [n]. */
PARCAST_API parcast_status parcast_run_sizes(const parcast_run *run, parcast_profile_sizes **sizes, size_t *n,
                                             parcast_error *error);
/** Collectives by name, n_ranks, reach and bin (PARCAST_PART_COLLECTIVES); free() the array [n]. */
PARCAST_API parcast_status parcast_run_collectives(const parcast_run *run,
                                                   parcast_profile_collective **collectives, size_t *n,
                                                   parcast_error *error);
/**
 * Call sites by function, module, offset and bin, longest time first (PARCAST_PART_SITES); free() the array
 * [n]. The modules are lent by the run.
 */
PARCAST_API parcast_status parcast_run_sites(const parcast_run *run, parcast_profile_site **sites, size_t *n,
                                             parcast_error *error);

/** The event trace of a run: a file beside the study. */
typedef struct parcast_study_trace_file {
    char *file;                         /**< name, in the folder of the study */
    uint64_t bytes, checksum, n_events; /**< as parcast_trace_info has them */
    char *gaps;                         /**< what is missing in it, one thing a line; NULL if nothing is */
} parcast_study_trace_file;

/** Keep which trace belongs to a run; an earlier one is replaced. PARCAST_INVALID if there is no such run. */
PARCAST_API parcast_status parcast_study_add_trace(parcast_study *study, int64_t run_id,
                                                   const parcast_study_trace_file *trace,
                                                   parcast_error *error);
/** The trace of a run, release it with parcast_study_trace_clear; PARCAST_NOT_FOUND if it has none. */
PARCAST_API parcast_status parcast_study_trace(parcast_study *study, int64_t run_id,
                                               parcast_study_trace_file *trace, parcast_error *error);
PARCAST_API void parcast_study_trace_clear(parcast_study_trace_file *trace);

/**
 * Number of a problem that has results but perhaps no run; made when the study does not have it.
 *
 * @param[out] problem_id set on success
 * @return PARCAST_OK; PARCAST_INVALID without a program; PARCAST_IO, PARCAST_MEMORY
 */
PARCAST_API parcast_status parcast_study_problem(parcast_study *study, const char *program,
                                                 char *const *arguments, size_t n_arguments,
                                                 int64_t *problem_id, parcast_error *error);

/** Keep a result (a forecast, later a plan or an elastic run) as JSON; `kind` is its schema,
 * "parcast.forecast/1". */
PARCAST_API parcast_status parcast_study_add_result(parcast_study *study, int64_t problem_id,
                                                    const char *kind, const char *json, parcast_error *error);
/** The latest result of a kind, or PARCAST_NOT_FOUND; free() the text. */
PARCAST_API parcast_status parcast_study_latest_result(parcast_study *study, int64_t problem_id,
                                                       const char *kind, char **json, parcast_error *error);

/**
 * The latest results of a kind, oldest first; release them with parcast_study_results_free.
 *
 * @param[in]  problem_id of one problem, or 0: of all
 * @param[in]  limit at most so many, the latest ones
 * @param[out] json  [n] texts; NULL when there is none
 * @param[out] n     0 when there is none, which is no error
 */
PARCAST_API parcast_status parcast_study_results(parcast_study *study, int64_t problem_id, const char *kind,
                                                 size_t limit, char ***json, size_t *n, parcast_error *error);
PARCAST_API void parcast_study_results_free(char ***json, size_t n);

/**
 * Fitted constants that can be reused when a problem is forecast again ("constants stored and reused when
 * known"). A small key/value table: engine, name, value.
 */
PARCAST_API parcast_status parcast_study_set_constant(parcast_study *study, int64_t problem_id,
                                                      const char *engine, const char *name, double value,
                                                      parcast_error *error);
PARCAST_API parcast_status parcast_study_constant(parcast_study *study, int64_t problem_id,
                                                  const char *engine, const char *name, double *value,
                                                  parcast_error *error);

#ifdef __cplusplus
}
#endif
#endif
