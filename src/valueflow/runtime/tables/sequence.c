#include "valueflow/runtime/tables/sequence.h"

#include "valueflow/runtime/tables/vector.h"

struct vf_tree vf_sequences;
static uint32_t *first_steps; /* by home: every home can begin a sequence, too many for the hash */
static size_t first_capacity;

void vf_sequences_open(void)
{
    vf_tree_open(&vf_sequences, "terms of sums");
}

void vf_sequences_close(void)
{
    vf_near_empty(&vf_sequences.others);
    vf_empty(first_steps, first_capacity * sizeof *first_steps);
}

static uint32_t first(uint32_t home)
{
    first_steps = vf_grow(first_steps, &first_capacity, sizeof *first_steps, home);
    if (!first_steps[home]) {
        first_steps[home] = vf_tree_begin(&vf_sequences, 1) + 1;
        vf_sequences.labels[first_steps[home]] = home;
    }
    return first_steps[home];
}

uint32_t vf_sequence_slow(uint32_t sequence, uint32_t home)
{
    if (sequence == VF_TREE_ROOT) return first(home);
    uint32_t next = vf_tree_next(&vf_sequences, sequence, home);
    if (!next && vf_tree_leads_on(&vf_sequences, sequence))
        next = vf_tree_other(&vf_sequences, sequence, home);
    return next ? next : vf_tree_add(&vf_sequences, sequence, home);
}
