/* Reductions, in memory and in registers, as instrumented code calls them. */
#include <string.h>

#include "valueflow/runtime/chain.h"
#include "valueflow/runtime/result.h"
#include "valueflow/runtime/value.h"
#include "valueflow/runtime/vector.h"

enum { FIRST_CAPACITY = 1024, SPARE = 64 };

/* The labels of a term that carry anything, equal ones once. */
static inline uint32_t pack(uint32_t n, const uint32_t *labels, uint32_t *term)
{
    uint32_t m = 0;
    for (uint32_t i = 0; i < n && m < VF_TERM_LABELS; i++) {
        if (!vf_carries(labels[i])) continue;
        uint32_t j = 0;
        while (j < m && vf_values[term[j]].vertex != vf_values[labels[i]].vertex) j++;
        if (j == m) term[m++] = labels[i];
    }
    return m;
}

/* Can the value in the word still be added to? Yes when it is a sum of the same kind that nobody has read. */
static inline bool is_open(uint32_t id, uint32_t vertex, uint32_t op)
{
    if (!vf_carries(id)) return false;
    const struct vf_value *value = &vf_values[id];
    return value->chain && value->state == VF_ROOT && value->references == 1 && value->vertex == vertex &&
           vf_chain_op(value->chain) == op;
}

/* The value of the word that the terms go to: the sum that is there, or a new one that begins with it. */
static inline uint32_t open_sum(struct vf_cell *cell, uint32_t vertex, uint32_t op)
{
    uint32_t old = cell->value;
    if (__builtin_expect(is_open(old, vertex, op), 1)) return old;
    uint32_t id = vf_value_create(vertex);
    vf_values[id].references = 1;
    vf_values[id].chain = vf_chain_create(op);
    vf_pin(old, vertex, 0);
    vf_release(old);
    cell->value = id;
    return id;
}

static void add_term(uint32_t id, uint32_t vertex, uint32_t n, const uint32_t *labels)
{
    uint32_t term[VF_TERM_LABELS], m = pack(n, labels, term);
    if (!m) return;
    vf_chain_add(vf_values[id].chain, m, term);
    for (uint32_t i = 0; i < m; i++) vf_pin(term[i], vertex, VF_FOLD_PIN);
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
    uint32_t vertex = vf_vertex_of(cell, (uintptr_t)p, size);
    uint32_t id = open_sum(cell, vertex, op);
    add_term(id, vertex, n, labels);
    vf_add_work(vertex, work);
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

/* Buffers of sums that ended, for the next ones: a function with a sum may be called very often. */
static struct {
    uint32_t *labels, capacity;
} spare[SPARE];
static uint32_t n_spare;

static void take_buffer(struct parcast_vf_sum *sum)
{
    if (n_spare) {
        sum->labels = spare[--n_spare].labels;
        sum->capacity = spare[n_spare].capacity;
        return;
    }
    sum->labels = vf_map(FIRST_CAPACITY * sizeof *sum->labels);
    sum->capacity = FIRST_CAPACITY;
}

static void grow_buffer(struct parcast_vf_sum *sum)
{
    uint32_t old = sum->capacity;
    if (!old) {
        take_buffer(sum);
        return;
    }
    if (old > UINT32_MAX / 2) vf_stop("a sum of more than 2^31 terms in a register; use a smaller problem");
    sum->labels = vf_remap(sum->labels, old * sizeof *sum->labels, 2 * (size_t)old * sizeof *sum->labels);
    sum->capacity = 2 * old;
}

static void release_all(struct parcast_vf_sum *sum)
{
    for (uint32_t i = 0; i < sum->n_held; i++) vf_release(sum->labels[i]);
    sum->n = sum->n_initial = sum->per_term = sum->n_held = 0;
    sum->since = (uint32_t)vf_created;
}

static void hold_all(struct parcast_vf_sum *sum)
{
    for (uint32_t i = sum->n_held; i < sum->n; i++) vf_hold(sum->labels[i]);
    sum->n_held = sum->n;
    sum->since = (uint32_t)vf_created;
}

/* Young labels cannot have been used again, and need no hold. */
static inline void push(struct parcast_vf_sum *sum, uint32_t label)
{
    if (__builtin_expect(sum->n == sum->capacity, 0)) grow_buffer(sum);
    if (__builtin_expect((uint32_t)vf_created - sum->since > VF_SAFE_AGE, 0)) hold_all(sum);
    sum->labels[sum->n++] = label;
}

void parcast_vf_sum_start(struct parcast_vf_sum *sum, uint32_t n, const uint32_t *labels)
{
    if (!vf_tracing) return;
    uint32_t kept[16], m = 0; /* the sum itself may be about to be emptied */
    for (uint32_t i = 0; i < n && m < 16; i++)
        if (vf_carries(labels[i])) kept[m++] = labels[i];
    release_all(sum);
    for (uint32_t i = 0; i < m; i++) push(sum, kept[i]);
    sum->n_initial = m;
    sum->per_term = UINT32_MAX; /* not known yet */
}

static inline void begin_term(struct parcast_vf_sum *sum, uint32_t n)
{
    if (sum->per_term == UINT32_MAX)
        sum->per_term = n;
    else if (sum->per_term != n)
        sum->per_term = 0;
}

void parcast_vf_sum_term1(struct parcast_vf_sum *sum, uint32_t a)
{
    if (!vf_tracing) return;
    begin_term(sum, 1);
    push(sum, a);
}

void parcast_vf_sum_term2(struct parcast_vf_sum *sum, uint32_t a, uint32_t b)
{
    if (!vf_tracing) return;
    begin_term(sum, 2);
    push(sum, a);
    push(sum, b);
}

void parcast_vf_sum_term(struct parcast_vf_sum *sum, uint32_t n, const uint32_t *labels)
{
    if (!vf_tracing) return;
    begin_term(sum, n);
    for (uint32_t i = 0; i < n; i++) push(sum, labels[i]);
}

static void add_terms(const struct parcast_vf_sum *sum, uint32_t chain)
{
    uint32_t term[VF_TERM_LABELS], per_term = sum->per_term;
    for (uint32_t i = 0; i < sum->n_initial; i++)
        if (vf_carries(sum->labels[i])) vf_chain_add(chain, 1, sum->labels + i);
    for (uint32_t i = sum->n_initial; i + per_term <= sum->n; i += per_term) {
        uint32_t m = pack(per_term, sum->labels + i, term);
        if (m) vf_chain_add(chain, m, term);
    }
}

/* The terms of the register go to value `id`. Terms that cannot be told apart count as leaves. Mostly the
 * terms are those of the word's last version, and then so is the chain. */
static void pour(struct parcast_vf_sum *sum, uint32_t id, uint32_t vertex, bool folds)
{
    uint32_t per_term = sum->per_term;
    if (!folds || per_term < 1 || per_term > VF_TERM_LABELS) {
        for (uint32_t i = 0; i < sum->n; i++) vf_pin(sum->labels[i], vertex, 0);
        return;
    }
    uint64_t hash = vf_chain_hash_start((uint64_t)per_term << 32 | sum->n_initial);
    for (uint32_t i = 0; i < sum->n; i++) {
        uint32_t label = sum->labels[i];
        hash = vf_chain_hash_add(hash, vf_carries(label) ? vf_values[label].vertex : 0);
        vf_pin(label, vertex, VF_FOLD_PIN);
    }
    uint32_t chain = vf_values[id].chain, last = vf_vertices[vertex].chain_key;
    if (vf_chain_adopt(chain, last, hash)) return;
    bool whole = vf_chain_is_empty(chain);
    add_terms(sum, chain);
    if (whole) vf_chain_remember(chain, hash);
}

static uint32_t work_of(const struct parcast_vf_sum *sum, uint32_t work)
{
    uint32_t per_term = sum->per_term && sum->per_term != UINT32_MAX ? sum->per_term : 1;
    return work * (sum->n / per_term);
}

uint32_t parcast_vf_sum_store(struct parcast_vf_sum *sum, void *p, uint32_t size, uint32_t work, uint32_t op)
{
    if (!vf_tracing) {
        parcast_vf_clear(p, size);
        return VF_UNTOUCHED;
    }
    struct vf_cell *cell = vf_place((uintptr_t)p, size);
    uint32_t vertex = vf_vertex_of(cell, (uintptr_t)p, size), id = vf_value_create(vertex);
    vf_values[id].references = 1;
    if (op) vf_values[id].chain = vf_chain_create(op);
    pour(sum, id, vertex, op != 0);
    vf_add_work(vertex, work_of(sum, work));
    vf_release(cell->value);
    cell->value = id;
    release_all(sum);
    return id;
}

uint32_t parcast_vf_sum_fold(struct parcast_vf_sum *sum, void *p, uint32_t size, uint32_t work, uint32_t op)
{
    if (!vf_tracing) {
        parcast_vf_clear(p, size);
        return VF_UNTOUCHED;
    }
    struct vf_cell *cell = vf_place((uintptr_t)p, size);
    if (cell->value == VF_UNTOUCHED) vf_input(cell, (uintptr_t)p, size);
    uint32_t vertex = vf_vertex_of(cell, (uintptr_t)p, size), id = open_sum(cell, vertex, op);
    pour(sum, id, vertex, true);
    vf_add_work(vertex, work_of(sum, work));
    release_all(sum);
    return id;
}

/* The register's content as a value of its own: it begins anew with that. */
uint32_t parcast_vf_sum_value(struct parcast_vf_sum *sum, const char *site, uint32_t work, uint32_t op)
{
    if (!vf_tracing || !sum->n) return VF_UNTOUCHED;
    if (sum->n == 1 && sum->n_initial == 1) return sum->labels[0]; /* nothing was added */
    uint32_t vertex = vf_result_vertex(site, sum->n, sum->labels), id = vf_value_create(vertex);
    vf_values[id].references = 1; /* the sum's own */
    if (op) vf_values[id].chain = vf_chain_create(op);
    pour(sum, id, vertex, op != 0);
    vf_add_work(vertex, work_of(sum, work));
    release_all(sum);
    sum->labels[0] = id;
    sum->n = sum->n_initial = sum->n_held = 1;
    sum->per_term = UINT32_MAX;
    return id;
}

void parcast_vf_sum_free(struct parcast_vf_sum *sum)
{
    if (!sum->capacity) return;
    release_all(sum);
    if (n_spare < SPARE) {
        spare[n_spare].labels = sum->labels;
        spare[n_spare++].capacity = sum->capacity;
    } else {
        vf_unmap(sum->labels, sum->capacity * sizeof *sum->labels);
    }
    memset(sum, 0, sizeof *sum);
}
