/* What sums are of. */
#ifndef PARCAST_VALUEFLOW_SOURCES_H
#define PARCAST_VALUEFLOW_SOURCES_H

#include "valueflow/graph/graph.h"

/** Sets span, n_summed, n_terms, source and source_words of all arrays. */
parcast_status sources_find(parcast_values *values);

#endif
