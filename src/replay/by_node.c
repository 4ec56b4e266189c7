#include "replay/by_node.h"

#include <stdlib.h>

struct placed {
    int node;
    uint32_t first, member; /* first: the lowest member of the node */
};

static int by_node_then_member(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    return x->member < y->member ? -1 : x->member > y->member;
}

static int by_first_then_member(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return x->member < y->member ? -1 : x->member > y->member;
}

static void release_nodes(struct schedule_nodes *nodes)
{
    free(nodes->members);
    free(nodes->begin);
    free(nodes->leaders);
    free(nodes->node_of);
    free(nodes->place);
}

static bool allocate(struct schedule_nodes *nodes, uint32_t n)
{
    uint32_t **lists[] = {&nodes->members, &nodes->begin, &nodes->leaders, &nodes->node_of, &nodes->place};
    *nodes = (struct schedule_nodes){.consecutive = true};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        *lists[i] = malloc(((size_t)n + 1) * sizeof **lists[i]);
        if (!*lists[i]) return false;
    }
    return true;
}

/* Members in the order of their nodes, nodes in the order of their first members. */
static void fill(struct schedule_nodes *nodes, const struct placed *placed, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t member = placed[i].member;
        if (member == placed[i].first) {
            nodes->leaders[nodes->n_nodes] = member;
            nodes->begin[nodes->n_nodes++] = i;
        }
        nodes->members[i] = member;
        nodes->node_of[member] = nodes->n_nodes - 1;
        nodes->place[member] = i - nodes->begin[nodes->n_nodes - 1];
        nodes->consecutive = nodes->consecutive && member == i;
    }
    nodes->begin[nodes->n_nodes] = n;
}

/* Members come from outside: one that is no rank is on a node of its own until a message to it is refused. */
static int node_of(const struct by_node *by_node, const int32_t *members, uint32_t i)
{
    uint32_t rank = members ? (uint32_t)members[i] : i;
    return rank < by_node->n_ranks ? by_node->rank_node[rank] : -1 - (int)i;
}

static bool sort_members(struct schedule_nodes *nodes, const struct by_node *by_node, const int32_t *members,
                         uint32_t n)
{
    struct placed *placed = malloc((size_t)n * sizeof *placed);
    if (!placed || !allocate(nodes, n)) {
        release_nodes(nodes);
        free(placed);
        return false;
    }
    for (uint32_t i = 0; i < n; i++) placed[i] = (struct placed){node_of(by_node, members, i), i, i};
    qsort(placed, n, sizeof *placed, by_node_then_member);
    for (uint32_t i = 1; i < n; i++)
        if (placed[i].node == placed[i - 1].node) placed[i].first = placed[i - 1].first;
    qsort(placed, n, sizeof *placed, by_first_then_member);
    fill(nodes, placed, n);
    free(placed);
    return true;
}

static struct by_node_entry **place_of(const struct by_node *by_node, uint32_t communicator, uint32_t first,
                                       uint32_t n_members)
{
    uint32_t at = (communicator * UINT32_C(2654435769)) ^ (first * UINT32_C(2246822519));
    for (;; at++) {
        struct by_node_entry **place = &by_node->table[at & (by_node->room - 1)], *entry = *place;
        if (!entry ||
            (entry->communicator == communicator && entry->first == first && entry->n_members == n_members))
            return place;
    }
}

static bool grow(struct by_node *by_node)
{
    struct by_node bigger = {.rank_node = by_node->rank_node,
                             .n_ranks = by_node->n_ranks,
                             .room = by_node->room ? 2 * by_node->room : 16};
    if (2 * by_node->n < by_node->room) return true;
    bigger.table = calloc(bigger.room, sizeof *bigger.table);
    if (!bigger.table) return false;
    for (uint32_t i = 0; i < by_node->room; i++) {
        struct by_node_entry *entry = by_node->table[i];
        if (entry) *place_of(&bigger, entry->communicator, entry->first, entry->n_members) = entry;
    }
    bigger.n = by_node->n;
    free(by_node->table);
    *by_node = bigger;
    return true;
}

const struct schedule_nodes *by_node_find(struct by_node *by_node, uint32_t communicator,
                                          const int32_t *members, uint32_t n_members)
{
    uint32_t first = members ? (uint32_t)members[0] : 0;
    if (!grow(by_node)) return NULL;
    struct by_node_entry **place = place_of(by_node, communicator, first, n_members);
    if (*place) return &(*place)->nodes;
    struct by_node_entry *entry = calloc(1, sizeof *entry);
    if (!entry) return NULL;
    *entry = (struct by_node_entry){communicator, first, n_members, {0}};
    if (!sort_members(&entry->nodes, by_node, members, n_members)) {
        free(entry);
        return NULL;
    }
    *place = entry;
    by_node->n++;
    return &entry->nodes;
}

void by_node_destroy(struct by_node *by_node)
{
    for (uint32_t i = 0; i < by_node->room; i++)
        if (by_node->table[i]) {
            release_nodes(&by_node->table[i]->nodes);
            free(by_node->table[i]);
        }
    free(by_node->table);
    *by_node = (struct by_node){0};
}
