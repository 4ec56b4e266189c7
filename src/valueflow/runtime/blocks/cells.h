/*
 * Cells of words that are smaller than 8 bytes. A cell that was accessed in halves is split: it has the
 * number of a pair of cells, one for each half, and these may be split again, down to single bytes:
 *
 *     8 bytes {VF_SPLIT, pair} --> 4 bytes {value, vertex}
 *                                  4 bytes {VF_SPLIT, pair} --> 2 bytes {value, vertex}
 *                                                               2 bytes {VF_SPLIT, pair} --> single bytes
 *
 * A pair stays a pair, whatever is stored there later. In very large blocks halves are not split: single
 * bytes would need more vertices than there are.
 */
#ifndef PARCAST_VALUEFLOW_CELLS_H
#define PARCAST_VALUEFLOW_CELLS_H

#include "valueflow/runtime/tables/tables.h"

#pragma GCC visibility push(hidden)

enum { VF_MOST_PARTS = 8 };

/** A word that an access goes to. */
struct vf_part {
    uintptr_t address;
    unsigned size;
};

void vf_cells_open(void);
/** The smallest words that the `size` bytes around an address consist of; one if they are a word, or within
 * one. */
unsigned vf_parts_of(uintptr_t address, unsigned size, struct vf_part parts[VF_MOST_PARTS]);
/** The cell of this size at an address, which may be split; NULL where only a larger one is there. */
struct vf_cell *vf_cell_at(uintptr_t address, unsigned size);
/** The cell that a byte lies in, and its size. */
struct vf_cell *vf_leaf(uintptr_t address, unsigned *size);
/** Split it. Both halves are empty. `cell` and others may lie elsewhere from then on. */
struct vf_cell *vf_halves_of(struct vf_cell *cell);
/** There is room for the pairs of an access, so that cells stay where they are. */
void vf_halves_reserve(void);
/** Are bytes of the block looked at one by one? */
bool vf_is_fine(uintptr_t address);
#pragma GCC visibility pop

#endif
