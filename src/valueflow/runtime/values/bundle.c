/* A label that stands for a few others: what goes through a workspace, and comes from outside the program. */
#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/values/value.h"

enum { MOST_OF_STRUCTURE = 16 }; /* words */

bool vf_any_read_in;

/* The "word" of what a call from outside put on the stack, before and after it has got a home. */
#define SETTLED (VF_READ_IN - 1)

uint32_t vf_work_of(uint32_t n, const uint32_t *labels)
{
    uint32_t work = 0;
    for (uint32_t i = 0; i < n; i++)
        if (vf_is_bundle(labels[i])) work = vf_add_repeated(work, vf_work_read(vf_bundle_of(labels[i])));
    return work;
}

bool vf_are_long(uint32_t n, const uint32_t *labels)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct vf_bundle *bundle = vf_is_bundle(labels[i]) ? vf_bundle_of(labels[i]) : NULL;
        if (bundle && bundle->n > 1 && bundle->work > VF_LONG_WORK) return true;
    }
    return false;
}

uint32_t vf_bundle(uint32_t n, const uint32_t *labels, uint32_t work)
{
    uint32_t id = vf_value_take();
    vf_values[id] = (struct vf_value){.vertex = VF_BUNDLE, .chain = vf_bundle_take()};
    struct vf_bundle *bundle = vf_bundle_of(id);
    bundle->n = (uint16_t)n;
    bundle->op = 0;
    bundle->work = work;
    bundle->word = bundle->parts = 0;
    for (uint32_t i = 0; i < n; i++) {
        bundle->labels[i] = labels[i];
        vf_hold(labels[i]);
    }
    return id;
}

bool vf_are_power(uint32_t n, const uint32_t *labels)
{
    uint32_t n_carry = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (vf_is_power(labels[i])) return true;
        n_carry += vf_carries(labels[i]);
    }
    return n_carry > 1;
}

uint32_t vf_power(uint32_t label, uint32_t work)
{
    uint32_t id = vf_bundle(1, &label, work);
    vf_bundle_of(id)->op = VF_POWERS;
    return id;
}

/* The label of what a function returns or is given. Only sums are told from their powers. */
uint32_t parcast_vf_power(uint32_t work, uint32_t label)
{
    if (!vf_tracing || !vf_carries(label)) return label;
    struct vf_bundle *bundle = vf_is_bundle(label) ? vf_bundle_of(label) : NULL;
    if (bundle && (bundle->n != 1 || bundle->word >= SETTLED || bundle->op == VF_POWERS)) return label;
    uint32_t value = bundle ? bundle->labels[0] : label;
    if (!vf_values[value].chain) return label;
    return vf_power(value, bundle ? work + vf_work_read(bundle) : work);
}

uint32_t vf_from_outside(void)
{
    return vf_bundle(0, NULL, 0);
}

uint32_t vf_read_in(uint32_t id)
{
    uint32_t made = vf_bundle(1, &id, 0);
    vf_bundle_of(made)->word = VF_READ_IN;
    vf_any_read_in = true;
    return made;
}

void vf_settle(uint32_t id, uint32_t value)
{
    struct vf_bundle *bundle = vf_bundle_of(id);
    vf_hold(value);
    vf_release(bundle->labels[0]);
    bundle->labels[0] = value;
    bundle->word = SETTLED;
}

static bool is_read_in(uint32_t id)
{
    return vf_is_bundle(id) && vf_bundle_of(id)->word == VF_READ_IN;
}

uint32_t vf_find_outside(uint32_t n, const uint32_t *labels)
{
    for (uint32_t i = 0; i < n; i++)
        if (vf_is_of_nothing(labels[i])) return labels[i];
    return VF_UNTOUCHED;
}

bool vf_are_of_nothing(uint32_t n, const uint32_t *labels)
{
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        if (!vf_carries(labels[i])) continue;
        if (!vf_is_of_nothing(labels[i])) return false;
        any = true;
    }
    return any;
}

bool vf_are_constants(uint32_t n, const uint32_t *labels)
{
    for (uint32_t i = 0; i < n; i++)
        if (vf_carries(labels[i])) return false;
    return true;
}

static inline uint32_t add_few(uint32_t label, uint32_t *flat, uint32_t n)
{
    if (!vf_carries(label)) return n;
    for (uint32_t i = 0; i < n && i < VF_FEW; i++)
        if (flat[i] == label) return n;
    if (n < VF_FEW) flat[n] = label;
    return n < VF_FEW ? n + 1 : VF_FEW + 1;
}

uint32_t vf_find_few(uint32_t n, const uint32_t *labels, uint32_t *flat, uint32_t *work)
{
    uint32_t m = 0, repeated = 0;
    for (uint32_t i = 0; i < n && m <= VF_FEW; i++) {
        if (!vf_is_bundle(labels[i])) {
            m = add_few(labels[i], flat, m);
            continue;
        }
        const struct vf_bundle *bundle = vf_bundle_of(labels[i]);
        repeated = vf_add_repeated(repeated, bundle->work);
        for (uint32_t j = 0; j < bundle->n; j++) m = add_few(bundle->labels[j], flat, m);
    }
    *work += repeated;
    return m;
}

/* Is it a word of a structure on the stack, as a function returns one? */
static bool is_of_structure(const struct vf_cell *cell)
{
    const struct vf_group *group = &vf_groups[vf_kin[cell->vertex & ~VF_FLAGGED].group];
    return group->kind == VF_FRAME && group->words <= MOST_OF_STRUCTURE;
}

/* Whoever reads what goes through computes it, and a word that it is copied into has computed it, be it of
 * one source or of none: what comes of constants alone is a bundle of nothing. */
uint32_t vf_pass(const struct vf_cell *cell, uint32_t n, const uint32_t *flat, uint32_t outside,
                 uint32_t work, bool is_power)
{
    is_power = is_power && n == 1 && vf_values[flat[0]].chain;
    bool is_one = n == 1 && !work && !is_power;
    uint32_t id = !n && outside != VF_UNTOUCHED ? outside : is_one ? flat[0] : vf_bundle(n, flat, work);
    if (n && !is_one) vf_bundle_of(id)->word = cell->vertex & ~VF_FLAGGED;
    if (is_power) vf_bundle_of(id)->op = VF_POWERS;
    vf_hold(id);
    return id;
}

static bool is_moving(const struct vf_cell *cell)
{
    return is_of_structure(cell) || (cell->vertex & VF_FLAGGED && vf_in_workspace(cell));
}

bool vf_computes(uint32_t id, const struct vf_cell *cell)
{
    if (!vf_carries(id) || !vf_is_bundle(id) || vf_bundle_of(id)->word == SETTLED) return false;
    return !(is_read_in(id) ? is_moving(cell) : cell->vertex & VF_FLAGGED && vf_in_workspace(cell));
}

uint32_t vf_find_read_in(const struct vf_cell *cell, uint32_t n, const uint32_t *labels)
{
    for (uint32_t i = 0; i < n; i++)
        if (is_read_in(labels[i]) && !is_moving(cell)) return i;
    return n;
}
