#include "valueflow/runtime/blocks/block.h"

#include "valueflow/runtime/tables/vector.h"

static struct vf_block *blocks;
static size_t capacity;
static uint32_t n_blocks = 1, first_free, root, last_found;
static uint64_t seed = 0x2545f4914f6cdd1dull;

static uint32_t priority(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 32);
}

static bool holds(const struct vf_block *block, uintptr_t address)
{
    return address >= block->base && address - block->base < (block->bytes ? block->bytes : 1);
}

struct vf_block *vf_blocks_find(uintptr_t address)
{
    if (last_found && holds(&blocks[last_found], address)) return &blocks[last_found];
    for (uint32_t i = root; i;) {
        if (holds(&blocks[i], address)) {
            last_found = i;
            return &blocks[i];
        }
        i = address < blocks[i].base ? blocks[i].left : blocks[i].right;
    }
    return NULL;
}

struct vf_block *vf_blocks_among(uintptr_t base, size_t bytes)
{
    uint32_t below = 0, above = 0; /* the nearest ones: the first begins at `base` or before it */
    for (uint32_t i = root; i;) {
        bool is_above = blocks[i].base > base;
        *(is_above ? &above : &below) = i;
        i = is_above ? blocks[i].left : blocks[i].right;
    }
    if (below && holds(&blocks[below], base)) return &blocks[below];
    return above && blocks[above].base < base + bytes ? &blocks[above] : NULL;
}

/* Blocks below and from `base` on. */
static void split(uint32_t tree, uintptr_t base, uint32_t *below, uint32_t *from)
{
    while (tree) {
        if (blocks[tree].base < base) {
            *below = tree;
            below = &blocks[tree].right;
            tree = *below;
        } else {
            *from = tree;
            from = &blocks[tree].left;
            tree = *from;
        }
    }
    *below = *from = 0;
}

static uint32_t merge(uint32_t a, uint32_t b)
{
    uint32_t tree = 0, *at = &tree;
    while (a && b) {
        if (blocks[a].priority > blocks[b].priority) {
            *at = a;
            at = &blocks[a].right;
            a = *at;
        } else {
            *at = b;
            at = &blocks[b].left;
            b = *at;
        }
    }
    *at = a ? a : b;
    return tree;
}

void vf_blocks_delete(uintptr_t base)
{
    uint32_t *at = &root;
    while (*at && blocks[*at].base != base)
        at = base < blocks[*at].base ? &blocks[*at].left : &blocks[*at].right;
    uint32_t found = *at;
    if (!found) return;
    *at = merge(blocks[found].left, blocks[found].right);
    if (last_found == found) last_found = 0;
    blocks[found].left = first_free;
    first_free = found;
}

struct vf_block *vf_blocks_insert(uintptr_t base, size_t bytes)
{
    uint32_t i = first_free;
    if (i) {
        first_free = blocks[i].left;
    } else {
        blocks = vf_grow(blocks, &capacity, sizeof *blocks, n_blocks);
        i = n_blocks++;
    }
    blocks[i] = (struct vf_block){.base = base, .bytes = bytes, .priority = priority()};
    uint32_t below, from;
    split(root, base, &below, &from);
    root = merge(merge(below, i), from);
    return &blocks[i];
}
