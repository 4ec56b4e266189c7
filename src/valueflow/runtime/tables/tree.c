#include "valueflow/runtime/tables/tree.h"

#include "valueflow/runtime/tables/vector.h"

/* Slots of a stretch: half as many labels again as in the one before it. */
enum { SHORTEST = 4, FIRST = 8 };

uint32_t vf_tree_take(struct vf_tree *tree, uint32_t n)
{
    uint32_t first = tree->n;
    if (n >= VF_TREE_MARK - 1 - first) vf_stop("more than 2^30 %s; use a smaller problem", tree->what);
    tree->n += n;
    tree->labels = vf_grow(tree->labels, &tree->capacity, sizeof *tree->labels, tree->n);
    return first;
}

/* Four nodes beside each other have one place: few have more than one way out. */
static uint32_t place_of(const struct vf_near_entry *entry)
{
    return entry->key[0] / 4;
}

void vf_tree_open(struct vf_tree *tree, const char *what)
{
    *tree = (struct vf_tree){.what = what, .others = VF_NEAR(place_of)};
    uint32_t root = vf_tree_take(tree, 2);
    tree->labels[root] = vf_tree_mark(VF_TREE_ROOT);
    tree->labels[root + 1] = VF_TREE_NO_WAY;
}

uint32_t vf_tree_begin(struct vf_tree *tree, uint32_t n_labels)
{
    uint32_t n = SHORTEST;
    while (n < n_labels + 2) n *= 2;
    uint32_t head = vf_tree_take(tree, n);
    tree->labels[head] = vf_tree_mark(VF_TREE_ROOT);
    tree->labels[head + n - 1] = VF_TREE_NO_WAY;
    return head;
}

bool vf_tree_leads_on(const struct vf_tree *tree, uint32_t node)
{
    uint32_t next = tree->labels[node + 1];
    return next && next != VF_TREE_NO_WAY;
}

uint32_t vf_tree_other(struct vf_tree *tree, uint32_t node, uint32_t label)
{
    return vf_near_find(&tree->others, node / 4, node, label);
}

/* Behind a node of the stretch that has this head. Returns the first slot for a label. */
static uint32_t add_stretch(struct vf_tree *tree, uint32_t parent, uint32_t head, uint32_t n)
{
    uint32_t first = vf_tree_take(tree, n);
    tree->labels[first] = vf_tree_origin(tree, head);
    tree->labels[first + 1] = vf_tree_mark(parent);
    tree->labels[first + n - 1] = VF_TREE_NO_WAY;
    return first + 2;
}

static uint32_t longer(uint32_t labels)
{
    uint32_t n = labels + labels / 2 + 3;
    if (n < FIRST) n = FIRST;
    return n < VF_TREE_LONGEST ? n : VF_TREE_LONGEST;
}

uint32_t vf_tree_lengthen(struct vf_tree *tree, uint32_t node, uint32_t head, uint32_t label)
{
    uint32_t to = add_stretch(tree, node, head, longer(node - head));
    tree->labels[node + 1] = vf_tree_mark(to);
    tree->labels[to] = label;
    return to;
}

uint32_t vf_tree_add(struct vf_tree *tree, uint32_t node, uint32_t label)
{
    uint32_t next = tree->labels[node + 1], to = node + 1;
    if (next == VF_TREE_NO_WAY) return vf_tree_lengthen(tree, node, vf_tree_head(tree, node), label);
    if (next) {
        to = add_stretch(tree, node, vf_tree_head(tree, node), FIRST);
        vf_tree_join(tree, node, label, to);
    }
    tree->labels[to] = label;
    return to;
}

void vf_tree_join(struct vf_tree *tree, uint32_t node, uint32_t label, uint32_t to)
{
    if (!vf_tree_leads_on(tree, node)) {
        tree->labels[node + 1] = vf_tree_mark(to);
        return;
    }
    vf_near_put(&tree->others, &(struct vf_near_entry){{node, label}, to});
}
