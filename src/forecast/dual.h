/*
 * Forward-mode derivatives: a value with its gradient with respect to the fitted parameters.
 *
 * The cluster model is computed in these numbers, so the Jacobian that the fit needs and the gradient that
 * the interval needs are exact, piece by piece, and cannot drift apart from the model.
 * Source: R. E. Wengert, A simple automatic derivative evaluation program, CACM 7(8), 1964.
 */
#ifndef PARCAST_FORECAST_DUAL_H
#define PARCAST_FORECAST_DUAL_H

#include <math.h>

enum { DUAL_N = 9 };

typedef struct dual {
    double v;
    double d[DUAL_N];
} dual;

static inline dual dual_constant(double v)
{
    dual r = {.v = v};
    return r;
}

/* Parameter i with value v: its own derivative is 1. */
static inline dual dual_variable(double v, int i)
{
    dual r = {.v = v};
    r.d[i] = 1;
    return r;
}

static inline dual dual_add(dual a, dual b)
{
    a.v += b.v;
    for (int i = 0; i < DUAL_N; i++) a.d[i] += b.d[i];
    return a;
}

static inline dual dual_subtract(dual a, dual b)
{
    a.v -= b.v;
    for (int i = 0; i < DUAL_N; i++) a.d[i] -= b.d[i];
    return a;
}

static inline dual dual_scale(dual a, double factor)
{
    a.v *= factor;
    for (int i = 0; i < DUAL_N; i++) a.d[i] *= factor;
    return a;
}

/* a + factor b */
static inline dual dual_axpy(dual a, double factor, dual b)
{
    a.v += factor * b.v;
    for (int i = 0; i < DUAL_N; i++) a.d[i] += factor * b.d[i];
    return a;
}

static inline dual dual_multiply(dual a, dual b)
{
    dual r = {.v = a.v * b.v};
    for (int i = 0; i < DUAL_N; i++) r.d[i] = a.d[i] * b.v + a.v * b.d[i];
    return r;
}

static inline dual dual_divide(dual a, dual b)
{
    dual r = {.v = a.v / b.v};
    for (int i = 0; i < DUAL_N; i++) r.d[i] = (a.d[i] - r.v * b.d[i]) / b.v;
    return r;
}

static inline dual dual_exp(dual a)
{
    double e = exp(a.v);
    dual r = {.v = e};
    for (int i = 0; i < DUAL_N; i++) r.d[i] = e * a.d[i];
    return r;
}

static inline dual dual_log(dual a)
{
    dual r = {.v = log(a.v)};
    for (int i = 0; i < DUAL_N; i++) r.d[i] = a.d[i] / a.v;
    return r;
}

static inline dual dual_max(dual a, dual b)
{
    return a.v >= b.v ? a : b;
}

#endif
