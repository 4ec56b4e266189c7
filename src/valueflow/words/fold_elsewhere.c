/*
 * A column that is sent along a row of parts is multiplied there, and the sums of these products lie in
 * another part of the row's column: r[k][j] += q[i][k] * a[i][j], with q[i][k] wherever a[i][j] is. As long
 * as partial sums are sent nobody sends q[i][k] to where r[k][j] is.
 */
#include <stdlib.h>

#include "valueflow/words/fold_search.h"

bool fold_note_elsewhere(struct fold_search *s, uint32_t home, uint32_t owner, uint32_t q)
{
    if (!s->spread[home] || s->part[home] == owner) return true;
    bool is_there = q != owner && q != s->part[home];
    return across_add(&s->elsewhere, (struct across){home, is_there ? q : GRAPH_NONE});
}

/* Those that all terms are evaluated with in one place, and of whose part no value is taken otherwise. */
bool fold_keep_elsewhere(struct fold_search *s, struct folds *folds)
{
    struct across_list *list = &s->elsewhere;
    size_t n = list->n;
    list->n = 0;
    if (n) qsort(list->at, n, sizeof *list->at, across_compare);
    for (size_t i = 0, next; i < n; i = next) {
        struct across one = list->at[i];
        uint32_t from = s->part[one.home];
        for (next = i + 1; next < n && list->at[next].home == one.home; next++)
            if (list->at[next].part != one.part) one.part = GRAPH_NONE;
        bool is_taken = s->taken[from / 64] >> from % 64 & 1;
        if (one.part != GRAPH_NONE && !is_taken && !across_add(&folds->elsewhere, one)) return false;
    }
    return true;
}

static int by_home(const void *a, const void *b)
{
    const struct across *x = a, *y = b;
    return (x->home > y->home) - (x->home < y->home);
}

struct fold *folds_at_elsewhere(const struct folds *folds, uint32_t vertex, uint32_t home)
{
    if (!folds->elsewhere.n) return NULL;
    struct across wanted = {home, 0};
    size_t first = folds->elsewhere_first[vertex], n = folds->elsewhere_first[vertex + 1] - first;
    const struct across *found =
        n ? bsearch(&wanted, &folds->elsewhere.at[first], n, sizeof wanted, by_home) : NULL;
    return found ? folds_at(folds, vertex, found->part) : NULL;
}
