#include "valueflow/runtime/sequence.h"

#include <stddef.h>

#include "valueflow/runtime/hash.h"
#include "valueflow/runtime/vector.h"

struct vf_step *vf_steps;
uint32_t *vf_step_parents;
static size_t step_capacity, parent_capacity, first_capacity;
static uint32_t *first_steps; /* by home: every home can begin a sequence, too many for the hash */
static uint32_t n_steps;
static struct vf_hash others = {.width = 2};

void vf_sequences_open(void)
{
    vf_steps = vf_grow(NULL, &step_capacity, sizeof *vf_steps, 0);
    vf_step_parents = vf_grow(NULL, &parent_capacity, sizeof *vf_step_parents, 0);
    n_steps = 1;
}

uint32_t vf_sequences_size(void)
{
    return n_steps;
}

static uint32_t add(uint32_t sequence, uint32_t home)
{
    if (n_steps == UINT32_MAX) vf_stop("more than 2^32 terms of sums; use a smaller problem");
    vf_steps = vf_grow(vf_steps, &step_capacity, sizeof *vf_steps, n_steps);
    vf_step_parents = vf_grow(vf_step_parents, &parent_capacity, sizeof *vf_step_parents, n_steps);
    vf_steps[n_steps].home = home;
    vf_step_parents[n_steps] = sequence;
    return n_steps++;
}

uint32_t vf_sequence_first(uint32_t home)
{
    first_steps = vf_grow(first_steps, &first_capacity, sizeof *first_steps, home);
    if (!first_steps[home]) first_steps[home] = add(0, home);
    return first_steps[home];
}

/* The way onwards in the step gives place to the one that is taken now. */
uint32_t vf_sequence_slow(uint32_t sequence, uint32_t home)
{
    uint32_t next = 0;
    if (vf_steps[sequence].next) {
        uint32_t old[2] = {sequence, vf_steps[sequence].next_home}, key[2] = {sequence, home};
        uint32_t *at = vf_hash_at(&others, old);
        if (!*at) {
            *at = vf_steps[sequence].next;
            vf_hash_added(&others);
        }
        next = *vf_hash_at(&others, key);
    }
    if (!next) next = add(sequence, home);
    vf_steps[sequence].next_home = home;
    vf_steps[sequence].next = next;
    return next;
}
