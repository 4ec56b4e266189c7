/** What a replay finds out besides its dates: matrix, phases, timeline, whoever observes. */
#ifndef PARCAST_REPLAY_RECORDER_H
#define PARCAST_REPLAY_RECORDER_H

#include "replay/matrix.h"
#include "replay/phases.h"
#include "replay/transport.h"

struct recorder {
    const parcast_replay_options *options;
    struct matrix matrix;
    struct phases phases;
    struct chain_layout layout; /**< of the critical path; no parts: nobody wants it */
    uint32_t *groups;
    int64_t *chain; /**< [layout.n_parts] of the rank that has ended last so far */
    int last_rank;
    uint64_t n_ticks;
    parcast_error *error;
};

/** node_type: [n_ranks] number of a rank's kind of node, NULL: all alike. PARCAST_MEMORY. */
parcast_status recorder_create(struct recorder *recorder, uint32_t n_ranks, const uint32_t *node_type,
                               const parcast_replay_options *options, parcast_error *error);
void recorder_destroy(struct recorder *recorder);

static inline const struct chain_layout *recorder_layout(const struct recorder *recorder)
{
    return recorder->layout.n_parts ? &recorder->layout : NULL;
}

/** An event is over; true now and then: say with recorder_progress how far it is. */
static inline bool recorder_tick(struct recorder *recorder)
{
    enum { EVENTS_BETWEEN = 1 << 15 };
    return ++recorder->n_ticks % EVENTS_BETWEEN == 0;
}
void recorder_progress(const struct recorder *recorder, int64_t now_ps, uint64_t n_events);

/** A rank begins an operation. PARCAST_MEMORY, and what a timeline returns, here and below. */
parcast_status recorder_begin(struct recorder *recorder, uint32_t rank, const parcast_operation *operation,
                              const struct rank_figures *figures);
/** A rank sends; context: odd inside collectives. */
parcast_status recorder_sent(struct recorder *recorder, struct match_key key, int64_t bytes, int64_t now_ps);
parcast_status recorder_received(struct recorder *recorder, const struct transport_message *message);
/** An operation, not that of the end, is over. */
parcast_status recorder_operation(struct recorder *recorder, uint32_t rank,
                                  const parcast_operation *operation, int64_t begin_ps, int64_t end_ps);
/** A rank has ended; chain: what that date consists of, only with a layout. */
parcast_status recorder_end(struct recorder *recorder, uint32_t rank, const struct rank_figures *figures,
                            const int64_t *chain);

/** Put all of it into the result; node_types names them, NULL: they have none. */
parcast_status recorder_collect(struct recorder *recorder, const uint32_t *node_type,
                                const parcast_platform *platform, parcast_replay_result *result);

#endif
