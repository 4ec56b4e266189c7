/* What is said when a replay ends with ranks that wait, or messages that nobody has received. */
#include <stdio.h>

#include "replay/machine.h"
#include "replay/stuck.h"

/* Of several requests that a rank waits for, the first. */
static const struct machine_request *awaited_request(const struct machine_rank *rank)
{
    for (uint32_t i = 0; i < rank->n_requests; i++)
        if (rank->requests[i].awaited) return &rank->requests[i];
    return NULL;
}

/* The rank that it waits for; -1 when that is any, or not one. */
static int64_t waits_for(const void *machine, uint32_t number)
{
    const struct machine_rank *rank = &((const struct machine *)machine)->ranks[number];
    const parcast_operation *o = &rank->operation;
    const struct machine_request *request = awaited_request(rank);
    if (rank->ended) return -1;
    int32_t peer = request ? request->peer : o->peer;
    bool knows = request || o->kind == PARCAST_OPERATION_SEND || o->kind == PARCAST_OPERATION_RECEIVE;
    if (!knows || peer < 0) return -1;
    return request || !o->members ? peer : o->members[peer];
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

static bool is_done(const void *machine, uint32_t number)
{
    return ((const struct machine *)machine)->ranks[number].ended;
}

static void describe(const void *machine, uint32_t number, char *text, size_t size)
{
    const struct machine *m = machine;
    const struct machine_rank *rank = &m->ranks[number];
    const parcast_operation *o = &rank->operation;
    const struct machine_request *request = awaited_request(rank);
    char peer[48] = "", line[24] = "";
    const char *file = NULL;
    int64_t other = waits_for(machine, number);
    bool sends = request ? request->sends : o->kind == PARCAST_OPERATION_SEND;
    int at = machine_line(m, number, o->line, &file);
    if (at)
        snprintf(line, sizeof line, " (line %d)", at);
    else if (m->source->has_events)
        snprintf(line, sizeof line, " (event %d)", o->line);
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

parcast_status machine_check_end(const struct machine *m, parcast_error *error)
{
    struct match_key key;
    int64_t bytes;
    const struct stuck stuck = {
        m,         m->n_ranks, is_done,
        waits_for, describe,   "every message needs its receive, with the same tag and communicator"};
    parcast_status status = stuck_check(&stuck, m->source->name, error);
    if (status) return status;
    uint32_t n = m->transport->methods->unreceived(m->transport, &key, &bytes);
    if (n == 0) return PARCAST_OK;
    return parcast_error_set(
        error, PARCAST_DATA, m->source->name, 0,
        "%u message%s sent and never received, one of them from rank %d to rank %u: %lld bytes", n,
        n == 1 ? " is" : "s are", key.source, key.destination, (long long)bytes);
}
