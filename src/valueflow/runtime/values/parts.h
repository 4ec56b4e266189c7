/*
 * Accesses to several words at once: a structure of two floats or four bytes is copied as one number. What is
 * loaded then is a label of all the words' values: who computes with it reads all of them, and where it is
 * copied to, each word gets its own.
 */
#ifndef PARCAST_VALUEFLOW_PARTS_H
#define PARCAST_VALUEFLOW_PARTS_H

#include "valueflow/runtime/tables/tables.h"

#pragma GCC visibility push(hidden)

/** The label of the smaller words that the `size` bytes at an address consist of; the value that all of them
 * hold, if it is one. */
uint32_t vf_parts_load(uintptr_t address, unsigned size);
/** Copy what was loaded like that. */
void vf_parts_put(uintptr_t address, unsigned size, uint32_t id);
/** What a computation reads of it. */
void vf_parts_pin(const struct vf_bundle *bundle, uint32_t vertex, uint32_t flag);
void vf_parts_die(uint32_t parts);
/** What was stored in the lowest of smaller words stands in all of them. */
void vf_parts_share(const struct vf_cell *cell, uintptr_t address, unsigned size);
static inline void vf_share(const struct vf_cell *cell, uintptr_t address, unsigned size)
{
    if (__builtin_expect(vf_is_parted(cell, address, size), 0)) vf_parts_share(cell, address, size);
}
#pragma GCC visibility pop

#endif
