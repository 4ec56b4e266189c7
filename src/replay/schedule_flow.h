/** A GOAL program on the flow model. */
#ifndef PARCAST_REPLAY_SCHEDULE_FLOW_H
#define PARCAST_REPLAY_SCHEDULE_FLOW_H

#include "replay/schedule_report.h"

/** Computations of one CPU run one after the other, in the order in which they became ready. */
struct schedule_cpu {
    uint32_t first, last; /**< that wait; POOL_NONE if none */
    bool busy;
};

struct schedule_flow_rank {
    double core_s_per_second;
    uint32_t n_active;     /**< computations and sends that are not over */
    int64_t idle_since_ps; /**< while none is */
    int64_t waiting_ps, end_ps;
};

struct schedule_flow {
    struct transport *transport;
    struct schedule_cpu *cpus;        /**< [n_ranks][n_cpus] */
    struct schedule_flow_rank *ranks; /**< [n_ranks] */
    uint64_t n_events;
};

/** rank_node must outlive it. What transport_flow returns; PARCAST_DATA (no such node). */
parcast_status schedule_flow_create(struct schedule *s, const parcast_platform *platform,
                                    const int *rank_node, const parcast_replay_options *options,
                                    parcast_error *error);
void schedule_flow_destroy(struct schedule *s);

/** Begin all that is ready; what becomes ready by that, too. */
void schedule_flow_settle(void *schedule);

#endif
