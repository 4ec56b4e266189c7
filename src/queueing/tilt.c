/*
 * The tilt: where the convolution keeps its mass.
 *
 * g(x) = exp(Z t x) prod_k f_k(t D_k x) is, up to scale, the distribution of the number of customers in a
 * system whose stations are independent. t is free; X(N) = t g[N-1]/g[N] does not depend on it, but the
 * floating-point numbers do. With the root of Z t + sum_k L_k(t D_k) = N,    L_k(y) = mean of the
 * distribution  y^j / (a(1)...a(j)),  j = 0, 1, ... the mean total is N, so that g[N] lies in the bulk. The
 * left side increases with t from 0 to infinity on (0, min_k a_k(m)/D_k): bisection on it, in ln t, cannot
 * fail. For c servers L is Erlang's y + B' y/(c - y); the series below gives the same and serves any rates.
 */
#include <float.h>
#include <math.h>

#include "closed.h"

/*
 * Sum over j < m term by term, the geometric tail from m on in closed form. The terms are scaled down
 * together before they overflow; what has become 0 by then had no weight.
 */
double queueing_open_mean(const struct shape *shape, double y)
{
    double term = 1, sum = 0, weighted = 0;
    double m = (double)shape->m;
    for (size_t j = 1; j <= shape->m; j++) {
        sum += term;
        weighted += (double)(j - 1) * term;
        term *= y / shape_rate(shape, j);
        if (weighted > 1e200 || term > 1e200) {
            double scale = 1 / fmax(weighted, term);
            term *= scale;
            sum *= scale;
            weighted *= scale;
        }
    }
    double ratio = y / shape_rate(shape, shape->m), rest = 1 - ratio;
    return (weighted + term * (m + ratio / rest) / rest) / (sum + term / rest);
}

static double mean_total(const struct closed_model *model, double t)
{
    double total = model->think_s[0] * t;
    for (size_t q = 0; q < model->n_stations; q++) {
        double y = t * model->demand_s[q];
        if (y >= shape_rate(&model->shape[q], model->shape[q].m)) return INFINITY;
        total += queueing_open_mean(&model->shape[q], y);
    }
    return total;
}

double queueing_tilt(const struct closed_model *model)
{
    double population = (double)model->population[0];
    double high = model->think_s[0] > 0 ? population / model->think_s[0] : DBL_MAX;
    for (size_t q = 0; q < model->n_stations; q++) {
        double limit = shape_rate(&model->shape[q], model->shape[q].m) / model->demand_s[q];
        high = fmin(high, limit);
    }
    double low = 0;
    for (int i = 0; i < 1100 && high - low > 1e-15 * high; i++) {
        double middle = low + (high - low) / 2, mean = mean_total(model, middle);
        if (fabs(mean - population) < 0.1 * sqrt(population))
            return middle; /* no total is narrower than that */
        if (mean < population)
            low = middle;
        else
            high = middle;
    }
    return low > 0 ? low : high / 2;
}
