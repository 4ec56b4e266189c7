/*
 * Words of labels that share their beginnings: sets of pins (trie.c) and sequences of homes (sequence.c) are
 * nodes of such trees. One way onwards lies in the node itself, others are in a hash; mostly they take turns
 * in the same order in every time step, and then the hash is not asked.
 */
#ifndef PARCAST_VALUEFLOW_TREE_H
#define PARCAST_VALUEFLOW_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "valueflow/runtime/hash.h"

#define VF_TREE_ROOT     0u
#define VF_TREE_NO_LABEL 0xffffffffu /* of the root's child: the root has no way onwards of its own */

struct vf_node {
    uint32_t child_label, child;
};

struct vf_tree {
    struct vf_node *nodes;      /* [n], nodes[0] is the root */
    uint32_t *labels, *parents; /* [n]; apart, since the usual way through a node does not look at them */
    uint32_t *turns; /* [n] of a child: the one that was taken after it from the same node, or 0; the highest
                      * bit is the node's own: it has more than one child */
    uint32_t n;
    const char *what; /* are too many of, should there be 2^31 */
    size_t node_capacity, label_capacity, parent_capacity, turn_capacity;
    struct vf_hash others;
};

void vf_tree_open(struct vf_tree *tree, const char *what);
uint32_t vf_tree_add(struct vf_tree *tree, uint32_t parent, uint32_t label);
/** The way onwards by a label that is not the one in the node; 0 if there is none that is remembered. It is
 * the one in the node from now on. */
uint32_t vf_tree_branch(struct vf_tree *tree, uint32_t node, uint32_t label);
/** A new way: it is the one in the node from now on. */
void vf_tree_take(struct vf_tree *tree, uint32_t node, uint32_t label, uint32_t child);

#endif
