/* Opening a trace: header, what it says about itself, index; without an index, a walk over the frames. */
#include "trace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/checksum.h"

parcast_status trace_read(const parcast_trace *t, void *bytes, size_t n, uint64_t offset,
                          parcast_error *error)
{
    char *to = bytes;
    while (n > 0) {
        ssize_t got = pread(t->file, to, n, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            return parcast_error_set(error, PARCAST_IO, t->path, 0, "cannot read the trace: %s",
                                     strerror(errno));
        if (got == 0) return parcast_error_set(error, PARCAST_FORMAT, t->path, 0, "the trace ends too early");
        to += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return PARCAST_OK;
}

parcast_status trace_read_contents(parcast_trace *t, const struct frame_header *h, uint64_t offset,
                                   unsigned char *raw, parcast_error *error)
{
    t->stored.n = 0;
    unsigned char *stored = buffer_room(&t->stored, h->stored_bytes);
    if (!stored) {
        t->stored.failed = false;
        return parcast_error_set(error, PARCAST_MEMORY, t->path, 0, "out of memory");
    }
    parcast_status status = trace_read(t, stored, h->stored_bytes, offset + TRACE_FRAME_BYTES, error);
    if (status) return status;
    size_t expected = frame_raw_bytes(h);
    size_t got = ZSTD_decompressDCtx(t->zstd, raw, expected, stored, h->stored_bytes);
    if (ZSTD_isError(got) || got != expected)
        return parcast_error_set(error, PARCAST_FORMAT, t->path, 0, "the frame at byte %llu is damaged: %s",
                                 (unsigned long long)offset,
                                 ZSTD_isError(got) ? ZSTD_getErrorName(got) : "it has another length");
    return PARCAST_OK;
}

static parcast_status open_file(parcast_trace *t, parcast_error *error)
{
    struct stat about;
    t->file = open(t->path, O_RDONLY | O_CLOEXEC);
    if (t->file < 0)
        return parcast_error_set(error, errno == ENOENT ? PARCAST_NOT_FOUND : PARCAST_IO, t->path, 0,
                                 "cannot open the trace: %s", strerror(errno));
    if (fstat(t->file, &about) != 0 || !S_ISREG(about.st_mode))
        return parcast_error_set(error, PARCAST_FORMAT, t->path, 0, "is not a file, so it is no trace");
    t->file_bytes = t->limit = (uint64_t)about.st_size;
    return PARCAST_OK;
}

static parcast_status no_trace(const parcast_trace *t, parcast_error *error)
{
    parcast_error_set(error, PARCAST_FORMAT, t->path, 0, "is not a trace of parcast");
    parcast_error_hint(error,
                       "'parcast record --trace' makes one; 'parcast convert' turns other formats into one");
    return PARCAST_FORMAT;
}

static parcast_status damaged(const parcast_trace *t, const char *what, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_FORMAT, t->path, 0, "the trace is damaged: %s", what);
}

static parcast_status read_header(parcast_trace *t, int32_t *n_ranks, parcast_error *error)
{
    unsigned char bytes[TRACE_HEADER_BYTES];
    if (t->file_bytes < sizeof bytes) return no_trace(t, error);
    parcast_status status = trace_read(t, bytes, sizeof bytes, 0, error);
    if (status) return status;
    if (memcmp(bytes, trace_magic, sizeof trace_magic) != 0) return no_trace(t, error);
    if (get_u32(bytes + 28) != trace_crc32c(bytes, 28)) return damaged(t, "its header", error);
    if (get_u32(bytes + 8) != TRACE_VERSION) {
        parcast_error_set(error, PARCAST_FORMAT, t->path, 0, "has format version %u, this parcast reads %d",
                          get_u32(bytes + 8), TRACE_VERSION);
        parcast_error_hint(error, "use the parcast that wrote it, or a newer one");
        return PARCAST_FORMAT;
    }
    uint32_t n = get_u32(bytes + 12);
    if (n < 1 || n > TRACE_MOST_RANKS) return damaged(t, "its number of ranks", error);
    *n_ranks = (int32_t)n;
    return PARCAST_OK;
}

static parcast_status read_frame_header(const parcast_trace *t, uint64_t offset, struct frame_header *header,
                                        parcast_error *error)
{
    unsigned char bytes[TRACE_FRAME_BYTES];
    parcast_status status = trace_read(t, bytes, sizeof bytes, offset, error);
    if (status) return status;
    if (!frame_get(bytes, header))
        return parcast_error_set(error, PARCAST_FORMAT, t->path, 0,
                                 "the frame at byte %llu is damaged: its header", (unsigned long long)offset);
    return PARCAST_OK;
}

/* Contents of a frame that holds no events; free() them. */
static parcast_status read_contents(parcast_trace *t, uint64_t offset, enum frame_kind kind,
                                    unsigned char **raw, struct frame_header *header, parcast_error *error)
{
    parcast_status status = read_frame_header(t, offset, header, error);
    if (status) return status;
    if (header->kind != kind || header->sequence_bytes > 0 || header->next > 0)
        return damaged(t, "a frame is of another kind", error);
    *raw = malloc(header->definition_bytes + 1);
    if (!*raw) return parcast_error_set(error, PARCAST_MEMORY, t->path, 0, "out of memory");
    return trace_read_contents(t, header, offset, *raw, error);
}

static parcast_status read_meta(parcast_trace *t, int32_t n_ranks, uint64_t *end, parcast_error *error)
{
    struct frame_header header = {.next = 0};
    unsigned char *raw = NULL;
    parcast_status status = read_contents(t, TRACE_HEADER_BYTES, FRAME_META, &raw, &header, error);
    if (!status) {
        *end = TRACE_HEADER_BYTES + TRACE_FRAME_BYTES + (uint64_t)header.stored_bytes;
        status = meta_get(raw, header.definition_bytes, n_ranks, &t->meta);
        if (status == PARCAST_MEMORY) parcast_error_set(error, status, t->path, 0, "out of memory");
        if (status == PARCAST_FORMAT) damaged(t, "what it says about itself", error);
    }
    free(raw);
    return status;
}

/* The last bytes name the index; a file without them was cut. */
static bool read_end(parcast_trace *t, uint64_t *index)
{
    unsigned char bytes[TRACE_END_BYTES];
    if (t->file_bytes < TRACE_END_BYTES ||
        trace_read(t, bytes, sizeof bytes, t->file_bytes - sizeof bytes, NULL) != PARCAST_OK)
        return false;
    if (memcmp(bytes, trace_end_magic, sizeof trace_end_magic) != 0 ||
        get_u32(bytes + 28) != trace_crc32c(bytes, 28))
        return false;
    *index = get_u64(bytes + 8);
    t->checksum = get_u64(bytes + 16);
    return *index < t->file_bytes;
}

static parcast_status read_index(parcast_trace *t, uint64_t offset, parcast_error *error)
{
    struct frame_header header = {.next = 0};
    unsigned char *raw = NULL;
    parcast_status status = read_contents(t, offset, FRAME_INDEX, &raw, &header, error);
    struct trace_view view = view_of(raw, raw ? header.definition_bytes : 0);
    for (int32_t i = 0; i < t->meta.about.n_ranks && !status; i++) {
        struct rank_stream *stream = &t->streams[i];
        stream->first = view_varint(&view);
        stream->n_events = view_varint(&view);
        if (view.bad || stream->first >= offset || (stream->first == 0) != (stream->n_events == 0))
            status = damaged(t, "its index", error);
        t->n_events += stream->n_events;
        t->meta.ranks[i].n_events = stream->n_events;
    }
    t->limit = offset;
    free(raw);
    return status;
}

/* Frames one behind the other, as far as they are whole. */
static void walk(parcast_trace *t, uint64_t offset)
{
    struct frame_header h = {.next = 0};
    t->cut = true;
    for (;;) {
        if (offset + TRACE_FRAME_BYTES > t->file_bytes || read_frame_header(t, offset, &h, NULL)) break;
        uint64_t end = offset + TRACE_FRAME_BYTES + h.stored_bytes;
        if (end > t->file_bytes || h.kind == FRAME_INDEX) break;
        if (h.kind == FRAME_EVENTS && h.rank < (uint32_t)t->meta.about.n_ranks) {
            struct rank_stream *stream = &t->streams[h.rank];
            if (!stream->first) stream->first = offset;
            stream->n_events += h.n_events;
            t->n_events += h.n_events;
            t->meta.ranks[h.rank].n_events = stream->n_events;
        }
        offset = end;
    }
    t->limit = offset;
}

static parcast_status find_frames(parcast_trace *t, uint64_t begin, parcast_trace_mode mode,
                                  parcast_error *error)
{
    uint64_t index;
    t->streams = calloc((size_t)t->meta.about.n_ranks, sizeof *t->streams);
    if (!t->streams) return parcast_error_set(error, PARCAST_MEMORY, t->path, 0, "out of memory");
    if (read_end(t, &index)) return read_index(t, index, error);
    if (mode == PARCAST_TRACE_WHOLE) {
        parcast_error_set(error, PARCAST_FORMAT, t->path, 0,
                          "the trace is cut: its end is missing behind byte %llu",
                          (unsigned long long)t->file_bytes);
        parcast_error_hint(error, "--cut reads it up to the last full frame");
        return PARCAST_FORMAT;
    }
    walk(t, begin);
    return PARCAST_OK;
}

static parcast_status read_all(parcast_trace *t, parcast_trace_mode mode, parcast_error *error)
{
    int32_t n_ranks = 0;
    uint64_t begin = 0;
    parcast_status status = open_file(t, error);
    if (!status) status = read_header(t, &n_ranks, error);
    if (!status) status = read_meta(t, n_ranks, &begin, error);
    return status ? status : find_frames(t, begin, mode, error);
}

parcast_status parcast_trace_open(const char *path, parcast_trace_mode mode, parcast_trace **trace,
                                  parcast_error *error)
{
    parcast_trace *t = calloc(1, sizeof *t);
    if (!t) return parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory");
    t->file = -1;
    t->mode = mode;
    t->path = strdup(path);
    t->zstd = ZSTD_createDCtx();
    parcast_status status = t->path && t->zstd
                                ? read_all(t, mode, error)
                                : parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory");
    if (status)
        parcast_trace_close(&t);
    else
        *trace = t;
    return status;
}

void parcast_trace_close(parcast_trace **trace)
{
    if (!trace || !*trace) return;
    parcast_trace *t = *trace;
    if (t->file >= 0) close(t->file);
    meta_free(&t->meta);
    ZSTD_freeDCtx(t->zstd);
    free(t->stored.bytes);
    free(t->streams);
    free(t->path);
    free(t);
    *trace = NULL;
}

const char *parcast_trace_path(const parcast_trace *trace)
{
    return trace->path;
}

const parcast_trace_meta *parcast_trace_about(const parcast_trace *trace)
{
    return &trace->meta.about;
}

void parcast_trace_get_info(const parcast_trace *t, parcast_trace_info *info)
{
    bool complete = !t->cut;
    for (int32_t i = 0; i < t->meta.about.n_ranks; i++)
        complete = complete && t->meta.ranks[i].end == PARCAST_TRACE_FINALIZED;
    *info = (parcast_trace_info){.n_events = t->n_events,
                                 .file_bytes = t->file_bytes,
                                 .checksum = t->cut ? 0 : t->checksum,
                                 .n_unknown = t->n_unknown,
                                 .cut = t->cut,
                                 .complete = complete};
}

const parcast_trace_comm *parcast_trace_get_comm(const parcast_trace *trace, int32_t comm)
{
    return meta_comm(&trace->meta.about, comm);
}

int32_t parcast_trace_world_rank(const parcast_trace *trace, int32_t rank, int32_t comm, int32_t peer)
{
    const parcast_trace_comm *c = meta_comm(&trace->meta.about, comm);
    if (!c || peer < 0) return -1;
    if (comm == PARCAST_TRACE_SELF) return peer == 0 ? rank : -1;
    if (c->inter) {
        bool local = false; /* both groups are kept under one number */
        for (int32_t i = 0; i < c->n_ranks && !local; i++) local = c->ranks[i] == rank;
        if (local) return peer < c->n_remote ? c->remote_ranks[peer] : -1;
    }
    return peer < c->n_ranks ? c->ranks[peer] : -1;
}

const char *parcast_trace_function(const parcast_trace *trace, int32_t function)
{
    const parcast_trace_meta *about = &trace->meta.about;
    return function >= 0 && (size_t)function < about->n_functions ? about->functions[function] : NULL;
}
