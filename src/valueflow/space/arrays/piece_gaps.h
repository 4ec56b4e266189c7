/* What words that are read together say of where one array ends and the next one begins. */
#ifndef PARCAST_VALUEFLOW_PIECE_GAPS_H
#define PARCAST_VALUEFLOW_PIECE_GAPS_H

#include "valueflow/graph/graph.h"

enum { MOST_PIECES = 128 };

/* One of the arrays in a block. */
struct piece {
    uint64_t first, words;
    uint64_t used, end; /* how many of its words there are, and where the last one ends, from `first` */
    uint32_t name, name_length; /* in the names of the file; of length 0: as the block */
};

/* A block, in words of the size that its largest have. */
struct pool {
    uint32_t object;
    uint32_t bytes; /* of a word */
    size_t n;
    struct piece *pieces; /* [n] from 0 on */
};

/** The piece of a word. */
size_t pool_piece_of(const struct pool *pool, uint64_t offset);
/** Pieces that another one does not end before, is_end[n] from 1 on, go on with the one before. */
void pool_join(struct pool *pool, const bool *is_end);
/** Take out where a piece begins in the midst of what is read as one array: the words of a row and its
 * neighbours in a stencil, say. The array of a vertex is the number of its pool, GRAPH_NONE where it is in
 * none. False: out of memory. */
bool piece_gaps_join(const parcast_values *values, struct pool *pools, size_t n_pools);

#endif
