/**
 * Factors of one class's generating function and their product: vectors over 0..N that carry their window.
 * The idea and the numbers: convolution.c.
 */
#ifndef PARCAST_QUEUEING_PRODUCT_H
#define PARCAST_QUEUEING_PRODUCT_H

#include "closed.h"

/** Values at lo..hi; everything outside is 0 and its memory undefined. */
struct vector {
    double *value;
    size_t lo, hi;
};

/** The product under construction: value n lies at cell n + shift. */
struct product {
    double *w, *derivative; /* [n_cells] */
    size_t shift, lo, hi;
};

/** mean^n / n! for n up to a limit, relative to the largest: delays alone. */
void vector_of_delay(double mean, size_t limit, struct vector *g);
void vector_copy(const struct vector *from, struct vector *to);
/** Entries below lo meet only zeros from here on. */
void vector_cut(struct vector *g, size_t lo);

static inline double vector_at(const struct vector *g, size_t n)
{
    return n >= g->lo && n <= g->hi ? g->value[n] : 0;
}

/** f * g into the product, up to index limit, f that of a station with y = tilt x demand; if asked with the
 * derivative in ln y. */
void product_multiply(const struct shape *shape, double y, const struct vector *g, size_t limit, bool derive,
                      struct product *p);
/** The product as a vector with maximum 1 and without what is negligible. */
void product_settle(const struct product *p, struct vector *g);
/** Mean number at the station from the product and its derivative, weighted with a vector that is reversed
 * from population n. */
double product_weigh(const struct product *p, const struct vector *reversed, size_t n);

#endif
