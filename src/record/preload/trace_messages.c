/* Point-to-point operations, probes and the messages that these take out. */
#include "trace_parts.h"

/* What was written is a receive from any: who it was is known when the request is complete. */
static void await_match(int32_t request, uint64_t place)
{
    if (request == TRACED_NONE || !place) return;
    traced_at(request)->matches = true;
    traced_at(request)->place = place;
}

void trace_send(const struct call *c)
{
    struct draft d = trace_begin(c);
    int peer = call_int(c, c->f->peer);
    int32_t request = add_request(c);
    mark_persistent(c, request);
    draft_add(&d, MEMBER_COMM, comm_number(c));
    draft_add(&d, MEMBER_PEER, rank_number(peer));
    draft_add(&d, MEMBER_TAG, tag_number(call_int(c, c->f->peer + 1U)));
    draft_add(&d, MEMBER_BYTES, peer == abi.proc_null ? 0 : (int64_t)recorder.noted.sent);
    draft_add_number(&d, MEMBER_REQUEST, request);
    const struct trace_times t = times_of(c);
    draft_write(&d, &t);
}

void trace_receive(const struct call *c, const struct before *b)
{
    struct draft d = trace_begin(c);
    int peer = call_int(c, c->f->peer), tag = call_int(c, c->f->peer + 1U);
    bool any = peer == abi.any_source || (tag < 0 && peer != abi.proc_null);
    bool blocks = c->f->kind == KIND_RECV, persistent = trace_shapes[c->id].start == PARCAST_TRACE_PERSISTENT;
    int32_t request = add_request(c);
    mark_persistent(c, request);
    draft_add(&d, MEMBER_COMM, comm_number(c));
    draft_add(&d, MEMBER_PEER, rank_number(peer));
    draft_add(&d, MEMBER_TAG, tag_number(tag));
    draft_add(&d, MEMBER_BYTES, peer == abi.proc_null ? 0 : (int64_t)recorder.noted.received);
    draft_add_number(&d, MEMBER_REQUEST, request);
    if (any && !persistent) match_from(&d, blocks ? b->statuses : NULL);
    const struct trace_times t = times_of(c);
    uint64_t place = draft_write(&d, &t);
    if (any && persistent && request != TRACED_NONE) traced_at(request)->matches = true;
    if (any && !persistent && !blocks) await_match(request, place);
}

void trace_sendrecv(const struct call *c, const struct before *b)
{
    struct draft d = trace_begin(c);
    const struct function *f = c->f;
    int peer = call_int(c, f->peer), source = call_int(c, f->source), tag = call_int(c, f->source + 1U);
    bool any = source == abi.any_source || (tag < 0 && source != abi.proc_null),
         blocks = f->kind == KIND_SENDRECV;
    int32_t request = add_request(c);
    draft_add(&d, MEMBER_COMM, comm_number(c));
    draft_add(&d, MEMBER_PEER, rank_number(peer));
    draft_add(&d, MEMBER_TAG, call_int(c, f->peer + 1U));
    draft_add(&d, MEMBER_BYTES, peer == abi.proc_null ? 0 : (int64_t)recorder.noted.sent);
    draft_add(&d, MEMBER_SOURCE, rank_number(source));
    draft_add(&d, MEMBER_SOURCE_TAG, tag_number(tag));
    draft_add(&d, MEMBER_RECV_BYTES, source == abi.proc_null ? 0 : (int64_t)recorder.noted.received);
    draft_add_number(&d, MEMBER_REQUEST, request);
    if (any) match_from(&d, blocks ? b->statuses : NULL);
    const struct trace_times t = times_of(c);
    uint64_t place = draft_write(&d, &t);
    if (any && !blocks) await_match(request, place);
}

/* Each request of MPI_Startall has an event; the call's time is the first one's. */
void trace_start_requests(const struct call *c)
{
    struct trace_times t = times_of(c);
    int n = c->f->n ? call_int(c, c->f->n) : 1;
    traced_begin_array();
    for (int i = 0; i < n; i++) {
        int32_t request = traced_find_next(call_handle_at(c, c->f->request, (uint64_t)i));
        if (request == TRACED_NONE) continue;
        struct draft d = trace_begin(c);
        draft_add_number(&d, MEMBER_REQUEST, request);
        traced_at(request)->active = true;
        if (traced_at(request)->matches) match_from(&d, NULL);
        uint64_t place = draft_write(&d, &t);
        traced_at(request)->place = place;
        t = (struct trace_times){0};
    }
}

/* -------- probes and the messages that they take out -------- */

enum { MOST_MESSAGES = 64 };
static struct message {
    word key;
    int32_t peer, tag;
    uint16_t comm;
    bool used;
} messages[MOST_MESSAGES];

static struct message *message_of(word key)
{
    for (int i = 0; i < MOST_MESSAGES; i++)
        if (messages[i].used && messages[i].key == key) return &messages[i];
    return NULL;
}

static void keep_message(const struct call *c, uint16_t comm, const void *status)
{
    word key = call_handle_at(c, c->f->message, 0);
    struct message *m = message_of(key);
    for (int i = 0; !m && i < MOST_MESSAGES; i++)
        if (!messages[i].used) m = &messages[i];
    if (!m) m = &messages[0];
    *m = (struct message){key, rank_number(abi_status_source(status)), abi_status_tag(status), comm, true};
}

void trace_probe(const struct call *c, const struct before *b)
{
    struct draft d = trace_begin(c);
    bool found = !c->f->flag || *(const int *)call_argument(c, c->f->flag);
    uint16_t comm = comm_number(c);
    if (found && c->f->flag) d.words[0] |= 1 << 12;
    draft_add(&d, MEMBER_COMM, comm);
    draft_add(&d, MEMBER_PEER, rank_number(call_int(c, c->f->peer)));
    draft_add(&d, MEMBER_TAG, tag_number(call_int(c, c->f->peer + 1U)));
    if (found) draft_add(&d, MEMBER_BYTES, (int64_t)abi_status_bytes(b->statuses));
    if (found) match_from(&d, b->statuses);
    if (found && c->f->message) keep_message(c, comm, b->statuses);
    const struct trace_times t = times_of(c);
    draft_write(&d, &t);
}

/* A receive of a message that a probe took out: who sent it is known before. */
void trace_receive_message(const struct call *c, const struct before *b)
{
    struct message *m = message_of(b->handle);
    struct draft d = trace_begin(c);
    int32_t request = add_request(c);
    draft_add(&d, MEMBER_COMM, m ? m->comm : TRACE_UNKNOWN_COMM);
    draft_add(&d, MEMBER_PEER, m ? m->peer : PARCAST_TRACE_PROC_NULL);
    draft_add(&d, MEMBER_TAG, m ? m->tag : 0);
    draft_add(&d, MEMBER_BYTES, (int64_t)recorder.noted.received);
    draft_add_number(&d, MEMBER_REQUEST, request);
    if (m) m->used = false;
    const struct trace_times t = times_of(c);
    draft_write(&d, &t);
}
