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

const char *machine_name(const parcast_operation *o)
{
    bool collective = o->kind == PARCAST_OPERATION_COLLECTIVE || o->kind == PARCAST_OPERATION_ICOLLECTIVE;
    return collective && (unsigned)o->collective < PARCAST_COLLECTIVES
               ? parcast_collective_name(o->collective)
               : parcast_operation_name(o->kind);
}

/* " (line 7)", " (event 7)" or nothing. */
static void place_text(const struct machine *m, uint32_t rank, int line, char *text, size_t size)
{
    const char *file = NULL;
    int at = machine_line(m, rank, line, &file);
    text[0] = '\0';
    if (at)
        snprintf(text, size, " (line %d)", at);
    else if (m->source->has_events)
        snprintf(text, size, " (event %d)", line);
}

bool machine_agree(struct machine *m, uint32_t number)
{
    const parcast_operation *o = &m->ranks[number].operation;
    uint32_t n_members = o->members ? o->n_members : m->n_ranks, self = o->members ? o->self : number;
    struct agree_call call = agree_call_of(o, number), other;
    char who[64], where[32], what[160];
    if (n_members <= 1) return true;
    if (self >= n_members) {
        machine_fail(m, number, PARCAST_DATA, "the rank is no member of its communicator");
        return false;
    }
    if (!agree_enter(&m->agreement, o, number, n_members, &other)) {
        machine_fail(m, number, PARCAST_MEMORY, "out of memory for collectives");
        return false;
    }
    place_text(m, other.rank, other.line, where, sizeof where);
    snprintf(who, sizeof who, "rank %u%s", other.rank, where);
    if (!agree_differs(&call, &other, who, what, sizeof what)) return true;
    machine_fail(m, number, PARCAST_DATA, what);
    return false;
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
    bool sends = a && a->kind == ACTIVITY_SENDS;
    char peer[48] = "", line[32];
    int64_t other = waits_for(state, number);
    place_text(m, number, o->line, line, sizeof line);
    if (other >= 0)
        snprintf(peer, sizeof peer, " for a %s rank %lld", sends ? "receive by" : "message from",
                 (long long)other);
    else if (a || m->ranks[number].probes)
        snprintf(peer, sizeof peer, " for a message from any rank");
    snprintf(text, size, "rank %u waits in %s%s%s", number, machine_name(o), line, peer);
}

static bool has_ended(const void *state, uint32_t number)
{
    const struct machine *m = state;
    return number < m->n_ranks && m->ranks[number].ended;
}

/* A collective that a rank, which is at its end, has never called. False: there is none. */
static bool describe_missing(const struct machine *m, char *text, size_t size)
{
    struct agree_missing missing;
    char where[32], communicator[32] = "";
    if (!agree_find_missing(&m->agreement, has_ended, m, &missing)) return false;
    place_text(m, missing.call.rank, missing.call.line, where, sizeof where);
    if (missing.communicator != 0)
        snprintf(communicator, sizeof communicator, " of communicator %u", missing.communicator);
    snprintf(text, size, "%s%s of rank %u is collective number %llu%s, and rank %u calls only %llu",
             parcast_collective_name(missing.call.collective), where, missing.call.rank,
             (unsigned long long)missing.n_came, communicator, missing.rank,
             (unsigned long long)missing.n_made);
    return true;
}

static bool sends(const parcast_operation *o, const struct match_key *key)
{
    bool kind = o->kind == PARCAST_OPERATION_SEND || o->kind == PARCAST_OPERATION_ISEND ||
                o->kind == PARCAST_OPERATION_SENDRECEIVE;
    if (!kind || o->tag != key->tag || 2 * o->communicator != key->communicator) return false;
    return (uint32_t)(o->members ? o->members[o->peer] : o->peer) == key->destination;
}

/* Messages with one key are received in their order: if one is left over, the last one is. Its operation is
   searched for in a second reading. */
static bool find_last_send(const struct machine *m, const struct match_key *key, int *line, int64_t *bytes)
{
    const parcast_operation_source *source = m->source;
    parcast_operation o = {.kind = PARCAST_OPERATION_MARK};
    bool found = false;
    if (!source->rewind) return false;
    source->rewind(source->state);
    while (o.kind != PARCAST_OPERATION_END && !source->next(source->state, key->source, &o, NULL)) {
        if (!sends(&o, key)) continue;
        *line = o.line;
        *bytes = o.bytes;
        found = true;
    }
    return found;
}

static parcast_status check_received(const struct machine *m, parcast_error *error)
{
    struct match_key key;
    int64_t bytes;
    int line = 0;
    char where[32] = "";
    uint32_t n = m->transport->methods->unreceived(m->transport, &key, &bytes);
    if (n == 0) return PARCAST_OK;
    if (find_last_send(m, &key, &line, &bytes))
        place_text(m, (uint32_t)key.source, line, where, sizeof where);
    return parcast_error_set(
        error, PARCAST_DATA, m->source->name, 0,
        "%u message%s sent and never received, one of them from rank %d to rank %u: %lld bytes, tag %d%s", n,
        n == 1 ? " is" : "s are", key.source, key.destination, (long long)bytes, key.tag, where);
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
    char missing[192];
    free(waits.token);
    if (describe_missing(m, missing, sizeof missing)) {
        if (!status) return parcast_error_set(error, PARCAST_DATA, m->source->name, 0, "%s", missing);
        parcast_error_hint(error, "%s", missing);
    }
    if (status) return status;
    return check_received(m, error);
}
