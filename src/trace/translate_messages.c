/* Point-to-point operations and probes. */
#include "trace/translate.h"

/* Whom a receive is from, and with which tag: what came where any was asked for. */
static int32_t source_of(const parcast_trace_event *e, int32_t asked)
{
    return asked == PARCAST_TRACE_ANY ? e->matched_peer : asked;
}

static int32_t tag_of(const parcast_trace_event *e, int32_t asked)
{
    return asked == PARCAST_TRACE_ANY ? e->matched_tag : asked;
}

static parcast_send_mode mode_of(const parcast_trace_event *e)
{
    return e->mode == PARCAST_TRACE_SYNCHRONOUS ? PARCAST_SEND_SYNCHRONOUS
           : e->mode == PARCAST_TRACE_BUFFERED  ? PARCAST_SEND_BUFFERED
                                                : PARCAST_SEND_STANDARD;
}

static parcast_status put_send(struct translation *t, const parcast_trace_event *e, parcast_error *error)
{
    parcast_operation *o = NULL;
    bool blocks = e->start == PARCAST_TRACE_BLOCKING;
    parcast_status status =
        translate_on(t, e, e->comm, blocks ? PARCAST_OPERATION_SEND : PARCAST_OPERATION_ISEND, &o, error);
    if (status) return status;
    o->peer = e->peer;
    o->tag = e->tag;
    o->bytes = e->bytes;
    o->mode = mode_of(e);
    if (!blocks) o->request = (uint32_t)e->request;
    return PARCAST_OK;
}

static parcast_status put_receive(struct translation *t, const parcast_trace_event *e, int32_t source,
                                  int32_t tag, int64_t bytes, parcast_error *error)
{
    parcast_operation *o = NULL;
    bool blocks = e->start == PARCAST_TRACE_BLOCKING;
    parcast_status status = translate_on(
        t, e, e->comm, blocks ? PARCAST_OPERATION_RECEIVE : PARCAST_OPERATION_IRECEIVE, &o, error);
    if (status) return status;
    o->peer = source;
    o->tag = tag;
    o->bytes = bytes;
    if (!blocks) o->request = (uint32_t)e->request;
    return PARCAST_OK;
}

/* Both at once; what is not blocking is one request of two operations. */
static parcast_status put_both(struct translation *t, const parcast_trace_event *e, int32_t source,
                               int32_t tag, parcast_error *error)
{
    parcast_operation *o = NULL;
    if (e->start != PARCAST_TRACE_BLOCKING) {
        parcast_status status = put_receive(t, e, source, tag, e->recv_bytes, error);
        return status ? status : put_send(t, e, error);
    }
    parcast_status status = translate_on(t, e, e->comm, PARCAST_OPERATION_SENDRECEIVE, &o, error);
    if (status) return status;
    o->peer = e->peer;
    o->tag = e->tag;
    o->bytes = e->bytes;
    o->source = source;
    o->source_tag = tag;
    o->source_bytes = e->recv_bytes;
    return PARCAST_OK;
}

/* One that found nothing is nothing. */
static parcast_status put_probe(struct translation *t, const parcast_trace_event *e, parcast_error *error)
{
    parcast_operation *o = NULL;
    bool found = e->op == PARCAST_TRACE_PROBE || e->flag;
    int32_t source = source_of(e, e->peer), tag = tag_of(e, e->tag);
    if (!found || source == PARCAST_TRACE_PROC_NULL) return PARCAST_OK;
    parcast_status status = translate_on(t, e, e->comm, PARCAST_OPERATION_PROBE, &o, error);
    if (status) return status;
    o->peer = source;
    o->tag = tag;
    return PARCAST_OK;
}

parcast_status translate_message(struct translation *t, const parcast_trace_event *e, parcast_error *error)
{
    if (e->op == PARCAST_TRACE_PROBE || e->op == PARCAST_TRACE_IPROBE) return put_probe(t, e, error);
    bool sends = e->op != PARCAST_TRACE_RECV && e->peer != PARCAST_TRACE_PROC_NULL;
    int32_t asked = e->op == PARCAST_TRACE_RECV ? e->peer : e->source;
    int32_t asked_tag = e->op == PARCAST_TRACE_RECV ? e->tag : e->source_tag;
    int32_t source = source_of(e, asked), tag = tag_of(e, asked_tag);
    bool receives = e->op != PARCAST_TRACE_SEND && source != PARCAST_TRACE_PROC_NULL;
    if (e->start != PARCAST_TRACE_BLOCKING) {
        parcast_status status = translate_begin_request(t, e, !sends && !receives, error);
        if (status || e->start == PARCAST_TRACE_PERSISTENT) return status;
    }
    if (sends && receives) return put_both(t, e, source, tag, error);
    if (sends) return put_send(t, e, error);
    int64_t bytes = e->op == PARCAST_TRACE_RECV ? e->bytes : e->recv_bytes;
    return receives ? put_receive(t, e, source, tag, bytes, error) : PARCAST_OK;
}
