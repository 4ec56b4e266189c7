/*
 * A sum that is only added to another one of the same kind, tile by tile say, or halves of halves, is no
 * result of its own: its terms are terms of the other. So are what a few words of a frame add up, the
 * accumulators of a loop that is unrolled by hand.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/unite.h"
#include "valueflow/load/readers.h"
#include "valueflow/runtime/blocks/object_kind.h"

static const uint32_t FOLD = 0x80000000u;
enum { NOBODY = 0, SEVERAL = UINT32_MAX, MOST_BYTES = 1024 };

struct splice {
    struct unite *u;
    uint32_t *target;         /* of a vertex: the sum that it is added to; SEVERAL if it is more than that */
    uint32_t *key;            /* of a vertex: its chain; SEVERAL if it has others */
    uint64_t *n_read, *n_sum; /* of a vertex: versions that are read, versions that are sums */
    struct vf_dump_chain *chains;
    uint64_t n_chains, chain_capacity;
    uint32_t *parents, *homes; /* steps; of the file until there are more */
    uint64_t n_steps, step_capacity;
    uint32_t *waiting; /* chains that are to be joined */
    size_t n_waiting, waiting_capacity;
};

static void note(uint32_t *one, uint32_t vertex)
{
    if (*one != vertex) *one = *one == NOBODY ? vertex : SEVERAL;
}

static bool is_one(uint32_t vertex)
{
    return vertex != NOBODY && vertex != SEVERAL;
}

static bool are_alike_steps(struct splice *s, uint32_t a, uint32_t b)
{
    const struct values_file *file = s->u->file;
    for (; a && b && a != b; a = file->step_parents[a], b = file->step_parents[b])
        if (unite_root(s->u, file->homes[a]) != unite_root(s->u, file->homes[b])) return false;
    return a == b;
}

/* The same terms once what stands for them is united: an input may have been its word at first, and then a
 * value of a workspace. */
static bool are_alike(struct splice *s, uint32_t a, uint32_t b)
{
    const struct vf_dump_chain *chains = s->u->file->chains;
    for (; a && b && a != b; a = chains[a].before, b = chains[b].before) {
        if (chains[a].op_and_labels != chains[b].op_and_labels) return false;
        for (uint32_t j = 0; j < (chains[a].op_and_labels & 0xff); j++)
            if (!are_alike_steps(s, chains[a].streams[j], chains[b].streams[j])) return false;
    }
    return a == b;
}

/* The one sum that a net is read by besides its home; NOBODY or SEVERAL. */
static uint32_t reader_of(struct splice *s, const struct vf_dump_net *net)
{
    const struct values_file *file = s->u->file;
    uint32_t home = unite_root(s->u, net->vertex), reader = NOBODY;
    for (struct readers r = readers_of(file, net); r.at < r.end && reader != SEVERAL; r.at++) {
        uint32_t sink = *r.at - r.shift, sum = unite_root(s->u, sink & ~FOLD);
        if (sum != home) note(&reader, sink & FOLD ? sum : SEVERAL);
    }
    return reader;
}

static void find_keys(struct splice *s)
{
    const struct values_file *file = s->u->file;
    for (uint64_t i = 0; i < file->header.n_chain_nets; i++) {
        uint32_t vertex = unite_root(s->u, file->chain_nets[i].vertex);
        uint32_t *key = &s->key[vertex], chain = file->chain_nets[i].what;
        note(key, is_one(*key) && are_alike(s, *key, chain) ? *key : chain);
    }
}

/* Results of registers are other vertices in every step. Those that have the same terms, of which each
 * version is read by one of them alone, are one; then so are those that read these. False once there are no
 * more. */
static bool join_results(struct splice *s)
{
    const struct values_file *file = s->u->file;
    size_t n = (size_t)file->header.n_vertices + 1;
    bool any = false;
    memset(s->target, 0, n * sizeof *s->target);
    memset(s->key, 0, n * sizeof *s->key);
    find_keys(s);
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        uint32_t reader = reader_of(s, &file->nets[i]);
        uint32_t *first = &s->target[unite_root(s->u, file->nets[i].vertex)];
        if (!is_one(reader) || !s->u->is_result[reader] || !is_one(s->key[reader])) continue;
        if (*first == NOBODY) *first = reader;
        uint32_t other = unite_root(s->u, *first);
        if (other == reader || !are_alike(s, s->key[other], s->key[reader])) continue;
        s->u->up[reader] = other;
        any = true;
    }
    return any;
}

static void find_targets(struct splice *s)
{
    const struct values_file *file = s->u->file;
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        uint32_t home = unite_root(s->u, file->nets[i].vertex), reader = reader_of(s, &file->nets[i]);
        if (reader == NOBODY) continue;
        note(&s->target[home], reader);
        s->n_read[home] += file->nets[i].count;
    }
    for (uint64_t i = 0; i < file->header.n_chain_nets; i++)
        s->n_sum[unite_root(s->u, file->chain_nets[i].vertex)] += file->chain_nets[i].count;
    find_keys(s);
}

/* Results, and words of small arrays on the stack or freed: nobody looks at these afterwards. */
static void keep_words(struct splice *s)
{
    const struct values_file *file = s->u->file;
    for (uint64_t i = 1; i < file->header.n_objects; i++) {
        const struct vf_dump_object *o = &file->objects[i];
        if (o->kind == VF_RESULT || (o->kind == VF_FRAME && o->bytes <= MOST_BYTES)) continue;
        if (o->kind == VF_HEAP && s->u->is_gone[o->n8 ? o->first8 : o->first4]) continue;
        for (uint32_t j = 0; j < o->n8; j++) s->target[unite_root(s->u, o->first8 + j)] = SEVERAL;
        for (uint32_t j = 0; j < o->n4; j++) s->target[unite_root(s->u, o->first4 + j)] = SEVERAL;
    }
    for (uint64_t v = 0; v < file->header.n_vertices; v++) {
        bool sums_only = is_one(s->key[v]) && (s->u->is_result[v] || s->n_read[v] <= s->n_sum[v]);
        if (is_one(s->target[v]) && !sums_only) s->target[v] = SEVERAL;
    }
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
            if (n != 1 || file->chains[s->key[home]].op_and_labels >> 8 != op) s->target[home] = SEVERAL;
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

static bool append(struct splice *s, struct vf_dump_chain chain, uint32_t *last)
{
    if (s->n_chains == s->chain_capacity) {
        struct vf_dump_chain *more = realloc(s->chains, 2 * s->chain_capacity * sizeof *more);
        if (!more) return false;
        s->chains = more;
        s->chain_capacity *= 2;
    }
    if (s->n_chains > UINT32_MAX / 2) return false;
    chain.before = *last;
    *last = (uint32_t)s->n_chains;
    s->chains[s->n_chains++] = chain;
    return true;
}

/* Twice the room; the old is kept where there is no more. */
static bool grow(uint32_t **array, uint64_t capacity)
{
    uint32_t *more = realloc(*array, 2 * capacity * sizeof *more);
    if (more) *array = more;
    return more != NULL;
}

static bool append_step(struct splice *s, uint32_t home, uint32_t *last)
{
    if (s->n_steps == s->step_capacity) {
        if (!grow(&s->parents, s->step_capacity) || !grow(&s->homes, s->step_capacity)) return false;
        s->step_capacity *= 2;
    }
    if (s->n_steps > UINT32_MAX / 2) return false;
    s->parents[s->n_steps] = *last;
    s->homes[s->n_steps] = home;
    *last = (uint32_t)s->n_steps++;
    return true;
}

static bool wait(struct splice *s, uint32_t chain)
{
    if (s->n_waiting == s->waiting_capacity) {
        size_t wanted = s->waiting_capacity ? 2 * s->waiting_capacity : 256;
        uint32_t *more = realloc(s->waiting, wanted * sizeof *more);
        if (!more) return false;
        s->waiting = more;
        s->waiting_capacity = wanted;
    }
    s->waiting[s->n_waiting++] = chain;
    return true;
}

static bool has_tiles(struct splice *s, const struct vf_dump_chain *segment, uint32_t sum)
{
    if ((segment->op_and_labels & 0xff) != 1) return false;
    for (uint32_t step = segment->streams[0]; step; step = s->parents[step])
        if (s->target[unite_root(s->u, s->homes[step])] == sum) return true;
    return false;
}

/* The terms that are no tiles stay, the chains of the tiles wait. */
static bool divide(struct splice *s, struct vf_dump_chain segment, uint32_t sum, uint32_t *last)
{
    uint32_t rest = 0;
    for (uint32_t step = segment.streams[0]; step; step = s->parents[step]) {
        uint32_t home = unite_root(s->u, s->homes[step]);
        bool fine = s->target[home] == sum ? wait(s, home) : append_step(s, home, &rest);
        if (!fine) return false;
    }
    segment.streams[0] = rest;
    return !rest || append(s, segment, last);
}

static bool join_chain(struct splice *s, uint32_t chain, uint32_t sum, uint32_t *last)
{
    for (uint32_t k = chain; k; k = s->chains[k].before) {
        bool fine = has_tiles(s, &s->chains[k], sum) ? divide(s, s->chains[k], sum, last)
                                                     : append(s, s->chains[k], last);
        if (!fine) return false;
    }
    return true;
}

/* The segments of a sum and of all tiles below it, one after another; the last one's number, or 0. */
static uint32_t joined(struct splice *s, uint32_t chain, uint32_t sum)
{
    uint32_t last = 0;
    s->n_waiting = 0;
    if (!join_chain(s, chain, sum, &last)) return 0;
    while (s->n_waiting) {
        uint32_t tile = s->waiting[--s->n_waiting];
        if (!join_chain(s, s->key[tile], tile, &last)) return 0;
    }
    return last;
}

static bool needs_joining(struct splice *s, uint32_t chain, uint32_t sum)
{
    for (uint32_t k = chain; k;
         k = s->chains[k].before) // NOLINT(clang-analyzer-unix.Malloc): unite_sums frees
        if (has_tiles(s, &s->chains[k], sum)) return true;
    return false;
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

static parcast_status splice(struct splice *s)
{
    struct values_file *file = s->u->file;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < file->header.n_chain_nets; i++) {
        struct vf_dump_net *net = &file->chain_nets[i];
        uint32_t sum = unite_root(s->u, net->vertex);
        if (is_one(s->target[sum])) continue;
        if (needs_joining(s, net->what, sum)) {
            net->what = joined(s, net->what, sum);
            if (!net->what) return PARCAST_MEMORY;
        }
        file->chain_nets[kept++] = *net;
    }
    file->header.n_chain_nets = kept;
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
    return s->target && s->key && s->n_read && s->n_sum;
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
    while (join_results(s)) {
    }
    memset(s->target, 0, ((size_t)s->u->file->header.n_vertices + 1) * sizeof *s->target);
    memset(s->key, 0, ((size_t)s->u->file->header.n_vertices + 1) * sizeof *s->key);
    find_targets(s);
    keep_words(s);
    spoil(s);
    open_rings(s, seen);
    free(seen);
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
    free(s.chains);
    free(s.parents);
    free(s.homes);
    free(s.waiting);
    return status;
}
