/**
 * Who holds which part of a distributed array, and which bytes go from one rank to another when the number of
 * ranks changes. No MPI here.
 */
#ifndef PARCAST_ELASTIC_LAYOUT_H
#define PARCAST_ELASTIC_LAYOUT_H

#include "parcast/elastic.h"

typedef struct elastic_dim {
    int64_t size;
    parcast_elastic_kind kind;
    int64_t block;    /* CYCLIC */
    int64_t halo;     /* 0 in a saved layout */
    int parts;        /* 1 in a whole dimension */
    int64_t *offsets; /* BLOCK: [parts + 1] where the intervals begin, offsets[parts] = size; else NULL */
} elastic_dim;

/** Of an array over a number of ranks. Arrays without a distributed dimension are flattened to one. */
typedef struct elastic_layout {
    int64_t element_bytes;
    int n_dims;
    int n_ranks;
    elastic_dim dims[PARCAST_ELASTIC_MAX_DIMS];
} elastic_layout;

/**
 * @param[in]  weights [n_ranks] relative speeds, all positive; NULL: equal. For weighted dimensions
 * @return PARCAST_OK; PARCAST_INVALID (a shape that makes no sense; the text names the array);
 *         PARCAST_LIMIT (more than 2^62 bytes); PARCAST_MEMORY
 */
parcast_status elastic_layout_make(const parcast_elastic_shape *shape, int n_ranks, const double *weights,
                                   elastic_layout *layout, parcast_error *error);

/** The same without halo; what every rank holds is dealt in blocks, so that it is saved once. */
parcast_status elastic_layout_saved(const elastic_layout *layout, elastic_layout *saved,
                                    parcast_error *error);
void elastic_layout_clear(elastic_layout *layout);

/** True when both describe the same array (element and sizes), however it is dealt. */
bool elastic_layout_same_array(const elastic_layout *a, const elastic_layout *b);

/** Coordinate of a rank along a dimension. */
int elastic_layout_part(const elastic_layout *layout, int rank, int dim);
/** Own indices of a part, without halo. */
int64_t elastic_dim_count(const elastic_dim *dim, int part);
/** The smallest own index of a part that is not below `from`; dim->size if there is none. */
int64_t elastic_dim_next(const elastic_dim *dim, int part, int64_t from);
/** Global index of the `index`-th own one. */
int64_t elastic_dim_global(const elastic_dim *dim, int part, int64_t index);
/** Number of own indices below an own one. */
int64_t elastic_dim_local(const elastic_dim *dim, int part, int64_t global);

/** Bytes that a rank holds, with its halo. */
int64_t elastic_layout_bytes(const elastic_layout *layout, int rank);

/** Equal pieces of memory at equal distances on either side; all in bytes. A single one has no steps. */
typedef struct elastic_strided {
    int64_t source, target; /* where the first one begins */
    int64_t bytes, count;
    int64_t source_step, target_step;
} elastic_strided;

/** Called with what belongs together, in the order of the target. False ends the walk. */
typedef bool elastic_visit(void *context, const elastic_strided *runs);

/**
 * Everything that rank `to` of a layout has of what rank `from` of another holds; both describe the same
 * array.
 * @return PARCAST_OK; PARCAST_INTERRUPTED when the visitor ended it; PARCAST_MEMORY
 *
 * Cost: O(1) a visit; the common pattern of two cyclic layouts is found once over their common period. Rows
 * of a block, and the blocks of a cyclic dimension, are one visit.
 */
parcast_status elastic_walk(const elastic_layout *source, int from, const elastic_layout *target, int to,
                            elastic_visit *visit, void *context, parcast_error *error);

/** Copy all of it; the numbers are offsets to `from` and `to`. */
void elastic_copy_strided(unsigned char *to, const unsigned char *from, const elastic_strided *runs);

#endif
