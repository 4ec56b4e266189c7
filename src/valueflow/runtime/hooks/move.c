/* Ranges of words: constants, copies. A copied word holds the same value as the one it was copied from. */
#include <string.h>

#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/hooks/whole.h"
#include "valueflow/runtime/process/ending.h"
#include "valueflow/runtime/process/memory.h"
#include "valueflow/runtime/values/value.h"

enum { LARGE_RANGE = 1 << 16 };

static void set_cell(struct vf_cell *cell, uint32_t id)
{
    vf_hold(id);
    vf_release(cell->value);
    cell->value = id;
}

/* A value that belongs to nobody yet belongs to the word that it is copied into, if that owns what it holds.
 */
static void set_place(struct vf_cell *cell, uintptr_t address, unsigned size, uint32_t id)
{
    if (vf_carries(id) && (vf_any_instances || vf_is_bundle(id))) {
        vf_vertex_of(cell, address, size, 1, &id);
        if (vf_computes(id, cell)) {
            void *p = (void *)address; // NOLINT(performance-no-int-to-ptr)
            parcast_vf_store(p, size, 0, 1, &id);
            return;
        }
        vf_adopt(id, cell);
    }
    set_cell(cell, id);
}

static void set_half(uintptr_t address, uint32_t id)
{
    set_place(vf_place(address, 4), address, 4, id);
}

static void set_word(uintptr_t address, uint32_t id)
{
    struct vf_cell *cell = vf_cell_of(address);
    if (cell->value == VF_SPLIT) {
        uint32_t each[2] = {id, id};
        vf_whole_halves(id, each);
        set_half(address, each[0]);
        set_half(address + 4, each[1]);
    } else {
        set_place(cell, address, 8, id);
    }
}

void parcast_vf_clear(void *p, uint64_t bytes)
{
    if (!vf_entered || vf_skipping) return;
    vf_end_if_asked();
    if (bytes >= LARGE_RANGE) vf_memory_expect(bytes);
    uintptr_t address = (uintptr_t)p, end = address + bytes;
    /* Written outside the region, a word is input when the region reads it. */
    uint32_t id = vf_tracing ? VF_CONSTANT : VF_UNTOUCHED;
    if (bytes < 4 || (address & 7 && bytes >= 4)) {
        uintptr_t stop = (address | 3) + 1;
        if (bytes < 8 || address & 4) set_half(address, id), address = stop;
    }
    for (; address + 8 <= end; address += 8) set_word(address, id);
    if (address < end) set_half(address, id);
}

static uint32_t label_at(uintptr_t address)
{
    const struct vf_cell *cell = vf_cell_of(address);
    if (cell->value == VF_SPLIT) {
        struct vf_cell *half = vf_place(address, 4);
        return half->value ? half->value : vf_input(half, address, 4);
    }
    return cell->value ? cell->value : vf_whole_input(address);
}

static void move_word(uintptr_t to, uintptr_t from)
{
    if (vf_cell_of(from)->value == VF_SPLIT) {
        uint32_t lower = label_at(from), upper = label_at(from + 4);
        set_half(to, lower);
        set_half(to + 4, upper);
    } else {
        set_word(to, label_at(from));
    }
}

/* What half of a word holds: of one that nothing is known of yet, or that was only copied, its own. */
static uint32_t half_label_at(uintptr_t address)
{
    struct vf_cell *cell = vf_cell_of(address);
    uint32_t halves[2];
    if (cell->value == VF_UNTOUCHED) vf_place(address, 4);
    if (cell->value == VF_SPLIT) return label_at(address);
    return vf_whole_halves(cell->value, halves) ? halves[address >> 2 & 1] : cell->value;
}

/* Where words do not lie alike, by halves. */
static void move_halves(uintptr_t to, uintptr_t from, uint64_t bytes, bool backward)
{
    uint64_t n = bytes / 4;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t at = 4 * (backward ? n - 1 - i : i);
        set_half(to + at, half_label_at(from + at));
    }
}

void parcast_vf_move(void *to, const void *from, uint64_t bytes)
{
    if (!vf_entered || vf_skipping || to == from) return;
    if (bytes >= LARGE_RANGE) vf_memory_expect(bytes);
    if (!vf_tracing) {
        parcast_vf_clear(to, bytes);
        return;
    }
    uintptr_t t = (uintptr_t)to, f = (uintptr_t)from;
    bool backward = t > f && t < f + bytes;
    if ((t | f | bytes) & 7) {
        move_halves(t, f, bytes, backward);
        return;
    }
    uint64_t n = bytes / 8;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t at = 8 * (backward ? n - 1 - i : i);
        move_word(t + at, f + at);
    }
}
