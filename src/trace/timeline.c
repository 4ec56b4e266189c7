/* A timeline's events: what is drawn of them, and which ends belong to one message. */
#include "trace/timeline.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "trace/message_key.h"
#include "trace/output.h"

enum { FEWEST_HELD = 4096 };

/* A receive that was begun: who it is from, and its key. */
struct pending {
    struct timeline_end end;
    bool receives, sends; /* what it does; persistent: at each start */
    bool persistent, open;
    int32_t comm, peer, tag;
    struct timeline_end sent; /* persistent and started sends */
};

struct drawn_rank {
    bool shown, seen, ended;
    double last_s;
    struct pending *pending; /* [capacity] by request number */
    size_t capacity;
};

struct held {
    double date_s;
    uint64_t number;
    char *text;
};

struct parcast_timeline {
    char *path;
    FILE *out;
    const struct timeline_writer *writer;
    const parcast_trace *trace;
    parcast_timeline_options options;
    int32_t n_ranks;
    struct drawn_rank *ranks; /* [n_ranks] */
    bool *shown;              /* [n_ranks] */
    struct message_keys keys;
    parcast_timeline_info info;
    char **values; /* names, [n_values] */
    size_t n_values;
    struct held *held; /* a heap, the earliest first */
    size_t n_held, held_capacity, flush_at;
    uint64_t n_lines;
    bool no_memory;
};

FILE *timeline_out(parcast_timeline *t)
{
    return t->out;
}

int32_t timeline_node(const parcast_timeline *t, int32_t rank)
{
    return parcast_trace_about(t->trace)->ranks[rank].node;
}

static parcast_status no_memory(const parcast_timeline *t, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, t->path, 0, "out of memory");
}

static parcast_status check_output(const parcast_timeline *t, parcast_error *error)
{
    if (t->no_memory) return no_memory(t, error);
    if (!ferror(t->out)) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_IO, t->path, 0, "cannot write the timeline: %s", strerror(errno));
}

/* -------- lines that wait for their date -------- */

static bool earlier(const struct held *a, const struct held *b)
{
    return a->date_s < b->date_s || (a->date_s == b->date_s && a->number < b->number);
}

static void sift_up(struct held *heap, size_t i)
{
    struct held moved = heap[i];
    for (; i > 0 && earlier(&moved, &heap[(i - 1) / 2]); i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
    heap[i] = moved;
}

static void sift_down(struct held *heap, size_t n)
{
    struct held moved = heap[0];
    size_t i = 0;
    for (size_t child = 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && earlier(&heap[child + 1], &heap[child])) child++;
        if (!earlier(&heap[child], &moved)) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
}

static void write_until(parcast_timeline *t, double date_s)
{
    while (t->n_held > 0 && t->held[0].date_s <= date_s) {
        fputs(t->held[0].text, t->out);
        free(t->held[0].text);
        t->held[0] = t->held[--t->n_held];
        if (t->n_held > 0) sift_down(t->held, t->n_held);
    }
}

/* No rank can come before the date that the slowest has reached. */
static void write_what_is_due(parcast_timeline *t)
{
    double reached_s = INFINITY;
    for (int32_t i = 0; i < t->n_ranks; i++)
        if (!t->ranks[i].ended && t->ranks[i].shown && t->ranks[i].last_s < reached_s)
            reached_s = t->ranks[i].last_s;
    write_until(t, reached_s);
    t->flush_at = 2 * t->n_held > FEWEST_HELD ? 2 * t->n_held : FEWEST_HELD;
}

parcast_status timeline_hold(parcast_timeline *t, double date_s, const char *format, ...)
{
    struct held held = {date_s, t->n_lines++, NULL};
    va_list arguments;
    if (t->n_held == t->held_capacity) {
        size_t capacity = 2 * t->held_capacity + 256;
        struct held *more = realloc(t->held, capacity * sizeof *more);
        if (!more) {
            t->no_memory = true;
            return PARCAST_MEMORY;
        }
        t->held = more;
        t->held_capacity = capacity;
    }
    va_start(arguments, format);
    int n = vasprintf(&held.text, format, arguments);
    va_end(arguments);
    if (n < 0) {
        t->no_memory = true;
        return PARCAST_MEMORY;
    }
    t->held[t->n_held] = held;
    sift_up(t->held, t->n_held++);
    if (t->n_held >= t->flush_at) write_what_is_due(t);
    return PARCAST_OK;
}

/* -------- states -------- */

static bool in_window(const parcast_timeline *t, double start_s, double end_s)
{
    return end_s >= t->options.from_s && (!(t->options.to_s > 0) || start_s <= t->options.to_s);
}

static void draw_state(parcast_timeline *t, const struct timeline_state *state)
{
    if (!in_window(t, state->start_s, state->end_s) || state->end_s - state->start_s < t->options.least_s) {
        t->info.n_left_out++;
        return;
    }
    t->writer->state(t, state);
    t->info.n_states++;
}

/* -------- messages -------- */

static void draw_end(parcast_timeline *t, const struct timeline_end *end, bool arrives, double date_s)
{
    if (t->options.no_messages || end->source < 0 || end->destination < 0) return;
    if (!t->shown[end->source] || !t->shown[end->destination] || !in_window(t, date_s, date_s)) return;
    t->writer->message(t, end, arrives, date_s);
    t->info.n_messages += !arrives;
}

static struct pending *pending_at(parcast_timeline *t, struct drawn_rank *rank, int64_t number)
{
    if (number < 0 || number >= INT32_MAX) return NULL;
    if ((size_t)number >= rank->capacity) {
        size_t capacity = 2 * (size_t)number + 8;
        struct pending *more = realloc(rank->pending, capacity * sizeof *more);
        if (!more) {
            t->no_memory = true;
            return NULL;
        }
        memset(more + rank->capacity, 0, (capacity - rank->capacity) * sizeof *more);
        rank->pending = more;
        rank->capacity = capacity;
    }
    return &rank->pending[number];
}

/* The end of a message that an event sends; its key is drawn from those of its kind. */
static struct timeline_end sent_by(parcast_timeline *t, int32_t rank, const parcast_trace_event *e)
{
    struct timeline_end end = {.source = rank,
                               .destination = parcast_trace_world_rank(t->trace, rank, e->comm, e->peer),
                               .tag = e->tag,
                               .bytes = e->bytes};
    return end;
}

static void send_now(parcast_timeline *t, struct timeline_end *end, int32_t comm, double date_s)
{
    if (end->destination < 0) return;
    if (!message_key_next(&t->keys, end->source, end->destination, comm, end->tag, false, &end->key)) {
        t->no_memory = true;
        return;
    }
    draw_end(t, end, false, date_s);
}

/* The other half: from whom, as far as that is known. */
static struct timeline_end received_by(parcast_timeline *t, int32_t rank, const parcast_trace_event *e,
                                       int32_t peer, int32_t tag, int64_t bytes)
{
    bool any = peer == PARCAST_TRACE_ANY || tag == PARCAST_TRACE_ANY;
    if (any) {
        peer = e->matched_peer;
        tag = e->matched_tag;
    }
    struct timeline_end end = {.source = parcast_trace_world_rank(t->trace, rank, e->comm, peer),
                               .destination = rank,
                               .tag = tag,
                               .bytes = bytes};
    if (end.source >= 0 && !message_key_next(&t->keys, end.source, rank, e->comm, tag, true, &end.key))
        t->no_memory = true;
    return end;
}

static bool receives(const parcast_trace_event *e)
{
    return e->op == PARCAST_TRACE_RECV || e->op == PARCAST_TRACE_SENDRECV;
}

static bool sends(const parcast_trace_event *e)
{
    return e->op == PARCAST_TRACE_SEND || e->op == PARCAST_TRACE_SENDRECV;
}

static void make_persistent(parcast_timeline *t, struct drawn_rank *rank, int32_t number,
                            const parcast_trace_event *e)
{
    struct pending *p = pending_at(t, rank, e->request);
    if (!p) return;
    *p = (struct pending){.persistent = true,
                          .sends = sends(e),
                          .receives = receives(e),
                          .comm = e->comm,
                          .peer = e->peer,
                          .tag = e->tag};
    p->sent = sent_by(t, number, e);
    p->end.bytes = e->bytes;
}

static void point_to_point(parcast_timeline *t, int32_t rank, const parcast_trace_event *e, double start_s,
                           double end_s)
{
    struct drawn_rank *drawn = &t->ranks[rank];
    bool sendrecv = e->op == PARCAST_TRACE_SENDRECV;
    if (e->start == PARCAST_TRACE_PERSISTENT) {
        make_persistent(t, drawn, rank, e);
        return;
    }
    if (sends(e)) {
        struct timeline_end end = sent_by(t, rank, e);
        send_now(t, &end, e->comm, start_s);
    }
    if (!receives(e)) {
        struct pending *p = e->start == PARCAST_TRACE_NONBLOCKING ? pending_at(t, drawn, e->request) : NULL;
        if (p) *p = (struct pending){.open = false};
        return;
    }
    struct timeline_end end =
        received_by(t, rank, e, sendrecv ? e->source : e->peer, sendrecv ? e->source_tag : e->tag,
                    sendrecv ? e->recv_bytes : e->bytes);
    if (e->start == PARCAST_TRACE_BLOCKING) {
        draw_end(t, &end, true, end_s);
        return;
    }
    struct pending *p = pending_at(t, drawn, e->request);
    if (p) *p = (struct pending){.end = end, .receives = true, .open = true};
}

static void start(parcast_timeline *t, int32_t rank, const parcast_trace_event *e, double start_s)
{
    struct pending *p = pending_at(t, &t->ranks[rank], e->request);
    if (!p || !p->persistent) return;
    if (p->sends) send_now(t, &p->sent, p->comm, start_s);
    if (!p->receives) return;
    parcast_trace_event posted = *e;
    posted.comm = p->comm;
    p->end = received_by(t, rank, &posted, p->peer, p->tag, p->end.bytes);
    p->open = true;
}

static void complete(parcast_timeline *t, int32_t rank, int64_t number, double end_s)
{
    struct pending *p = pending_at(t, &t->ranks[rank], number);
    if (!p || !p->open) return;
    p->open = false;
    draw_end(t, &p->end, true, end_s);
}

static void completion(parcast_timeline *t, int32_t rank, const parcast_trace_event *e, double end_s)
{
    bool tests = e->op >= PARCAST_TRACE_TEST;
    bool all = e->op == PARCAST_TRACE_WAIT || e->op == PARCAST_TRACE_WAITALL ||
               ((e->op == PARCAST_TRACE_TEST || e->op == PARCAST_TRACE_TESTALL) && tests && e->flag);
    for (size_t i = 0; i < e->n_requests && all; i++) complete(t, rank, e->requests[i], end_s);
    for (size_t i = 0; i < e->n_completed && !all; i++)
        if (e->completed[i] >= 0 && (uint64_t)e->completed[i] < e->n_requests)
            complete(t, rank, e->requests[e->completed[i]], end_s);
}

static void follow_messages(parcast_timeline *t, int32_t rank, const parcast_trace_event *e, double start_s,
                            double end_s)
{
    if (e->op == PARCAST_TRACE_SEND || e->op == PARCAST_TRACE_RECV || e->op == PARCAST_TRACE_SENDRECV)
        point_to_point(t, rank, e, start_s, end_s);
    else if (e->op == PARCAST_TRACE_START)
        start(t, rank, e, start_s);
    else if (e->op >= PARCAST_TRACE_WAIT && e->op <= PARCAST_TRACE_TESTSOME)
        completion(t, rank, e, end_s);
}

/* -------- public -------- */

static const char *name_of(const parcast_timeline *t, const parcast_trace_event *e)
{
    const char *function = parcast_trace_function(t->trace, e->function);
    return function ? function : parcast_trace_op_name(e->op);
}

parcast_status parcast_timeline_event(parcast_timeline *t, int32_t rank, const parcast_trace_event *event,
                                      double start_s, double end_s, parcast_error *error)
{
    if (rank < 0 || rank >= t->n_ranks)
        return parcast_error_set(error, PARCAST_INVALID, t->path, 0, "there is no rank %d among %d", rank,
                                 t->n_ranks);
    if (!isfinite(start_s) || !(end_s >= start_s) || !isfinite(end_s))
        return parcast_error_set(error, PARCAST_INVALID, t->path, 0,
                                 "rank %d: a call from %g s to %g s cannot be", rank, start_s, end_s);
    struct drawn_rank *drawn = &t->ranks[rank];
    if (!drawn->seen && event->op == PARCAST_TRACE_INIT)
        drawn->last_s = start_s; /* nothing is known before */
    drawn->seen = true;
    if (drawn->shown && event->thread == 0) {
        const struct timeline_state computing = {.rank = rank, .start_s = drawn->last_s, .end_s = start_s};
        const struct timeline_state call = {rank, name_of(t, event), event, start_s, end_s};
        if (start_s > drawn->last_s) draw_state(t, &computing);
        if (end_s > start_s) draw_state(t, &call);
    }
    follow_messages(t, rank, event, start_s, end_s);
    if (event->thread == 0 && end_s > drawn->last_s) drawn->last_s = end_s;
    return check_output(t, error);
}

parcast_status parcast_timeline_end_rank(parcast_timeline *t, int32_t rank, parcast_error *error)
{
    if (rank < 0 || rank >= t->n_ranks)
        return parcast_error_set(error, PARCAST_INVALID, t->path, 0, "there is no rank %d among %d", rank,
                                 t->n_ranks);
    t->ranks[rank].ended = true;
    return PARCAST_OK;
}

parcast_status parcast_timeline_value(parcast_timeline *t, const char *name, double date_s, double value,
                                      parcast_error *error)
{
    size_t i = 0;
    while (i < t->n_values && strcmp(t->values[i], name) != 0) i++;
    if (i == t->n_values) {
        char **more = realloc(t->values, (t->n_values + 1) * sizeof *more);
        if (!more) return no_memory(t, error);
        t->values = more;
        more[i] = strdup(name);
        if (!more[i]) return no_memory(t, error);
        t->n_values++;
        t->writer->define_value(t->out, name, (int)i);
    }
    if (in_window(t, date_s, date_s)) t->writer->value(t, name, (int)i, date_s, value);
    return check_output(t, error);
}

static parcast_status fill(parcast_timeline *t, const char *path, parcast_timeline_format format,
                           const parcast_trace *trace, const parcast_timeline_options *options,
                           parcast_error *error)
{
    t->trace = trace;
    t->n_ranks = parcast_trace_about(trace)->n_ranks;
    t->writer = format == PARCAST_TIMELINE_CHROME ? &timeline_chrome : &timeline_paje;
    t->flush_at = FEWEST_HELD;
    if (options) t->options = *options;
    t->path = strdup(path);
    t->ranks = calloc((size_t)t->n_ranks, sizeof *t->ranks);
    t->shown = calloc((size_t)t->n_ranks, sizeof *t->shown);
    if (!t->path || !t->ranks || !t->shown)
        return parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory");
    for (int32_t i = 0; i < t->n_ranks; i++)
        t->shown[i] = t->ranks[i].shown = !t->options.ranks || t->options.ranks[i];
    t->options.ranks = t->shown;
    t->out = fopen(path, "we");
    if (t->out) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_IO, path, 0, "cannot make the timeline: %s", strerror(errno));
}

parcast_status parcast_timeline_create(const char *path, parcast_timeline_format format,
                                       const parcast_trace *trace, const parcast_timeline_options *options,
                                       parcast_timeline **timeline, parcast_error *error)
{
    parcast_timeline *t = calloc(1, sizeof *t);
    if (!t) return parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory");
    parcast_status status = fill(t, path, format, trace, options, error);
    if (status) {
        parcast_timeline_discard(&t);
        return status;
    }
    t->writer->begin(t->out, trace, t->shown);
    *timeline = t;
    return PARCAST_OK;
}

static void release(parcast_timeline *t)
{
    for (int32_t i = 0; t->ranks && i < t->n_ranks; i++) free(t->ranks[i].pending);
    for (size_t i = 0; i < t->n_held; i++) free(t->held[i].text);
    for (size_t i = 0; i < t->n_values; i++) free(t->values[i]);
    message_keys_free(&t->keys);
    free(t->values);
    free(t->held);
    free(t->ranks);
    free(t->shown);
    free(t->path);
    free(t);
}

parcast_status parcast_timeline_finish(parcast_timeline **timeline, parcast_timeline_info *info,
                                       parcast_error *error)
{
    parcast_timeline *t = *timeline;
    write_until(t, INFINITY);
    t->writer->end(t);
    parcast_status status = check_output(t, error);
    if (!status && fflush(t->out) != 0)
        status = parcast_error_set(error, PARCAST_IO, t->path, 0, "cannot write the timeline: %s",
                                   strerror(errno));
    if (status) {
        parcast_timeline_discard(timeline);
        return status;
    }
    t->info.n_unpaired = message_keys_unpaired(&t->keys);
    if (info) *info = t->info;
    fclose(t->out);
    release(t);
    *timeline = NULL;
    return PARCAST_OK;
}

void parcast_timeline_discard(parcast_timeline **timeline)
{
    if (!timeline || !*timeline) return;
    parcast_timeline *t = *timeline;
    if (t->out) {
        fclose(t->out);
        output_remove(t->path);
    }
    release(t);
    *timeline = NULL;
}
