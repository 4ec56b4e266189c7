/** What the LogGOPS engine's files share: an operation or message on its way, and when resources are free. */
#ifndef PARCAST_NETWORK_LOGGOPS_INTERNAL_H
#define PARCAST_NETWORK_LOGGOPS_INTERNAL_H

#include "core/pairing.h"
#include "network/loggops.h"

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

static inline struct item *item_at(const struct loggops *engine, uint32_t index)
{
    return (struct item *)engine->items.records + index;
}

static inline int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* When resources are free. */

/* A host as it lies in memory, in one cache line if it has one CPU and one interface:

       dates    [n_dates] when a resource is free: CPUs, sending, receiving
       struct loggops_host
       queues   [n_queues] roots of pairing heaps by sequence: waiters for a CPU; for (CPU, interface) to
   send; for (CPU, interface) to receive */
struct loggops_host {
    int64_t waiting_ps; /* see loggops_waiting */
    int64_t wake_ps;    /* NO_WAKE: nothing waits */
    uint64_t wake_sequence;
    uint32_t in_flight; /* messages on their way to it */
    uint32_t queues[];
};

#define NO_WAKE INT64_MAX

static inline int64_t *dates_of(const struct loggops *engine, uint32_t host)
{
    return engine->hosts + host * engine->host_words;
}

static inline struct loggops_host *host_at(const struct loggops *engine, uint32_t host)
{
    return (struct loggops_host *)(dates_of(engine, host) + engine->n_dates);
}

static inline int64_t *cpu_date(const struct loggops *engine, uint32_t host, uint32_t cpu)
{
    return &dates_of(engine, host)[cpu];
}

static inline int64_t *send_date(const struct loggops *engine, uint32_t host, uint32_t nic)
{
    return &dates_of(engine, host)[engine->n_cpus + nic];
}

static inline int64_t *receive_date(const struct loggops *engine, uint32_t host, uint32_t nic)
{
    return &dates_of(engine, host)[engine->n_cpus + engine->n_nics + nic];
}

static inline int64_t free_date(const struct loggops *engine, const struct item *item)
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

static inline void schedule_item(struct loggops *engine, int64_t date_ps, uint32_t index)
{
    kernel_schedule(&engine->kernel, date_ps, item_at(engine, index)->sequence, engine->n_hosts + index);
}

static inline struct loggops_message message_of(const struct item *item)
{
    return (struct loggops_message){.source = (uint32_t)item->peer,
                                    .destination = item->host,
                                    .communicator = item->communicator,
                                    .tag = item->tag,
                                    .bytes = item->amount,
                                    .sent_ps = item->sent_ps};
}

/** Fetch what the next events will touch. */
void loggops_look_ahead(struct loggops *engine);

/** An item's turn has come, at date t. */
void loggops_run_item(struct loggops *engine, uint32_t index, int64_t t);

#endif
