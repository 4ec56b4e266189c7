/*
 * What a register holds of a few sums, their quotient say, is a result: many that read it need one word and
 * not two. It goes through as the sums where these are no more than what is computed of them, as they are
 * where two means and what comes of both are needed, or where its readers read them anyway.
 */
#include <stdlib.h>

#include "valueflow/graph/through.h"
#include "valueflow/load/readers.h"
#include "valueflow/runtime/blocks/object_kind.h"

static const uint32_t FOLD = 0x80000000u;

static bool are_of_sums(const struct vf_dump_object *object)
{
    return object->kind == VF_RESULT && object->bytes == VF_OF_SUMS;
}

uint64_t through_count_of_sums(const struct values_file *file)
{
    uint64_t n = 0;
    for (uint64_t i = 1; i < file->header.n_objects; i++)
        if (are_of_sums(&file->objects[i])) n += file->objects[i].words[VF_RESULTS].n;
    return n;
}

void through_add_of_sums(struct through *t)
{
    const struct values_file *file = t->u->file;
    for (uint64_t i = 1; i < file->header.n_objects; i++) {
        const struct vf_dump_span *span = &file->objects[i].words[VF_RESULTS];
        for (uint32_t j = 0; are_of_sums(&file->objects[i]) && j < span->n; j++) {
            through_add(t, span->first + j, VF_FEW);
            t->values[t->number[span->first + j] - 1].is_of_sums = true;
        }
    }
}

/* Sets of results and sums that hang together. */
struct together {
    uint32_t *up;         /* [n_vertices] */
    uint64_t *n, *n_sums; /* of a root: versions of results, and of sums that their readers do not read */
};

static uint32_t root_of(struct together *s, uint32_t v)
{
    for (; s->up[v] != v; v = s->up[v]) s->up[v] = s->up[s->up[v]];
    return v;
}

static const struct through_value *of_sums(const struct through *t, uint32_t vertex)
{
    const struct through_value *value = through_find(t, vertex);
    return value && value->is_of_sums ? value : NULL;
}

static bool reads_too(const struct through *t, const struct through_value *value)
{
    for (uint32_t i = value->first_reader; i; i = t->readers[i].next)
        if (t->mark[t->readers[i].sink & ~FOLD] == t->n_marks) return true;
    return false;
}

/* A sum hangs together with what is computed of it, unless who reads that has the sum. */
static void join(struct through *t, struct together *s, const struct vf_dump_net *net)
{
    const struct values_file *file = t->u->file;
    bool any = false, is_needed = false;
    t->n_marks++;
    for (struct readers r = readers_of(file, net); r.at < r.end; r.at++) {
        uint32_t reader = (*r.at - r.shift) & ~FOLD;
        if (of_sums(t, reader))
            any = true;
        else
            t->mark[reader] = t->n_marks;
    }
    for (struct readers r = readers_of(file, net); any && r.at < r.end; r.at++) {
        const struct through_value *value = of_sums(t, (*r.at - r.shift) & ~FOLD);
        if (!value || value->vertex == net->vertex || reads_too(t, value)) continue;
        is_needed = true;
        s->up[root_of(s, net->vertex)] = root_of(s, value->vertex);
    }
    if (of_sums(t, net->vertex))
        s->n[net->vertex] += net->count;
    else if (is_needed)
        s->n_sums[net->vertex] += net->count;
}

static void keep(struct through *t, struct together *s)
{
    const struct values_file *file = t->u->file;
    for (uint64_t i = 0; i < file->header.n_nets; i++) join(t, s, &file->nets[i]);
    for (uint32_t v = 0; v < file->header.n_vertices; v++) {
        uint32_t root = root_of(s, v);
        if (root == v) continue;
        s->n[root] += s->n[v];
        s->n_sums[root] += s->n_sums[v];
    }
    for (uint32_t i = 0; i < t->n_values; i++) {
        struct through_value *value = &t->values[i];
        uint32_t root = root_of(s, value->vertex);
        if (value->is_of_sums && !value->stays) value->stays = s->n[root] < s->n_sums[root];
    }
}

parcast_status through_keep_of_sums(struct through *t)
{
    size_t n = (size_t)t->u->file->header.n_vertices + 1;
    if (!through_count_of_sums(t->u->file)) return PARCAST_OK;
    struct together s = {.up = malloc(n * sizeof *s.up)};
    s.n = calloc(n, sizeof *s.n);
    s.n_sums = calloc(n, sizeof *s.n_sums);
    bool fine = s.up && s.n && s.n_sums;
    for (size_t v = 0; fine && v < n; v++) s.up[v] = (uint32_t)v;
    if (fine) keep(t, &s);
    free(s.up);
    free(s.n);
    free(s.n_sums);
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}
