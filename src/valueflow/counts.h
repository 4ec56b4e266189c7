/*
 * Words of a distribution, kept up to date while vertices move one by one. Every set knows its readers and
 * its homes in each part; a reader that gets partial sums knows its terms there:
 *
 *     a set costs   the versions of its homes outside of b, for every part b with readers         (1)
 *     a sum costs   its versions, for every part other than its own with terms                    (2)
 *
 * Which readers get partial sums is settled at the beginning, from the distribution at hand. A term whose
 * labels lie in several parts counts in each of them, which is no more than sending them.
 */
#ifndef PARCAST_VALUEFLOW_COUNTS_H
#define PARCAST_VALUEFLOW_COUNTS_H

#include "valueflow/incidence.h"

/* Versions of a vertex that are sums of the same terms. */
struct counted_sum {
    uint32_t vertex, versions, spread; /* spread: parts that have terms */
    uint32_t most;                     /* times that one vertex is a term of it */
};

struct counts {
    const parcast_values *values;
    struct incidence at;
    size_t p;
    uint32_t *part;
    uint32_t *pins;              /* [n_sets * p] readers of the set in a part */
    uint64_t *homes;             /* [n_sets * p] versions of its homes there */
    uint64_t *total;             /* [n_sets] versions */
    uint32_t *spread;            /* [n_sets] parts that have readers or homes */
    size_t n_words;              /* of a mask of parts */
    uint64_t *read_in, *made_in; /* [n_sets * n_words] masks: parts that have readers, that have homes */
    uint64_t *added_in;          /* [n_sums * n_words] parts that have terms */
    bool *adds;                  /* [n_vertices] readers that get partial sums */
    struct counted_sum *sums;
    uint32_t n_sums, *sum_first;     /* [n_vertices + 1] sums of a vertex, which lie together */
    uint32_t *terms;                 /* [n_sums * p] labels of terms in a part */
    uint64_t *term_first;            /* [n_vertices + 1] into term_sums */
    uint32_t *term_sums;             /* sums that a vertex is a term of, one for each time */
    double *work;                    /* [p] */
    uint32_t now;                    /* moves so far */
    uint32_t *set_moved, *sum_moved; /* [n_sets], [n_sums] number of the last move that changed a gain */
};

/** `adds` as of graph_find_adding() for this distribution where it is known, or NULL. `made` is false where
 * there are too many sets, terms and parts to keep all of it. */
parcast_status counts_make(const parcast_values *values, size_t n_parts, uint32_t *part, const bool *adds,
                           struct counts *counts, bool *made);
void counts_clear(struct counts *counts);
/** Is everything that v reads and everyone that reads it in its own part? */
bool counts_inside(const struct counts *counts, uint32_t v);
/** Has anything moved that v's gains depend on, since so many moves? */
bool counts_have_changed(const struct counts *counts, uint32_t v, uint32_t since);
/** Words saved by moving v from its part to every other, [p]; near, a mask: the parts that have anything to
 * do with it. Those of its own part mean nothing. */
void counts_gains(const struct counts *counts, uint32_t v, int64_t *gain, uint64_t *near);
void counts_move(struct counts *counts, uint32_t v, uint32_t b);

#endif
