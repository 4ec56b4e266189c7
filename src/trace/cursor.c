/* One rank's events, frame after frame. */
#include "trace/decoder.h"
#include "trace/reader.h"

struct parcast_trace_cursor {
    parcast_trace *trace;
    int32_t rank;
    uint64_t frame;      /* offset of the decoder's */
    uint64_t next_frame; /* 0: there is none */
    uint64_t position;   /* of the next event */
    bool in_frame;
    double unit_s, offset_s; /* of the rank */
    double skipped;          /* computing before events that were left out, in stored units */
    struct decoder decoder;
};

parcast_status parcast_trace_cursor_open(parcast_trace *trace, int32_t rank, parcast_trace_cursor **cursor,
                                         parcast_error *error)
{
    if (rank < 0 || rank >= trace->meta.about.n_ranks)
        return parcast_error_set(error, PARCAST_INVALID, trace->path, 0, "there is no rank %d among %d", rank,
                                 trace->meta.about.n_ranks);
    parcast_trace_cursor *made = calloc(1, sizeof *made);
    if (!made) return parcast_error_set(error, PARCAST_MEMORY, trace->path, 0, "out of memory");
    made->trace = trace;
    made->rank = rank;
    made->next_frame = trace->streams[rank].first;
    made->unit_s = trace->meta.ranks[rank].unit_s;
    made->offset_s = trace->meta.ranks[rank].offset_s;
    *cursor = made;
    return PARCAST_OK;
}

void parcast_trace_cursor_close(parcast_trace_cursor **cursor)
{
    if (!cursor || !*cursor) return;
    decoder_free(&(*cursor)->decoder);
    free(*cursor);
    *cursor = NULL;
}

static parcast_status damaged(const parcast_trace_cursor *c, uint64_t offset, const char *what,
                              parcast_error *error)
{
    return parcast_error_set(error, PARCAST_FORMAT, c->trace->path, 0,
                             "rank %d, event %llu: the frame at byte %llu is damaged: %s", c->rank,
                             (unsigned long long)c->position, (unsigned long long)offset, what);
}

/* Of a trace that is cut, a frame may name a next one that is not there any more. */
static bool beyond_cut(const parcast_trace_cursor *c, uint64_t offset)
{
    return c->trace->cut && offset >= c->trace->limit;
}

/* Links lead forward only: a loop cannot be. */
static parcast_status read_header(parcast_trace_cursor *c, struct frame_header *h, parcast_error *error)
{
    unsigned char bytes[TRACE_FRAME_BYTES];
    uint64_t offset = c->next_frame;
    if (c->trace->limit < TRACE_FRAME_BYTES || offset > c->trace->limit - TRACE_FRAME_BYTES)

        return damaged(c, offset, "it is outside the file", error);
    parcast_status status = trace_read(c->trace, bytes, sizeof bytes, offset, error);
    if (status) return status;
    if (!frame_get(bytes, h)) return damaged(c, offset, "its header", error);
    if (h->kind != FRAME_EVENTS || h->rank != (uint32_t)c->rank)
        return damaged(c, offset, "it is of another rank", error);
    if (h->first_event != c->position) return damaged(c, offset, "its events are out of order", error);
    if (h->next && h->next <= offset) return damaged(c, offset, "it leads back", error);
    return PARCAST_OK;
}

static parcast_status enter_frame(parcast_trace_cursor *c, parcast_error *error)
{
    struct frame_header h = {.next = 0};
    uint64_t offset = c->next_frame;
    parcast_status status = read_header(c, &h, error);
    if (status) return status;
    unsigned char *raw = decoder_room(&c->decoder, &h);
    status = raw ? trace_read_contents(c->trace, &h, offset, raw, error) : PARCAST_MEMORY;
    if (!status) {
        status = decoder_begin(&c->decoder);
        if (status == PARCAST_FORMAT) return damaged(c, offset, "its definitions", error);
    }
    if (status == PARCAST_MEMORY) return parcast_error_set(error, status, c->trace->path, 0, "out of memory");
    if (status) return status;
    c->frame = offset;
    c->next_frame = h.next;
    c->in_frame = true;
    return PARCAST_OK;
}

/* Is there an event, and if so, is it in the decoder's frame? */
static parcast_status find_frame(parcast_trace_cursor *c, bool *there, parcast_error *error)
{
    *there = true;
    if (c->in_frame && !decoder_at_end(&c->decoder)) return PARCAST_OK;
    c->in_frame = false;
    if (c->next_frame && !beyond_cut(c, c->next_frame)) return enter_frame(c, error);
    *there = false;
    uint64_t n = c->trace->streams[c->rank].n_events;
    if (c->position < n && !c->trace->cut)
        return parcast_error_set(error, PARCAST_FORMAT, c->trace->path, 0,
                                 "rank %d, event %llu: the trace is damaged: %llu events should be there",
                                 c->rank, (unsigned long long)c->position, (unsigned long long)n);
    return PARCAST_OK;
}

static void finish_event(parcast_trace_cursor *c, const struct decoded *d)
{
    parcast_trace_event *event = d->event;
    double compute = d->compute + c->skipped;
    c->skipped = 0;
    event->call_s = d->call * c->unit_s;
    if (c->trace->meta.about.unit == PARCAST_TRACE_FLOP) {
        event->compute = compute;
        event->start_s = 0;
    } else {
        event->compute = compute * c->unit_s;
        event->start_s = c->offset_s + d->date * c->unit_s;
    }
}

static bool in_range(const parcast_trace_cursor *c, const parcast_trace_event *e)
{
    return meta_comm(&c->trace->meta.about, e->comm) && e->new_comm >= -1 &&
           (e->new_comm < 0 || meta_comm(&c->trace->meta.about, e->new_comm));
}

parcast_status parcast_trace_next(parcast_trace_cursor *c, const parcast_trace_event **event,
                                  parcast_error *error)
{
    struct decoded d;
    bool there;
    for (;;) {
        parcast_status status = find_frame(c, &there, error);
        if (status) return status;
        if (!there) {
            *event = NULL;
            return PARCAST_OK;
        }
        if (!decoder_next(&c->decoder, &d)) return damaged(c, c->frame, "its contents", error);
        if (parcast_trace_op_name(d.event->op)) break;
        c->position++;
        c->skipped += d.compute;
        c->trace->n_unknown++;
    }
    if (!in_range(c, d.event))
        return damaged(c, c->frame, "it names a communicator that does not exist", error);
    c->position++;
    finish_event(c, &d);
    *event = d.event;
    return PARCAST_OK;
}

uint64_t parcast_trace_position(const parcast_trace_cursor *cursor)
{
    return cursor->position;
}

static parcast_status find_event(parcast_trace_cursor *c, uint64_t event, parcast_error *error)
{
    struct frame_header h = {.next = 0};
    c->next_frame = c->trace->streams[c->rank].first;
    c->position = 0;
    c->in_frame = false;
    c->skipped = 0;
    while (c->next_frame && !beyond_cut(c, c->next_frame)) {
        parcast_status status = read_header(c, &h, error);
        if (status) return status;
        if (event - c->position < h.n_events) return enter_frame(c, error);
        c->position += h.n_events;
        c->next_frame = h.next;
    }
    return PARCAST_OK;
}

parcast_status parcast_trace_seek(parcast_trace_cursor *c, uint64_t event, parcast_error *error)
{
    struct decoded d;
    parcast_status status = find_event(c, event, error);
    while (!status && c->in_frame && c->position < event) {
        if (!decoder_next(&c->decoder, &d)) return damaged(c, c->frame, "its contents", error);
        c->position++;
    }
    return status;
}
