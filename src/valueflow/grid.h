#ifndef PARCAST_VALUEFLOW_GRID_H
#define PARCAST_VALUEFLOW_GRID_H

#include "valueflow/space.h"

struct grid_choice {
    uint32_t array;
    parcast_extents grid, extents;
    const struct space *space; /* of the array and the extents; made where it is NULL */
    bool coarse;               /* vertices are groups, whose cells are blocks of words */
    double allowed_ratio;      /* imbalance of the work that borders may move to; 0: any */
    bool still;                /* nothing moves */
};

/** Words of blocks of an array; `part` [n_vertices] receives the distribution. */
parcast_status grid_evaluate(const parcast_values *values, const struct grid_choice *choice,
                             parcast_flow *flow, uint32_t *part, parcast_error *error);
/** Words before borders move; choice->space is given. */
parcast_status grid_evaluate_roughly(const parcast_values *values, const struct grid_choice *choice,
                                     parcast_flow *flow, parcast_error *error);
size_t grid_parts(const parcast_extents *grid);
/** A region of copies, or one part: every word stays where its value is. */
parcast_status grid_nothing_sent(size_t p, const char *name, parcast_flow *flow, parcast_error *error);
/** Names and sizes of the arrays as one text for a message. */
const char *grid_list_arrays(const parcast_values *values, char *text, size_t size);

#endif
