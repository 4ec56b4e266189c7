/* Planes beside the box of written words that are part of what is cut, though nobody writes them: the first
 * row of a matrix that is factorised in place.
 */
#ifndef PARCAST_VALUEFLOW_READ_AFAR_H
#define PARCAST_VALUEFLOW_READ_AFAR_H

#include "valueflow/space/space.h"

/** Takes in planes at both ends of each dimension, half of whose words have values at least, that are read in
 * half of those of the box or more, as those at the ends of the box are. False when memory is out. */
bool read_afar_take_in(const parcast_values *values, struct space *space);

#endif
