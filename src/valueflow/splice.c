/*
 * A sum that is only added to another one of the same kind, tile by tile say, is no result of its own: its
 * terms are terms of the other. Only where all terms of a chain are such sums, so that chains stay lists of
 * whole segments.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/unite.h"

static const uint32_t FOLD = 0x80000000u;
enum { NOBODY = 0, SEVERAL = UINT32_MAX };

struct splice {
    struct unite *u;
    uint32_t *target; /* of a vertex: the sum that it is added to; SEVERAL if it is more than that */
    uint32_t *key;    /* of a vertex: its chain; SEVERAL if it has others */
    struct vf_dump_chain *chains;
    uint64_t n_chains, capacity;
};

static void note(uint32_t *one, uint32_t vertex)
{
    if (*one != vertex) *one = *one == NOBODY ? vertex : SEVERAL;
}

static void find_targets(struct splice *s)
{
    const struct values_file *file = s->u->file;
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        uint32_t home = unite_root(s->u, file->nets[i].vertex);
        for (uint32_t state = file->nets[i].what; s->u->is_result[home] && state;
             state = file->parents[state])
            note(&s->target[home],
                 file->sinks[state] & FOLD ? unite_root(s->u, file->sinks[state] & ~FOLD) : SEVERAL);
    }
    for (uint64_t i = 0; i < file->header.n_chain_nets; i++)
        note(&s->key[unite_root(s->u, file->chain_nets[i].vertex)], file->chain_nets[i].what);
}

static bool is_tile(const struct splice *s, uint32_t vertex, uint32_t sum, uint32_t op)
{
    uint32_t key = s->key[vertex];
    return s->u->is_result[vertex] && s->target[vertex] == sum && key != NOBODY && key != SEVERAL &&
           s->u->file->chains[key].op_and_labels >> 8 == op && vertex != sum;
}

static bool all_tiles(struct splice *s, uint32_t sum, uint32_t chain)
{
    const struct values_file *file = s->u->file;
    uint32_t op = file->chains[chain].op_and_labels >> 8;
    for (uint32_t k = chain; k; k = file->chains[k].before) {
        if ((file->chains[k].op_and_labels & 0xff) != 1) return false;
        for (uint32_t step = file->chains[k].streams[0]; step; step = file->step_parents[step])
            if (!is_tile(s, unite_root(s->u, file->homes[step]), sum, op)) return false;
    }
    return true;
}

static bool spoil_homes(struct splice *s, uint32_t stream, uint32_t sum)
{
    const struct values_file *file = s->u->file;
    bool any = false;
    for (uint32_t step = stream; step; step = file->step_parents[step]) {
        uint32_t home = unite_root(s->u, file->homes[step]);
        any = any || s->target[home] == sum;
        if (s->target[home] == sum) s->target[home] = SEVERAL;
    }
    return any;
}

/* One chain that is not made of tiles alone spoils its terms for the others, the factors of products too. */
static bool spoil(struct splice *s)
{
    const struct values_file *file = s->u->file;
    bool any = false;
    for (uint64_t i = 0; i < file->header.n_chain_nets; i++) {
        uint32_t sum = unite_root(s->u, file->chain_nets[i].vertex), chain = file->chain_nets[i].what;
        if (all_tiles(s, sum, chain)) continue;
        for (uint32_t k = chain; k; k = file->chains[k].before)
            for (uint32_t j = 0; j < (file->chains[k].op_and_labels & 0xff); j++)
                any = spoil_homes(s, file->chains[k].streams[j], sum) || any;
    }
    return any;
}

static bool append(struct splice *s, struct vf_dump_chain chain)
{
    if (s->n_chains == s->capacity) {
        struct vf_dump_chain *more = realloc(s->chains, 2 * s->capacity * sizeof *more);
        if (!more || s->n_chains > UINT32_MAX / 2) {
            if (more) s->chains = more;
            return false;
        }
        s->chains = more;
        s->capacity *= 2;
    }
    s->chains[s->n_chains++] = chain;
    return true;
}

/* The segments of all tiles one after another; the last one's number, or 0. */
static uint32_t joined(struct splice *s, uint32_t chain)
{
    const struct values_file *file = s->u->file;
    uint32_t last = 0;
    for (uint32_t k = chain; k; k = file->chains[k].before)
        for (uint32_t step = file->chains[k].streams[0]; step; step = file->step_parents[step]) {
            uint32_t tile = unite_root(s->u, file->homes[step]);
            for (uint32_t t = s->key[tile]; t; t = file->chains[t].before) {
                struct vf_dump_chain segment = file->chains[t];
                segment.before = last;
                if (!append(s, segment)) return 0;
                last = (uint32_t)s->n_chains - 1;
            }
        }
    return last;
}

static parcast_status splice(struct splice *s)
{
    struct values_file *file = s->u->file;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < file->header.n_chain_nets; i++) {
        struct vf_dump_net *net = &file->chain_nets[i];
        uint32_t sum = unite_root(s->u, net->vertex);
        if (s->target[sum] != NOBODY && s->target[sum] != SEVERAL && s->u->is_result[sum]) continue;
        if (all_tiles(s, sum, net->what)) {
            net->what = joined(s, net->what);
            if (!net->what) return PARCAST_MEMORY;
        }
        file->chain_nets[kept++] = *net;
    }
    file->header.n_chain_nets = kept;
    for (uint32_t v = 1; v < file->header.n_vertices; v++)
        if (s->u->is_result[v] && s->u->up[v] == v && s->target[v] != NOBODY && s->target[v] != SEVERAL)
            s->u->up[v] = s->target[v];
    file->header.n_chains = s->n_chains;
    file->chains = file->own_chains = s->chains;
    s->chains = NULL;
    return PARCAST_OK;
}

/* A tile of tiles is left to itself: its sum is a term like any other. */
static void keep_one_level(struct splice *s)
{
    uint64_t n = s->u->file->header.n_vertices;
    for (uint64_t v = 0; v < n; v++) {
        uint32_t to = s->target[v];
        if (to == NOBODY || to == SEVERAL) continue;
        if (!s->u->is_result[v] || s->key[v] == NOBODY || s->key[v] == SEVERAL ||
            (s->u->is_result[to] && s->target[to] != NOBODY))
            s->target[v] = SEVERAL;
    }
}

parcast_status unite_sums(struct unite *u)
{
    const struct vf_dump_header *h = &u->file->header;
    struct splice s = {.u = u, .n_chains = h->n_chains, .capacity = h->n_chains + 1024};
    s.target = calloc((size_t)h->n_vertices + 1, sizeof *s.target);
    s.key = calloc((size_t)h->n_vertices + 1, sizeof *s.key);
    s.chains = malloc(s.capacity * sizeof *s.chains);
    parcast_status status = s.target && s.key && s.chains ? PARCAST_OK : PARCAST_MEMORY;
    if (!status && h->n_chains) {
        memcpy(s.chains, u->file->chains, h->n_chains * sizeof *s.chains);
        find_targets(&s);
        keep_one_level(&s);
        while (spoil(&s)) {
        }
        status = splice(&s);
    }
    free(s.target);
    free(s.key);
    free(s.chains);
    return status;
}
