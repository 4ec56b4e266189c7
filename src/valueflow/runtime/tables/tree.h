/*
 * Words of labels that share their beginnings: sets of pins (trie.c) and sequences of homes (sequence.c) are
 * nodes of such trees. A node is a slot that holds its label, and mostly the slot behind it is the way
 * onwards: a word costs four bytes a label and is read as it lies. Slots come in stretches:
 *
 *     MARK parent, or origin and MARK parent;  label, label, ...;  free slots, 0;  MARK way on, or NO_WAY
 *
 * A stretch behind the root holds all of its words; others know the origin, which is the head of the stretch
 * that their words begin in. Marks have bit 30, which no label has. A second way out of a node is in a hash.
 */
#ifndef PARCAST_VALUEFLOW_TREE_H
#define PARCAST_VALUEFLOW_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "valueflow/runtime/tables/near.h"

#pragma GCC visibility push(hidden)

#define VF_TREE_ROOT   0u
#define VF_TREE_MARK   0x40000000u
#define VF_TREE_NO_WAY 0x7fffffffu /* mark of a stretch without a way on */
#define VF_TREE_RING   0xffffffffu /* in the place of the origin: of the client's (trie.c) */

enum { VF_TREE_LONGEST = 64 }; /* slots of a stretch, but for a ring's */

struct vf_tree {
    uint32_t *labels; /* [n] */
    uint32_t n;       /* slots */
    const char *what; /* are too many of, should there be 2^30 slots */
    size_t capacity;
    struct vf_near others; /* (node, label): the node behind */
};

static inline bool vf_tree_is_mark(uint32_t slot)
{
    return slot & VF_TREE_MARK;
}

/** A node's number as a mark, and back. */
static inline uint32_t vf_tree_mark(uint32_t node)
{
    return VF_TREE_MARK | node;
}
static inline uint32_t vf_tree_marked(uint32_t slot)
{
    return slot & (VF_TREE_MARK - 1);
}

/** Is it the empty word: the root, or the head of a stretch behind it? */
static inline bool vf_tree_is_empty(const struct vf_tree *tree, uint32_t node)
{
    return vf_tree_is_mark(tree->labels[node]);
}

void vf_tree_open(struct vf_tree *tree, const char *what);
/** The head of a new stretch behind the root with room for so many labels at least. */
uint32_t vf_tree_begin(struct vf_tree *tree, uint32_t n_labels);
/** `n` slots, zero, for a client that fills them itself. */
uint32_t vf_tree_take(struct vf_tree *tree, uint32_t n);
/** The slot before the first label of a node's stretch. */
static inline uint32_t vf_tree_head(const struct vf_tree *tree, uint32_t node)
{
    while (!vf_tree_is_mark(tree->labels[node])) node--;
    return node;
}
/** The head of the stretch behind the root that the words of a stretch begin in. */
static inline uint32_t vf_tree_origin(const struct vf_tree *tree, uint32_t head)
{
    return vf_tree_marked(tree->labels[head]) == VF_TREE_ROOT ? head : tree->labels[head - 1];
}
/** The word without its last label; VF_TREE_ROOT if that is empty. */
static inline uint32_t vf_tree_parent(const struct vf_tree *tree, uint32_t node)
{
    uint32_t before = tree->labels[node - 1];
    return vf_tree_is_mark(before) ? vf_tree_marked(before) : node - 1;
}
/** Does anything follow a node that is not empty? */
bool vf_tree_leads_on(const struct vf_tree *tree, uint32_t node);
/** The node behind one that is not empty, if it is in the next slot or where that leads to; else 0. */
static inline uint32_t vf_tree_next(const struct vf_tree *tree, uint32_t node, uint32_t label)
{
    uint32_t next = tree->labels[node + 1];
    if (next == label) return node + 1;
    bool leads = vf_tree_is_mark(next) && next != VF_TREE_NO_WAY;
    return leads && tree->labels[vf_tree_marked(next)] == label ? vf_tree_marked(next) : 0;
}
/** The node behind one that leads on, if it is another one; else 0. */
uint32_t vf_tree_other(struct vf_tree *tree, uint32_t node, uint32_t label);
/** A new node behind one that is not empty. */
uint32_t vf_tree_add(struct vf_tree *tree, uint32_t node, uint32_t label);
/** The same behind the last node of a full stretch, whose head is known. */
uint32_t vf_tree_lengthen(struct vf_tree *tree, uint32_t node, uint32_t head, uint32_t label);
/** A way from one node to another one that exists. */
void vf_tree_join(struct vf_tree *tree, uint32_t node, uint32_t label, uint32_t to);
#pragma GCC visibility pop

#endif
