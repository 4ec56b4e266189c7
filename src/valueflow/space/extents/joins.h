/* Words that have to do with others a row away. */
#ifndef PARCAST_VALUEFLOW_JOINS_H
#define PARCAST_VALUEFLOW_JOINS_H

#include "valueflow/space/extents/distances.h"

/** Does nothing in the last row of a plane of so many words have to do with the first row of the next one? */
bool joins_end(const struct distances *distances, uint64_t plane, uint64_t row);

#endif
