#include "replay/schedule_report.h"

#include <stdio.h>
#include <stdlib.h>

#define NONE POOL_NONE

static const struct schedule_node *node_at(const struct schedule *s, uint32_t index)
{
    return (const struct schedule_node *)s->nodes.records + index;
}

static bool rank_is_done(const struct schedule *s, uint32_t rank)
{
    const struct schedule_rank *r = &s->ranks[rank];
    return r->base == r->end && goal_cursor_at_end(&r->cursor);
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
static void describe(const struct schedule *s, uint32_t rank, char *text, size_t size)
{
    const struct schedule_node *node = stuck_operation(s, rank);
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
static int64_t waits_for(const struct schedule *s, uint32_t rank)
{
    if (rank_is_done(s, rank)) return -1;
    const struct schedule_node *node = stuck_operation(s, rank);
    if (!node || !node->issued || node->kind == PARCAST_GOAL_COMPUTE) return -1;
    return node->peer;
}

/* Follow who waits for whom; after n_ranks steps without an end we stand on a cycle. */
static void describe_cycle(const struct schedule *s, uint32_t from, parcast_error *error)
{
    int64_t rank = from;
    for (uint32_t step = 0; step < s->n_ranks && rank >= 0; step++) rank = waits_for(s, (uint32_t)rank);
    if (rank < 0) {
        parcast_error_hint(error, "a message that is received must be sent, with the same tag");
        return;
    }
    char text[256];
    size_t used = (size_t)snprintf(text, sizeof text, "%lld", (long long)rank);
    int64_t next = rank;
    do {
        next = waits_for(s, (uint32_t)next);
        if (used + 32 > sizeof text) {
            snprintf(text + used, sizeof text - used, " -> ...");
            break;
        }
        used += (size_t)snprintf(text + used, sizeof text - used, " -> %lld", (long long)next);
    } while (next != rank);
    parcast_error_hint(error, "a cycle of ranks that wait for each other: %s", text);
}

static parcast_status report_deadlock(const struct schedule *s, uint32_t first, parcast_error *error)
{
    char text[480];
    size_t used = 0;
    uint32_t n_named = 0, n_stuck = 0;
    for (uint32_t r = first; r < s->n_ranks; r++) {
        if (rank_is_done(s, r)) continue;
        n_stuck++;
        char line[128];
        describe(s, r, line, sizeof line);
        if (used + strlen(line) + 32 > sizeof text) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", n_named ? "; " : "", line);
        n_named++;
    }
    if (n_named < n_stuck)
        snprintf(text + used, sizeof text - used, "; and %u more ranks", n_stuck - n_named);
    parcast_error_set(error, PARCAST_DATA, s->goal->source, 0, "deadlock: %s", text);
    describe_cycle(s, first, error);
    return PARCAST_DATA;
}

parcast_status schedule_check_end(const struct schedule *s, parcast_error *error)
{
    struct loggops_message message;
    for (uint32_t r = 0; r < s->n_ranks; r++)
        if (!rank_is_done(s, r)) return report_deadlock(s, r, error);
    uint32_t n = loggops_unreceived(&s->engine, &message);
    if (n == 0) return PARCAST_OK;
    parcast_error_set(
        error, PARCAST_DATA, s->goal->source, 0,
        "%u message%s sent and never received, the first from rank %u to rank %u: %lld bytes, tag %d", n,
        n == 1 ? " is" : "s are", message.source, message.destination, (long long)message.bytes, message.tag);
    return PARCAST_DATA;
}
