/*
 * The semantics of MPI on top of a transport: each rank takes one operation after the other from its source
 * and goes on until it must wait.
 */
#include <stdio.h>
#include <string.h>

#include "replay/machine.h"
#include "replay/result.h"

#define NONE POOL_NONE

parcast_status machine_fail(struct machine *m, uint32_t rank, parcast_status status, const char *what)
{
    const parcast_operation *o = &m->ranks[rank].operation;
    const char *name = machine_name(o);
    const char *file = m->source->name;
    if (m->failed) return m->failed;
    m->failed = status;
    int line = machine_line(m, rank, o->line, &file);
    if (m->source->has_events && !line)
        return parcast_error_set(m->error, status, file, 0, "rank %u, event %d, %s: %s", rank, o->line, name,
                                 what);
    return parcast_error_set(m->error, status, file, line, "rank %u, %s: %s", rank, name, what);
}

static void make_ready(struct machine *m, uint32_t rank)
{
    if (m->ranks[rank].ready) return;
    m->ranks[rank].ready = true;
    uint32_t at = m->first_ready + m->n_ready++;
    m->ready[at < m->n_ranks ? at : at - m->n_ranks] = rank;
}

/* Told by the transport. */

static void on_proceed(void *state, uint32_t token)
{
    struct machine *m = state;
    uint32_t rank = machine_activity_at(m, token)->rank;
    m->ranks[rank].n_starts--;
    m->ranks[rank].cause_ps = NO_CAUSE;
    make_ready(m, rank);
}

static void on_done(void *state, uint32_t token, int64_t cause_ps)
{
    struct machine *m = state;
    struct machine_activity activity = *machine_activity_at(m, token);
    struct machine_rank *rank = &m->ranks[activity.rank];
    rank->cause_ps = cause_ps;
    machine_activity_at(m, token)->kind = ACTIVITY_NONE;
    pool_give(&m->activities, token);
    if (activity.collective != NONE)
        ((struct machine_collective *)pool_at(&m->collectives, activity.collective))
            ->inner.n_open[activity.channel]--;
    else if (activity.request == NONE)
        rank->inner.n_open[activity.channel]--;
    else
        machine_request_step(rank, activity.request, activity.n_freed);
    make_ready(m, activity.rank);
}

static void on_received(void *state, const struct transport_message *message)
{
    struct machine *m = state;
    struct transport_message told = *message;
    told.received_ps = m->transport->methods->now(m->transport, message->destination);
    machine_check(m, recorder_received(&m->recorder, &told));
}

static void on_truncated(void *state, uint32_t token, int64_t bytes, int64_t room)
{
    struct machine *m = state;
    char what[128];
    snprintf(what, sizeof what, "a message of %lld bytes comes to a receive of %lld", (long long)bytes,
             (long long)room);
    machine_fail(m, machine_activity_at(m, token)->rank, PARCAST_DATA, what);
}

static void on_arrived(void *state, uint32_t rank)
{
    struct machine *m = state;
    if (!m->ranks[rank].probes) return;
    m->ranks[rank].cause_ps = NO_CAUSE;
    make_ready(m, rank);
}

static void tell_progress(const struct machine *m)
{
    parcast_replay_result figures = {0};
    m->transport->methods->count(m->transport, &figures);
    recorder_progress(&m->recorder, m->transport->methods->now(m->transport, 0), figures.n_events);
}

static void on_settle(void *state)
{
    struct machine *m = state;
    if (recorder_tick(&m->recorder)) tell_progress(m);
    while (m->n_ready > 0 && !m->failed) {
        uint32_t rank = m->ready[m->first_ready];
        if (++m->first_ready == m->n_ranks) m->first_ready = 0;
        m->n_ready--;
        m->ranks[rank].ready = false;
        machine_advance(m, rank);
    }
}

static struct rank_figures figures_of(const struct machine *m, uint32_t number)
{
    const struct machine_rank *rank = &m->ranks[number];
    const struct transport_methods *methods = m->transport->methods;
    int64_t waiting = methods->waiting ? methods->waiting(m->transport, number) : rank->waiting_ps;
    return (struct rank_figures){methods->now(m->transport, number), rank->compute_ps, waiting};
}

static void next_operation(struct machine *m, uint32_t number)
{
    struct machine_rank *rank = &m->ranks[number];
    parcast_status status = m->source->next(m->source->state, (int)number, &rank->operation, m->error);
    if (status) {
        m->failed = status;
        return;
    }
    const struct rank_figures figures = figures_of(m, number);
    rank->begun = true;
    rank->begin_ps = figures.now_ps;
    machine_check(m, recorder_begin(&m->recorder, number, &rank->operation, &figures));
    machine_begin_operation(m, number);
}

void machine_end_rank(struct machine *m, uint32_t number, int64_t date_ps)
{
    struct machine_rank *rank = &m->ranks[number];
    struct rank_figures figures = figures_of(m, number);
    figures.now_ps = date_ps;
    rank->ended = true;
    rank->end_ps = figures.now_ps;
    rank->waiting_ps = figures.waiting_ps;
    const int64_t *chain =
        recorder_layout(&m->recorder) ? m->transport->methods->chain(m->transport, number) : NULL;
    machine_check(m, recorder_end(&m->recorder, number, &figures, chain));
}

static void end_operation(struct machine *m, uint32_t number)
{
    struct machine_rank *rank = &m->ranks[number];
    rank->begun = rank->in_collective = false;
    if (rank->operation.kind == PARCAST_OPERATION_END)
        machine_end_rank(m, number, m->transport->methods->now(m->transport, number));
    else
        machine_check(m, recorder_operation(&m->recorder, number, &rank->operation, rank->begin_ps,
                                            m->transport->methods->now(m->transport, number)));
}

static bool must_wait(const struct machine_rank *rank)
{
    bool ends = rank->begun && rank->operation.kind == PARCAST_OPERATION_END;
    return rank->probes || rank->n_starts > 0 || rank->n_awaited > 0 || machine_inner_blocks(&rank->inner) ||
           (ends && rank->n_left > 0);
}

/* The part of an operation after what it has waited for; false when it is over. */
static bool continue_operation(struct machine *m, uint32_t number)
{
    struct machine_rank *rank = &m->ranks[number];
    if (rank->computes) {
        rank->compute_ps += m->transport->methods->now(m->transport, number) - rank->compute_begin_ps;
        rank->computes = false;
        return false;
    }
    if (!rank->in_collective) return false;
    if (machine_next_action(m, number)) return true;
    if (rank->operation.flop <= 0) return false;
    machine_begin_flop(m, number, rank->operation.flop);
    return true;
}

/* The rank goes on: it has waited until that began which it waited for. */
static void end_waiting(const struct machine *m, uint32_t number)
{
    struct machine_rank *rank = &m->ranks[number];
    int64_t now = m->transport->methods->now(m->transport, number);
    int64_t until = rank->cause_ps < now ? rank->cause_ps : now;
    if (until > rank->blocked_ps) rank->waiting_ps += until - rank->blocked_ps;
    rank->blocked = false;
}

static void go_on(struct machine *m, uint32_t number)
{
    machine_look(m, number);
    machine_progress(m, number);
}

void machine_advance(struct machine *m, uint32_t number)
{
    struct machine_rank *rank = &m->ranks[number];
    go_on(m, number);
    if (must_wait(rank)) return;
    if (rank->blocked) end_waiting(m, number);
    while (!m->failed && !rank->ended && !must_wait(rank)) {
        if (!rank->begun) {
            next_operation(m, number);
            go_on(m, number);
        } else if (!continue_operation(m, number)) {
            end_operation(m, number);
        }
    }
    rank->blocked = true;
    rank->blocked_ps = m->transport->methods->now(m->transport, number);
}

struct transport_client machine_client(struct machine *m)
{
    return (struct transport_client){.state = m,
                                     .proceed = on_proceed,
                                     .done = on_done,
                                     .settle = on_settle,
                                     .truncated = on_truncated,
                                     .arrived = on_arrived,
                                     .received = m->options->timeline ? on_received : NULL};
}

void machine_begin(struct machine *m)
{
    for (uint32_t r = 0; r < m->n_ranks; r++) make_ready(m, r);
    on_settle(m);
}
