/** Time-independent text as a stream of events, line by line. */
#ifndef PARCAST_TRACE_TI_READ_H
#define PARCAST_TRACE_TI_READ_H

#include "trace/ti.h"

/** Text of all ranks, or a list of files, in a file or (text not NULL) in memory; the latter is no list. */
struct ti_source {
    const char *name;
    const char *text; /* [length] */
    size_t length;
};

/** Who takes the events. Ranks come in any order; the order within a rank is that of the text. */
struct ti_sink {
    void *state;
    parcast_status (*begin)(void *state, int32_t n_ranks, parcast_error *error);
    /* line: where the event stands */
    parcast_status (*event)(void *state, int32_t rank, const parcast_trace_event *event,
                            const struct ti_line *line, parcast_error *error);
};

/** What the text leaves to its reader. */
struct ti_summary {
    size_t n_left_over;     /* requests that nobody waits for: they are awaited at the end */
    int32_t different_rank; /* whose init differs from rank 0's; 0: none */
    bool different_doubles; /* sizes without a type are doubles on that rank */
};

/**
 * Read a text twice: for its ranks, then for its events.
 *
 * @return PARCAST_OK; PARCAST_FORMAT with file and line; PARCAST_NOT_FOUND, PARCAST_IO, PARCAST_MEMORY; what
 * the sink returns
 */
parcast_status ti_read(const struct ti_source *source, const struct ti_sink *sink, struct ti_summary *summary,
                       parcast_error *error);

/** A trace of the text at `out`, which is replaced. passing: it is read once and removed. */
parcast_status ti_to_trace(const struct ti_source *source, const char *out, bool passing,
                           struct ti_summary *summary, parcast_error *error);

/** The line of a rank's event, and its file (free() it); 0 if there is none. For messages: reads it all. */
int ti_line_of(const struct ti_source *source, int32_t rank, uint64_t event, char **file);

#endif
