/** State of a GOAL replay, and what is said when it ends with something left over. */
#ifndef PARCAST_REPLAY_SCHEDULE_REPORT_H
#define PARCAST_REPLAY_SCHEDULE_REPORT_H

#include "network/loggops.h"
#include "replay/recorder.h"
#include "trace/goal.h"

#define SCHEDULE_NS INT64_C(1000) /* picoseconds */

/** An operation in its rank's window. As large as a cache line. */
struct schedule_node {
    int64_t amount;
    int64_t release_ps; /**< the latest date of what it has required so far */
    uint64_t number;
    union {
        int64_t only;   /**< dependent, if there is one */
        uint32_t block; /**< of dependents, if there are more */
    } dependents;
    uint32_t n_dependents;
    uint32_t n_required; /**< that are not done or started yet */
    uint32_t rank;
    int32_t peer, tag, line;
    uint32_t next; /**< flow model: the computation after it in the queue of their CPU */
    uint8_t kind, cpu, nic;
    bool issued;
};

struct schedule_ready {
    uint32_t node;
    int64_t release_ps;
};

struct schedule_rank {
    _Alignas(64) uint32_t *window; /**< [mask + 1] nodes by number, POOL_NONE where one is done */
    uint64_t base, end;
    uint32_t mask;
    int64_t compute_ps;
    struct goal_cursor cursor;
};

struct schedule_flow;

struct schedule {
    const parcast_goal *goal;
    struct loggops engine;      /**< with the flow model only `failed` of it is in use */
    struct schedule_flow *flow; /**< NULL: LogGOPS */
    uint32_t n_ranks;
    struct schedule_rank *ranks;
    struct pool nodes;
    struct pool dependents[32]; /**< blocks of 2^i */
    struct schedule_ready *ready;
    uint32_t n_ready, ready_room;
    uint64_t most_open;
    struct recorder recorder;
    bool records;            /**< it wants to hear of every operation */
    parcast_status recorded; /**< what the recorder has said */
    bool unreadable;
};

/** An operation starts, or is over: what waits for that becomes ready. */
void schedule_start(struct schedule *s, uint32_t index, int64_t date_ps);
void schedule_done(struct schedule *s, uint32_t index, int64_t date_ps);
/** The recorder's answer: what it cannot do ends the run. */
void schedule_check(struct schedule *s, parcast_status status);

bool schedule_rank_is_done(const struct schedule *s, uint32_t rank);

/** PARCAST_OK when every operation is done and every message was received; otherwise who waits for whom. */
parcast_status schedule_check_end(const struct schedule *schedule, parcast_error *error);

#endif
