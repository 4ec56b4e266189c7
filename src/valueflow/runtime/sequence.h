/* Sequences of homes, shared where they begin alike. Unlike sets of pins they keep order and repetitions. */
#ifndef PARCAST_VALUEFLOW_SEQUENCE_H
#define PARCAST_VALUEFLOW_SEQUENCE_H

#include <stdint.h>

struct vf_step {
    uint32_t home, next_home, next; /* one way onwards; others are in a hash */
};

extern struct vf_step *vf_steps; /* 0 is the empty sequence */
extern uint32_t *vf_step_parents;

void vf_sequences_open(void);
uint32_t vf_sequences_size(void);
uint32_t vf_sequence_slow(uint32_t sequence, uint32_t home);
uint32_t vf_sequence_first(uint32_t home); /* the sequence of one */

static inline uint32_t vf_sequence_next(uint32_t sequence, uint32_t home)
{
    if (sequence == 0) return vf_sequence_first(home);
    const struct vf_step *s = &vf_steps[sequence];
    return __builtin_expect(s->next_home == home, 1) ? s->next : vf_sequence_slow(sequence, home);
}

#endif
