/* In memory a pass slides down by one cell: new w[n] lies where old w[n-1] was, so the update is
 * cell = g + q * cell, without a dependence between cells. The equations are in convolution.c. */
#include "product.h"

#include <string.h>

static const double TINY = 1e-100;
static const double HUGE_SUM = 1e150;

/*
 * out[i] = in[i] + r out[i-1]; returns the last one; out may be in. A block of four waits for the block
 * before only at its end, so that the processor works on several at once.
 */
static double recur(const double *in, double r, size_t n, double *out)
{
    double r2 = r * r, r3 = r2 * r, r4 = r2 * r2, value = 0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        double a = in[i], b = in[i + 1] + r * a, c = in[i + 2] + r * b, d = in[i + 3] + r * c;
        out[i] = a + r * value;
        out[i + 1] = b + r2 * value;
        out[i + 2] = c + r3 * value;
        out[i + 3] = value = d + r4 * value;
    }
    for (; i < n; i++) out[i] = value = in[i] + r * value;
    return value;
}

/* Tail of the station, upward: w[n] = g[n] + r w[n-1]. */
static void close_tail(const struct vector *g, double r, size_t limit, struct product *p)
{
    double *w = p->w + p->shift;
    size_t last = g->hi < limit ? g->hi : limit, n = last + 1;
    double value = recur(g->value + g->lo, r, last - g->lo + 1, w + g->lo);
    for (; n <= limit; n++) {
        value *= r;
        if (value < TINY) break;
        w[n] = value;
    }
    p->lo = g->lo;
    p->hi = n - 1;
}

/* The derivative of the same: w'[n] = r (w[n-1] + w'[n-1]). */
static void close_tail_derivative(double r, struct product *p)
{
    const double *w = p->w + p->shift + p->lo;
    double *derivative = p->derivative + p->shift + p->lo;
    size_t n = p->hi - p->lo;
    derivative[0] = 0;
    for (size_t i = 0; i < n; i++) derivative[i + 1] = r * w[i];
    (void)recur(derivative + 1, r, n, derivative + 1);
}

static void scale_add(double *restrict cell, const double *restrict g, double gamma, double q, size_t n)
{
    if (gamma == 1)
        for (size_t i = 0; i < n; i++) cell[i] = g[i] + q * cell[i];
    else
        for (size_t i = 0; i < n; i++) cell[i] = gamma * g[i] + q * cell[i];
}

static void scale(double *cell, double q, size_t n)
{
    for (size_t i = 0; i < n; i++) cell[i] *= q;
}

static void differentiate(double *restrict derivative, const double *restrict cell, double q, size_t n)
{
    for (size_t i = 0; i < n; i++) derivative[i] = q * (cell[i] + derivative[i]);
}

/* One pass w[n] = gamma g[n] + q w[n-1], with its derivative if asked. */
static void pass(const struct vector *g, double gamma, double q, size_t limit, bool derive, struct product *p)
{
    size_t top = p->hi < limit ? p->hi + 1 : limit;
    size_t last = g->hi < top ? g->hi : top;
    double *w = p->w + --p->shift;
    if (derive) {
        double *derivative = p->derivative + p->shift;
        differentiate(derivative + p->lo + 1, w + p->lo + 1, q, top - p->lo);
        derivative[p->lo] = 0;
    }
    w[p->lo] = gamma * g->value[p->lo];
    scale_add(w + p->lo + 1, g->value + p->lo + 1, gamma, q, last - p->lo);
    scale(w + last + 1, q, top - last);
    p->hi = top > last && w[top] < TINY ? top - 1 : top;
}

/* fmax would keep the loop from being vectorised. */
static double largest_of(const double *values, size_t n)
{
    double most = 0;
#pragma omp simd reduction(max : most)
    for (size_t i = 0; i < n; i++) most = values[i] > most ? values[i] : most;
    return most;
}

/* Largest w; at least one entry is positive. */
static double largest(const struct product *p)
{
    return largest_of(p->w + p->shift + p->lo, p->hi - p->lo + 1);
}

/* Scaled, and what is too small to count dropped. */
static void scale_and_drop(const double *from, double factor, size_t n, double *to)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        double value = from[i] * factor;
        to[i] = value < TINY ? 0 : value;
    }
}

static void shrink(struct product *p, bool derive, double factor)
{
    size_t first = p->shift + p->lo, n = p->hi - p->lo + 1;
    scale_and_drop(p->w + first, factor, n, p->w + first);
    if (derive) scale_and_drop(p->derivative + first, factor, n, p->derivative + first);
}

void product_multiply(const struct shape *shape, double y, const struct vector *g, size_t limit, bool derive,
                      struct product *p)
{
    double tail = y / shape_rate(shape, shape->m);
    p->shift = shape->m - 1;
    close_tail(g, tail, limit, p);
    if (derive) close_tail_derivative(tail, p);
    double gamma = 1, bound = tail < 1 ? 1 / (1 - tail) : HUGE_SUM; /* max g is 1 */
    for (size_t j = shape->m - 1; j >= 1; j--) {
        double q = y / shape_rate(shape, j);
        bound = gamma + q * bound;
        if (bound > HUGE_SUM) {
            double factor = 1 / largest(p);
            shrink(p, derive, factor);
            gamma = gamma * factor < TINY ? 0 : gamma * factor;
            bound = gamma + q;
        }
        pass(g, gamma, q, limit, derive, p);
    }
}

void product_settle(const struct product *p, struct vector *g)
{
    const double *w = p->w + p->shift;
    double factor = 1 / largest(p);
    g->lo = p->lo;
    g->hi = p->hi;
    while (w[g->lo] * factor < TINY) g->lo++;
    while (w[g->hi] * factor < TINY) g->hi--;
    scale_and_drop(w + g->lo, factor, g->hi - g->lo + 1, g->value + g->lo);
}

/* From the mode outward. */
void vector_of_delay(double mean, size_t limit, struct vector *g)
{
    size_t mode = mean < (double)limit ? (size_t)mean : limit;
    g->value[mode] = 1;
    for (g->lo = mode; g->lo > 0; g->lo--) {
        double value = g->value[g->lo] * (double)g->lo / mean;
        if (value < TINY) break;
        g->value[g->lo - 1] = value;
    }
    for (g->hi = mode; g->hi < limit; g->hi++) {
        double value = g->value[g->hi] * mean / (double)(g->hi + 1);
        if (value < TINY) break;
        g->value[g->hi + 1] = value;
    }
}

void vector_copy(const struct vector *from, struct vector *to)
{
    to->lo = from->lo;
    to->hi = from->hi;
    memcpy(to->value + to->lo, from->value + from->lo, (from->hi - from->lo + 1) * sizeof *from->value);
}

void vector_cut(struct vector *g, size_t lo)
{
    if (g->lo >= lo) return;
    g->lo = lo < g->hi ? lo : g->hi;
    double most = largest_of(g->value + g->lo, g->hi - g->lo + 1);
    if (most > 0) scale_and_drop(g->value + g->lo, 1 / most, g->hi - g->lo + 1, g->value + g->lo);
}

double product_weigh(const struct product *p, const struct vector *reversed, size_t n)
{
    size_t lo = n - reversed->hi, hi = n - reversed->lo;
    if (lo < p->lo) lo = p->lo;
    if (hi > p->hi) hi = p->hi;
    const double *w = p->w + p->shift, *derivative = p->derivative + p->shift;
    double sum = 0, weighted = 0;
#pragma omp simd reduction(+ : sum, weighted)
    for (size_t i = lo; i <= hi; i++) {
        sum += reversed->value[n - i] * w[i];
        weighted += reversed->value[n - i] * derivative[i];
    }
    return weighted / sum;
}
