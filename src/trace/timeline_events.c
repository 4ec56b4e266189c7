/* A timeline of recorded events: which ends belong to one message, through requests and wildcards. */
#include <stdlib.h>
#include <string.h>

#include "trace/timeline.h"

/* A receive that was begun: who it is from, and its key. */
struct timeline_pending {
    struct timeline_end end;
    bool receives, sends; /* what it does; persistent: at each start */
    bool persistent, open;
    int32_t comm, peer, tag;
    struct timeline_end sent; /* persistent and started sends */
};

static struct timeline_pending *pending_at(parcast_timeline *t, struct timeline_rank *rank, int64_t number)
{
    if (number < 0 || number >= INT32_MAX) return NULL;
    if ((size_t)number >= rank->capacity) {
        size_t capacity = 2 * (size_t)number + 8;
        struct timeline_pending *more = realloc(rank->pending, capacity * sizeof *more);
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
    timeline_draw_end(t, end, false, date_s);
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

static void make_persistent(parcast_timeline *t, struct timeline_rank *rank, int32_t number,
                            const parcast_trace_event *e)
{
    struct timeline_pending *p = pending_at(t, rank, e->request);
    if (!p) return;
    *p = (struct timeline_pending){.persistent = true,
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
    struct timeline_rank *drawn = &t->ranks[rank];
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
        struct timeline_pending *p =
            e->start == PARCAST_TRACE_NONBLOCKING ? pending_at(t, drawn, e->request) : NULL;
        if (p) *p = (struct timeline_pending){.open = false};
        return;
    }
    struct timeline_end end =
        received_by(t, rank, e, sendrecv ? e->source : e->peer, sendrecv ? e->source_tag : e->tag,
                    sendrecv ? e->recv_bytes : e->bytes);
    if (e->start == PARCAST_TRACE_BLOCKING) {
        timeline_draw_end(t, &end, true, end_s);
        return;
    }
    struct timeline_pending *p = pending_at(t, drawn, e->request);
    if (p) *p = (struct timeline_pending){.end = end, .receives = true, .open = true};
}

static void start(parcast_timeline *t, int32_t rank, const parcast_trace_event *e, double start_s)
{
    struct timeline_pending *p = pending_at(t, &t->ranks[rank], e->request);
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
    struct timeline_pending *p = pending_at(t, &t->ranks[rank], number);
    if (!p || !p->open) return;
    p->open = false;
    timeline_draw_end(t, &p->end, true, end_s);
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

static const char *name_of(const parcast_timeline *t, const parcast_trace_event *e)
{
    const char *function = parcast_trace_function(t->trace, e->function);
    return function ? function : parcast_trace_op_name(e->op);
}

parcast_status parcast_timeline_event(parcast_timeline *t, int32_t rank, const parcast_trace_event *event,
                                      double start_s, double end_s, parcast_error *error)
{
    parcast_status status = timeline_check_call(t, rank, start_s, end_s, error);
    if (status) return status;
    struct timeline_rank *drawn = &t->ranks[rank];
    if (!drawn->seen && event->op == PARCAST_TRACE_INIT)
        drawn->last_s = start_s; /* nothing is known before */
    drawn->seen = true;
    if (drawn->shown && event->thread == 0) {
        const struct timeline_state computing = {.rank = rank, .start_s = drawn->last_s, .end_s = start_s};
        const struct timeline_state call = {rank, name_of(t, event), event, start_s, end_s};
        if (start_s > drawn->last_s) timeline_draw_state(t, &computing);
        if (end_s > start_s) timeline_draw_state(t, &call);
    }
    follow_messages(t, rank, event, start_s, end_s);
    if (event->thread == 0 && end_s > drawn->last_s) drawn->last_s = end_s;
    return timeline_check_output(t, error);
}
