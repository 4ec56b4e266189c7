/*
 * Sets of pins as states of a trie that is shared by all values: values read by the same words in the same
 * order have the same state, so a time step that repeats the last one makes no new states. The order is
 * forgotten later (src/valueflow/nets.c).
 *
 * A value that lives on is read by the same words again in every step. When the first pin of its way comes
 * again the way is closed to a ring of as many states, all of which stand for the same set.
 */
#include "valueflow/runtime/trie.h"

#include "valueflow/runtime/hash.h"
#include "valueflow/runtime/vector.h"

enum { SHORT_WAY = 32 };

struct vf_state *vf_states;
struct vf_way *vf_ways;
static size_t state_capacity, way_capacity;
static uint32_t n_states;
static struct vf_hash transitions = {.width = 2};

void vf_trie_open(void)
{
    vf_states = vf_grow(NULL, &state_capacity, sizeof *vf_states, 0);
    vf_ways = vf_grow(NULL, &way_capacity, sizeof *vf_ways, 0);
    n_states = 1;
}

uint32_t vf_trie_size(void)
{
    return n_states;
}

static uint32_t add_state(uint32_t parent, uint32_t sink)
{
    if (n_states >= 0x7fffffffu) vf_stop("more than 2^31 sets of readers; use a smaller problem");
    vf_states = vf_grow(vf_states, &state_capacity, sizeof *vf_states, n_states);
    vf_ways = vf_grow(vf_ways, &way_capacity, sizeof *vf_ways, n_states);
    vf_states[n_states].sink = sink;
    vf_ways[n_states].parent = parent;
    vf_ways[n_states].head = parent ? vf_ways[parent].head : sink;
    vf_ways[n_states].depth = vf_ways[parent].depth + 1;
    return n_states++;
}

/* Keep the way onwards that lies in the state before another takes its place. */
static void onwards(uint32_t state, uint32_t sink, uint32_t child)
{
    struct vf_state *s = &vf_states[state];
    if (s->child & VF_BRANCHES) {
        uint32_t key[2] = {state, s->child_sink}, *at = vf_hash_at(&transitions, key);
        if (!*at) {
            *at = s->child & ~VF_BRANCHES;
            vf_hash_added(&transitions);
        }
    }
    s->child = child | (s->child ? VF_BRANCHES : 0);
    s->child_sink = sink;
}

/* The states from the head to `end` again, as a ring: all of them mean the set of `end`. Returns its first.
 */
static uint32_t close_ring(uint32_t end)
{
    uint32_t n = vf_ways[end].depth, first = n_states, next = 0;
    for (uint32_t i = 0; i < n; i++) add_state(end, 0);
    for (uint32_t i = n, s = end; i-- > 0; s = vf_ways[s].parent) {
        uint32_t state = first + i;
        vf_states[state].sink = vf_states[s].sink;
        vf_states[state].child = next ? next : first;
        vf_states[state].child_sink = next ? vf_states[next].sink : vf_ways[end].head;
        next = state;
    }
    return first;
}

static bool is_near(uint32_t state, uint32_t sink)
{
    for (int i = 0; state && i < SHORT_WAY; i++, state = vf_ways[state].parent)
        if (vf_states[state].sink == sink) return true;
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
    uint32_t key[2] = {state, sink}, child = 0;
    if (vf_states[state].child & VF_BRANCHES) child = *vf_hash_at(&transitions, key);
    if (!child) {
        const struct vf_way *way = &vf_ways[state];
        if (sink == way->head && way->depth > SHORT_WAY)
            child = close_ring(state);
        else
            child = is_near(state, sink) ? state : add_state(state, sink);
    }
    onwards(state, sink, child);
    return child;
}
