/*
 * Many hosts and messages do not fit into a cache, and an event touches about ten places that nothing else
 * has touched for long. Which events come next is known some way ahead: what they will touch is fetched
 * meanwhile, in stages, because each place says where the next one is.
 *
 *     ahead  of a wake                  of a message                      of an operation
 *     31     host                       message                           operation
 *     23     operations that wait       host, place of its matching       host, place of its matching
 *     17     destination of a send      receive                           what it meets
 *     12, 8, 4                          what the client keeps of the operation, and where that leads
 *
 * Nothing here changes what happens.
 */
#include "network/loggops_internal.h"

#define NONE POOL_NONE

static struct match_key key_of(const struct item *item)
{
    return (struct match_key){item->host, item->communicator, item->peer, item->tag};
}

static bool is_matched(const struct item *item)
{
    return item->kind == ITEM_MESSAGE || item->kind == ITEM_RECEIVE || item->kind == ITEM_RECEPTION;
}

/* What a message or a receive will meet. A wildcard's is not looked for. */
static uint32_t other_side(const struct loggops *engine, const struct item *item)
{
    if (!is_matched(item)) return NONE;
    uint32_t other = match_expected(&engine->matcher, key_of(item));
    return other == MATCH_NONE ? NONE : other;
}

static void fetch_event(const struct loggops *engine, uint32_t handle)
{
    if (handle < engine->n_hosts)
        __builtin_prefetch(dates_of(engine, handle), 1);
    else
        __builtin_prefetch(item_at(engine, handle - engine->n_hosts), 1);
}

static void fetch_places(const struct loggops *engine, uint32_t handle)
{
    if (handle < engine->n_hosts) {
        const struct loggops_host *host = host_at(engine, handle);
        for (uint32_t q = 0; q < engine->n_queues; q++)
            if (host->queues[q] != NONE) __builtin_prefetch(item_at(engine, host->queues[q]), 1);
        return;
    }
    const struct item *item = item_at(engine, handle - engine->n_hosts);
    __builtin_prefetch(dates_of(engine, item->host), 1);
    if (is_matched(item)) match_foresee(&engine->matcher, key_of(item));
}

/* The operation that an event is about: a wake's is the one that it was set for. */
static uint32_t item_of(const struct loggops *engine, uint32_t handle)
{
    if (handle >= engine->n_hosts) return handle - engine->n_hosts;
    const struct loggops_host *host = host_at(engine, handle);
    for (uint32_t q = 0; q < engine->n_queues; q++)
        if (host->queues[q] != NONE && item_at(engine, host->queues[q])->sequence == host->wake_sequence)
            return host->queues[q];
    return NONE;
}

/* Returns the operation that the client will hear of, NONE: not known. */
static uint32_t fetch_others(const struct loggops *engine, uint32_t handle)
{
    uint32_t index = item_of(engine, handle);
    if (index == NONE) return NONE;
    const struct item *item = item_at(engine, index);
    if (item->kind == ITEM_SEND) __builtin_prefetch(dates_of(engine, (uint32_t)item->peer), 1);
    uint32_t other = other_side(engine, item);
    if (other != NONE) __builtin_prefetch(item_at(engine, other), 1);
    return item->kind == ITEM_MESSAGE || item->kind == ITEM_RECEPTION ? other : index;
}

static void tell_client(const struct loggops *engine, uint32_t index, unsigned stage)
{
    const struct item *item = item_at(engine, index);
    engine->client.foresee(engine->client.state, item->host, item->user, stage);
}

enum { EVENT, PLACES, OTHERS, CLIENT };
enum { CLIENT_STAGES = 3 };
static const uint32_t ahead_by[CLIENT + CLIENT_STAGES] = {LOGGOPS_AHEAD - 1, 23, 17, 12, 8, 4};

static void fetch(struct loggops *engine, unsigned stage, uint32_t n)
{
    uint32_t handle = agenda_ahead(&engine->kernel.agenda, n);
    if (handle == AGENDA_NONE) return;
    uint32_t *item = &engine->ahead.items[(engine->kernel.agenda.first + n) % LOGGOPS_AHEAD];
    if (stage == EVENT)
        fetch_event(engine, handle);
    else if (stage == PLACES)
        fetch_places(engine, handle);
    else if (stage == OTHERS)
        *item = fetch_others(engine, handle);
    else if (*item != NONE)
        tell_client(engine, *item, stage - CLIENT);
}

void loggops_look_ahead(struct loggops *engine)
{
    unsigned n_stages = engine->client.foresee ? CLIENT + CLIENT_STAGES : CLIENT;
    if (engine->ahead.n_refills == engine->kernel.agenda.n_refills) {
        for (unsigned stage = 0; stage < n_stages; stage++) fetch(engine, stage, ahead_by[stage]);
        return;
    }
    engine->ahead.n_refills = engine->kernel.agenda.n_refills; /* none of these has been looked at */
    for (unsigned stage = 0; stage < n_stages; stage++)
        for (uint32_t n = 0; n <= ahead_by[stage]; n++) fetch(engine, stage, n);
}
