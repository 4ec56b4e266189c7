#include "valueflow/runtime/blocks/cells.h"

#include "valueflow/runtime/blocks/block.h"
#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/hooks/whole.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/value.h"

enum {
    AT_ONCE = 32,              /* pairs that one access may make */
    MOST_FINE_BYTES = 1 << 26, /* of a block whose bytes are looked at one by one */
};

struct vf_cell *vf_halves;
bool vf_any_small;
static size_t capacity;
static uint32_t n_pairs = 1, first_free;

void vf_cells_open(void)
{
    n_pairs = 1;
    vf_halves_reserve();
}

void vf_halves_reserve(void)
{
    vf_halves = vf_grow(vf_halves, &capacity, sizeof *vf_halves, 2 * ((size_t)n_pairs + AT_ONCE));
}

bool vf_is_fine(uintptr_t address)
{
    const struct vf_block *block = vf_blocks_find(address);
    return !block || block->bytes <= MOST_FINE_BYTES;
}

struct vf_cell *vf_halves_of(struct vf_cell *cell)
{
    uint32_t pair = first_free;
    if (pair)
        first_free = vf_halves[2 * (size_t)pair].vertex;
    else
        pair = n_pairs++;
    struct vf_cell *halves = vf_halves + 2 * (size_t)pair;
    halves[0] = halves[1] = (struct vf_cell){0};
    *cell = (struct vf_cell){.value = VF_SPLIT, .vertex = pair};
    return halves;
}

/* A word that is read or written in halves for the first time: both hold what the word held. */
static void split(struct vf_cell *cell, unsigned size)
{
    uint32_t id = cell->value, each[2] = {id, id};
    vf_whole_halves(id, each);
    vf_any_small |= size < 8;
    if (cell->value == VF_SPLIT) return; /* it was the word itself that was copied */
    struct vf_cell *halves = vf_halves_of(cell);
    for (unsigned i = 0; i < 2; i++) {
        halves[i].value = each[i];
        vf_hold(each[i]);
    }
    vf_release(id);
}

struct vf_cell *vf_place_slow(uintptr_t address, unsigned size)
{
    struct vf_cell *cell = vf_cell_of(address);
    unsigned width = 8;
    for (; width > size && cell->value == VF_SPLIT; width /= 2) cell = vf_half(cell, address, width);
    if (width > size) {
        if (size < 4 && !vf_is_fine(address)) size = 4;
        vf_halves_reserve();
        cell = vf_cell_at(address, width);
        for (; width > size; width /= 2) {
            if (cell->value != VF_SPLIT) split(cell, width);
            cell = vf_half(cell, address, width);
        }
    }
    while (cell->value == VF_SPLIT) cell = vf_half(cell, 0, width);
    return cell;
}

struct vf_cell *vf_cell_at(uintptr_t address, unsigned size)
{
    struct vf_cell *cell = vf_cell_of(address);
    for (unsigned width = 8; width > size; width /= 2) {
        if (cell->value != VF_SPLIT) return NULL;
        cell = vf_half(cell, address, width);
    }
    return cell;
}

struct vf_cell *vf_leaf(uintptr_t address, unsigned *size)
{
    struct vf_cell *cell = vf_cell_of(address);
    for (*size = 8; cell->value == VF_SPLIT; *size /= 2) cell = vf_half(cell, address, *size);
    return cell;
}

unsigned vf_parts_of(uintptr_t address, unsigned size, struct vf_part parts[VF_MOST_PARTS])
{
    unsigned n = 0;
    address &= ~(uintptr_t)(size - 1);
    for (uintptr_t end = address + size; address < end; n++) {
        vf_leaf(address, &parts[n].size);
        parts[n].address = address & ~(uintptr_t)(parts[n].size - 1);
        address = parts[n].address + parts[n].size;
    }
    return n;
}

static void forget(struct vf_cell *cell)
{
    if (cell->value == VF_SPLIT) {
        struct vf_cell *halves = vf_halves + 2 * (size_t)cell->vertex;
        forget(&halves[0]);
        forget(&halves[1]);
        halves[0].vertex = first_free;
        first_free = cell->vertex;
    } else {
        vf_release(cell->value);
    }
    *cell = (struct vf_cell){0};
}

void vf_forget_word(uintptr_t address, unsigned size)
{
    struct vf_cell *cell = vf_cell_at(address, size);
    unsigned around;
    if (!cell) cell = vf_leaf(address, &around);
    if (cell->value || cell->vertex) forget(cell);
}

void vf_forget(uintptr_t base, size_t bytes)
{
    for (uintptr_t address = base & ~(uintptr_t)7; address < base + bytes; address += 8) {
        struct vf_cell *cell = vf_cell_of(address);
        if (cell->value || cell->vertex) forget(cell);
    }
}
