/* From a vertex to the sets that it is a pin of and to the nets whose home it is. */
#ifndef PARCAST_VALUEFLOW_INCIDENCE_H
#define PARCAST_VALUEFLOW_INCIDENCE_H

#include "valueflow/graph/graph.h"

struct incidence {
    uint32_t *set_first, *net_first; /* [n_vertices + 1] */
    uint32_t *sets;                  /* set << 1 | 1 if the pin adds up; sets stay below 2^31 */
    uint32_t *net_sets, *net_counts; /* of the nets whose home it is: their set, their count */
    uint64_t *versions;              /* [n_sets] of all its homes */
};

parcast_status incidence_make(const parcast_values *values, struct incidence *incidence);
void incidence_clear(struct incidence *incidence);

#endif
