/* Ranges of words: constants, copies. A copied word holds the same value as the one it was copied from. */
#include <string.h>

#include "valueflow/runtime/blocks/cells.h"
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

/* All of the `size` bytes at an address, which is a multiple of it, get what was copied. */
static void set_part(uintptr_t address, unsigned size, uint32_t id)
{
    struct vf_cell *cell = vf_cell_at(address, size);
    if (!cell || cell->value != VF_SPLIT) {
        set_place(vf_place(address, size), address, size, id);
        return;
    }
    uint32_t each[2] = {id, id};
    vf_halves_reserve();
    vf_whole_halves(id, each);
    set_part(address, size / 2, each[0]);
    set_part(address + size / 2, size / 2, each[1]);
}

/* The most bytes, up to 8, that all addresses in question are multiples of. */
static unsigned piece(uintptr_t addresses, uint64_t left)
{
    unsigned size = 8;
    while (addresses & (size - 1) || size > left) size /= 2;
    return size;
}

void parcast_vf_clear(void *p, uint64_t bytes)
{
    if (!vf_entered || vf_skipping) return;
    vf_end_if_asked();
    if (bytes >= LARGE_RANGE) vf_memory_expect(bytes);
    uintptr_t address = (uintptr_t)p, end = address + bytes;
    /* Written outside the region, a word is input when the region reads it. */
    uint32_t id = vf_tracing ? VF_CONSTANT : VF_UNTOUCHED;
    for (unsigned size; address < end; address += size) {
        size = piece(address, end - address);
        set_part(address, size, id);
    }
}

/* What the `size` bytes hold, which are within one word: of one that nothing is known of yet, or that was
 * only copied, their own. */
static uint32_t label_at(uintptr_t address, unsigned size)
{
    unsigned around;
    const struct vf_cell *cell = vf_leaf(address, &around);
    if (cell->value == VF_UNTOUCHED) {
        cell = vf_place(address, size);
        return cell->value ? cell->value : vf_whole_input(address, size);
    }
    uint32_t id = cell->value, halves[2];
    vf_halves_reserve();
    for (; around > size && vf_whole_halves(id, halves); around /= 2)
        id = halves[(address & (around / 2)) != 0];
    return id;
}

static void move_piece(uintptr_t to, uintptr_t from, unsigned size)
{
    const struct vf_cell *cell = vf_cell_at(from, size);
    if (!cell || cell->value != VF_SPLIT) {
        set_part(to, size, label_at(from, size));
        return;
    }
    move_piece(to, from, size / 2);
    move_piece(to + size / 2, from + size / 2, size / 2);
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
    unsigned size;
    if (t > f && t < f + bytes) { /* from behind */
        for (uint64_t left = bytes; left; left -= size) {
            size = piece((t + left) | (f + left), left);
            move_piece(t + left - size, f + left - size, size);
        }
        return;
    }
    for (uint64_t at = 0; at < bytes; at += size) {
        size = piece((t + at) | (f + at), bytes - at);
        move_piece(t + at, f + at, size);
    }
}
