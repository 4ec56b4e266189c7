#include "replay/schedules.h"

#include <string.h>

#include "replay/schedules_internal.h"

const char *schedule_algorithm_name(enum schedule_algorithm algorithm)
{
#define NAME(constant, name) name,
    static const char *const names[] = {SCHEDULE_ALGORITHM_LIST(NAME)};
    return (unsigned)algorithm < SCHEDULE_ALGORITHMS ? names[algorithm] : "?";
}

enum schedule_algorithm schedule_algorithm_named(const char *name)
{
    unsigned i = 0;
    while (i < SCHEDULE_ALGORITHMS && strcmp(schedule_algorithm_name((enum schedule_algorithm)i), name) != 0)
        i++;
    return (enum schedule_algorithm)i;
}

static schedule_step *step_of(parcast_collective collective, enum schedule_algorithm algorithm)
{
    schedule_step *step = schedule_rooted(collective, algorithm);
    if (!step) step = schedule_rootless(collective, algorithm);
    return step ? step : schedule_exchange(collective, algorithm);
}

bool schedule_has(parcast_collective collective, enum schedule_algorithm algorithm, uint32_t n_ranks)
{
    bool power = power_below(n_ranks) == n_ranks;
    if (!step_of(collective, algorithm)) return false;
    switch (algorithm) {
    case SCHEDULE_SCATTER_RECURSIVE_DOUBLING:
    case SCHEDULE_PAIRWISE_XOR:
        return power;
    case SCHEDULE_RECURSIVE_DOUBLING:
        return power ||
               (collective != PARCAST_COLLECTIVE_ALLGATHER && collective != PARCAST_COLLECTIVE_ALLGATHERV);
    case SCHEDULE_NEIGHBOR:
        return n_ranks % 2 == 0;
    case SCHEDULE_TWO_RANKS:
        return n_ranks == 2;
    default:
        return true;
    }
}

bool schedule_next(struct collective_schedule *s, struct schedule_action *action)
{
    if (s->n_ranks == 1) return false;
    while (s->next_action == s->n_actions) {
        s->next_action = s->n_actions = 0;
        if (!step_of(s->collective, s->algorithm)(s, s->step++)) return false;
    }
    *action = s->actions[s->next_action++];
    return true;
}
