/* What other reductions in registers come to, as terms of one. */
#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/values/sum.h"

/* A term that is a value as it is, though others of one value are powers: it stands with what the sum began
 * with. Behind a loop, once. */
void parcast_vf_sum_whole(struct parcast_vf_sum *sum, uint32_t a)
{
    if (vf_tracing && vf_carries(a)) vf_sum_stand_first(sum, 1, &a);
}

/* The terms of another sum, which ends. Where only one of both has powers, those of one value keep what they
 * are. */
void parcast_vf_sum_join(struct parcast_vf_sum *sum, struct parcast_vf_sum *other, uint32_t op,
                         uint32_t other_op)
{
    if (!vf_tracing) return;
    uint32_t first = other->n_initial, per_term = other->per_term;
    bool are_powers = other_op & VF_POWERS && !(op & VF_POWERS),
         are_plain = op & VF_POWERS && !(other_op & VF_POWERS);
    sum->work += other->work;
    if (per_term == 1 && are_plain) first = other->n;
    vf_sum_stand_first(sum, first, other->labels);
    for (uint32_t i = first; i < other->n; i += per_term) {
        const uint32_t *term = other->labels + i;
        uint32_t n = other->is_mixed ? vf_labels_in(term, per_term) : per_term;
        uint32_t power = n == 1 && are_powers ? parcast_vf_power(0, *term) : 0;
        parcast_vf_sum_term(sum, n, power ? &power : term);
    }
    vf_sum_stand_first(sum, 0, NULL); /* which holds what it has */
    vf_sum_end(other);
}
