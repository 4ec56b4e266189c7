/* A trace as time-independent text. Sizes are bytes: init without an argument, no types. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/output.h"
#include "trace/ti.h"

/* A request as the text names it: by source, destination and tag. A sendrecv that was only started is two. */
struct open_request {
    int32_t op; /* 0: not known; PARCAST_TRACE_SEND, _RECV or _SENDRECV */
    bool persistent, active;
    int32_t peer, tag, source, source_tag;
    int64_t bytes, recv_bytes;
};

struct writing {
    parcast_trace *trace;
    const char *path;
    FILE *out;
    double factor; /* flop per unit of computing */
    int32_t rank, n_ranks;
    uint64_t number;               /* of the event */
    struct open_request *requests; /* [capacity] by number */
    size_t capacity, n_active;
    uint64_t n_modes, n_probes, n_tests, n_comms, n_others, n_unmatched;
    parcast_error *error;
};

static parcast_status refuse(const struct writing *w, const parcast_trace_event *e, const char *why)
{
    parcast_error_set(w->error, PARCAST_UNSUPPORTED, w->path, 0,
                      "rank %d, event %llu, '%s': time-independent text %s", w->rank,
                      (unsigned long long)w->number, parcast_trace_op_name(e->op), why);
    return PARCAST_UNSUPPORTED;
}

static void action(const struct writing *w, const char *word)
{
    fprintf(w->out, "%d %s", w->rank, word);
}

static void end(const struct writing *w)
{
    putc('\n', w->out);
}

static void number(const struct writing *w, int64_t value)
{
    fprintf(w->out, " %lld", (long long)value);
}

/* -------- point to point -------- */

static int32_t world(const struct writing *w, const parcast_trace_event *e, int32_t peer)
{
    return parcast_trace_world_rank(w->trace, w->rank, e->comm, peer);
}

static void send_line(const struct writing *w, const char *word, int32_t to, int32_t tag, int64_t bytes)
{
    action(w, word);
    fprintf(w->out, " %d %d %lld", to, tag, (long long)bytes);
    end(w);
}

static struct open_request *request_at(struct writing *w, int64_t number)
{
    if (number < 0 || number > INT32_MAX - 1) return NULL;
    if ((size_t)number >= w->capacity) {
        size_t capacity = 2 * (size_t)number + 16;
        struct open_request *requests = realloc(w->requests, capacity * sizeof *requests);
        if (!requests) return NULL;
        memset(requests + w->capacity, 0, (capacity - w->capacity) * sizeof *requests);
        w->requests = requests;
        w->capacity = capacity;
    }
    return &w->requests[number];
}

/* From whom, as it was recorded where any was asked for. */
static void resolve(struct writing *w, const parcast_trace_event *e, int32_t given, int32_t given_tag,
                    int32_t *source, int32_t *tag)
{
    bool any = given == PARCAST_TRACE_ANY || given_tag == PARCAST_TRACE_ANY;
    bool known = any && e->matched_peer != PARCAST_TRACE_ANY;
    int32_t peer = known ? e->matched_peer : given;
    *source = peer >= 0 ? world(w, e, peer) : TI_ANY_SOURCE;
    *tag = known ? e->matched_tag : given_tag == PARCAST_TRACE_ANY ? TI_ANY_TAG : given_tag;
    w->n_unmatched += any && !known;
}

static void start_halves(struct writing *w, struct open_request *r)
{
    w->n_active += !r->active;
    r->active = true;
    if (r->op != PARCAST_TRACE_SEND && r->source != PARCAST_TRACE_PROC_NULL)
        send_line(w, "irecv", r->source, r->source_tag, r->recv_bytes);
    if (r->op != PARCAST_TRACE_RECV && r->peer != PARCAST_TRACE_PROC_NULL)
        send_line(w, "isend", r->peer, r->tag, r->bytes);
}

static void complete(struct writing *w, struct open_request *r)
{
    w->n_active -= r->active;
    r->active = false;
    if (!r->persistent) r->op = 0;
}

static void await(struct writing *w, struct open_request *r)
{
    if (r->op != PARCAST_TRACE_RECV && r->peer != PARCAST_TRACE_PROC_NULL)
        send_line(w, "wait", w->rank, r->peer, r->tag);
    if (r->op != PARCAST_TRACE_SEND && r->source != PARCAST_TRACE_PROC_NULL)
        send_line(w, "wait", r->source, w->rank, r->source_tag);
    complete(w, r);
}

static int32_t peer_or_none(const struct writing *w, const parcast_trace_event *e, int32_t peer)
{
    return peer < 0 ? PARCAST_TRACE_PROC_NULL : world(w, e, peer);
}

/* What an operation between two ranks is in the text. */
static parcast_status halves(struct writing *w, const parcast_trace_event *e, struct open_request *r)
{
    bool receives = e->op == PARCAST_TRACE_RECV;
    *r = (struct open_request){.op = (int32_t)e->op, .persistent = e->start == PARCAST_TRACE_PERSISTENT};
    int32_t from = receives ? e->peer : e->source, from_tag = receives ? e->tag : e->source_tag;
    r->recv_bytes = receives ? e->bytes : e->recv_bytes;
    r->source = PARCAST_TRACE_PROC_NULL;
    if (e->op != PARCAST_TRACE_SEND && from != PARCAST_TRACE_PROC_NULL)
        resolve(w, e, from, from_tag, &r->source, &r->source_tag);
    r->peer = receives ? PARCAST_TRACE_PROC_NULL : peer_or_none(w, e, e->peer);
    r->tag = e->tag;
    r->bytes = e->bytes;
    if (r->peer == -1 || r->source == -1) return refuse(w, e, "cannot name a rank of another world");
    w->n_modes += e->mode != PARCAST_TRACE_STANDARD;
    return PARCAST_OK;
}

static parcast_status point_to_point(struct writing *w, const parcast_trace_event *e)
{
    struct open_request own, *r = e->start == PARCAST_TRACE_BLOCKING ? &own : request_at(w, e->request);
    if (!r) return refuse(w, e, "needs to know the request of what was only started");
    parcast_status status = halves(w, e, r);
    if (status || e->start == PARCAST_TRACE_PERSISTENT) return status;
    if (e->start == PARCAST_TRACE_NONBLOCKING || e->op == PARCAST_TRACE_SENDRECV) {
        start_halves(w, r);
        if (e->start == PARCAST_TRACE_BLOCKING) await(w, r);
    } else if (e->op == PARCAST_TRACE_SEND && r->peer != PARCAST_TRACE_PROC_NULL) {
        send_line(w, "send", r->peer, r->tag, r->bytes);
    } else if (e->op == PARCAST_TRACE_RECV && r->source != PARCAST_TRACE_PROC_NULL) {
        send_line(w, "recv", r->source, r->source_tag, r->recv_bytes);
    }
    return PARCAST_OK;
}

static parcast_status start(struct writing *w, const parcast_trace_event *e)
{
    struct open_request *r = request_at(w, e->request);
    if (!r || r->op == 0) return refuse(w, e, "cannot begin a collective or a request that is not known");
    if (r->source == TI_ANY_SOURCE && e->matched_peer >= 0) {
        struct open_request matched = *r; /* who it was this time */
        matched.source = world(w, e, e->matched_peer);
        matched.source_tag = e->matched_tag;
        *r = matched;
    }
    start_halves(w, r);
    return PARCAST_OK;
}

/* -------- completion -------- */

static bool is_open(struct writing *w, int64_t number)
{
    const struct open_request *r = request_at(w, number);
    return r && r->op != 0 && r->active;
}

/* Is it a wait for everything that is open? */
static bool wait_for_all(struct writing *w, const parcast_trace_event *e)
{
    if (e->op != PARCAST_TRACE_WAITALL || e->n_requests != w->n_active) return false;
    for (size_t i = 0; i < e->n_requests; i++)
        if (!is_open(w, e->requests[i])) return false;
    for (size_t i = 0; i < e->n_requests; i++) complete(w, request_at(w, e->requests[i]));
    action(w, "waitall");
    end(w);
    return true;
}

static void completion(struct writing *w, const parcast_trace_event *e)
{
    if (wait_for_all(w, e)) return;
    bool all = e->op == PARCAST_TRACE_WAIT || e->op == PARCAST_TRACE_WAITALL;
    bool done_by_test = (e->op == PARCAST_TRACE_TEST || e->op == PARCAST_TRACE_TESTALL) && e->flag;
    if (all || done_by_test) {
        for (size_t i = 0; i < e->n_requests; i++)
            if (is_open(w, e->requests[i])) await(w, request_at(w, e->requests[i]));
        return;
    }
    for (size_t i = 0; i < e->n_completed; i++) {
        int64_t position = e->completed[i];
        if (position < 0 || (uint64_t)position >= e->n_requests) continue;
        if (is_open(w, e->requests[position])) await(w, request_at(w, e->requests[position]));
    }
    if (e->n_completed == 0) w->n_tests++;
}

/* -------- collectives -------- */

static void vector(const struct writing *w, const int64_t *numbers, size_t n)
{
    for (int32_t i = 0; i < w->n_ranks; i++) number(w, (size_t)i < n ? numbers[i] : 0);
}

static int64_t sum(const int64_t *numbers, size_t n)
{
    int64_t total = 0;
    for (size_t i = 0; i < n; i++) total += numbers[i];
    return total;
}

static void blocks(const struct writing *w, const char *word, const parcast_trace_event *e, bool twice,
                   bool rooted)
{
    action(w, word);
    number(w, e->bytes);
    if (twice) number(w, e->bytes);
    if (rooted) number(w, e->root);
    end(w);
}

static void reduction(const struct writing *w, const char *word, const parcast_trace_event *e)
{
    action(w, word);
    number(w, e->bytes);
    fprintf(w->out, " %.17g", e->flop);
    if (e->op == PARCAST_TRACE_REDUCE) number(w, e->root);
    end(w);
}

static void vectors(const struct writing *w, const parcast_trace_event *e)
{
    switch (e->op) {
    case PARCAST_TRACE_GATHERV:
        action(w, "gatherv");
        number(w, e->bytes);
        vector(w, e->recv_counts, e->n_recv_counts);
        number(w, e->root);
        break;
    case PARCAST_TRACE_SCATTERV:
        action(w, "scatterv");
        vector(w, e->send_counts, e->n_send_counts);
        number(w, e->bytes);
        number(w, e->root);
        break;
    case PARCAST_TRACE_ALLGATHERV:
        action(w, "allgatherv");
        number(w, e->bytes);
        vector(w, e->recv_counts, e->n_recv_counts);
        break;
    case PARCAST_TRACE_REDUCE_SCATTER:
        action(w, "reducescatter");
        vector(w, e->recv_counts, e->n_recv_counts);
        fprintf(w->out, " %.17g", e->flop);
        break;
    case PARCAST_TRACE_REDUCE_SCATTER_BLOCK:
        action(w, "reducescatter");
        for (int32_t i = 0; i < w->n_ranks; i++) number(w, e->bytes);
        fprintf(w->out, " %.17g", e->flop);
        break;
    default:
        action(w, "alltoallv");
        number(w, sum(e->send_counts, e->n_send_counts));
        vector(w, e->send_counts, e->n_send_counts);
        number(w, sum(e->recv_counts, e->n_recv_counts));
        vector(w, e->recv_counts, e->n_recv_counts);
    }
    end(w);
}

static parcast_status collective(struct writing *w, const parcast_trace_event *e)
{
    const parcast_trace_comm *comm = parcast_trace_get_comm(w->trace, e->comm);
    if (e->comm == PARCAST_TRACE_SELF || (comm && !comm->inter && comm->n_ranks == 1)) return PARCAST_OK;
    if (e->comm != PARCAST_TRACE_WORLD)
        return refuse(w, e, "knows collectives of all ranks only, not of a communicator");
    if (e->start != PARCAST_TRACE_BLOCKING) return refuse(w, e, "has no collectives that are only started");
    switch (e->op) {
    case PARCAST_TRACE_BARRIER:
        action(w, "barrier");
        end(w);
        return PARCAST_OK;
    case PARCAST_TRACE_BCAST:
        blocks(w, "bcast", e, false, true);
        return PARCAST_OK;
    case PARCAST_TRACE_GATHER:
        blocks(w, "gather", e, true, true);
        return PARCAST_OK;
    case PARCAST_TRACE_SCATTER:
        blocks(w, "scatter", e, true, true);
        return PARCAST_OK;
    case PARCAST_TRACE_ALLGATHER:
        blocks(w, "allgather", e, true, false);
        return PARCAST_OK;
    case PARCAST_TRACE_ALLTOALL:
        blocks(w, "alltoall", e, true, false);
        return PARCAST_OK;
    case PARCAST_TRACE_REDUCE:
        reduction(w, "reduce", e);
        return PARCAST_OK;
    case PARCAST_TRACE_ALLREDUCE:
        reduction(w, "allreduce", e);
        return PARCAST_OK;
    case PARCAST_TRACE_SCAN:
        reduction(w, "scan", e);
        return PARCAST_OK;
    case PARCAST_TRACE_EXSCAN:
        reduction(w, "exscan", e);
        return PARCAST_OK;
    default:
        break;
    }
    if (e->op >= PARCAST_TRACE_NEIGHBOR_ALLGATHER) return refuse(w, e, "has no collectives over neighbours");
    vectors(w, e);
    return PARCAST_OK;
}

/* -------- */

static void compute(const struct writing *w, double amount)
{
    action(w, "compute");
    fprintf(w->out, " %.17g", amount * w->factor);
    end(w);
}

static parcast_status write_event(struct writing *w, const parcast_trace_event *e)
{
    if (e->compute > 0 || e->op == PARCAST_TRACE_COMPUTE) compute(w, e->compute);
    if (parcast_trace_op_is_collective(e->op)) return collective(w, e);
    switch (e->op) {
    case PARCAST_TRACE_COMPUTE:
        return PARCAST_OK;
    case PARCAST_TRACE_INIT:
        action(w, "init");
        end(w);
        return PARCAST_OK;
    case PARCAST_TRACE_FINALIZE:
        action(w, "finalize");
        end(w);
        return PARCAST_OK;
    case PARCAST_TRACE_SLEEP:
        action(w, "sleep");
        fprintf(w->out, " %.17g", e->call_s);
        end(w);
        return PARCAST_OK;
    case PARCAST_TRACE_SEND:
    case PARCAST_TRACE_RECV:
    case PARCAST_TRACE_SENDRECV:
        return point_to_point(w, e);
    case PARCAST_TRACE_START:
        return start(w, e);
    case PARCAST_TRACE_REQUEST_FREE:
        if (request_at(w, e->request)) request_at(w, e->request)->op = 0;
        return PARCAST_OK;
    case PARCAST_TRACE_PROBE:
    case PARCAST_TRACE_IPROBE:
        w->n_probes++;
        return PARCAST_OK;
    case PARCAST_TRACE_COMM_CREATE:
        w->n_comms++;
        return PARCAST_OK;
    case PARCAST_TRACE_PCONTROL:
    case PARCAST_TRACE_REGION_BEGIN:
    case PARCAST_TRACE_REGION_END:
    case PARCAST_TRACE_ITERATION:
    case PARCAST_TRACE_COMM_FREE:
        return PARCAST_OK;
    default:
        if (e->op >= PARCAST_TRACE_WAIT && e->op <= PARCAST_TRACE_TESTSOME)
            completion(w, e);
        else
            w->n_others++;
        return PARCAST_OK;
    }
}

static parcast_status write_rank(struct writing *w, int32_t rank)
{
    parcast_trace_cursor *cursor = NULL;
    const parcast_trace_event *event = NULL;
    parcast_status status = parcast_trace_cursor_open(w->trace, rank, &cursor, w->error);
    w->rank = rank;
    w->n_active = 0;
    if (w->requests) memset(w->requests, 0, w->capacity * sizeof *w->requests);
    while (!status) {
        w->number = parcast_trace_position(cursor);
        status = parcast_trace_next(cursor, &event, w->error);
        if (status || !event) break;
        status = write_event(w, event);
        if (!status && ferror(w->out))
            status = parcast_error_set(w->error, PARCAST_IO, w->path, 0, "cannot write: %s", strerror(errno));
    }
    parcast_trace_cursor_close(&cursor);
    return status;
}

static char *describe_losses(const struct writing *w)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) return NULL;
    const struct {
        uint64_t n;
        const char *what;
    } losses[] = {
        {w->n_modes, "synchronous, buffered and ready sends, written as plain ones"},
        {w->n_probes, "probes, left out"},
        {w->n_tests, "tests that completed nothing, left out"},
        {w->n_comms, "communicators made, left out: the text has all ranks only"},
        {w->n_unmatched, "receives from any that matched nothing, written as from any"},
        {w->n_others, "calls for which the text has no action, left out"},
    };
    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++)
        if (losses[i].n) fprintf(stream, "%s: %llu\n", losses[i].what, (unsigned long long)losses[i].n);
    if (fclose(stream) == 0 && size > 0) {
        text[size - 1] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

parcast_status parcast_trace_to_ti(parcast_trace *trace, const char *out, double flop_per_s,
                                   parcast_trace_losses *losses, parcast_error *error)
{
    const parcast_trace_meta *about = parcast_trace_about(trace);
    bool flop = about->unit == PARCAST_TRACE_FLOP;
    if (!flop && (!(flop_per_s > 0) || !isfinite(flop_per_s)))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "a rate of %g flop/s cannot be",
                                 flop_per_s);
    struct writing w = {.trace = trace,
                        .path = out,
                        .factor = flop ? 1 : flop_per_s,
                        .n_ranks = about->n_ranks,
                        .error = error};
    w.out = fopen(out, "we");
    if (!w.out)
        return parcast_error_set(error, PARCAST_IO, out, 0, "cannot make the trace: %s", strerror(errno));
    parcast_status status = PARCAST_OK;
    for (int32_t rank = 0; rank < about->n_ranks && !status; rank++) status = write_rank(&w, rank);
    if (fclose(w.out) != 0 && !status)
        status = parcast_error_set(error, PARCAST_IO, out, 0, "cannot write the trace: %s", strerror(errno));
    if (status) output_remove(out);
    if (!status && losses) *losses = describe_losses(&w);
    free(w.requests);
    return status;
}
