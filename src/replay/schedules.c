#include "replay/schedules.h"

#include "replay/schedules_internal.h"

static schedule_step *find(const struct schedule_entry *table, parcast_collective collective,
                           enum collective_algorithm algorithm)
{
    for (; table->step; table++)
        if (table->collective == collective && table->algorithm == algorithm) return table->step;
    return NULL;
}

schedule_step *schedule_step_of(parcast_collective collective, enum collective_algorithm algorithm)
{
    static const struct schedule_entry *const tables[] = {schedule_trees,     schedule_rooted,
                                                          schedule_rootless,  schedule_reduce_scatters,
                                                          schedule_exchanges, schedule_compositions};
    schedule_step *step = NULL;
    for (unsigned i = 0; i < sizeof tables / sizeof tables[0] && !step; i++)
        step = find(tables[i], collective, algorithm);
    return step;
}

bool schedule_has(parcast_collective collective, enum collective_algorithm algorithm, uint32_t n_ranks)
{
    bool power = power_below(n_ranks) == n_ranks;
    if ((unsigned)algorithm >= COLLECTIVE_ALGORITHMS || !schedule_step_of(collective, algorithm))
        return false;
    switch (algorithm) {
    case ALGORITHM_PAIRWISE_XOR:
        return power;
    case ALGORITHM_RECURSIVE_DOUBLING:
        return power ||
               (collective != PARCAST_COLLECTIVE_ALLGATHER && collective != PARCAST_COLLECTIVE_ALLGATHERV);
    case ALGORITHM_NEIGHBOR:
        return n_ranks % 2 == 0;
    case ALGORITHM_TWO_RANKS:
        return n_ranks == 2;
    default:
        return true;
    }
}

void schedule_begin(struct collective_schedule *s)
{
    s->part = s->collective;
    s->algorithm = s->plan.algorithm;
    s->n_ranks = s->all_ranks;
    s->rank = s->own_rank;
    s->root = s->own_root;
    s->group = NULL;
    s->vector = s->bytes;
    s->step = s->phase = s->turn = s->n_actions = s->next_action = 0;
    s->inner = NULL;
    if (s->element_bytes < 1) s->element_bytes = 1;
    s->program = s->plan.hierarchy == HIERARCHY_FLAT ? schedule_step_of(s->collective, s->algorithm)
                                                     : schedule_by_node;
}

bool schedule_next(struct collective_schedule *s, struct schedule_action *action)
{
    if (s->all_ranks == 1 && s->n_sources + s->n_destinations == 0) return false;
    while (s->next_action == s->n_actions) {
        s->next_action = s->n_actions = 0;
        if (!s->program(s, s->step++)) return false;
    }
    *action = s->actions[s->next_action++];
    return true;
}
