/*
 * Sets of pins as states of a trie that is shared by all values: values read by the same words in the same
 * order have the same state, so a time step that repeats the last one makes no new states. The order is
 * forgotten later (src/valueflow/graph/graph.c).
 *
 * A vertex remembers the stretch that its last value's way began in, and its next value begins there: as long
 * as both are read alike every state is the slot behind the one before. So a way that parts from others early
 * is copied to a stretch of its own, and whoever parts from them alike finds it there.
 *
 * A reader that comes again after others is noted again: what is read alike every time shall find its slot
 * every time, and the set is the same. A value that lives on is read by the same words again in every step.
 * When a way has got long and its last pins have been there before, it is closed to a ring of the states
 * since then, all of which stand for the same set.
 *
 * Where the words of an array are read by the words around them, the pins of each are other ones, but all of
 * them lie as far from their home. Such values share a way of shifted pins, which say just that: a stencil
 * has a few ways in all, however many points. A value begins so where others of late would have. Shifted ways
 * stay short, and a longer one is gone again as it is: what all words of an array are read by (the centre of
 * a cluster by all points) is then one way.
 */
#include "valueflow/runtime/tables/trie.h"

#include "valueflow/runtime/tables/tables.h"
#include "valueflow/runtime/tables/vector.h"

enum {
    EARLY = 14,      /* pins after which ways that part are not copied any more */
    LONG_WAY = 32,   /* pins of a way that may be closed to a ring */
    ALIKE = 8,       /* pins that have come in the same order before */
    FAR_BACK = 128,  /* pins that are looked through at the end of every stretch */
    SHORT_RING = 64, /* pins of a ring that is searched again each time */
    FEW_PINS = 6,
    NEAR = 4,          /* pins back that are not noted again */
    MOST_SHIFTED = 64, /* pins of a shifted way that becomes longer */
    OFTEN = 64,        /* beginnings alike, then the next one is shifted */
    RECENT = 1024,     /* beginnings that are remembered, a power of two */
};

struct vf_tree vf_trie;
static struct vf_near beginnings; /* hash of the pins of an early way: its state */
static uint32_t *fold_firsts;     /* by vertex: the state of a pin that adds up, alone */
static size_t fold_first_capacity;
static struct vf_hash stretches = {.width = 1}; /* origin of a long way: how many it has had */

/* Words are read in the order in which they have been numbered, mostly. */
static uint32_t last_label(const struct vf_near_entry *entry)
{
    return vf_trie.labels[entry->content];
}

void vf_trie_open(void)
{
    vf_tree_open(&vf_trie, "sets of readers");
    beginnings = VF_NEAR(last_label);
}

void vf_trie_close(void)
{
    vf_near_empty(&beginnings);
    vf_near_empty(&vf_trie.others);
    vf_empty(fold_firsts, fold_first_capacity * sizeof *fold_firsts);
}

static uint32_t *first_of(uint32_t sink)
{
    uint32_t vertex = sink & ~VF_FOLD_PIN;
    if (!(sink & VF_FOLD_PIN)) return &vf_vertices[vertex].first_state;
    fold_firsts = vf_grow_sparse(fold_firsts, &fold_first_capacity, sizeof *fold_firsts, vertex);
    return &fold_firsts[vertex];
}

static uint32_t begin_stretch(uint32_t label)
{
    uint32_t head = vf_tree_begin(&vf_trie, FEW_PINS);
    vf_trie.labels[head + 1] = label;
    return head + 1;
}

/* With the pin as it is. */
static uint32_t begin_plain(uint32_t sink, uint32_t home)
{
    uint32_t *first = first_of(sink);
    if (!*first) *first = begin_stretch(sink);
    vf_vertices[home].way = *first - 1;
    return *first;
}

/* What the ways have begun with of late, and how often; then the state that begins so. */
static struct {
    uint32_t label, n, state;
} recent[RECENT];

/* The state of a shifted pin alone where it is one that is seen often; 0: it is not. */
static uint32_t begin_often(uint32_t label)
{
    uint32_t i = (label * 0x9e3779b1u) >> 16 & (RECENT - 1);
    if (recent[i].label != label) {
        recent[i].label = label;
        recent[i].n = recent[i].state = 0;
    }
    if (recent[i].n++ < OFTEN) return 0;
    if (!recent[i].state) recent[i].state = begin_stretch(label);
    return recent[i].state;
}

/* A reader that has begun ways of others begins this one: they may have all of it in common. */
static __attribute__((noinline)) uint32_t begin(uint32_t sink, uint32_t home)
{
    uint32_t first = *first_of(sink) ? 0 : begin_often(sink + vf_shift(home));
    if (!first) return begin_plain(sink, home);
    vf_vertices[home].way = first - 1;
    return first;
}

static inline bool is_shifted(uint32_t label)
{
    return label & VF_SHIFTED;
}

/* What a pin is in the way of this state, which is not empty. */
static inline uint32_t label_in(uint32_t state, uint32_t sink, uint32_t home)
{
    return is_shifted(vf_trie.labels[state]) ? sink + vf_shift(home) : sink;
}

static inline uint32_t pin_of(uint32_t label, uint32_t home)
{
    return is_shifted(label) ? label - vf_shift(home) : label;
}

/* How many pins a state has; those beyond `most` are not counted. */
static uint32_t length_of(uint32_t state, uint32_t most)
{
    uint32_t n = 0;
    for (; state && n < most; state = vf_tree_parent(&vf_trie, state)) n++;
    return n;
}

uint32_t vf_trie_pins(uint32_t state, uint32_t home, uint32_t most, uint32_t *pins)
{
    uint32_t n = 0;
    for (; state && n < most; state = vf_tree_parent(&vf_trie, state))
        pins[n++] = pin_of(vf_trie.labels[state], home);
    return n;
}

static bool is_ring(uint32_t head)
{
    return vf_tree_marked(vf_trie.labels[head]) != VF_TREE_ROOT && vf_trie.labels[head - 1] == VF_TREE_RING;
}

/* The states from one to `end` again, as a ring: all of them mean the set of `end`. */
static uint32_t close_ring(uint32_t from, uint32_t end)
{
    uint32_t n = 1;
    for (uint32_t s = end; s != from; s = vf_tree_parent(&vf_trie, s)) n++;
    uint32_t first = vf_tree_take(&vf_trie, n + 3) + 2;
    vf_trie.labels[first - 2] = VF_TREE_RING;
    vf_trie.labels[first - 1] = vf_tree_mark(end);
    vf_trie.labels[first + n] = vf_tree_mark(first);
    for (uint32_t i = n, s = end; i-- > 0; s = vf_tree_parent(&vf_trie, s))
        vf_trie.labels[first + i] = vf_trie.labels[s];
    return first;
}

/* Where the pin is in a ring, or the ring's end; 0 if it is in neither of the n slots from this one on. */
static uint32_t search(uint32_t slot, uint32_t label, uint32_t n)
{
    for (; n; n--, slot++)
        if (vf_trie.labels[slot] == label || vf_tree_is_mark(vf_trie.labels[slot])) return slot;
    return 0;
}

static uint32_t next_way(uint32_t state, uint32_t label, uint32_t home);

/* It goes on behind the pin, or leaves the ring from its end for one that is new. */
static uint32_t go_on(uint32_t head, uint32_t at, uint32_t label, uint32_t home)
{
    if (!vf_tree_is_mark(vf_trie.labels[at])) return at;
    return next_way(vf_tree_marked(vf_trie.labels[head]), label, home);
}

/* A pin that is not the next one of the ring. Long ones are searched once for it, whichever state asks. */
static uint32_t in_ring(uint32_t head, uint32_t label, uint32_t home)
{
    uint32_t at = search(head + 1, label, SHORT_RING), next;
    if (at) return go_on(head, at, label, home);
    next = vf_tree_other(&vf_trie, head, label);
    if (next) return next;
    next = go_on(head, search(head + 1, label, UINT32_MAX), label, home);
    vf_tree_join(&vf_trie, head, label, next);
    return next;
}

/* Of the first n pins of a way, one more, and of all of these. */
static uint64_t hash_of(uint32_t state, uint32_t label)
{
    uint64_t hash = (label + 1) * 0x9e3779b97f4a7c15ull;
    for (; state; state = vf_tree_parent(&vf_trie, state)) {
        hash = (hash ^ vf_trie.labels[state]) * 0xff51afd7ed558ccdull;
        hash ^= hash >> 32;
    }
    return hash;
}

static uint32_t find_beginning(uint64_t hash, uint32_t label)
{
    return vf_near_find(&beginnings, label, (uint32_t)hash, (uint32_t)(hash >> 32));
}

static void keep_beginning(uint64_t hash, uint32_t state)
{
    vf_near_put(&beginnings, &(struct vf_near_entry){{(uint32_t)hash, (uint32_t)(hash >> 32)}, state});
}

/* The way of `state`, which has n pins, and one more, in a stretch of its own. */
static uint32_t copy_way(uint32_t state, uint32_t n, uint32_t label)
{
    uint32_t head = vf_tree_begin(&vf_trie, n + 2), end = head + n + 1;
    vf_trie.labels[end] = label;
    for (uint32_t i = n; i > 0; i--, state = vf_tree_parent(&vf_trie, state))
        vf_trie.labels[head + i] = vf_trie.labels[state];
    return end;
}

/* The state that has followed so far is one of several from now on. */
static void remember_next(uint32_t state)
{
    static uint32_t latest;
    uint32_t next = vf_trie.labels[state + 1], to = state + 1;
    if (state == latest) return;
    latest = state;
    if (vf_tree_is_mark(next)) next = vf_trie.labels[to = vf_tree_marked(next)];
    uint64_t hash = hash_of(state, next);
    if (!find_beginning(hash, next)) keep_beginning(hash, to);
}

/* A way that has few pins, n, parts from others that began alike. */
static uint32_t part_early(uint32_t state, uint32_t n, uint32_t label, uint32_t home)
{
    uint64_t hash = hash_of(state, label);
    uint32_t child = find_beginning(hash, label);
    if (!child) {
        child = copy_way(state, n, label);
        keep_beginning(hash, child);
        remember_next(state);
    }
    vf_vertices[home].way = vf_tree_origin(&vf_trie, vf_tree_head(&vf_trie, child));
    return child;
}

/* A way that gets as many stretches as a power of two is looked through whole, which costs as much as it is
 * long. */
static bool is_due(uint32_t origin)
{
    uint32_t *n = vf_hash_at(&stretches, &origin);
    if (!*n) vf_hash_added(&stretches);
    uint32_t now = ++*n;
    return (now & (now - 1)) == 0;
}

/* The last states of a way, the last one first. */
static uint32_t near_tail[FAR_BACK], *tail = near_tail, *whole_tail;
static size_t whole_capacity;

static uint32_t look_back(uint32_t state, uint32_t most)
{
    uint32_t n = 0;
    for (; state && n < most; state = vf_tree_parent(&vf_trie, state)) tail[n++] = state;
    return n;
}

static uint32_t look_back_whole(uint32_t state)
{
    uint32_t n = length_of(state, UINT32_MAX);
    tail = whole_tail = vf_grow(whole_tail, &whole_capacity, sizeof *tail, n);
    return look_back(state, n);
}

static inline uint32_t pin_at(uint32_t i)
{
    return vf_trie.labels[tail[i]];
}

/* How many of the last n pins the readers repeat, from this one on: what came before it then has come before
 * it now. 0 if they do not. */
static uint32_t period_of(uint32_t n, uint32_t label)
{
    for (uint32_t period = 1; period + ALIKE <= n; period++) {
        uint32_t i = 0;
        if (pin_at(period - 1) != label) continue;
        while (i < ALIKE && pin_at(i) == pin_at(period + i)) i++;
        if (i == ALIKE) return period;
    }
    return 0;
}

/* The round of a pin: when it was last seen. By vertex, twice: as it is, and where it adds up. */
static uint32_t *round_of(uint32_t sink)
{
    static uint32_t *rounds;
    static size_t capacity;
    size_t i = 2 * (size_t)(sink & ~VF_FOLD_PIN) + (sink & VF_FOLD_PIN ? 1 : 0);
    rounds = vf_grow_sparse(rounds, &capacity, sizeof *rounds, i);
    return &rounds[i];
}

/* The same readers come in any order: the second half of n pins, and this one, have nothing new. */
static bool has_all(uint32_t n, uint32_t label, uint32_t home)
{
    static uint32_t round;
    uint32_t i = n;
    if (++round == 0) round = 1; /* what is left of the first rounds may close a ring too early */
    for (; i > n / 2; i--) *round_of(pin_of(pin_at(i - 1), home)) = round;
    while (i > 0 && *round_of(pin_of(pin_at(i - 1), home)) == round) i--;
    return i == 0 && *round_of(pin_of(label, home)) == round;
}

/* The head of the stretch that ends with this state, and whether the pin is in it. */
static uint32_t look_for(uint32_t state, uint32_t label, bool *is_in)
{
    *is_in = false;
    for (; !vf_tree_is_mark(vf_trie.labels[state]); state--) *is_in |= vf_trie.labels[state] == label;
    return state;
}

/* Is the pin anywhere in the way? Stretches are read as they lie, a tenth of what it costs to look back. */
static bool has_pin(uint32_t state, uint32_t label)
{
    bool found = false;
    while (state && !found) state = vf_tree_marked(vf_trie.labels[look_for(state, label, &found)]);
    return found;
}

/* The state with this pin in a ring that a long way is closed to where its readers repeat themselves; 0: they
 * do not. */
static uint32_t turn_back(uint32_t state, uint32_t head, uint32_t label, uint32_t home, bool may_repeat)
{
    uint32_t n = 0;
    tail = near_tail;
    if (state - head > LONG_WAY && is_due(vf_tree_origin(&vf_trie, head)))
        n = has_pin(state, label) ? look_back_whole(state) : 0;
    else if (may_repeat)
        n = look_back(state, FAR_BACK);
    if (n < LONG_WAY) return 0; /* or it would be the first time that this one comes */
    uint32_t period = period_of(n, label);
    if (period) return close_ring(tail[period - 1], state);
    if (!has_all(n, label, home)) return 0;
    return search(close_ring(tail[n - 1], state), label, n);
}

/* Was it pinned a moment ago? Wherever the state is, in a ring too, it may stay there. */
static inline bool holds_near(uint32_t state, uint32_t label)
{
    const uint32_t *labels = vf_trie.labels;
    for (uint32_t i = 0; i < NEAR && !vf_tree_is_mark(labels[state - i]); i++)
        if (labels[state - i] == label) return true;
    return false;
}

/* A shifted way that is to be no longer. */
static bool is_long(uint32_t state)
{
    return is_shifted(vf_trie.labels[state]) && length_of(state, MOST_SHIFTED) == MOST_SHIFTED;
}

/* The same pins and one more as they are. Values of this home begin there from now on. */
static uint32_t unshift(uint32_t state, uint32_t label, uint32_t home)
{
    static uint32_t *pins;
    static size_t capacity;
    uint32_t n = 0;
    for (uint32_t at = state; at; at = vf_tree_parent(&vf_trie, at)) {
        pins = vf_grow(pins, &capacity, sizeof *pins, n);
        pins[n++] = pin_of(vf_trie.labels[at], home);
    }
    uint32_t plain = begin_plain(pins[n - 1], home);
    for (uint32_t i = n - 1; i > 0; i--)
        if (vf_trie.labels[plain] != pins[i - 1]) plain = next_way(plain, pins[i - 1], home);
    return next_way(plain, pin_of(label, home), home);
}

/* A stretch is full and nothing follows it yet. */
static uint32_t lengthen(uint32_t state, uint32_t label, uint32_t home)
{
    bool may_repeat;
    uint32_t head = look_for(state, label, &may_repeat);
    uint32_t next = turn_back(state, head, label, home, may_repeat);
    if (!next && is_long(state)) return unshift(state, label, home);
    if (!next) return vf_tree_lengthen(&vf_trie, state, head, label);
    vf_tree_join(&vf_trie, state, label, next);
    return next;
}

/* Others have gone on from here in another way. */
static uint32_t part(uint32_t state, uint32_t label, uint32_t home)
{
    uint32_t head = vf_tree_head(&vf_trie, state);
    if (is_ring(head)) return in_ring(head, label, home);
    uint32_t n = length_of(state, EARLY + 1);
    if (n <= EARLY) return part_early(state, n, label, home);
    uint32_t next = vf_tree_other(&vf_trie, state, label);
    if (!next && is_long(state)) return unshift(state, label, home);
    return next ? next : vf_tree_add(&vf_trie, state, label);
}

/* Everything but a free slot behind the state or its beginning. */
static __attribute__((noinline)) uint32_t find_way(uint32_t state, uint32_t label, uint32_t home)
{
    uint32_t next = vf_tree_next(&vf_trie, state, label);
    if (next) return next;
    if (holds_near(state, label)) return state;
    return vf_trie.labels[state + 1] == VF_TREE_NO_WAY ? lengthen(state, label, home)
                                                       : part(state, label, home);
}

/* From a state that is not empty. */
static inline uint32_t next_way(uint32_t state, uint32_t label, uint32_t home)
{
    uint32_t *labels = vf_trie.labels;
    if (labels[state + 1]) return find_way(state, label, home);
    if (holds_near(state, label)) return state;
    labels[state + 1] = label;
    return state + 1;
}

uint32_t vf_trie_next(uint32_t state, uint32_t sink, uint32_t home)
{
    if (vf_tree_is_empty(&vf_trie, state)) return begin(sink, home);
    return next_way(state, label_in(state, sink, home), home);
}
