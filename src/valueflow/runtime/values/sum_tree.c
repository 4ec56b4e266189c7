/* Sums of sums: (s0 + s1) + (s2 + s3), or what halves of an array come to. Where every label is a sum of the
 * same operation, so is the whole; which of them have no other reader is seen when the graph is made
 * (splice.c). */
#include "valueflow/runtime/values/chain.h"
#include "valueflow/runtime/values/value.h"

/* One that somebody has read is no part of another one only: positions that velocities are added to. */
static bool is_sum(uint32_t id, uint32_t op)
{
    const struct vf_value *value = &vf_values[id];
    return vf_carries(id) && !vf_is_bundle(id) && value->chain && vf_is_unread(value) &&
           vf_chain_op(value->chain) == op;
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
static uint32_t end(struct parcast_vf_sum *sum, const char *site, uint32_t op)
{
    uint32_t id = parcast_vf_sum_value(sum, site, 1, op);
    sum->n = sum->n_held = 0;
    vf_values[id].references--;
    parcast_vf_sum_free(sum);
    return id;
}

uint32_t parcast_vf_tree_value(const char *site, uint32_t work, uint32_t op, uint32_t n,
                               const uint32_t *labels)
{
    struct parcast_vf_sum sum = {0};
    if (!begin(&sum, op, n, labels)) return parcast_vf_result(site, work, n, labels);
    return end(&sum, site, op);
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
    uint32_t id = end(&tree, site, op);
    parcast_vf_sum_start(sum, 1, &id);
}
