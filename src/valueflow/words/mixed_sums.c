/*
 * Evenness at its price. Where every sum takes what is fewer words, a part may have too much to add up. Then
 * the groups change over that take most work from the full parts for a word more,
 *
 *     price = |values - partial sums| / (work that leaves full parts - work that comes to them)
 *
 * the cheapest first, until no part has more than it may; those that were not needed in the end change back.
 */
#include <math.h>
#include <stdlib.h>

#include "valueflow/words/evaluation.h"

#define ROUNDING 1e-9

struct offer {
    uint32_t group;
    double words, relief;
};

struct mixing {
    struct evaluation *e;
    double *work, limit;    /* [n_parts]; what a part may have */
    uint32_t *first, *fold; /* [n folds + 1] of each group, and these folds */
    struct offer *offer;    /* [n folds] */
    size_t n_offers;
};

static double excess_of(const struct mixing *m, uint32_t q)
{
    return fmax(m->work[q] - m->limit, 0);
}

static double whole_excess(const struct mixing *m)
{
    double sum = 0;
    for (uint32_t q = 0; q < m->e->n_parts; q++) sum += excess_of(m, q);
    return sum;
}

/* Work that the part would do for the vertex. */
static double work_of(const struct mixing *m, const struct fold *fold)
{
    return fold->used ? fold->work_ratio * m->e->values->vertices[fold->vertex].work : 0;
}

static void change_over(struct mixing *m, uint32_t g)
{
    struct evaluation *e = m->e;
    struct fold *group = &e->folds.fold[g];
    group->adds_up = !group->adds_up;
    for (uint32_t k = m->first[g]; k < m->first[g + 1]; k++) {
        const struct fold *fold = &e->folds.fold[m->fold[k]];
        double moved = group->adds_up ? work_of(m, fold) : -work_of(m, fold);
        m->work[fold->part] += moved;
        m->work[e->part[fold->vertex]] -= moved;
    }
}

static double relief_of(const struct mixing *m, uint32_t g)
{
    const struct evaluation *e = m->e;
    double relief = 0;
    for (uint32_t k = m->first[g]; k < m->first[g + 1]; k++) {
        const struct fold *fold = &e->folds.fold[m->fold[k]];
        bool from_full = excess_of(m, e->part[fold->vertex]) > 0, to_full = excess_of(m, fold->part) > 0;
        relief += work_of(m, fold) * (from_full - to_full);
    }
    return e->folds.fold[g].adds_up ? -relief : relief;
}

static int by_price(const void *a, const void *b)
{
    const struct offer *x = a, *y = b;
    double left = x->words * y->relief, right = y->words * x->relief;
    if (left != right) return left < right ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

static void list_folds(struct mixing *m)
{
    struct folds *folds = &m->e->folds;
    for (uint32_t i = 0; i < folds->n; i++) m->first[folds_group(folds, i) + 1]++;
    for (uint32_t g = 0; g < folds->n; g++) m->first[g + 1] += m->first[g];
    for (uint32_t i = folds->n; i-- > 0;) m->fold[--m->first[folds_group(folds, i) + 1]] = i;
    for (uint32_t g = 0; g < folds->n; g++) m->first[g] = m->first[g + 1];
    m->first[folds->n] = folds->n;
}

static void list_offers(struct mixing *m)
{
    struct folds *folds = &m->e->folds;
    for (uint32_t g = 0; g < folds->n; g++) {
        struct fold *group = &folds->fold[g];
        double relief = m->first[g] < m->first[g + 1] ? relief_of(m, g) : 0;
        double words = fabs((double)group->saved_words - (double)group->group_cost);
        if (relief > 0) m->offer[m->n_offers++] = (struct offer){g, words, relief};
    }
    qsort(m->offer, m->n_offers, sizeof *m->offer, by_price);
}

static void mix(struct mixing *m)
{
    list_offers(m);
    double excess = whole_excess(m);
    size_t n = 0;
    for (size_t i = 0; i < m->n_offers && excess > 0; i++) {
        change_over(m, m->offer[i].group);
        double left = whole_excess(m);
        if (left < excess) {
            excess = left;
            m->offer[n++] = m->offer[i];
        } else {
            change_over(m, m->offer[i].group);
        }
    }
    while (n-- > 0 && excess <= 0) {
        change_over(m, m->offer[n].group);
        if (whole_excess(m) > 0) change_over(m, m->offer[n].group);
    }
}

parcast_status evaluation_mix_sums(struct evaluation *e, double allowed_ratio)
{
    size_t n = e->folds.n, p = e->n_parts;
    struct mixing m = {.e = e, .limit = (1 + allowed_ratio - ROUNDING) * e->values->work / (double)p};
    m.work = calloc(p, sizeof *m.work);
    m.first = calloc(n + 2, sizeof *m.first);
    m.fold = malloc((n + 1) * sizeof *m.fold);
    m.offer = malloc((n + 1) * sizeof *m.offer);
    bool fine = m.work && m.first && m.fold && m.offer;
    if (fine) {
        e->sums = FEWER_WORDS;
        for (uint32_t i = 0; i < n; i++) {
            struct fold *fold = &e->folds.fold[i];
            fold->adds_up = fold->saved_words > fold->group_cost;
        }
        evaluation_add_work(e, m.work);
        list_folds(&m);
        mix(&m);
    }
    free(m.work);
    free(m.first);
    free(m.fold);
    free(m.offer);
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}
