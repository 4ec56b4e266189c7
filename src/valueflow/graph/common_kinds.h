/* Homes that terms of sums have in common (common_factor.c). */
#ifndef PARCAST_VALUEFLOW_COMMON_KINDS_H
#define PARCAST_VALUEFLOW_COMMON_KINDS_H

#include "valueflow/graph/graph.h"

/* How a home occurs in the terms of sums of several: both ways in sums of different arrays is ALWAYS, too. */
enum { SELDOM = 0, ALWAYS = 1, VARIES = 2 };

/* Which terms of a stream have the same home in each turn of a loop. A turn may add several, `s += a * x[i] +
 * b * y[i]`: of these a period has so many, of which those whose bit is set have. n 0: there is none. */
struct period {
    unsigned char n, same;
};

/* The least number of terms that is a multiple of all periods. */
enum { PERIOD_ALL = 12 };

static inline bool period_is_same(struct period period, uint64_t term)
{
    return period.n && period.same >> term % period.n & 1;
}

struct common_kinds {
    unsigned char *kind;   /* [n_vertices] */
    struct period *period; /* [n_streams] */
};

static inline uint64_t length_of(const parcast_values *values, uint32_t stream)
{
    return values->stream_first[stream + 1] - values->stream_first[stream];
}

static inline const uint32_t *homes_of(const parcast_values *values, uint32_t stream)
{
    return values->stream_homes + values->stream_first[stream];
}

/** Of all homes; *any: is any ALWAYS there? Without memory as well as then they are to be cleared. O(homes of
 * all streams). */
parcast_status common_kinds_find(const parcast_values *values, struct common_kinds *kinds, bool *any);
void common_kinds_clear(struct common_kinds *kinds);

#endif
