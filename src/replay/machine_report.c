/* What is said when a replay ends with ranks that wait, or messages that nobody has received. */
#include <stdio.h>
#include <stdlib.h>

#include "replay/machine.h"
#include "replay/stuck.h"

/* Why ranks are stuck: of what each of them waits for, one thing. */
struct waits {
    const struct machine *machine;
    uint32_t *token; /* [n_ranks] an activity; POOL_NONE: none */
};

static const struct machine_activity *activity_of(const struct waits *w, uint32_t rank)
{
    return w->token[rank] == POOL_NONE ? NULL : pool_at(&w->machine->activities, w->token[rank]);
}

/* Does its rank wait for it? */
static bool is_awaited(const struct machine *m, const struct machine_activity *a)
{
    const struct machine_rank *rank = &m->ranks[a->rank];
    uint32_t request = a->request, n_freed = a->n_freed;
    if (a->kind != ACTIVITY_SENDS && a->kind != ACTIVITY_RECEIVES) return false;
    if (a->collective != POOL_NONE) {
        const struct machine_collective *c = pool_at(&m->collectives, a->collective);
        request = c->request;
        n_freed = c->n_freed;
    }
    if (request == POOL_NONE) return true;
    return rank->requests[request].n_freed == n_freed && rank->requests[request].awaited;
}

static bool find_waits(struct waits *w)
{
    const struct machine *m = w->machine;
    w->token = malloc(m->n_ranks * sizeof *w->token);
    if (!w->token) return false;
    for (uint32_t r = 0; r < m->n_ranks; r++) w->token[r] = POOL_NONE;
    for (uint32_t i = m->activities.n_used; i > 0; i--) {
        const struct machine_activity *a = pool_at(&m->activities, i - 1);
        if (is_awaited(m, a)) w->token[a->rank] = i - 1;
    }
    return true;
}

/* The rank that it waits for; -1 when that is any, or not one. */
static int64_t waits_for(const void *state, uint32_t number)
{
    const struct waits *w = state;
    const struct machine_rank *rank = &w->machine->ranks[number];
    const struct machine_activity *a = activity_of(w, number);
    const parcast_operation *o = &rank->operation;
    if (rank->ended) return -1;
    if (a) return a->peer;
    return !rank->probes || o->peer < 0 ? -1 : o->members ? o->members[o->peer] : o->peer;
}

int machine_line(const struct machine *m, uint32_t rank, int line, const char **file)
{
    const parcast_operation_source *source = m->source;
    const char *own = NULL;
    if (!source->has_events) return line;
    int found = source->line_of ? source->line_of(source->text, (int)rank, line, &own) : 0;
    if (own) *file = own;
    return found;
}

static bool is_done(const void *state, uint32_t number)
{
    return ((const struct waits *)state)->machine->ranks[number].ended;
}

static void describe(const void *state, uint32_t number, char *text, size_t size)
{
    const struct waits *w = state;
    const struct machine *m = w->machine;
    const struct machine_activity *a = activity_of(w, number);
    const parcast_operation *o = &m->ranks[number].operation;
    bool collective = o->kind == PARCAST_OPERATION_COLLECTIVE, sends = a && a->kind == ACTIVITY_SENDS;
    char peer[48] = "", line[24] = "";
    const char *file = NULL;
    int64_t other = waits_for(state, number);
    int at = machine_line(m, number, o->line, &file);
    if (at)
        snprintf(line, sizeof line, " (line %d)", at);
    else if (m->source->has_events)
        snprintf(line, sizeof line, " (event %d)", o->line);
    if (other >= 0)
        snprintf(peer, sizeof peer, " for a %s rank %lld", sends ? "receive by" : "message from",
                 (long long)other);
    else if (a || m->ranks[number].probes)
        snprintf(peer, sizeof peer, " for a message from any rank");
    snprintf(text, size, "rank %u waits in %s%s%s", number,
             collective ? parcast_collective_name(o->collective) : parcast_operation_name(o->kind), line,
             peer);
}

/* What ranks wait for is behind the cut: their time ends where they began to wait. */
static void stop_ranks(struct machine *m)
{
    for (uint32_t r = 0; r < m->n_ranks; r++) {
        if (m->ranks[r].ended) continue;
        machine_end_rank(m, r, m->ranks[r].blocked_ps);
        m->n_stopped++;
    }
}

parcast_status machine_check_end(struct machine *m, parcast_error *error)
{
    struct match_key key;
    int64_t bytes;
    struct waits waits = {.machine = m};
    if (m->source->is_cut) {
        stop_ranks(m);
        return m->failed;
    }
    if (!find_waits(&waits))
        return parcast_error_set(error, PARCAST_MEMORY, m->source->name, 0, "out of memory for a report");
    const struct stuck stuck = {
        &waits,    m->n_ranks, is_done,
        waits_for, describe,   "every message needs its receive, with the same tag and communicator"};
    parcast_status status = stuck_check(&stuck, m->source->name, error);
    free(waits.token);
    if (status) return status;
    uint32_t n = m->transport->methods->unreceived(m->transport, &key, &bytes);
    if (n == 0) return PARCAST_OK;
    return parcast_error_set(
        error, PARCAST_DATA, m->source->name, 0,
        "%u message%s sent and never received, one of them from rank %d to rank %u: %lld bytes", n,
        n == 1 ? " is" : "s are", key.source, key.destination, (long long)bytes);
}
