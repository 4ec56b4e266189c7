/* Where the words of an array begin that are divided. */
#ifndef PARCAST_VALUEFLOW_FRONTS_H
#define PARCAST_VALUEFLOW_FRONTS_H

#include "valueflow/graph/graph.h"

/** Leave away the words before and behind the rows of an array that nothing is computed of: a header that an
 * allocator writes, or one word more than there are (`malloc((n * m + 1) * sizeof *a)`). Before anything is
 * made of the arrays. */
parcast_status fronts_trim(parcast_values *values);

#endif
