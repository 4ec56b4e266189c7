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
    bool moving, arrived;
};

struct receive {
    int64_t room;
    uint32_t token;
};

/* Users of the fabric's timers: tokens. Of its computations: tokens. Of its transfers: messages. */
struct flow_transport {
    struct transport transport;
    struct fabric fabric;
    struct matcher matcher;
    struct pool messages, receives;
    const int *rank_node;
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

static void done(struct flow_transport *flow, uint32_t token)
{
    flow->transport.client.done(flow->transport.client.state, token);
}

static void on_done(void *state, uint32_t token)
{
    done(state, token);
    settle(state);
}

static void begin_moving(struct flow_transport *flow, uint32_t index)
{
    struct message *message = message_at(flow, index);
    message->moving = true;
    fabric_transfer(&flow->fabric, (uint32_t)flow->rank_node[message->from],
                    (uint32_t)flow->rank_node[message->to], (double)message->bytes, index);
}

/* Both ends know; the message is over when its receiver has it. */
static void on_arrival(void *state, uint32_t index)
{
    struct flow_transport *flow = state;
    struct message *message = message_at(flow, index);
    uint32_t sender = message->sender, receiver = message->receiver;
    message->arrived = true;
    if (receiver != NONE) {
        pool_give(&flow->messages, index);
        done(flow, receiver);
    }
    if (sender != NONE) done(flow, sender);
    settle(flow);
}

static void meet(struct flow_transport *flow, uint32_t index, uint32_t receive)
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
    if (message->arrived) {
        pool_give(&flow->messages, index);
        done(flow, taken.token);
    } else if (!message->moving) {
        begin_moving(flow, index);
    }
}

static bool flow_send(struct transport *transport, struct match_key key, int64_t bytes, uint32_t token)
{
    struct flow_transport *flow = flow_of(transport);
    uint32_t index = pool_take(&flow->messages);
    if (index == NONE) {
        flow->matcher.failed = true;
        return true;
    }
    bool detached = (double)bytes < flow->detached_below, eager = (double)bytes < flow->eager_below;
    *message_at(flow, index) = (struct message){.bytes = bytes,
                                                .from = (uint32_t)key.source,
                                                .to = key.destination,
                                                .sender = detached || eager ? NONE : token,
                                                .receiver = NONE};
    flow->n_messages++;
    uint32_t receive = match_arrive(&flow->matcher, key, index);
    if (eager) begin_moving(flow, index);
    if (receive != MATCH_NONE) meet(flow, index, receive);
    if (detached || eager) done(flow, token);
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
    if (message != MATCH_NONE) meet(flow, message, index);
}

static void flow_compute(struct transport *transport, uint32_t rank, double core_s, uint32_t token)
{
    struct flow_transport *flow = flow_of(transport);
    fabric_compute(&flow->fabric, (uint32_t)flow->rank_node[rank], core_s, token);
}

static void flow_sleep(struct transport *transport, uint32_t rank, double seconds, uint32_t token)
{
    struct fabric *fabric = &flow_of(transport)->fabric;
    (void)rank;
    fabric_timer(fabric, fabric->kernel.now_ps + fabric_ps(seconds), token);
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
    *first = (struct match_key){.destination = message->to, .source = (int32_t)message->from};
    *bytes = message->bytes;
    return n;
}

static void flow_count(const struct transport *transport, parcast_replay_result *result)
{
    const struct flow_transport *flow = (const struct flow_transport *)transport;
    result->n_messages = flow->n_messages;
    result->n_events = flow->fabric.n_events + 2 * flow->n_messages;
}

static void flow_destroy(struct transport **transport)
{
    struct flow_transport *flow = flow_of(*transport);
    fabric_destroy(&flow->fabric);
    match_destroy(&flow->matcher);
    pool_destroy(&flow->messages);
    pool_destroy(&flow->receives);
    free(flow);
    *transport = NULL;
}

static const struct transport_methods methods = {flow_compute,    flow_sleep, flow_send,
                                                 flow_receive,    flow_run,   flow_now,
                                                 flow_unreceived, flow_count, flow_destroy};

static double given(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

parcast_status transport_flow(struct transport **transport, const parcast_platform *platform,
                              const int *rank_node, const parcast_replay_options *options,
                              const struct transport_client *client, parcast_error *error)
{
    const double usual_eager_bytes =
        65536; /* of MPI libraries over TCP and shared memory, within a factor of two */
    struct flow_transport *flow = calloc(1, sizeof *flow);
    if (!flow) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    struct fabric_client fabric_client = {flow, on_arrival, on_done, on_done};
    struct fabric_options how = {.local_through_link = options->local_through_link,
                                 .ideal_network = options->ideal_network,
                                 .full_solver = options->full_solver,
                                 .bandwidth_ratio = options->scale_bandwidth_ratio,
                                 .latency_ratio = options->scale_latency_ratio};
    flow->transport = (struct transport){&methods, *client};
    flow->rank_node = rank_node;
    flow->messages = pool_of(sizeof(struct message));
    flow->receives = pool_of(sizeof(struct receive));
    flow->eager_below = given(platform->network.eager_below_bytes, usual_eager_bytes);
    flow->detached_below = given(platform->network.detached_below_bytes, flow->eager_below);
    parcast_status status = fabric_create(&flow->fabric, platform, &how, &fabric_client, error);
    if (status) {
        free(flow);
        return status;
    }
    *transport = &flow->transport;
    if (match_create(&flow->matcher)) return PARCAST_OK;
    flow_destroy(transport);
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
}
