/* Which partial sums a distribution allows: reader v may take one word from part q instead of the values
 * there. */
#ifndef PARCAST_VALUEFLOW_FOLD_H
#define PARCAST_VALUEFLOW_FOLD_H

#include "valueflow/graph/graph.h"

struct fold {
    uint32_t vertex, part; /* the reader, and the part that would add up */
    double work_ratio;     /* share of the reader's terms that the part has */
    uint64_t cost;         /* versions of the reader that get such a word */
    uint32_t group;        /* union-find; folds that stand or fall together */
    uint64_t saved_words, group_cost;
    bool used;
    bool has_large, has_small; /* of a group: sums of very many values, and others */
    bool adds_up;              /* of a group, where each says for itself */
};

/* Homes, and other parts that evaluate a term with each, but do not receive all that they need of it. */
struct across_list {
    struct across {
        uint32_t home, part;
    } *at;
    size_t n, capacity;
};

struct folds {
    struct fold *fold;
    size_t n, capacity;
    uint32_t *first;              /* [n_vertices + 1] by vertex; NULL if there are no chains */
    struct across_list across;    /* by vertex, in order */
    size_t *across_first;         /* [n_vertices + 1] */
    bool *is_across;              /* [n_vertices] of homes in that list */
    struct across_list elsewhere; /* likewise homes, and the part that all terms of the vertex with each are
                                   * evaluated in: neither the home's nor the vertex's */
    size_t *elsewhere_first;      /* [n_vertices + 1] */
    const uint32_t *spread;       /* [n_vertices] number of a home that other parts receive anyway (once.h) */
    uint32_t *own_spread;         /* the same table where it is of this distribution only; NULL */
    uint64_t *lacking; /* [n_spread + 1][n_words] bits: parts that add it up, an input that many terms
                          have, but do not receive all of its versions otherwise; NULL: none */
    size_t n_words;
    bool any_lacking, any_shared; /* terms of several parts are evaluated in others than the sum's */
    bool is_lent;                 /* all but `fold` belongs to another one */
};

/** What is to be asked. at_sums: terms of several parts are evaluated where their sum is, whatever they read
 * there anyway. takes [n_vertices]: sums that are expected to take values, which other sums may then find
 * where these are; NULL: nothing is known of any. */
struct fold_question {
    const parcast_values *values;
    const uint32_t *part;
    size_t n_parts;
    bool at_sums;
    const bool *takes;
};
parcast_status folds_find(const struct fold_question *question, struct folds *folds);
/** The same, which nothing has been chosen of, for as long as the lender is there. */
parcast_status folds_lend(const struct folds *lender, struct folds *folds);
/** Might that tell more than nothing? */
bool folds_any_taken(const parcast_values *values, const bool *takes);
/** The fold of a reader for a part, or NULL. */
struct fold *folds_at(const struct folds *folds, uint32_t vertex, uint32_t part);
/** The fold of a reader of which all terms with the home are evaluated in a part that received it; NULL. */
struct fold *folds_at_elsewhere(const struct folds *folds, uint32_t vertex, uint32_t home);
/** Does the part evaluate a term of the vertex with the home, of which it may lack versions? */
bool folds_lack_across(const struct folds *folds, uint32_t vertex, uint32_t home, uint32_t q);
uint32_t folds_group(struct folds *folds, uint32_t fold);
void folds_join(struct folds *folds, uint32_t a, uint32_t b);
void folds_clear(struct folds *folds);

#endif
