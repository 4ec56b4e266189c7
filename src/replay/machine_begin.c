/* What a rank begins: its operations, and the messages and computations that they consist of. */
#include <math.h>
#include <stdio.h>

#include "replay/machine.h"

#define NONE POOL_NONE

uint32_t machine_activity(struct machine *m, uint32_t number, uint32_t request, uint32_t collective,
                          unsigned channel)
{
    struct machine_rank *rank = &m->ranks[number];
    uint32_t token = pool_take(&m->activities);
    if (token == NONE) {
        machine_fail(m, number, PARCAST_MEMORY, "out of memory for operations");
        return NONE;
    }
    *machine_activity_at(m, token) =
        (struct machine_activity){.rank = number,
                                  .request = request,
                                  .n_freed = request == NONE ? 0 : rank->requests[request].n_freed,
                                  .collective = collective,
                                  .peer = PARCAST_ANY,
                                  .channel = (uint8_t)channel,
                                  .kind = ACTIVITY_WORKS};
    if (request == NONE && collective == NONE) rank->inner.n_open[channel]++;
    return token;
}

/* The number of a member among all ranks. Members come from outside: of some the rank is not known. */
static bool member(struct machine *m, uint32_t number, const struct machine_place *place, int32_t peer,
                   uint32_t *rank)
{
    *rank = (uint32_t)(place->members ? place->members[peer] : peer);
    if (*rank < m->n_ranks) return true;
    machine_fail(m, number, PARCAST_DATA, "a member of its communicator is no rank of the trace");
    return false;
}

void machine_send(struct machine *m, uint32_t number, const struct machine_place *place, int32_t peer,
                  int32_t tag, int64_t bytes, parcast_send_mode mode, uint32_t token)
{
    struct machine_rank *rank = &m->ranks[number];
    struct match_key key = {0, place->context, (int32_t)number, tag};
    if (token == NONE || !member(m, number, place, peer, &key.destination)) return;
    machine_activity_at(m, token)->kind = ACTIVITY_SENDS;
    machine_activity_at(m, token)->peer = (int32_t)key.destination;
    machine_check(m,
                  recorder_sent(&m->recorder, key, bytes, m->transport->methods->now(m->transport, number)));
    rank->n_starts++; /* before: the transport may say at once that it has begun */
    if (m->transport->methods->send(m->transport, key, bytes, mode, token)) rank->n_starts--;
}

void machine_receive(struct machine *m, uint32_t number, const struct machine_place *place, int32_t peer,
                     int32_t tag, int64_t room, uint32_t token)
{
    uint32_t source = 0;
    if (token == NONE || (peer >= 0 && !member(m, number, place, peer, &source))) return;
    struct match_key key = {number, place->context, peer < 0 ? MATCH_ANY : (int32_t)source,
                            tag < 0 ? MATCH_ANY : tag};
    struct machine_activity *activity = machine_activity_at(m, token);
    activity->kind = ACTIVITY_RECEIVES;
    activity->peer = key.source;
    activity->tag = key.tag;
    activity->context = key.communicator;
    m->transport->methods->receive(m->transport, key, room, token);
}

/* Where the rank's operation happens. Messages of collectives are in a context of their own. */
static struct machine_place place_of(const struct machine_rank *rank)
{
    return (struct machine_place){rank->operation.members,
                                  2 * rank->operation.communicator + rank->in_collective};
}

static void begin_send(struct machine *m, uint32_t number, int32_t peer, int32_t tag, int64_t bytes,
                       uint32_t request)
{
    const struct machine_place place = place_of(&m->ranks[number]);
    machine_send(m, number, &place, peer, tag, bytes, m->ranks[number].operation.mode,
                 machine_activity(m, number, request, NONE, CHANNEL_SENDS));
}

static void begin_receive(struct machine *m, uint32_t number, int32_t peer, int32_t tag, int64_t room,
                          uint32_t request, unsigned channel)
{
    const struct machine_place place = place_of(&m->ranks[number]);
    machine_receive(m, number, &place, peer, tag, room, machine_activity(m, number, request, NONE, channel));
}

static void begin_compute(struct machine *m, uint32_t number, double core_s)
{
    struct machine_rank *rank = &m->ranks[number];
    uint32_t token = machine_activity(m, number, NONE, NONE, CHANNEL_SENDS);
    if (token == NONE) return;
    rank->inner.waits = SCHEDULE_ALL_CHANNELS;
    rank->computes = true;
    rank->compute_begin_ps = m->transport->methods->now(m->transport, number);
    m->transport->methods->compute(m->transport, number, core_s, token);
}

void machine_begin_flop(struct machine *m, uint32_t number, double flop)
{
    double per_flop = m->core_s_per_flop[number];
    if (isnan(per_flop)) {
        machine_fail(m, number, PARCAST_DATA, "the trace counts flop, and the node type has no flop_rate");
        parcast_error_hint(m->error, "add 'flop_rate: 1 Gflop/s' to the node type, per core");
        return;
    }
    begin_compute(m, number, flop * per_flop);
}

static void open_request(struct machine *m, uint32_t number)
{
    const parcast_operation *o = &m->ranks[number].operation;
    struct machine_request *request = machine_request_at(m, number, o->request);
    if (!request) return;
    request->n_open++;
    if (o->kind == PARCAST_OPERATION_ISEND)
        begin_send(m, number, o->peer, o->tag, o->bytes, o->request);
    else
        begin_receive(m, number, o->peer, o->tag, o->bytes, o->request, CHANNEL_EVEN);
}

/* Operations. */

static bool is_member(const struct machine *m, const parcast_operation *o, int32_t peer, bool any)
{
    int64_t n = o->members ? (int64_t)o->n_members : (int64_t)m->n_ranks;
    return peer < n && (peer >= 0 || (any && peer == PARCAST_ANY));
}

/* Sums of sizes must not run out of 64 bits; a run would not end before the clock does anyway. */
static const int64_t most_bytes = INT64_C(1) << 53;

static bool are_sizes(const int64_t *bytes, uint32_t n)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (bytes[i] < 0 || bytes[i] > most_bytes - sum) return false;
        sum += bytes[i];
    }
    return true;
}

static bool has_sizes(const struct machine *m, const parcast_operation *o)
{
    bool neighbours = o->collective >= PARCAST_COLLECTIVE_NEIGHBOR_ALLGATHER;
    uint32_t n = o->members ? o->n_members : m->n_ranks;
    uint32_t n_out = neighbours ? o->n_destinations : n, n_in = neighbours ? o->n_sources : n;
    return n > 0 && o->bytes >= 0 && o->bytes <= most_bytes / n &&
           (!o->counts || are_sizes(o->counts, n_out)) &&
           (!o->receive_counts || are_sizes(o->receive_counts, n_in));
}

static bool check_peers(struct machine *m, uint32_t number)
{
    const parcast_operation *o = &m->ranks[number].operation;
    bool fine = true;
    switch (o->kind) {
    case PARCAST_OPERATION_SEND:
    case PARCAST_OPERATION_ISEND:
        fine = is_member(m, o, o->peer, false) && o->tag >= 0 && are_sizes(&o->bytes, 1);
        break;
    case PARCAST_OPERATION_RECEIVE:
    case PARCAST_OPERATION_IRECEIVE:
    case PARCAST_OPERATION_PROBE:
        fine = is_member(m, o, o->peer, true);
        break;
    case PARCAST_OPERATION_SENDRECEIVE:
        fine = is_member(m, o, o->peer, false) && is_member(m, o, o->source, true) && o->tag >= 0 &&
               are_sizes(&o->bytes, 1);
        break;
    case PARCAST_OPERATION_COLLECTIVE:
    case PARCAST_OPERATION_ICOLLECTIVE:
        fine = is_member(m, o, o->root, false) && (unsigned)o->collective < PARCAST_COLLECTIVES &&
               has_sizes(m, o);
        break;
    default:
        break;
    }
    if (!fine) machine_fail(m, number, PARCAST_DATA, "no such rank, or a size that cannot be");
    return fine;
}

bool machine_schedule(struct machine *m, uint32_t number, struct collective_schedule *schedule)
{
    const parcast_operation *o = &m->ranks[number].operation;
    uint32_t n = o->members ? o->n_members : m->n_ranks;
    const struct schedule_nodes *nodes = NULL;
    if (!machine_agree(m, number)) return false;
    if (m->by_node.rank_node && n > 1) {
        nodes = by_node_find(&m->by_node, o->communicator, o->members, n);
        if (!nodes) {
            machine_fail(m, number, PARCAST_MEMORY, "out of memory for the nodes of a communicator");
            return false;
        }
    }
    const struct schedule_plan plan = choose_plan(&m->choice, o, n, nodes);
    enum collective_algorithm missing;
    if (!choose_fits(&plan, o->collective, n, nodes, &missing)) {
        char what[128];
        snprintf(what, sizeof what, "there is no algorithm '%s' for it on %u ranks",
                 collective_algorithm_name(missing), n);
        machine_fail(m, number, PARCAST_INVALID, what);
        return false;
    }
    *schedule = (struct collective_schedule){.collective = o->collective,
                                             .plan = plan,
                                             .all_ranks = n,
                                             .own_rank = o->members ? o->self : number,
                                             .own_root = (uint32_t)o->root,
                                             .bytes = o->bytes,
                                             .element_bytes = o->element_bytes,
                                             .counts = o->counts,
                                             .receive_counts = o->receive_counts,
                                             .sources = o->sources,
                                             .destinations = o->destinations,
                                             .n_sources = o->n_sources,
                                             .n_destinations = o->n_destinations,
                                             .nodes = nodes};
    schedule_begin(schedule);
    return true;
}

void machine_begin_operation(struct machine *m, uint32_t number)
{
    struct machine_rank *rank = &m->ranks[number];
    const parcast_operation *o = &rank->operation;
    if (!check_peers(m, number)) return;
    switch (o->kind) {
    case PARCAST_OPERATION_COMPUTE:
        if (o->flop > 0)
            machine_begin_flop(m, number, o->flop);
        else
            begin_compute(m, number, o->seconds * m->core_s_per_second[number]);
        break;
    case PARCAST_OPERATION_SLEEP: {
        uint32_t token = machine_activity(m, number, NONE, NONE, CHANNEL_SENDS);
        if (token != NONE) m->transport->methods->sleep(m->transport, number, o->seconds, token);
        break;
    }
    case PARCAST_OPERATION_SEND:
        begin_send(m, number, o->peer, o->tag, o->bytes, NONE);
        break;
    case PARCAST_OPERATION_RECEIVE:
        begin_receive(m, number, o->peer, o->tag, o->bytes, NONE, CHANNEL_EVEN);
        break;
    case PARCAST_OPERATION_SENDRECEIVE:
        begin_receive(m, number, o->source, o->source_tag, o->source_bytes, NONE, CHANNEL_EVEN);
        begin_send(m, number, o->peer, o->tag, o->bytes, NONE);
        break;
    case PARCAST_OPERATION_ISEND:
    case PARCAST_OPERATION_IRECEIVE:
        open_request(m, number);
        break;
    case PARCAST_OPERATION_WAIT:
        machine_await_named(m, number);
        break;
    case PARCAST_OPERATION_WAITALL:
    case PARCAST_OPERATION_END: /* what was never waited for is awaited at the end */
        machine_await_all(rank);
        break;
    case PARCAST_OPERATION_COLLECTIVE:
        rank->in_collective = machine_schedule(m, number, &rank->schedule);
        break;
    case PARCAST_OPERATION_ICOLLECTIVE:
        machine_begin_collective(m, number);
        break;
    case PARCAST_OPERATION_FREE:
        machine_free_request(m, number);
        break;
    case PARCAST_OPERATION_CANCEL:
        machine_cancel_request(m, number);
        break;
    case PARCAST_OPERATION_TEST:
    case PARCAST_OPERATION_MARK:
        break;
    case PARCAST_OPERATION_PROBE:
        rank->probes = true;
        break;
    }
    rank->inner.waits = SCHEDULE_ALL_CHANNELS; /* for what was begun without a request */
}

bool machine_next_action(struct machine *m, uint32_t number)
{
    struct machine_rank *rank = &m->ranks[number];
    struct schedule_action action;
    if (!schedule_next(&rank->schedule, &action)) return false;
    int32_t tag = (int32_t)rank->operation.collective, peer = (int32_t)action.peer;
    rank->inner.waits = action.what == SCHEDULE_WAIT ? action.channel : 0;
    if (action.what == SCHEDULE_SEND) begin_send(m, number, peer, tag, action.data.bytes, NONE);
    if (action.what == SCHEDULE_RECEIVE) begin_receive(m, number, peer, tag, -1, NONE, action.channel);
    return true;
}

void machine_look(struct machine *m, uint32_t number)
{
    struct machine_rank *rank = &m->ranks[number];
    const parcast_operation *o = &rank->operation;
    const struct machine_place place = place_of(rank);
    uint32_t source = 0;
    if (!rank->probes || (o->peer >= 0 && !member(m, number, &place, o->peer, &source))) return;
    struct match_key key = {number, place.context, o->peer < 0 ? MATCH_ANY : (int32_t)source,
                            o->tag < 0 ? MATCH_ANY : o->tag};
    rank->probes = !m->transport->methods->probe(m->transport, key);
}
