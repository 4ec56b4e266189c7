#include "valueflow/runtime/tree.h"

#include "valueflow/runtime/vector.h"

void vf_tree_open(struct vf_tree *tree, const char *what)
{
    *tree = (struct vf_tree){.n = 1, .what = what, .branches = {.width = 2}};
    tree->nodes = vf_grow(NULL, &tree->node_capacity, sizeof *tree->nodes, 0);
    tree->parents = vf_grow(NULL, &tree->parent_capacity, sizeof *tree->parents, 0);
}

uint32_t vf_tree_add(struct vf_tree *tree, uint32_t parent, uint32_t label)
{
    if (tree->n >= VF_TREE_BRANCHES - 1) vf_stop("more than 2^31 %s; use a smaller problem", tree->what);
    tree->nodes = vf_grow(tree->nodes, &tree->node_capacity, sizeof *tree->nodes, tree->n);
    tree->parents = vf_grow(tree->parents, &tree->parent_capacity, sizeof *tree->parents, tree->n);
    tree->nodes[tree->n].label = label;
    tree->parents[tree->n] = parent;
    return tree->n++;
}

uint32_t vf_tree_branch(struct vf_tree *tree, uint32_t node, uint32_t label)
{
    uint32_t key[2] = {node, label};
    return tree->nodes[node].child & VF_TREE_BRANCHES ? *vf_hash_at(&tree->branches, key) : 0;
}

/* The way that lies in the node is kept before another takes its place. */
void vf_tree_take(struct vf_tree *tree, uint32_t node, uint32_t label, uint32_t child)
{
    struct vf_node *n = &tree->nodes[node];
    if (n->child & VF_TREE_BRANCHES) {
        uint32_t key[2] = {node, n->child_label}, *at = vf_hash_at(&tree->branches, key);
        if (!*at) {
            *at = n->child & ~VF_TREE_BRANCHES;
            vf_hash_added(&tree->branches);
        }
    }
    n->child = child | (n->child ? VF_TREE_BRANCHES : 0);
    n->child_label = label;
}
