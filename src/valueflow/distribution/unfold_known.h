/* Cuts of graphs that are known: those for 2, 4 and 8 parts begin with the same ones, and so do those with
 * and without terms left free. Searches for several numbers of parts may ask at once. */
#ifndef PARCAST_VALUEFLOW_UNFOLD_KNOWN_H
#define PARCAST_VALUEFLOW_UNFOLD_KNOWN_H

#include "valueflow/distribution/unfold.h"

/* Of a piece of n vertices, in the order that unfold->vertices has them in. */
struct unfold_cut {
    struct unfold_cut *next;
    uint64_t key; /* of the graph and of the vertices */
    double share; /* of the work that the lower side was to have */
    idx_t n;
    bool is_there;         /* false: someone is finding it */
    bool is_placed;        /* false: the piece does not hang together, and has no sides */
    unsigned char lower[]; /* n bits */
};

/** Of what a graph has to do with where its vertices are laid out. O(vertices + edges). */
uint64_t unfold_key(const struct shown *graph);
/** The cut of unfold's piece, waiting for whoever finds it already; *is_there: its sides are in unfold->best.
 * Otherwise it is to be found by the caller and settled. NULL without memory. */
struct unfold_cut *unfold_known(struct unfold *unfold, struct unfold_cut **cuts, double share,
                                bool *is_there);
/** Its sides are those in unfold->best. */
void unfold_settle(const struct unfold *unfold, struct unfold_cut *cut, bool is_placed);
void unfold_forget(struct unfold_cut *cuts);

#endif
