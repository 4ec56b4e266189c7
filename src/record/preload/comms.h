/** What is known of communicators and windows: their size, and which ranks of the world their ranks are. */
#ifndef PARCAST_PRELOAD_COMMS_H
#define PARCAST_PRELOAD_COMMS_H

#include "record.h"

struct comm {
    word key;                  /* as the caller writes it */
    word c_handle;             /* windows: with COMM_WINDOW */
    int n_ranks;               /* of the local group */
    int n_peers;               /* of the group that ranks refer to */
    int rank;                  /* of this process */
    int out_degree, in_degree; /* of the topology, -1: not asked yet */
    uint8_t reach;
    uint16_t traced; /* number in the trace */
    bool inter, whole_world;
    bool forgotten;       /* freed by the program, still used by requests */
    uint32_t users;       /* requests that refer to it */
    int32_t *world_ranks; /* [n_peers], -1: of another world; NULL: rank i is rank i of the world */
};

#define COMM_WINDOW ((word)1 << 62)

void comms_start(void);

/** The communicator of the last call: most programs use one at a time. */
extern struct comm *comms_last __attribute__((visibility("hidden")));
struct comm *comms_search(word key);

/** By key; windows with COMM_WINDOW added. NULL: not known (out of memory). */
static inline struct comm *comms_find(word key)
{
    return comms_last && comms_last->key == key ? comms_last : comms_search(key);
}

/** The program frees it. */
void comms_forget(word key);
void comms_release(struct comm *comm);

static inline int comm_world_rank(const struct comm *comm, int rank)
{
    if (rank < 0 || rank >= comm->n_peers) return -1;
    return comm->world_ranks ? comm->world_ranks[rank] : rank;
}

static inline unsigned comm_reach(int world_rank)
{
    if (world_rank < 0) return 2;
    return recorder.node_of[world_rank] == recorder.header->node ? 0 : 1;
}

/** Same for a rank of a communicator; where all are on this node nothing is looked up. */
static inline unsigned comm_reach_of(const struct comm *comm, int rank)
{
    return comm->reach == 0 ? 0 : comm_reach(comm_world_rank(comm, rank));
}

/** Number of ranks that a neighbourhood collective sends to, receives from. */
int comm_out_degree(struct comm *comm);
int comm_in_degree(struct comm *comm);

/**
 * Ranks of the communicator that a neighbourhood collective receives from, then those that it sends to, in
 * MPI's order; free() them. NULL: it has no topology, or out of memory.
 */
int32_t *comm_neighbours(struct comm *comm);

/** Ranks of the world in the local group; free() them. NULL: out of memory. */
int32_t *comm_local_ranks(const struct comm *comm);

#endif
