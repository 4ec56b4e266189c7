/* What is needed while the graph is made from the file. */
#ifndef PARCAST_VALUEFLOW_BUILD_H
#define PARCAST_VALUEFLOW_BUILD_H

#include "valueflow/graph/graph.h"
#include "valueflow/graph/pin_sets.h"
#include "valueflow/load/load.h"

struct build {
    struct values_file file;
    parcast_values *values;
    uint32_t *number; /* [n_vertices of the file] vertex + 1 that it is or that stands for it; 0: unused */
    unsigned char *seen, *step_seen;
    uint32_t *scratch; /* pins of the sets at hand */
    uint64_t scratch_capacity;
    struct pin_sets sets;
};

/** Vertex + 1 of a word of the file; 0: it is none, or another one stands for it. */
static inline uint32_t build_own_number(const struct build *b, uint32_t vertex)
{
    return values_file_root(&b->file, vertex) == vertex ? b->number[vertex] : 0;
}

parcast_status build_chains(struct build *b); /* sums.c */
/** The first segment that each is like: `same` [n_segments]; false without memory (alike.c). */
bool build_same_keys(const parcast_values *values, uint32_t *same);
parcast_status build_arrays(struct build *b); /* arrays.c */
/** Values that all terms of a sum have in common are read where its terms are: common_factor.c. */
parcast_status build_common(parcast_values *values);
void build_clear(struct build *b);

#endif
