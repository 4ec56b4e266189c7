#include "replay/schedule_flow.h"

#include <stdio.h>

#include "replay/stuck.h"

#define NONE POOL_NONE

static const struct schedule_node *node_at(const struct schedule *s, uint32_t index)
{
    return (const struct schedule_node *)s->nodes.records + index;
}

bool schedule_rank_is_done(const struct schedule *s, uint32_t rank)
{
    const struct schedule_rank *r = &s->ranks[rank];
    return r->base == r->end && goal_cursor_at_end(&r->cursor);
}

static bool is_done(const void *schedule, uint32_t rank)
{
    return schedule_rank_is_done(schedule, rank);
}

/* The first operation that has begun and does not end, else the first that never became ready; NULL if none.
 */
static const struct schedule_node *stuck_operation(const struct schedule *s, uint32_t rank)
{
    const struct schedule_rank *r = &s->ranks[rank];
    const struct schedule_node *first = NULL;
    for (uint64_t i = r->base; i < r->end; i++) {
        uint32_t index = r->window[i & r->mask];
        if (index == NONE) continue;
        const struct schedule_node *node = node_at(s, index);
        if (node->issued) return node;
        if (!first) first = node;
    }
    return first;
}

static int describe_peer(char *text, size_t size, const char *before, int32_t peer)
{
    return peer < 0 ? snprintf(text, size, "%sany rank", before)
                    : snprintf(text, size, "%srank %d", before, peer);
}

/* "rank 3 waits in recv 64b from rank 1 tag 7 (line 88)" */
static void describe(const void *schedule, uint32_t rank, char *text, size_t size)
{
    const struct schedule_node *node = stuck_operation(schedule, rank);
    char peer[32] = "", tag[24] = "", line[24] = "";
    if (!node) {
        snprintf(text, size, "rank %u waits for operations that wait for each other", rank);
        return;
    }
    if (node->line) snprintf(line, sizeof line, " (line %d)", node->line);
    if (node->kind == PARCAST_GOAL_COMPUTE || !node->issued) {
        snprintf(text, size, "rank %u: operation %llu%s waits for operations that wait for it", rank,
                 (unsigned long long)node->number, line);
        return;
    }
    bool receive = node->kind == PARCAST_GOAL_RECEIVE;
    describe_peer(peer, sizeof peer, receive ? " from " : " to ", node->peer);
    if (node->tag < 0)
        snprintf(tag, sizeof tag, " any tag");
    else
        snprintf(tag, sizeof tag, " tag %d", node->tag);
    snprintf(text, size, "rank %u waits in %s %lldb%s%s%s", rank, receive ? "recv" : "send",
             (long long)node->amount, peer, tag, line);
}

/* The rank that a rank waits for, or -1. */
static int64_t waits_for(const void *schedule, uint32_t rank)
{
    if (is_done(schedule, rank)) return -1;
    const struct schedule_node *node = stuck_operation(schedule, rank);
    if (!node || !node->issued || node->kind == PARCAST_GOAL_COMPUTE) return -1;
    return node->peer;
}

static uint32_t unreceived(const struct schedule *s, struct loggops_message *first)
{
    struct match_key key = {0};
    int64_t bytes = 0;
    if (!s->flow) return loggops_unreceived(&s->engine, first);
    uint32_t n = s->flow->transport->methods->unreceived(s->flow->transport, &key, &bytes);
    *first = (struct loggops_message){
        .source = (uint32_t)key.source, .destination = key.destination, .tag = key.tag, .bytes = bytes};
    return n;
}

/* Messages with one key are received in their order: if one is left over, the last one is. 0: its line is not
   known. */
static int line_of_last_send(const struct schedule *s, struct loggops_message *message)
{
    enum { WINDOW_BYTES = 65536 };
    struct goal_cursor cursor;
    struct goal_node node;
    int line = 0;
    if (!goal_cursor_open(&cursor, s->goal, (int)message->source, WINDOW_BYTES)) return 0;
    while (!goal_cursor_at_end(&cursor) && goal_cursor_next(&cursor, &node)) {
        const parcast_goal_operation *o = &node.operation;
        if (o->kind != PARCAST_GOAL_SEND || o->peer != (int)message->destination || o->tag != message->tag)
            continue;
        line = o->line;
        message->bytes = o->amount;
    }
    goal_cursor_close(&cursor);
    return line;
}

parcast_status schedule_check_end(const struct schedule *s, parcast_error *error)
{
    struct loggops_message message;
    const struct stuck stuck = {s,        s->n_ranks,
                                is_done,  waits_for,
                                describe, "a message that is received must be sent, with the same tag"};
    parcast_status status = stuck_check(&stuck, s->goal->source, error);
    if (status) return status;
    uint32_t n = unreceived(s, &message);
    if (n == 0) return PARCAST_OK;
    int line = line_of_last_send(s, &message);
    char where[32] = "";
    if (line) snprintf(where, sizeof where, " (line %d)", line);
    return parcast_error_set(
        error, PARCAST_DATA, s->goal->source, 0,
        "%u message%s sent and never received, one of them from rank %u to rank %u: %lld bytes, tag %d%s", n,
        n == 1 ? " is" : "s are", message.source, message.destination, (long long)message.bytes, message.tag,
        where);
}
