/* What happens in the LogGOPS engine when the turn of an operation or message has come. */
#include "network/loggops_chains.h"
#include "network/loggops_internal.h"

/* Cost per byte: the first byte of a message is in o and in g. */
static int64_t byte_cost(struct loggops *engine, int64_t bytes, double ps_per_byte)
{
    if (bytes == 0 && !engine->parameters.compat) bytes = 1;
    double ps = (double)(bytes - 1) * ps_per_byte;
    const int64_t most_ps = KERNEL_LATEST_PS / 2;
    if (ps > (double)most_ps) {
        engine->exhausted = true;
        return most_ps;
    }
    return ps < 0 ? -(int64_t)(0.5 - ps) : (int64_t)(ps + 0.5);
}

/* What a resource's date, or an item's, consists of now: the event under work and what it adds. `message` is
   the one that it is spent on; NULL: none. */

static uint32_t operation_of(const struct loggops *engine, const struct item *message)
{
    if (!message) return CHAIN_DATE;
    return chain_operation(&engine->chains->layout, message->communicator, message->tag);
}

static void extend_date(const struct loggops *engine, const int64_t *date, const struct item *message,
                        struct loggops_piece one, struct loggops_piece two)
{
    if (!engine->chains) return;
    loggops_chain_extend(engine, loggops_date_chain(engine, date), operation_of(engine, message), one, two);
}

static void extend_item(const struct loggops *engine, uint32_t index, struct loggops_piece one,
                        struct loggops_piece two)
{
    if (!engine->chains) return;
    uint32_t operation = operation_of(engine, item_at(engine, index));
    loggops_chain_extend(engine, loggops_item_chain(engine, index), operation, one, two);
}

static struct loggops_piece piece(uint32_t part, int64_t ps)
{
    return (struct loggops_piece){part, ps};
}

static const struct loggops_piece nothing = {CHAIN_OVERHEAD, 0};

/* A host's CPU was idle since it became free, up to t; of that, it could not go on until since_ps. */
static void count_waiting(struct loggops *engine, uint32_t host, int64_t free_ps, int64_t since_ps, int64_t t)
{
    int64_t until_ps = since_ps < t ? since_ps : t;
    if (until_ps > free_ps) host_at(engine, host)->waiting_ps += until_ps - free_ps;
}

static void run_compute(struct loggops *engine, uint32_t index, int64_t t)
{
    struct item item = *item_at(engine, index);
    int64_t end = t + item.amount;
    engine->exhausted |= end >= KERNEL_LATEST_PS;
    *cpu_date(engine, item.host, item.cpu) = end;
    if (engine->chains) {
        uint32_t part = item.sleeps ? CHAIN_SLEEP : CHAIN_COMPUTE + engine->chains->layout.group[item.host];
        extend_date(engine, cpu_date(engine, item.host, item.cpu), NULL, piece(part, item.amount), nothing);
    }
    pool_give(&engine->items, index);
    engine->n_events++;
    engine->client.started(engine->client.state, item.user, t);
    engine->client.done(engine->client.state, item.user, end);
}

static void run_send(struct loggops *engine, uint32_t index, int64_t t)
{
    const struct loggops_parameters *p = &engine->parameters;
    struct item *item = item_at(engine, index);
    uint32_t host = item->host, user = item->user;
    bool waits_for_match = item->waits_for_match;
    int64_t busy = t + p->o_ps + byte_cost(engine, item->amount, p->O_ps_per_byte);
    int64_t data = byte_cost(engine, item->amount, p->G_ps_per_byte);
    *cpu_date(engine, host, item->cpu) = busy;
    *send_date(engine, host, item->nic) = t + p->g_ps + data;
    extend_date(engine, cpu_date(engine, host, item->cpu), item, piece(CHAIN_OVERHEAD, busy - t), nothing);
    extend_date(engine, send_date(engine, host, item->nic), item, piece(CHAIN_GAP, p->g_ps),
                piece(CHAIN_TRANSFER, data));
    extend_item(engine, index, piece(CHAIN_OVERHEAD, p->o_ps), piece(CHAIN_LATENCY, p->L_ps));
    if (engine->chains) loggops_item_chain(engine, index)[CHAIN_MESSAGES]++;
    item->kind = ITEM_MESSAGE;
    item->sent_ps = t;
    item->host = (uint32_t)item->peer;
    item->peer = (int32_t)host;
    item->sequence = kernel_sequence(&engine->kernel);
    uint32_t in_flight = ++host_at(engine, item->host)->in_flight;
    if (in_flight > engine->most_in_flight) engine->most_in_flight = in_flight;
    schedule_item(engine, t + p->o_ps + p->L_ps, index);
    engine->n_events++;
    engine->client.started(engine->client.state, user, t);
    if (!waits_for_match) engine->client.done(engine->client.state, user, busy);
}

/* A sender beyond S goes on. */
static void release_sender(struct loggops *engine, uint32_t index, int64_t t)
{
    const struct loggops_parameters *p = &engine->parameters;
    struct item item = *item_at(engine, index);
    uint32_t sender = (uint32_t)item.peer;
    int64_t *cpu = cpu_date(engine, sender, item.cpu), *nic = send_date(engine, sender, item.nic);
    int64_t there_ps = item.sent_ps + p->o_ps + p->L_ps; /* from then on it waits for the receiver */
    int64_t met_ps = p->handshake ? t - 2 * p->L_ps - 2 * p->o_ps : t;
    count_waiting(engine, sender, later(*cpu, there_ps), met_ps, t);
    if (t > *cpu) extend_date(engine, cpu, NULL, nothing, nothing);
    if (t > *nic) extend_date(engine, nic, NULL, nothing, nothing);
    *cpu = later(*cpu, t);
    *nic = later(*nic, t);
    pool_give(&engine->items, index);
    engine->client.done(engine->client.state, item.user, t);
}

static void tell_received(const struct loggops *engine, const struct item *item, int64_t t)
{
    struct loggops_message message = message_of(item);
    engine->client.received(engine->client.state, &message, t);
}

/* A message and a receive have met. */
static void matched(struct loggops *engine, uint32_t message, uint32_t receive, int64_t t)
{
    const struct loggops_parameters *p = &engine->parameters;
    uint32_t receiver = item_at(engine, receive)->user;
    if (engine->client.received) tell_received(engine, item_at(engine, message), t);
    pool_give(&engine->items, receive);
    engine->client.done(engine->client.state, receiver, t);
    if (!item_at(engine, message)->waits_for_match) {
        pool_give(&engine->items, message);
    } else if (!p->handshake) {
        release_sender(engine, message, t);
    } else {
        struct item *item = item_at(engine, message);
        item->kind = ITEM_RELEASE;
        item->sequence = kernel_sequence(&engine->kernel);
        extend_item(engine, message, piece(CHAIN_LATENCY, 2 * p->L_ps), piece(CHAIN_OVERHEAD, 2 * p->o_ps));
        schedule_item(engine, t + 2 * p->L_ps + 2 * p->o_ps, message);
    }
}

static void arrive(struct loggops *engine, uint32_t index, int64_t t)
{
    const struct item *item = item_at(engine, index);
    struct match_key key = {item->host, item->communicator, item->peer, item->tag};
    host_at(engine, item->host)->in_flight--;
    engine->n_events++;
    engine->n_messages++;
    uint32_t receive = match_arrive(&engine->matcher, key, index);
    if (receive != MATCH_NONE)
        matched(engine, index, receive, t);
    else if (engine->client.arrived)
        engine->client.arrived(engine->client.state, key.destination);
}

static void run_message(struct loggops *engine, uint32_t index, int64_t t)
{
    const struct loggops_parameters *p = &engine->parameters;
    struct item *item = item_at(engine, index);
    int64_t data = byte_cost(engine, item->amount, p->G_ps_per_byte);
    const struct loggops_piece bytes = {CHAIN_TRANSFER, data};
    *receive_date(engine, item->host, item->nic) = t + p->g_ps + data;
    extend_date(engine, receive_date(engine, item->host, item->nic), item, piece(CHAIN_GAP, p->g_ps), bytes);
    if (p->receive_by_nic) {
        extend_item(engine, index, bytes, nothing);
        item->kind = ITEM_RECEPTION;
        item->sequence = kernel_sequence(&engine->kernel);
        schedule_item(engine, t + data, index);
        return;
    }
    int64_t copy = byte_cost(engine, item->amount, p->O_ps_per_byte);
    int64_t *cpu = cpu_date(engine, item->host, item->cpu);
    count_waiting(engine, item->host, *cpu, item->sent_ps, t);
    *cpu = t + p->o_ps + later(data, copy);
    extend_date(engine, cpu, item, piece(CHAIN_OVERHEAD, p->o_ps),
                copy > data ? piece(CHAIN_OVERHEAD, copy) : bytes);
    arrive(engine, index, t);
}

static void run_reception(struct loggops *engine, uint32_t index, int64_t t)
{
    const struct loggops_parameters *p = &engine->parameters;
    const struct item *item = item_at(engine, index);
    int64_t *cpu = cpu_date(engine, item->host, item->cpu);
    int64_t busy = p->o_ps + byte_cost(engine, item->amount, p->O_ps_per_byte);
    count_waiting(engine, item->host, *cpu, item->sent_ps, t);
    *cpu = t + busy;
    extend_date(engine, cpu, item, piece(CHAIN_OVERHEAD, busy), nothing);
    arrive(engine, index, t);
}

static void run_receive(struct loggops *engine, uint32_t index, int64_t t)
{
    struct item *item = item_at(engine, index);
    struct match_key key = {item->host, item->communicator, item->peer, item->tag};
    engine->n_events++;
    engine->client.started(engine->client.state, item->user, t);
    uint32_t message = match_post(&engine->matcher, key, index);
    if (message != MATCH_NONE) matched(engine, message, index, t);
}

/* What the item happens at t for: itself, or what has held it up. */
static void begin_chain(struct loggops *engine, uint32_t index, int64_t t)
{
    const struct item *item = item_at(engine, index);
    const int64_t *cpu = cpu_date(engine, item->host, item->cpu), *nic = NULL;
    if (item->kind == ITEM_SEND) nic = send_date(engine, item->host, item->nic);
    if (item->kind == ITEM_MESSAGE) nic = receive_date(engine, item->host, item->nic);
    if (item->kind == ITEM_MESSAGE && engine->parameters.receive_by_nic) cpu = NULL;
    loggops_chain_begin(engine, index, cpu, nic, t);
}

void loggops_run_item(struct loggops *engine, uint32_t index, int64_t t)
{
    if (engine->chains) begin_chain(engine, index, t);
    switch ((enum item_kind)item_at(engine, index)->kind) {
    case ITEM_COMPUTE:
        run_compute(engine, index, t);
        break;
    case ITEM_SEND:
        run_send(engine, index, t);
        break;
    case ITEM_RECEIVE:
        run_receive(engine, index, t);
        break;
    case ITEM_MESSAGE:
        run_message(engine, index, t);
        break;
    case ITEM_RECEPTION:
        run_reception(engine, index, t);
        break;
    case ITEM_RELEASE:
        release_sender(engine, index, t);
        break;
    }
}