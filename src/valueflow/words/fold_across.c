/*
 * A term whose labels lie in several parts, an energy of two particles on either side of a border, say, is
 * evaluated in one of these, to which the other labels are sent if it does not read them anyway.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/incidence.h"
#include "valueflow/words/fold_search.h"

enum { MOST_READERS = 256, MOST_VALUES = 64 };

/* Is the home read in a part by others than the vertex? Sums of very many values, each step's energy, say,
 * are no reason: they may get partial sums. What very many read is everywhere. */
static bool is_read_in(const struct fold_search *s, uint32_t home, uint32_t q, uint32_t vertex)
{
    const parcast_values *values = s->values;
    const struct incidence *at = values->at;
    uint32_t n = 0;
    for (uint64_t i = at->net_first[home]; i < at->net_first[home + 1]; i++)
        for (uint64_t j = values->set_first[at->net_sets[i]]; j < values->set_first[at->net_sets[i] + 1];
             j++) {
            uint32_t pin = values->pins[j], reader = pin & ~GRAPH_FOLD;
            bool needs = !(pin & GRAPH_FOLD) || s->reads[reader] <= MOST_VALUES;
            if ((needs && reader != vertex && s->part[reader] == q) || n++ == MOST_READERS) return true;
        }
    return false;
}

/* Versions of a home that a part neither has nor gets for others than the vertex, one for each of its sums at
 * most. */
static uint64_t count_lacking(const struct fold_search *s, uint32_t home, uint32_t q, uint32_t vertex)
{
    const struct incidence *at = s->values->at;
    uint64_t versions = 0;
    if (is_at(s, home, q) || is_read_in(s, home, q, vertex)) return 0;
    for (uint64_t i = at->net_first[home]; i < at->net_first[home + 1]; i++) versions += at->net_counts[i];
    return versions < s->n_sums ? versions : s->n_sums;
}

static uint64_t count_lacking_of(const struct fold_search *s, const struct graph_segment *segment,
                                 uint32_t term, uint32_t vertex, uint32_t q)
{
    uint64_t n = 0;
    for (uint32_t j = 0; j < segment->labels; j++)
        n += count_lacking(s, home_of(s->values, segment, j, term), q, vertex);
    return n;
}

uint32_t fold_part_of_mixed(const struct fold_search *s, const struct graph_segment *segment, uint32_t term,
                            uint32_t vertex)
{
    uint32_t best = s->part[vertex];
    uint64_t fewest = count_lacking_of(s, segment, term, vertex, best);
    for (uint32_t own = 0; own < segment->labels && fewest; own++) {
        uint32_t q = s->part[home_of(s->values, segment, own, term)];
        uint64_t lacking = count_lacking_of(s, segment, term, vertex, q);
        if (lacking >= fewest) continue;
        fewest = lacking;
        best = q;
    }
    return best;
}

bool fold_make_mixed(struct fold_search *s)
{
    s->across.cost = calloc(s->n_parts, sizeof *s->across.cost);
    s->across.terms = calloc(s->n_parts, sizeof *s->across.terms);
    return s->across.cost && s->across.terms;
}

void fold_clear_mixed(struct fold_search *s)
{
    free(s->across.shared.at);
    free(s->across.own.at);
    free(s->across.lacking.at);
    free(s->across.cost);
    free(s->across.terms);
}

void fold_begin_mixed(struct fold_search *s)
{
    s->across.shared.n = s->across.own.n = 0;
    memset(s->across.cost, 0, s->n_parts * sizeof *s->across.cost);
    memcpy(s->across.terms, s->terms, s->n_parts * sizeof *s->terms);
}

bool across_add(struct across_list *list, struct across one)
{
    if (list->n == list->capacity) {
        size_t wanted = list->capacity ? 2 * list->capacity : 256;
        struct across *more = realloc(list->at, wanted * sizeof *more);
        if (!more) return false;
        list->at = more;
        list->capacity = wanted;
    }
    list->at[list->n++] = one;
    return true;
}

bool fold_note_mixed(struct fold_search *s, const struct graph_segment *segment, uint32_t term,
                     uint32_t vertex, uint32_t q)
{
    uint32_t own = s->part[vertex];
    for (uint32_t j = 0; j < segment->labels; j++) {
        uint32_t home = home_of(s->values, segment, j, term);
        if (s->part[home] != q && !across_add(&s->across.shared, (struct across){home, q})) return false;
        if (s->part[home] != own && !across_add(&s->across.own, (struct across){home, own})) return false;
    }
    return true;
}

int across_compare(const void *a, const void *b)
{
    const struct across *x = a, *y = b;
    if (x->home != y->home) return x->home < y->home ? -1 : 1;
    return (x->part > y->part) - (x->part < y->part);
}

/* Each once. Returns the versions that are not there for others anyway. */
static uint64_t put_in_order(const struct fold_search *s, struct across_list *list, uint32_t vertex)
{
    size_t n = 0;
    uint64_t lacking = 0;
    if (list->n) qsort(list->at, list->n, sizeof *list->at, across_compare);
    for (size_t i = 0; i < list->n; i++) {
        if (i && !across_compare(&list->at[i], &list->at[i - 1])) continue;
        struct across one = list->at[i];
        lacking += count_lacking(s, one.home, one.part, vertex);
        list->at[n++] = one;
    }
    list->n = n;
    return lacking;
}

bool fold_settle_mixed(struct fold_search *s, uint32_t vertex, struct folds *folds)
{
    struct across_list *list = &s->across.own;
    uint64_t own = put_in_order(s, list, vertex), shared = put_in_order(s, &s->across.shared, vertex);
    for (size_t q = 0; q < s->n_parts; q++) {
        own += s->cost[q];
        shared += s->across.cost[q];
    }
    if (shared < own && !s->at_sums) {
        folds->any_shared = true;
        list = &s->across.shared;
        memcpy(s->cost, s->across.cost, s->n_parts * sizeof *s->cost);
        memcpy(s->terms, s->across.terms, s->n_parts * sizeof *s->terms);
    }
    for (size_t i = 0; i < list->n; i++) {
        if (!across_add(&folds->across, list->at[i])) return false;
        folds->is_across[list->at[i].home] = true;
    }
    return true;
}

bool fold_note_lacking(struct fold_search *s, uint32_t home, uint32_t q)
{
    struct across_list *list = &s->across.lacking;
    struct across one = {home, q};
    return (list->n && !across_compare(&list->at[list->n - 1], &one)) || across_add(list, one);
}

bool fold_keep_lacking(struct fold_search *s, uint32_t vertex, struct folds *folds)
{
    struct across_list *list = &s->across.lacking, *all = &folds->across;
    size_t first = folds->across_first[vertex], n = first;
    if (!list->n) return true;
    for (size_t i = 0; i < list->n; i++) {
        if (!across_add(all, list->at[i])) return false;
        folds->is_across[list->at[i].home] = true;
    }
    list->n = 0;
    qsort(all->at + first, all->n - first, sizeof *all->at, across_compare);
    for (size_t i = first; i < all->n; i++)
        if (i == first || across_compare(&all->at[i], &all->at[n - 1])) all->at[n++] = all->at[i];
    all->n = n;
    return true;
}

bool folds_lack_across(const struct folds *folds, uint32_t vertex, uint32_t home, uint32_t q)
{
    struct across wanted = {home, q};
    size_t first = folds->across_first[vertex], n = folds->across_first[vertex + 1] - first;
    return n && bsearch(&wanted, &folds->across.at[first], n, sizeof wanted, across_compare);
}
