#include <stddef.h>
#include <stdlib.h>

#include "core/lines.h"
#include "network/loggops_chains.h"
#include "network/loggops_internal.h"

#define NONE POOL_NONE

enum {
    LOOK_AHEAD_FROM = 8192 /* items: about what a cache of 1 MiB holds with all that belongs to them */
};

static void empty_host(struct loggops *engine, uint32_t number)
{
    memset(dates_of(engine, number), 0, engine->host_words * sizeof *engine->hosts);
    struct loggops_host *host = host_at(engine, number);
    host->wake_ps = NO_WAKE;
    for (uint32_t q = 0; q < engine->n_queues; q++) host->queues[q] = NONE;
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
    size_t bytes = engine->n_dates * sizeof(int64_t) + offsetof(struct loggops_host, queues) +
                   engine->n_queues * sizeof(uint32_t);
    engine->host_words = (bytes + LINE_BYTES - 1) / LINE_BYTES * (LINE_BYTES / sizeof(int64_t));
    engine->hosts = lines_allocate(n_hosts + (size_t)1, engine->host_words * sizeof *engine->hosts);
    if (!match_create(&engine->matcher) || !engine->hosts) {
        loggops_destroy(engine);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u hosts", n_hosts);
    }
    for (uint32_t h = 0; h < n_hosts; h++) empty_host(engine, h);
    for (unsigned i = 0; i < LOGGOPS_AHEAD; i++) engine->ahead.items[i] = NONE;
    return PARCAST_OK;
}

void loggops_destroy(struct loggops *engine)
{
    kernel_destroy(&engine->kernel);
    match_destroy(&engine->matcher);
    pool_destroy(&engine->items);
    free(engine->hosts);
    loggops_chains_destroy(&engine->chains);
    *engine = (struct loggops){0};
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
    uint32_t *queues = host_at(engine, item->host)->queues;
    if (item->kind != ITEM_SEND && item->kind != ITEM_MESSAGE) return &queues[item->cpu];
    uint32_t pair = item->cpu * engine->n_nics + item->nic;
    uint32_t sends = engine->n_cpus, messages = sends + engine->n_cpus * engine->n_nics;
    return &queues[(item->kind == ITEM_SEND ? sends : messages) + pair];
}

static void set_wake(struct loggops *engine, uint32_t number, int64_t date_ps, uint64_t sequence)
{
    struct loggops_host *host = host_at(engine, number);
    host->wake_ps = date_ps;
    host->wake_sequence = sequence;
    agenda_push(&engine->kernel.agenda, date_ps, sequence, number);
}

/* Its resources are free from date_ps on; the host's wake comes no later. */
static void wait_until(struct loggops *engine, uint32_t index, int64_t date_ps)
{
    struct item *item = item_at(engine, index);
    uint32_t *queue = queue_of(engine, item);
    item->links = (struct pairing_links){NONE, NONE};
    *queue = pairing_meld(engine, links_of, is_before, *queue, index);
    if (*queue != index) return;
    const struct loggops_host *host = host_at(engine, item->host);
    if (date_ps < host->wake_ps || (date_ps == host->wake_ps && item->sequence < host->wake_sequence))
        set_wake(engine, item->host, date_ps, item->sequence);
}

void loggops_issue(struct loggops *engine, const struct loggops_operation *operation, int64_t release_ps)
{
    uint32_t index = pool_take(&engine->items);
    if (index == NONE || engine->n_hosts + engine->items.n_used > HEAP_MOST_HANDLES) {
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

static bool needs_resources(const struct item *item)
{
    return item->kind != ITEM_RECEIVE && item->kind != ITEM_RELEASE;
}

/* The queue of the host whose head may go first; its key is the host's next wake. */
static uint32_t *first_queue(const struct loggops *engine, uint32_t host, int64_t *date_ps,
                             uint64_t *sequence)
{
    uint32_t *queues = host_at(engine, host)->queues, *first = NULL;
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
        loggops_run_item(engine, index, now);
        queue = first_queue(engine, host, &date, &sequence);
    }
    if (queue) set_wake(engine, host, date, sequence);
}

/* Is this the wake that counts, the one that was set last? */
static bool wake_counts(struct loggops *engine, uint32_t number)
{
    struct loggops_host *host = host_at(engine, number);
    const struct kernel *kernel = &engine->kernel;
    if (host->wake_ps != kernel->now_ps || host->wake_sequence != kernel->now_sequence) return false;
    host->wake_ps = NO_WAKE;
    return true;
}

/* False: it is one that counts no more, and it is not later than it was. */
static bool handle_event(struct loggops *engine, uint32_t handle, int64_t before_ps)
{
    int64_t now = engine->kernel.now_ps;
    if (handle < engine->n_hosts) {
        if (wake_counts(engine, handle)) {
            wake(engine, handle);
            return true;
        }
        engine->kernel.now_ps = before_ps;
        return false;
    }
    uint32_t index = handle - engine->n_hosts;
    const struct item *item = item_at(engine, index);
    int64_t date = needs_resources(item) ? free_date(engine, item) : now;
    if (date > now)
        wait_until(engine, index, date);
    else
        loggops_run_item(engine, index, now);
    return true;
}

parcast_status loggops_run(struct loggops *engine, parcast_error *error)
{
    uint32_t handle;
    engine->client.settle(engine->client.state);
    for (int64_t before_ps = engine->kernel.now_ps; kernel_next(&engine->kernel, &handle);) {
        if (engine->items.n_used >= LOOK_AHEAD_FROM) loggops_look_ahead(engine);
        if (!handle_event(engine, handle, before_ps)) continue;
        before_ps = engine->kernel.now_ps;
        engine->client.settle(engine->client.state);
        if (engine->failed | engine->matcher.failed | kernel_failed(&engine->kernel))
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

int64_t loggops_waiting(const struct loggops *engine, uint32_t host)
{
    return host_at(engine, host)->waiting_ps;
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
