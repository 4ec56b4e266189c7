/* Results that hang together, and whether they are fewer than what they come of. */
#include <stdlib.h>

#include "valueflow/graph/through.h"
#include "valueflow/load/readers.h"
#include "valueflow/runtime/blocks/object_kind.h"

static const uint32_t FOLD = 0x80000000u;

/* Sets of results and what they come of, sums or words, that hang together. */
struct together {
    bool is_of_sums; /* which results */
    uint32_t *up;    /* [n_vertices] */
    /* Of a root: versions of results, and of what they come of and their readers do not read. */
    uint64_t *n, *n_sources;
    uint32_t *object; /* [n_vertices] of words; 0 of others */
    struct span {
        uint32_t net, low, high; /* of the readers of a net that are words of the object */
    } *spans;                    /* [n_objects] */
};

static uint32_t root_of(struct together *s, uint32_t v)
{
    for (; s->up[v] != v; v = s->up[v]) s->up[v] = s->up[s->up[v]];
    return v;
}

static const struct through_value *asked(const struct through *t, const struct together *s, uint32_t vertex)
{
    const struct through_value *value = through_find(t, vertex);
    return value && value->is_of_sums == s->is_of_sums ? value : NULL;
}

/* A reader of the net at hand that is none of the results. */
static void add_reader(struct through *t, struct together *s, uint32_t reader)
{
    uint32_t word = unite_root(t->u, reader);
    struct span *span = &s->spans[s->object[word]];
    t->mark[reader] = t->n_marks;
    if (span->net != t->n_marks) *span = (struct span){t->n_marks, word, word};
    if (word < span->low) span->low = word;
    if (word > span->high) span->high = word;
}

static bool is_within(struct through *t, const struct together *s, uint32_t reader)
{
    uint32_t word = unite_root(t->u, reader), object = s->object[word];
    const struct span *span = &s->spans[object];
    return object && span->net == t->n_marks && span->low < word && word < span->high;
}

/* A reader of the result reads the net at hand, too; or all lie among those who do, so that parts have it. */
static bool reads_too(struct through *t, const struct together *s, const struct through_value *value)
{
    bool are_within = !s->is_of_sums;
    for (uint32_t i = value->first_reader; i; i = t->readers[i].next) {
        uint32_t reader = t->readers[i].sink & ~FOLD;
        if (t->mark[reader] == t->n_marks) return true;
        are_within = are_within && is_within(t, s, reader);
    }
    return are_within;
}

/* A source hangs together with what is computed of it; a sum not where who reads that has the sum. */
static void join(struct through *t, struct together *s, const struct vf_dump_net *net)
{
    const struct values_file *file = t->u->file;
    bool any = false, is_needed = false;
    t->n_marks++;
    for (struct readers r = readers_of(file, net); r.at < r.end; r.at++) {
        uint32_t reader = (*r.at - r.shift) & ~FOLD;
        if (asked(t, s, reader))
            any = true;
        else
            add_reader(t, s, reader);
    }
    for (struct readers r = readers_of(file, net); any && r.at < r.end; r.at++) {
        const struct through_value *value = asked(t, s, (*r.at - r.shift) & ~FOLD);
        if (!value || value->vertex == net->vertex) continue;
        bool is_read = reads_too(t, s, value);
        is_needed = is_needed || !is_read;
        if (!is_read || !s->is_of_sums) s->up[root_of(s, net->vertex)] = root_of(s, value->vertex);
    }
    if (asked(t, s, net->vertex))
        s->n[net->vertex] += net->count;
    else if (is_needed)
        s->n_sources[net->vertex] += net->count;
}

static void keep(struct through *t, struct together *s)
{
    const struct values_file *file = t->u->file;
    for (uint64_t i = 0; i < file->header.n_nets; i++) join(t, s, &file->nets[i]);
    for (uint32_t v = 0; v < file->header.n_vertices; v++) {
        uint32_t root = root_of(s, v);
        if (root == v) continue;
        s->n[root] += s->n[v];
        s->n_sources[root] += s->n_sources[v];
    }
    for (uint32_t i = 0; i < t->n_values; i++) {
        struct through_value *value = &t->values[i];
        uint32_t root = root_of(s, value->vertex);
        if (value->stays || value->is_of_sums != s->is_of_sums) continue;
        value->stays =
            s->n[root] < s->n_sources[root] || (!s->is_of_sums && s->n[root] == s->n_sources[root]);
    }
}

static void find_objects(const struct values_file *file, struct together *s)
{
    for (uint64_t i = 1; i < file->header.n_objects; i++)
        for (int size = 0; size < VF_WORD_SIZES && file->objects[i].kind != VF_RESULT; size++) {
            const struct vf_dump_span *span = &file->objects[i].words[size];
            for (uint32_t j = 0; j < span->n; j++) s->object[span->first + j] = (uint32_t)i;
        }
}

parcast_status through_keep_fewer(struct through *t, bool is_of_sums)
{
    size_t n = (size_t)t->u->file->header.n_vertices + 1;
    struct together s = {.is_of_sums = is_of_sums, .up = malloc(n * sizeof *s.up)};
    s.n = calloc(n, sizeof *s.n);
    s.n_sources = calloc(n, sizeof *s.n_sources);
    s.object = calloc(n, sizeof *s.object);
    s.spans = calloc(t->u->file->header.n_objects + 1, sizeof *s.spans);
    bool fine = s.up && s.n && s.n_sources && s.object && s.spans;
    for (size_t v = 0; fine && v < n; v++) s.up[v] = (uint32_t)v;
    if (fine) {
        find_objects(t->u->file, &s);
        keep(t, &s);
    }
    free(s.up);
    free(s.n);
    free(s.n_sources);
    free(s.object);
    free(s.spans);
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}
