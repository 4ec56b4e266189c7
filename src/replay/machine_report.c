/* What is said when a replay ends with ranks that wait, or messages that nobody has received. */
#include <stdio.h>
#include <string.h>

#include "replay/machine.h"

/* Of several requests that a rank waits for, the first. */
static const struct machine_request *awaited_request(const struct machine_rank *rank)
{
    for (uint32_t i = 0; i < rank->n_requests; i++)
        if (rank->requests[i].state == REQUEST_OPEN && rank->requests[i].awaited) return &rank->requests[i];
    return NULL;
}

/* The rank that it waits for; -1 when that is any, or not one. */
static int64_t waits_for(const struct machine_rank *rank)
{
    const parcast_operation *o = &rank->operation;
    const struct machine_request *request = awaited_request(rank);
    if (rank->ended) return -1;
    int32_t peer = request ? request->peer : o->peer;
    bool knows = request || o->kind == PARCAST_OPERATION_SEND || o->kind == PARCAST_OPERATION_RECEIVE;
    if (!knows || peer < 0) return -1;
    return o->members ? o->members[peer] : peer;
}

static void describe(const struct machine *m, uint32_t number, char *text, size_t size)
{
    const struct machine_rank *rank = &m->ranks[number];
    const parcast_operation *o = &rank->operation;
    const struct machine_request *request = awaited_request(rank);
    char peer[48] = "", line[24] = "";
    int64_t other = waits_for(rank);
    bool sends = request ? request->sends : o->kind == PARCAST_OPERATION_SEND;
    if (o->line) snprintf(line, sizeof line, " (line %d)", o->line);
    if (other >= 0)
        snprintf(peer, sizeof peer, " for a %s rank %lld", sends ? "receive by" : "message from",
                 (long long)other);
    else if (request || o->kind == PARCAST_OPERATION_RECEIVE)
        snprintf(peer, sizeof peer, " for a message from any rank");
    snprintf(text, size, "rank %u waits in %s%s%s", number,
             o->kind == PARCAST_OPERATION_COLLECTIVE ? parcast_collective_name(o->collective)
                                                     : parcast_operation_name(o->kind),
             line, peer);
}

static void describe_cycle(const struct machine *m, uint32_t from, parcast_error *error)
{
    int64_t rank = from, next;
    char text[256];
    for (uint32_t step = 0; step < m->n_ranks && rank >= 0; step++) rank = waits_for(&m->ranks[rank]);
    if (rank < 0) {
        parcast_error_hint(error, "every message needs its receive, with the same tag and communicator");
        return;
    }
    size_t used = (size_t)snprintf(text, sizeof text, "%lld", (long long)rank);
    next = rank;
    do {
        next = waits_for(&m->ranks[next]);
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 used + 40 > sizeof text ? " -> ..." : " -> %lld", (long long)next);
    } while (next != rank && used + 40 <= sizeof text);
    parcast_error_hint(error, "a cycle of ranks that wait for each other: %s", text);
}

static parcast_status report_deadlock(const struct machine *m, uint32_t first, parcast_error *error)
{
    char text[480] = "";
    size_t used = 0;
    uint32_t n_named = 0, n_stuck = 0;
    for (uint32_t r = first; r < m->n_ranks; r++) {
        char line[160];
        if (m->ranks[r].ended) continue;
        n_stuck++;
        describe(m, r, line, sizeof line);
        if (used + strlen(line) + 32 > sizeof text) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", n_named ? "; " : "", line);
        n_named++;
    }
    if (n_named < n_stuck)
        snprintf(text + used, sizeof text - used, "; and %u more ranks", n_stuck - n_named);
    parcast_error_set(error, PARCAST_DATA, m->source->name, 0, "deadlock: %s", text);
    describe_cycle(m, first, error);
    return PARCAST_DATA;
}

parcast_status machine_check_end(const struct machine *m, parcast_error *error)
{
    struct match_key key;
    int64_t bytes;
    for (uint32_t r = 0; r < m->n_ranks; r++)
        if (!m->ranks[r].ended) return report_deadlock(m, r, error);
    uint32_t n = m->transport->methods->unreceived(m->transport, &key, &bytes);
    if (n == 0) return PARCAST_OK;
    return parcast_error_set(
        error, PARCAST_DATA, m->source->name, 0,
        "%u message%s sent and never received, one of them from rank %d to rank %u: %lld bytes", n,
        n == 1 ? " is" : "s are", key.source, key.destination, (long long)bytes);
}
