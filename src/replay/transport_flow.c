/*
 * Messages over the flow model. Matching happens when send and receive are posted; the protocol by size says
 * when the data move and when the sender goes on:
 *
 *     below eager_below      data move at once,           the sender goes on at once
 *     below detached_below   when the receive is posted,  at once
 *     from there on          when the receive is posted,  when the data are there
 */
#include <math.h>

#include "replay/transport.h"

#define NONE POOL_NONE

struct message {
    int64_t bytes;
    uint32_t from, to; /* ranks */
    uint32_t sender;   /* token of a sender that waits for the end, else NONE */
    uint32_t receiver; /* token of the receive, NONE until it is matched */
    uint32_t context;
    int32_t tag;
    bool moving, arrived;
    int64_t sent_ps, moving_ps; /* its send was called; its data began to move */
    struct fabric_alone alone;
    int64_t chain[]; /* [n_parts] of moving_ps, when chains are kept */
};

/* A rank that computes or sleeps. */
struct work {
    uint32_t rank, token;
    int64_t begin_ps, alone_ps;
    uint32_t part;
    int64_t chain[]; /* [n_parts] of begin_ps */
};

struct receive {
    int64_t room;
    uint32_t token;
};

/* Users of the fabric's timers and computations: works. Of its transfers: messages. */
struct flow_transport {
    struct transport transport;
    struct fabric fabric;
    struct matcher matcher;
    struct pool messages, receives, works;
    const int *rank_node;
    struct chain_layout layout;
    int64_t *chains; /* [n_ranks][n_parts] of the date at which a rank went on last; NULL: not kept */
    double eager_below, detached_below;
    uint64_t n_messages;
};

static struct flow_transport *flow_of(struct transport *transport)
{
    return (struct flow_transport *)transport;
}

static struct message *message_at(const struct flow_transport *flow, uint32_t index)
{
    return pool_at(&flow->messages, index);
}

static void settle(struct flow_transport *flow)
{
    flow->transport.client.settle(flow->transport.client.state);
}

/* Chains: what a rank's date consists of, as far as it is known. A rank goes on at the date of what it has
   waited for, so it then has the chain of that. */

static int64_t *chain_of(const struct flow_transport *flow, uint32_t rank)
{
    return flow->chains + (size_t)rank * flow->layout.n_parts;
}

static void begin_chain(const struct flow_transport *flow, int64_t *chain, uint32_t rank)
{
    if (flow->chains) chain_copy(chain, chain_of(flow, rank), flow->layout.n_parts);
}

/* chain is that of now; a rank that is there already has one as good. */
static void take_chain(const struct flow_transport *flow, uint32_t rank, const int64_t *chain)
{
    if (chain_of(flow, rank)[CHAIN_DATE] < chain[CHAIN_DATE])
        chain_copy(chain_of(flow, rank), chain, flow->layout.n_parts);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void extend_by_message(const struct flow_transport *flow, struct message *message)
{
    int64_t left = flow->fabric.kernel.now_ps - message->moving_ps;
    int64_t latency = least(left, message->alone.latency_ps);
    int64_t transfer = least(left - latency, message->alone.transfer_ps);
    message->chain[CHAIN_MESSAGES]++;
    message->chain[chain_operation(&flow->layout, message->context, message->tag)] += left;
    chain_add(message->chain, CHAIN_LATENCY, latency);
    chain_add(message->chain, CHAIN_TRANSFER, transfer);
    chain_add(message->chain, CHAIN_SHARING, left - latency - transfer);
}

static void extend_by_work(const struct flow_transport *flow, struct work *work)
{
    int64_t took = flow->fabric.kernel.now_ps - work->begin_ps;
    int64_t alone = least(took, work->alone_ps);
    chain_add(work->chain, work->part, alone);
    chain_add(work->chain, CHAIN_CORES, took - alone);
}

static void done(struct flow_transport *flow, uint32_t token, int64_t cause_ps)
{
    flow->transport.client.done(flow->transport.client.state, token, cause_ps);
}

static void on_work_done(void *state, uint32_t index)
{
    struct flow_transport *flow = state;
    struct work *work = pool_at(&flow->works, index);
    uint32_t token = work->token;
    int64_t begin_ps = work->begin_ps;
    if (flow->chains) {
        extend_by_work(flow, work);
        take_chain(flow, work->rank, work->chain);
    }
    pool_give(&flow->works, index);
    done(flow, token, begin_ps);
    settle(flow);
}

/* `by` is the rank whose call sets it off. */
static void begin_moving(struct flow_transport *flow, uint32_t index, uint32_t by)
{
    struct message *message = message_at(flow, index);
    uint32_t from = (uint32_t)flow->rank_node[message->from], to = (uint32_t)flow->rank_node[message->to];
    message->moving = true;
    message->moving_ps = flow->fabric.kernel.now_ps;
    begin_chain(flow, message->chain, by);
    if (flow->chains) message->alone = fabric_alone(&flow->fabric, from, to, (double)message->bytes);
    fabric_transfer(&flow->fabric, from, to, (double)message->bytes, index);
}

/* The receiver has it, and nobody needs it any more. */
static void hand_over(struct flow_transport *flow, uint32_t index)
{
    const struct message message = *message_at(flow, index);
    const struct transport_message told = {.source = message.from,
                                           .destination = message.to,
                                           .context = message.context,
                                           .tag = message.tag,
                                           .bytes = message.bytes,
                                           .sent_ps = message.sent_ps,
                                           .received_ps = flow->fabric.kernel.now_ps};
    pool_give(&flow->messages, index);
    if (flow->transport.client.received) flow->transport.client.received(flow->transport.client.state, &told);
    done(flow, message.receiver, message.moving_ps);
}

/* Both ends know; the message is over when its receiver has it. */
static void on_arrival(void *state, uint32_t index)
{
    struct flow_transport *flow = state;
    struct message *message = message_at(flow, index);
    uint32_t sender = message->receiver == NONE ? NONE : message->sender;
    int64_t moving_ps = message->moving_ps;
    message->arrived = true;
    if (flow->chains) {
        extend_by_message(flow, message);
        take_chain(flow, message->to, message->chain); /* it may wait for the message without receiving it */
        if (sender != NONE) take_chain(flow, message->from, message->chain);
    }
    if (message->receiver != NONE)
        hand_over(flow, index);
    else
        flow->transport.client.arrived(flow->transport.client.state, message->to);
    if (sender != NONE) done(flow, sender, moving_ps);
    settle(flow);
}

/* A message that was there before its receive; a synchronous sender has waited for that. */
static void take_arrived(struct flow_transport *flow, uint32_t index, uint32_t by)
{
    const struct message *message = message_at(flow, index);
    uint32_t sender = message->sender, from = message->from;
    hand_over(flow, index);
    if (sender == NONE) return;
    if (flow->chains) take_chain(flow, from, chain_of(flow, by));
    done(flow, sender, flow->fabric.kernel.now_ps);
}

/* `by` is the rank whose call has brought them together. */
static void meet(struct flow_transport *flow, uint32_t index, uint32_t receive, uint32_t by)
{
    struct receive taken = *(struct receive *)pool_at(&flow->receives, receive);
    struct message *message = message_at(flow, index);
    pool_give(&flow->receives, receive);
    if (taken.room >= 0 && message->bytes > taken.room) {
        flow->transport.client.truncated(flow->transport.client.state, taken.token, message->bytes,
                                         taken.room);
        return;
    }
    message->receiver = taken.token;
    if (message->arrived)
        take_arrived(flow, index, by);
    else if (!message->moving)
        begin_moving(flow, index, by);
}

/* The message waits for its receive, and its receiver perhaps for the message. */
static void tell_envelope(struct flow_transport *flow, uint32_t from, uint32_t to)
{
    if (flow->chains) take_chain(flow, to, chain_of(flow, from));
    flow->transport.client.arrived(flow->transport.client.state, to);
}

static bool flow_send(struct transport *transport, struct match_key key, int64_t bytes,
                      parcast_send_mode mode, uint32_t token)
{
    struct flow_transport *flow = flow_of(transport);
    uint32_t index = pool_take(&flow->messages);
    if (index == NONE) {
        flow->matcher.failed = true;
        return true;
    }
    bool eager = (double)bytes < flow->eager_below, detached = eager || (double)bytes < flow->detached_below;
    bool waits = mode == PARCAST_SEND_SYNCHRONOUS || (mode == PARCAST_SEND_STANDARD && !detached);
    *message_at(flow, index) = (struct message){.bytes = bytes,
                                                .from = (uint32_t)key.source,
                                                .to = key.destination,
                                                .sender = waits ? token : NONE,
                                                .receiver = NONE,
                                                .context = key.communicator,
                                                .tag = key.tag,
                                                .sent_ps = flow->fabric.kernel.now_ps};
    flow->n_messages++;
    uint32_t receive = match_arrive(&flow->matcher, key, index);
    if (eager) begin_moving(flow, index, (uint32_t)key.source);
    if (receive != MATCH_NONE)
        meet(flow, index, receive, (uint32_t)key.source);
    else if (!eager)
        tell_envelope(flow, (uint32_t)key.source, key.destination);
    if (!waits) done(flow, token, flow->fabric.kernel.now_ps);
    return true;
}

static void flow_receive(struct transport *transport, struct match_key key, int64_t room, uint32_t token)
{
    struct flow_transport *flow = flow_of(transport);
    uint32_t index = pool_take(&flow->receives);
    if (index == NONE) {
        flow->matcher.failed = true;
        return;
    }
    *(struct receive *)pool_at(&flow->receives, index) = (struct receive){room, token};
    uint32_t message = match_post(&flow->matcher, key, index);
    if (message != MATCH_NONE) meet(flow, message, index, key.destination);
}

struct posted {
    const struct flow_transport *flow;
    uint32_t token;
};

static bool is_posted(const void *state, uint32_t receive)
{
    const struct posted *posted = state;
    return ((const struct receive *)pool_at(&posted->flow->receives, receive))->token == posted->token;
}

static bool flow_withdraw(struct transport *transport, struct match_key key, uint32_t token)
{
    struct flow_transport *flow = flow_of(transport);
    const struct posted posted = {flow, token};
    uint32_t receive = match_withdraw(&flow->matcher, key, is_posted, &posted);
    if (receive == MATCH_NONE) return false;
    pool_give(&flow->receives, receive);
    return true;
}

static uint32_t begin_work(struct flow_transport *flow, uint32_t rank, uint32_t token, double seconds,
                           uint32_t part)
{
    uint32_t index = pool_take(&flow->works);
    if (index == NONE) {
        flow->matcher.failed = true;
        return NONE;
    }
    struct work *work = pool_at(&flow->works, index);
    *work = (struct work){.rank = rank,
                          .token = token,
                          .begin_ps = flow->fabric.kernel.now_ps,
                          .alone_ps = fabric_ps(seconds),
                          .part = part};
    begin_chain(flow, work->chain, rank);
    return index;
}

/* Of a message that waits for its receive only the envelope is there, at once; of others the data. */
static bool flow_probe(struct transport *transport, struct match_key key)
{
    struct flow_transport *flow = flow_of(transport);
    uint32_t index = match_probe(&flow->matcher, key);
    if (index == MATCH_NONE) return false;
    const struct message *message = message_at(flow, index);
    return message->arrived || !message->moving;
}

static void flow_compute(struct transport *transport, uint32_t rank, double core_s, uint32_t token)
{
    struct flow_transport *flow = flow_of(transport);
    uint32_t part = flow->chains ? CHAIN_COMPUTE + flow->layout.group[rank] : 0;
    uint32_t work = begin_work(flow, rank, token, core_s, part);
    if (work != NONE) fabric_compute(&flow->fabric, (uint32_t)flow->rank_node[rank], core_s, work);
}

static void flow_sleep(struct transport *transport, uint32_t rank, double seconds, uint32_t token)
{
    struct flow_transport *flow = flow_of(transport);
    uint32_t work = begin_work(flow, rank, token, seconds, CHAIN_SLEEP);
    if (work == NONE) return;
    fabric_timer(&flow->fabric, flow->fabric.kernel.now_ps + fabric_ps(seconds), work);
}

static parcast_status flow_run(struct transport *transport, parcast_error *error)
{
    struct flow_transport *flow = flow_of(transport);
    parcast_status status = fabric_run(&flow->fabric, error);
    if (!status && flow->matcher.failed)
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for messages");
    return status;
}

static int64_t flow_now(const struct transport *transport, uint32_t rank)
{
    (void)rank;
    return ((const struct flow_transport *)transport)->fabric.kernel.now_ps;
}

static uint32_t flow_unreceived(const struct transport *transport, struct match_key *first, int64_t *bytes)
{
    const struct flow_transport *flow = (const struct flow_transport *)transport;
    uint32_t n, index = match_first_waiting(&flow->matcher, &n);
    if (n == 0) return 0;
    const struct message *message = message_at(flow, index);
    *first = (struct match_key){message->to, message->context, (int32_t)message->from, message->tag};
    *bytes = message->bytes;
    return n;
}

static void flow_count(const struct transport *transport, parcast_replay_result *result)
{
    const struct flow_transport *flow = (const struct flow_transport *)transport;
    result->n_messages = flow->n_messages;
    result->n_events = flow->fabric.n_events + 2 * flow->n_messages;
}

static const int64_t *flow_chain(const struct transport *transport, uint32_t rank)
{
    return chain_of((const struct flow_transport *)transport, rank);
}

static void flow_destroy(struct transport **transport)
{
    struct flow_transport *flow = flow_of(*transport);
    fabric_destroy(&flow->fabric);
    match_destroy(&flow->matcher);
    pool_destroy(&flow->messages);
    pool_destroy(&flow->receives);
    pool_destroy(&flow->works);
    free(flow->chains);
    free(flow);
    *transport = NULL;
}

static const struct transport_methods methods = {.compute = flow_compute,
                                                 .sleep = flow_sleep,
                                                 .send = flow_send,
                                                 .receive = flow_receive,
                                                 .withdraw = flow_withdraw,
                                                 .probe = flow_probe,
                                                 .run = flow_run,
                                                 .now = flow_now,
                                                 .unreceived = flow_unreceived,
                                                 .count = flow_count,
                                                 .chain = flow_chain,
                                                 .destroy = flow_destroy};

static double given(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

parcast_status transport_flow(struct transport **transport, const parcast_platform *platform,
                              const int *rank_node, uint32_t n_ranks, const struct chain_layout *chains,
                              const parcast_replay_options *options, const struct transport_client *client,
                              parcast_error *error)
{
    const double usual_eager_bytes =
        65536; /* of MPI libraries over TCP and shared memory, within a factor of two */
    struct flow_transport *flow = calloc(1, sizeof *flow);
    if (!flow) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    struct fabric_client fabric_client = {flow, on_arrival, on_work_done, on_work_done};
    struct fabric_options how = {.local_through_link = options->local_through_link,
                                 .ideal_network = options->ideal_network,
                                 .full_solver = options->full_solver,
                                 .bandwidth_ratio = options->scale_bandwidth_ratio,
                                 .latency_ratio = options->scale_latency_ratio};
    flow->transport = (struct transport){&methods, *client};
    flow->rank_node = rank_node;
    size_t chain_bytes = chains ? chains->n_parts * sizeof(int64_t) : 0;
    if (chains) flow->layout = *chains;
    flow->chains = chains ? calloc(n_ranks, chain_bytes) : NULL;
    flow->works = pool_of(sizeof(struct work) + chain_bytes);
    flow->messages = pool_of(sizeof(struct message) + chain_bytes);
    flow->receives = pool_of(sizeof(struct receive));
    flow->eager_below = given(platform->network.eager_below_bytes, usual_eager_bytes);
    flow->detached_below = given(platform->network.detached_below_bytes, flow->eager_below);
    parcast_status status = fabric_create(&flow->fabric, platform, &how, &fabric_client, error);
    if (status) {
        free(flow->chains);
        free(flow);
        return status;
    }
    *transport = &flow->transport;
    if (match_create(&flow->matcher) && (flow->chains || !chains)) return PARCAST_OK;
    flow_destroy(transport);
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
}
