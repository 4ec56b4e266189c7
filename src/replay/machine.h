/** State of a replay of MPI operations. */
#ifndef PARCAST_REPLAY_MACHINE_H
#define PARCAST_REPLAY_MACHINE_H

#include "replay/choose.h"
#include "replay/recorder.h"
#include "replay/schedules.h"
#include "replay/transport.h"

enum machine_request_state { REQUEST_NONE, REQUEST_OPEN, REQUEST_DONE };

struct machine_request {
    uint8_t state; /**< enum machine_request_state */
    bool awaited, sends;
    int32_t peer;
    int line;
};

struct machine_rank {
    parcast_operation operation; /**< under work */
    int64_t begin_ps;            /**< of the operation */
    int64_t compute_begin_ps;
    int64_t compute_ps, end_ps;
    int64_t blocked_ps, cause_ps; /**< since when it waits; when that began which let it go on */
    int64_t waiting_ps; /**< before what it waited for had begun, where the transport does not count */
    struct machine_request *requests;
    uint32_t n_requests;
    uint32_t
        n_inner; /**< activities without a request that are not done: of blocking operations, collectives */
    uint32_t n_awaited; /**< requests that the rank waits for */
    bool waits;         /**< for all inner activities */
    bool starts;        /**< its send has not begun yet */
    bool begun, in_collective, computes, ended;
    bool blocked;
    bool ready; /**< in the list of ranks that go on */
    struct collective_schedule schedule;
};

/** Something that was begun: token -> who hears of its end. */
struct machine_activity {
    uint32_t rank;
    uint32_t request; /**< POOL_NONE: an inner one */
};

struct machine {
    const parcast_operation_source *source;
    const parcast_platform *platform;
    const parcast_replay_options *options;
    struct transport *transport;
    struct machine_rank *ranks;
    uint32_t n_ranks;
    double *core_s_per_flop, *core_s_per_second; /**< [n_ranks] */
    uint32_t *node_type;                         /**< [n_ranks] */
    struct recorder recorder;
    struct choice choice;
    struct pool activities;
    uint32_t *ready; /**< [n_ranks] a ring */
    uint32_t first_ready, n_ready;
    parcast_status failed;
    parcast_error *error;
};

/** Go on with a rank until it waits for something. */
void machine_advance(struct machine *machine, uint32_t rank);

parcast_status machine_check_end(const struct machine *machine, parcast_error *error);

#endif
