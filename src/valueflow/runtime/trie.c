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
    uint32_t head;                    /* the first pin of the way; of a ring its first state */
    uint32_t depth : 31, is_ring : 1; /* pins of the way */
} *ways;                              /* [vf_trie.n] */
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
    ways[state] = (struct way){.head = parent ? ways[parent].head : sink, .depth = ways[parent].depth + 1};
    return state;
}

/* The states from the head to `end` again, as a ring: all of them mean the set of `end`. Returns its first.
 */
static uint32_t close_ring(uint32_t end)
{
    uint32_t n = ways[end].depth, first = vf_trie.n, next = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t state = add_state(end, 0); /* moves the ways */
        ways[state] = (struct way){.head = first, .is_ring = 1};
    }
    for (uint32_t i = n, s = end; i-- > 0; s = vf_trie.parents[s]) {
        struct vf_node *node = &vf_trie.nodes[first + i];
        vf_trie.labels[first + i] = vf_trie.labels[s];
        node->child = next ? next : first;
        node->child_label = next ? vf_trie.labels[next] : ways[end].head;
        next = first + i;
    }
    return first;
}

/* The state of the same set from where the pin leads on, or 0. Of a long way only its end is looked at; a
 * value that goes round in a ring goes on there behind the pin, and leaves it for a pin that is new as from
 * the ring's end. */
static uint32_t inside(uint32_t state, uint32_t sink)
{
    if (ways[state].is_ring) {
        uint32_t s = vf_trie.parents[state], i = ways[s].depth;
        for (; s; s = vf_trie.parents[s], i--)
            if (vf_trie.labels[s] == sink) return ways[state].head + i - 1;
        return 0;
    }
    for (uint32_t i = 0, s = state; s && i < SHORT_WAY; i++, s = vf_trie.parents[s])
        if (vf_trie.labels[s] == sink) return state;
    return 0;
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
    bool closes = !ways[state].is_ring && sink == ways[state].head && ways[state].depth > SHORT_WAY;
    child = closes ? close_ring(state) : inside(state, sink);
    if (!child)
        child = ways[state].is_ring ? vf_next_slow(vf_trie.parents[state], sink) : add_state(state, sink);
    vf_tree_take(&vf_trie, state, sink, child);
    return child;
}
