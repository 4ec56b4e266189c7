/*
 * A large graph made small enough to be searched: vertices whose places in the index spaces fall into the
 * same block of cells are one. The blocks are as many along each dimension as a multiple of the parts, so
 * that the blocks of every grid of so many parts consist of whole ones.
 */
#ifndef PARCAST_VALUEFLOW_COARSE_H
#define PARCAST_VALUEFLOW_COARSE_H

#include "valueflow/search/contract.h"
#include "valueflow/space/space.h"

enum { COARSE_SPACES = GRAPH_INDEX_ARRAYS * PARCAST_MAX_EXTENTS };

struct coarse {
    struct contraction small;
    uint32_t arrays[GRAPH_INDEX_ARRAYS]; /* index arrays */
    size_t n_arrays, n_first;            /* as of graph_index_arrays */
    struct space fine[COARSE_SPACES],
        shapes[COARSE_SPACES]; /* cells; blocks of cells: the finest of each array, of a near graph all */
    struct space kept[COARSE_SPACES]; /* of an exact graph that did not become small, for one that is near */
    size_t n_kept;
    size_t n, n_looked;     /* n_looked: index arrays, also those that nothing is computed of */
    bool has_shapes;        /* the first array has all its spaces, for a near graph that is to be made */
    uint32_t *piece;        /* [n_vertices] large pieces that hang together, numbered; the others are 0 */
    uint32_t n_pieces;      /* 2 or more, or none */
    uint32_t *piece_of;     /* [vertices of the small graph] */
    parcast_extents extent; /* that were given; n 0: none */
    bool is_near;           /* its words are near, not exact (contract.h) */
    size_t n_bases;         /* near: arrays whose blocks stay apart */
    bool is_clustered;      /* near: groups are what hangs together, wherever it is */
    bool is_scattered;      /* neighbours in the index spaces have little to do with each other */
    bool hopeless;          /* it would not be small */
};

/** The small graph for this many parts, made anew where the one at hand does not fit them. `made` is false
 * where the graph is small as it is or does not become so. */
parcast_status coarse_make(const parcast_values *values, const parcast_extents *extent, size_t n_parts,
                           struct coarse *coarse, bool *made, parcast_error *error);
void coarse_clear(struct coarse *coarse);

/** Move vertices of a distribution of the large graph that lie on its borders, where that saves words. `flow`
 * and `part` are replaced where it does. `looked` is false where nearly everything lies on borders. */
parcast_status coarse_sharpen(const parcast_values *values, size_t n_parts, double allowed_ratio,
                              uint32_t *part, parcast_flow *flow, bool *looked, parcast_error *error);

#endif
