/* Reductions in registers, as instrumented code calls them. */
#include <string.h>

#include "valueflow/runtime/blocks/name.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/parts.h"
#include "valueflow/runtime/values/result.h"
#include "valueflow/runtime/values/shared.h"
#include "valueflow/runtime/values/sum.h"

enum { FIRST_CAPACITY = 1024, SPARE = 64, WORTH_A_LABEL = 16, MANY_TERMS = 64, NO_TERM = UINT16_MAX };

/* Sums that have young labels, which nothing holds. A number is used again when VF_QUARANTINE others have
 * become free after it: between two terms, or the last one and the end of the sum, there may be loops over
 * other arrays, and terms that become values of their own end with it. So whenever VF_SAFE_AGE numbers more
 * have become free all sums hold what they have. */
static struct open {
    struct parcast_vf_sum *sum;
    const uint32_t *labels;
    uint32_t capacity;
} *open_sums;
static size_t n_open, open_capacity;

static inline bool is_open(const struct parcast_vf_sum *sum)
{
    return sum->open && sum->open <= n_open && open_sums[sum->open - 1].sum == sum;
}

static __attribute__((noinline)) void open_sum(struct parcast_vf_sum *sum)
{
    open_sums = vf_grow(open_sums, &open_capacity, sizeof *open_sums, n_open);
    open_sums[n_open++] = (struct open){sum, sum->labels, sum->capacity};
    sum->open = (uint32_t)n_open;
}

/* Mostly the last one: sums end in the order of their functions. */
static void close_sum(struct parcast_vf_sum *sum)
{
    if (!is_open(sum)) return;
    open_sums[sum->open - 1].sum = NULL;
    sum->open = 0;
    while (n_open && !open_sums[n_open - 1].sum) n_open--;
}

/* An exception, or longjmp, leaves the sums of the functions that it ends here, in frames of others by now.
 */
static bool is_there(const struct open *open, size_t index)
{
    const struct parcast_vf_sum *sum = open->sum;
    return sum && sum->open == index + 1 && sum->labels == open->labels && sum->capacity == open->capacity &&
           sum->n <= sum->capacity && sum->n_held <= sum->n;
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
    if (is_open(sum)) open_sums[sum->open - 1] = (struct open){sum, sum->labels, sum->capacity};
}

static void release_all(struct parcast_vf_sum *sum)
{
    uint32_t n_held = sum->n_held;
    sum->n = sum->n_initial = sum->n_held = 0;
    sum->per_term = sum->is_mixed = 0;
    sum->work = 0;
    for (uint32_t i = 0; i < n_held; i++) vf_release_register(sum->labels[i]);
}

static void hold_all(struct parcast_vf_sum *sum)
{
    for (uint32_t i = sum->n_held; i < sum->n; i++) vf_hold_register(sum->labels[i]);
    sum->n_held = sum->n;
}

void vf_sum_end(struct parcast_vf_sum *sum)
{
    release_all(sum);
}

void vf_sums_hold(void)
{
    for (size_t i = 0; i < n_open; i++)
        if (is_there(&open_sums[i], i)) hold_all(open_sums[i].sum);
    n_open = 0;
}

static inline void push(struct parcast_vf_sum *sum, uint32_t label)
{
    if (__builtin_expect(sum->n == sum->capacity, 0)) grow_buffer(sum);
    if (__builtin_expect(sum->n == sum->n_held, 0) && !is_open(sum)) open_sum(sum);
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
    sum->per_term = NO_TERM;
}

/* The terms so far get more room: labels, then zeros. */
static void widen(struct parcast_vf_sum *sum, uint32_t width)
{
    uint32_t old = sum->per_term, n_terms = (sum->n - sum->n_initial) / old;
    hold_all(sum);
    while (sum->n_initial + n_terms * width > sum->capacity) grow_buffer(sum);
    for (uint32_t t = n_terms; t-- > 0;) {
        uint32_t *to = sum->labels + sum->n_initial + (size_t)t * width;
        memmove(to, sum->labels + sum->n_initial + (size_t)t * old, old * sizeof *to);
        memset(to + old, 0, (width - old) * sizeof *to);
    }
    sum->n = sum->n_held = sum->n_initial + n_terms * width;
    sum->per_term = (uint16_t)width;
}

static __attribute__((noinline)) void begin_slowly(struct parcast_vf_sum *sum, uint32_t n)
{
    if (sum->per_term == NO_TERM || !sum->per_term) {
        sum->per_term = (uint16_t)n;
        return;
    }
    sum->is_mixed = 1;
    if (n > sum->per_term) widen(sum, n);
}

static inline void begin_term(struct parcast_vf_sum *sum, uint32_t n)
{
    if (__builtin_expect(sum->per_term != n, 0)) begin_slowly(sum, n);
}

static inline void end_term(struct parcast_vf_sum *sum, uint32_t n)
{
    for (; n < sum->per_term; n++) push(sum, 0);
}

void parcast_vf_sum_term1(struct parcast_vf_sum *sum, uint32_t a)
{
    if (!vf_tracing) return;
    begin_term(sum, 1);
    push(sum, a);
    end_term(sum, 1);
}

void parcast_vf_sum_term2(struct parcast_vf_sum *sum, uint32_t a, uint32_t b)
{
    if (!vf_tracing) return;
    begin_term(sum, 2);
    push(sum, a);
    push(sum, b);
    end_term(sum, 2);
}

void parcast_vf_sum_term(struct parcast_vf_sum *sum, uint32_t n, const uint32_t *labels)
{
    if (!vf_tracing || !n) return;
    begin_term(sum, n);
    for (uint32_t i = 0; i < n; i++) push(sum, labels[i]);
    end_term(sum, n);
}

void vf_sum_stand_first(struct parcast_vf_sum *sum, uint32_t n, const uint32_t *labels)
{
    hold_all(sum);
    if (!n) return;
    for (uint32_t i = 0; i < n; i++) push(sum, labels[i]);
    memmove(sum->labels + sum->n_initial + n, sum->labels + sum->n_initial,
            (sum->n - n - sum->n_initial) * sizeof *sum->labels);
    memcpy(sum->labels + sum->n_initial, labels, n * sizeof *labels);
    sum->n_initial += n;
    hold_all(sum);
    if (!sum->per_term) sum->per_term = NO_TERM;
}

/* What stands at the place that another search has found is what that has come to. */
static bool begins_with_sum(const struct parcast_vf_sum *sum)
{
    uint32_t id = sum->n_initial ? sum->labels[0] : 0;
    return vf_carries(id) && !vf_is_bundle(id) && vf_values[id].chain;
}

void parcast_vf_sum_first(struct parcast_vf_sum *sum, uint32_t n, const uint32_t *labels)
{
    bool any = false;
    if (begins_with_sum(sum)) return;
    for (uint32_t i = 0; sum->per_term == NO_TERM && i < n; i++) any = any || vf_carries(labels[i]);
    if (any) parcast_vf_sum_term(sum, n, labels);
}

/* Terms of as many labels one after the other: a chain is a list of such segments. */
static void add_terms(const struct parcast_vf_sum *sum, uint32_t id, bool are_powers)
{
    uint32_t per_term = sum->per_term, least = sum->is_mixed ? 1 : per_term;
    for (uint32_t i = 0; i < sum->n_initial; i++) vf_add_term(id, 1, sum->labels + i, false);
    for (uint32_t n = per_term; n >= least && n; n--)
        for (uint32_t i = sum->n_initial; i + per_term <= sum->n; i += per_term)
            if (!sum->is_mixed || vf_labels_in(sum->labels + i, per_term) == n)
                vf_add_term(id, n, sum->labels + i, are_powers);
}

/* Are all labels of the terms values with different homes within each, so that none is left out of it? Then
 * only one of one label may be a power. */
static bool are_plain(const struct parcast_vf_sum *sum, bool are_powers)
{
    uint32_t n = sum->per_term;
    if (sum->n_initial || sum->is_mixed || (n == 1 && are_powers)) return false;
    for (const uint32_t *term = sum->labels, *end = term + sum->n; term < end; term += n)
        for (uint32_t i = 0; i < n; i++) {
            if (!vf_carries(term[i])) return false;
            for (uint32_t j = 0; j < i; j++)
                if (vf_values[term[j]].vertex == vf_values[term[i]].vertex) return false;
        }
    return true;
}

/* Hash of the terms, and the readers of their values. False where a term has to be made first. */
static bool pin_terms(const struct parcast_vf_sum *sum, uint32_t vertex, uint32_t op, uint64_t *hash)
{
    if (sum->per_term > VF_TERM_LABELS) return false;
    for (uint32_t i = 0; i < sum->n; i++)
        if (vf_is_bundle(sum->labels[i])) return false;
    *hash = vf_chain_hash_start((uint64_t)op << 40 | (uint64_t)sum->per_term << 32 | sum->n_initial);
    for (uint32_t i = 0; i < sum->n; i++) {
        uint32_t label = sum->labels[i];
        *hash = vf_chain_hash_add(*hash, vf_carries(label) ? vf_values[label].vertex : 0);
        vf_pin(label, vertex, VF_FOLD_PIN);
    }
    return true;
}

/* Mostly the terms are those of the word's last version, and then so is the chain. */
static bool adopt(uint32_t id, uint64_t hash)
{
    uint32_t chain = vf_values[id].chain, key = vf_vertices[vf_values[id].vertex].chain_key;
    if (!vf_chain_is(key, hash) || (chain && !vf_chain_is_empty(chain))) return false;
    if (chain && !(chain & VF_FINISHED)) vf_chain_drop(chain);
    vf_values[id].chain = VF_FINISHED | key;
    return true;
}

/* The terms of the register go to value `id`, which may have a chain of the operation already. Terms that
 * cannot be told apart count as leaves. The operation may have the flag VF_POWERS. */
static void pour(struct parcast_vf_sum *sum, uint32_t id, uint32_t op_and_flag)
{
    uint32_t op = op_and_flag & ~VF_POWERS, vertex = vf_values[id].vertex, per_term = sum->per_term;
    bool apart = op && per_term >= 1 && per_term != NO_TERM;
    uint64_t hash = 0;
    bool simple = apart && pin_terms(sum, vertex, op_and_flag, &hash);
    if (simple && adopt(id, hash)) return;
    if (op && !vf_values[id].chain) vf_values[id].chain = vf_chain_create(op);
    if (!apart) {
        for (uint32_t i = 0; i < sum->n; i++) vf_pin(sum->labels[i], vertex, 0);
        return;
    }
    bool whole = simple && vf_chain_is_empty(vf_values[id].chain);
    if (simple && are_plain(sum, op_and_flag & VF_POWERS))
        vf_values[id].chain = vf_chain_fill(vf_values[id].chain, per_term, sum->n / per_term, sum->labels);
    else
        add_terms(sum, id, op_and_flag & VF_POWERS);
    if (whole) vf_chain_remember(vf_values[id].chain, hash);
}

/* Of many words that hold constants, the last column of a fit's matrix say, each part adds up its own ones:
 * whoever has the sum has not done all of that. */
static uint32_t work_of(const struct parcast_vf_sum *sum, uint32_t work)
{
    if (sum->n > MANY_TERMS && vf_are_constants(sum->n, sum->labels)) return 0;
    uint32_t per_term = sum->per_term && sum->per_term != NO_TERM ? sum->per_term : 1;
    uint64_t all = (uint64_t)work * (sum->n / per_term) + sum->work;
    return all < UINT32_MAX ? (uint32_t)all : UINT32_MAX;
}

/* A sum that ends in a word which may be a workspace. */
static uint32_t store_flagged(struct parcast_vf_sum *sum, struct vf_cell *cell, uint32_t work, uint32_t op)
{
    uint32_t flat[VF_MOST_FLAT], m = vf_flatten(sum->n, sum->labels, flat);
    if (!vf_are_long(sum->n, sum->labels) && vf_goes_through(cell, m))
        return vf_pass(cell, m, flat, vf_find_outside(sum->n, sum->labels),
                       work + vf_work_of(sum->n, sum->labels),
                       op & VF_POWERS || vf_are_power(sum->n, sum->labels));
    vf_ticks_flagged(cell);
    uint32_t vertex = vf_instance(cell, sum->n, sum->labels), id = vf_create_named(vertex);
    vf_values[id].references = 1;
    pour(sum, id, op);
    vf_add_work(vertex, work);
    return id;
}

static uint32_t store_owned(struct parcast_vf_sum *sum, uint32_t vertex, uint32_t work, uint32_t op)
{
    vf_ticks(vertex);
    uint32_t id = vf_value_create(vertex);
    vf_values[id].references = 1;
    pour(sum, id, op);
    vf_add_work(vertex, work);
    return id;
}

/* The register began with the open sum that is in the word: the terms since then are more of it, as if each
 * had been added to the word. */
static bool goes_on(const struct parcast_vf_sum *sum, const struct vf_cell *cell, uint32_t op)
{
    uint32_t id = cell->value;
    if (!op || sum->n_initial != 1 || sum->labels[0] != id || !vf_carries(id) || vf_is_bundle(id))
        return false;
    const struct vf_value *value = &vf_values[id];
    return value->chain && vf_is_unread(value) && (value->references & (VF_REGISTER - 1)) == 1 &&
           vf_base(value->vertex) == (cell->vertex & ~VF_FLAGGED) && vf_chain_op(value->chain) == op;
}

static void drop_initial(struct parcast_vf_sum *sum)
{
    if (sum->n_held) {
        vf_release_register(sum->labels[0]);
        sum->n_held--;
    }
    memmove(sum->labels, sum->labels + 1, --sum->n * sizeof *sum->labels);
    sum->n_initial = 0;
}

static uint32_t go_on(struct parcast_vf_sum *sum, const struct vf_cell *cell, uint32_t work, uint32_t op)
{
    uint32_t id = cell->value;
    drop_initial(sum);
    if (sum->n) pour(sum, id, op); /* or there were constants only */
    vf_add_work(vf_values[id].vertex, work_of(sum, work));
    release_all(sum);
    return id;
}

/* Nothing was added to its one beginning, nor computed from it. */
static bool is_copy(const struct parcast_vf_sum *sum)
{
    return sum->n == 1 && sum->n_initial == 1 && !sum->work;
}

static uint32_t put_back(struct parcast_vf_sum *sum, void *p, uint32_t size)
{
    uint32_t id = sum->labels[0];
    parcast_vf_copy(p, size, id);
    release_all(sum);
    return id;
}

uint32_t parcast_vf_sum_store(struct parcast_vf_sum *sum, void *p, uint32_t size, uint32_t work, uint32_t op)
{
    if (!vf_tracing) {
        parcast_vf_clear(p, size);
        sum->work = 0;
        return VF_UNTOUCHED;
    }
    if (is_copy(sum)) return put_back(sum, p, size);
    struct vf_cell *cell = vf_place((uintptr_t)p, size);
    if (goes_on(sum, cell, op & ~VF_POWERS)) return go_on(sum, cell, work, op);
    uint32_t vertex = vf_vertex_of(cell, (uintptr_t)p, size, sum->n, sum->labels);
    work = work_of(sum, work);
    uint32_t id =
        vertex & VF_FLAGGED ? store_flagged(sum, cell, work, op) : store_owned(sum, vertex, work, op);
    vf_release(cell->value);
    cell->value = id;
    vf_share(cell, (uintptr_t)p, size);
    release_all(sum);
    return id;
}

uint32_t parcast_vf_sum_fold(struct parcast_vf_sum *sum, void *p, uint32_t size, uint32_t work, uint32_t op)
{
    if (!vf_tracing) {
        parcast_vf_clear(p, size);
        return VF_UNTOUCHED;
    }
    if (op & ~VF_POWERS && vf_shares_terms((uintptr_t)__builtin_return_address(0), (uintptr_t)p, sum))
        return vf_fold_shared(sum, p, size, work, op);
    struct vf_cell *cell = vf_place((uintptr_t)p, size);
    if (cell->value == VF_UNTOUCHED) vf_input(cell, (uintptr_t)p, size);
    uint32_t vertex = vf_vertex_of(cell, (uintptr_t)p, size, sum->n, sum->labels);
    uint32_t id = vf_open_sum(cell, vertex, op & ~VF_POWERS, sum->n, sum->labels);
    if (id != VF_CONSTANT) {
        pour(sum, id, op);
        vf_add_work(vf_values[id].vertex, work_of(sum, work));
    }
    vf_share(cell, (uintptr_t)p, size);
    release_all(sum);
    return id;
}

/* Is no term of it labelled? It goes on with none. */
static bool counts(struct parcast_vf_sum *sum)
{
    if (!vf_are_constants(sum->n, sum->labels)) return false;
    sum->n = sum->n_initial = sum->n_held = sum->work = 0;
    sum->per_term = NO_TERM;
    return true;
}

/* Nothing was added to what it began with: whoever reads it computes it from that, with the operations of a
 * long loop. Few are not worth a label of their own. */
static uint32_t beginning_of(struct parcast_vf_sum *sum, bool is_power)
{
    uint32_t flat[VF_FEW], work = sum->work < UINT32_MAX / 2 ? (uint32_t)sum->work : UINT32_MAX / 2;
    if (work < WORTH_A_LABEL)
        return is_power && work ? parcast_vf_power(work, sum->labels[0]) : sum->labels[0];
    uint32_t n = vf_find_few(1, sum->labels, flat, &work);
    if (!n) return sum->labels[0];
    sum->work = 0;
    return is_power && n == 1 && vf_values[*flat].chain ? vf_power(*flat, work) : vf_bundle(n, flat, work);
}

/* What few terms of nothing come to, lengths in an element that is made of numbers of turns: whoever reads it
 * computes it. VF_UNTOUCHED for others. */
static uint32_t of_nothing(const struct parcast_vf_sum *sum, uint32_t work)
{
    if (sum->n > VF_LONG_WORK || !vf_are_of_nothing(sum->n, sum->labels)) return VF_UNTOUCHED;
    work = work_of(sum, work) + vf_work_of(sum->n, sum->labels);
    return work > VF_LONG_WORK ? VF_UNTOUCHED : vf_bundle(0, NULL, work);
}

/* The register's content as a value of its own: it begins anew with that. */
uint32_t parcast_vf_sum_value(struct parcast_vf_sum *sum, const char *site, uint32_t work, uint32_t op)
{
    if (!vf_tracing || !sum->n) {
        sum->work = 0;
        return VF_UNTOUCHED;
    }
    if (sum->n == 1 && sum->n_initial == 1) return beginning_of(sum, op & VF_POWERS);
    bool is_little = sum->n <= VF_FEW && work_of(sum, work) < WORTH_A_LABEL;
    if ((op & VF_COUNTS || is_little) && counts(sum)) return VF_UNTOUCHED;
    op &= ~VF_COUNTS;
    uint32_t id = of_nothing(sum, work);
    if (id == VF_UNTOUCHED) {
        uint32_t vertex = vf_result_vertex(site, sum->n, sum->labels);
        id = vf_create_named(vertex);
        pour(sum, id, op);
        vf_add_work(vertex, work_of(sum, work));
    }
    vf_values[id].references = VF_REGISTER; /* the sum's own */
    release_all(sum);
    sum->labels[0] = id;
    sum->n = sum->n_initial = sum->n_held = 1;
    sum->per_term = NO_TERM;
    return id;
}

void parcast_vf_sum_free(struct parcast_vf_sum *sum)
{
    if (!sum->capacity) return;
    release_all(sum);
    close_sum(sum);
    if (n_spare < SPARE) {
        spare[n_spare].labels = sum->labels;
        spare[n_spare++].capacity = sum->capacity;
    } else {
        vf_unmap(sum->labels, sum->capacity * sizeof *sum->labels);
    }
    memset(sum, 0, sizeof *sum);
}
