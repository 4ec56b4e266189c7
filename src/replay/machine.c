/*
 * The semantics of MPI on top of a transport: each rank takes one operation after the other from its source
 * and goes on until it must wait.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "replay/machine.h"
#include "replay/result.h"

#define NONE POOL_NONE

parcast_status machine_fail(struct machine *m, uint32_t rank, parcast_status status, const char *what)
{
    const parcast_operation *o = &m->ranks[rank].operation;
    const char *name = o->kind == PARCAST_OPERATION_COLLECTIVE ? parcast_collective_name(o->collective)
                                                               : parcast_operation_name(o->kind);
    const char *file = m->source->name;
    if (m->failed) return m->failed;
    m->failed = status;
    int line = machine_line(m, rank, o->line, &file);
    if (m->source->has_events && !line)
        return parcast_error_set(m->error, status, file, 0, "rank %u, event %d, %s: %s", rank, o->line, name,
                                 what);
    return parcast_error_set(m->error, status, file, line, "rank %u, %s: %s", rank, name, what);
}

static struct machine_activity *activity_at(const struct machine *m, uint32_t token)
{
    return (struct machine_activity *)m->activities.records + token;
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
    uint32_t rank = activity_at(m, token)->rank;
    m->ranks[rank].n_starts--;
    m->ranks[rank].cause_ps = NO_CAUSE;
    make_ready(m, rank);
}

static void on_done(void *state, uint32_t token, int64_t cause_ps)
{
    struct machine *m = state;
    struct machine_activity activity = *activity_at(m, token);
    struct machine_rank *rank = &m->ranks[activity.rank];
    rank->cause_ps = cause_ps;
    activity_at(m, token)->kind = ACTIVITY_NONE;
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

static void check(struct machine *m, parcast_status status)
{
    if (!m->failed) m->failed = status;
}

static void on_received(void *state, const struct transport_message *message)
{
    struct machine *m = state;
    struct transport_message told = *message;
    told.received_ps = m->transport->methods->now(m->transport, message->destination);
    check(m, recorder_received(&m->recorder, &told));
}

static void on_truncated(void *state, uint32_t token, int64_t bytes, int64_t room)
{
    struct machine *m = state;
    char what[128];
    snprintf(what, sizeof what, "a message of %lld bytes comes to a receive of %lld", (long long)bytes,
             (long long)room);
    machine_fail(m, activity_at(m, token)->rank, PARCAST_DATA, what);
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

/* Begun by a rank. */

uint32_t machine_activity(struct machine *m, uint32_t number, uint32_t request, uint32_t collective,
                          unsigned channel)
{
    struct machine_rank *rank = &m->ranks[number];
    uint32_t token = pool_take(&m->activities);
    if (token == NONE) {
        machine_fail(m, number, PARCAST_MEMORY, "out of memory for operations");
        return NONE;
    }
    *activity_at(m, token) =
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
    activity_at(m, token)->kind = ACTIVITY_SENDS;
    activity_at(m, token)->peer = (int32_t)key.destination;
    check(m, recorder_sent(&m->recorder, key, bytes, m->transport->methods->now(m->transport, number)));
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
    struct machine_activity *activity = activity_at(m, token);
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

static void begin_flop(struct machine *m, uint32_t number, double flop)
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

static void begin_operation(struct machine *m, uint32_t number)
{
    struct machine_rank *rank = &m->ranks[number];
    const parcast_operation *o = &rank->operation;
    if (!check_peers(m, number)) return;
    switch (o->kind) {
    case PARCAST_OPERATION_COMPUTE:
        if (o->flop > 0)
            begin_flop(m, number, o->flop);
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
    check(m, recorder_begin(&m->recorder, number, &rank->operation, &figures));
    begin_operation(m, number);
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
    check(m, recorder_end(&m->recorder, number, &figures, chain));
}

static void end_operation(struct machine *m, uint32_t number)
{
    struct machine_rank *rank = &m->ranks[number];
    rank->begun = rank->in_collective = false;
    if (rank->operation.kind == PARCAST_OPERATION_END)
        machine_end_rank(m, number, m->transport->methods->now(m->transport, number));
    else
        check(m, recorder_operation(&m->recorder, number, &rank->operation, rank->begin_ps,
                                    m->transport->methods->now(m->transport, number)));
}

/* One action of a collective; false when there are no more. */
static bool next_action(struct machine *m, uint32_t number)
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
    if (next_action(m, number)) return true;
    if (rank->operation.flop <= 0) return false;
    begin_flop(m, number, rank->operation.flop);
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

/* The message that it waits for may have come. */
static void look(struct machine *m, uint32_t number)
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

static void go_on(struct machine *m, uint32_t number)
{
    look(m, number);
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
