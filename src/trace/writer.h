/** What the recorder's collector uses of the writer besides parcast/trace.h: times as they were coded in the
 * ranks. */
#ifndef PARCAST_TRACE_WRITER_H
#define PARCAST_TRACE_WRITER_H

#include "parcast/trace.h"
#include "trace/encoder.h"

/** How the times of all ranks will be given; before the first event. Exact numbers if it is not called. */
void trace_writer_set_coding(parcast_trace_writer *writer, enum frame_coding coding);

/** For a file that is read once and removed: quick to write, not small. Before the first event. */
void trace_writer_hurry(parcast_trace_writer *writer);

/** The clock of a thread that has no events yet, in units of time. */
parcast_status trace_writer_start_thread(parcast_trace_writer *writer, int32_t rank, int32_t thread,
                                         double date, parcast_error *error);

/** As parcast_trace_write, with the times as codes: compute and call_s of the event are not used. */
parcast_status trace_writer_put(parcast_trace_writer *writer, int32_t rank, const parcast_trace_event *event,
                                const struct event_times *times, parcast_error *error);

/** Write what a rank has pending and release its memory; more may still come. */
parcast_status trace_writer_flush_rank(parcast_trace_writer *writer, int32_t rank, parcast_error *error);

#endif
