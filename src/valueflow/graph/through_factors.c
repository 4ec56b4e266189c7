/*
 * The force between two points may be a choice between two laws, or what a function returns: a result, which
 * is a factor of terms in the sums of both points; or it comes of masses or charges, too, of eight numbers
 * that is. As terms that are results themselves (through_pairs.c) it goes through as what it is computed from
 * where all points have to do with all others, as long as such results are more than what they come of and
 * there are about as many sums as points.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/through.h"
#include "valueflow/load/readers.h"
#include "valueflow/runtime/blocks/object_kind.h"

static const uint32_t FOLD = 0x80000000u;

static void mark_results(const struct values_file *file, bool *is_result)
{
    for (uint64_t i = 1; i < file->header.n_objects; i++) {
        const struct vf_dump_object *object = &file->objects[i];
        const struct vf_dump_span *span = &object->words[VF_RESULTS];
        if (object->kind != VF_RESULT || object->bytes == VF_OF_SUMS) continue;
        for (uint32_t j = 0; j < span->n; j++) is_result[span->first + j] = true;
    }
}

/* Tells sums of the same results from others: of each a sum of numbers that these have. */
static void add_results(const struct values_file *file, const bool *is_result, uint64_t *of_sum)
{
    static const uint64_t golden = 0x9e3779b97f4a7c15u;
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        const struct vf_dump_net *net = &file->nets[i];
        uint64_t number = (net->vertex + 1) * golden;
        number = (number ^ number >> 29) * golden;
        for (struct readers r = readers_of(file, net); is_result[net->vertex] && r.at < r.end; r.at++)
            if ((*r.at - r.shift) & FOLD) of_sum[(*r.at - r.shift) & ~FOLD] += number;
    }
}

/* In the sums of two points; what goes to one only, or along each dimension of one, is added up wherever it
 * is. `first` is the sum that a result was seen in first. */
static void find_shared(const struct unite *u, const bool *is_result, const uint64_t *of_sum, uint64_t *first,
                        bool *is_factor)
{
    const struct values_file *file = u->file;
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        uint32_t home = file->nets[i].vertex;
        if (!is_result[home] || u->up[home] != home || is_factor[home]) continue;
        for (struct readers r = readers_of(file, &file->nets[i]); r.at < r.end; r.at++) {
            uint32_t sink = *r.at - r.shift;
            if (!(sink & FOLD)) continue;
            if (!first[home]) first[home] = of_sum[sink & ~FOLD];
            is_factor[home] = is_factor[home] || of_sum[sink & ~FOLD] != first[home];
        }
    }
}

static bool is_read_by(const struct values_file *file, const struct vf_dump_net *net, const bool *is_factor)
{
    for (struct readers r = readers_of(file, net); r.at < r.end; r.at++)
        if (is_factor[(*r.at - r.shift) & ~FOLD]) return true;
    return false;
}

/* Each point has sums of its own: where there are a few for all of them, as bins, parts add these up. */
static bool have_many_sums(const struct values_file *file, const bool *is_factor, bool *is_counted)
{
    enum { FEW_SOURCES = 8 }; /* of each sum */
    uint64_t n_sums = 0, n_sources = 0;
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        const struct vf_dump_net *net = &file->nets[i];
        for (struct readers r = readers_of(file, net); is_factor[net->vertex] && r.at < r.end; r.at++) {
            uint32_t sink = *r.at - r.shift, reader = sink & ~FOLD;
            n_sums += sink & FOLD && !is_counted[reader];
            if (sink & FOLD) is_counted[reader] = true;
        }
    }
    memset(is_counted, 0, file->header.n_vertices * sizeof *is_counted);
    for (uint64_t i = 0; i < file->header.n_nets; i++) {
        const struct vf_dump_net *net = &file->nets[i];
        if (is_counted[net->vertex] || !is_read_by(file, net, is_factor)) continue;
        is_counted[net->vertex] = true;
        n_sources++;
    }
    return FEW_SOURCES * n_sums >= n_sources;
}

bool *through_find_factors(const struct unite *u, uint64_t *n)
{
    const struct values_file *file = u->file;
    size_t n_vertices = file->header.n_vertices;
    uint64_t *of_sum = calloc(n_vertices + 1, sizeof *of_sum), *first = calloc(n_vertices + 1, sizeof *first);
    bool *is_factor = calloc(n_vertices + 1, sizeof *is_factor),
         *is_result = calloc(n_vertices + 1, sizeof *is_result),
         fine = of_sum && first && is_factor && is_result;
    *n = 0;
    if (fine) {
        mark_results(file, is_result);
        add_results(file, is_result, of_sum);
        find_shared(u, is_result, of_sum, first, is_factor);
        for (size_t v = 0; v < n_vertices; v++) *n += is_factor[v];
        memset(is_result, 0, n_vertices * sizeof *is_result);
        if (*n && !have_many_sums(file, is_factor, is_result)) *n = 0;
    }
    free(of_sum);
    free(first);
    free(is_result);
    if (!fine) free(is_factor);
    return fine ? is_factor : NULL;
}

void through_add_factors(struct through *t, const bool *is_factor)
{
    for (uint32_t v = 0; v < t->u->file->header.n_vertices; v++)
        if (is_factor[v]) through_add(t, v, GRAPH_TERM_LABELS);
}
