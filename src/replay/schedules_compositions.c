/*
 * Collectives that are made of others: one after the other, or inside nodes and among the nodes' leaders.
 *
 * Source of the second kind: compositions of MPICH's device ch4, read for their behaviour.
 */
#include "replay/schedules_internal.h"

/* Set the part up that turn s->turn is; false when there are no more. s->n_ranks 0: this rank has no part. */
typedef bool set_up(struct collective_schedule *s);

static bool take_turns(struct collective_schedule *s, uint32_t step, set_up *next)
{
    for (;;) {
        if (!s->inner) {
            s->phase = 0;
            if (!next(s)) return false;
            step = 0;
            s->step = 1; /* this call is step 0 of the part */
        }
        if (s->n_ranks > 1 && s->inner(s, step)) return true;
        s->inner = NULL;
        s->turn++;
    }
}

static bool begin_part(struct collective_schedule *s, parcast_collective part,
                       enum collective_algorithm algorithm, uint32_t root)
{
    s->part = part;
    s->algorithm = algorithm;
    s->root = root;
    s->inner = schedule_step_of(part, algorithm);
    return true;
}

/* One after the other. */

/* algorithms: of the parts, COLLECTIVE_ALGORITHMS where the plan says them. */
static const struct composition {
    parcast_collective collective;
    enum collective_algorithm algorithm;
    parcast_collective parts[2];
    enum collective_algorithm algorithms[2];
} compositions[] = {
#define MADE_OF(collective, algorithm, first, second, first_algorithm, second_algorithm)                     \
    {PARCAST_COLLECTIVE_##collective,                                                                        \
     ALGORITHM_##algorithm,                                                                                  \
     {PARCAST_COLLECTIVE_##first, PARCAST_COLLECTIVE_##second},                                              \
     {first_algorithm, second_algorithm}},
    /* clang-format off */
    MADE_OF(ALLREDUCE, NAIVE, REDUCE, BCAST, ALGORITHM_NAIVE, ALGORITHM_NAIVE)
    MADE_OF(ALLREDUCE, LINEAR, REDUCE, BCAST, ALGORITHM_LINEAR, ALGORITHM_LINEAR)
    MADE_OF(ALLREDUCE, REDUCE_BCAST, REDUCE, BCAST, COLLECTIVE_ALGORITHMS, COLLECTIVE_ALGORITHMS)
    MADE_OF(ALLGATHER, LINEAR, GATHER, BCAST, COLLECTIVE_ALGORITHMS, COLLECTIVE_ALGORITHMS)
    MADE_OF(ALLGATHER, GATHERV_BCAST, GATHERV, BCAST, COLLECTIVE_ALGORITHMS, COLLECTIVE_ALGORITHMS)
    MADE_OF(ALLGATHERV, GATHERV_BCAST, GATHERV, BCAST, COLLECTIVE_ALGORITHMS, COLLECTIVE_ALGORITHMS)
    MADE_OF(REDUCE_SCATTER, NAIVE, REDUCE, SCATTERV, ALGORITHM_NAIVE, ALGORITHM_NAIVE)
    MADE_OF(REDUCE_SCATTER_BLOCK, NAIVE, REDUCE, SCATTER, ALGORITHM_NAIVE, ALGORITHM_NAIVE)
    MADE_OF(REDUCE_SCATTER, REDUCE_SCATTERV, REDUCE, SCATTERV, COLLECTIVE_ALGORITHMS, COLLECTIVE_ALGORITHMS)
    MADE_OF(REDUCE_SCATTER_BLOCK, REDUCE_SCATTERV, REDUCE, SCATTER, COLLECTIVE_ALGORITHMS, COLLECTIVE_ALGORITHMS)
/* clang-format on */
#undef MADE_OF
};

static const struct composition *find(parcast_collective collective, enum collective_algorithm algorithm)
{
    for (size_t i = 0; i < sizeof compositions / sizeof compositions[0]; i++)
        if (compositions[i].collective == collective && compositions[i].algorithm == algorithm)
            return &compositions[i];
    return NULL;
}

bool schedule_is_composed(parcast_collective collective, enum collective_algorithm algorithm,
                          parcast_collective parts[2])
{
    const struct composition *c = find(collective, algorithm);
    if (!c || c->algorithms[0] != COLLECTIVE_ALGORITHMS) return false;
    parts[0] = c->parts[0];
    parts[1] = c->parts[1];
    return true;
}

static bool next_of_two(struct collective_schedule *s)
{
    const struct composition *c = find(s->collective, s->plan.algorithm);
    if (s->turn > 1) return false;
    enum collective_algorithm fixed = c->algorithms[s->turn];
    if (s->collective != PARCAST_COLLECTIVE_ALLREDUCE) s->vector = blocks(s, 0, s->all_ranks).bytes;
    return begin_part(s, c->parts[s->turn], fixed == COLLECTIVE_ALGORITHMS ? s->plan.parts[s->turn] : fixed,
                      0);
}

static bool two_parts(struct collective_schedule *s, uint32_t step)
{
    return take_turns(s, step, next_of_two);
}

/* By node. */

static void in_node(struct collective_schedule *s, uint32_t root, bool takes_part)
{
    const struct schedule_nodes *nodes = s->nodes;
    uint32_t node = nodes->node_of[s->own_rank], begin = nodes->begin[node];
    s->group = nodes->members + begin;
    s->n_ranks = takes_part ? nodes->begin[node + 1] - begin : 0;
    s->rank = nodes->place[s->own_rank];
    s->root = root;
}

static void among_leaders(struct collective_schedule *s, uint32_t root)
{
    const struct schedule_nodes *nodes = s->nodes;
    s->group = nodes->leaders;
    s->n_ranks = nodes->place[s->own_rank] == 0 ? nodes->n_nodes : 0;
    s->rank = nodes->node_of[s->own_rank];
    s->root = root;
}

/* One message between two members, from rank 0 to rank 1 of the group {from, to}. */
static bool hand_over(struct collective_schedule *s, uint32_t step)
{
    if (step > 0) return false;
    emit_blocking(s, s->rank == 0, s->root, whole(s));
    return true;
}

/* Ranks are those of the operation: rank is 0 at the giving end, root is the other end. */
static bool begin_hand_over(struct collective_schedule *s, uint32_t from, uint32_t to)
{
    bool gives = s->own_rank == from, takes = s->own_rank == to;
    s->group = NULL;
    s->n_ranks = from != to && (gives || takes) ? 2 : 0;
    s->rank = !gives;
    s->root = gives ? to : from;
    s->inner = hand_over;
    return true;
}

static uint32_t root_node(const struct collective_schedule *s)
{
    return s->nodes->node_of[s->own_root];
}

static bool is_on_root_node(const struct collective_schedule *s)
{
    return s->nodes->node_of[s->own_rank] == root_node(s);
}

static bool next_of_bcast(struct collective_schedule *s)
{
    const parcast_collective bcast = PARCAST_COLLECTIVE_BCAST;
    bool root_leads = s->nodes->place[s->own_root] == 0;
    bool by_root = s->plan.hierarchy == HIERARCHY_ROOT_NODE && !root_leads;
    switch (s->turn) {
    case 0:
        if (!by_root) return begin_hand_over(s, s->own_root, s->nodes->leaders[root_node(s)]);
        in_node(s, s->nodes->place[s->own_root], is_on_root_node(s));
        return begin_part(s, bcast, s->plan.parts[0], s->root);
    case 1:
        among_leaders(s, root_node(s));
        return begin_part(s, bcast, s->plan.parts[1], s->root);
    case 2:
        in_node(s, 0, !(by_root && is_on_root_node(s)));
        return begin_part(s, bcast, s->plan.parts[0], 0);
    default:
        return false;
    }
}

static bool next_of_reduce(struct collective_schedule *s)
{
    const parcast_collective reduce = PARCAST_COLLECTIVE_REDUCE;
    bool by_root = s->plan.hierarchy == HIERARCHY_ROOT_NODE;
    switch (s->turn) {
    case 0:
        in_node(s, 0, !(by_root && is_on_root_node(s)));
        return begin_part(s, reduce, s->plan.parts[0], 0);
    case 1:
        among_leaders(s, by_root ? root_node(s) : 0);
        return begin_part(s, reduce, s->plan.parts[1], s->root);
    case 2:
        if (!by_root) return begin_hand_over(s, 0, s->own_root);
        in_node(s, s->nodes->place[s->own_root], is_on_root_node(s));
        return begin_part(s, reduce, s->plan.parts[0], s->root);
    default:
        return false;
    }
}

static bool next_of_allreduce(struct collective_schedule *s)
{
    if (s->turn > 2) return false;
    if (s->turn == 1)
        among_leaders(s, 0);
    else
        in_node(s, 0, true);
    const parcast_collective parts[] = {PARCAST_COLLECTIVE_REDUCE, s->collective, PARCAST_COLLECTIVE_BCAST};
    return begin_part(s, parts[s->turn], s->plan.parts[s->turn == 1], 0);
}

/* A barrier inside the nodes is a reduction and a broadcast of nothing; a byte tells the nodes of the end. */
static bool next_of_barrier(struct collective_schedule *s)
{
    if (s->turn > 3) return false;
    if (s->turn == 2)
        among_leaders(s, 0);
    else
        in_node(s, 0, true);
    const parcast_collective parts[] = {PARCAST_COLLECTIVE_REDUCE, PARCAST_COLLECTIVE_BCAST,
                                        PARCAST_COLLECTIVE_BARRIER, PARCAST_COLLECTIVE_BCAST};
    s->vector = s->turn == 3;
    return begin_part(s, parts[s->turn], s->plan.parts[s->turn == 2], 0);
}

/* The sum of what the nodes before hold goes from leader to leader. */
static bool pass_prefix(struct collective_schedule *s, uint32_t step)
{
    if (step == 0 && s->rank + 1 < s->n_ranks) emit_blocking(s, true, s->rank + 1, whole(s));
    if (step == 1 && s->rank > 0) emit_blocking(s, false, s->rank - 1, whole(s));
    return step <= 1;
}

static bool next_of_scan(struct collective_schedule *s)
{
    const struct schedule_nodes *nodes = s->nodes;
    uint32_t node = nodes->node_of[s->own_rank];
    switch (s->turn) {
    case 0:
        in_node(s, 0, true);
        return begin_part(s, s->collective, s->plan.parts[1], 0);
    case 1:
        return begin_hand_over(s, nodes->members[nodes->begin[node + 1] - 1], nodes->leaders[node]);
    case 2:
        among_leaders(s, 0);
        return begin_part(s, s->collective, s->plan.parts[1], 0);
    case 3:
        among_leaders(s, 0);
        s->inner = pass_prefix;
        return true;
    case 4:
        in_node(s, 0, node > 0);
        return begin_part(s, PARCAST_COLLECTIVE_BCAST, s->plan.parts[0], 0);
    default:
        return false;
    }
}

bool schedule_by_node(struct collective_schedule *s, uint32_t step)
{
    switch (s->collective) {
    case PARCAST_COLLECTIVE_BCAST:
        return take_turns(s, step, next_of_bcast);
    case PARCAST_COLLECTIVE_REDUCE:
        return take_turns(s, step, next_of_reduce);
    case PARCAST_COLLECTIVE_ALLREDUCE:
        return take_turns(s, step, next_of_allreduce);
    case PARCAST_COLLECTIVE_BARRIER:
        return take_turns(s, step, next_of_barrier);
    case PARCAST_COLLECTIVE_SCAN:
        return take_turns(s, step, next_of_scan);
    default:
        return false; /* collective_hierarchy_of names no others */
    }
}

const struct schedule_entry schedule_compositions[] = {
    {PARCAST_COLLECTIVE_ALLREDUCE, ALGORITHM_NAIVE, two_parts},
    {PARCAST_COLLECTIVE_ALLREDUCE, ALGORITHM_LINEAR, two_parts},
    {PARCAST_COLLECTIVE_ALLREDUCE, ALGORITHM_REDUCE_BCAST, two_parts},
    {PARCAST_COLLECTIVE_ALLGATHER, ALGORITHM_LINEAR, two_parts},
    {PARCAST_COLLECTIVE_ALLGATHER, ALGORITHM_GATHERV_BCAST, two_parts},
    {PARCAST_COLLECTIVE_ALLGATHERV, ALGORITHM_GATHERV_BCAST, two_parts},
    {PARCAST_COLLECTIVE_REDUCE_SCATTER, ALGORITHM_NAIVE, two_parts},
    {PARCAST_COLLECTIVE_REDUCE_SCATTER_BLOCK, ALGORITHM_NAIVE, two_parts},
    {PARCAST_COLLECTIVE_REDUCE_SCATTER, ALGORITHM_REDUCE_SCATTERV, two_parts},
    {PARCAST_COLLECTIVE_REDUCE_SCATTER_BLOCK, ALGORITHM_REDUCE_SCATTERV, two_parts},
    {0},
};
