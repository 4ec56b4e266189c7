/*
 * Words of a distribution, kept up to date while vertices move one by one. Every set knows its readers and
 * its homes in each part; a reader that gets partial sums knows its terms there:
 *
 *     a set costs   the versions of its homes outside of b, for every part b with readers         (1)
 *     a sum costs   its versions, for every part other than its own with terms                    (2)
 *
 * Which readers get partial sums is settled at the beginning, from the distribution at hand. A term whose
 * labels lie in several parts counts in each of them, which is no more than sending them.
 *
 * Most sets and sums lie in one part: nothing is kept of these until one of their vertices moves. Of the
 * others a record of 64-bit numbers each holds
 *
 *     set   spread | mask of readers | mask of homes | homes [p] | readers [p], 32 bits each
 *     sum   spread | mask of terms | labels of terms [p], 32 bits each
 */
#ifndef PARCAST_VALUEFLOW_COUNTS_H
#define PARCAST_VALUEFLOW_COUNTS_H

#include "valueflow/graph/incidence.h"
#include "valueflow/graph/terms.h"

/* In place of the number of a record. */
#define COUNTS_WITHIN UINT32_MAX       /* in one part */
#define COUNTS_UNREAD (UINT32_MAX - 1) /* the same, and nobody reads it */
#define COUNTS_NO_SUM (UINT32_MAX - 2) /* its vertex reads values */

struct counts_records {
    uint64_t *record;
    size_t size; /* of one */
    uint32_t n, *of;
    uint32_t *moved; /* number of the last move that changed a gain */
};

struct counts {
    const parcast_values *values;
    struct incidence at;
    size_t p, n_words; /* n_words: of a mask of parts */
    uint32_t *part;
    struct counts_records sets, sums; /* of [n_sets], of [n_chains] */
    bool *adds;                       /* [n_vertices] readers that get partial sums */
    bool *adds_or_chosen;             /* [n_vertices] they are no pins of what they add up */
    uint32_t n_adding;                /* sums of readers that get partial sums */
    const struct terms *terms;
    struct terms own_terms; /* where there are too many to be listed for all readers */
    double *carried; /* [n_vertices] work that moves with a vertex: its own, or the adding of what it is in
                        sums */
    double *work;    /* [p] */
    uint32_t now;    /* moves so far */
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
/** The part with most work, if that is more than `limit`; p where none has as much. */
uint32_t counts_fullest(const struct counts *counts, double limit);

#endif
