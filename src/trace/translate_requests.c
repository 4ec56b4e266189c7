/* Requests: which of them run, and which waits and tests end which. */
#include <stdlib.h>
#include <string.h>

#include "trace/translate.h"

enum { MOST_REQUESTS = 1 << 20 };

/* NULL: there cannot be such a request; *status says why. */
static struct translated_request *request_at(struct translation *t, const parcast_trace_event *e,
                                             int64_t number, parcast_status *status, parcast_error *error)
{
    *status = PARCAST_OK;
    if (number == PARCAST_TRACE_NONE)
        *status = translate_fail(t, e, PARCAST_UNSUPPORTED, error,
                                 "the recording lost track of its requests: too many were open at once");
    else if (number < 0 || number >= MOST_REQUESTS)
        *status = translate_fail(t, e, PARCAST_DATA, error, "there is no request %lld", (long long)number);
    if (*status) return NULL;
    if ((uint32_t)number < t->n_requests) return &t->requests[number];
    uint32_t n = t->n_requests ? t->n_requests : 8;
    while (n <= (uint32_t)number) n *= 2;
    struct translated_request *requests = realloc(t->requests, n * sizeof *requests);
    if (!requests) {
        *status = translate_no_memory(t, error);
        return NULL;
    }
    memset(requests + t->n_requests, 0, (n - t->n_requests) * sizeof *requests);
    t->requests = requests;
    t->n_requests = n;
    return &requests[number];
}

static struct kept_event *keep_event(const parcast_trace_event *e)
{
    size_t n_sent = e->n_send_counts, n_received = e->n_recv_counts;
    struct kept_event *kept = malloc(sizeof *kept + (n_sent + n_received) * sizeof *kept->numbers);
    if (!kept) return NULL;
    kept->event = *e;
    if (n_sent) memcpy(kept->numbers, e->send_counts, n_sent * sizeof *kept->numbers);
    if (n_received) memcpy(kept->numbers + n_sent, e->recv_counts, n_received * sizeof *kept->numbers);
    kept->event.send_counts = kept->numbers;
    kept->event.recv_counts = kept->numbers + n_sent;
    kept->event.requests = kept->event.completed = kept->event.sources = kept->event.destinations = NULL;
    kept->event.n_requests = kept->event.n_completed = 0;
    kept->event.n_sources = kept->event.n_destinations = 0;
    return kept;
}

parcast_status translate_begin_request(struct translation *t, const parcast_trace_event *e, bool nothing,
                                       parcast_error *error)
{
    parcast_status status;
    struct translated_request *request = request_at(t, e, e->request, &status, error);
    if (!request) return status;
    bool started = request->state == TRANSLATED_IDLE && e->start == PARCAST_TRACE_NONBLOCKING;
    if (request->state != TRANSLATED_UNUSED && !started)
        return translate_fail(t, e, PARCAST_DATA, error, "its request %d is open already", e->request);
    request->nothing = nothing;
    if (e->start != PARCAST_TRACE_PERSISTENT) {
        request->state = TRANSLATED_RUNNING;
        request->polled =
            !nothing && (parcast_trace_op_is_collective(e->op) || e->op == PARCAST_TRACE_COMM_CREATE);
        t->n_polled += request->polled;
        return PARCAST_OK;
    }
    request->state = TRANSLATED_IDLE;
    request->persistent = keep_event(e);
    return request->persistent ? PARCAST_OK : translate_no_memory(t, error);
}

uint32_t translate_spare_request(const struct translation *t)
{
    uint32_t number = 0;
    while (number < t->n_requests && t->requests[number].state != TRANSLATED_UNUSED) number++;
    return number;
}

/* What the request was made for begins now; a receive from any is known from its start only. */
parcast_status translate_start(struct translation *t, const parcast_trace_event *e, parcast_error *error)
{
    parcast_status status;
    struct translated_request *request = request_at(t, e, e->request, &status, error);
    if (!request) return status;
    if (!request->persistent || request->state != TRANSLATED_IDLE)
        return translate_fail(t, e, PARCAST_DATA, error, "request %d is not persistent, or has been started",
                              e->request);
    parcast_trace_event begun = request->persistent->event;
    begun.start = PARCAST_TRACE_NONBLOCKING;
    begun.matched_peer = e->matched_peer;
    begun.matched_tag = e->matched_tag;
    return parcast_trace_op_is_collective(begun.op) ? translate_collective(t, &begun, error)
                                                    : translate_message(t, &begun, error);
}

static void stop(struct translation *t, struct translated_request *request)
{
    if (request->state == TRANSLATED_RUNNING) t->n_polled -= request->polled;
    request->polled = false;
    request->state = request->persistent ? TRANSLATED_IDLE : TRANSLATED_UNUSED;
}

/* Over as far as the program is concerned; `awaited` gets it if there is something to wait for. */
static parcast_status end_request(struct translation *t, const parcast_trace_event *e, int64_t number,
                                  uint32_t *n_awaited, parcast_error *error)
{
    parcast_status status;
    struct translated_request *request = request_at(t, e, number, &status, error);
    if (!request) return status;
    if (request->state == TRANSLATED_UNUSED)
        return translate_fail(t, e, PARCAST_DATA, error, "request %lld is not open", (long long)number);
    if (request->state == TRANSLATED_RUNNING && !request->nothing)
        t->awaited[(*n_awaited)++] = (uint32_t)number;
    stop(t, request);
    return PARCAST_OK;
}

static parcast_status make_room(struct translation *t, size_t n, parcast_error *error)
{
    if (n <= t->awaited_room) return PARCAST_OK;
    uint32_t *awaited = realloc(t->awaited, n * sizeof *awaited);
    if (!awaited) return translate_no_memory(t, error);
    t->awaited = awaited;
    t->awaited_room = (uint32_t)n;
    return PARCAST_OK;
}

/* How many requests a wait or test ended, all of them or those that it lists. */
static size_t n_ended(const parcast_trace_event *e, bool *listed)
{
    *listed = false;
    switch (e->op) {
    case PARCAST_TRACE_WAIT:
    case PARCAST_TRACE_WAITALL:
        return e->n_requests;
    case PARCAST_TRACE_TEST:
    case PARCAST_TRACE_TESTALL:
        return e->flag ? e->n_requests : 0;
    default:
        *listed = true;
        return e->n_completed;
    }
}

static parcast_status put_wait(struct translation *t, const parcast_trace_event *e, parcast_error *error)
{
    bool listed;
    size_t n = n_ended(e, &listed);
    uint32_t n_awaited = 0;
    parcast_status status = make_room(t, n, error);
    for (size_t i = 0; i < n && !status; i++) {
        if (listed && (e->completed[i] < 0 || (uint64_t)e->completed[i] >= e->n_requests))
            return translate_fail(t, e, PARCAST_DATA, error, "it ends a request that it does not wait for");
        status = end_request(t, e, e->requests[listed ? (size_t)e->completed[i] : i], &n_awaited, error);
    }
    /* a collective may go on in this call; of a time-independent trace every action is an operation */
    bool polls = n_awaited == 0 && (t->n_polled > 0 || t->flop);
    if (status || (n_awaited == 0 && !polls)) return status;
    parcast_operation *o = translate_put(t, polls ? PARCAST_OPERATION_TEST : PARCAST_OPERATION_WAIT);
    if (!o) return translate_no_memory(t, error);
    o->requests = t->awaited;
    o->n_requests = n_awaited;
    return PARCAST_OK;
}

static parcast_status put_on_request(struct translation *t, parcast_operation_kind kind, int32_t number,
                                     parcast_error *error)
{
    parcast_operation *o = translate_put(t, kind);
    if (!o) return translate_no_memory(t, error);
    o->request = (uint32_t)number;
    return PARCAST_OK;
}

/* What nobody has waited for when the rank ended: a receive may have no message at all. */
parcast_status translate_end(struct translation *t, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (uint32_t i = 0; i < t->n_requests && !status; i++) {
        struct translated_request *request = &t->requests[i];
        if (request->state == TRANSLATED_RUNNING && !request->nothing)
            status = put_on_request(t, PARCAST_OPERATION_CANCEL, (int32_t)i, error);
        request->state = TRANSLATED_UNUSED;
    }
    return status;
}

static parcast_status free_request(struct translation *t, const parcast_trace_event *e, parcast_error *error)
{
    parcast_status status;
    struct translated_request *request = request_at(t, e, e->request, &status, error);
    if (!request) return status;
    if (request->state == TRANSLATED_RUNNING && !request->nothing)
        status = put_on_request(t, PARCAST_OPERATION_FREE, e->request, error);
    if (status) return status;
    free(request->persistent);
    request->persistent = NULL;
    stop(t, request);
    return PARCAST_OK;
}

static parcast_status cancel_request(struct translation *t, const parcast_trace_event *e,
                                     parcast_error *error)
{
    parcast_status status;
    const struct translated_request *request = request_at(t, e, e->request, &status, error);
    if (!request || request->state != TRANSLATED_RUNNING || request->nothing) return status;
    return put_on_request(t, PARCAST_OPERATION_CANCEL, e->request, error);
}

parcast_status translate_completion(struct translation *t, const parcast_trace_event *e, parcast_error *error)
{
    if (e->op == PARCAST_TRACE_REQUEST_FREE) return free_request(t, e, error);
    if (e->op == PARCAST_TRACE_CANCEL) return cancel_request(t, e, error);
    return put_wait(t, e, error);
}
