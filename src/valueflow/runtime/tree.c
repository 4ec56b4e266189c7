#include "valueflow/runtime/tree.h"

#include "valueflow/runtime/vector.h"

enum { PATIENCE = 4 };

void vf_tree_open(struct vf_tree *tree, const char *what)
{
    *tree = (struct vf_tree){.n = 1, .what = what, .others = {.width = 2}};
    tree->nodes = vf_grow(NULL, &tree->node_capacity, sizeof *tree->nodes, 0);
    tree->nodes[VF_TREE_ROOT].child_label = VF_TREE_NO_LABEL;
    tree->branches = vf_grow(NULL, &tree->branch_capacity, sizeof *tree->branches, 0);
    tree->labels = vf_grow(NULL, &tree->label_capacity, sizeof *tree->labels, 0);
    tree->parents = vf_grow(NULL, &tree->parent_capacity, sizeof *tree->parents, 0);
}

uint32_t vf_tree_add(struct vf_tree *tree, uint32_t parent, uint32_t label)
{
    if (tree->n >= INT32_MAX) vf_stop("more than 2^31 %s; use a smaller problem", tree->what);
    tree->nodes = vf_grow(tree->nodes, &tree->node_capacity, sizeof *tree->nodes, tree->n);
    tree->branches = vf_grow(tree->branches, &tree->branch_capacity, sizeof *tree->branches, tree->n);
    tree->labels = vf_grow(tree->labels, &tree->label_capacity, sizeof *tree->labels, tree->n);
    tree->parents = vf_grow(tree->parents, &tree->parent_capacity, sizeof *tree->parents, tree->n);
    tree->labels[tree->n] = label;
    tree->parents[tree->n] = parent;
    return tree->n++;
}

/* Another way takes its place in the node; what was there is kept, unless it is the first one. */
void vf_tree_take(struct vf_tree *tree, uint32_t node, uint32_t label, uint32_t child)
{
    struct vf_node *n = &tree->nodes[node];
    if (tree->branches[node]) {
        uint32_t key[2] = {node, n->child_label}, *at = vf_hash_at(&tree->others, key);
        if (!*at) {
            *at = n->child;
            vf_hash_added(&tree->others);
        }
    }
    tree->branches[node] = n->child != 0;
    *n = (struct vf_node){label, child};
}

uint32_t vf_tree_branch(struct vf_tree *tree, uint32_t node, uint32_t label)
{
    uint32_t key[2] = {node, label};
    if (!tree->branches[node]) return 0;
    uint32_t child = *vf_hash_at(&tree->others, key);
    if (child && ++tree->branches[node] > PATIENCE) vf_tree_take(tree, node, label, child);
    return child;
}
