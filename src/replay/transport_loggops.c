/* Messages over LogGOPS: matching and protocol are the engine's. A rank that sleeps keeps its CPU busy. */
#include <stdlib.h>

#include "replay/result.h"
#include "replay/transport.h"

struct loggops_transport {
    struct transport transport;
    struct loggops engine;
};

static struct loggops_transport *loggops_of(struct transport *transport)
{
    return (struct loggops_transport *)transport;
}

/* The lowest bit of the engine's user says whether a sender wants to hear of the start. */
static void on_started(void *state, uint32_t user, int64_t date_ps)
{
    struct loggops_transport *l = state;
    (void)date_ps;
    if (user & 1) l->transport.client.proceed(l->transport.client.state, user >> 1);
}

static void on_done(void *state, uint32_t user, int64_t date_ps)
{
    struct loggops_transport *l = state;
    (void)date_ps;
    l->transport.client.done(l->transport.client.state, user >> 1, NO_CAUSE);
}

static void on_settle(void *state)
{
    struct loggops_transport *l = state;
    l->transport.client.settle(l->transport.client.state);
}

static void on_received(void *state, const struct loggops_message *message, int64_t date_ps)
{
    struct loggops_transport *l = state;
    const struct transport_message told = {.source = message->source,
                                           .destination = message->destination,
                                           .context = message->communicator,
                                           .tag = message->tag,
                                           .bytes = message->bytes,
                                           .sent_ps = message->sent_ps,
                                           .received_ps = date_ps};
    l->transport.client.received(l->transport.client.state, &told);
}

static void on_arrived(void *state, uint32_t host)
{
    struct loggops_transport *l = state;
    l->transport.client.arrived(l->transport.client.state, host);
}

static void issue(struct loggops_transport *l, enum loggops_kind kind, struct match_key key, int64_t amount,
                  parcast_send_mode mode, uint32_t token)
{
    bool receives = kind == LOGGOPS_RECEIVE;
    struct loggops_operation operation = {.kind = kind,
                                          .host = receives ? key.destination : (uint32_t)key.source,
                                          .peer = receives ? key.source : (int32_t)key.destination,
                                          .tag = key.tag,
                                          .communicator = key.communicator,
                                          .amount = amount,
                                          .user = token << 1 | (kind == LOGGOPS_SEND),
                                          .mode = mode};
    loggops_issue(&l->engine, &operation, 0);
}

static void loggops_compute(struct transport *transport, uint32_t rank, double core_s, uint32_t token)
{
    issue(loggops_of(transport), LOGGOPS_COMPUTE, (struct match_key){.source = (int32_t)rank},
          fabric_ps(core_s), PARCAST_SEND_STANDARD, token);
}

static void loggops_sleep(struct transport *transport, uint32_t rank, double seconds, uint32_t token)
{
    const struct loggops_operation operation = {.kind = LOGGOPS_COMPUTE,
                                                .host = rank,
                                                .amount = fabric_ps(seconds),
                                                .user = token << 1,
                                                .sleeps = true};
    loggops_issue(&loggops_of(transport)->engine, &operation, 0);
}

static bool loggops_send(struct transport *transport, struct match_key key, int64_t bytes,
                         parcast_send_mode mode, uint32_t token)
{
    issue(loggops_of(transport), LOGGOPS_SEND, key, bytes, mode, token);
    return false;
}

static void loggops_receive(struct transport *transport, struct match_key key, int64_t room, uint32_t token)
{
    issue(loggops_of(transport), LOGGOPS_RECEIVE, key, room < 0 ? 0 : room, PARCAST_SEND_STANDARD, token);
}

static bool loggops_takes_back(struct transport *transport, struct match_key key, uint32_t token)
{
    return loggops_withdraw(&loggops_of(transport)->engine, key, token << 1);
}

static bool loggops_probes(struct transport *transport, struct match_key key)
{
    return loggops_probe(&loggops_of(transport)->engine, key);
}

static parcast_status run(struct transport *transport, parcast_error *error)
{
    return loggops_run(&loggops_of(transport)->engine, error);
}

static int64_t now(const struct transport *transport, uint32_t rank)
{
    const struct loggops *engine = &((const struct loggops_transport *)transport)->engine;
    int64_t end = loggops_end(engine, rank);
    return end > engine->kernel.now_ps ? end : engine->kernel.now_ps;
}

static uint32_t unreceived(const struct transport *transport, struct match_key *first, int64_t *bytes)
{
    struct loggops_message message;
    uint32_t n = loggops_unreceived(&((const struct loggops_transport *)transport)->engine, &message);
    if (n == 0) return 0;
    *first =
        (struct match_key){message.destination, message.communicator, (int32_t)message.source, message.tag};
    *bytes = message.bytes;
    return n;
}

static void count(const struct transport *transport, parcast_replay_result *result)
{
    const struct loggops *engine = &((const struct loggops_transport *)transport)->engine;
    result->n_messages = engine->n_messages;
    result->n_events = engine->n_events;
    result->most_in_flight = engine->most_in_flight;
}

static int64_t waiting(const struct transport *transport, uint32_t rank)
{
    return loggops_waiting(&((const struct loggops_transport *)transport)->engine, rank);
}

static const int64_t *chain(const struct transport *transport, uint32_t rank)
{
    const struct loggops *engine = &((const struct loggops_transport *)transport)->engine;
    bool idle = engine->kernel.now_ps > loggops_end(engine, rank);
    return idle ? loggops_now_chain(engine) : loggops_end_chain(engine, rank);
}

static void destroy(struct transport **transport)
{
    struct loggops_transport *l = loggops_of(*transport);
    loggops_destroy(&l->engine);
    free(l);
    *transport = NULL;
}

static const struct transport_methods methods = {.compute = loggops_compute,
                                                 .sleep = loggops_sleep,
                                                 .send = loggops_send,
                                                 .receive = loggops_receive,
                                                 .withdraw = loggops_takes_back,
                                                 .probe = loggops_probes,
                                                 .run = run,
                                                 .now = now,
                                                 .unreceived = unreceived,
                                                 .count = count,
                                                 .waiting = waiting,
                                                 .chain = chain,
                                                 .destroy = destroy};

parcast_status transport_loggops(struct transport **transport, uint32_t n_ranks,
                                 const struct chain_layout *chains, const parcast_loggops *loggops,
                                 const struct transport_client *client, parcast_error *error)
{
    struct loggops_parameters parameters;
    parcast_status status = replay_loggops(loggops, &parameters, error);
    if (status) return status;
    struct loggops_transport *l = calloc(1, sizeof *l);
    if (!l) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    struct loggops_client engine_client = {.state = l,
                                           .started = on_started,
                                           .done = on_done,
                                           .settle = on_settle,
                                           .received = client->received ? on_received : NULL,
                                           .arrived = on_arrived};
    l->transport = (struct transport){&methods, *client};
    status = loggops_create(&l->engine, &parameters, n_ranks, 1, 1, &engine_client, error);
    if (!status && chains && !loggops_follow(&l->engine, chains)) {
        loggops_destroy(&l->engine);
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a critical path");
    }
    if (status)
        free(l);
    else
        *transport = &l->transport;
    return status;
}
