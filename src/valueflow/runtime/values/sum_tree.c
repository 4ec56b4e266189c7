/* Sums of sums: (s0 + s1) + (s2 + s3), or what halves of an array come to. Where every label is a sum of the
 * same operation, so is the whole; which of them have no other reader is seen when the graph is made
 * (splice.c). */
#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/values/chain.h"
#include "valueflow/runtime/values/value.h"

/* One that somebody has read is no part of another one only: positions that velocities are added to. */
static bool is_sum(uint32_t id, uint32_t op)
{
    const struct vf_value *value = &vf_values[id];
    return vf_carries(id) && !vf_is_bundle(id) && value->chain && vf_is_unread(value) &&
           vf_chain_op(value->chain) == op;
}

/* A few words that were put together by the operation: each of them is a term, should it be of a sum. */
static bool is_part(uint32_t id, uint32_t op)
{
    return vf_carries(id) && vf_is_bundle(id) && vf_bundle_of(id)->n && vf_bundle_of(id)->op == op;
}

static void add_terms(struct parcast_vf_sum *sum, uint32_t id, uint32_t op)
{
    if (!vf_carries(id)) return;
    const struct vf_bundle *bundle = vf_is_bundle(id) ? vf_bundle_of(id) : NULL;
    if (!bundle || vf_is_power(id))
        parcast_vf_sum_term1(sum, id);
    else if (is_part(id, op))
        for (uint32_t i = 0; i < bundle->n; i++) parcast_vf_sum_term1(sum, bundle->labels[i]);
    else
        parcast_vf_sum_term(sum, bundle->n, bundle->labels);
}

/* What a recursive function has come to, a sum or the few words that it would have of, and another part of it
 * or a word: by the operation all of them are terms of one sum, if there are more than few. */
static bool begin_parts(struct parcast_vf_sum *sum, uint32_t op, uint32_t n, const uint32_t *labels)
{
    uint32_t flat[VF_MOST_FLAT], n_parts = 0, n_sums = 0;
    if (!vf_tracing) return false;
    for (uint32_t i = 0; i < n; i++) {
        n_sums += is_sum(labels[i], op);
        n_parts += is_part(labels[i], op);
    }
    if (!n_sums && (!n_parts || vf_flatten(n, labels, flat) <= VF_FEW)) return false;
    parcast_vf_sum_start(sum, 0, NULL);
    for (uint32_t i = 0; i < n; i++) add_terms(sum, labels[i], op);
    return true;
}

/* Few words, each of which would be a term. */
static void mark_part(uint32_t id, uint32_t op, uint32_t n, const uint32_t *labels)
{
    if (!vf_tracing || !vf_carries(id) || !vf_is_bundle(id) || vf_bundle_of(id)->n < 2) return;
    for (uint32_t i = 0; i < n; i++) {
        bool is_term = !vf_is_bundle(labels[i]) || is_part(labels[i], op) || vf_is_power(labels[i]);
        if (vf_carries(labels[i]) && !is_term) return;
    }
    vf_bundle_of(id)->op = (uint16_t)op;
}

/* The different labels that carry anything become the terms, if all of them are sums and there are several.
 */
static bool begin(struct parcast_vf_sum *sum, uint32_t op, uint32_t n, const uint32_t *labels)
{
    uint32_t n_sums = 0;
    if (!vf_tracing) return false;
    for (uint32_t i = 0; i < n; i++) {
        if (vf_carries(labels[i]) && !is_sum(labels[i], op)) return false;
        n_sums += vf_carries(labels[i]);
    }
    if (n_sums < 2) return false;
    parcast_vf_sum_start(sum, 0, NULL);
    for (uint32_t i = 0; i < n; i++)
        if (vf_carries(labels[i])) parcast_vf_sum_term1(sum, labels[i]);
    return true;
}

uint32_t parcast_vf_tree_store(void *p, uint32_t size, uint32_t work, uint32_t op, uint32_t n,
                               const uint32_t *labels)
{
    struct parcast_vf_sum sum = {0};
    if (!begin(&sum, op, n, labels)) return parcast_vf_store(p, size, work, n, labels);
    uint32_t id = parcast_vf_sum_store(&sum, p, size, 1, op);
    parcast_vf_sum_free(&sum);
    return id;
}

/* The sum's own reference goes without ending the value: who keeps the label keeps it. */
static uint32_t end(struct parcast_vf_sum *sum, const char *site, uint32_t work, uint32_t op)
{
    uint32_t id = parcast_vf_sum_value(sum, site, work, op);
    sum->n = sum->n_held = 0;
    vf_values[id].references--;
    parcast_vf_sum_free(sum);
    return id;
}

uint32_t parcast_vf_tree_value(const char *site, uint32_t work, uint32_t op, uint32_t n,
                               const uint32_t *labels)
{
    struct parcast_vf_sum sum = {0};
    if (begin(&sum, op, n, labels) || begin_parts(&sum, op, n, labels)) return end(&sum, site, 1, op);
    uint32_t id = parcast_vf_result(site, work, n, labels);
    mark_part(id, op, n, labels);
    return id;
}

/* What a recursive function ends with, the product of two words say: a sum of one term. */
uint32_t parcast_vf_term_value(const char *site, uint32_t work, uint32_t op, uint32_t n,
                               const uint32_t *labels)
{
    struct parcast_vf_sum sum = {0};
    uint32_t few[VF_FEW], all_work = work, n_few = vf_tracing ? vf_find_few(n, labels, few, &all_work) : 0;
    if (n_few < 2 || n_few > VF_FEW) return parcast_vf_result(site, work, n, labels);
    parcast_vf_sum_start(&sum, 0, NULL);
    parcast_vf_sum_term(&sum, n_few, few);
    return end(&sum, site, all_work, op);
}

/* A sum in a register that begins with such a tree, and may end with it: a recursive function that returns
 * one or the other. */
void parcast_vf_tree_start(struct parcast_vf_sum *sum, const char *site, uint32_t op, uint32_t n,
                           const uint32_t *labels)
{
    struct parcast_vf_sum tree = {0};
    if (!begin(&tree, op, n, labels)) {
        parcast_vf_sum_start(sum, n, labels);
        return;
    }
    uint32_t id = end(&tree, site, 1, op);
    parcast_vf_sum_start(sum, 1, &id);
}
