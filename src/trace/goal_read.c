/* The cursor over the coded operations of one rank. */
#include <stdlib.h>

#include "trace/goal.h"
#include "trace/goal_code.h"

bool goal_cursor_open(struct goal_cursor *cursor, const parcast_goal *goal, int rank, uint32_t window_bytes)
{
    *cursor = (struct goal_cursor){
        .goal = goal, .offset = goal->ranks[rank].begin, .end = goal->ranks[rank].end, .rank = rank};
    goal_view_open(&cursor->view, &goal->store, window_bytes);
    return true;
}

void goal_cursor_close(struct goal_cursor *cursor)
{
    goal_view_close(&cursor->view);
    free(cursor->dependents);
    cursor->dependents = NULL;
}

static void get_operation(struct goal_cursor *cursor, const unsigned char **at, struct goal_node *node)
{
    parcast_goal_operation *o = &node->operation;
    unsigned flags = *(*at)++;
    *o = (parcast_goal_operation){.kind = (parcast_goal_kind)(flags & GOAL_KIND)};
    o->amount = (int64_t)goal_get(at);
    if (o->kind != PARCAST_GOAL_COMPUTE) o->peer = (int32_t)(goal_get_signed(at) + cursor->rank);
    if (flags & GOAL_TAGGED) o->tag = (int32_t)goal_get_signed(at);
    if (flags & GOAL_PLACED) o->cpu = *(*at)++;
    if (flags & GOAL_PLACED) o->nic = *(*at)++;
    o->line = cursor->line += (int)goal_get_signed(at);
    node->n_required = (uint32_t)goal_get(at);
    node->n_dependents = (uint32_t)goal_get(at);
}

static bool make_dependent_room(struct goal_cursor *cursor, uint32_t n)
{
    if (n <= cursor->dependent_room) return true;
    uint32_t room = cursor->dependent_room ? cursor->dependent_room : 4;
    while (room < n) room *= 2;
    int64_t *dependents = realloc(cursor->dependents, room * sizeof *dependents);
    if (!dependents) return false;
    cursor->dependents = dependents;
    cursor->dependent_room = room;
    return true;
}

bool goal_cursor_next(struct goal_cursor *cursor, struct goal_node *node)
{
    size_t available;
    const unsigned char *begin = goal_view_at(&cursor->view, cursor->offset, GOAL_MOST_CODE, &available);
    if (!begin) return false;
    const unsigned char *at = begin;
    get_operation(cursor, &at, node);
    cursor->offset += (uint64_t)(at - begin);
    if (!make_dependent_room(cursor, node->n_dependents)) return false;
    for (uint32_t i = 0; i < node->n_dependents; i++) {
        begin = at = goal_view_at(&cursor->view, cursor->offset, GOAL_MOST_NUMBER, &available);
        if (!at) return false;
        cursor->dependents[i] = goal_get_signed(&at);
        cursor->offset += (uint64_t)(at - begin);
    }
    node->dependents = cursor->dependents;
    return true;
}
