/**
 * Chains of the LogGOPS engine: what the dates of its resources and of its operations consist of. Every date
 * of the engine is a maximum of others plus something known, so its chain is the chain of the one that was
 * latest, extended.
 */
#ifndef PARCAST_NETWORK_LOGGOPS_CHAINS_H
#define PARCAST_NETWORK_LOGGOPS_CHAINS_H

#include "network/chain.h"
#include "network/loggops.h"

struct loggops_chains {
    struct chain_layout layout;
    int64_t *dates; /**< [n_hosts][n_dates] of the hosts' dates */
    int64_t *items; /**< of the date at which an item may happen; [n_items] of the pool's records */
    uint32_t n_items;
    int64_t *now; /**< of the event under work: of kernel.now_ps */
};

/** The chain of a resource's date, by the place of the date. */
static inline int64_t *loggops_date_chain(const struct loggops *engine, const int64_t *date)
{
    size_t at = (size_t)(date - engine->hosts);
    size_t number = at / engine->host_words * engine->n_dates + at % engine->host_words;
    return engine->chains->dates + number * engine->chains->layout.n_parts;
}

static inline int64_t *loggops_item_chain(const struct loggops *engine, uint32_t index)
{
    return engine->chains->items + (size_t)index * engine->chains->layout.n_parts;
}

/** A time that an event adds. */
struct loggops_piece {
    uint32_t part;
    int64_t ps;
};

void loggops_chains_destroy(struct loggops_chains **chains);

/** An item was issued for a date: by the event under work, or by what has kept a CPU or interface until then.
 * host_dates: [n_dates] of its host. */
void loggops_chain_issue(struct loggops *engine, uint32_t index, const int64_t *host_dates, int64_t date_ps);

/** An item happens at t, held up last by itself or by one of up to two resources (NULL: none). */
void loggops_chain_begin(struct loggops *engine, uint32_t index, const int64_t *first, const int64_t *second,
                         int64_t t);

/** A chain becomes that of the event under work, and two pieces more; operation: part of the message that
 * they are spent on, CHAIN_DATE if none. */
void loggops_chain_extend(const struct loggops *engine, int64_t *chain, uint32_t operation,
                          struct loggops_piece one, struct loggops_piece two);

#endif
