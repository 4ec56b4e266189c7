/* Grids that are only to be ranked: the words of many at a time, before any border moves. */
#include <pthread.h>
#include <stdlib.h>

#include "core/crew.h"
#include "valueflow/distribution/trial.h"

struct counting {
    const parcast_values *values;
    const struct grid_choice *choices;
    struct grid_memory *memory;
    size_t *remembered; /* [n] where in the memory its words are; n of it: nowhere */
    struct grid_words *words;
    pthread_mutex_t lock;
};

/* Where everything lies, as one number. */
static uint64_t hash_parts(const uint32_t *part, uint32_t n)
{
    uint64_t h = 0x9e3779b97f4a7c15ull;
    for (uint32_t v = 0; v < n; v++) h = (h ^ part[v]) * 0xff51afd7ed558ccdull, h ^= h >> 32;
    return h;
}

/* Grids of several shapes may be the same: these are ranked only, and what is reported is counted. Whoever
 * meets one first counts it, which may take until the others are done. */
static bool is_counted(struct counting *c, uint64_t hash, size_t *at)
{
    struct grid_memory *memory = c->memory;
    pthread_mutex_lock(&c->lock);
    for (*at = 0; *at < memory->n && memory->hash[*at] != hash;) ++*at;
    bool found = *at < memory->n;
    if (!found && memory->n < GRID_REMEMBERED) memory->hash[memory->n++] = hash;
    pthread_mutex_unlock(&c->lock);
    return found;
}

static parcast_status count_one(void *context, size_t i, parcast_error *error)
{
    struct counting *c = context;
    const struct grid_choice *choice = &c->choices[i];
    struct grid_trial trial = {0};
    parcast_status status = trial_place(c->values, choice, WAY_SPACE, choice->space, &trial, error);
    c->remembered[i] = GRID_REMEMBERED;
    c->words[i] = (struct grid_words){.is_none = status == PARCAST_INVALID};
    if (!status && !is_counted(c, hash_parts(trial.part, c->values->n_vertices), &c->remembered[i])) {
        status = trial_count(c->values, choice, &trial, error);
        c->words[i] = (struct grid_words){trial.flow.words, trial.flow.imbalance_ratio, false};
        if (c->remembered[i] < GRID_REMEMBERED) c->memory->words[c->remembered[i]] = c->words[i];
    }
    trial_clear(&trial);
    return c->words[i].is_none ? PARCAST_OK : status;
}

parcast_status grid_count_still(const parcast_values *values, const struct grid_choice *choices, size_t n,
                                struct grid_memory *memory, struct grid_words *words, parcast_error *error)
{
    struct counting c = {.values = values, .choices = choices, .memory = memory, .words = words};
    c.remembered = malloc((n + 1) * sizeof *c.remembered);
    if (!c.remembered || pthread_mutex_init(&c.lock, NULL)) {
        free(c.remembered);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu grids", n);
    }
    parcast_status status = crew_run(n, count_one, &c, error);
    for (size_t i = 0; !status && i < n; i++)
        if (c.remembered[i] < GRID_REMEMBERED) words[i] = memory->words[c.remembered[i]];
    pthread_mutex_destroy(&c.lock);
    free(c.remembered);
    return status;
}
