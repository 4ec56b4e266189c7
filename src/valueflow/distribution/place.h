/* Ways to give every vertex a part. */
#ifndef PARCAST_VALUEFLOW_PLACE_H
#define PARCAST_VALUEFLOW_PLACE_H

#include "valueflow/space/space.h"

/* What moves stays this far below what a part may have, so that rounding makes no part too full. */
#define PLACE_ROUNDING 1e-9

/** Blocks of the array of a space, of the grid or, where it is not NULL, the parts of the cells in `halved`;
 * GRAPH_NONE where they do not decide. Arrays of the same shape that are written get the same blocks, with
 * `like_arrays` also those that are only read. */
parcast_status graph_place_blocks(const parcast_values *values, const struct space *space,
                                  const parcast_extents *grid, const uint32_t *halved, bool like_arrays,
                                  uint32_t *part, parcast_error *error);
/** Vertices without a part whose sources have one, all of them the same, get that; how many did. */
parcast_status graph_place_by_sources(const parcast_values *values, uint32_t *part, uint32_t *n_placed,
                                      parcast_error *error);
/** Give the vertices that have no part one where their readers and sources are, */
parcast_status graph_follow_readers(const parcast_values *values, size_t n_parts, const bool *fixed,
                                    uint32_t *part, parcast_error *error);
/** and factors one by graph_place_factors(). */
parcast_status graph_follow(const parcast_values *values, size_t n_parts, const bool *fixed, uint32_t *part,
                            parcast_error *error);
/** Put inputs and products that one sum alone reads where the rest of their terms lies, or where the sum
 * does, whichever is fewer words; false without memory. */
bool graph_place_factors(const parcast_values *values, size_t n_parts, const bool *fixed, uint32_t *part);
/** Move vertices that are not fixed while that saves words and keeps the work balanced: no part above
 * (1 + imbalance) of the mean. `adds`: as of graph_find_adding() for `part` where it is known, or NULL.
 * `moved` (may be NULL): whether any has. */
parcast_status graph_refine(const parcast_values *values, size_t n_parts, const bool *fixed, double imbalance,
                            const bool *adds, uint32_t *part, bool *moved, parcast_error *error);

/** The same, where sums of few values read them rather than getting partial sums. */
parcast_status graph_refine_freely(const parcast_values *values, size_t n_parts, const bool *fixed,
                                   double imbalance, uint32_t *part, parcast_error *error);

/** Move vertices out of parts that are above (1 + imbalance) of the mean, for as few words as that takes, as
 * far as there is room beside them (relieve.c). */
parcast_status graph_relieve(const parcast_values *values, size_t n_parts, double imbalance, uint32_t *part,
                             parcast_error *error);

/** Move all words at once to the part that most of what they are computed from is in, if that is fewer than
 * `words` and no less even than allowed. `flow` is that of the parts then, to be cleared; processes 0:
 * nothing has moved. */
parcast_status graph_move_to_sources(const parcast_values *values, size_t n_parts, double allowed,
                                     uint64_t words, uint32_t *part, parcast_flow *flow,
                                     parcast_error *error);

/** Move vertices of a small graph, uphill too (climb.c), until the work is balanced and nothing
 * saves words. */
parcast_status graph_climb(const parcast_values *values, size_t n_parts, double imbalance, uint32_t *part,
                           parcast_error *error);

/** The first vertex of a vertex's piece, and two pieces made one: `up` [n_vertices] is each vertex itself at
 * first. */
uint32_t graph_root(uint32_t *up, uint32_t vertex);
void graph_join(uint32_t *up, uint32_t a, uint32_t b);

/** `up` of the pieces that hang together otherwise than through hubs, to be freed; NULL without memory. */
uint32_t *graph_near_pieces(const parcast_values *values);
/** Pieces that hang together only through hubs, whole; hubs stay GRAPH_NONE. `placed` is false where a piece
 * is more than its share. */
parcast_status graph_place_components(const parcast_values *values, size_t n_parts, uint32_t *part,
                                      bool *placed, parcast_error *error);
/** Which of the pieces that hang together only through hubs and have a 32nd of the work or more a vertex is
 * of, from 1; 0 for the others, and everywhere where there is but one. `piece` [n_vertices] is to be freed.
 */
parcast_status graph_find_pieces(const parcast_values *values, uint32_t **piece, uint32_t *n_pieces,
                                 parcast_error *error);
/** What METIS makes of the vertices with work; others stay GRAPH_NONE. The objective is the volume, or,
 * by_cut, the cut of edges as heavy as their values are many: in a coarse graph a vertex has many values of
 * which few cross each border, and in a large one the volume takes too long. `placed` is false where it
 * cannot. `hub`: what is not shown to it (shown.h). */
parcast_status graph_partition(const parcast_values *values, size_t n_parts, int seed, uint32_t hub,
                               bool by_cut, uint32_t *part, bool *placed, parcast_error *error);
/** A mesh that is numbered at random is laid out by how far vertices are from each other, and cut in two
 * again and again where that is fewest words (unfold.c). leave_terms: words that are read once, by sums, are
 * left GRAPH_NONE, to go with what they are computed from. `placed` is false where most is not one piece. */
parcast_status graph_unfold(const parcast_values *values, size_t n_parts, bool leave_terms, uint32_t *part,
                            bool *placed, parcast_error *error);

#endif
