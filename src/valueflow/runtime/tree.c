#include "valueflow/runtime/tree.h"

#include "valueflow/runtime/vector.h"

#define MORE 0x80000000u

void vf_tree_open(struct vf_tree *tree, const char *what)
{
    *tree = (struct vf_tree){.n = 1, .what = what, .others = {.width = 2}};
    tree->nodes = vf_grow(NULL, &tree->node_capacity, sizeof *tree->nodes, 0);
    tree->nodes[VF_TREE_ROOT].child_label = VF_TREE_NO_LABEL;
    tree->turns = vf_grow(NULL, &tree->turn_capacity, sizeof *tree->turns, 0);
    tree->labels = vf_grow(NULL, &tree->label_capacity, sizeof *tree->labels, 0);
    tree->parents = vf_grow(NULL, &tree->parent_capacity, sizeof *tree->parents, 0);
}

uint32_t vf_tree_add(struct vf_tree *tree, uint32_t parent, uint32_t label)
{
    if (tree->n >= INT32_MAX) vf_stop("more than 2^31 %s; use a smaller problem", tree->what);
    tree->nodes = vf_grow(tree->nodes, &tree->node_capacity, sizeof *tree->nodes, tree->n);
    tree->turns = vf_grow_sparse(tree->turns, &tree->turn_capacity, sizeof *tree->turns, tree->n);
    tree->labels = vf_grow(tree->labels, &tree->label_capacity, sizeof *tree->labels, tree->n);
    tree->parents = vf_grow(tree->parents, &tree->parent_capacity, sizeof *tree->parents, tree->n);
    tree->labels[tree->n] = label;
    tree->parents[tree->n] = parent;
    return tree->n++;
}

static uint32_t *way_in_hash(struct vf_tree *tree, uint32_t node, uint32_t label)
{
    uint32_t key[2] = {node, label};
    return vf_hash_at(&tree->others, key);
}

static void remember(struct vf_tree *tree, uint32_t node, uint32_t label, uint32_t child)
{
    uint32_t *at = way_in_hash(tree, node, label);
    if (*at) return;
    *at = child;
    vf_hash_added(&tree->others);
}

static void set_turn(struct vf_tree *tree, uint32_t child, uint32_t next)
{
    tree->turns[child] = (tree->turns[child] & MORE) | next;
}

void vf_tree_take(struct vf_tree *tree, uint32_t node, uint32_t label, uint32_t child)
{
    struct vf_node *n = &tree->nodes[node];
    if (n->child) {
        if (!(tree->turns[node] & MORE)) remember(tree, node, n->child_label, n->child);
        remember(tree, node, label, child);
        tree->turns[node] |= MORE;
        set_turn(tree, n->child, child);
    }
    *n = (struct vf_node){label, child};
}

uint32_t vf_tree_branch(struct vf_tree *tree, uint32_t node, uint32_t label)
{
    struct vf_node *n = &tree->nodes[node];
    if (!(tree->turns[node] & MORE)) return 0;
    uint32_t child = tree->turns[n->child] & ~MORE;
    if (!child || tree->labels[child] != label || tree->parents[child] != node) {
        child = *way_in_hash(tree, node, label);
        if (!child) return 0;
        set_turn(tree, n->child, child);
    }
    *n = (struct vf_node){label, child};
    return child;
}
