/** Who sends how much to whom: a hash table of the pairs that speak. */
#ifndef PARCAST_REPLAY_MATRIX_H
#define PARCAST_REPLAY_MATRIX_H

#include "parcast/replay.h"

struct matrix {
    parcast_replay_pair *places; /**< [mask + 1], a power of two; without messages: free */
    uint32_t mask;
    uint32_t n_pairs;
};

bool matrix_create(struct matrix *matrix);
void matrix_destroy(struct matrix *matrix);

/** Count a message; false when memory is short. Cost: O(1). */
bool matrix_add(struct matrix *matrix, uint32_t source, uint32_t destination, int64_t bytes);

/** The pairs, by source and then destination; the matrix is empty afterwards. Cost: O(n log n). */
parcast_replay_pair *matrix_take(struct matrix *matrix, size_t *n_pairs);

#endif
