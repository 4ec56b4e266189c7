/**
 * Pictures of a run: what every rank did when, and which messages went between them, for Perfetto and Chrome
 * (chrome://tracing) as JSON, for ViTE and pj_dump as Paje. Dates come from a recorded trace, or from whoever
 * simulates one and observes it event by event.
 *
 * A timeline is written as a stream: memory grows with the open requests and, in Paje, with how far the
 * ranks' dates are apart, not with its length.
 */
#ifndef PARCAST_TIMELINE_H
#define PARCAST_TIMELINE_H

#include "parcast/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum parcast_timeline_format {
    PARCAST_TIMELINE_CHROME, /**< JSON object with traceEvents; dates in microseconds */
    PARCAST_TIMELINE_PAJE,   /**< text; dates in seconds, ascending */
} parcast_timeline_format;

/** What to leave out; zeros leave out nothing. */
typedef struct parcast_timeline_options {
    double from_s, to_s; /**< only what lies between; to_s 0: no end */
    double least_s;      /**< only calls and computing that take at least this long */
    const bool *ranks;   /**< [n_ranks] which; NULL: all */
    bool no_messages;
} parcast_timeline_options;

typedef struct parcast_timeline parcast_timeline;

/**
 * Begin a timeline over the ranks of a trace.
 *
 * @param[in] trace    whose ranks, nodes and communicators are meant; must live until the timeline is
 * finished
 * @param[in] options  may be NULL; copied
 * @return PARCAST_OK; PARCAST_IO (the file cannot be made)
 */
PARCAST_API parcast_status parcast_timeline_create(const char *path, parcast_timeline_format format,
                                                   const parcast_trace *trace,
                                                   const parcast_timeline_options *options,
                                                   parcast_timeline **timeline, parcast_error *error);

/**
 * Observe an event of a rank, with dates of the observer's own. Events of one rank come in their order, with
 * start_s not before the end_s of the event before (threads apart, which are not drawn); ranks in any order,
 * but the closer their dates are together, the less is held in memory. Computing is what lies between the
 * calls.
 *
 * @param[in] start_s  the call begins
 * @param[in] end_s    it returns, not before start_s
 * @return PARCAST_OK; PARCAST_INVALID (dates that cannot be); PARCAST_IO (the disk is full); PARCAST_MEMORY
 */
PARCAST_API parcast_status parcast_timeline_event(parcast_timeline *timeline, int32_t rank,
                                                  const parcast_trace_event *event, double start_s,
                                                  double end_s, parcast_error *error);

/** The ranks of a run that somebody simulates, without a trace. */
typedef struct parcast_timeline_layout {
    int32_t n_ranks;
    const int32_t *rank_node; /**< [n_ranks]; NULL: rank r on node r */
    const char *const *nodes; /**< [n_nodes] names */
    size_t n_nodes;
} parcast_timeline_layout;

/** Begin a timeline for parcast_timeline_state and parcast_timeline_message. The layout is copied. */
PARCAST_API parcast_status parcast_timeline_open(const char *path, parcast_timeline_format format,
                                                 const parcast_timeline_layout *layout,
                                                 const parcast_timeline_options *options,
                                                 parcast_timeline **timeline, parcast_error *error);

/**
 * What a rank does from start_s to end_s.
 *
 * @param[in] name  of the operation; NULL: it computes
 * @return as parcast_timeline_event, with the same rules for dates
 */
PARCAST_API parcast_status parcast_timeline_state(parcast_timeline *timeline, int32_t rank, const char *name,
                                                  double start_s, double end_s, parcast_error *error);

/** One end of a message. */
typedef struct parcast_timeline_end {
    int32_t source, destination; /**< ranks of the whole program */
    int32_t comm, tag;
    int64_t bytes;
} parcast_timeline_end;

/**
 * A message leaves or arrives. The n-th that leaves with the same ranks, communicator and tag is the n-th
 * that arrives. The date is not before the end of the last state of the rank.
 */
PARCAST_API parcast_status parcast_timeline_message(parcast_timeline *timeline,
                                                    const parcast_timeline_end *end, bool arrives,
                                                    double date_s, parcast_error *error);

/** No more events of this rank. */
PARCAST_API parcast_status parcast_timeline_end_rank(parcast_timeline *timeline, int32_t rank,
                                                     parcast_error *error);

/** A value that changes at a date, as the load of a link; `name` is drawn beside the ranks. Dates ascend per
 * name. */
PARCAST_API parcast_status parcast_timeline_value(parcast_timeline *timeline, const char *name, double date_s,
                                                  double value, parcast_error *error);

typedef struct parcast_timeline_info {
    uint64_t n_states, n_messages; /**< written */
    uint64_t n_left_out;           /**< states that the options left out */
    uint64_t n_unpaired;           /**< ends of messages whose other end was not among the events */
} parcast_timeline_info;

/** Write what is left. @param[out] info may be NULL */
PARCAST_API parcast_status parcast_timeline_finish(parcast_timeline **timeline, parcast_timeline_info *info,
                                                   parcast_error *error);
/** Give up: the file is removed. */
PARCAST_API void parcast_timeline_discard(parcast_timeline **timeline);

/** The whole of a recorded trace with its own dates. PARCAST_DATA for a trace in flop, which has none. */
PARCAST_API parcast_status parcast_timeline_of_trace(parcast_trace *trace, const char *path,
                                                     parcast_timeline_format format,
                                                     const parcast_timeline_options *options,
                                                     parcast_timeline_info *info, parcast_error *error);

#ifdef __cplusplus
}
#endif
#endif
