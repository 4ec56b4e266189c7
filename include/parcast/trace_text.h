/**
 * SimGrid's time-independent text traces, in and out. docs/formats/time-independent.md says how their actions
 * and the events of parcast/trace.h correspond.
 */
#ifndef PARCAST_TRACE_TEXT_H
#define PARCAST_TRACE_TEXT_H

#include "parcast/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a file holds, by its first bytes. */
typedef enum parcast_trace_format {
    PARCAST_TRACE_OWN,
    PARCAST_TRACE_TIME_INDEPENDENT, /**< text of all ranks, or a list of files */
    PARCAST_TRACE_GOAL,             /**< text that begins with num_ranks */
    PARCAST_TRACE_FOREIGN,          /**< none of these */
} parcast_trace_format;

/** PARCAST_NOT_FOUND and PARCAST_IO when it cannot be read. */
PARCAST_API parcast_status parcast_trace_detect(const char *path, parcast_trace_format *format,
                                                parcast_error *error);

/** What a conversion could not say in the other format, one thing a line; NULL if nothing. free() it. */
typedef char *parcast_trace_losses;

/**
 * A time-independent trace as a trace in flop. Every action becomes one event; requests that nobody waits for
 * are awaited by one more before the end of their rank.
 *
 * @param[in]  in   text of all ranks, or a list of files, one for each rank
 * @param[in]  out  of the trace; an existing file is replaced
 * @return PARCAST_OK; PARCAST_FORMAT, with file and line: an unknown action, a number that is none, a
 * collective behind comm_split (its communicator is not in the text); PARCAST_NOT_FOUND, PARCAST_IO
 *
 * Cost: the text is read twice. Memory: that of a trace's writer and the open requests.
 */
PARCAST_API parcast_status parcast_trace_from_ti(const char *in, const char *out,
                                                 parcast_trace_losses *losses, parcast_error *error);

/**
 * Open a trace of parcast, or a time-independent one through a temporary file in TMPDIR that is gone when it
 * is closed.
 *
 * @param[out] losses  as above, NULL for a trace of parcast; may be NULL
 * @return as parcast_trace_open and parcast_trace_from_ti; PARCAST_UNSUPPORTED for GOAL text, which is no
 * sequence of events
 */
PARCAST_API parcast_status parcast_trace_open_any(const char *path, parcast_trace_mode mode,
                                                  parcast_trace **trace, parcast_trace_losses *losses,
                                                  parcast_error *error);

/**
 * A trace as time-independent text of all ranks in one file, rank after rank.
 *
 * @param[in] flop_per_s  flop that a second of computing becomes; not used for a trace in flop
 * @return PARCAST_OK; PARCAST_UNSUPPORTED, with rank and event: a collective on another communicator than the
 * world, a non-blocking or persistent one, one over neighbours; PARCAST_FORMAT, PARCAST_IO
 */
PARCAST_API parcast_status parcast_trace_to_ti(parcast_trace *trace, const char *out, double flop_per_s,
                                               parcast_trace_losses *losses, parcast_error *error);

#ifdef __cplusplus
}
#endif
#endif
