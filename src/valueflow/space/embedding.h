/* Places of vertices in spaces of cells, while they are looked for. */
#ifndef PARCAST_VALUEFLOW_EMBEDDING_H
#define PARCAST_VALUEFLOW_EMBEDDING_H

#include "valueflow/graph/incidence.h"
#include "valueflow/space/space.h"

/* All spaces of an array at once: the coordinates of one stand behind those of the other, and behind them
 * what the vertex weighs as a reader: nothing, where nobody knows where it is; less, while it has no place.
 */
struct embedding {
    const parcast_values *values;
    struct space *spaces;
    size_t n_spaces, d, stride; /* stride: a multiple of four, above d */
    struct incidence at;
    float *place,
        *next;         /* [n_vertices * stride], in cells from the corner of the box; next: sums of a round */
    uint64_t *sources; /* [n_vertices] homes that a vertex reads */
    float *weight;     /* [n_vertices] as a reader */
    bool *placed, *fixed;
    uint8_t *asking;  /* [n_vertices] in this round */
    uint32_t *active; /* sets of which somebody asks */
    size_t n_active;
    bool *overlaps; /* [n_sets] a home is also a reader, who is not asked of itself */
};

static inline float *place_of(const struct embedding *e, uint32_t v)
{
    return e->place + v * e->stride;
}

/** Brings words together that share a site (sites.c). False: out of memory. */
bool sites_gather(struct embedding *e);

/** Moves what lies between both ends of a dimension, as where space is periodic, to one of them (ends.c). */
void ends_join(struct embedding *e);

#endif
