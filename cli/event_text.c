#include "event_text.h"

#include <stdbool.h>
#include <stdlib.h>

#include "cli.h"

bool cli_mark_ranks(const char *text, bool *marks, uint64_t n)
{
    for (;;) {
        char *end;
        if (*text < '0' || *text > '9') return false;
        uint64_t first = strtoull(text, &end, 10), last = first;
        if (*end == '-') {
            if (end[1] < '0' || end[1] > '9') return false;
            last = strtoull(end + 1, &end, 10);
        }
        if (last < first || last >= n) return false;
        for (; first <= last; first++) marks[first] = true;
        if (*end == '\0') return true;
        if (*end != ',') return false;
        text = end + 1;
    }
}

static void print_rank(FILE *out, const char *what, int32_t rank)
{
    if (rank == PARCAST_TRACE_ANY)
        fprintf(out, " %s any", what);
    else if (rank == PARCAST_TRACE_PROC_NULL)
        fprintf(out, " %s nobody", what);
    else if (rank == PARCAST_TRACE_ROOT)
        fprintf(out, " %s this", what);
    else
        fprintf(out, " %s %d", what, rank);
}

static void print_tag(FILE *out, int32_t tag)
{
    if (tag == PARCAST_TRACE_ANY)
        fputs(" tag any", out);
    else
        fprintf(out, " tag %d", tag);
}

static void print_bytes(FILE *out, int64_t bytes)
{
    fprintf(out, " %lld bytes", (long long)bytes);
}

static void print_numbers(FILE *out, const char *what, const int64_t *numbers, size_t n)
{
    if (n == 0) return;
    fprintf(out, " %s", what);
    for (size_t i = 0; i < n; i++) fprintf(out, "%s%lld", i ? "," : " ", (long long)numbers[i]);
}

static void print_match(FILE *out, const parcast_trace_event *e, int32_t source, int32_t tag)
{
    if (source != PARCAST_TRACE_ANY && tag != PARCAST_TRACE_ANY) return;
    if (e->matched_peer == PARCAST_TRACE_ANY) {
        fputs(" (matched nothing)", out);
        return;
    }
    fputs(" (matched", out);
    print_rank(out, "from", e->matched_peer);
    print_tag(out, e->matched_tag);
    fputc(')', out);
}

static void print_point_to_point(FILE *out, const parcast_trace_event *e)
{
    bool sends = e->op == PARCAST_TRACE_SEND || e->op == PARCAST_TRACE_SENDRECV;
    bool found = e->op != PARCAST_TRACE_IPROBE || e->flag;
    print_rank(out, sends ? "to" : "from", e->peer);
    print_tag(out, e->tag);
    if (found) print_bytes(out, e->bytes);
    if (!found) fputs(" nothing", out);
    if (e->op == PARCAST_TRACE_SENDRECV) {
        print_rank(out, "from", e->source);
        print_tag(out, e->source_tag);
        print_bytes(out, e->recv_bytes);
        print_match(out, e, e->source, e->source_tag);
    } else if (!sends && found) {
        print_match(out, e, e->peer, e->tag);
    }
}

static void print_collective(FILE *out, const parcast_trace_event *e)
{
    bool rooted = (e->op >= PARCAST_TRACE_GATHER && e->op <= PARCAST_TRACE_SCATTERV) ||
                  e->op == PARCAST_TRACE_BCAST || e->op == PARCAST_TRACE_REDUCE;
    if (rooted) print_rank(out, "root", e->root);
    if (e->bytes) print_bytes(out, e->bytes);
    if (e->count) fprintf(out, " %lld elements", (long long)e->count);
    print_numbers(out, "sends", e->send_counts, e->n_send_counts);
    print_numbers(out, "receives", e->recv_counts, e->n_recv_counts);
    if (e->flop > 0) fprintf(out, " then %.17g flop", e->flop);
}

static bool is_completion(parcast_trace_op op)
{
    return op >= PARCAST_TRACE_WAIT && op <= PARCAST_TRACE_TESTSOME;
}

static void print_completion(FILE *out, const parcast_trace_event *e)
{
    print_numbers(out, "requests", e->requests, e->n_requests);
    if (e->n_completed > 0) {
        fputs(" completed", out);
        for (size_t i = 0; i < e->n_completed; i++) {
            int64_t position = e->completed[i];
            bool known = position >= 0 && (uint64_t)position < e->n_requests;
            fprintf(out, "%s%lld", i ? "," : " ", known ? (long long)e->requests[position] : -1LL);
        }
    }
    if (e->op >= PARCAST_TRACE_TEST) fputs(e->flag ? " yes" : " no", out);
}

static void print_communicator(FILE *out, const parcast_trace_event *e)
{
    if (e->op == PARCAST_TRACE_COMM_FREE) return;
    if (e->new_comm == PARCAST_TRACE_NONE)
        fputs(" makes none", out);
    else
        fprintf(out, " makes comm %d", e->new_comm);
    print_numbers(out, "from", e->sources, e->n_sources);
    print_numbers(out, "to", e->destinations, e->n_destinations);
}

static void print_members(FILE *out, const parcast_trace_event *e)
{
    if (e->op >= PARCAST_TRACE_SEND && e->op <= PARCAST_TRACE_IPROBE && e->op != PARCAST_TRACE_START)
        print_point_to_point(out, e);
    else if (parcast_trace_op_is_collective(e->op))
        print_collective(out, e);
    else if (is_completion(e->op))
        print_completion(out, e);
    else if (e->op == PARCAST_TRACE_COMM_CREATE || e->op == PARCAST_TRACE_COMM_FREE)
        print_communicator(out, e);
    else if (e->op >= PARCAST_TRACE_PCONTROL && e->op <= PARCAST_TRACE_ITERATION)
        fprintf(out, " %d", e->value);
    else if (e->op == PARCAST_TRACE_IO)
        print_bytes(out, e->bytes);
    else if (e->op == PARCAST_TRACE_RMA) {
        print_rank(out, "rank", e->peer);
        print_bytes(out, e->bytes);
    }
}

static const char *const starts[] = {"", "i", "init-"}, *const modes[] = {"", "s", "b", "r"};

/* Where the operation alone does not say which call it was. */
static bool names_function(parcast_trace_op op)
{
    return op == PARCAST_TRACE_OTHER || op == PARCAST_TRACE_IO || op == PARCAST_TRACE_RMA ||
           op == PARCAST_TRACE_COMM_CREATE;
}

void cli_event_print(FILE *out, const parcast_trace *trace, const parcast_trace_event *e)
{
    const char *function = names_function(e->op) ? parcast_trace_function(trace, e->function) : NULL;
    bool names_comm = e->comm != PARCAST_TRACE_WORLD || e->op == PARCAST_TRACE_COMM_FREE;
    fprintf(out, "%s%s%s", starts[e->start], modes[e->mode], parcast_trace_op_name(e->op));
    if (function) fprintf(out, " %s", function);
    print_members(out, e);
    if (e->op == PARCAST_TRACE_START && e->matched_peer != 0) print_match(out, e, PARCAST_TRACE_ANY, 0);
    if (names_comm) fprintf(out, " comm %d", e->comm);
    if (e->request != PARCAST_TRACE_NONE) fprintf(out, " request %d", e->request);
    if (e->thread) fprintf(out, " thread %d", e->thread);
}

/* -------- JSON -------- */

static void add_numbers(json_t *object, const char *name, const int64_t *numbers, size_t n)
{
    if (n == 0) return;
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) json_array_append_new(array, json_integer((json_int_t)numbers[i]));
    json_object_set_new(object, name, array);
}

static void add_integer(json_t *object, const char *name, int64_t value, int64_t otherwise)
{
    if (value != otherwise) json_object_set_new(object, name, json_integer((json_int_t)value));
}

static void add_members(json_t *object, const parcast_trace_event *e)
{
    add_integer(object, "thread", e->thread, 0);
    add_integer(object, "site", e->site, PARCAST_TRACE_NONE);
    add_integer(object, "comm", e->comm, 0);
    add_integer(object, "peer", e->peer, 0);
    add_integer(object, "tag", e->tag, 0);
    add_integer(object, "bytes", e->bytes, 0);
    add_integer(object, "source", e->source, 0);
    add_integer(object, "source_tag", e->source_tag, 0);
    add_integer(object, "recv_bytes", e->recv_bytes, 0);
    add_integer(object, "matched_peer", e->matched_peer, 0);
    add_integer(object, "matched_tag", e->matched_tag, 0);
    add_integer(object, "root", e->root, 0);
    add_integer(object, "request", e->request, PARCAST_TRACE_NONE);
    add_integer(object, "new_comm", e->new_comm, PARCAST_TRACE_NONE);
    add_integer(object, "value", e->value, 0);
    add_integer(object, "count", e->count, 0);
    if (e->flop > 0) json_object_set_new(object, "flop", json_real(e->flop));
    add_numbers(object, "requests", e->requests, e->n_requests);
    add_numbers(object, "completed", e->completed, e->n_completed);
    add_numbers(object, "send_counts", e->send_counts, e->n_send_counts);
    add_numbers(object, "recv_counts", e->recv_counts, e->n_recv_counts);
    add_numbers(object, "sources", e->sources, e->n_sources);
    add_numbers(object, "destinations", e->destinations, e->n_destinations);
}

json_t *cli_event_json(const parcast_trace *trace, const parcast_trace_event *e)
{
    static const char *const start_names[] = {"blocking", "nonblocking", "persistent"};
    static const char *const mode_names[] = {"standard", "synchronous", "buffered", "ready"};
    const char *function = parcast_trace_function(trace, e->function);
    bool flop = parcast_trace_about(trace)->unit == PARCAST_TRACE_FLOP;
    json_t *object = json_pack("{s:s}", "op", parcast_trace_op_name(e->op));
    if (function) json_object_set_new(object, "function", cli_json_text(function));
    if (e->start) json_object_set_new(object, "start", json_string(start_names[e->start]));
    if (e->mode) json_object_set_new(object, "mode", json_string(mode_names[e->mode]));
    if (e->flag) json_object_set_new(object, "flag", json_true());
    add_members(object, e);
    json_object_set_new(object, flop ? "compute_flop" : "compute_s", json_real(e->compute));
    if (!flop) json_object_set_new(object, "start_s", json_real(e->start_s));
    json_object_set_new(object, "call_s", json_real(e->call_s));
    return object;
}
