/* The timeline of a recorded trace: the ranks' streams merged by the dates of their events. */
#include <stdlib.h>

#include "parcast/timeline.h"

struct stream {
    parcast_trace_cursor *cursor;
    const parcast_trace_event *event; /* NULL: at its end */
    int32_t rank;
};

struct merge {
    struct stream *streams; /* [n], a heap: the earliest event first */
    size_t n;
};

static bool earlier(const struct stream *a, const struct stream *b)
{
    return a->event->start_s < b->event->start_s ||
           (a->event->start_s == b->event->start_s && a->rank < b->rank);
}

static void sift_down(struct merge *m, size_t i)
{
    struct stream moved = m->streams[i];
    for (size_t child = 2 * i + 1; child < m->n; child = 2 * i + 1) {
        if (child + 1 < m->n && earlier(&m->streams[child + 1], &m->streams[child])) child++;
        if (!earlier(&m->streams[child], &moved)) break;
        m->streams[i] = m->streams[child];
        i = child;
    }
    m->streams[i] = moved;
}

/* Advance the earliest stream. */
static parcast_status step(struct merge *m, parcast_timeline *timeline, parcast_error *error)
{
    struct stream *first = &m->streams[0];
    parcast_status status = parcast_timeline_event(timeline, first->rank, first->event, first->event->start_s,
                                                   first->event->start_s + first->event->call_s, error);
    if (!status) status = parcast_trace_next(first->cursor, &first->event, error);
    if (status) return status;
    if (!first->event) {
        status = parcast_timeline_end_rank(timeline, first->rank, error);
        parcast_trace_cursor_close(&first->cursor);
        m->streams[0] = m->streams[--m->n];
        m->streams[m->n].cursor = NULL;
    }
    if (m->n > 1) sift_down(m, 0);
    return status;
}

static parcast_status open_streams(struct merge *m, parcast_trace *trace, parcast_timeline *timeline,
                                   parcast_error *error)
{
    int32_t n_ranks = parcast_trace_about(trace)->n_ranks;
    for (int32_t rank = 0; rank < n_ranks; rank++) {
        struct stream *stream = &m->streams[m->n];
        stream->rank = rank;
        parcast_status status = parcast_trace_cursor_open(trace, rank, &stream->cursor, error);
        if (!status) status = parcast_trace_next(stream->cursor, &stream->event, error);
        if (!status && !stream->event) {
            parcast_trace_cursor_close(&stream->cursor);
            status = parcast_timeline_end_rank(timeline, rank, error);
        } else if (!status) {
            m->n++;
        }
        if (status) return status;
    }
    for (size_t i = m->n / 2; i > 0; i--) sift_down(m, i - 1);
    return PARCAST_OK;
}

parcast_status parcast_timeline_of_trace(parcast_trace *trace, const char *path,
                                         parcast_timeline_format format,
                                         const parcast_timeline_options *options, parcast_timeline_info *info,
                                         parcast_error *error)
{
    const parcast_trace_meta *about = parcast_trace_about(trace);
    parcast_timeline *timeline = NULL;
    if (about->unit == PARCAST_TRACE_FLOP) {
        parcast_error_set(error, PARCAST_DATA, NULL, 0, "a trace in flop has no dates to draw");
        parcast_error_hint(error, "replay it on a platform with a timeline");
        return PARCAST_DATA;
    }
    struct merge m = {.streams = calloc((size_t)about->n_ranks, sizeof *m.streams)};
    if (!m.streams) return parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory");
    parcast_status status = parcast_timeline_create(path, format, trace, options, &timeline, error);
    if (!status) status = open_streams(&m, trace, timeline, error);
    while (!status && m.n > 0) status = step(&m, timeline, error);
    for (int32_t i = 0; i < about->n_ranks; i++) parcast_trace_cursor_close(&m.streams[i].cursor);
    free(m.streams);
    if (!status) return parcast_timeline_finish(&timeline, info, error);
    parcast_timeline_discard(&timeline);
    return status;
}
