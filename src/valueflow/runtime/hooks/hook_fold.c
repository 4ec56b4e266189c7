/* Reductions in memory, as instrumented code calls them. */
#include "valueflow/runtime/blocks/name.h"
#include "valueflow/runtime/values/chosen.h"
#include "valueflow/runtime/values/parts.h"
#include "valueflow/runtime/values/sum.h"

enum { MOST_LABELS = 32 }; /* of a term that may go through */

struct vf_bare_term vf_bare_term;

uint32_t vf_begin_sum(struct vf_cell *cell, uint32_t vertex, uint32_t op)
{
    uint32_t old = cell->value, id = vf_value_create(vertex);
    vf_values[id].references = 1;
    vf_values[id].chain = vf_chain_create(op);
    vf_pin(old, vertex, 0);
    vf_release(old);
    cell->value = id;
    return id;
}

/* What stands in the word is the first term. */
static uint32_t begin_with_term(struct vf_cell *cell, uint32_t vertex, uint32_t op)
{
    uint32_t term = cell->value;
    cell->value = VF_CONSTANT;
    uint32_t id = vf_begin_sum(cell, vertex, op);
    vf_add_term(id, 1, &term, false);
    vf_release(term);
    return id;
}

uint32_t vf_open_flagged(struct vf_cell *cell, uint32_t op, uint32_t n, const uint32_t *labels)
{
    uint32_t old = cell->value, base = cell->vertex & ~VF_FLAGGED, sources[VF_TERM_LABELS + 1], m = 0;
    if (vf_carries(old) && !vf_is_bundle(old) && vf_base(vf_values[old].vertex) == base &&
        vf_is_open(old, vf_values[old].vertex, op))
        return old;
    if (vf_carries(old) && !vf_is_of_nothing(old)) sources[m++] = old;
    for (uint32_t i = 0; i < n && i < VF_TERM_LABELS; i++)
        if (vf_carries(labels[i])) sources[m++] = labels[i];
    if (!m && vf_in_workspace(cell)) return VF_CONSTANT;
    vf_ticks_flagged(cell);
    uint32_t vertex = vf_instance(cell, m, sources), id;
    if (vf_is_bundle(old) && vf_bundle_of(old)->op == op)
        id = begin_with_term(cell, vertex, op);
    else
        id = vf_begin_sum(cell, vertex, op);
    vf_is_named(id);
    return id;
}

/* Terms that come of the same few values are no sum over data: coefficients that are computed for each line
 * anew from the same few numbers, say. */
static bool is_of_the_same(uint32_t old, uint32_t n_flat, uint32_t n, const uint32_t *labels)
{
    uint32_t flat[VF_MOST_FLAT], n_old = vf_is_bundle(old) ? vf_bundle_of(old)->n : 1;
    return n_flat == n_old || n_flat == vf_flatten(n, labels, flat);
}

/* It goes through as a term: should the next one come of others, it is the first of a sum. */
static uint32_t pass_term(const struct vf_cell *cell, uint32_t op, uint32_t n, const uint32_t *flat,
                          uint32_t work)
{
    uint32_t id = vf_bundle(n, flat, work);
    vf_bundle_of(id)->op = (uint16_t)op;
    vf_bundle_of(id)->word = cell->vertex & ~VF_FLAGGED;
    vf_hold(id);
    return id;
}

/* What was computed so far and the term are what the word's value is computed from; VF_UNTOUCHED where it is
 * a sum after all. */
static uint32_t put_few(struct vf_cell *cell, uint32_t work, uint32_t op, bool is_once, bool is_power,
                        uint32_t n, const uint32_t *labels)
{
    uint32_t all[MOST_LABELS + 1] = {0}, flat[VF_MOST_FLAT], old = cell->value, m = 0;
    bool begins = !vf_carries(old);
    if (n > (is_once ? VF_TERM_LABELS : MOST_LABELS) || (begins && is_once)) return VF_UNTOUCHED;
    if (!begins && !vf_is_bundle(old) && vf_is_open(old, vf_values[old].vertex, op)) return VF_UNTOUCHED;
    if (!begins) all[m++] = old;
    for (uint32_t i = 0; i < n; i++) all[m++] = labels[i];
    uint32_t n_flat = vf_flatten(m, all, flat);
    bool is_of_nothing = !n_flat && vf_find_outside(m, all) != VF_UNTOUCHED;
    if (!is_once && !is_of_nothing &&
        (!n_flat || n_flat > VF_FEW || !(begins || is_of_the_same(old, n_flat, n, labels))))
        return VF_UNTOUCHED;
    if (vf_are_long(m, all) || !vf_goes_through(cell, n_flat)) return VF_UNTOUCHED;
    is_power = n_flat == 1 && vf_values[flat[0]].chain && (is_power || vf_are_power(n, labels));
    if (is_power && !is_once) return VF_UNTOUCHED;
    bool is_term = !is_once && (begins || (vf_is_bundle(old) && vf_bundle_of(old)->op == op));
    work += vf_work_of(m, all);
    cell->value = is_term ? pass_term(cell, op, n_flat, flat, work)
                          : vf_pass(cell, n_flat, flat, vf_find_outside(m, all), work, is_power);
    vf_release(old);
    return cell->value;
}

/* Does none of them carry anything? */
static inline bool is_bare(uint32_t n, const uint32_t *labels)
{
    for (uint32_t i = 0; i < n; i++)
        if (vf_carries(labels[i])) return false;
    return true;
}

static inline uint32_t fold(void *p, uint32_t size, uint32_t work, uint32_t op, uint32_t n,
                            const uint32_t *labels)
{
    if (!vf_tracing) {
        parcast_vf_clear(p, size);
        return VF_UNTOUCHED;
    }
    struct vf_cell *cell = vf_place((uintptr_t)p, size);
    if (cell->value == VF_UNTOUCHED) vf_input(cell, (uintptr_t)p, size);
    uint32_t vertex = vf_vertex_of(cell, (uintptr_t)p, size, n, labels), id = VF_UNTOUCHED;
    bool is_once = op & VF_ONCE, is_power = op & VF_POWERS;
    op &= ~(VF_ONCE | VF_POWERS);
    if (vertex & VF_FLAGGED) id = put_few(cell, work, op, is_once, is_power, n, labels);
    if (id == VF_UNTOUCHED) {
        id = vf_open_sum(cell, vertex, op, n, labels);
        if (id != VF_CONSTANT) {
            vf_add_term(id, n, labels, is_power);
            vf_add_work(vf_values[id].vertex, work);
        }
    }
    vf_share(cell, (uintptr_t)p, size);
    vf_bare_term.word = is_bare(n, labels) ? p : NULL;
    vf_bare_term.op = op;
    return id;
}

uint32_t parcast_vf_fold(void *p, uint32_t size, uint32_t work, uint32_t op, uint32_t n,
                         const uint32_t *labels)
{
    return fold(p, size, work, op, n, labels);
}

uint32_t parcast_vf_fold8_1(void *p, uint32_t work, uint32_t op, uint32_t a)
{
    return fold(p, 8, work, op, 1, &a);
}

uint32_t parcast_vf_fold8_2(void *p, uint32_t work, uint32_t op, uint32_t a, uint32_t b)
{
    uint32_t labels[2] = {a, b};
    return fold(p, 8, work, op, 2, labels);
}
