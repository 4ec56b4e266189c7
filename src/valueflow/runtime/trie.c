/*
 * Sets of pins as states of a trie that is shared by all values: values read by the same words in the same
 * order have the same state, so a time step that repeats the last one makes no new states. The order is
 * forgotten later (src/valueflow/nets.c).
 *
 * A value that lives on is read by the same words again in every step. When the first pin of its way comes
 * again the way is closed to a ring of as many states, all of which stand for the same set.
 */
#include "valueflow/runtime/trie.h"

#include "valueflow/runtime/tables.h"
#include "valueflow/runtime/vector.h"

enum { SHORT_WAY = 32 };

struct vf_tree vf_trie;
static struct way {
    uint32_t head, depth; /* the first pin of the way, its length */
} *ways;                  /* [vf_trie.n] */
static size_t way_capacity;

void vf_trie_open(void)
{
    vf_tree_open(&vf_trie, "sets of readers");
    ways = vf_grow(NULL, &way_capacity, sizeof *ways, 0);
}

static uint32_t add_state(uint32_t parent, uint32_t sink)
{
    uint32_t state = vf_tree_add(&vf_trie, parent, sink);
    ways = vf_grow(ways, &way_capacity, sizeof *ways, state);
    ways[state] = (struct way){parent ? ways[parent].head : sink, ways[parent].depth + 1};
    return state;
}

/* The states from the head to `end` again, as a ring: all of them mean the set of `end`. Returns its first.
 */
static uint32_t close_ring(uint32_t end)
{
    uint32_t n = ways[end].depth, first = vf_trie.n, next = 0;
    for (uint32_t i = 0; i < n; i++) add_state(end, 0);
    for (uint32_t i = n, s = end; i-- > 0; s = vf_trie.parents[s]) {
        struct vf_node *node = &vf_trie.nodes[first + i];
        vf_trie.labels[first + i] = vf_trie.labels[s];
        node->child = next ? next : first;
        node->child_label = next ? vf_trie.labels[next] : ways[end].head;
        next = first + i;
    }
    return first;
}

static bool is_near(uint32_t state, uint32_t sink)
{
    for (int i = 0; state && i < SHORT_WAY; i++, state = vf_trie.parents[state])
        if (vf_trie.labels[state] == sink) return true;
    return false;
}

static uint32_t from_root(uint32_t sink)
{
    struct vf_vertex *v = &vf_vertices[sink & ~VF_FOLD_PIN];
    uint32_t state = add_state(VF_ROOT, sink);
    if (sink & VF_FOLD_PIN)
        v->first_fold_state = state;
    else
        v->first_state = state;
    return state;
}

uint32_t vf_next_slow(uint32_t state, uint32_t sink)
{
    if (state == VF_ROOT) return from_root(sink);
    uint32_t child = vf_tree_branch(&vf_trie, state, sink);
    if (child) return child;
    if (sink == ways[state].head && ways[state].depth > SHORT_WAY)
        child = close_ring(state);
    else
        child = is_near(state, sink) ? state : add_state(state, sink);
    vf_tree_take(&vf_trie, state, sink, child);
    return child;
}
