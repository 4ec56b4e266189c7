#include "valueflow/runtime/tree.h"

#include "valueflow/runtime/vector.h"

#define MORE 0x80000000u

enum { PATIENCE = 4 };

void vf_tree_open(struct vf_tree *tree, const char *what)
{
    *tree = (struct vf_tree){.n = 1, .what = what, .others = {.width = 2}};
    tree->nodes = vf_grow(NULL, &tree->node_capacity, sizeof *tree->nodes, 0);
    tree->nodes[VF_TREE_ROOT].child_label = VF_TREE_NO_LABEL;
    tree->seconds = vf_grow(NULL, &tree->second_capacity, sizeof *tree->seconds, 0);
    tree->labels = vf_grow(NULL, &tree->label_capacity, sizeof *tree->labels, 0);
    tree->parents = vf_grow(NULL, &tree->parent_capacity, sizeof *tree->parents, 0);
}

uint32_t vf_tree_add(struct vf_tree *tree, uint32_t parent, uint32_t label)
{
    if (tree->n >= INT32_MAX) vf_stop("more than 2^31 %s; use a smaller problem", tree->what);
    tree->nodes = vf_grow(tree->nodes, &tree->node_capacity, sizeof *tree->nodes, tree->n);
    tree->seconds = vf_grow_sparse(tree->seconds, &tree->second_capacity, sizeof *tree->seconds, tree->n);
    tree->labels = vf_grow(tree->labels, &tree->label_capacity, sizeof *tree->labels, tree->n);
    tree->parents = vf_grow(tree->parents, &tree->parent_capacity, sizeof *tree->parents, tree->n);
    tree->labels[tree->n] = label;
    tree->parents[tree->n] = parent;
    return tree->n++;
}

/* The second way gives place to another. */
static void set_second(struct vf_tree *tree, uint32_t node, uint32_t label, uint32_t child)
{
    struct vf_node *second = &tree->seconds[node];
    uint32_t more = second->child & MORE;
    if (second->child) {
        uint32_t key[2] = {node, second->child_label}, *at = vf_hash_at(&tree->others, key);
        if (!*at) {
            *at = second->child & ~MORE;
            vf_hash_added(&tree->others);
        }
        more = MORE;
    }
    *second = (struct vf_node){label, child | more};
}

void vf_tree_take(struct vf_tree *tree, uint32_t node, uint32_t label, uint32_t child)
{
    struct vf_node *n = &tree->nodes[node];
    if (n->child) set_second(tree, node, n->child_label, n->child);
    *n = (struct vf_node){label, child};
}

/* Now and then the second way becomes the first, so that one that is never taken again does not stay there.
 */
static void change_places(struct vf_tree *tree, uint32_t node)
{
    struct vf_node first = tree->nodes[node], *second = &tree->seconds[node];
    uint32_t more = second->child & MORE;
    tree->nodes[node] = (struct vf_node){second->child_label, second->child & ~MORE};
    *second = (struct vf_node){first.child_label, first.child | more};
}

uint32_t vf_tree_branch(struct vf_tree *tree, uint32_t node, uint32_t label)
{
    static uint32_t n_seconds;
    const struct vf_node *second = &tree->seconds[node];
    uint32_t child = second->child & ~MORE, key[2] = {node, label};
    if (second->child_label == label && child) {
        if (++n_seconds % PATIENCE == 0) change_places(tree, node);
        return child;
    }
    if (!(second->child & MORE)) return 0;
    child = *vf_hash_at(&tree->others, key);
    if (child) set_second(tree, node, label, child);
    return child;
}
