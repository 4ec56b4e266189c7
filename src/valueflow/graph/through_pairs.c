/*
 * A force between two points in space is computed from six numbers, more than the run time keeps apart in a
 * term: it is a result, for two sums. Where all points have to do with all others, every part needs all
 * points for its own sums, and computes what they have between them on both sides rather than sending it:
 * such a term goes through as what it is computed from. Where points have to do with a few near ones, it
 * stays a result, which one of two parts may compute for both.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/through.h"
#include "valueflow/load/readers.h"
#include "valueflow/runtime/blocks/object_kind.h"

static const uint32_t FOLD = 0x80000000u;
enum { OF_TWO_POINTS = 6 }; /* of more: through_factors.c */
_Static_assert((int)OF_TWO_POINTS <= (int)GRAPH_TERM_LABELS, "such terms go into chains");

static bool are_terms(const struct values_file *file, const struct vf_dump_object *object)
{
    static const char name[] = VF_TERM_NAME;
    return object->kind == VF_RESULT && object->name_length == sizeof name - 1 &&
           memcmp(file->names + object->name, name, sizeof name - 1) == 0;
}

uint64_t through_count_terms(const struct values_file *file)
{
    uint64_t n = 0;
    for (uint64_t i = 1; i < file->header.n_objects; i++)
        if (are_terms(file, &file->objects[i])) n += file->objects[i].words[VF_RESULTS].n;
    return n;
}

void through_add_terms(struct through *t)
{
    const struct values_file *file = t->u->file;
    for (uint64_t i = 1; i < file->header.n_objects; i++) {
        const struct vf_dump_span *span = &file->objects[i].words[VF_RESULTS];
        for (uint32_t j = 0; are_terms(file, &file->objects[i]) && j < span->n; j++)
            through_add(t, span->first + j, OF_TWO_POINTS);
    }
}

/* Returns how many of its sources have not been marked before. */
static uint64_t mark_sources(struct through *t, const struct through_value *term)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < term->n; i++) {
        n += t->mark[term->sources[i]] != t->n_marks;
        t->mark[term->sources[i]] = t->n_marks;
    }
    return n;
}

static bool is_term(const struct through_value *value)
{
    return value && value->most > VF_FEW && !value->stays;
}

/* With at least half of all that terms are computed from. */
static void find_far(struct through *t, bool *is_far)
{
    const struct values_file *file = t->u->file;
    uint64_t all = 0;
    t->n_marks++;
    for (uint32_t i = 0; i < t->n_values; i++)
        if (is_term(&t->values[i])) all += mark_sources(t, &t->values[i]);
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        uint64_t n = 0;
        t->n_marks++;
        for (struct readers r = readers_of(file, &file->nets[i]); r.at < r.end; r.at++) {
            const struct through_value *term = through_find(t, (*r.at - r.shift) & ~FOLD);
            if (is_term(term)) n += mark_sources(t, term);
        }
        if (n && 2 * n >= all) is_far[file->nets[i].vertex] = true;
    }
}

parcast_status through_keep_near(struct through *t)
{
    bool *is_far = calloc(t->u->file->header.n_vertices + 1, sizeof *is_far);
    if (!is_far) return PARCAST_MEMORY;
    find_far(t, is_far);
    for (uint32_t i = 0; i < t->n_values; i++) {
        struct through_value *value = &t->values[i];
        for (uint32_t j = 0; is_term(value) && j < value->n; j++) value->stays = !is_far[value->sources[j]];
    }
    free(is_far);
    return PARCAST_OK;
}
