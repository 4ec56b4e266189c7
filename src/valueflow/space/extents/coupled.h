/* Cells of a few words all of which have to do with each other, as conserved quantities of a flow and modes
 * of an element have, and with any of those of the cells beside. */
#ifndef PARCAST_VALUEFLOW_COUPLED_H
#define PARCAST_VALUEFLOW_COUPLED_H

#include "valueflow/graph/graph.h"

/** How many words a cell has in arrays of so many words: what reads one of their words, other than at its own
 * place, or more than one of a word of another array, are whole cells (at most GRID_MOST_FIELDS words); or
 * what reads one of their words are all words of its own cell, and seldom as many from any other place on (at
 * most 16 words). 0: there are none. */
uint32_t coupled_words(const parcast_values *values, uint64_t words);

#endif
