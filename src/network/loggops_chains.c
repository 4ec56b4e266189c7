#include "network/loggops_chains.h"
#include "network/loggops_internal.h"

#include <stdlib.h>

bool loggops_follow(struct loggops *engine, const struct chain_layout *layout)
{
    struct loggops_chains *chains = calloc(1, sizeof *chains);
    if (!chains) return false;
    size_t n_dates = (size_t)engine->n_hosts * engine->n_dates + 1;
    chains->layout = *layout;
    chains->dates = calloc(n_dates * layout->n_parts, sizeof *chains->dates);
    chains->now = calloc(layout->n_parts, sizeof *chains->now);
    engine->chains = chains;
    if (chains->dates && chains->now) return true;
    loggops_chains_destroy(&engine->chains);
    return false;
}

void loggops_chains_destroy(struct loggops_chains **chains)
{
    if (!*chains) return;
    free((*chains)->dates);
    free((*chains)->items);
    free((*chains)->now);
    free(*chains);
    *chains = NULL;
}

const int64_t *loggops_end_chain(const struct loggops *engine, uint32_t host)
{
    const int64_t *cpus = dates_of(engine, host), *last = cpus;
    for (uint32_t cpu = 1; cpu < engine->n_cpus; cpu++)
        if (cpus[cpu] > *last) last = &cpus[cpu];
    return loggops_date_chain(engine, last);
}

const int64_t *loggops_now_chain(const struct loggops *engine)
{
    return engine->chains->now;
}

static bool have_room(struct loggops *engine)
{
    struct loggops_chains *chains = engine->chains;
    if (engine->items.n_records == chains->n_items) return true;
    size_t n = (size_t)engine->items.n_records * chains->layout.n_parts;
    int64_t *items = realloc(chains->items, n * sizeof *items);
    if (!items) {
        engine->failed = true;
        return false;
    }
    chains->items = items;
    chains->n_items = engine->items.n_records;
    return true;
}

/* The date is now, or one at which something on the host is free: it was released by that. */
void loggops_chain_issue(struct loggops *engine, uint32_t index, const int64_t *host_dates, int64_t date_ps)
{
    const int64_t *from = engine->chains->now;
    if (!have_room(engine)) return;
    for (uint32_t i = 0; from[CHAIN_DATE] != date_ps && i < engine->n_dates; i++)
        if (host_dates[i] == date_ps) from = loggops_date_chain(engine, &host_dates[i]);
    assert(from[CHAIN_DATE] == date_ps);
    chain_copy(loggops_item_chain(engine, index), from, engine->chains->layout.n_parts);
}

void loggops_chain_begin(struct loggops *engine, uint32_t index, const int64_t *first, const int64_t *second,
                         int64_t t)
{
    const int64_t *from = loggops_item_chain(engine, index);
    if (from[CHAIN_DATE] != t && first && *first == t) from = loggops_date_chain(engine, first);
    if (from[CHAIN_DATE] != t && second && *second == t) from = loggops_date_chain(engine, second);
    assert(from[CHAIN_DATE] == t);
    chain_copy(engine->chains->now, from, engine->chains->layout.n_parts);
}

void loggops_chain_extend(const struct loggops *engine, int64_t *chain, uint32_t operation,
                          struct loggops_piece one, struct loggops_piece two)
{
    chain_copy(chain, engine->chains->now, engine->chains->layout.n_parts);
    chain_add(chain, one.part, one.ps);
    chain_add(chain, two.part, two.ps);
    if (operation != CHAIN_DATE) chain[operation] += one.ps + two.ps;
}
