/* The ranks of a trace as streams of operations: computing, then what the event says. */
#include "parcast/trace_operations.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "trace/reader.h"
#include "trace/translate.h"

struct parcast_trace_operations {
    parcast_trace *trace;
    char *name;
    int32_t n_ranks;
    bool is_cut;
    double *node_speed; /* [n_nodes] */
    size_t n_nodes;
    struct translation *ranks; /* [n_ranks] */
    uint64_t n_events;
};

static parcast_status out_of_memory(const parcast_trace *trace, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a trace of %d ranks",
                             parcast_trace_about(trace)->n_ranks);
}

/* The next event into the queue. at_end: there is none. */
static parcast_status read_event(parcast_trace_operations *all, struct translation *t, bool *at_end,
                                 parcast_error *error)
{
    const parcast_trace_event *event = NULL;
    parcast_status status = PARCAST_OK;
    if (!t->cursor) status = parcast_trace_cursor_open(t->trace, t->rank, &t->cursor, error);
    if (!status) status = parcast_trace_next(t->cursor, &event, error);
    *at_end = !event;
    if (status) return status;
    if (!event) return translate_end(t, error);
    uint64_t number = parcast_trace_position(t->cursor) - 1;
    all->n_events++;
    t->event = number < INT_MAX ? (int)number : INT_MAX;
    t->compute += event->compute;
    t->computes = event->op == PARCAST_TRACE_COMPUTE;
    t->sleeps = event->op == PARCAST_TRACE_SLEEP;
    return translate_event(t, event, error);
}

static bool has_idled(const struct translation *t)
{
    return t->idle_s > 0 || t->sleeps;
}

/* Computing, and calls that only took time, before the operation that comes next. */
static bool take_time(struct translation *t, parcast_operation *o)
{
    *o = (parcast_operation){.kind = PARCAST_OPERATION_COMPUTE, .line = t->event};
    if (t->compute > 0 || t->computes) {
        *(t->flop ? &o->flop : &o->seconds) = t->flop ? t->compute : t->compute * t->speed;
        t->compute = 0;
        t->computes = false;
        return true;
    }
    if (!has_idled(t)) return false;
    o->kind = PARCAST_OPERATION_SLEEP;
    o->seconds = t->idle_s;
    t->idle_s = 0;
    t->sleeps = false;
    return true;
}

static parcast_status next(void *state, int rank, parcast_operation *o, parcast_error *error)
{
    parcast_trace_operations *all = state;
    struct translation *t = &all->ranks[rank];
    bool at_end = false;
    /* Computing of several events that are nothing in a replay goes together, but never past a sleep. */
    while (t->next_queued == t->n_queued && !at_end && !t->computes && !has_idled(t)) {
        t->next_queued = t->n_queued = 0;
        parcast_status status = read_event(all, t, &at_end, error);
        if (status) return status;
    }
    if (take_time(t, o)) return PARCAST_OK;
    if (t->next_queued < t->n_queued)
        *o = t->queue[t->next_queued++];
    else
        *o = (parcast_operation){.kind = PARCAST_OPERATION_END, .line = t->event};
    return PARCAST_OK;
}

/* Of a rank that was lost others would wait for messages that it has sent. */
static parcast_status check_ends(const parcast_trace *trace, const char *name, bool *is_cut,
                                 parcast_error *error)
{
    static const char *const causes[] = {[PARCAST_TRACE_ABORTED] = "called MPI_Abort",
                                         [PARCAST_TRACE_LOST] = "was killed or crashed",
                                         [PARCAST_TRACE_FULL] = "had no room on the disk",
                                         [PARCAST_TRACE_ABSENT] = "left no events"};
    const parcast_trace_meta *about = parcast_trace_about(trace);
    *is_cut = trace->cut;
    for (int32_t rank = 0; rank < about->n_ranks; rank++) {
        parcast_trace_end end = about->ranks[rank].end;
        if (end == PARCAST_TRACE_FINALIZED || end == PARCAST_TRACE_EXITED) continue;
        *is_cut = true;
        if (trace->mode == PARCAST_TRACE_UP_TO_CUT) continue;
        parcast_error_set(error, PARCAST_DATA, name, 0,
                          "rank %d %s when it was recorded: the trace lacks its end", rank, causes[end]);
        parcast_error_hint(error, "--cut replays it as far as its events go");
        return PARCAST_DATA;
    }
    return PARCAST_OK;
}

/* Every rank at its first event. */
static void rewind_ranks(void *state)
{
    parcast_trace_operations *all = state;
    const parcast_trace_meta *about = parcast_trace_about(all->trace);
    all->n_events = 0;
    for (int32_t rank = 0; rank < all->n_ranks; rank++) {
        size_t node = (size_t)about->ranks[rank].node;
        translation_clear(&all->ranks[rank]);
        all->ranks[rank] = (struct translation){.trace = all->trace,
                                                .name = all->name,
                                                .rank = rank,
                                                .speed = node < all->n_nodes ? all->node_speed[node] : 1,
                                                .flop = about->unit == PARCAST_TRACE_FLOP,
                                                .cached_comm = PARCAST_TRACE_NONE};
    }
}

parcast_status trace_operations_named(parcast_trace *trace, const char *name, const double *node_speed,
                                      size_t n_nodes, parcast_trace_operations **operations,
                                      parcast_error *error)
{
    bool is_cut;
    parcast_status status = check_ends(trace, name, &is_cut, error);
    if (status) return status;
    parcast_trace_operations *all = calloc(1, sizeof *all);
    if (!all) return out_of_memory(trace, error);
    all->trace = trace;
    all->is_cut = is_cut;
    all->n_ranks = parcast_trace_about(trace)->n_ranks;
    all->n_nodes = node_speed ? n_nodes : 0;
    all->name = strdup(name);
    all->node_speed = calloc(all->n_nodes + 1, sizeof *all->node_speed);
    all->ranks = calloc((size_t)all->n_ranks, sizeof *all->ranks);
    if (!all->name || !all->ranks || !all->node_speed) {
        parcast_trace_operations_destroy(&all);
        return out_of_memory(trace, error);
    }
    if (all->n_nodes) memcpy(all->node_speed, node_speed, all->n_nodes * sizeof *node_speed);
    *operations = all;
    return PARCAST_OK;
}

parcast_status parcast_trace_operations_create(parcast_trace *trace, const double *node_speed, size_t n_nodes,
                                               parcast_trace_operations **operations, parcast_error *error)
{
    return trace_operations_named(trace, parcast_trace_path(trace), node_speed, n_nodes, operations, error);
}

parcast_operation_source parcast_trace_operations_source(parcast_trace_operations *all)
{
    rewind_ranks(all);
    return (parcast_operation_source){.state = all,
                                      .n_ranks = all->n_ranks,
                                      .name = all->name,
                                      .mpi = parcast_trace_about(all->trace)->mpi,
                                      .next = next,
                                      .rewind = rewind_ranks,
                                      .has_events = true,
                                      .is_cut = all->is_cut};
}

uint64_t parcast_trace_operations_events(const parcast_trace_operations *all)
{
    return all->n_events;
}

void parcast_trace_operations_destroy(parcast_trace_operations **operations)
{
    parcast_trace_operations *all = *operations;
    if (!all) return;
    for (int32_t rank = 0; all->ranks && rank < all->n_ranks; rank++) translation_clear(&all->ranks[rank]);
    free(all->ranks);
    free(all->node_speed);
    free(all->name);
    free(all);
    *operations = NULL;
}
