#include "valueflow/runtime/blocks/piece.h"

#include "compiler/hooks.h"
#include "valueflow/runtime/blocks/block.h"
#include "valueflow/runtime/tables/hash.h"
#include "valueflow/runtime/tables/vector.h"

enum { OFTEN = 255 };

static struct vf_piece *pieces;
static size_t capacity;
static uint32_t n_pieces = 1, n_holders;
static struct vf_hash by_holder = {.width = 4}; /* the variable; where a member leads to */
static struct vf_hash by_block = {.width = 2};  /* holder, number of the block */

static uint32_t number_of(const void *holder, uint64_t offset)
{
    uintptr_t variable = (uintptr_t)holder;
    uint32_t key[4] = {(uint32_t)variable, (uint32_t)(variable >> 32), (uint32_t)offset,
                       (uint32_t)(offset >> 32)};
    uint32_t *at = vf_hash_at(&by_holder, key);
    if (!*at) {
        *at = ++n_holders;
        vf_hash_added(&by_holder);
        return n_holders;
    }
    return *at;
}

static void note(struct vf_block *block, uint32_t holder, const char *name, uint64_t offset)
{
    uint32_t key[2] = {holder, block->number}, *at = vf_hash_at(&by_block, key);
    if (*at) {
        pieces[*at].is_many = pieces[*at].is_many || pieces[*at].offset != offset;
        return;
    }
    pieces = vf_grow(pieces, &capacity, sizeof *pieces, n_pieces);
    pieces[n_pieces] = (struct vf_piece){
        .object = block->object, .next = block->pieces, .holder = holder, .offset = offset, .name = name};
    *at = block->pieces = n_pieces++;
    vf_hash_added(&by_block);
}

/* The first byte of a holder counts how often it has told, what it is called is behind that. The member of
 * one structure is another holder than that of another one. */
void parcast_vf_piece(const void *p, const void *base, void *holder, uint32_t is_member)
{
    uint8_t *told = holder;
    uintptr_t address = (uintptr_t)p;
    if (*told == OFTEN) return;
    ++*told;
    struct vf_block *block = vf_blocks_find((uintptr_t)base);
    if (!block || address < block->base || address - block->base >= block->bytes) return;
    uint64_t offset = address - block->base;
    note(block, number_of(holder, is_member ? offset : 0), (const char *)holder + 1, offset);
}

void vf_pieces_belong(const struct vf_block *block)
{
    for (uint32_t i = block->pieces; i; i = pieces[i].next) pieces[i].object = block->object;
}

uint32_t vf_pieces(const struct vf_piece **all)
{
    *all = pieces;
    return n_pieces;
}
