/* The chain of a sum with the terms of the sums that are added to it in their place. */
#include "valueflow/graph/splice.h"
#include "valueflow/load/room.h"

static bool append(struct splice *s, struct vf_dump_chain chain, uint32_t *last)
{
    if (s->n_chains > UINT32_MAX / 2 ||
        !load_room((void **)&s->chains, s->n_chains + 1, &s->chain_capacity, sizeof *s->chains))
        return false;
    chain.before = *last;
    *last = (uint32_t)s->n_chains;
    s->chains[s->n_chains++] = chain;
    return true;
}

static bool append_step(struct splice *s, uint32_t home, uint32_t *last)
{
    size_t n = s->n_steps + 1, both = s->step_capacity;
    if (s->n_steps > UINT32_MAX / 2 || !load_room((void **)&s->parents, n, &both, sizeof *s->parents) ||
        !load_room((void **)&s->homes, n, &s->step_capacity, sizeof *s->homes))
        return false;
    s->parents[s->n_steps] = *last;
    s->homes[s->n_steps] = home;
    *last = (uint32_t)s->n_steps++;
    return true;
}

static bool wait(struct splice *s, uint32_t chain)
{
    if (!load_room((void **)&s->waiting, s->n_waiting + 1, &s->waiting_capacity, sizeof *s->waiting))
        return false;
    s->waiting[s->n_waiting++] = chain;
    return true;
}

static bool has_tiles(const struct splice *s, const struct vf_dump_chain *segment, uint32_t sum)
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

static bool find_chain(struct splice *s, uint32_t tile, uint32_t *chain)
{
    *chain = s->key[tile];
    return is_one(s->key[tile]) || splice_visit(s, tile, chain);
}

uint32_t splice_join(struct splice *s, uint32_t chain, uint32_t sum)
{
    uint32_t last = 0;
    s->n_waiting = 0;
    if (!join_chain(s, chain, sum, &last)) return 0;
    while (s->n_waiting) {
        uint32_t tile = s->waiting[--s->n_waiting];
        if (!find_chain(s, tile, &chain) || !join_chain(s, chain, tile, &last)) return 0;
    }
    return last;
}

bool splice_needs_joining(const struct splice *s, uint32_t chain, uint32_t sum)
{
    for (uint32_t k = chain; k;
         k = s->chains[k].before) // NOLINT(clang-analyzer-unix.Malloc): unite_sums frees
        if (has_tiles(s, &s->chains[k], sum)) return true;
    return false;
}
