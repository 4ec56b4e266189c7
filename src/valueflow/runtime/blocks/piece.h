/*
 * Pieces of a block of memory that the program has arrays in: where variables and parameters lead to that are
 * given an address in the midst of it (hooks.def: piece). One that is given several of one block goes through
 * an array, and does not tell where one begins; the reader sees to that (space/arrays/pieces.h).
 */
#ifndef PARCAST_VALUEFLOW_PIECE_H
#define PARCAST_VALUEFLOW_PIECE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/** What a holder, which has a number from 1, has led to in one block. */
struct vf_piece {
    uint32_t object, next; /* 0 until the block has one; of the same block */
    uint32_t holder;
    bool is_many;     /* it has led to several places of the block, of which this is one */
    uint64_t offset;  /* in bytes */
    const char *name; /* of the variable; empty where it has none */
};

/** From 1 on; returns how many there are with 0. Those without an object are of nothing that was touched. */
uint32_t vf_pieces(const struct vf_piece **pieces);

struct vf_block;
/** The block has got an object: its pieces are of that. */
void vf_pieces_belong(const struct vf_block *block);

#pragma GCC visibility pop

#endif
