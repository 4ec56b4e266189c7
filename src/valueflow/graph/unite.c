/*
 * What a program computes in workspaces and registers has no place of its own. Most of it has only one that
 * makes sense, and is united with that before anything is counted:
 *
 *   one reader       the reader computes it, as if it had never been stored
 *   one source       of several values: its readers would rather have one word than these
 *   nothing new      its readers read all that it is computed from (recomputed.c)
 *
 * until nothing changes any more. What is left is free. What comes of constants alone, as the coefficients of
 * a line do, every reader has for itself.
 */
#include "valueflow/graph/unite.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/two_uses.h"
#include "valueflow/load/readers.h"
#include "valueflow/runtime/blocks/object_kind.h"

enum { NOBODY = 0, SEVERAL = UINT32_MAX, MOST_ROUNDS = 16, MOST_GROUNDED = 64 };
static const uint32_t FOLD = 0x80000000u, RESULT = 0x80000000u; /* vertices have 31 bits */

uint32_t unite_root(struct unite *u, uint32_t v)
{
    for (; u->up[v] != v; v = u->up[v]) u->up[v] = u->up[u->up[v]];
    return v;
}

/* What is known of a result: who reads it, what it is computed from. */
struct known {
    uint32_t reader, source;
};

static void note(uint32_t *one, uint32_t vertex)
{
    if (*one != vertex) *one = *one == NOBODY ? vertex : SEVERAL;
}

/* Where each vertex is by now, in one number, since every pin of every net asks: its root, and whether that
 * is a result. */
static void find_places(struct unite *u)
{
    for (uint32_t v = 0; v < u->file->header.n_vertices; v++) {
        uint32_t root = unite_root(u, v);
        u->place[v] = root | (u->is_result[root] ? RESULT : 0);
    }
}

/* A reader that adds up is no place: a part of its sum may be computed anywhere. */
static void look_at_net(const struct unite *u, const struct vf_dump_net *net, struct known *known)
{
    uint32_t home = u->place[net->vertex];
    for (struct readers r = readers_of(u->file, net); r.at < r.end; r.at++) {
        uint32_t sink = *r.at - r.shift, reader = u->place[sink & ~FOLD];
        if (reader == home) continue;
        if (home & RESULT)
            note(&known[home & ~RESULT].reader, values_file_adds(u->file, sink) ? SEVERAL : reader & ~RESULT);
        if (!(reader & RESULT)) continue;
        note(&known[reader & ~RESULT].source, home & RESULT ? home & ~RESULT : SEVERAL);
    }
}

static void look(struct unite *u, struct known *known)
{
    memset(known, 0, u->file->header.n_vertices * sizeof *known);
    find_places(u);
    for (uint64_t i = 0; i < u->file->header.n_nets; i++) look_at_net(u, &u->file->nets[i], known);
}

static bool join(struct unite *u, uint32_t v, uint32_t to)
{
    to = unite_root(u, to);
    v = unite_root(u, v);
    if (to == v || !u->is_result[v]) return false;
    u->up[v] = to;
    return true;
}

static bool join_readers(struct unite *u, const struct known *known)
{
    bool any = false;
    for (uint32_t v = 1; v < u->file->header.n_vertices; v++)
        if (u->up[v] == v && u->is_result[v] && known[v].reader != NOBODY && known[v].reader != SEVERAL)
            any = join(u, v, known[v].reader) || any;
    return any;
}

static bool join_sources(struct unite *u, const struct known *known)
{
    bool any = false;
    for (uint32_t v = 1; v < u->file->header.n_vertices; v++)
        if (u->up[v] == v && u->is_result[v] && known[v].source != NOBODY && known[v].source != SEVERAL)
            any = join(u, v, known[v].source) || any;
    return any;
}

/* `known` is of the end. */
static parcast_status join_all(struct unite *u, struct known *known)
{
    parcast_status status = PARCAST_OK;
    bool any = true;
    for (int round = 0; round < MOST_ROUNDS && any && !status; round++) {
        bool read = true, gone;
        any = false;
        for (int i = 0; i < MOST_ROUNDS && read; i++) {
            look(u, known);
            read = join_readers(u, known);
            any = any || read;
        }
        status = unite_anyway(u, &gone);
        any = gone || join_sources(u, known) || any;
    }
    if (any) look(u, known);
    return status;
}

/* What nobody reads of a workspace on the stack, like what pads a tile, has not to be computed evenly. It
 * keeps its readers' cost: a function outside might have read it. */
static bool is_unread(struct unite *u, const struct known *known, uint32_t v)
{
    uint32_t root = unite_root(u, v);
    return u->is_of_frame[root] && known[root].reader == NOBODY;
}

static void drop_unread_work(struct unite *u, const struct known *known)
{
    const struct vf_dump_header *h = &u->file->header;
    double all = 0, unread = 0;
    for (uint64_t i = 0; i < h->n_work; i++) {
        all += u->file->work[i].work;
        if (is_unread(u, known, u->file->work[i].vertex)) unread += u->file->work[i].work;
    }
    if (2 * unread > all) return; /* then that is what the program is about */
    for (uint64_t i = 0; i < h->n_work; i++)
        if (is_unread(u, known, u->file->work[i].vertex)) u->file->work[i].work = 0;
}

/* ---- what comes of constants alone ---- */

/* Marks what comes of something: `grounded` by vertex, of roots. True where that has changed. */
static bool ground_readers(struct unite *u, bool *grounded)
{
    bool any = false;
    for (uint64_t i = 0; i < u->file->header.n_nets; i++) {
        const struct vf_dump_net *net = &u->file->nets[i];
        uint32_t home = unite_root(u, net->vertex);
        if (u->is_result[home] && !grounded[home]) continue;
        for (struct readers r = readers_of(u->file, net); r.at < r.end; r.at++) {
            uint32_t reader = unite_root(u, (*r.at - r.shift) & ~FOLD);
            any = any || (u->is_result[reader] && !grounded[reader]);
            grounded[reader] = true;
        }
    }
    return any;
}

static bool has_groundless(struct unite *u, const bool *grounded)
{
    for (uint64_t i = 0; i < u->file->header.n_nets; i++) {
        uint32_t home = unite_root(u, u->file->nets[i].vertex);
        if (u->is_result[home] && !grounded[home]) return true;
    }
    return false;
}

static parcast_status drop_groundless(struct unite *u)
{
    struct vf_dump_header *h = &u->file->header;
    bool *grounded = calloc(h->n_vertices + 1, sizeof *grounded), changes = true;
    if (!grounded) return PARCAST_MEMORY;
    for (uint64_t i = 0; i < h->n_chain_nets; i++)
        grounded[unite_root(u, u->file->chain_nets[i].vertex)] = true;
    for (int round = 0; round < MOST_GROUNDED && changes && has_groundless(u, grounded); round++)
        changes = ground_readers(u, grounded);
    uint64_t n = 0;
    for (uint64_t i = 0; !changes && i < h->n_nets; i++) {
        uint32_t home = unite_root(u, u->file->nets[i].vertex);
        if (!u->is_result[home] || grounded[home]) u->file->nets[n++] = u->file->nets[i];
    }
    if (!changes) h->n_nets = n;
    free(grounded);
    return PARCAST_OK;
}

static void tell_roots(struct unite *u)
{
    for (uint32_t v = 0; v < u->file->header.n_vertices; v++) u->place[v] = unite_root(u, v);
    u->file->roots = u->place;
    u->place = NULL;
}

/* Instances and what they belong to, as the run time saw it, but for those of arrays that have two uses; and
 * which vertices are free. */
static bool begin(struct unite *u)
{
    const struct values_file *file = u->file;
    bool *is_apart = two_uses_find(file);
    if (!is_apart) return false;
    for (uint32_t v = 0; v < file->header.n_vertices; v++) u->up[v] = v;
    for (uint64_t i = 1; i < file->header.n_objects; i++)
        if (file->objects[i].kind == VF_RESULT)
            for (uint32_t j = 0; j < file->objects[i].words[VF_RESULTS].n; j++) {
                uint32_t v = file->objects[i].words[VF_RESULTS].first + j;
                u->is_result[v] = true;
                u->is_of_frame[v] = file->objects[i].bytes == VF_OF_FRAME;
            }
    for (uint64_t i = 0; i < file->header.n_same; i++) {
        uint32_t instance = file->same[i].instance, word = file->same[i].word;
        if (!word)
            u->is_gone[instance] = true;
        else if (!is_apart[instance])
            join(u, instance, word);
    }
    free(is_apart);
    return true;
}

static bool has_results(const struct values_file *file)
{
    bool any = file->header.n_same > 0;
    for (uint64_t i = 1; !any && i < file->header.n_objects; i++)
        any = file->objects[i].kind == VF_RESULT && file->objects[i].words[VF_RESULTS].n;
    return any;
}

parcast_status unite_all(struct values_file *file)
{
    if (!has_results(file)) return PARCAST_OK;
    size_t n = (size_t)file->header.n_vertices + 1;
    struct unite u = {.file = file};
    u.up = malloc(n * sizeof *u.up);
    u.place = malloc(n * sizeof *u.place);
    u.is_result = calloc(n, sizeof *u.is_result);
    u.is_of_frame = calloc(n, sizeof *u.is_of_frame);
    u.is_gone = calloc(n, sizeof *u.is_gone);
    struct known *known = malloc(n * sizeof *known);
    parcast_status status =
        u.up && u.place && u.is_result && u.is_of_frame && u.is_gone && known ? PARCAST_OK : PARCAST_MEMORY;
    if (!status) status = begin(&u) ? unite_through(&u) : PARCAST_MEMORY;
    if (!status) status = unite_sums(&u);
    if (!status) status = drop_groundless(&u);
    if (!status) status = join_all(&u, known);
    if (!status) {
        drop_unread_work(&u, known);
        tell_roots(&u);
    }
    free(u.up);
    free(u.place);
    free(u.is_result);
    free(u.is_of_frame);
    free(u.is_gone);
    free(known);
    return status;
}
