#ifndef PARCAST_VALUEFLOW_TRIE_H
#define PARCAST_VALUEFLOW_TRIE_H

#include "valueflow/runtime/tables/tree.h"

#pragma GCC visibility push(hidden)

#define VF_FOLD_PIN 0x80000000u /* flag of a pin whose reader adds the value up */

/** Labels are pins, or, shifted, pins less the home of the value: words of an array that are read alike by
 * the words around them then have one way. All labels of a way are of one kind. */
#define VF_MOST_VERTICES 0x10000000u /* so that no pin is a shifted one, nor a shifted one a mark */
#define VF_SHIFTED       0x20000000u /* what shifted ones have and pins have not */

/** A state is a set of pins, in the order in which they were seen. */
extern struct vf_tree vf_trie;

void vf_trie_open(void);
/** No state is looked for any more. */
void vf_trie_close(void);
/** The ways that are not to the next slot, for a value of this home. */
uint32_t vf_trie_next(uint32_t state, uint32_t sink, uint32_t home);

/** The pins of a state, some maybe more than once; returns how many, at most `most`. */
uint32_t vf_trie_pins(uint32_t state, uint32_t home, uint32_t most, uint32_t *pins);

/** The label of a pin in the ways that are shifted, less the pin; the flag of the pin stays in it. */
static inline uint32_t vf_shift(uint32_t home)
{
    return VF_SHIFTED + VF_MOST_VERTICES - home;
}
#pragma GCC visibility pop

#endif
