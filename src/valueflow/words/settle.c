/* Which sums get partial ones, of what evaluate.c has counted, and the words and the work of each part then.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/words/evaluation.h"

/* Per group: all its values, or all its partial sums where these are fewer: values leave the work evenly
 * where it lies. */
void evaluation_settle(struct evaluation *e)
{
    for (size_t i = 0; i < e->n_deferred; i++) {
        const struct deferred *d = &e->deferred[i];
        const struct fold *fold = &e->folds.fold[d->fold];
        if (!evaluation_chooses(e, fold, &e->folds.fold[folds_group(&e->folds, d->fold)]))
            evaluation_send(e, d->from, d->to, d->words, d->bytes);
    }
    for (uint32_t i = 0; i < e->folds.n; i++) {
        const struct fold *fold = &e->folds.fold[i], *group = &e->folds.fold[folds_group(&e->folds, i)];
        if (evaluation_chooses(e, fold, group))
            evaluation_send(e, fold->part, e->part[fold->vertex], fold->cost,
                            fold->cost * e->values->vertices[fold->vertex].bytes);
    }
    evaluation_send_lacking(e, true);
}

/* Work lies with the vertices; terms that another part adds up are its work. */
void evaluation_add_work(struct evaluation *e, double *work)
{
    for (uint32_t v = 0; v < e->values->n_vertices; v++) work[e->part[v]] += e->values->vertices[v].work;
    for (uint32_t i = 0; i < e->folds.n; i++) {
        const struct fold *fold = &e->folds.fold[i];
        if (!evaluation_chooses(e, fold, &e->folds.fold[folds_group(&e->folds, i)])) continue;
        double moved = fold->work_ratio * e->values->vertices[fold->vertex].work;
        work[fold->part] += moved;
        work[e->part[fold->vertex]] -= moved;
    }
}

static void summarise(struct evaluation *e, parcast_flow *flow)
{
    size_t p = e->n_parts;
    flow->processes = p;
    flow->words = flow->largest_part_words = flow->messages = 0;
    flow->bytes = e->bytes;
    double largest = 0, *work = calloc(p, sizeof *work);
    if (work) evaluation_add_work(e, work);
    for (size_t a = 0; a < p; a++) {
        uint64_t words = 0;
        for (size_t b = 0; b < p; b++) {
            flow->words += e->matrix[a * p + b];
            words += e->matrix[a * p + b] + e->matrix[b * p + a];
            flow->messages += e->matrix[a * p + b] > 0;
        }
        if (words > flow->largest_part_words) flow->largest_part_words = words;
        if (work && work[a] > largest) largest = work[a];
    }
    /* blocks that are as uneven as whole rows make them are not to miss it by how their work is rounded */
    static const double rounding = 1e-9;
    double above = e->values->work > 0 ? largest * (double)p / e->values->work - 1 - rounding : 0;
    flow->imbalance_ratio = above > 0 ? above : 0;
    free(work);
}

/* Of ways that are not even, the one that is far nearer to it: by half of what it is too much. */
static bool is_much_evener(const parcast_flow *flow, const parcast_flow *other, double allowed_ratio)
{
    return 2 * (other->imbalance_ratio - allowed_ratio) <= flow->imbalance_ratio - allowed_ratio;
}

bool evaluation_is_worth_more(const parcast_flow *flow, const parcast_flow *other, double allowed_ratio)
{
    static const double far_ratio = 0.8, most_times = 2;
    return other->imbalance_ratio > allowed_ratio && flow->imbalance_ratio <= most_times * allowed_ratio &&
           (double)flow->words < far_ratio * (double)other->words;
}

/* One way for all sums, which is taken where it is even and the best so far is not, or has more words, or
 * where it is nearer to that. */
static void try_sums(struct evaluation *e, enum sums sums, double allowed_ratio, uint64_t **best,
                     parcast_flow *flow)
{
    parcast_flow other = *flow;
    e->sums = sums;
    evaluation_settle(e);
    summarise(e, &other);
    bool is_even = flow->imbalance_ratio <= allowed_ratio;
    if (is_even && other.words >= flow->words) return;
    if (other.imbalance_ratio > allowed_ratio && (is_even || !is_much_evener(flow, &other, allowed_ratio)))
        return;
    if (evaluation_is_worth_more(flow, &other, allowed_ratio)) return;
    uint64_t *matrix = *best;
    *best = e->matrix;
    e->matrix = matrix;
    *flow = other;
}

/* A sum of values that were read once only, points say, costs fewer words where they are sent, but then its
 * owner does all the work; and where a factorisation adds up what lies elsewhere, the columns that are read
 * most have it all. */
parcast_status evaluation_settle_evenly(struct evaluation *e, double allowed_ratio, uint64_t limit,
                                        parcast_flow *flow)
{
    size_t bytes = e->n_parts * e->n_parts * sizeof *e->matrix;
    uint64_t *before = malloc(bytes), *best = malloc(bytes), bytes_before = e->bytes;
    if (!before || !best) {
        free(before);
        free(best);
        return PARCAST_MEMORY;
    }
    memcpy(before, e->matrix, bytes);
    evaluation_settle(e);
    summarise(e, flow);
    bool is_uneven =
        allowed_ratio > 0 && flow->imbalance_ratio > allowed_ratio && e->folds.n && flow->words < limit;
    memcpy(best, e->matrix, bytes);
    bool mixes = is_uneven && e->mixes;
    enum sums last = mixes ? MIXED_SUMS : NO_SUMS;
    uint64_t fewest = flow->words;
    parcast_status status = mixes ? evaluation_mix_sums(e, allowed_ratio) : PARCAST_OK;
    for (enum sums sums = ALL_SUMS; !status && is_uneven && sums <= last; sums++) {
        memcpy(e->matrix, before, bytes);
        e->bytes = bytes_before;
        try_sums(e, sums, allowed_ratio, &best, flow);
    }
    free(before);
    free(e->matrix);
    e->matrix = best;
    flow->uneven_words = flow->words > fewest ? fewest : 0;
    return status;
}
