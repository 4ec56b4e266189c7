/*
 * Building a GOAL program: operations of the current rank stay open for dependences, the oldest half of them
 * is coded and let go when there are too many.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/goal.h"
#include "trace/goal_code.h"

#define NONE UINT32_MAX

struct goal_open {
    parcast_goal_operation operation;
    uint32_t n_required, n_dependents;
    uint32_t first, last; /* of its dependents, in the order of the text */
};

struct goal_dependence {
    int64_t dependent; /* 2 * distance + started */
    uint32_t next;
};

static parcast_status out_of_memory(parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a program");
}

parcast_status parcast_goal_create(int n_ranks, parcast_goal **goal, parcast_error *error)
{
    if (n_ranks < 1 || n_ranks > PARCAST_GOAL_MOST_RANKS)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "%d ranks; a program has 1 to %d", n_ranks,
                                 PARCAST_GOAL_MOST_RANKS);
    parcast_goal *g = calloc(1, sizeof *g);
    if (!g) return out_of_memory(error);
    goal_store_create(&g->store);
    g->n_ranks = n_ranks;
    g->n_cpus = g->n_nics = 1;
    g->rank = -1;
    g->free_dependence = NONE;
    g->ranks = calloc((size_t)n_ranks, sizeof *g->ranks);
    if (!g->ranks) {
        parcast_goal_destroy(&g);
        return out_of_memory(error);
    }
    *goal = g;
    return PARCAST_OK;
}

static void free_building(parcast_goal *goal)
{
    free(goal->open);
    free(goal->dependences);
    goal->open = NULL;
    goal->dependences = NULL;
    goal->open_room = goal->dependence_room = 0;
}

void parcast_goal_destroy(parcast_goal **goal)
{
    if (!*goal) return;
    free_building(*goal);
    goal_store_destroy(&(*goal)->store);
    free((*goal)->ranks);
    free((*goal)->source);
    free(*goal);
    *goal = NULL;
}

int parcast_goal_ranks(const parcast_goal *goal)
{
    return goal->n_ranks;
}

uint64_t parcast_goal_operations(const parcast_goal *goal)
{
    return goal->n_operations;
}

static unsigned char *put_operation(const parcast_goal *goal, const struct goal_open *open, int line_before,
                                    unsigned char *at)
{
    const parcast_goal_operation *o = &open->operation;
    bool message = o->kind != PARCAST_GOAL_COMPUTE, tagged = o->tag != 0, placed = o->cpu || o->nic;
    *at++ = (unsigned char)((unsigned)o->kind | (tagged ? GOAL_TAGGED : 0U) | (placed ? GOAL_PLACED : 0U));
    at = goal_put(at, (uint64_t)o->amount);
    if (message) at = goal_put_signed(at, (int64_t)o->peer - goal->rank);
    if (tagged) at = goal_put_signed(at, o->tag);
    if (placed) *at++ = (unsigned char)o->cpu;
    if (placed) *at++ = (unsigned char)o->nic;
    at = goal_put_signed(at, (int64_t)o->line - line_before);
    at = goal_put(at, open->n_required);
    return goal_put(at, open->n_dependents);
}

static parcast_status flush_operation(parcast_goal *goal, const struct goal_open *open, parcast_error *error)
{
    unsigned char code[GOAL_MOST_CODE], *end = put_operation(goal, open, goal->line_before, code);
    goal->line_before = open->operation.line;
    parcast_status status = goal_store_append(&goal->store, code, (size_t)(end - code), error);
    for (uint32_t i = open->first; i != NONE && !status;) {
        struct goal_dependence *dependence = &goal->dependences[i];
        uint32_t next = dependence->next;
        end = goal_put_signed(code, dependence->dependent);
        status = goal_store_append(&goal->store, code, (size_t)(end - code), error);
        dependence->next = goal->free_dependence;
        goal->free_dependence = i;
        i = next;
    }
    if (open->n_required == 0) goal->ranks[goal->rank].n_first = goal->n_flushed + 1;
    goal->n_flushed++;
    return status;
}

static parcast_status flush_operations(parcast_goal *goal, uint32_t n, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (uint32_t i = 0; i < n && !status; i++) status = flush_operation(goal, &goal->open[i], error);
    goal->n_open -= n;
    if (goal->n_open) memmove(goal->open, goal->open + n, goal->n_open * sizeof *goal->open);
    return status;
}

static parcast_status end_rank(parcast_goal *goal, parcast_error *error)
{
    if (goal->rank < 0) return PARCAST_OK;
    struct goal_rank *rank = &goal->ranks[goal->rank];
    parcast_status status = flush_operations(goal, goal->n_open, error);
    rank->end = goal_store_size(&goal->store);
    rank->n_operations = goal->n_flushed;
    goal->n_operations += rank->n_operations;
    goal->rank = -1;
    return status;
}

parcast_status parcast_goal_begin(parcast_goal *goal, int rank, parcast_error *error)
{
    if (goal->finished) return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "the program is finished");
    if (rank < 0 || rank >= goal->n_ranks)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "rank %d is not below %d, the number of ranks",
                                 rank, goal->n_ranks);
    if (goal->ranks[rank].begun)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "rank %d stands twice", rank);
    parcast_status status = end_rank(goal, error);
    if (status) return status;
    goal->rank = rank;
    goal->n_flushed = 0;
    goal->line_before = 0;
    goal->ranks[rank] = (struct goal_rank){.begin = goal_store_size(&goal->store), .begun = true};
    return PARCAST_OK;
}

static parcast_status check_message(const parcast_goal *goal, const parcast_goal_operation *o,
                                    parcast_error *error)
{
    bool receive = o->kind == PARCAST_GOAL_RECEIVE;
    const char *what = receive ? "recv" : "send";
    if (o->peer >= goal->n_ranks || o->peer < (receive ? PARCAST_GOAL_ANY : 0))
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "%s: no rank %d among %d", what, o->peer,
                                 goal->n_ranks);
    if (o->tag < (receive ? PARCAST_GOAL_ANY : 0))
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "%s: tag %d is negative", what, o->tag);
    return PARCAST_OK;
}

static parcast_status check_operation(const parcast_goal *goal, const parcast_goal_operation *o,
                                      parcast_error *error)
{
    if (goal->rank < 0)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "an operation outside of a rank");
    if (o->amount < 0)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "a negative size or time: %lld",
                                 (long long)o->amount);
    if (o->cpu < 0 || o->cpu >= PARCAST_GOAL_MOST_CPUS || o->nic < 0 || o->nic >= PARCAST_GOAL_MOST_CPUS)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "cpu %d, nic %d: both are 0 to %d", o->cpu,
                                 o->nic, PARCAST_GOAL_MOST_CPUS - 1);
    if (o->kind == PARCAST_GOAL_COMPUTE) return PARCAST_OK;
    return check_message(goal, o, error);
}

static bool make_open_room(parcast_goal *goal)
{
    uint32_t room = goal->open_room ? 2 * goal->open_room : 256;
    struct goal_open *open = realloc(goal->open, room * sizeof *open);
    if (!open) return false;
    goal->open = open;
    goal->open_room = room;
    return true;
}

parcast_status parcast_goal_add(parcast_goal *goal, const parcast_goal_operation *operation, uint64_t *number,
                                parcast_error *error)
{
    parcast_status status = check_operation(goal, operation, error);
    if (!status && goal->n_open == PARCAST_GOAL_MOST_OPEN)
        status = flush_operations(goal, goal->n_open / 2, error);
    if (status) return status;
    if (goal->n_open == goal->open_room && !make_open_room(goal)) return out_of_memory(error);
    struct goal_open *open = &goal->open[goal->n_open];
    *open = (struct goal_open){.operation = *operation, .first = NONE, .last = NONE};
    if (operation->kind == PARCAST_GOAL_COMPUTE) open->operation.peer = open->operation.tag = 0;
    if (operation->cpu >= goal->n_cpus) goal->n_cpus = operation->cpu + 1;
    if (operation->nic >= goal->n_nics) goal->n_nics = operation->nic + 1;
    if (number) *number = goal->n_flushed + goal->n_open;
    goal->n_open++;
    return PARCAST_OK;
}

static uint32_t take_dependence(parcast_goal *goal)
{
    uint32_t index = goal->free_dependence;
    if (index != NONE) {
        goal->free_dependence = goal->dependences[index].next;
        return index;
    }
    if (goal->n_dependences == goal->dependence_room) {
        uint32_t room = goal->dependence_room ? 2 * goal->dependence_room : 256;
        struct goal_dependence *grown =
            room > goal->dependence_room ? realloc(goal->dependences, room * sizeof *grown) : NULL;
        if (!grown) return NONE;
        goal->dependences = grown;
        goal->dependence_room = room;
    }
    return goal->n_dependences++;
}

static parcast_status check_dependence(const parcast_goal *goal, uint64_t later, uint64_t earlier,
                                       parcast_error *error)
{
    uint64_t n = goal->n_flushed + goal->n_open;
    if (goal->rank < 0 || later >= n || earlier >= n)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0,
                                 "a dependence on an operation that is not there");
    if (later == earlier)
        return parcast_error_set(error, PARCAST_DATA, NULL, 0, "an operation cannot require itself");
    if (later >= goal->n_flushed && earlier >= goal->n_flushed) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_LIMIT, NULL, 0,
                             "a dependence reaches back over more than %d operations of its rank",
                             PARCAST_GOAL_MOST_OPEN / 2);
}

parcast_status parcast_goal_require(parcast_goal *goal, uint64_t later, uint64_t earlier, bool started,
                                    parcast_error *error)
{
    parcast_status status = check_dependence(goal, later, earlier, error);
    if (status) return status;
    uint32_t index = take_dependence(goal);
    if (index == NONE) return out_of_memory(error);
    struct goal_open *first = &goal->open[earlier - goal->n_flushed];
    int64_t distance = (int64_t)(later - earlier);
    goal->dependences[index] = (struct goal_dependence){2 * distance + started, NONE};
    if (first->first == NONE)
        first->first = index;
    else
        goal->dependences[first->last].next = index;
    first->last = index;
    first->n_dependents++;
    goal->open[later - goal->n_flushed].n_required++;
    return PARCAST_OK;
}

parcast_status parcast_goal_finish(parcast_goal *goal, parcast_error *error)
{
    if (goal->finished) return PARCAST_OK;
    parcast_status status = end_rank(goal, error);
    if (!status) status = goal_store_finish(&goal->store, error);
    if (status) return status;
    free_building(goal);
    goal->finished = true;
    return PARCAST_OK;
}
