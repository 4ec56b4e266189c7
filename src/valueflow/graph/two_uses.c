/*
 * A block that holds the fluxes through faces across one dimension and then, numbered otherwise, across
 * another one belongs to no part: `f[i * (m + 1) + j] = g(u[i * m + j - 1], u[i * m + j]); ...; f[i * m + j]
 * = g(u[(i - 1) * m + j], u[i * m + j]);`. In such an array most words are computed in two ways, of words of
 * one other array that have nothing in common, and how far these are apart is another number in each row.
 * What is computed in an array of the mesh in two ways lies as far apart everywhere.
 */
#include "valueflow/graph/two_uses.h"

#include <stdlib.h>

#include "valueflow/load/readers.h"
#include "valueflow/runtime/blocks/object_kind.h"
#include "valueflow/runtime/blocks/workspace.h"

enum { LEAST_WORDS = 32, TWO = 2 };
static const uint32_t FOLD = 0x80000000u;

/* What a value is computed of, VF_FEW words at most; more, or a sum: n is VF_FEW + 1. */
struct sources {
    uint32_t n, of[VF_FEW];
};

/* The values that a word has had. */
struct word {
    uint32_t n, values[TWO]; /* numbers of sources */
};

struct uses {
    const struct values_file *file;
    uint32_t *number; /* [n_vertices] of an instance that belongs to its word, from 1; 0 */
    uint32_t *object; /* [n_vertices] that it is a word of; 0 */
    struct sources *sources;
    struct word *words; /* [n_vertices] */
    int64_t *apart;     /* of the words of the array at hand */
};

static void number_instances(struct uses *u)
{
    const struct values_file *file = u->file;
    for (uint64_t i = 0; i < file->header.n_same; i++) {
        uint32_t instance = file->same[i].instance, base = file->same[i].word;
        if (!base || base == instance) continue;
        u->number[instance] = (uint32_t)i + 1;
        struct word *word = &u->words[base];
        if (word->n < TWO) word->values[word->n] = (uint32_t)i + 1;
        word->n++;
    }
}

static void find_objects(struct uses *u)
{
    for (uint64_t i = 1; i < u->file->header.n_objects; i++) {
        const struct vf_dump_object *o = &u->file->objects[i];
        for (int size = 0; size < VF_WORD_SIZES && o->kind != VF_RESULT; size++)
            for (uint32_t j = 0; j < o->words[size].n; j++) u->object[o->words[size].first + j] = (uint32_t)i;
    }
}

static void add_source(struct sources *s, uint32_t home, bool adds)
{
    for (uint32_t i = 0; i < s->n && i < VF_FEW; i++)
        if (s->of[i] == home) return;
    if (adds || s->n >= VF_FEW)
        s->n = VF_FEW + 1;
    else
        s->of[s->n++] = home;
}

/* An instance of another array stands for its word. */
static uint32_t word_of(const struct uses *u, uint32_t vertex)
{
    return u->number[vertex] ? u->file->same[u->number[vertex] - 1].word : vertex;
}

static void find_sources(struct uses *u)
{
    for (uint64_t i = 0; i < u->file->header.n_nets; i++) {
        const struct vf_dump_net *net = &u->file->nets[i];
        for (struct readers r = readers_of(u->file, net); r.at < r.end; r.at++) {
            uint32_t sink = *r.at - r.shift, reader = sink & ~FOLD;
            if (u->number[reader] && reader != net->vertex)
                add_source(&u->sources[u->number[reader]], word_of(u, net->vertex), sink & FOLD);
        }
    }
    for (uint64_t i = 0; i < u->file->header.n_chain_nets; i++) {
        uint32_t number = u->number[u->file->chain_nets[i].vertex];
        if (number) u->sources[number].n = VF_FEW + 1;
    }
}

static bool have_common(const struct sources *a, const struct sources *b)
{
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t j = 0; j < b->n; j++)
            if (a->of[i] == b->of[j]) return true;
    return false;
}

static uint32_t first_of(const struct sources *s)
{
    uint32_t first = s->of[0];
    for (uint32_t i = 1; i < s->n; i++)
        if (s->of[i] < first) first = s->of[i];
    return first;
}

static bool is_few(const struct sources *s)
{
    return s->n && s->n <= VF_FEW;
}

/* How far both values' sources are apart, which lie in one other array; false where they do not. */
static bool find_apart(const struct uses *u, const struct word *word, uint32_t object, int64_t *apart)
{
    if (word->n != TWO) return false;
    const struct sources *a = &u->sources[word->values[0]], *b = &u->sources[word->values[1]];
    if (!is_few(a) || !is_few(b) || have_common(a, b)) return false;
    uint32_t of = u->object[a->of[0]];
    if (!of || of == object) return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (u->object[a->of[i]] != of) return false;
    for (uint32_t i = 0; i < b->n; i++)
        if (u->object[b->of[i]] != of) return false;
    *apart = (int64_t)first_of(a) - (int64_t)first_of(b);
    return true;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Of so many numbers, how many are the most common one? */
static uint32_t most_common(int64_t *numbers, uint32_t n)
{
    uint32_t most = 0, first = 0;
    qsort(numbers, n, sizeof *numbers, by_number);
    for (uint32_t i = 1; i <= n; i++) {
        if (i < n && numbers[i] == numbers[first]) continue;
        if (i - first > most) most = i - first;
        first = i;
    }
    return most;
}

static bool has_two_uses(const struct uses *u, uint32_t object, const struct vf_dump_span *span)
{
    uint32_t n = 0, n_used = 0;
    for (uint32_t j = 0; j < span->n; j++) {
        const struct word *word = &u->words[span->first + j];
        n_used += word->n > 0;
        n += find_apart(u, word, object, &u->apart[n]);
    }
    return n >= LEAST_WORDS && 2 * n >= n_used && 2 * most_common(u->apart, n) < n;
}

static void mark(const struct uses *u, uint32_t object, const struct vf_dump_span *span, bool *is_apart)
{
    const struct values_file *file = u->file;
    if (!has_two_uses(u, object, span)) return;
    for (uint64_t i = 0; i < file->header.n_same; i++)
        if (u->number[file->same[i].instance] && file->same[i].word - span->first < span->n)
            is_apart[file->same[i].instance] = true;
}

static void mark_all(const struct uses *u, bool *is_apart)
{
    for (uint64_t i = 1; i < u->file->header.n_objects; i++) {
        const struct vf_dump_object *o = &u->file->objects[i];
        bool may_be = o->kind == VF_HEAP || o->kind == VF_GLOBAL;
        for (int size = 0; size < VF_WORD_SIZES && may_be; size++)
            if (o->words[size].n >= LEAST_WORDS) mark(u, (uint32_t)i, &o->words[size], is_apart);
    }
}

bool *two_uses_find(const struct values_file *file)
{
    size_t n = (size_t)file->header.n_vertices + 1;
    struct uses u = {.file = file,
                     .number = calloc(n, sizeof *u.number),
                     .object = calloc(n, sizeof *u.object),
                     .sources = calloc(file->header.n_same + 1, sizeof *u.sources),
                     .words = calloc(n, sizeof *u.words),
                     .apart = malloc(n * sizeof *u.apart)};
    bool *is_apart = calloc(n, sizeof *is_apart);
    bool fine = u.number && u.object && u.sources && u.words && u.apart && is_apart;
    if (fine) {
        number_instances(&u);
        find_objects(&u);
        find_sources(&u);
        mark_all(&u, is_apart);
    }
    free(u.number);
    free(u.object);
    free(u.sources);
    free(u.words);
    free(u.apart);
    if (!fine) free(is_apart);
    return fine ? is_apart : NULL;
}
