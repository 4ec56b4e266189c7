/* From a vertex to the sums that it is a term of, and to those that are its own. */
#ifndef PARCAST_VALUEFLOW_TERMS_H
#define PARCAST_VALUEFLOW_TERMS_H

#include "valueflow/graph/graph.h"

/** What is listed in all: it must fit into memory. */
#define TERMS_MOST (UINT64_C(1) << 26)

/** Sums are numbers of chains. */
struct terms {
    uint32_t *own_first; /* [n_vertices + 1] chains of a vertex, which lie together */
    uint64_t *first;     /* [n_vertices + 1] into sums */
    uint32_t *sums;      /* sums that a vertex is a term of, ascending, one for each time */
    uint32_t *most;      /* [n_chains] times that one vertex is a term of it */
};

/** Labels of the terms of all sums. */
uint64_t terms_count(const parcast_values *values);
/** `adds` [n_vertices]: whose sums; NULL: all. To be cleared. */
parcast_status terms_make(const parcast_values *values, const bool *adds, struct terms *terms);
void terms_clear(struct terms *terms);

#endif
