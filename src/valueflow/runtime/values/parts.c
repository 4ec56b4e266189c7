#include "valueflow/runtime/values/parts.h"

#include "valueflow/runtime/blocks/cells.h"
#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/value.h"

/* Of a label of several words: what each of them held, in their order. */
struct parts {
    uint32_t n, labels[VF_MOST_PARTS];
    uint8_t sizes[VF_MOST_PARTS];
};

static struct parts *table;
static size_t capacity;
static uint32_t n_table = 1, first_free; /* free ones are linked through their first label */

static uint32_t take(void)
{
    uint32_t number = first_free;
    if (number) {
        first_free = table[number].labels[0];
        return number;
    }
    table = vf_grow(table, &capacity, sizeof *table, n_table);
    return n_table++;
}

/* What they hold is held until nobody can copy it any more. */
static uint32_t keep(unsigned n, const struct vf_part *parts, const uint32_t *labels)
{
    uint32_t number = take();
    table[number].n = n;
    for (unsigned i = 0; i < n; i++) {
        table[number].labels[i] = labels[i];
        table[number].sizes[i] = (uint8_t)parts[i].size;
        vf_hold(labels[i]);
    }
    return number;
}

void vf_parts_die(uint32_t number)
{
    for (uint32_t i = 0; i < table[number].n; i++) vf_release(table[number].labels[i]);
    table[number].labels[0] = first_free;
    first_free = number;
}

/* The first few stand for all where a workspace or a sum asks what it comes of. */
static uint32_t make(unsigned n, const struct vf_part *parts, const uint32_t *labels)
{
    uint32_t flat[VF_FEW], work = 0, m = vf_find_few(n, labels, flat, &work);
    uint32_t outside = m ? VF_UNTOUCHED : vf_find_outside(n, labels);
    if (!m) return outside == VF_UNTOUCHED ? VF_CONSTANT : outside;
    uint32_t id = vf_bundle(m < VF_FEW ? m : VF_FEW, flat, 0);
    vf_bundle_of(id)->parts = keep(n, parts, labels);
    vf_hold(id); /* only in a register */
    vf_release(id);
    return id;
}

uint32_t vf_parts_load(uintptr_t address, unsigned size)
{
    struct vf_part parts[VF_MOST_PARTS];
    uint32_t labels[VF_MOST_PARTS];
    unsigned n = vf_parts_of(address, size, parts), n_alike = 0;
    for (unsigned i = 0; i < n; i++) {
        struct vf_cell *cell = vf_place(parts[i].address, parts[i].size);
        labels[i] = cell->value ? cell->value : vf_input(cell, parts[i].address, parts[i].size);
        n_alike += labels[i] == labels[0];
    }
    return n_alike == n ? labels[0] : make(n, parts, labels);
}

static void put(uintptr_t address, unsigned size, uint32_t label)
{
    void *p = (void *)address; // NOLINT(performance-no-int-to-ptr)
    parcast_vf_copy(p, size, label);
}

void vf_parts_put(uintptr_t address, unsigned size, uint32_t id)
{
    const struct parts parts = table[vf_bundle_of(id)->parts];
    unsigned at = 0;
    vf_hold(id);
    for (uint32_t i = 0; i < parts.n && at < size; at += parts.sizes[i++])
        put(address + at, parts.sizes[i] < size ? parts.sizes[i] : size, parts.labels[i]);
    vf_release(id);
}

void vf_parts_pin(const struct vf_bundle *bundle, uint32_t vertex, uint32_t flag)
{
    const struct parts *parts = &table[bundle->parts];
    for (uint32_t i = 0; i < parts->n; i++) vf_pin(parts->labels[i], vertex, flag);
}

void vf_parts_share(const struct vf_cell *cell, uintptr_t address, unsigned size)
{
    struct vf_part parts[VF_MOST_PARTS];
    unsigned n = vf_parts_of(address, size, parts);
    uint32_t id = cell->value;
    for (unsigned i = 1; i < n; i++) {
        struct vf_cell *other = vf_place(parts[i].address, parts[i].size);
        if (other->value == id) continue;
        vf_hold(id);
        vf_release(other->value);
        other->value = id;
    }
}
