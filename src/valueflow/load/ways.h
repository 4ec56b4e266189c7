/* Words of labels as the run time has them, in slots (runtime/tree.h), turned into nodes with parents. */
#ifndef PARCAST_VALUEFLOW_WAYS_H
#define PARCAST_VALUEFLOW_WAYS_H

#include <stdint.h>

/**
 * The parents of the nodes among n slots, 0 of slots that are none, to be freed; NULL: no memory. What is in
 * the slots stays for nodes and becomes 0 for the others. Slots that the run time would not have written give
 * some parents, even later ones.
 *
 * Cost: O(n).
 */
uint32_t *ways_find(uint32_t *slots, uint64_t n);

#endif
