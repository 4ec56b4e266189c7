#include "valueflow/runtime/values/chosen.h"

#include "compiler/hooks.h"
#include "valueflow/runtime/blocks/cells.h"
#include "valueflow/runtime/process/region.h"
#include "valueflow/runtime/tables/tables.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/value.h"

enum { MOST_KEYS = 32 };

static unsigned char *chosen; /* by vertex */
static size_t capacity;

bool vf_is_chosen(uint32_t vertex)
{
    return vertex < capacity && chosen[vertex];
}

/* What the region has only read, as keys and rows of a matrix are, was known before. */
static bool is_computed(uint32_t id)
{
    if (!vf_carries(id)) return false;
    if (!vf_is_bundle(id)) return vf_vertices[vf_values[id].vertex].work > 0;
    for (uint32_t i = 0; i < vf_bundle_of(id)->n; i++)
        if (vf_vertices[vf_values[vf_bundle_of(id)->labels[i]].vertex].work > 0) return true;
    return false;
}

/* Of the sum that is in the word by now, which of a workspace's word has a vertex of its own; 0: none, or it
 * is known already. */
static uint32_t vertex_of_sum(const void *p, uint32_t size)
{
    uint32_t id = vf_place((uintptr_t)p, size)->value;
    if (!vf_carries(id) || vf_is_bundle(id) || vf_is_chosen(vf_values[id].vertex)) return 0;
    return vf_values[id].vertex;
}

static void choose(uint32_t vertex)
{
    chosen = vf_grow_sparse(chosen, &capacity, sizeof *chosen, vertex);
    chosen[vertex] = 1;
}

/* A term that comes of nothing, a number that was computed from none, say, is added where the key is known:
 * it comes of that. A key that was known before is so everywhere. */
static void stand_for_term(const void *p, uint32_t size, uint32_t n, const uint32_t *labels)
{
    uint32_t keys[MOST_KEYS], m = 0;
    if (vf_bare_term.word != p || !vf_tracing) return;
    for (uint32_t i = 0; i < n && m < MOST_KEYS; i++)
        if (is_computed(labels[i])) keys[m++] = labels[i];
    if (m) parcast_vf_fold((void *)p, size, 0, vf_bare_term.op, m, keys);
}

void parcast_vf_chosen(const void *p, uint32_t size, uint32_t n, const uint32_t *labels)
{
    stand_for_term(p, size, n, labels);
    uint32_t vertex = vf_tracing ? vertex_of_sum(p, size) : 0;
    bool computed = false;
    for (uint32_t i = 0; vertex && i < n && !computed; i++) computed = is_computed(labels[i]);
    if (computed) choose(vertex);
}

/* A key that nobody follows: what is in its word is looked at, and that the region has read it is not noted.
 */
void parcast_vf_chosen_at(const void *p, uint32_t size, const void *key)
{
    unsigned around;
    bool is_bare = vf_tracing && vf_bare_term.word == p;
    uint32_t vertex = vf_tracing ? vertex_of_sum(p, size) : 0;
    if (!(vertex || is_bare) || !vf_has_cell((uintptr_t)key)) return;
    uint32_t label = vf_leaf((uintptr_t)key, &around)->value;
    if (is_bare) stand_for_term(p, size, 1, &label);
    if (is_bare) vertex = vertex_of_sum(p, size);
    if (vertex && is_computed(label)) choose(vertex);
}
