/*
 * memcpy() says nothing of what it copies. An array of ints that a region copies first would be one of words
 * of 8 bytes, two ints each, which then are one input with the readers of both. So such an input is known by
 * its number, until something reads it as it is; who accesses a half of a word that holds it has the half's
 * own.
 */
#include "valueflow/runtime/hooks/whole.h"

#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/value.h"

struct whole {
    uintptr_t address;
    uint32_t vertex, halves[2];
};

static struct whole *wholes;
static size_t whole_capacity;
static uint32_t n_wholes = 1;
static struct vf_hash by_value = {.width = 1};

uint32_t vf_whole_input(uintptr_t address)
{
    struct vf_cell *cell = vf_cell_of(address);
    uint32_t id = vf_input(cell, address, 8);
    if (!vf_carries(id)) return id;
    uint32_t *at = vf_hash_at(&by_value, &id), number = *at;
    if (!number) { /* otherwise the number was another's before */
        *at = number = n_wholes++;
        vf_hash_added(&by_value);
    }
    wholes = vf_grow(wholes, &whole_capacity, sizeof *wholes, number);
    wholes[number] = (struct whole){.address = address, .vertex = vf_values[id].vertex};
    return id;
}

static struct whole *find(uint32_t id)
{
    if (n_wholes == 1 || !vf_carries(id)) return NULL;
    struct whole *whole = wholes + *vf_hash_at(&by_value, &id);
    const struct vf_value *value = &vf_values[id];
    if (whole == wholes || value->vertex != whole->vertex) return NULL;
    return vf_vertices[value->vertex].versions == 1 && vf_is_unread(value) ? whole : NULL;
}

bool vf_whole_halves(uint32_t id, uint32_t halves[2])
{
    struct whole *whole = find(id);
    if (!whole) return false;
    if (!whole->halves[0]) {
        struct vf_cell *cell = vf_cell_of(whole->address), *both;
        if (cell->value != id) return false;
        both = vf_halves_of(cell);
        for (unsigned i = 0; i < 2; i++) {
            whole->halves[i] = vf_input(&both[i], whole->address + (uintptr_t)4 * i, 4);
            vf_hold(whole->halves[i]); /* copies may still be there when the word is overwritten */
        }
        vf_release(id);
    }
    for (unsigned i = 0; i < 2; i++) halves[i] = whole->halves[i];
    return true;
}
