/** State of a replay of MPI operations. */
#ifndef PARCAST_REPLAY_MACHINE_H
#define PARCAST_REPLAY_MACHINE_H

#include "replay/agree.h"
#include "replay/by_node.h"
#include "replay/choose.h"
#include "replay/recorder.h"
#include "replay/schedules.h"
#include "replay/transport.h"

/** Ranks are passed to the transport by their number in the whole program. */
struct machine_place {
    const int32_t *members; /**< NULL: all ranks */
    uint32_t context;
};

struct machine_request {
    uint32_t n_open;  /**< of its activities, those that are not done; 0: it is done, or not in use */
    uint32_t n_freed; /**< how often the number was let go of: activities of before are not this one's */
    bool awaited;
};

/** Messages, and computing, without a request: of blocking operations, collectives. */
struct machine_inner {
    uint32_t n_open[SCHEDULE_CHANNELS]; /**< that are not done */
    uint8_t waits;                      /**< for these: bits, enum schedule_channel */
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
    struct machine_inner inner;
    uint32_t n_awaited;  /**< requests that the rank waits for */
    uint32_t n_left;     /**< activities of requests that were let go of */
    uint32_t n_starts;   /**< sends that have not begun yet */
    uint32_t collective; /**< the first of those that do not block; POOL_NONE: there is none */
    bool probes;         /**< it waits for a message without receiving it */
    bool begun, in_collective, computes, ended;
    bool blocked;
    bool ready; /**< in the list of ranks that go on */
    struct collective_schedule schedule;
};

enum machine_activity_kind {
    ACTIVITY_NONE, /**< it is done, and its place is free */
    ACTIVITY_WORKS,
    ACTIVITY_SENDS,
    ACTIVITY_RECEIVES
};

/** Something that was begun: token -> who hears of its end. */
struct machine_activity {
    uint32_t rank;
    uint32_t request;    /**< POOL_NONE: an inner one */
    uint32_t n_freed;    /**< of the request when it began */
    uint32_t collective; /**< that it is part of, POOL_NONE: none */
    int32_t peer, tag;   /**< of messages: in the whole program; PARCAST_ANY: any */
    uint32_t context;
    uint8_t channel; /**< without a request: enum schedule_channel */
    uint8_t kind;    /**< enum machine_activity_kind */
};

/** A collective that does not block. It goes on only while its rank is in a call. */
struct machine_collective {
    uint32_t next;    /**< of the rank */
    uint32_t request; /**< it is done as one activity of this request */
    uint32_t n_freed;
    struct machine_inner inner; /**< it waits for them before its next step */
    bool ended;                 /**< there is no next step */
    struct machine_place place;
    int32_t tag;
    int64_t *counts; /**< copied: [n_ranks] counts, then receive counts; NULL: all alike */
    struct collective_schedule schedule;
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
    struct by_node by_node; /**< rank_node NULL: every rank is on a node of its own */
    struct agreement agreement;
    struct pool activities, collectives;
    struct machine_numbers *numbers; /**< [n_ranks] of collectives that do not block; NULL before the first */
    uint32_t *ready;                 /**< [n_ranks] a ring */
    uint32_t first_ready, n_ready;
    uint32_t n_stopped; /**< ranks that wait for what a cut trace does not have */
    parcast_status failed;
    parcast_error *error;
};

static inline bool machine_inner_blocks(const struct machine_inner *inner)
{
    bool blocks = false;
    for (unsigned c = 0; c < SCHEDULE_CHANNELS; c++)
        blocks |= (inner->waits >> c & 1) && inner->n_open[c] > 0;
    return blocks;
}

static inline struct machine_activity *machine_activity_at(const struct machine *machine, uint32_t token)
{
    return (struct machine_activity *)machine->activities.records + token;
}

/** The first failure is kept. */
static inline void machine_check(struct machine *machine, parcast_status status)
{
    if (!machine->failed) machine->failed = status;
}

/** Go on with a rank until it waits for something. */
void machine_advance(struct machine *machine, uint32_t rank);

/** The rank is over, at this date. */
void machine_end_rank(struct machine *machine, uint32_t rank, int64_t date_ps);
/** The rank's operation cannot be: describes it. Returns the first failure. */
parcast_status machine_fail(struct machine *machine, uint32_t rank, parcast_status status, const char *what);

/* machine_begin.c */

/** Begin the rank's operation. */
void machine_begin_operation(struct machine *machine, uint32_t rank);
/** Compute what the operation counts in flop. */
void machine_begin_flop(struct machine *machine, uint32_t rank, double flop);
/** One action of the rank's collective; false when there are no more. */
bool machine_next_action(struct machine *machine, uint32_t rank);
/** The message that the rank waits for without receiving it may have come. */
void machine_look(struct machine *machine, uint32_t rank);
/** A token for something that the rank begins; POOL_NONE: memory is short. */
uint32_t machine_activity(struct machine *machine, uint32_t rank, uint32_t request, uint32_t collective,
                          unsigned channel);
void machine_send(struct machine *machine, uint32_t rank, const struct machine_place *place, int32_t peer,
                  int32_t tag, int64_t bytes, parcast_send_mode mode, uint32_t token);
void machine_receive(struct machine *machine, uint32_t rank, const struct machine_place *place, int32_t peer,
                     int32_t tag, int64_t room, uint32_t token);
/** The rank's collective operation with the algorithm that was chosen. False: there is none. */
bool machine_schedule(struct machine *machine, uint32_t rank, struct collective_schedule *schedule);

/* machine_requests.c */

/** A request by its number; NULL: it cannot be, or memory is short. */
struct machine_request *machine_request_at(struct machine *machine, uint32_t rank, uint32_t request);
/** One of its activities is done. */
void machine_request_step(struct machine_rank *rank, uint32_t request, uint32_t n_freed);
void machine_await_named(struct machine *machine, uint32_t rank);
void machine_await_all(struct machine_rank *rank);
void machine_free_request(struct machine *machine, uint32_t rank);
void machine_cancel_request(struct machine *machine, uint32_t rank);

/* machine_collectives.c */

/** Begin the rank's operation, a collective that does not block. */
void machine_begin_collective(struct machine *machine, uint32_t rank);
/** Its collectives go on as far as they can. */
void machine_progress(struct machine *machine, uint32_t rank);
void machine_collectives_destroy(struct machine *machine);

/** What the transport tells a machine. */
struct transport_client machine_client(struct machine *machine);
/** All ranks go on, from the beginning. */
void machine_begin(struct machine *machine);

/** "send", "allreduce". */
const char *machine_name(const parcast_operation *operation);
/** Does the rank's collective fit those that the others call in its place? Describes the failure. */
bool machine_agree(struct machine *machine, uint32_t rank);
/** The line of an operation, and its file where that is not the source's; 0: it has none, or is an event's.
 */
int machine_line(const struct machine *machine, uint32_t rank, int line, const char **file);
/** Is every rank at its end, and every message received? Of a trace that is cut, ranks end where they wait.
 */
parcast_status machine_check_end(struct machine *machine, parcast_error *error);

#endif
