/* Readings of a grid that somebody asks for. */
#ifndef PARCAST_VALUEFLOW_ASKED_H
#define PARCAST_VALUEFLOW_ASKED_H

#include "valueflow/distribution/grid.h"

/** A part with half as much work again as the mean: the grid was not meant like this. */
bool asked_is_lopsided(const parcast_flow *flow);
/** Words of blocks that are given to divide the work: sums stay with them where their terms would be somebody
 * else's work. */
parcast_status asked_evaluate(const parcast_values *values, const struct grid_choice *choice,
                              parcast_flow *flow, uint32_t *part, parcast_error *error);
/** The array and the extents that `choice->grid` cuts: those that are given, or what the use of an array
 * tells.
 */
parcast_status asked_find_extents(const parcast_values *values, const parcast_extents *extent,
                                  struct grid_choice *choice, parcast_error *error);
/** The extents of an array of lines, each of which hangs together and with no other one; false: it is none,
 * or there is no memory. */
bool asked_find_lines(const parcast_values *values, uint32_t array, parcast_extents *extents);
/** Does another array, which is written, tell extents without a rest, where rows of the one that was chosen
 * leave some, or less than half as many of its pairs are neighbours in them? Fluxes through faces in a list
 * have rows by chance; those of the cells are the mesh. */
bool asked_has_better_rows(const parcast_values *values, const struct grid_choice *choice, uint32_t array,
                           parcast_extents *extents);
/** So few words, and less than half of any other dimension. */
bool asked_is_few(const parcast_extents *extents, size_t which);
/** May this dimension stay uncut, as fields or rows do? */
bool asked_is_plausible(const parcast_extents *extents, size_t uncut);
/** Are extents in three dimensions none of an array that shows as this plane? */
bool asked_contradicts(const parcast_values *values, uint32_t array, const parcast_extents *plane,
                       const parcast_extents *extents);
/** Of two readings of a grid the one that divides the work, then the one that does so much more evenly with
 * hardly more words, then the one with fewer words, or more evenly; `best` may be of none yet. */
bool asked_is_meant(const parcast_flow *flow, const parcast_flow *best);
/** Likewise of one that nothing tells: it has to save more than a few words. */
bool asked_is_clearly_meant(const parcast_flow *flow, const parcast_flow *best);
/** Is a grid of p parts on data meant for the sums over it, as for the rows of a matrix that a vector is
 * multiplied by? */
bool asked_of_rows(const parcast_values *values, uint32_t data, uint32_t sums, size_t p);
/** Are the words of an array sums of several times as many data as they are, or does it come of such sums of
 * its shape? Then these data may be what is divided, however many parts there are. */
bool asked_is_of_more(const parcast_values *values, uint32_t array);
/** Data that are only read and have rows of a few words, of which each term of the sums is computed: how
 * many; 0 where they have none. */
uint64_t asked_row_of_data(const parcast_values *values, uint32_t data);
/** Extents of an array of planes that take turns become those of a plane; false: there is none of them. */
bool asked_leave_planes(const parcast_values *values, parcast_extents *extents);
/** Likewise a grid that does not cut between these planes. */
bool asked_leave_uncut(const parcast_values *values, parcast_extents *grid);
/** Extents of tiles and their words become those of all words together; false: no array has such tiles. */
bool asked_join_tiles(const parcast_values *values, parcast_extents *extents);
/** Likewise a grid that cuts between tiles, given like their extents; with NULL those of the index array. */
void asked_join_cuts(const parcast_values *values, const parcast_extents *extents, parcast_extents *grid);

#endif
