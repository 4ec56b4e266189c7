/* Places of the vertices of a mesh that nothing but its edges tells. */
#ifndef PARCAST_VALUEFLOW_UNFOLD_H
#define PARCAST_VALUEFLOW_UNFOLD_H

#include "valueflow/distribution/shown.h"

enum { UNFOLD_AXES = 4, UNFOLD_LANDMARKS = 12, UNFOLD_BINS = 1 << 16 };

struct unfold_place {
    double at[UNFOLD_AXES];
};

struct unfold {
    const struct shown *graph;
    uint64_t key;               /* of the graph (unfold_known.h) */
    idx_t *vertices, n, *other; /* those of the piece that is laid out; room */
    uint32_t *part, piece;      /* [graph->n] piece: whose number they have there */
    int32_t *distance;          /* [graph->n][UNFOLD_LANDMARKS] to these; -1: none */
    int32_t *nearest;           /* [graph->n] to any of them */
    idx_t *queue;
    idx_t *index;                      /* [graph->n] of a vertex of the piece, among these: */
    idx_t *first, *beside;             /* [n + 1], [first[n]] by that, what is beside it in the piece */
    struct unfold_place *place, *next; /* [n] */
    int n_axes;                        /* that are asked for directions: the fourth may tell nothing */
    double *along, *work;              /* [n] in the direction at hand; of a row of bins */
    bool *lower;                       /* [n] of that direction, which side they are on */
    bool *best;                        /* [graph->n] the same of the best one, by vertex */
};

/** Gives the vertices of a piece their places, of which distances along any of four axes tell how far they
 * are apart (unfold_layout.c). False where most of its work does not hang together. */
bool unfold_lay_out(struct unfold *u);
/** Which side of a piece that is laid out they are, in best: the lower ones have `share` of its work. */
void unfold_split(struct unfold *u, double share);

#endif
