/*
 * Results of registers are other vertices in every step. Those that have the same terms, of which each
 * version is read by one of them alone, are one; then so are those that read these: of what goes on from step
 * to step, a checksum, say, each result waits for the one before it. So the nets of what has been joined are
 * looked at at once. What else a union changes, terms that are alike by now or two readers that are one, is
 * seen in the next round over all nets.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/splice.h"
#include "valueflow/load/readers.h"

static const uint32_t FOLD = 0x80000000u;

/* Nets by the root of their home, one behind the other. */
struct nets {
    uint64_t *next;         /* [n_nets] net + 1; 0: the last one */
    uint64_t *first, *last; /* [n_vertices], likewise */
    uint64_t *waiting;      /* [n_vertices] first nets of what has been joined, up to its last one */
    uint64_t *until;        /* [n_vertices] */
    size_t n_waiting;
};

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

uint32_t splice_reader(struct splice *s, const struct vf_dump_net *net)
{
    const struct values_file *file = s->u->file;
    uint32_t home = unite_root(s->u, net->vertex), reader = NOBODY;
    for (struct readers r = readers_of(file, net); r.at < r.end && reader != SEVERAL; r.at++) {
        uint32_t sink = *r.at - r.shift, sum = unite_root(s->u, sink & ~FOLD);
        if (sum != home) splice_note(&reader, sink & FOLD ? sum : SEVERAL);
    }
    return reader;
}

void splice_find_keys(struct splice *s)
{
    const struct values_file *file = s->u->file;
    for (uint64_t i = 0; i < file->header.n_chain_nets; i++) {
        uint32_t vertex = unite_root(s->u, file->chain_nets[i].vertex);
        uint32_t *key = &s->key[vertex], chain = file->chain_nets[i].what;
        splice_note(key, is_one(*key) && are_alike(s, *key, chain) ? *key : chain);
    }
}

static void append(struct nets *nets, uint32_t to, uint64_t first, uint64_t last)
{
    if (!first) return;
    if (nets->last[to])
        nets->next[nets->last[to] - 1] = first;
    else
        nets->first[to] = first;
    nets->last[to] = last;
}

/* The nets of `v` go to those of `to`, and wait. A vertex is joined once: there is room. */
static void join(struct splice *s, struct nets *nets, uint32_t v, uint32_t to)
{
    if (nets->first[v]) {
        nets->waiting[nets->n_waiting] = nets->first[v];
        nets->until[nets->n_waiting++] = nets->last[v];
    }
    append(nets, to, nets->first[v], nets->last[v]);
    s->u->up[v] = to;
}

/* Joins what reads the net with what another net of its home is read by; false if it does not. */
static bool look_at(struct splice *s, struct nets *nets, const struct vf_dump_net *net)
{
    uint32_t reader = splice_reader(s, net), *first = &s->target[unite_root(s->u, net->vertex)];
    if (!is_one(reader) || !s->u->is_result[reader] || !is_one(s->key[reader])) return false;
    if (*first == NOBODY) *first = reader;
    uint32_t other = unite_root(s->u, *first);
    if (other == reader || !are_alike(s, s->key[other], s->key[reader])) return false;
    join(s, nets, reader, other);
    return true;
}

static void look_at_waiting(struct splice *s, struct nets *nets)
{
    while (nets->n_waiting) {
        uint64_t at = nets->waiting[--nets->n_waiting], until = nets->until[nets->n_waiting];
        for (bool more = true; more; at = nets->next[at - 1]) {
            more = at != until;
            look_at(s, nets, &s->u->file->nets[at - 1]);
        }
    }
}

static bool round_once(struct splice *s, struct nets *nets)
{
    const struct values_file *file = s->u->file;
    size_t n = (size_t)file->header.n_vertices + 1;
    bool any = false;
    memset(s->target, 0, n * sizeof *s->target);
    memset(s->key, 0, n * sizeof *s->key);
    splice_find_keys(s);
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        if (!look_at(s, nets, &file->nets[i])) continue;
        any = true;
        look_at_waiting(s, nets);
    }
    return any;
}

static bool nets_make(struct splice *s, struct nets *nets)
{
    const struct values_file *file = s->u->file;
    size_t n = (size_t)file->header.n_vertices + 1;
    nets->next = calloc(file->header.n_nets + 1, sizeof *nets->next);
    nets->first = calloc(n, sizeof *nets->first);
    nets->last = calloc(n, sizeof *nets->last);
    nets->waiting = malloc(n * sizeof *nets->waiting);
    nets->until = malloc(n * sizeof *nets->until);
    if (!nets->next || !nets->first || !nets->last || !nets->waiting || !nets->until) return false;
    for (uint64_t i = 0; i < file->header.n_nets; i++)
        append(nets, unite_root(s->u, file->nets[i].vertex), i + 1, i + 1);
    return true;
}

bool splice_join_results(struct splice *s)
{
    struct nets nets = {.n_waiting = 0};
    bool fine = nets_make(s, &nets);
    while (fine && round_once(s, &nets)) {
    }
    free(nets.next);
    free(nets.first);
    free(nets.last);
    free(nets.waiting);
    free(nets.until);
    return fine;
}
