/* Sums that a word holds and terms are added to: for hooks of sums in memory (hook_fold.c) and in registers
 * (hook_sum.c). */
#ifndef PARCAST_VALUEFLOW_SUM_H
#define PARCAST_VALUEFLOW_SUM_H

#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/steps/again.h"
#include "valueflow/runtime/values/chain.h"
#include "valueflow/runtime/values/result.h"
#include "valueflow/runtime/values/value.h"

#pragma GCC visibility push(hidden)

/* The labels of a term that carry anything, one for each home. Several labels that fit in no term become a
 * value of their own: *made, to be released. */
static inline uint32_t vf_pack(uint32_t n, const uint32_t *labels, uint32_t *term, uint32_t *made)
{
    uint32_t flat[VF_MOST_FLAT], m = 0;
    *made = 0;
    if (n && n <= 2 && !vf_is_bundle(labels[0]) && !vf_is_bundle(labels[n - 1])) {
        if (vf_carries(labels[0])) term[m++] = labels[0];
        if (vf_carries(labels[n - 1]) && (!m || vf_values[labels[n - 1]].vertex != vf_values[term[0]].vertex))
            term[m++] = labels[n - 1];
        return m;
    }
    n = vf_flatten(n, labels, flat);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = 0;
        while (j < m && vf_values[term[j]].vertex != vf_values[flat[i]].vertex) j++;
        if (j < m) continue;
        if (m == VF_TERM_LABELS) {
            term[0] = *made = vf_term(n, flat);
            return 1;
        }
        term[m++] = flat[i];
    }
    return m;
}

/* Can the value in the word still be added to? Yes when it is a sum of the same kind that nobody has read. */
static inline bool vf_is_open(uint32_t id, uint32_t vertex, uint32_t op)
{
    if (!vf_carries(id)) return false;
    const struct vf_value *value = &vf_values[id];
    return value->chain && vf_is_unread(value) && (value->references & ~VF_QUEUED) == 1 &&
           value->vertex == vertex && vf_chain_op(value->chain) == op;
}

/** The value of the word that the terms go to: a new sum that begins with what is there. */
uint32_t vf_begin_sum(struct vf_cell *cell, uint32_t vertex, uint32_t op);
/** The same in a word that may be a workspace. VF_CONSTANT in one that is when neither the word nor the term
 * carries anything: then there is nothing to follow yet. */
uint32_t vf_open_flagged(struct vf_cell *cell, uint32_t op, uint32_t n, const uint32_t *labels);

/** What the terms go to in this word: the sum that it holds, or a new one. */
static inline uint32_t vf_open_sum(struct vf_cell *cell, uint32_t vertex, uint32_t op, uint32_t n,
                                   const uint32_t *labels)
{
    if (__builtin_expect(vf_is_open(cell->value, vertex, op), 1)) return cell->value;
    if (vertex & VF_FLAGGED) return vf_open_flagged(cell, op, n, labels);
    vf_ticks(vertex);
    return vf_begin_sum(cell, vertex, op);
}

/** Labels of a term that others of the sum may have more of than it has. */
static inline uint32_t vf_labels_in(const uint32_t *term, uint32_t per_term)
{
    while (per_term && !term[per_term - 1]) per_term--;
    return per_term;
}

/** Values as they are stand with what the sum in a register began with, which holds what it has then. */
void vf_sum_stand_first(struct parcast_vf_sum *sum, uint32_t n, const uint32_t *labels);
/** It has no terms any more. */
void vf_sum_end(struct parcast_vf_sum *sum);

/** `is_power`: a term of one value may be more than a multiple of it. It has that label twice where the value
 * is a sum, as a product of two sums has both. */
static inline void vf_add_term(uint32_t id, uint32_t n, const uint32_t *labels, bool is_power)
{
    uint32_t term[VF_TERM_LABELS], made, m = vf_pack(n, labels, term, &made), vertex = vf_values[id].vertex;
    vf_add_work(vertex, vf_work_of(n, labels)); /* what comes of nothing is computed, too */
    if (!m) return;
    for (uint32_t i = 0; i < m; i++) vf_pin(term[i], vertex, VF_FOLD_PIN);
    if (m == 1 && vf_values[term[0]].chain && (is_power || vf_are_power(n, labels))) term[m++] = term[0];
    vf_values[id].chain = vf_chain_add(vf_values[id].chain, m, term);
    if (made) vf_release(made);
}

#pragma GCC visibility pop

#endif
