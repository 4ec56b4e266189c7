/*
 * A line of sums beside each point, in a workspace of 27-point sweeps say, is two words for each point in
 * space that comes of one: a part would rather have the points and make these sums again. What workspaces and
 * registers hold, comes of more words than go through while the program runs, and goes to several readers is
 * an instance that lies somewhere; where all that hangs together is more versions than what it comes of, it
 * goes through as this. Sums of terms, and terms, are no such values: they may be added up where they lie.
 */
#include <stdlib.h>

#include "valueflow/graph/through.h"
#include "valueflow/load/readers.h"

static const uint32_t FOLD = 0x80000000u;
enum { NO = THROUGH_WIDE + 1 };

struct through_wide {
    uint8_t *n_sources; /* of a vertex: words that it reads; NO where it will not do */
    uint32_t *reader;   /* of a vertex: its only reader, or SEVERAL */
    uint32_t *source;   /* of a vertex: the last of these words that was counted */
    uint32_t n_vertices;
    uint64_t n;
};
static const uint32_t SEVERAL = UINT32_MAX;

static bool is_result(struct unite *u, uint32_t vertex)
{
    return u->is_result[unite_root(u, vertex)];
}

/* What goes on from one result to the next, as along a line that is solved, stays. */
static void look_at_net(struct unite *u, struct through_wide *w, const struct vf_dump_net *net)
{
    uint32_t home = net->vertex, *only = &w->reader[home];
    bool is_free = is_result(u, home);
    for (struct readers r = readers_of(u->file, net); r.at < r.end; r.at++) {
        uint32_t sink = *r.at - r.shift, reader = sink & ~FOLD;
        if (reader == home) continue;
        if (*only != reader) *only = *only ? SEVERAL : reader;
        if (sink & FOLD || (is_free && is_result(u, reader)))
            w->n_sources[home] = w->n_sources[reader] = NO;
        else if (w->n_sources[reader] < NO && w->source[reader] != home)
            w->n_sources[reader]++;
        w->source[reader] = home;
    }
}

static bool is_wide(const struct unite *u, const struct through_wide *w, uint32_t v)
{
    return u->is_result[v] && u->up[v] == v && w->n_sources[v] > VF_FEW && w->n_sources[v] < NO &&
           w->reader[v] == SEVERAL;
}

struct through_wide *through_find_wide(struct unite *u)
{
    const struct values_file *file = u->file;
    struct through_wide *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->n_vertices = (uint32_t)file->header.n_vertices;
    w->n_sources = calloc((size_t)w->n_vertices + 1, sizeof *w->n_sources);
    w->reader = calloc((size_t)w->n_vertices + 1, sizeof *w->reader);
    w->source = calloc((size_t)w->n_vertices + 1, sizeof *w->source);
    if (!w->n_sources || !w->reader || !w->source) {
        through_forget_wide(w);
        return NULL;
    }
    for (uint64_t i = 0; i < file->header.n_nets; i++) look_at_net(u, w, &file->nets[i]);
    for (uint64_t i = 0; i < file->header.n_chain_nets; i++) w->n_sources[file->chain_nets[i].vertex] = NO;
    for (uint32_t v = 1; v < w->n_vertices; v++) w->n += is_wide(u, w, v);
    return w;
}

void through_forget_wide(struct through_wide *wide)
{
    if (!wide) return;
    free(wide->n_sources);
    free(wide->reader);
    free(wide->source);
    free(wide);
}

uint64_t through_count_wide(const struct through_wide *wide)
{
    return wide->n;
}

void through_add_wide(struct through *t, const struct through_wide *wide)
{
    for (uint32_t v = 1; v < wide->n_vertices; v++)
        if (is_wide(t->u, wide, v)) through_add(t, v, THROUGH_WIDE);
}
