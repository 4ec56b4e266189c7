/*
 * memcpy() says nothing of what it copies, and neither does the load of a whole structure. An array of ints
 * that a region copies first would be one of words of 8 bytes, two ints each, which then are one input with
 * the readers of both. So such an input is known by its number, until something reads it as it is; who
 * accesses a half of a word that holds it has the half's own, which may be such an input again.
 */
#include "valueflow/runtime/hooks/whole.h"

#include "valueflow/runtime/blocks/block.h"
#include "valueflow/runtime/blocks/cells.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/value.h"

struct whole {
    uintptr_t address;
    uint32_t vertex, object, halves[2];
    unsigned size;
};

static struct whole *wholes;
static size_t whole_capacity;
static uint32_t n_wholes = 1;
static struct vf_hash by_value = {.width = 1};

static uint32_t object_at(uintptr_t address)
{
    const struct vf_block *block = vf_blocks_find(address);
    return block ? block->object : 0;
}

static uint32_t input(struct vf_cell *cell, uintptr_t address, unsigned size)
{
    uint32_t id = vf_input(cell, address, size);
    if (!vf_carries(id) || size == 1) return id;
    uint32_t *at = vf_hash_at(&by_value, &id), number = *at;
    if (!number) { /* otherwise the number was another's before */
        *at = number = n_wholes++;
        vf_hash_added(&by_value);
    }
    wholes = vf_grow(wholes, &whole_capacity, sizeof *wholes, number);
    wholes[number] = (struct whole){
        .address = address, .vertex = vf_values[id].vertex, .object = object_at(address), .size = size};
    return id;
}

uint32_t vf_whole_input(uintptr_t address, unsigned size)
{
    address &= ~(uintptr_t)(size - 1);
    return input(vf_place(address, size), address, size);
}

static struct whole *find(uint32_t id)
{
    if (n_wholes == 1 || !vf_carries(id)) return NULL;
    struct whole *whole = wholes + *vf_hash_at(&by_value, &id);
    const struct vf_value *value = &vf_values[id];
    if (whole == wholes || value->vertex != whole->vertex) return NULL;
    return vf_vertices[value->vertex].versions == 1 && vf_is_unread(value) ? whole : NULL;
}

/* Where the word has been overwritten since, copies alone hold it. */
static bool make_halves(const struct whole *whole, uint32_t id)
{
    uintptr_t address = whole->address;
    unsigned half = whole->size / 2;
    struct vf_cell *cell = vf_cell_at(address, whole->size), gone[2] = {{0}}, *both = gone;
    bool stands = cell && cell->value == id;
    if (!stands && (!whole->object || object_at(address) != whole->object)) return false;
    if (half < 4 && !vf_is_fine(address)) return false;
    if (stands) both = vf_halves_of(cell);
    for (unsigned i = 0; i < 2; i++) {
        uint32_t made = input(&both[i], address + (uintptr_t)half * i, half); /* may move the table */
        find(id)->halves[i] = made;
        if (stands) vf_hold(made); /* copies may still be there when the word is overwritten */
    }
    if (stands) vf_release(id);
    return true;
}

bool vf_whole_halves(uint32_t id, uint32_t halves[2])
{
    struct whole *whole = find(id);
    if (!whole) return false;
    if (!whole->halves[0] && !make_halves(whole, id)) return false;
    whole = find(id);
    for (unsigned i = 0; i < 2; i++) halves[i] = whole->halves[i];
    return true;
}
