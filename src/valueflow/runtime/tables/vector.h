/* Tables that grow in place of address space: pages appear when they are touched, moving costs no copy. */
#ifndef PARCAST_VALUEFLOW_VECTOR_H
#define PARCAST_VALUEFLOW_VECTOR_H

#include <stddef.h>

#include "valueflow/runtime/process/ending.h"

#pragma GCC visibility push(hidden)

/** Zeroed memory for a table, at least `bytes`. Ends the program with a message when there is none. */
void *vf_map(size_t bytes);
/** The same table with room for `bytes`, the new part zero. */
void *vf_remap(void *old, size_t old_bytes, size_t bytes);
void vf_unmap(void *table, size_t bytes);
/** What the table holds is not needed any more: zeros, of which pages are free for others. */
void vf_empty(void *table, size_t bytes);
/** Grow `table` of `*capacity` entries of `size` bytes so that entry `need` exists. Doubles, later
 * grows by pieces; asks for memory (memory.h). */
void *vf_grow(void *table, size_t *capacity, size_t size, size_t need);
/** The same for a table that has about as many entries at once as it will ever have. */
void *vf_grow_exact(void *table, size_t *capacity, size_t size, size_t need);
/** The same for a table of which little is touched. */
void *vf_grow_sparse(void *table, size_t *capacity, size_t size, size_t need);
/** The same for one of which only pieces far apart are touched, in small pages. */
void *vf_grow_scattered(void *table, size_t *capacity, size_t size, size_t need);
/** Room for a text that stays. */
char *vf_text(size_t bytes);
/** Bytes that all tables have been given. */
size_t vf_mapped_bytes(void);
#pragma GCC visibility pop

#endif
