/* What an array is called that has two names. */
#ifndef PARCAST_VALUEFLOW_NAMES_H
#define PARCAST_VALUEFLOW_NAMES_H

#include "valueflow/load/load.h"

/**
 * Each object keeps one line of its name: the first one, of where it was allocated, or where this allocated
 * for several variables (the data of every vector of a library) the second one, of the variable that leads to
 * it.
 *
 * @return false when out of memory
 */
bool names_choose(struct values_file *file);

#endif
