/* Sequences of homes, shared where they begin alike. Unlike sets of pins they keep order and repetitions. */
#ifndef PARCAST_VALUEFLOW_SEQUENCE_H
#define PARCAST_VALUEFLOW_SEQUENCE_H

#include "valueflow/runtime/tables/tree.h"

#pragma GCC visibility push(hidden)

extern struct vf_tree vf_sequences; /* labels are homes; the root is the empty sequence */

void vf_sequences_open(void);
/** No sequence is looked for any more. */
void vf_sequences_close(void);
uint32_t vf_sequence_slow(uint32_t sequence, uint32_t home);

static inline uint32_t vf_sequence_next(uint32_t sequence, uint32_t home)
{
    bool usual = __builtin_expect(vf_sequences.labels[sequence + 1] == home, 1);
    return usual ? sequence + 1 : vf_sequence_slow(sequence, home);
}
#pragma GCC visibility pop

#endif
