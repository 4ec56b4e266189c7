/* Writing a trace: header, what it says about itself, frames of all ranks as they fill, index, end. */
#include "trace/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>
#include <zstd.h>

#include "trace/checksum.h"
#include "trace/definition.h"
#include "trace/meta.h"
#include "trace/output.h"

enum { LEVEL = 9, MOST_FRAME_EVENTS = 16384, FEWEST_FRAME_EVENTS = 512, READ_TOGETHER = 1 << 22 };

struct stream {
    struct encoder *encoder;      /* NULL: nothing pending */
    uint64_t first, last;         /* offsets of frames, 0: none */
    uint64_t n_events;            /* written */
    struct thread_clock *threads; /* while there is no encoder */
    size_t n_threads;
};

struct parcast_trace_writer {
    char *path;
    int file;
    uint64_t end; /* of the file so far */
    uint64_t checksum;
    enum frame_coding coding;
    parcast_trace_unit unit;
    int32_t n_ranks;
    size_t n_comms, n_functions, n_sites;
    uint32_t frame_events;
    bool complete;          /* every rank came to its end */
    struct stream *streams; /* [n_ranks] */
    ZSTD_CCtx *zstd;
    struct packed_frame packed;
    struct trace_buffer definition, stored;
};

static parcast_status no_memory(const parcast_trace_writer *w, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, w->path, 0, "out of memory");
}

static parcast_status write_at(const parcast_trace_writer *w, const void *bytes, size_t n, uint64_t offset,
                               parcast_error *error)
{
    const char *rest = bytes;
    while (n > 0) {
        ssize_t written = pwrite(w->file, rest, n, (off_t)offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0)
            return parcast_error_set(error, PARCAST_IO, w->path, 0, "cannot write the trace: %s",
                                     strerror(errno));
        rest += written;
        offset += (uint64_t)written;
        n -= (size_t)written;
    }
    return PARCAST_OK;
}

static parcast_status append(parcast_trace_writer *w, const void *bytes, size_t n, parcast_error *error)
{
    parcast_status status = write_at(w, bytes, n, w->end, error);
    if (!status) w->end += n;
    return status;
}

/* Compress a section; at its end a block ends, so that each has its own statistics. */
static bool compress(parcast_trace_writer *w, const unsigned char *bytes, size_t n, bool last)
{
    ZSTD_inBuffer in = {bytes, n, 0};
    for (;;) {
        unsigned char *room = buffer_room(&w->stored, ZSTD_compressBound(n) + 1024);
        if (!room) return false;
        ZSTD_outBuffer out = {room, w->stored.capacity - w->stored.n, 0};
        size_t left = ZSTD_compressStream2(w->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_flush);
        w->stored.n += out.pos;
        if (ZSTD_isError(left)) return false;
        if (left == 0 && in.pos == in.size) return true;
    }
}

static bool compress_all(parcast_trace_writer *w, const unsigned char *bytes, const size_t *ends,
                         size_t n_sections)
{
    w->stored.n = 0;
    ZSTD_CCtx_reset(w->zstd, ZSTD_reset_session_only);
    ZSTD_CCtx_setPledgedSrcSize(w->zstd, ends[n_sections - 1]);
    size_t start = 0;
    for (size_t i = 0; i < n_sections; i++) {
        if (!compress(w, bytes + start, ends[i] - start, i + 1 == n_sections)) return false;
        start = ends[i];
    }
    return true;
}

/* Append a frame with contents in w->packed. */
static parcast_status append_frame(parcast_trace_writer *w, struct frame_header *header, parcast_error *error)
{
    unsigned char bytes[TRACE_FRAME_BYTES];
    const struct packed_frame *packed = &w->packed;
    if (!compress_all(w, packed->bytes.bytes, packed->ends, packed->n_sections)) return no_memory(w, error);
    header->stored_bytes = (uint32_t)w->stored.n;
    frame_put(bytes, header);
    /* The end of a zstd frame is a checksum of its contents. */
    uint64_t mark = (uint64_t)get_u32(bytes + 52) << 32 | get_u32(w->stored.bytes + w->stored.n - 4);
    w->checksum = (w->checksum ^ mark) * 1099511628211U;
    w->checksum ^= w->checksum >> 29;
    parcast_status status = append(w, bytes, sizeof bytes, error);
    return status ? status : append(w, w->stored.bytes, w->stored.n, error);
}

/* Contents that are no events. */
static parcast_status append_contents(parcast_trace_writer *w, enum frame_kind kind,
                                      struct trace_buffer *contents, parcast_error *error)
{
    if (contents->failed || contents->n > TRACE_MOST_RAW_BYTES) {
        free(contents->bytes);
        return no_memory(w, error);
    }
    struct trace_buffer kept = w->packed.bytes;
    struct frame_header header = {.kind = kind, .definition_bytes = (uint32_t)contents->n};
    w->packed.bytes = *contents;
    w->packed.ends[0] = contents->n;
    w->packed.n_sections = 1;
    parcast_status status = append_frame(w, &header, error);
    w->packed.bytes = kept;
    free(contents->bytes);
    return status;
}

static parcast_status put_header(parcast_trace_writer *w, const parcast_trace_meta *meta,
                                 parcast_error *error)
{
    unsigned char bytes[TRACE_HEADER_BYTES] = {0};
    struct trace_buffer contents = {.n = 0};
    memcpy(bytes, trace_magic, sizeof trace_magic);
    put_u32(bytes + 8, TRACE_VERSION);
    put_u32(bytes + 12, (uint32_t)meta->n_ranks);
    put_u32(bytes + 28, trace_crc32c(bytes, 28));
    parcast_status status = append(w, bytes, sizeof bytes, error);
    if (status) return status;
    meta_put(&contents, meta);
    return append_contents(w, FRAME_META, &contents, error);
}

static parcast_status fill_writer(parcast_trace_writer *w, const char *path, const parcast_trace_meta *meta,
                                  parcast_error *error)
{
    w->file = -1;
    w->coding = CODING_DOUBLES;
    w->unit = meta->unit;
    w->n_ranks = meta->n_ranks;
    w->n_comms = meta->n_comms ? meta->n_comms : 2;
    w->n_functions = meta->n_functions;
    w->n_sites = meta->n_sites;
    w->complete = true;
    for (int32_t i = 0; meta->ranks && i < meta->n_ranks; i++)
        w->complete = w->complete && meta->ranks[i].end == PARCAST_TRACE_FINALIZED;
    /* A reader holds a frame of every rank at once. */
    uint32_t events = READ_TOGETHER / (uint32_t)meta->n_ranks;
    w->frame_events = events > MOST_FRAME_EVENTS     ? MOST_FRAME_EVENTS
                      : events < FEWEST_FRAME_EVENTS ? FEWEST_FRAME_EVENTS
                                                     : events;
    w->path = strdup(path);
    w->streams = calloc((size_t)meta->n_ranks, sizeof *w->streams);
    w->zstd = ZSTD_createCCtx();
    if (!w->path || !w->streams || !w->zstd)
        return parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory");
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
    return PARCAST_OK;
}

static parcast_status open_file(parcast_trace_writer *w, parcast_error *error)
{
    w->file = open(w->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (w->file >= 0) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_IO, w->path, 0, "cannot make the trace: %s", strerror(errno));
}

parcast_status parcast_trace_create(const char *path, const parcast_trace_meta *meta,
                                    parcast_trace_writer **writer, parcast_error *error)
{
    parcast_status status = meta_check(meta, path, error);
    if (status) return status;
    parcast_trace_writer *w = calloc(1, sizeof *w);
    if (!w) return parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory");
    status = fill_writer(w, path, meta, error);
    if (!status) status = open_file(w, error);
    if (!status) status = put_header(w, meta, error);
    if (status)
        parcast_trace_discard(&w);
    else
        *writer = w;
    return status;
}

void trace_writer_hurry(parcast_trace_writer *w)
{
    const int quick_level = -5;
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, quick_level);
}

void trace_writer_set_coding(parcast_trace_writer *w, enum frame_coding coding)
{
    w->coding = coding;
}

/* -------- frames -------- */

static parcast_status link_frames(parcast_trace_writer *w, struct stream *stream, uint64_t offset,
                                  parcast_error *error)
{
    unsigned char next[8];
    put_u64(next, offset);
    parcast_status status = PARCAST_OK;
    if (stream->last)
        status = write_at(w, next, sizeof next, stream->last + TRACE_FRAME_NEXT, error);
    else
        stream->first = offset;
    if (!status) stream->last = offset;
    return status;
}

static parcast_status flush(parcast_trace_writer *w, int32_t rank, parcast_error *error)
{
    struct stream *stream = &w->streams[rank];
    struct frame_header header = {.next = 0};
    uint64_t offset = w->end;
    if (!stream->encoder || stream->encoder->n_events == 0) return PARCAST_OK;
    if (!encoder_pack(stream->encoder, &header, &w->packed)) return no_memory(w, error);
    header.rank = (uint32_t)rank;
    stream->n_events += header.n_events;
    parcast_status status = append_frame(w, &header, error);
    return status ? status : link_frames(w, stream, offset, error);
}

static parcast_status open_stream(parcast_trace_writer *w, int32_t rank, struct stream **out,
                                  parcast_error *error)
{
    if (rank < 0 || rank >= w->n_ranks)
        return parcast_error_set(error, PARCAST_INVALID, w->path, 0, "there is no rank %d among %d", rank,
                                 w->n_ranks);
    struct stream *stream = *out = &w->streams[rank];
    if (stream->encoder) return PARCAST_OK;
    struct encoder *encoder = malloc(sizeof *encoder);
    if (!encoder) return no_memory(w, error);
    stream->encoder = encoder;
    bool made = encoder_init(encoder, w->coding, w->unit == PARCAST_TRACE_SECONDS, w->frame_events);
    encoder->first_event = stream->n_events;
    for (size_t i = 0; made && i < stream->n_threads; i++)
        made = encoder_start_thread(encoder, stream->threads[i].thread, stream->threads[i].now);
    return made ? PARCAST_OK : no_memory(w, error);
}

/* The clocks of its threads are all that a rank without an encoder keeps. */
parcast_status trace_writer_flush_rank(parcast_trace_writer *w, int32_t rank, parcast_error *error)
{
    struct stream *stream = &w->streams[rank];
    parcast_status status = flush(w, rank, error);
    if (!stream->encoder || status) return status;
    free(stream->threads);
    stream->threads = stream->encoder->threads;
    stream->n_threads = stream->encoder->n_threads;
    stream->encoder->threads = NULL;
    encoder_free(stream->encoder);
    free(stream->encoder);
    stream->encoder = NULL;
    return PARCAST_OK;
}

/* -------- events -------- */

static bool can_be(const parcast_trace_writer *w, const parcast_trace_event *e)
{
    const size_t counts[] = {e->n_requests,    e->n_completed, e->n_send_counts,
                             e->n_recv_counts, e->n_sources,   e->n_destinations};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i] > DEFINITION_MOST_COUNTS) return false;
    return e->comm >= 0 && (size_t)e->comm < w->n_comms && e->new_comm >= -1 &&
           (e->new_comm < 0 || (size_t)e->new_comm < w->n_comms) && e->function >= -1 &&
           (e->function < 0 || (size_t)e->function < w->n_functions) && e->site >= -1 &&
           (e->site < 0 || (size_t)e->site < w->n_sites) && e->thread >= 0 && e->thread < 65536 &&
           e->start <= PARCAST_TRACE_PERSISTENT && e->mode <= PARCAST_TRACE_READY;
}

static parcast_status check_event(const parcast_trace_writer *w, int32_t rank, const parcast_trace_event *e,
                                  parcast_error *error)
{
    const char *name = parcast_trace_op_name(e->op);
    if (!name)
        return parcast_error_set(error, PARCAST_INVALID, w->path, 0, "rank %d: there is no operation %d",
                                 rank, (int)e->op);
    if (!can_be(w, e))
        return parcast_error_set(error, PARCAST_INVALID, w->path, 0,
                                 "rank %d: a '%s' names a communicator, function, site, thread or count that "
                                 "cannot be",
                                 rank, name);
    return PARCAST_OK;
}

parcast_status trace_writer_put(parcast_trace_writer *w, int32_t rank, const parcast_trace_event *event,
                                const struct event_times *times, parcast_error *error)
{
    struct stream *stream = NULL;
    parcast_status status = check_event(w, rank, event, error);
    if (!status) status = open_stream(w, rank, &stream, error);
    if (!status && encoder_full(stream->encoder)) status = flush(w, rank, error);
    if (status) return status;
    w->definition.n = 0;
    definition_put(&w->definition, event);
    if (w->definition.failed ||
        !encoder_add(stream->encoder, event->thread, w->definition.bytes, w->definition.n, times))
        return no_memory(w, error);
    return PARCAST_OK;
}

parcast_status parcast_trace_write(parcast_trace_writer *w, int32_t rank, const parcast_trace_event *event,
                                   parcast_error *error)
{
    struct event_times times = {.compute = event->compute, .call = event->call_s};
    if (!(event->compute >= 0) || !isfinite(event->compute) || !(event->call_s >= 0) ||
        !isfinite(event->call_s))
        return parcast_error_set(error, PARCAST_INVALID, w->path, 0,
                                 "rank %d: a time that is negative or not finite", rank);
    return trace_writer_put(w, rank, event, &times, error);
}

parcast_status trace_writer_start_thread(parcast_trace_writer *w, int32_t rank, int32_t thread, double date,
                                         parcast_error *error)
{
    struct stream *stream = NULL;
    parcast_status status = open_stream(w, rank, &stream, error);
    if (status || !stream) return status;
    return encoder_start_thread(stream->encoder, thread, date) ? PARCAST_OK : no_memory(w, error);
}

/* -------- end -------- */

static parcast_status put_index(parcast_trace_writer *w, uint64_t *n_events, parcast_error *error)
{
    struct trace_buffer contents = {.n = 0};
    for (int32_t i = 0; i < w->n_ranks; i++) {
        buffer_varint(&contents, w->streams[i].first);
        buffer_varint(&contents, w->streams[i].n_events);
        *n_events += w->streams[i].n_events;
    }
    return append_contents(w, FRAME_INDEX, &contents, error);
}

static parcast_status put_end(parcast_trace_writer *w, uint64_t index, parcast_error *error)
{
    unsigned char bytes[TRACE_END_BYTES] = {0};
    memcpy(bytes, trace_end_magic, sizeof trace_end_magic);
    put_u64(bytes + 8, index);
    put_u64(bytes + 16, w->checksum);
    put_u32(bytes + 28, trace_crc32c(bytes, 28));
    return append(w, bytes, sizeof bytes, error);
}

static parcast_status finish(parcast_trace_writer *w, parcast_trace_info *info, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    uint64_t n_events = 0;
    for (int32_t rank = 0; rank < w->n_ranks && !status; rank++)
        status = trace_writer_flush_rank(w, rank, error);
    uint64_t index = w->end;
    if (!status) status = put_index(w, &n_events, error);
    if (!status) status = put_end(w, index, error);
    if (!status && fsync(w->file) != 0 && errno != EINVAL && errno != EROFS)
        status =
            parcast_error_set(error, PARCAST_IO, w->path, 0, "cannot write the trace: %s", strerror(errno));
    if (!status && info)
        *info = (parcast_trace_info){
            .n_events = n_events, .file_bytes = w->end, .checksum = w->checksum, .complete = w->complete};
    return status;
}

static void release(parcast_trace_writer *w)
{
    for (int32_t i = 0; w->streams && i < w->n_ranks; i++) {
        free(w->streams[i].threads);
        if (!w->streams[i].encoder) continue;
        encoder_free(w->streams[i].encoder);
        free(w->streams[i].encoder);
    }
    free(w->streams);
    free(w->packed.bytes.bytes);
    free(w->definition.bytes);
    free(w->stored.bytes);
    ZSTD_freeCCtx(w->zstd);
    free(w->path);
    free(w);
}

parcast_status parcast_trace_finish(parcast_trace_writer **writer, parcast_trace_info *info,
                                    parcast_error *error)
{
    parcast_trace_writer *w = *writer;
    parcast_status status = finish(w, info, error);
    if (status) {
        parcast_trace_discard(writer);
        return status;
    }
    close(w->file);
    release(w);
    *writer = NULL;
    return PARCAST_OK;
}

void parcast_trace_discard(parcast_trace_writer **writer)
{
    if (!writer || !*writer) return;
    parcast_trace_writer *w = *writer;
    if (w->file >= 0) {
        close(w->file);
        output_remove(w->path);
    }
    release(w);
    *writer = NULL;
}
