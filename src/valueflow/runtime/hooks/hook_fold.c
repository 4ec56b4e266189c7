/* Reductions in memory, as instrumented code calls them. */
#include "valueflow/runtime/blocks/name.h"
#include "valueflow/runtime/values/sum.h"

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

uint32_t vf_open_flagged(struct vf_cell *cell, uint32_t op, uint32_t n, const uint32_t *labels)
{
    uint32_t old = cell->value, base = cell->vertex & ~VF_FLAGGED, sources[VF_TERM_LABELS + 1], m = 0;
    if (vf_carries(old) && !vf_is_bundle(old) && vf_base(vf_values[old].vertex) == base &&
        vf_is_open(old, vf_values[old].vertex, op))
        return old;
    if (vf_carries(old)) sources[m++] = old;
    for (uint32_t i = 0; i < n && i < VF_TERM_LABELS; i++)
        if (vf_carries(labels[i])) sources[m++] = labels[i];
    if (!m && vf_in_workspace(cell)) return VF_CONSTANT;
    vf_ticks_flagged(cell);
    uint32_t id = vf_begin_sum(cell, vf_instance(cell, m, sources), op);
    vf_is_named(id);
    return id;
}

/* What was computed so far and the term are what the word's value is computed from; VF_UNTOUCHED where it is
 * a sum after all. */
static uint32_t put_once(struct vf_cell *cell, uint32_t work, uint32_t op, uint32_t n, const uint32_t *labels)
{
    uint32_t all[VF_TERM_LABELS + 1], flat[VF_MOST_FLAT], old = cell->value, m = 0;
    if (n > VF_TERM_LABELS || !vf_carries(old)) return VF_UNTOUCHED;
    if (!vf_is_bundle(old) && vf_is_open(old, vf_values[old].vertex, op)) return VF_UNTOUCHED;
    all[m++] = old;
    for (uint32_t i = 0; i < n; i++) all[m++] = labels[i];
    uint32_t n_flat = vf_flatten(m, all, flat);
    if (!vf_goes_through(cell, n_flat)) return VF_UNTOUCHED;
    cell->value = vf_pass(cell, n_flat, flat, vf_find_outside(m, all), work + vf_work_of(m, all));
    vf_release(old);
    return cell->value;
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
    if (__builtin_expect(op & VF_ONCE, 0)) {
        op &= ~VF_ONCE;
        if (vertex & VF_FLAGGED) id = put_once(cell, work, op, n, labels);
        if (id != VF_UNTOUCHED) return id;
    }
    id = vf_open_sum(cell, vertex, op, n, labels);
    if (id == VF_CONSTANT) return id;
    vf_add_term(id, n, labels);
    vf_add_work(vf_values[id].vertex, work);
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
