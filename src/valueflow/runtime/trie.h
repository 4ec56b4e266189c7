#ifndef PARCAST_VALUEFLOW_TRIE_H
#define PARCAST_VALUEFLOW_TRIE_H

#include "valueflow/runtime/tree.h"

#pragma GCC visibility push(hidden)

/** Labels are pins; a state is a set of pins, in the order in which they were seen. */
extern struct vf_tree vf_trie;

void vf_trie_open(void);
/** The ways that are not to the next slot, for a value of this home. */
uint32_t vf_trie_next(uint32_t state, uint32_t sink, uint32_t home);
#pragma GCC visibility pop

#endif
