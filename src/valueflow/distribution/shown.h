/* What a distribution of single vertices is shown of a graph: those with work, the inputs that several of
 * them read, and edges from homes to readers. */
#ifndef PARCAST_VALUEFLOW_SHOWN_H
#define PARCAST_VALUEFLOW_SHOWN_H

#include <metis.h>

#include "valueflow/graph/graph.h"

/* Vertices with more sources and sets of readers, and values with more readers, are hubs, which every
 * distribution cuts: in a small graph fewer make one. */
enum { SHOWN_HUB = 512, SHOWN_HUB_OF_SMALL = 64 };

/* As METIS takes it: what stands beside vertex v are other[first[v]] until other[first[v + 1]]. */
struct shown {
    idx_t *number, n; /* number[v] + 1 for vertices that are shown; what belongs together has one number */
    idx_t *first, *other, *weight;
    idx_t *work, *size; /* operations; versions that others read */
    bool is_too_large;  /* more edges than METIS can number */
};

/** Shows vertices of at most `hub` sources and sets of readers. by_cut: edges weigh as many values as go
 * along them, and 1 otherwise. */
parcast_status shown_make(const parcast_values *values, size_t n_parts, uint32_t hub, bool by_cut,
                          struct shown *shown);
/** Is there anything that is no hub of a large graph, but one of a small one? */
bool shown_has_small_hubs(const parcast_values *values);
/** False where one vertex is more than its share, or there are hardly more vertices than parts. */
bool shown_can_be_even(const struct shown *shown, size_t n_parts);
void shown_clear(struct shown *shown);

#endif
