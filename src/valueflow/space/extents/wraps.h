/* Which rows words that are read together go round. */
#ifndef PARCAST_VALUEFLOW_WRAPS_H
#define PARCAST_VALUEFLOW_WRAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Pairs of words, the first of so many. */
struct wraps {
    struct wraps_pair {
        uint32_t low, distance;
    } *pairs;
    size_t n, capacity;
    bool is_full; /* there are more, or no memory for them: nothing is told then */
};

void wraps_note(struct wraps *wraps, uint64_t low, uint64_t distance);
void wraps_clear(struct wraps *wraps);

/** Do pairs go round rows of so many words as often as they would if these were none? False where too few of
 * them could tell, or not all are known. O(pairs + words). */
bool wraps_deny(const struct wraps *wraps, uint64_t words, uint64_t row);
/** The row, of those that divide so many words or are near to how far many of them are apart, that pairs go
 * round least, if that is seldom; hardly ever where no other one has been denied; 0: there is none.
 * O(pairs x such rows). */
uint64_t wraps_row(const struct wraps *wraps, uint64_t words, bool is_denied);
/** As wraps_deny, of planes of so many rows. */
bool wraps_deny_plane(const struct wraps *wraps, uint64_t words, uint64_t row, uint64_t rows);
/** Of rows of so many words those of a plane, which are found as rows are, or are how far all are apart of
 * which words are read together; 0: that tells none. */
uint64_t wraps_rows(const struct wraps *wraps, uint64_t words, uint64_t row);

#endif
