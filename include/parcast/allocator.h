/**
 * Allocators: where the nodes of an elastic run come from.
 *
 *     local        parts of this machine; a node is as many cores as it has ranks, one if nobody says
 *     hosts:FILE   machines named in a file, reached by ssh or a command like it; the file may change
 *     slurm        companion jobs of Slurm: one a request, cancelled to give its nodes back
 *
 * Requests are asynchronous: parcast_allocator_request says how many nodes are wanted, and events tell what
 * came of it. The program runs on the nodes that are ready meanwhile. A handle must not be used by two
 * threads at once; child processes are started (ssh, salloc), and waited for by their own numbers.
 */
#ifndef PARCAST_ALLOCATOR_H
#define PARCAST_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>

#include "parcast/error.h"
#include "parcast/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct parcast_allocator parcast_allocator;

typedef struct parcast_allocator_options {
    const parcast_platform *platform; /**< node types, prices, start-up delays; NULL: unknown. Lent */
    int min_nodes, max_nodes;         /**< 0: from 1, as many as there are */
    int ranks_per_node;               /**< slots of a node; 0: what the allocator finds (cores) */
    const char *shell; /**< hosts: words that reach a machine, as a shell would split them, host and command
                            follow; NULL: "ssh -o BatchMode=yes -o ConnectTimeout=10" */
    const char *partition; /**< slurm: NULL: the default one */
    const char
        *directory; /**< for scripts and logs, kept by the caller; NULL: one of its own, removed on close */
    double patience_s; /**< a request that is not served within it is refused; 0: 60 s */
} parcast_allocator_options;

typedef enum parcast_node_state {
    PARCAST_NODE_STARTING, /**< asked for, not ready */
    PARCAST_NODE_READY,    /**< answered; a program may be launched on it */
    PARCAST_NODE_LEAVING,  /**< ready, but wanted back: move away, then release */
    PARCAST_NODE_LOST,     /**< gone */
} parcast_node_state;

/** A node that is held. */
typedef struct parcast_held_node {
    const char *name;    /**< for launchers and the shell; several may have one name (local) */
    const char *address; /**< where it is reached over the network: its name, or what Slurm says (NodeAddr) */
    int slots;           /**< ranks that fit */
    int type;            /**< index into platform->types, -1 without a platform */
    parcast_node_state state;
    bool doubted;          /**< it is being found out whether it is still there */
    double price_per_hour; /**< NAN if unknown */
    double asked_s;        /**< when it was asked for, seconds since the allocator was opened */
    double ready_s;        /**< when it was ready; NAN if it is not yet */
} parcast_held_node;

/**
 * Open.
 *
 * @param[in]  spec "local", "hosts:FILE" or "slurm"
 * @return PARCAST_OK; PARCAST_INVALID (no such allocator); PARCAST_NOT_FOUND (no file, no Slurm commands);
 *         PARCAST_FORMAT, PARCAST_DATA (a bad line of FILE, fewer nodes than min_nodes); PARCAST_IO
 */
PARCAST_API parcast_status parcast_allocator_open(const char *spec, const parcast_allocator_options *options,
                                                  parcast_allocator **allocator, parcast_error *error);

/** Give everything back and close. Waits for the release of Slurm's jobs, at most ten seconds. */
PARCAST_API void parcast_allocator_close(parcast_allocator **allocator);

/** "local", "hosts", "slurm". */
PARCAST_API const char *parcast_allocator_name(const parcast_allocator *allocator);

/**
 * Most nodes that could be held now, those held included: cores of this machine, lines of the file, nodes of
 * the partition that are not down and not another's. Between min_nodes and max_nodes.
 */
PARCAST_API parcast_status parcast_allocator_available(parcast_allocator *allocator, int *n_nodes,
                                                       parcast_error *error);

/**
 * Hold n nodes: more are asked for, or requests that are not served yet are withdrawn. Nodes that are ready
 * are never taken away by it (see parcast_allocator_release). Returns at once.
 *
 * @return PARCAST_OK; PARCAST_INVALID (outside min_nodes .. max_nodes)
 */
PARCAST_API parcast_status parcast_allocator_request(parcast_allocator *allocator, int n_nodes,
                                                     parcast_error *error);

/**
 * Give nodes back: the last n - n_nodes of those held in the order of parcast_allocator_nodes, after those
 * that are leaving or lost. To be called when no rank is on them any more.
 */
PARCAST_API parcast_status parcast_allocator_release(parcast_allocator *allocator, int n_nodes,
                                                     parcast_error *error);

/**
 * The nodes held, in the order in which a program is to use them: ready ones first, in the order of the
 * platform's types and then of asking, so that a smaller size is the beginning of a larger one.
 *
 * @return lent array [n], valid until the next call for this allocator
 */
PARCAST_API const parcast_held_node *parcast_allocator_nodes(parcast_allocator *allocator, size_t *n);
/** How many of them are ready. */
PARCAST_API int parcast_allocator_ready(parcast_allocator *allocator);

typedef enum parcast_allocation_event_kind {
    PARCAST_ALLOCATION_NONE,    /**< nothing happened within the time */
    PARCAST_ALLOCATION_READY,   /**< nodes became ready: n_nodes of them; all that were asked for, if complete
                                 */
    PARCAST_ALLOCATION_REFUSED, /**< a request was not served; the text says why, n_nodes are still held */
    PARCAST_ALLOCATION_LEAVING, /**< nodes are wanted back (left the file, drained) */
    PARCAST_ALLOCATION_LOST,    /**< nodes are gone: ranks on them are dead */
    PARCAST_ALLOCATION_MORE,    /**< more nodes could be had than before */
} parcast_allocation_event_kind;

typedef struct parcast_allocation_event {
    parcast_allocation_event_kind kind;
    int n_nodes;    /**< that it is about */
    bool complete;  /**< READY: nothing is being waited for any more */
    char text[256]; /**< in words, with the names of nodes */
} parcast_allocation_event;

/**
 * The next event; waits at most timeout_s (0: looks only). Dead nodes are noticed about every two seconds.
 *
 * @return PARCAST_OK, also when nothing happened (kind NONE); PARCAST_IO when the allocator does not answer
 */
PARCAST_API parcast_status parcast_allocator_wait(parcast_allocator *allocator, double timeout_s,
                                                  parcast_allocation_event *event, parcast_error *error);

/** A descriptor that is readable when parcast_allocator_wait would tell something; -1: ask about every 0.2 s.
 */
PARCAST_API int parcast_allocator_descriptor(const parcast_allocator *allocator);

/** What the caller saw: no rank on this node answers. It becomes LOST unless the allocator finds it alive. */
PARCAST_API void parcast_allocator_suspect(parcast_allocator *allocator, const char *name);

/**
 * Path of a program that runs a command on a held node: AGENT [-OPTION]... HOST COMMAND..., as launchers want
 * it: MPICH `-launcher rsh -launcher-exec AGENT`, Open MPI `--mca plm rsh --mca ras ^slurm --mca
 * plm_rsh_agent AGENT --mca plm_rsh_no_tree_spawn 1`. NULL where all nodes are this machine (local). Lent.
 * It stays right when nodes come and go.
 */
PARCAST_API const char *parcast_allocator_agent(const parcast_allocator *allocator);

/**
 * What has been charged until now: each node from the request to its release, rounded up to the platform's
 * billing unit. NAN when a node held has no price.
 */
PARCAST_API double parcast_allocator_cost(const parcast_allocator *allocator);
/** Seconds since it was opened, on the clock of asked_s and ready_s. */
PARCAST_API double parcast_allocator_elapsed(const parcast_allocator *allocator);

#ifdef __cplusplus
}
#endif
#endif
