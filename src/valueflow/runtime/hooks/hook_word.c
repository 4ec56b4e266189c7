/* Loads and stores of words, as instrumented code calls them. All of them are nothing outside the region. */
#include <string.h>

#include "valueflow/runtime/blocks/block.h"
#include "valueflow/runtime/blocks/cells.h"
#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/hooks/whole.h"
#include "valueflow/runtime/process/ending.h"
#include "valueflow/runtime/process/region.h"
#include "valueflow/runtime/steps/again.h"
#include "valueflow/runtime/values/chain.h"
#include "valueflow/runtime/values/parts.h"
#include "valueflow/runtime/values/value.h"

static inline uint32_t load(const void *p, unsigned size)
{
    if (!vf_tracing) return VF_UNTOUCHED;
    struct vf_cell *cell = vf_place((uintptr_t)p, size);
    if (__builtin_expect(vf_is_parted(cell, (uintptr_t)p, size), 0)) return vf_parts_load((uintptr_t)p, size);
    return __builtin_expect(cell->value != VF_UNTOUCHED, 1) ? cell->value
                                                            : vf_input(cell, (uintptr_t)p, size);
}

uint32_t parcast_vf_load8(const void *p)
{
    return load(p, 8);
}

uint32_t parcast_vf_load4(const void *p)
{
    return load(p, 4);
}

uint32_t parcast_vf_load(const void *p, uint32_t size)
{
    return load(p, size);
}

/* What is copied from there may be several words. */
uint32_t parcast_vf_load_whole(const void *p, uint32_t size)
{
    unsigned around;
    bool is_new = vf_tracing && vf_leaf((uintptr_t)p, &around)->value == VF_UNTOUCHED && around >= size;
    return is_new ? vf_whole_input((uintptr_t)p, size) : load(p, size);
}

/* What is stored where nothing is; a workspace that nobody reads. */
uint64_t parcast_vf_nowhere;

uint32_t parcast_vf_there(const void *p)
{
    static bool is_announced;
    uintptr_t address = (uintptr_t)p;
    if (!vf_tracing) return 1;
    if (vf_has_cell(address) && (vf_cell_of(address)->value != VF_UNTOUCHED || vf_is_there(address)))
        return 1;
    if (!is_announced) parcast_vf_frame_enter(&parcast_vf_nowhere, sizeof parcast_vf_nowhere, "nowhere", 1);
    is_announced = true;
    return 0;
}

/* Plain code wrote the word: the region reads it as input. */
static uint32_t outside(void *p, unsigned size)
{
    vf_end_if_asked();
    if (vf_entered) parcast_vf_clear(p, size);
    return VF_UNTOUCHED;
}

/* Is it the word, or an instance of it or that it was the first to hold? These will be one. */
static bool is_at(uint32_t vertex, uint32_t word)
{
    return vf_base(vertex) == word || vf_kin[vertex].owner == word;
}

/* `w[i] = sqrt(w[i])` of a sum: the word has read it, but as its own, so that nothing tells the new value
 * from the sum when another one takes it up. So it is a reduction of another kind, of one term. */
static __attribute__((noinline)) void note_power(uint32_t id, uint32_t n, const uint32_t *labels)
{
    enum { MULTIPLY = 2 }; /* FOLD_MULTIPLY of the instrumenter */
    if (vf_is_bundle(id) || vf_values[id].chain) return;
    for (uint32_t i = 0; i < n; i++) {
        if (!vf_carries(labels[i]) || vf_is_bundle(labels[i]) || !vf_values[labels[i]].chain) continue;
        if (!is_at(vf_values[labels[i]].vertex, vf_base(vf_values[id].vertex))) continue;
        vf_values[id].chain = vf_chain_add(vf_chain_create(MULTIPLY), 1, &labels[i]);
        return;
    }
}

static inline void put_value(struct vf_cell *cell, uint32_t id, uint32_t vertex, uint32_t work, uint32_t n,
                             const uint32_t *labels)
{
    vf_add_work(vertex, work & ~VF_IS_POWER);
    if (__builtin_expect(work & VF_IS_POWER, 0)) note_power(id, n, labels);
    vf_release(cell->value);
    cell->value = id;
}

static inline uint32_t put_new(struct vf_cell *cell, uintptr_t address, unsigned size, uint32_t vertex,
                               uint32_t work, uint32_t n, const uint32_t *labels)
{
    vf_ticks(vertex);
    uint32_t id = vf_value_create_held(vertex);
    put_value(cell, id, vertex, work, n, labels);
    vf_share(cell, address, size);
    return id;
}

/* A word that may be a workspace. */
static __attribute__((noinline)) uint32_t put_flagged(struct vf_cell *cell, uintptr_t address, unsigned size,
                                                      uint32_t work, bool is_chosen, uint32_t n,
                                                      const uint32_t *labels)
{
    vf_ticks_flagged(cell);
    uint32_t id = vf_workspace_value(cell, work, is_chosen, n, labels);
    if (work & VF_IS_POWER) note_power(id, n, labels);
    vf_release(cell->value);
    cell->value = id;
    vf_share(cell, address, size);
    return id;
}

/* A whole word whose vertex is known and owns it: nearly always. */
static inline bool is_plain(const struct vf_cell *cell)
{
    return __builtin_expect(cell->value != VF_SPLIT && (int32_t)cell->vertex > 0, 1);
}

static inline uint32_t put_plain(struct vf_cell *cell, uint32_t vertex, uint32_t work, uint32_t label)
{
    vf_ticks(vertex);
    uint32_t id = vf_value_create_held(vertex);
    put_value(cell, id, vertex, work, 1, &label);
    return id;
}

#define STORE(n, parameters, pins, ...)                                                                      \
    uint32_t parcast_vf_store8_##n parameters                                                                \
    {                                                                                                        \
        if (!vf_tracing) return outside(p, 8);                                                               \
        struct vf_cell *cell = vf_cell_of((uintptr_t)p);                                                     \
        if (!is_plain(cell)) return parcast_vf_store(p, 8, work, n, (uint32_t[]){__VA_ARGS__});              \
        uint32_t vertex = cell->vertex;                                                                      \
        pins;                                                                                                \
        return put_plain(cell, vertex, work, a);                                                             \
    }
#define PIN(x)   vf_pin(x, vertex, 0)
#define PINS2    PIN(a), PIN(b)
#define PINS4    PINS2, PIN(c), PIN(d)
#define PINS6    PINS4, PIN(e), PIN(f)
#define LABEL(x) uint32_t x
STORE(1, (void *p, uint32_t work, LABEL(a)), PIN(a), a)
STORE(2, (void *p, uint32_t work, LABEL(a), LABEL(b)), PINS2, a, b)
STORE(3, (void *p, uint32_t work, LABEL(a), LABEL(b), LABEL(c)), (PINS2, PIN(c)), a, b, c)
STORE(4, (void *p, uint32_t work, LABEL(a), LABEL(b), LABEL(c), LABEL(d)), PINS4, a, b, c, d)
STORE(5, (void *p, uint32_t work, LABEL(a), LABEL(b), LABEL(c), LABEL(d), LABEL(e)), (PINS4, PIN(e)), a, b, c,
      d, e)
STORE(6, (void *p, uint32_t work, LABEL(a), LABEL(b), LABEL(c), LABEL(d), LABEL(e), LABEL(f)), PINS6, a, b, c,
      d, e, f)
STORE(7, (void *p, uint32_t work, LABEL(a), LABEL(b), LABEL(c), LABEL(d), LABEL(e), LABEL(f), LABEL(g)),
      (PINS6, PIN(g)), a, b, c, d, e, f, g)
STORE(8,
      (void *p, uint32_t work, LABEL(a), LABEL(b), LABEL(c), LABEL(d), LABEL(e), LABEL(f), LABEL(g),
       LABEL(h)),
      (PINS6, PIN(g), PIN(h)), a, b, c, d, e, f, g, h)

static __attribute__((noinline)) uint32_t store_read_in(void *p, uint32_t size, uint32_t work, uint32_t n,
                                                        const uint32_t *labels, uint32_t which)
{
    uint32_t others[VF_MOST_FLAT], none = vf_from_outside();
    if (n > VF_MOST_FLAT) n = VF_MOST_FLAT;
    vf_hold(none);
    memcpy(others, labels, n * sizeof *labels);
    others[which] = none;
    uint32_t id = parcast_vf_store(p, size, work, n, others);
    vf_settle(labels[which], id);
    vf_release(none);
    return id;
}

uint32_t parcast_vf_store(void *p, uint32_t size, uint32_t work, uint32_t n, const uint32_t *labels)
{
    bool is_chosen = size & VF_CHOSEN;
    size &= ~VF_CHOSEN;
    if (!vf_tracing) return outside(p, size);
    struct vf_cell *cell = vf_place((uintptr_t)p, size);
    uint32_t vertex = vf_vertex_of(cell, (uintptr_t)p, size, n, labels);
    uint32_t which = vf_any_read_in ? vf_find_read_in(cell, n, labels) : n;
    if (which < n) return store_read_in(p, size | (is_chosen ? VF_CHOSEN : 0), work, n, labels, which);
    if (vertex & VF_FLAGGED) return put_flagged(cell, (uintptr_t)p, size, work, is_chosen, n, labels);
    for (uint32_t i = 0; i < n; i++) vf_pin(labels[i], vertex, 0);
    return put_new(cell, (uintptr_t)p, size, vertex, work, n, labels);
}

/* A constant, which comes of what it is behind, if of anything. */
uint32_t parcast_vf_behind(void *p, uint32_t size, uint32_t work, uint32_t n, const uint32_t *labels)
{
    for (uint32_t i = 0; vf_tracing && i < n; i++)
        if (vf_carries(labels[i])) return parcast_vf_store(p, size, work, n, labels);
    parcast_vf_clear(p, size);
    return VF_UNTOUCHED;
}

/* A value of few sources that nobody owns yet. */
static __attribute__((noinline)) void put_computed(uintptr_t address, unsigned size, uint32_t id)
{
    void *p = (void *)address; // NOLINT(performance-no-int-to-ptr)
    parcast_vf_store(p, size, 0, 1, &id);
}

/* The word holds a value that was computed elsewhere, or none. */
static inline void put_old(uintptr_t address, unsigned size, uint32_t id)
{
    if (!vf_carries(id)) id = VF_CONSTANT;
    if (__builtin_expect(vf_is_bundle(id), 0) && vf_bundle_of(id)->parts) {
        vf_parts_put(address, size, id);
        return;
    }
    struct vf_cell *cell = vf_place(address, size);
    if (__builtin_expect(vf_is_bundle(id), 0)) {
        vf_vertex_of(cell, address, size, 1, &id);
        if (vf_computes(id, cell)) {
            put_computed(address, size, id);
            return;
        }
    }
    if (vf_any_instances) {
        vf_vertex_of(cell, address, size, 1, &id);
        vf_adopt(id, cell);
    }
    vf_hold(id);
    vf_release(cell->value);
    cell->value = id;
    vf_share(cell, address, size);
}

void parcast_vf_copy8(void *p, uint32_t label)
{
    if (vf_tracing)
        put_old((uintptr_t)p, 8, label);
    else
        outside(p, 8);
}

void parcast_vf_copy(void *p, uint32_t size, uint32_t label)
{
    if (vf_tracing)
        put_old((uintptr_t)p, size, label);
    else
        outside(p, size);
}

void parcast_vf_copy4(void *p, uint32_t label)
{
    parcast_vf_copy(p, 4, label);
}

/* What is moved within a workspace comes of all that it was compared with; elsewhere it is a copy of the
 * first. */
uint32_t parcast_vf_sorted(void *p, uint32_t size, uint32_t n, const uint32_t *labels)
{
    if (vf_tracing) {
        struct vf_cell *cell = vf_place((uintptr_t)p, size);
        uint32_t vertex = vf_vertex_of(cell, (uintptr_t)p, size, n, labels);
        if (vertex & VF_FLAGGED && vf_in_workspace(cell))
            return parcast_vf_store(p, size | VF_CHOSEN, 1, n, labels);
    }
    parcast_vf_copy(p, size, labels[0]);
    return labels[0];
}
