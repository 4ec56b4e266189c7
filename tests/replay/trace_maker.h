/** Traces for tests: written event by event, opened again, replayed. */
#ifndef TEST_TRACE_MAKER_H
#define TEST_TRACE_MAKER_H

#include "parcast/replay.h"
#include "parcast/trace_operations.h"

/** Begin a trace of so many ranks; comms may be NULL (the world, each rank alone). One at a time. */
void maker_begin(int32_t n_ranks, const parcast_trace_comm *comms, size_t n_comms);
/** The same with ranks, nodes and functions said by the caller. */
void maker_begin_about(const parcast_trace_meta *about);
void maker_put(int32_t rank, const parcast_trace_event *event);

/** An event with nothing but computing before it. */
parcast_trace_event maker_event(parcast_trace_op op, double compute_s);
/** SEND or RECV of the world. */
parcast_trace_event maker_message(parcast_trace_op op, int32_t peer, int32_t tag, int64_t bytes);

/** Finish and open it. The file is gone when the trace is closed. */
parcast_trace *maker_finish(void);
/** The same, opened to be replayed as far as it goes. */
parcast_trace *maker_finish_cut(void);

/** A star of eight nodes with 2 cores: 1 ms and 1 MB/s on each link, 100 bytes eager, 10000 detached. */
parcast_platform *maker_platform(void);

/** Replay a trace, rank r on node r, and close it. */
parcast_status maker_replay(parcast_trace *trace, const double *node_speed, size_t n_nodes,
                            parcast_replay_result **result, parcast_error *error);
/** It ends well, and each rank at its date. */
void maker_expect_ends(parcast_trace *trace, const double *end_s, int n_ranks);
/** It ends with this status, and its text has these words. */
void maker_expect_failure(parcast_trace *trace, parcast_status status, const char *words);

#endif
