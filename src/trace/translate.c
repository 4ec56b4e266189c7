#include "trace/translate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

parcast_status translate_fail(const struct translation *t, const parcast_trace_event *event,
                              parcast_status status, parcast_error *error, const char *format, ...)
{
    char what[256];
    const char *function = parcast_trace_function(t->trace, event->function);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return parcast_error_set(error, status, t->name, 0, "rank %d, event %d, %s: %s", t->rank, t->event,
                             function ? function : parcast_trace_op_name(event->op), what);
}

parcast_status translate_no_memory(const struct translation *t, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, t->name, 0, "out of memory for the events of rank %d",
                             t->rank);
}

parcast_operation *translate_put(struct translation *t, parcast_operation_kind kind)
{
    if (t->n_queued == t->capacity) {
        uint32_t capacity = t->capacity ? 2 * t->capacity : 4;
        parcast_operation *queue = realloc(t->queue, capacity * sizeof *queue);
        if (!queue) return NULL;
        t->queue = queue;
        t->capacity = capacity;
    }
    parcast_operation *o = &t->queue[t->n_queued++];
    *o = (parcast_operation){.kind = kind, .line = t->event};
    return o;
}

static int32_t place_in(const int32_t *ranks, int32_t n, int32_t rank)
{
    for (int32_t i = 0; i < n; i++)
        if (ranks[i] == rank) return i;
    return -1;
}

/* Both groups of an intercommunicator are kept under one number. */
struct translated_comm translate_comm(struct translation *t, int32_t number)
{
    const parcast_trace_comm *comm = parcast_trace_get_comm(t->trace, number);
    if (number == PARCAST_TRACE_SELF) return (struct translated_comm){&t->rank, &t->rank, 1, 1, 0};
    if (number == PARCAST_TRACE_WORLD)
        return (struct translated_comm){comm->ranks, comm->ranks, comm->n_ranks, comm->n_ranks, t->rank};
    if (t->cached_comm != number) {
        t->cached_comm = number;
        t->cached_self = place_in(comm->ranks, comm->n_ranks, t->rank);
        t->cached_remote = t->cached_self < 0 && comm->inter;
        if (t->cached_remote) t->cached_self = place_in(comm->remote_ranks, comm->n_remote, t->rank);
    }
    struct translated_comm seen = {comm->ranks, comm->remote_ranks, comm->n_ranks, comm->n_remote,
                                   t->cached_self};
    if (!comm->inter)
        seen =
            (struct translated_comm){comm->ranks, comm->ranks, comm->n_ranks, comm->n_ranks, t->cached_self};
    else if (t->cached_remote)
        seen = (struct translated_comm){comm->remote_ranks, comm->ranks, comm->n_remote, comm->n_ranks,
                                        t->cached_self};
    return seen;
}

parcast_status translate_on(struct translation *t, const parcast_trace_event *e, int32_t number,
                            parcast_operation_kind kind, parcast_operation **operation, parcast_error *error)
{
    if (parcast_trace_get_comm(t->trace, number)->other_world) {
        translate_fail(t, e, PARCAST_UNSUPPORTED, error,
                       "its partners are in a world that is not in this trace");
        parcast_error_hint(error, "ranks that a program spawns or connects to cannot be replayed");
        return PARCAST_UNSUPPORTED;
    }
    const struct translated_comm comm = translate_comm(t, number);
    if (comm.self < 0)
        return translate_fail(t, e, PARCAST_DATA, error, "the rank is not in its communicator %d", number);
    parcast_operation *o = translate_put(t, kind);
    if (!o) return translate_no_memory(t, error);
    *operation = o;
    o->communicator = (uint32_t)number;
    if (number == PARCAST_TRACE_WORLD) return PARCAST_OK;
    o->self = (uint32_t)comm.self;
    o->members = comm.peers;
    o->n_members = (uint32_t)comm.n_peers;
    return PARCAST_OK;
}

static parcast_status translate_mark(struct translation *t, const parcast_trace_event *e, parcast_mark mark,
                                     parcast_error *error)
{
    parcast_operation *o = translate_put(t, PARCAST_OPERATION_MARK);
    if (!o) return translate_no_memory(t, error);
    o->mark = mark;
    o->value = e->value;
    return PARCAST_OK;
}

/* A call that moves no data between ranks takes the time that it took. */
static parcast_status translate_other(struct translation *t, const parcast_trace_event *e,
                                      parcast_error *error)
{
    const char *function = parcast_trace_function(t->trace, e->function);
    if (e->op != PARCAST_TRACE_RMA && (!function || strncmp(function, "MPI_Win_", 8) != 0)) {
        t->idle_s += e->call_s;
        return PARCAST_OK;
    }
    translate_fail(t, e, PARCAST_UNSUPPORTED, error,
                   "one-sided communication cannot be replayed: the trace does not say when its data move");
    parcast_error_hint(error, "'parcast predict' takes programs that use it");
    return PARCAST_UNSUPPORTED;
}

parcast_status translate_event(struct translation *t, const parcast_trace_event *e, parcast_error *error)
{
    if (e->thread != 0)
        return translate_fail(t, e, PARCAST_UNSUPPORTED, error,
                              "called by thread %d: only calls of the main thread can be replayed",
                              e->thread);
    switch (e->op) {
    case PARCAST_TRACE_COMPUTE:
    case PARCAST_TRACE_INIT:
    case PARCAST_TRACE_FINALIZE:
    case PARCAST_TRACE_ABORT:
    case PARCAST_TRACE_COMM_FREE:
        return PARCAST_OK;
    case PARCAST_TRACE_SLEEP:
    case PARCAST_TRACE_IO:
        t->idle_s += e->call_s;
        return PARCAST_OK;
    case PARCAST_TRACE_PCONTROL:
        return translate_mark(t, e, PARCAST_MARK_LEVEL, error);
    case PARCAST_TRACE_REGION_BEGIN:
        return translate_mark(t, e, PARCAST_MARK_REGION_BEGIN, error);
    case PARCAST_TRACE_REGION_END:
        return translate_mark(t, e, PARCAST_MARK_REGION_END, error);
    case PARCAST_TRACE_ITERATION:
        return translate_mark(t, e, PARCAST_MARK_ITERATION, error);
    case PARCAST_TRACE_SEND:
    case PARCAST_TRACE_RECV:
    case PARCAST_TRACE_SENDRECV:
    case PARCAST_TRACE_PROBE:
    case PARCAST_TRACE_IPROBE:
        return translate_message(t, e, error);
    case PARCAST_TRACE_START:
        return translate_start(t, e, error);
    case PARCAST_TRACE_WAIT:
    case PARCAST_TRACE_WAITALL:
    case PARCAST_TRACE_WAITANY:
    case PARCAST_TRACE_WAITSOME:
    case PARCAST_TRACE_TEST:
    case PARCAST_TRACE_TESTALL:
    case PARCAST_TRACE_TESTANY:
    case PARCAST_TRACE_TESTSOME:
    case PARCAST_TRACE_REQUEST_FREE:
    case PARCAST_TRACE_CANCEL:
        return translate_completion(t, e, error);
    case PARCAST_TRACE_COMM_CREATE:
        return translate_collective(t, e, error);
    default:
        return parcast_trace_op_is_collective(e->op) ? translate_collective(t, e, error)
                                                     : translate_other(t, e, error);
    }
}

void translation_clear(struct translation *t)
{
    parcast_trace_cursor_close(&t->cursor);
    while (t->topologies) {
        struct translated_topology *next = t->topologies->next;
        free(t->topologies);
        t->topologies = next;
    }
    for (uint32_t i = 0; i < t->n_requests; i++) free(t->requests[i].persistent);
    free(t->requests);
    free(t->queue);
    free(t->awaited);
    t->requests = NULL;
    t->queue = NULL;
    t->awaited = NULL;
    t->n_requests = t->n_queued = t->next_queued = t->capacity = t->awaited_room = 0;
}
