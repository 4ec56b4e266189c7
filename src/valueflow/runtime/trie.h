#ifndef PARCAST_VALUEFLOW_TRIE_H
#define PARCAST_VALUEFLOW_TRIE_H

#include "valueflow/runtime/tree.h"

extern struct vf_tree
    vf_trie; /* labels are pins; a state is a set of pins, in the order in which they were seen */

void vf_trie_open(void);
/** The ways that are not in the state itself. */
uint32_t vf_next_slow(uint32_t state, uint32_t sink);

#endif
