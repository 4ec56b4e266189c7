/* What results are computed from, seen from the words that read them. */
#ifndef PARCAST_VALUEFLOW_REACH_H
#define PARCAST_VALUEFLOW_REACH_H

#include "valueflow/graph/graph.h"

enum { REACH_SOURCES = 12, REACH_RESULTS = 3 };

/** Words that a result reads, up to REACH_SOURCES of them: source[v * REACH_SOURCES + i], i < n[v]. */
struct reach {
    uint32_t *source;
    uint8_t *n;
};

parcast_status reach_make(const parcast_values *values, struct reach *reach);
/** Words that are read through up to REACH_RESULTS results, one behind the other, come behind these. */
parcast_status reach_deepen(const parcast_values *values, struct reach *reach);
void reach_clear(struct reach *reach);

/** Calls `tell` for pairs of words of one shape where the second is computed from the first, at once or
 * through one result, or as many as the reach is deep. Of a large graph one in reach_pairs_every() runs of
 * neighbouring sets tells as much as all. */
void reach_pairs(const parcast_values *values, const struct reach *reach,
                 void (*tell)(void *context, uint32_t from, uint32_t to), void *context);
uint32_t reach_pairs_every(const parcast_values *values);

#endif
