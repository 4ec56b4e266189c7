/* Rows and planes of the words that one value is read by. */
#ifndef PARCAST_VALUEFLOW_RUNS_H
#define PARCAST_VALUEFLOW_RUNS_H

#include <stddef.h>
#include <stdint.h>

struct runs {
    uint64_t row;    /* how far the middles of two lines are apart; 0: not known yet, and what is counted */
    uint32_t *count; /* [most + 1] how often two lines, or two planes of them, are so far apart */
    uint64_t most;
    uint32_t all;
    uint64_t points, pieces; /* that were looked at */
};

/** Count what the places of `n` words tell, which are put in order. */
void runs_add(struct runs *runs, uint64_t *places, size_t n);
/** The distance that at least half of all are, among those that divide `words`; 0: there is none. */
uint64_t runs_distance(const struct runs *runs, uint64_t words);

#endif
