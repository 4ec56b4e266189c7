#include "network/loggops.h"

#include <stdlib.h>

#include "core/pairing.h"
#include "network/loggops_chains.h"

#define NONE POOL_NONE

/* What an operation is on its way. A send becomes the message that it sends. */
enum item_kind {
    ITEM_SEND = LOGGOPS_SEND,
    ITEM_RECEIVE = LOGGOPS_RECEIVE,
    ITEM_COMPUTE = LOGGOPS_COMPUTE,
    ITEM_MESSAGE = LOGGOPS_COMPUTE + 1,
    ITEM_RECEPTION =
        LOGGOPS_COMPUTE + 2,           /* receive_by_nic: the data are there, the CPU is yet to handle them */
    ITEM_RELEASE = LOGGOPS_COMPUTE + 3 /* handshake: the sender is about to hear of the match */
};

struct item {
    int64_t amount;
    uint64_t sequence;
    int64_t sent_ps; /* of a message: when its sender's CPU turned to it */
    uint32_t host;   /* where it happens: a message's is the destination */
    int32_t peer;
    int32_t tag;
    uint32_t communicator;
    uint32_t user;
    struct pairing_links links; /* in a wait queue */
    uint8_t kind, cpu, nic;
    bool sleeps;
    bool waits_for_match; /* a send, or its message: the sender goes on when the message is received */
};

static struct item *item_at(const struct loggops *engine, uint32_t index)
{
    return (struct item *)engine->items.records + index;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

parcast_status loggops_create(struct loggops *engine, const struct loggops_parameters *parameters,
                              uint32_t n_hosts, uint32_t n_cpus, uint32_t n_nics,
                              const struct loggops_client *client, parcast_error *error)
{
    *engine = (struct loggops){.parameters = *parameters,
                               .client = *client,
                               .items = pool_of(sizeof(struct item)),
                               .n_hosts = n_hosts,
                               .n_cpus = n_cpus,
                               .n_nics = n_nics,
                               .n_dates = n_cpus + 2 * n_nics,
                               .n_queues = n_cpus + 2 * n_cpus * n_nics};
    if (n_hosts >= HEAP_MOST_HANDLES / 2)
        return parcast_error_set(error, PARCAST_LIMIT, NULL, 0, "%u hosts are more than %u", n_hosts,
                                 HEAP_MOST_HANDLES / 2 - 1);
    engine->dates = calloc((size_t)n_hosts * engine->n_dates + 1, sizeof *engine->dates);
    engine->queues = malloc(((size_t)n_hosts * engine->n_queues + 1) * sizeof *engine->queues);
    engine->in_flight = calloc((size_t)n_hosts + 1, sizeof *engine->in_flight);
    engine->waiting_ps = calloc((size_t)n_hosts + 1, sizeof *engine->waiting_ps);
    if (!match_create(&engine->matcher) || !engine->dates || !engine->queues || !engine->in_flight ||
        !engine->waiting_ps || !kernel_reserve(&engine->kernel, n_hosts)) {
        loggops_destroy(engine);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u hosts", n_hosts);
    }
    for (size_t i = 0; i < (size_t)n_hosts * engine->n_queues; i++) engine->queues[i] = NONE;
    return PARCAST_OK;
}

void loggops_destroy(struct loggops *engine)
{
    kernel_destroy(&engine->kernel);
    match_destroy(&engine->matcher);
    pool_destroy(&engine->items);
    free(engine->dates);
    free(engine->queues);
    free(engine->in_flight);
    free(engine->waiting_ps);
    loggops_chains_destroy(&engine->chains);
    *engine = (struct loggops){0};
}

/* When resources are free. */

static int64_t *cpu_date(const struct loggops *engine, uint32_t host, uint32_t cpu)
{
    return &engine->dates[(size_t)host * engine->n_dates + cpu];
}

static int64_t *send_date(const struct loggops *engine, uint32_t host, uint32_t nic)
{
    return &engine->dates[(size_t)host * engine->n_dates + engine->n_cpus + nic];
}

static int64_t *receive_date(const struct loggops *engine, uint32_t host, uint32_t nic)
{
    return &engine->dates[(size_t)host * engine->n_dates + engine->n_cpus + engine->n_nics + nic];
}

static int64_t free_date(const struct loggops *engine, const struct item *item)
{
    int64_t cpu = *cpu_date(engine, item->host, item->cpu);
    switch (item->kind) {
    case ITEM_SEND:
        return later(cpu, *send_date(engine, item->host, item->nic));
    case ITEM_MESSAGE:
        if (engine->parameters.receive_by_nic) return *receive_date(engine, item->host, item->nic);
        return later(cpu, *receive_date(engine, item->host, item->nic));
    default:
        return cpu;
    }
}

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

/* Wait queues: pairing heaps by sequence. Most waiters come in order, and then each step is O(1). */

static struct pairing_links *links_of(const void *engine, uint32_t index)
{
    return &item_at(engine, index)->links;
}

static bool is_before(const void *engine, uint32_t a, uint32_t b)
{
    return item_at(engine, a)->sequence < item_at(engine, b)->sequence;
}

static uint32_t *queue_of(const struct loggops *engine, const struct item *item)
{
    uint32_t *queues = &engine->queues[(size_t)item->host * engine->n_queues];
    if (item->kind != ITEM_SEND && item->kind != ITEM_MESSAGE) return &queues[item->cpu];
    uint32_t pair = item->cpu * engine->n_nics + item->nic;
    uint32_t sends = engine->n_cpus, messages = sends + engine->n_cpus * engine->n_nics;
    return &queues[(item->kind == ITEM_SEND ? sends : messages) + pair];
}

/* Its resources are free from date_ps on; the host's wake comes no later. */
static void wait_until(struct loggops *engine, uint32_t index, int64_t date_ps)
{
    struct item *item = item_at(engine, index);
    struct heap *heap = &engine->kernel.heap;
    uint32_t *queue = queue_of(engine, item);
    item->links = (struct pairing_links){NONE, NONE};
    *queue = pairing_meld(engine, links_of, is_before, *queue, index);
    if (*queue != index) return;
    struct heap_entry wake = {date_ps, heap_word(item->sequence, item->host)};
    if (!heap_contains(heap, item->host) || heap_before(&wake, &heap->entries[heap->slot[item->host]]))
        kernel_set(&engine->kernel, date_ps, item->sequence, item->host);
}

static void schedule_item(struct loggops *engine, int64_t date_ps, uint32_t index)
{
    kernel_schedule(&engine->kernel, date_ps, item_at(engine, index)->sequence, engine->n_hosts + index);
}

void loggops_issue(struct loggops *engine, const struct loggops_operation *operation, int64_t release_ps)
{
    uint32_t index = pool_take(&engine->items);
    if (index == NONE || !kernel_reserve(&engine->kernel, engine->n_hosts + engine->items.n_used)) {
        engine->failed = true;
        return;
    }
    bool waits_for_match =
        operation->kind == LOGGOPS_SEND && operation->mode != PARCAST_SEND_BUFFERED &&
        (operation->mode == PARCAST_SEND_SYNCHRONOUS || operation->amount > engine->parameters.S_bytes);
    struct item *item = item_at(engine, index);
    *item = (struct item){.amount = operation->amount,
                          .sequence = kernel_sequence(&engine->kernel),
                          .host = operation->host,
                          .peer = operation->peer,
                          .tag = operation->tag,
                          .communicator = operation->communicator,
                          .user = operation->user,
                          .kind = (uint8_t)operation->kind,
                          .cpu = operation->cpu,
                          .nic = operation->nic,
                          .sleeps = operation->sleeps,
                          .waits_for_match = waits_for_match};
    int64_t date = free_date(engine, item);
    bool waits = item->kind != ITEM_RECEIVE && date > engine->kernel.now_ps && date >= release_ps;
    if (!engine->parameters.compat) date = later(date, later(release_ps, engine->kernel.now_ps));
    if (engine->chains) loggops_chain_issue(engine, index, cpu_date(engine, item->host, 0), date);
    if (waits && !engine->parameters.compat)
        wait_until(engine, index, date); /* as if put into the heap at that date, without its price */
    else
        schedule_item(engine, date, index);
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
    if (until_ps > free_ps) engine->waiting_ps[host] += until_ps - free_ps;
}

struct posted {
    const struct loggops *engine;
    uint32_t user;
};

static bool is_posted(const void *state, uint32_t receive)
{
    const struct posted *posted = state;
    return item_at(posted->engine, receive)->user == posted->user;
}

bool loggops_withdraw(struct loggops *engine, struct match_key key, uint32_t user)
{
    const struct posted posted = {engine, user};
    uint32_t receive = match_withdraw(&engine->matcher, key, is_posted, &posted);
    if (receive == MATCH_NONE) return false;
    pool_give(&engine->items, receive);
    return true;
}

bool loggops_probe(struct loggops *engine, struct match_key key)
{
    return match_probe(&engine->matcher, key) != MATCH_NONE;
}

/* What happens when an item's turn has come, at date t. */

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
    uint32_t in_flight = ++engine->in_flight[item->host];
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

static struct loggops_message message_of(const struct item *item)
{
    return (struct loggops_message){.source = (uint32_t)item->peer,
                                    .destination = item->host,
                                    .communicator = item->communicator,
                                    .tag = item->tag,
                                    .bytes = item->amount,
                                    .sent_ps = item->sent_ps};
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
    engine->in_flight[item->host]--;
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

static void run_item(struct loggops *engine, uint32_t index, int64_t t)
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

static bool needs_resources(const struct item *item)
{
    return item->kind != ITEM_RECEIVE && item->kind != ITEM_RELEASE;
}

/* The queue of the host whose head may go first; its key is the host's next wake. */
static uint32_t *first_queue(const struct loggops *engine, uint32_t host, int64_t *date_ps,
                             uint64_t *sequence)
{
    uint32_t *queues = &engine->queues[(size_t)host * engine->n_queues], *first = NULL;
    for (uint32_t q = 0; q < engine->n_queues; q++) {
        if (queues[q] == NONE) continue;
        const struct item *head = item_at(engine, queues[q]);
        int64_t date = later(free_date(engine, head), engine->kernel.now_ps);
        if (first && (date > *date_ps || (date == *date_ps && head->sequence > *sequence))) continue;
        first = &queues[q];
        *date_ps = date;
        *sequence = head->sequence;
    }
    return first;
}

static void wake(struct loggops *engine, uint32_t host)
{
    int64_t now = engine->kernel.now_ps, date = 0;
    uint64_t sequence = 0;
    uint32_t *queue = first_queue(engine, host, &date, &sequence);
    if (queue && date <= now) {
        uint32_t index = *queue;
        *queue = pairing_rest(engine, links_of, is_before, index);
        run_item(engine, index, now);
        queue = first_queue(engine, host, &date, &sequence);
    }
    if (queue) kernel_set(&engine->kernel, date, sequence, host);
}

static void handle_event(struct loggops *engine, uint32_t handle)
{
    if (handle < engine->n_hosts) {
        wake(engine, handle);
        return;
    }
    uint32_t index = handle - engine->n_hosts;
    const struct item *item = item_at(engine, index);
    int64_t now = engine->kernel.now_ps, date = needs_resources(item) ? free_date(engine, item) : now;
    if (date > now)
        wait_until(engine, index, date);
    else
        run_item(engine, index, now);
}

parcast_status loggops_run(struct loggops *engine, parcast_error *error)
{
    uint32_t handle;
    engine->client.settle(engine->client.state);
    while (kernel_next(&engine->kernel, &handle)) {
        handle_event(engine, handle);
        engine->client.settle(engine->client.state);
        if (engine->failed | engine->matcher.failed)
            return parcast_error_set(error, PARCAST_MEMORY, NULL, 0,
                                     "out of memory with %u operations and messages under way",
                                     engine->items.n_taken);
        if (engine->exhausted | kernel_exhausted(&engine->kernel))
            return parcast_error_set(error, PARCAST_LIMIT, NULL, 0,
                                     "the simulated time exceeds %d days, or there are too many events",
                                     (int)(KERNEL_LATEST_PS / KERNEL_SECOND_PS / 86400));
    }
    return PARCAST_OK;
}

int64_t loggops_end(const struct loggops *engine, uint32_t host)
{
    int64_t end = 0;
    for (uint32_t cpu = 0; cpu < engine->n_cpus; cpu++) end = later(end, *cpu_date(engine, host, cpu));
    return end;
}

uint32_t loggops_unreceived(const struct loggops *engine, struct loggops_message *first)
{
    uint32_t n, index = match_first_waiting(&engine->matcher, &n);
    if (n == 0) return 0;
    *first = message_of(item_at(engine, index));
    return n;
}
