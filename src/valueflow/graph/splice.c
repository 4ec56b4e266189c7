/*
 * A sum that is only added to another one of the same kind, tile by tile say, or halves of halves, is no
 * result of its own: its terms are terms of the other. So are what a few words of a frame add up, the
 * accumulators of a loop that is unrolled by hand.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/splice.h"
#include "valueflow/load/readers.h"
#include "valueflow/load/room.h"
#include "valueflow/runtime/blocks/object_kind.h"

static const uint32_t FOLD = 0x80000000u;
enum { MOST_BYTES = 1024 };

/* Sums that have more than terms: what they begin with, say, which all parts that add up would need. */
static void note_sources(struct splice *s, const struct vf_dump_net *net)
{
    uint32_t home = unite_root(s->u, net->vertex);
    for (struct readers r = readers_of(s->u->file, net); r.at < r.end; r.at++) {
        uint32_t sink = *r.at - r.shift, sum = unite_root(s->u, sink & ~FOLD);
        if (sum != home && !(sink & FOLD)) s->has_sources[sum] = true;
    }
}

static void find_targets(struct splice *s)
{
    const struct values_file *file = s->u->file;
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        uint32_t home = unite_root(s->u, file->nets[i].vertex), reader = splice_reader(s, &file->nets[i]);
        note_sources(s, &file->nets[i]);
        if (reader == NOBODY) continue;
        splice_note(&s->target[home], reader);
        s->n_read[home] += file->nets[i].count;
    }
    for (uint64_t i = 0; i < file->header.n_chain_nets; i++)
        s->n_sum[unite_root(s->u, file->chain_nets[i].vertex)] += file->chain_nets[i].count;
    splice_find_keys(s);
}

/* Results, and words of small arrays on the stack or freed: nobody looks at these afterwards. */
static void keep_words(struct splice *s)
{
    const struct values_file *file = s->u->file;
    for (uint64_t i = 1; i < file->header.n_objects; i++) {
        const struct vf_dump_object *o = &file->objects[i];
        if (o->kind == VF_RESULT || (o->kind == VF_FRAME && o->bytes <= MOST_BYTES)) continue;
        for (int size = 0; size < VF_WORD_SIZES; size++) {
            const struct vf_dump_span *words = &o->words[size];
            if (o->kind == VF_HEAP && s->u->is_gone[words->first]) continue;
            for (uint32_t j = 0; j < words->n; j++) s->target[unite_root(s->u, words->first + j)] = SEVERAL;
        }
    }
    for (uint64_t v = 0; v < file->header.n_vertices; v++) {
        bool sums_only = is_one(s->key[v]) ? s->u->is_result[v] || s->n_read[v] <= s->n_sum[v]
                                           : s->key[v] == SEVERAL && s->n_read[v] == s->n_sum[v];
        if (is_one(s->target[v]) && (!sums_only || s->has_sources[v])) s->target[v] = SEVERAL;
    }
}

static bool is_of_kind(const struct splice *s, uint32_t sum, uint32_t op)
{
    uint32_t n = versions_count(&s->versions, sum);
    for (uint32_t i = 0; i < n; i++)
        if (s->u->file->chains[splice_net(s, sum, i)->what].op_and_labels >> 8 != op) return false;
    return true;
}

/* A factor of a term, or a term of a sum of another kind, is needed as it is. */
static void spoil_terms(struct splice *s, uint32_t sum, const struct vf_dump_chain *segment)
{
    const struct values_file *file = s->u->file;
    uint32_t n = segment->op_and_labels & 0xff, op = segment->op_and_labels >> 8;
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t step = segment->streams[j]; step; step = file->step_parents[step]) {
            uint32_t home = unite_root(s->u, file->homes[step]);
            if (s->target[home] != sum) continue;
            if (n != 1 || !is_of_kind(s, home, op)) s->target[home] = SEVERAL;
        }
}

static void spoil(struct splice *s)
{
    const struct values_file *file = s->u->file;
    for (uint64_t i = 0; i < file->header.n_chain_nets; i++) {
        uint32_t sum = unite_root(s->u, file->chain_nets[i].vertex);
        for (uint32_t k = file->chain_nets[i].what; k; k = file->chains[k].before)
            spoil_terms(s, sum, &file->chains[k]);
    }
}

/* Sums that are added to each other in turn: the ring is opened somewhere. */
static void open_rings(struct splice *s, uint32_t *seen)
{
    uint32_t n = (uint32_t)s->u->file->header.n_vertices;
    for (uint32_t start = 1; start < n; start++) {
        uint32_t v = start;
        for (; is_one(s->target[v]) && !seen[v]; v = s->target[v]) seen[v] = start;
        if (is_one(s->target[v]) && seen[v] == start) s->target[v] = SEVERAL;
    }
}

/* What only a sum of sums has read is read by nobody any more. */
static void drop_nets(struct splice *s)
{
    struct values_file *file = s->u->file;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < file->header.n_nets; i++)
        if (!is_one(s->target[unite_root(s->u, file->nets[i].vertex)])) file->nets[kept++] = file->nets[i];
    file->header.n_nets = kept;
}

/* Nets in the place of the file's. */
struct joined {
    struct vf_dump_net *nets;
    size_t n, capacity;
};

static bool add_net(struct joined *joined, uint32_t sum, uint32_t chain, uint32_t count)
{
    if (!chain || !load_room((void **)&joined->nets, joined->n + 1, &joined->capacity, sizeof *joined->nets))
        return false;
    joined->nets[joined->n++] = (struct vf_dump_net){sum, chain, count};
    return true;
}

static bool join_version(struct splice *s, uint32_t sum, const struct vf_dump_net *net, struct joined *joined)
{
    bool fine = true;
    uint32_t n = net->count;
    if (!splice_needs_joining(s, net->what, sum)) return add_net(joined, net->vertex, net->what, n);
    if (!s->is_walk[sum]) return add_net(joined, net->vertex, splice_join(s, net->what, sum), n);
    for (uint32_t left = net->count; left && fine; left -= n) {
        uint32_t chain = splice_walk(s, net->what, sum, left, &n);
        fine = add_net(joined, net->vertex, chain, n);
    }
    return fine;
}

/* The chain nets of sums that stay. */
static bool join_nets(struct splice *s, struct joined *joined)
{
    const struct values_file *file = s->u->file;
    for (uint64_t i = 0; i < file->header.n_vertices; i++) {
        uint32_t sum = (uint32_t)i, n = versions_count(&s->versions, sum);
        for (uint32_t j = 0; j < n && !is_one(s->target[sum]); j++)
            if (!join_version(s, sum, splice_net(s, sum, j), joined)) return false;
    }
    return true;
}

static parcast_status splice(struct splice *s)
{
    struct values_file *file = s->u->file;
    struct joined joined = {0};
    if (!join_nets(s, &joined)) {
        free(joined.nets);
        return PARCAST_MEMORY;
    }
    file->header.n_chain_nets = joined.n;
    free(file->own_chain_nets);
    file->chain_nets = file->own_chain_nets = joined.nets;
    drop_nets(s);
    for (uint32_t v = 1; v < file->header.n_vertices; v++)
        if (s->u->up[v] == v && is_one(s->target[v])) s->u->up[v] = s->target[v];
    file->header.n_chains = s->n_chains;
    file->header.n_steps = s->n_steps;
    free(file->own_chains);
    free(file->own_homes);
    free(file->step_parents);
    file->chains = file->own_chains = s->chains;
    file->step_parents = s->parents;
    file->homes = file->own_homes = s->homes;
    s->chains = NULL;
    s->parents = s->homes = NULL;
    return PARCAST_OK;
}

static bool begin(struct splice *s)
{
    const struct vf_dump_header *h = &s->u->file->header;
    size_t n = (size_t)h->n_vertices + 1;
    s->n_chains = h->n_chains;
    s->n_steps = h->n_steps;
    s->chain_capacity = h->n_chains + 1024;
    s->step_capacity = h->n_steps + 1024;
    s->target = calloc(n, sizeof *s->target);
    s->key = calloc(n, sizeof *s->key);
    s->n_read = calloc(n, sizeof *s->n_read);
    s->n_sum = calloc(n, sizeof *s->n_sum);
    s->is_walk = calloc(n, sizeof *s->is_walk);
    s->is_repeated = calloc(n, sizeof *s->is_repeated);
    s->kind = calloc(n, sizeof *s->kind);
    s->used = calloc(n, sizeof *s->used);
    s->has_sources = calloc(n, sizeof *s->has_sources);
    return s->target && s->key && s->n_read && s->n_sum && s->has_sources && s->is_walk && s->is_repeated &&
           s->kind && s->used;
}

/* Copies of the tables, which may grow. */
static bool copy_tables(struct splice *s)
{
    const struct values_file *file = s->u->file;
    s->chains = malloc(s->chain_capacity * sizeof *s->chains);
    s->parents = malloc(s->step_capacity * sizeof *s->parents);
    s->homes = malloc(s->step_capacity * sizeof *s->homes);
    if (!s->chains || !s->parents || !s->homes) return false;
    memcpy(s->chains, file->chains, s->n_chains * sizeof *s->chains);
    if (s->n_steps) memcpy(s->parents, file->step_parents, s->n_steps * sizeof *s->parents);
    if (s->n_steps) memcpy(s->homes, file->homes, s->n_steps * sizeof *s->homes);
    return true;
}

static bool has_targets(const struct splice *s)
{
    for (uint64_t v = 1; v < s->u->file->header.n_vertices; v++)
        if (is_one(s->target[v])) return true;
    return false;
}

static parcast_status find_and_splice(struct splice *s)
{
    uint32_t *seen = calloc((size_t)s->u->file->header.n_vertices + 1, sizeof *seen);
    if (!seen) return PARCAST_MEMORY;
    if (!splice_join_results(s)) {
        free(seen);
        return PARCAST_MEMORY;
    }
    memset(s->target, 0, ((size_t)s->u->file->header.n_vertices + 1) * sizeof *s->target);
    memset(s->key, 0, ((size_t)s->u->file->header.n_vertices + 1) * sizeof *s->key);
    find_targets(s);
    if (!splice_keep_results(s) || !versions_make(s->u, &s->versions)) {
        free(seen);
        return PARCAST_MEMORY;
    }
    keep_words(s);
    spoil(s);
    open_rings(s, seen);
    free(seen);
    if (!splice_find_walks(s)) return PARCAST_MEMORY;
    if (!has_targets(s)) return PARCAST_OK;
    return copy_tables(s) ? splice(s) : PARCAST_MEMORY;
}

parcast_status unite_sums(struct unite *u)
{
    struct splice s = {.u = u};
    if (!u->file->header.n_chains) return PARCAST_OK;
    parcast_status status = begin(&s) ? find_and_splice(&s) : PARCAST_MEMORY;
    free(s.target);
    free(s.key);
    free(s.n_read);
    free(s.n_sum);
    free(s.is_walk);
    free(s.is_repeated);
    free(s.kind);
    free(s.used);
    free(s.visited);
    free(s.has_sources);
    versions_clear(&s.versions);
    free(s.chains);
    free(s.parents);
    free(s.homes);
    free(s.waiting);
    return status;
}
