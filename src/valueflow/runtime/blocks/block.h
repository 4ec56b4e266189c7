/* Live allocations by address: a treap whose nodes come from one table. */
#ifndef PARCAST_VALUEFLOW_BLOCK_H
#define PARCAST_VALUEFLOW_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct vf_block {
    uintptr_t base;
    size_t bytes;
    uint32_t left, right, priority;
    uint32_t object; /* 0 until a word of it is touched */
    uint64_t context;
    uint32_t kind, slot;
    uint32_t record;            /* bytes of the structures it consists of; 0: not known */
    uint32_t pieces;            /* the last one (piece.c); 0: none */
    bool in_region;             /* made there */
    uint32_t number;            /* in the order in which they came */
    const char *name, *made_as; /* now, and where it was allocated */
};

/** The block that holds an address, or NULL. Valid until the next change. */
struct vf_block *vf_blocks_find(uintptr_t address);
/** Is it in a block, or on the stack? (context.c) */
bool vf_is_there(uintptr_t address);
/** The lowest block of which any byte is among these; NULL. */
struct vf_block *vf_blocks_among(uintptr_t base, size_t bytes);
/** A new block; none may overlap. */
struct vf_block *vf_blocks_insert(uintptr_t base, size_t bytes);
void vf_blocks_delete(uintptr_t base);
/** How many blocks of a context there were at most at a time (context.c). */
uint32_t vf_blocks_at_once(uint64_t context, uint32_t kind);
#pragma GCC visibility pop

#endif
