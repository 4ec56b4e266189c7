/*
 * A result whose readers all read what it is computed from, too, costs nothing: each of them computes it. The
 * flux through a face, say, that the cells on both sides of it make of their values.
 */
#include <stdlib.h>

#include "valueflow/graph/unite.h"
#include "valueflow/load/readers.h"

static const uint32_t FOLD = 0x80000000u;
enum { MOST_READERS = 64 };

struct reader {
    uint32_t vertex, next;
};

struct anyway {
    struct unite *u;
    uint32_t *root, *first; /* of a vertex; of a result: its list of readers */
    uint8_t *n;             /* how many; MOST_READERS + 1 where they will not do */
    uint32_t *mark;         /* of a vertex: the last net that has it */
    bool *goes;             /* the result is with its readers */
    struct reader *readers;
    uint32_t n_readers, capacity;
};

static bool is_open(const struct anyway *a, uint32_t v)
{
    return a->n[v] && a->n[v] <= MOST_READERS;
}

static bool has_reader(const struct anyway *a, uint32_t result, uint32_t vertex)
{
    for (uint32_t i = a->first[result]; i; i = a->readers[i].next)
        if (a->readers[i].vertex == vertex) return true;
    return false;
}

static parcast_status add_reader(struct anyway *a, uint32_t result, uint32_t vertex)
{
    if (a->n_readers == a->capacity) {
        uint32_t capacity = 2 * a->capacity;
        struct reader *more = realloc(a->readers, capacity * sizeof *more);
        if (!more) return PARCAST_MEMORY;
        a->readers = more;
        a->capacity = capacity;
    }
    a->readers[a->n_readers] = (struct reader){vertex, a->first[result]};
    a->first[result] = a->n_readers++;
    a->n[result]++;
    return PARCAST_OK;
}

/* Who adds a result up need not have it: part of the sum may be computed elsewhere. */
static parcast_status find_readers(struct anyway *a, const struct vf_dump_net *net)
{
    const struct values_file *file = a->u->file;
    uint32_t home = a->root[net->vertex];
    parcast_status status = PARCAST_OK;
    if (!a->u->is_result[home]) return status;
    for (struct readers r = readers_of(file, net); r.at < r.end && !status && a->n[home] <= MOST_READERS;
         r.at++) {
        uint32_t sink = *r.at - r.shift, reader = a->root[sink & ~FOLD];
        if (reader == home || has_reader(a, home, reader)) continue;
        if (values_file_adds(file, sink))
            a->n[home] = MOST_READERS + 1;
        else
            status = add_reader(a, home, reader);
    }
    return status;
}

static bool have_all(const struct anyway *a, uint32_t result, uint32_t net)
{
    for (uint32_t i = a->first[result]; i; i = a->readers[i].next)
        if (a->mark[a->readers[i].vertex] != net) return false;
    return true;
}

/* Do the readers of all results that read this value have it, too? */
static void look_at_net(struct anyway *a, uint32_t number)
{
    const struct values_file *file = a->u->file;
    const struct vf_dump_net *net = &file->nets[number];
    uint32_t home = a->root[net->vertex];
    bool any = false;
    a->mark[home] = number + 1;
    for (struct readers r = readers_of(file, net); r.at < r.end; r.at++) {
        uint32_t sink = *r.at - r.shift, reader = a->root[sink & ~FOLD];
        if (!values_file_adds(file, sink)) a->mark[reader] = number + 1;
        any = any || is_open(a, reader);
    }
    for (struct readers r = readers_of(file, net); any && r.at < r.end; r.at++) {
        uint32_t reader = a->root[(*r.at - r.shift) & ~FOLD];
        if (is_open(a, reader) && reader != home && !have_all(a, reader, number + 1))
            a->n[reader] = MOST_READERS + 1;
    }
}

/* Its readers may have gone to it before, where results read each other from step to step. */
static bool let_go(struct anyway *a, uint32_t v)
{
    for (uint32_t i = a->first[v]; i; i = a->readers[i].next) {
        uint32_t to = unite_root(a->u, a->readers[i].vertex);
        if (to == v) continue;
        a->u->up[v] = to;
        return true;
    }
    return false;
}

static uint64_t keep_nets(const struct anyway *a, struct vf_dump_net *nets, uint64_t n)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < n; i++)
        if (!a->goes[a->root[nets[i].vertex]]) nets[kept++] = nets[i];
    return kept;
}

/* Nobody is sent them, and their terms are read by whom they have gone to, who cannot leave them to others.
 */
static parcast_status forget(const struct anyway *a)
{
    struct values_file *file = a->u->file;
    struct vf_dump_header *h = &file->header;
    h->n_nets = keep_nets(a, file->nets, h->n_nets);
    h->n_chain_nets = keep_nets(a, file->chain_nets, h->n_chain_nets);
    if (!file->is_no_sum) file->is_no_sum = calloc(h->n_vertices, sizeof *file->is_no_sum);
    if (!file->is_no_sum) return PARCAST_MEMORY;
    for (uint32_t v = 0; v < h->n_vertices; v++)
        if (a->goes[a->root[v]]) file->is_no_sum[v] = true;
    return PARCAST_OK;
}

static parcast_status let_all_go(struct anyway *a, bool *any)
{
    const struct vf_dump_header *h = &a->u->file->header;
    parcast_status status = PARCAST_OK;
    for (uint32_t v = 0; v < h->n_vertices; v++) a->root[v] = unite_root(a->u, v);
    for (uint64_t i = 0; i < h->n_nets && !status; i++) status = find_readers(a, &a->u->file->nets[i]);
    if (status || a->n_readers == 1) return status;
    for (uint64_t i = 0; i < h->n_nets; i++) look_at_net(a, (uint32_t)i);
    for (uint32_t v = 1; v < h->n_vertices; v++)
        if (a->root[v] == v && is_open(a, v)) a->goes[v] = let_go(a, v), *any = *any || a->goes[v];
    return *any ? forget(a) : PARCAST_OK;
}

parcast_status unite_anyway(struct unite *u, bool *any)
{
    size_t n = (size_t)u->file->header.n_vertices + 1;
    struct anyway a = {.u = u, .n_readers = 1, .capacity = 1024};
    a.root = malloc(n * sizeof *a.root);
    a.first = calloc(n, sizeof *a.first);
    a.n = calloc(n, sizeof *a.n);
    a.mark = calloc(n, sizeof *a.mark);
    a.goes = calloc(n, sizeof *a.goes);
    a.readers = calloc(a.capacity, sizeof *a.readers);
    *any = false;
    parcast_status status = PARCAST_MEMORY;
    if (a.root && a.first && a.n && a.mark && a.goes && a.readers) status = let_all_go(&a, any);
    free(a.root);
    free(a.first);
    free(a.n);
    free(a.mark);
    free(a.goes);
    free(a.readers);
    return status;
}
