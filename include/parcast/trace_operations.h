/**
 * The operations of an event trace: what a recorded program does, in the form that a replay takes.
 *
 * Every event's computing becomes a COMPUTE, its call what the call does. Receives from any source are posted
 * for the message that came when the program was recorded; waits for any or some, and tests that succeeded,
 * wait for what they completed then. docs/formats/trace.md, "Replay", lists every operation.
 */
#ifndef PARCAST_TRACE_OPERATIONS_H
#define PARCAST_TRACE_OPERATIONS_H

#include "parcast/operation.h"
#include "parcast/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct parcast_trace_operations parcast_trace_operations;

/**
 * Begin to translate a trace.
 *
 * @param[in]  trace       lent, must outlive the operations
 * @param[in]  node_speed  [nodes of the trace] speed of a core of the nodes that the trace was recorded on,
 *                         relative to the node type that a platform's speeds refer to; NULL: 1
 * @param[in]  n_nodes     length of node_speed; a rank on a node beyond it has speed 1
 * @param[out] operations  release with parcast_trace_operations_destroy
 * @return PARCAST_OK; PARCAST_DATA (a rank left no events or was lost, so that others would wait for it for
 * ever; not of a trace that was opened with PARCAST_TRACE_UP_TO_CUT); PARCAST_MEMORY
 *
 * Memory: a frame of events for each rank that has begun, and what its open requests take.
 */
PARCAST_API parcast_status parcast_trace_operations_create(parcast_trace *trace, const double *node_speed,
                                                           size_t n_nodes,
                                                           parcast_trace_operations **operations,
                                                           parcast_error *error);

/**
 * The operations of all ranks, from the beginning; what was got from it before is over. Its `next` fails with
 * PARCAST_FORMAT where the trace is damaged, PARCAST_DATA where its events contradict each other,
 * PARCAST_UNSUPPORTED for what cannot be replayed: rank, event and cause are named.
 */
PARCAST_API parcast_operation_source parcast_trace_operations_source(parcast_trace_operations *operations);

/** Events that were taken from the trace since then. */
PARCAST_API uint64_t parcast_trace_operations_events(const parcast_trace_operations *operations);

/** Release them and null the pointer. NULL is fine. */
PARCAST_API void parcast_trace_operations_destroy(parcast_trace_operations **operations);

#ifdef __cplusplus
}
#endif
#endif
