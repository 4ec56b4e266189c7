/*
 * A space of cells: the index space of an array, in which every vertex of the graph has a place. Words of the
 * array and of those of its shape lie in their own cell, everything else in the middle of what it reads and
 * of what reads it. A distribution of the cells is one of the vertices.
 */
#ifndef PARCAST_VALUEFLOW_SPACE_H
#define PARCAST_VALUEFLOW_SPACE_H

#include "valueflow/graph/graph.h"

struct space {
    uint32_t array;
    parcast_extents extents;
    uint64_t low[PARCAST_MAX_EXTENTS], count[PARCAST_MAX_EXTENTS]; /* the box of written words */
    uint64_t n_cells;
    const struct once_turns *turns; /* of arrays of its shape; NULL: they lie as it does */
    const uint32_t *image; /* [words] of images of words at the end of the array (images.h), or NULL */
    uint32_t *cell; /* [n_vertices] in the box, row-major; GRAPH_NONE for what hangs together with nothing */
    bool *fixed;    /* [n_vertices] words of the array and of arrays of its shape */
};

/** Spaces of n divisions of one array; all of them or none. PARCAST_DATA where the region computes nothing of
 * the array. */
parcast_status space_make(const parcast_values *values, uint32_t array, const parcast_extents *extents,
                          size_t n, struct space *spaces, parcast_error *error);
void space_clear(struct space *space);

/** Is it a word of the array, or of one of its shape? */
bool space_has_place(const parcast_values *values, const struct space *space, uint32_t v);
/** Its place, in cells from the corner of the box. */
void space_find_place(const struct space *space, const struct graph_vertex *vertex, uint64_t *at);

/** PARCAST_INVALID where there are more parts than cells along a dimension. */
parcast_status space_check_grid(const parcast_values *values, const struct space *space,
                                const parcast_extents *grid, parcast_error *error);
/** Rectangular blocks; GRAPH_NONE where the cell is. Checks the grid. */
parcast_status space_cut(const parcast_values *values, const struct space *space, const parcast_extents *grid,
                         uint32_t *part, parcast_error *error);
/** Blocks of `width` cells dealt out to the parts of the grid in turn (block-cyclic), or there and back, from
 * the first part to the last one and then from that to the first one, along each dimension. */
void space_deal(const parcast_values *values, const struct space *space, const parcast_extents *grid,
                uint64_t width, bool back, uint32_t *part);
/** Blocks whose border cells go to a neighbour with room until none has more than so much above the mean.
 * `made` is false where that does not come about. */
parcast_status space_even(const parcast_values *values, const struct space *space, size_t n_parts,
                          double allowed_ratio, uint32_t *part, bool *made, parcast_error *error);
/** Blocks of equal work: cut in two again and again across the longest side of a box (Berger and Bokhari
 * 1987), a cell of a cut plane on either side. */
parcast_status space_bisect(const parcast_values *values, const struct space *space, size_t n_parts,
                            uint32_t *part, parcast_error *error);
/** The work that lies in each cell; [n_cells]. */
void space_add_up_work(const parcast_values *values, const struct space *space, double *work);
/** The cells in blocks of equal `work`: those of a grid with its cuts where that is equal, a cell of a cut
 * plane on either side; grid NULL: by bisection. `part` [n_cells] is that of a cell. */
parcast_status space_divide(const struct space *space, const parcast_extents *grid, size_t n_parts,
                            const double *work, uint32_t *part, parcast_error *error);
/** By bisection, with every cut between whole planes as long as no part gets more than so much above the mean
 * by that. */
parcast_status space_divide_planes(const struct space *space, size_t n_parts, const double *work,
                                   double most_ratio, uint32_t *part, parcast_error *error);

#endif
