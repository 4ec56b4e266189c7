/*
 * The tables of the run time that `parcast cc --values` links into a program, and the few steps that every
 * load and store of the program takes through them. docs/models/value-flow.md, sections 3 and 4, has the
 * idea.
 *
 *   address --xor--> cell {value, vertex} --value--> record {vertex, state, references, chain}
 *                                                        state --> trie of pins, chain --> terms of a
 * reduction
 *
 * A label is the number of a value. 0 is a word that the region has not touched, 1 a word without a source
 * (a constant); both carry nothing. Vertices are words of memory, or results that live in registers only.
 * Everything is in one thread: a second thread inside the region is refused (guard.c).
 */
#ifndef PARCAST_VALUEFLOW_TABLES_H
#define PARCAST_VALUEFLOW_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/hooks.h"
#include "valueflow/runtime/tables/trie.h"

extern bool vf_tracing; /* inside the region; libraries of the program look at it, too */

#pragma GCC visibility push(hidden)

#define VF_NO_CHAIN 0u
#define VF_FLAGGED  0x80000000u /* flag of a cell's vertex: the word may be a workspace (workspace.h) */
#define VF_QUEUED   0x80000000u /* flag of a value's references: it waits to be used again */
#define VF_REGISTER                                                                                          \
    0x00100000u                /* what a register that holds a value adds to its references; a word adds 1   \
                                */
#define VF_SEVERAL 0xffffffffu /* no state: the vertex has had several nets */
#define VF_BUNDLE  0x80000000u /* vertex of a value that stands for a few others */
#define VF_READ_IN 0xffffffffu /* "word" of a bundle that stands for what was read in on the stack */

struct vf_cell {
    uint32_t value, vertex;
};

struct vf_value {
    uint32_t vertex, state, references, chain;
};

/* The values that a label of a workspace stands for, and the operations that every reader repeats. Its number
 * is in the place of the chain. */
struct vf_bundle {
    uint16_t n, op; /* op: of this kind of sum it is a term, to which others may be added; 0: of none */
    uint32_t work, labels[4];
    uint32_t word;  /* of a workspace in which it stood first; 0: in none */
    uint32_t parts; /* of an access to several words at once (parts.h); 0: of none */
};

struct vf_vertex {
    uint32_t way, first_state; /* states: where its values begin (trie.c); of itself as a pin alone, or 0 */
    uint32_t net_state, net_count; /* its net and how often it came; VF_SEVERAL and the last of its nets */
    uint32_t chain_key, chain_count;
    uint32_t versions; /* values computed here */
    uint32_t work;     /* stays at its most: 2^32 operations of one word are enough to see where work lies */
};

extern struct vf_value *vf_values;
extern struct vf_bundle *vf_bundles;
extern struct vf_vertex *vf_vertices;
extern struct vf_cell *vf_halves; /* two a pair */
extern bool vf_any_small;         /* a half was split, too */
extern bool vf_entered;           /* the region has begun at least once */
extern bool vf_skipping;          /* inside, but iterations are left out for now: what words hold stays */

/* value.c, object.c: the ways that are not taken often. */
void vf_pin_slow(uint32_t id, uint32_t vertex, uint32_t flag);
void vf_make_vertex(struct vf_cell *cell, uintptr_t address, unsigned size, uint32_t n,
                    const uint32_t *labels);
struct vf_cell *vf_place_slow(uintptr_t address, unsigned size);
uint32_t vf_input(struct vf_cell *cell, uintptr_t address, unsigned size);
extern uint64_t vf_n_inputs; /* values created for words that were read before anything was stored there */

static inline struct vf_cell *vf_cell_of(uintptr_t address)
{
    uintptr_t cell = (address & ~(uintptr_t)7) ^ VF_SHADOW_XOR;
    return (struct vf_cell *)cell; // NOLINT(performance-no-int-to-ptr): the mapping is the point
}

/* The part of a split cell of `size` bytes that an address lies in. */
static inline struct vf_cell *vf_half(const struct vf_cell *cell, uintptr_t address, unsigned size)
{
    return &vf_halves[2 * (size_t)cell->vertex + ((address & (size / 2)) != 0)];
}

/* The cell of an access of 8, 4, 2 or 1 bytes: of the word, or a part of it; the lowest one of those that it
 * goes to if they are smaller. Valid until the next cell is split. */
static inline struct vf_cell *vf_place(uintptr_t address, unsigned size)
{
    struct vf_cell *cell = vf_cell_of(address);
    if (size == 8 && __builtin_expect(cell->value != VF_SPLIT, 1)) return cell;
    if (size == 4 && cell->value == VF_SPLIT) {
        struct vf_cell *half = vf_half(cell, address, 8);
        if (__builtin_expect(half->value != VF_SPLIT, 1)) return half;
    }
    return vf_place_slow(address, size);
}

/* Has the access gone to smaller words than it is one? `cell`: its place. */
static inline bool vf_is_parted(const struct vf_cell *cell, uintptr_t address, unsigned size)
{
    const struct vf_cell *word = vf_cell_of(address);
    if (size == 8) return cell != word;
    if (!vf_any_small || size == 1) return false;
    const struct vf_cell *half = vf_half(word, address, 8);
    return half->value == VF_SPLIT && (size == 4 || vf_half(half, address, 4) != cell);
}

static inline bool vf_carries(uint32_t id)
{
    return id > VF_CONSTANT;
}

/* Value `id` is read by the computation of `sink`. What a word computes from its own value costs nothing. The
 * slow way is also that of labels that carry nothing (their records stay empty) and of bundles: both are at
 * the root of the trie. */
static inline void vf_pin(uint32_t id, uint32_t vertex, uint32_t flag)
{
    struct vf_value *value = &vf_values[id];
    if (value->vertex == vertex) return;
    uint32_t next = vf_trie.labels[value->state + 1], sink = vertex | flag;
    if (__builtin_expect(next == sink || next + value->vertex == sink + vf_shift(0), 1))
        value->state++;
    else
        vf_pin_slow(id, vertex, flag);
}

static inline bool vf_is_unread(const struct vf_value *value)
{
    return vf_tree_is_empty(&vf_trie, value->state);
}

static inline void vf_add_work(uint32_t vertex, uint32_t work)
{
    uint32_t *sum = &vf_vertices[vertex].work;
    if (__builtin_expect(__builtin_add_overflow(*sum, work, sum), 0)) *sum = UINT32_MAX;
}

static inline bool vf_is_bundle(uint32_t id)
{
    return vf_values[id].vertex == VF_BUNDLE;
}

static inline struct vf_bundle *vf_bundle_of(uint32_t id)
{
    return &vf_bundles[vf_values[id].chain];
}

/* VF_FLAGGED where the word may be a workspace. The labels are of what is about to be stored. */
static inline uint32_t vf_vertex_of(struct vf_cell *cell, uintptr_t address, unsigned size, uint32_t n,
                                    const uint32_t *labels)
{
    if (__builtin_expect(cell->vertex == 0, 0)) vf_make_vertex(cell, address, size, n, labels);
    return cell->vertex;
}
#pragma GCC visibility pop

#endif
