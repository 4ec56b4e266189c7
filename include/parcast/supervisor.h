/**
 * The supervisor of an elastic run: starts the program, keeps its checkpoints, moves it to other sizes,
 * resumes it after a crash.
 *
 * A move: the program is launched on the new nodes while it still computes on the old ones; when the new
 * ranks are ready the old ones stop at a safe point, and every new rank fetches its part: on one machine from
 * the memory of the old ones, which write a checkpoint behind it, else from a checkpoint. So the time from
 * the safe point to the next iteration holds no launch. How the sizes are chosen is the caller's business, by
 * callbacks.
 */
#ifndef PARCAST_SUPERVISOR_H
#define PARCAST_SUPERVISOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"
#include "parcast/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where a run is. */
typedef struct parcast_supervised {
    double elapsed_s;        /**< since the beginning */
    int64_t iteration;       /**< the last one that was told; 0 before the first */
    int64_t iterations;      /**< in all, as the program says; 0 if it does not */
    int nodes;               /**< that the program runs on; 0 before the first launch and after a crash */
    int64_t since_iteration; /**< first iteration on these nodes */
    double running_s;        /**< that those since took */
    double state_bytes;      /**< that a move has to carry, as the program says; 0: it has not said */
    bool moving;             /**< a move is under way: its size stands */
    bool left;               /**< the program stands still and waits for its next size */
} parcast_supervised;

/** What the caller wants. */
typedef struct parcast_wish {
    int nodes;            /**< to go on with; 0: none can be had now, ask again */
    int64_t at_iteration; /**< move exactly there; -1: as soon as the new nodes are ready */
    bool waits;    /**< its nodes are not there yet: it is launched when a later wish does not say so */
    bool relaunch; /**< even if it runs on so many nodes already: all ranks are launched anew */
    char reason[256];
} parcast_wish;

typedef struct parcast_supervisor_host {
    const char *name;
    int slots;
    double speed;        /**< relative, for weighted arrays; 1 if all are alike */
    const char *address; /**< where others reach it over the network; NULL: its name */
} parcast_supervisor_host;

/** What the caller knows of a host that it lent. */
typedef enum parcast_host_state {
    PARCAST_HOST_FINE,
    PARCAST_HOST_WANTED_BACK, /**< the run is to leave it, also for an equal number of others */
    PARCAST_HOST_GONE,        /**< whatever runs there is dead */
} parcast_host_state;

/** A change of size that was made, or a resumption after a crash (then from_nodes equals 0). */
typedef struct parcast_supervisor_event {
    int64_t iteration;
    int from_nodes, to_nodes, to_ranks;
    double stop_s;   /**< from the safe point until the data can be fetched */
    double move_s;   /**< from the word to begin until all ranks have their parts */
    double copy_s;   /**< of that, copying on the slowest rank; NAN if it is not known */
    double launch_s; /**< from the start of the launcher until all ranks were ready */
    double pause_s;  /**< from the safe point to the next iteration; NAN after a crash */
    int64_t bytes;   /**< that were fetched */
    bool in_memory;  /**< ranks were spawned (launch_s) or retired; the others lived on */
    char reason[256];
} parcast_supervisor_event;

/** How the caller decides; `context` is passed on. */
typedef struct parcast_supervisor_calls {
    /** Which size now? Asked before the first launch, at every report of the program, five times a second. */
    parcast_status (*wish)(void *context, const parcast_supervised *state, parcast_wish *wish,
                           parcast_error *error);
    /** The program told where it is: also when no wish is asked for, because it is on its way to a move. May
     * be NULL. */
    void (*reported)(void *context, const parcast_supervised *state);
    /** Hosts of a size, lent until the next call. Not asked when there is no agent. */
    const parcast_supervisor_host *(*hosts)(void *context, int nodes, size_t *n);
    /** How a host is that was lent; asked five times a second. NULL: all are fine. */
    parcast_host_state (*host)(void *context, const char *name);
    /** What runs on this host died or does not answer: find out whether the host is still there. May be NULL.
     */
    void (*suspect)(void *context, const char *name);
    /** A move is over and nothing runs on what is beyond `event->to_nodes` any more. May be NULL. */
    void (*moved)(void *context, const parcast_supervisor_event *event);
    /** Something worth saying: a line for the user. May be NULL. */
    void (*tell)(void *context, bool warning, const char *text);
} parcast_supervisor_calls;

/** Everything is lent. */
typedef struct parcast_supervisor_request {
    const parcast_program *program;
    const parcast_launcher *launcher;
    char *const *arguments;
    size_t n_arguments;
    int ranks_per_node; /**< at least 1 */
    const char
        *directory; /**< of the run: manifests, lock, journal. Made when missing, removed after success */
    bool resumable; /**< somebody will find the directory again: what a run leaves that did not end is kept */
    const char *checkpoints;   /**< directory that all nodes see, for the pieces; NULL: memory of the nodes */
    double checkpoint_every_s; /**< between two checkpoints; 0: only when the run moves */
    bool restart;              /**< forget what an earlier run left */
    bool in_memory; /**< resize in memory where MPI and program can; else, said aloud, by restart */
    bool overlap;   /**< launch the next size while this one computes */
    bool stdout_to_stderr;
    const char *agent; /**< program that runs a command on a host; NULL: all on this machine */
    int max_retries;   /**< crashes in a row without a new checkpoint in between; lost hosts do not count */
    double patience_s; /**< a launch that does not come up for so long is ended; 0: 60 s */
    double silence_s;  /**< ranks that reach no safe point for so long are told, after twice the time the
                          launch is ended and the run goes on from its last checkpoint; INFINITY: never; 0: ten
                          times the longest silence measured in this run, at least 60 s */
    double resize_patience_s; /**< a resize in memory that takes longer hangs: the program is restarted from
                                 the checkpoint before it; 0: 30 s */
} parcast_supervisor_request;

typedef struct parcast_supervisor_result {
    int exit_status; /**< of the program; 128 + signal; 124: it hung, and was ended; 1: it ended with 0
                        without closing, before the last of the iterations that it said it has */
    bool complete;   /**< it said that it is done, or ended so without closing, but not too early */
    int interrupted; /**< signal that ended the run; its last checkpoint is kept */
    double time_s;
    int64_t iterations; /**< done */
    parcast_supervisor_event *events;
    size_t n_events;
    size_t n_checkpoints, n_crashes;
} parcast_supervisor_result;

/**
 * Run to the end.
 *
 * SIGINT, SIGTERM and SIGHUP make a program that is resumable write a checkpoint and leave; a second one
 * kills it.
 *
 * @param[out] result release with parcast_supervisor_result_clear
 * @return PARCAST_OK when the program ran, whatever its status; PARCAST_IO (cannot be started, the directory
 *         cannot be written); PARCAST_INVALID (another supervisor works in the directory); PARCAST_FORMAT (no
 *         checkpoint of an earlier run can be used); what a callback returned
 */
PARCAST_API parcast_status parcast_supervise(const parcast_supervisor_request *request,
                                             const parcast_supervisor_calls *calls, void *context,
                                             parcast_supervisor_result *result, parcast_error *error);
PARCAST_API void parcast_supervisor_result_clear(parcast_supervisor_result *result);

#ifdef __cplusplus
}
#endif
#endif
