/** An open trace, as its cursors see it. */
#ifndef PARCAST_TRACE_READER_H
#define PARCAST_TRACE_READER_H

#include <zstd.h>

#include "trace/frame.h"
#include "trace/meta.h"

struct rank_stream {
    uint64_t first; /* offset of its first frame, 0: it has no events */
    uint64_t n_events;
};

struct parcast_trace {
    char *path;
    int file;
    uint64_t file_bytes;
    uint64_t limit; /* frames of events lie before this */
    uint64_t checksum;
    uint64_t n_events, n_unknown;
    bool cut;
    parcast_trace_mode mode; /* as it was asked for */
    struct trace_meta meta;
    struct rank_stream *streams; /* [n_ranks] */
    ZSTD_DCtx *zstd;
    struct trace_buffer stored;
};

/** Read n bytes; PARCAST_FORMAT when the file ends before. */
parcast_status trace_read(const parcast_trace *trace, void *bytes, size_t n, uint64_t offset,
                          parcast_error *error);

/** Contents of the frame behind its header at `offset` into `raw`, which holds frame_raw_bytes(header). */
parcast_status trace_read_contents(parcast_trace *trace, const struct frame_header *header, uint64_t offset,
                                   unsigned char *raw, parcast_error *error);

#endif
