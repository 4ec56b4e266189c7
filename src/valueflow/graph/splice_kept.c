/*
 * Sums that are only added to another one and are results all the same, since they are fewer words than what
 * they are computed from: products with factors that nobody else has, and what an element computes for all
 * its nodes from what these have.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/splice.h"
#include "valueflow/runtime/blocks/object_kind.h"

enum { FEW_TERMS = 128, FEWEST_RESULTS = 4, PER_RESULT = 2 };

/* A value that is computed on the way, and that this sum alone adds up. */
static bool is_private(const struct splice *s, const bool *is_way, uint32_t home, uint32_t sum)
{
    return s->target[home] == sum && is_way[home] && s->key[home] != NOBODY;
}

/* What a short sum alone multiplies what others read, too, by: the matrix of an element, by the numbers of
 * its nodes. It stays with that, and the sum is one number in the place of many. */
static bool has_own_factors(const struct splice *s, const bool *is_way, uint32_t chain, uint32_t sum)
{
    const struct values_file *file = s->u->file;
    bool any = false;
    uint32_t n_terms = 0;
    for (uint32_t k = chain; k; k = file->chains[k].before) {
        uint32_t n = file->chains[k].op_and_labels & 0xff, n_own = 0;
        for (uint32_t j = 0; j < n; j++) {
            bool all = file->chains[k].streams[j];
            for (uint32_t step = file->chains[k].streams[j]; step; step = file->step_parents[step]) {
                all = all && is_private(s, is_way, unite_root(s->u, file->homes[step]), sum);
                if (++n_terms > FEW_TERMS) return false;
            }
            n_own += all;
        }
        if (n_own && n_own < n) any = true;
    }
    return any;
}

static void mark_way(const struct splice *s, bool *is_way)
{
    const struct values_file *file = s->u->file;
    for (uint64_t i = 1; i < file->header.n_objects; i++) {
        const struct vf_dump_object *o = &file->objects[i];
        for (int size = 0; size < VF_WORD_SIZES; size++) {
            const struct vf_dump_span *words = &o->words[size];
            bool is_way_there = o->kind == VF_RESULT || o->kind == VF_FRAME ||
                                (o->kind == VF_HEAP && words->n && s->u->is_gone[words->first]);
            for (uint32_t j = 0; is_way_there && j < words->n; j++)
                is_way[unite_root(s->u, words->first + j)] = true;
        }
    }
}

static bool keep_products(const struct splice *s, bool *stays)
{
    const struct values_file *file = s->u->file;
    size_t n = (size_t)file->header.n_vertices + 1;
    bool *is_way = calloc(n, sizeof *is_way), fine = is_way;
    if (fine) mark_way(s, is_way);
    for (uint64_t i = 0; fine && i < file->header.n_chain_nets; i++) {
        uint32_t sum = unite_root(s->u, file->chain_nets[i].vertex);
        if (!is_one(s->target[sum]) || stays[sum]) continue;
        stays[sum] = has_own_factors(s, is_way, file->chain_nets[i].what, sum);
    }
    free(is_way);
    return fine;
}

/* A sum, and what it has of values that others read, too. */
struct element_sum {
    uint64_t hash;
    uint32_t sum, chain, target, n_read;
};

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int by_hash(const void *a, const void *b)
{
    const struct element_sum *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    if (x->target != y->target) return x->target < y->target ? -1 : 1;
    return (x->sum > y->sum) - (x->sum < y->sum);
}

/* Values that the terms of a sum have that others read, too: all, or one factor of each. */
struct shared {
    uint32_t chain, sum, factor; /* ALL, or which */
    uint32_t value[FEW_TERMS], n;
};

enum { ALL = VF_DUMP_LABELS };

static bool add_stream(const struct splice *s, struct shared *shared, uint32_t stream)
{
    const struct values_file *file = s->u->file;
    for (uint32_t step = stream; step; step = file->step_parents[step]) {
        uint32_t home = unite_root(s->u, file->homes[step]);
        if (s->target[home] == shared->sum) continue;
        if (shared->n == FEW_TERMS) return false;
        shared->value[shared->n++] = home;
    }
    return true;
}

/* Each once. False where it is no short sum, or one with other terms, too. */
static bool list_shared(const struct splice *s, struct shared *shared)
{
    const struct vf_dump_chain *chains = s->u->file->chains;
    uint32_t *value = shared->value, n = 0, factor = shared->factor;
    shared->n = 0;
    for (uint32_t k = shared->chain; k; k = chains[k].before) {
        uint32_t labels = chains[k].op_and_labels & 0xff;
        if (factor != ALL && (chains[k].before || labels < 2 || factor >= labels)) return false;
        for (uint32_t j = factor == ALL ? 0 : factor; j < labels && (factor == ALL || j == factor); j++)
            if (!add_stream(s, shared, chains[k].streams[j])) return false;
    }
    qsort(value, shared->n, sizeof *value, by_number);
    for (uint32_t i = 0; i < shared->n; i++)
        if (!n || value[n - 1] != value[i]) value[n++] = value[i];
    shared->n = n;
    return n >= FEWEST_RESULTS;
}

static uint64_t hash_of(const struct shared *shared)
{
    uint64_t h = 0x9e3779b97f4a7c15ull;
    for (uint32_t i = 0; i < shared->n; i++) h = (h ^ shared->value[i]) * 0xff51afd7ed558ccdull, h ^= h >> 32;
    return h;
}

/* `read_by` of each value: the sums that read it, by their hash; SEVERAL: some of them read others, too.
 * `added` to each sum, likewise. */
struct groups {
    uint32_t *read_by, *added;
};

static size_t list_sums(const struct splice *s, uint32_t factor, struct element_sum *all,
                        struct groups *groups)
{
    const struct values_file *file = s->u->file;
    size_t n = 0;
    for (uint64_t i = 0; i < file->header.n_chain_nets; i++) {
        struct shared shared = {
            file->chain_nets[i].what, unite_root(s->u, file->chain_nets[i].vertex), factor, {0}, 0};
        if (!is_one(s->target[shared.sum]) || !list_shared(s, &shared)) continue;
        uint64_t hash = hash_of(&shared);
        uint32_t target = s->target[shared.sum], number = (uint32_t)(hash >> 33) + 1;
        for (uint32_t j = 0; j < shared.n; j++) splice_note(&groups->read_by[shared.value[j]], number);
        splice_note(&groups->added[target], number);
        all[n++] = (struct element_sum){hash, shared.sum, shared.chain, target, shared.n};
    }
    qsort(all, n, sizeof *all, by_hash);
    return n;
}

static bool is_computed(const struct splice *s, uint32_t v)
{
    return s->has_sources[v] || s->n_sum[v];
}

/* Is half of what it reads computed, and read by others with other values, too, as nodes are by the elements
 * around them? A matrix that all elements have in common is an input. */
static bool overlaps(const struct splice *s, const struct element_sum *one, uint32_t factor,
                     const struct groups *groups)
{
    struct shared shared = {one->chain, one->sum, factor, {0}, 0};
    uint32_t n_several = 0;
    if (!list_shared(s, &shared)) return false;
    for (uint32_t i = 0; i < shared.n; i++)
        n_several += groups->read_by[shared.value[i]] == SEVERAL && is_computed(s, shared.value[i]);
    return 2 * n_several >= shared.n;
}

/* All that is computed from the same values, each added to another sum, some with what others come to: at
 * least half as many numbers as it takes. Blocks of a long sum are few from many, and tiles of a vector are
 * none of each other's. */
static bool is_element(const struct splice *s, const struct element_sum *one, size_t n, uint32_t factor,
                       const struct groups *groups)
{
    uint32_t n_results = 0;
    bool any_joined = false;
    for (size_t i = 0; i < n; i++) {
        n_results += !i || one[i].target != one[i - 1].target;
        any_joined = any_joined || groups->added[one[i].target] == SEVERAL;
    }
    return n_results >= FEWEST_RESULTS && PER_RESULT * n_results >= one->n_read && any_joined &&
           overlaps(s, one, factor, groups);
}

static void keep_elements_of(const struct splice *s, uint32_t factor, struct element_sum *all,
                             struct groups *groups, bool *stays)
{
    size_t n = list_sums(s, factor, all, groups);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && all[end].hash == all[i].hash;) end++;
        bool stay = is_element(s, all + i, end - i, factor, groups);
        for (size_t j = i; stay && j < end; j++) stays[all[j].sum] = true;
    }
}

/* With a matrix that all elements have in common, what they share is one factor of each term. */
static bool keep_elements(const struct splice *s, bool *stays)
{
    size_t n = s->u->file->header.n_vertices + 1;
    struct element_sum *all = malloc((s->u->file->header.n_chain_nets + 1) * sizeof *all);
    struct groups groups = {malloc(n * sizeof *groups.read_by), malloc(n * sizeof *groups.added)};
    bool fine = all && groups.read_by && groups.added;
    for (uint32_t factor = 0; fine && factor <= ALL; factor++) {
        memset(groups.read_by, 0, n * sizeof *groups.read_by);
        memset(groups.added, 0, n * sizeof *groups.added);
        keep_elements_of(s, factor, all, &groups, stays);
    }
    free(all);
    free(groups.read_by);
    free(groups.added);
    return fine;
}

bool splice_keep_results(struct splice *s)
{
    size_t n = s->u->file->header.n_vertices;
    bool *stays = calloc(n + 1, sizeof *stays);
    bool fine = stays && keep_products(s, stays) && keep_elements(s, stays);
    for (size_t v = 0; fine && v < n; v++)
        if (stays[v]) s->target[v] = SEVERAL;
    free(stays);
    return fine;
}
