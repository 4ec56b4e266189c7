/** What a trace says about itself, as the contents of a frame. */
#ifndef PARCAST_TRACE_META_H
#define PARCAST_TRACE_META_H

#include "parcast/trace.h"
#include "trace/bytes.h"

/** Append the bytes; check the meta data with meta_check() first. */
void meta_put(struct trace_buffer *buffer, const parcast_trace_meta *meta);

/** PARCAST_INVALID with the reason, source given, if it cannot be written. */
parcast_status meta_check(const parcast_trace_meta *meta, const char *source, parcast_error *error);

/** Meta data that owns what it points to. */
struct trace_meta {
    parcast_trace_meta about;
    parcast_trace_rank *ranks;
    parcast_trace_comm *comms;
    const char **functions, **nodes;
    parcast_trace_site *sites;
    uint64_t n_listed; /* ranks in the lists of communicators */
};

/** PARCAST_OK, PARCAST_FORMAT, PARCAST_MEMORY; not described. meta_free() is due in any case. */
parcast_status meta_get(const unsigned char *bytes, size_t n, int32_t n_ranks, struct trace_meta *meta);
void meta_free(struct trace_meta *meta);

/** Is it a communicator that events may name? */
const parcast_trace_comm *meta_comm(const parcast_trace_meta *about, int32_t comm);

#endif
