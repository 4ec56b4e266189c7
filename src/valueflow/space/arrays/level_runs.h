/* Words in a row that are as far as each other from what is computed of them. */
#ifndef PARCAST_VALUEFLOW_LEVEL_RUNS_H
#define PARCAST_VALUEFLOW_LEVEL_RUNS_H

#include "valueflow/graph/graph.h"

struct level_runs {
    uint64_t
        words; /* of an array; 0: it is one mesh, as some of them tell, or there are too many to look at */
    size_t *first; /* [words + 1] */
    uint32_t *pin; /* what is computed of a word: of no set twice, in ascending order */
    /* [words + 1] how many pairs of those that are alike reach from a word or one before to one behind: but
     * for the first and the last in a row, and all of them. */
    int32_t *within, *across;
    uint64_t n_alike;
};

/** Is it an array of such words that may be parted? */
bool level_runs_are_of(const struct graph_array *array, uint64_t words);
/** What arrays of so many words tell. False: out of memory. */
bool level_runs_find(const parcast_values *values, uint64_t words, struct level_runs *runs);
void level_runs_clear(struct level_runs *runs);

#endif
