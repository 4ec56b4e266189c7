#include "forecast/growth.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Sides longer than one of a balanced grid of n blocks in d dimensions: min(d, prime factors of n). */
static double split_sides(double n, int d)
{
    int sides = 0;
    long rest = lround(n);
    for (long factor = 2; factor * factor <= rest && sides < d; factor++)
        for (; rest % factor == 0 && sides < d; rest /= factor) sides++;
    return sides < d && rest > 1 ? sides + 1 : sides;
}

/* z with Phi(z) = p, 0.5 <= p < 1, by Newton's method from above the root's tangent. */
static double normal_quantile(double p)
{
    double z = 0;
    for (int i = 0; i < 50; i++) {
        double step = (p - 0.5 * erfc(-z * M_SQRT1_2)) / (0.39894228040143268 * exp(-0.5 * z * z));
        z += fmin(step, 1);
        if (fabs(step) < 1e-9) break;
    }
    return z;
}

/* Expected largest of n standard normal variables, to 5 % (Blom: the quantile of (n - 3/8)/(n + 1/4)). */
static double largest_of_normals(double n)
{
    return n > 1 ? normal_quantile((n - 0.375) / (n + 0.25)) : 0;
}

double growth_term_value(enum growth_term term, double n)
{
    switch (term) {
#define CASE(constant, function, text, reason)                                                               \
    case GROWTH_##constant:                                                                                  \
        return function;
        GROWTH_TERM_LIST(CASE)
#undef CASE
    case GROWTH_NONE:
        break;
    }
    return 0;
}

double growth_value(const struct growth *growth, double n)
{
    double y = 0;
    for (int t = 0; t < 2; t++)
        if (growth->form.term[t] != GROWTH_NONE)
            y += growth->c[t] * growth_term_value(growth->form.term[t], n);
    return y;
}

/* Values far below the largest one count as that small, not as infinitely important. */
static double scale_of(double y, double largest)
{
    return fmax(y, 1e-3 * largest);
}

static double largest_of(const struct growth_point *points, size_t n_points)
{
    double largest = 0;
    for (size_t i = 0; i < n_points; i++) largest = fmax(largest, points[i].y);
    return largest;
}

/* Weighted relative least squares of one form without the points of count `skip`; two terms by the normal
 * equations, falling back to the better single term when a coefficient would be negative. */
static void fit_form(const struct growth_point *points, size_t n_points, double skip, double largest,
                     const struct growth_form *form, double c[2])
{
    double a[2][2] = {{0}}, b[2] = {0};
    for (size_t i = 0; i < n_points; i++) {
        if (points[i].n == skip) continue;
        double s = scale_of(points[i].y, largest), w = points[i].weight;
        double f[2] = {growth_term_value(form->term[0], points[i].n) / s,
                       growth_term_value(form->term[1], points[i].n) / s};
        for (int j = 0; j < 2; j++) {
            b[j] += w * f[j] * points[i].y / s;
            for (int k = 0; k < 2; k++) a[j][k] += w * f[j] * f[k];
        }
    }
    double single[2] = {a[0][0] > 0 ? b[0] / a[0][0] : 0, a[1][1] > 0 ? b[1] / a[1][1] : 0};
    double determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    c[0] = fmax(single[0], 0);
    c[1] = 0;
    if (form->term[1] == GROWTH_NONE || determinant <= 1e-12 * a[0][0] * a[1][1]) return;
    double both[2] = {(b[0] * a[1][1] - b[1] * a[0][1]) / determinant,
                      (b[1] * a[0][0] - b[0] * a[1][0]) / determinant};
    if (both[0] >= 0 && both[1] >= 0) {
        c[0] = both[0];
        c[1] = both[1];
    } else if (both[0] < 0) { /* gain of a single term j in squared residuals: b_j^2 / a_jj */
        c[0] = 0;
        c[1] = fmax(single[1], 0);
    }
}

/* Mean and standard error of the relative error at counts left out one at a time. */
static void leave_one_out(const struct growth_point *points, size_t n_points, double largest,
                          const struct growth_form *form, double *mean, double *error)
{
    double sum = 0, squares = 0, weights = 0;
    int n = 0;
    for (size_t i = 0; i < n_points; i++) {
        double c[2];
        fit_form(points, n_points, points[i].n, largest, form, c);
        double y = c[0] * growth_term_value(form->term[0], points[i].n) +
                   c[1] * growth_term_value(form->term[1], points[i].n);
        double e = fabs(y - points[i].y) / scale_of(points[i].y, largest);
        sum += points[i].weight * e;
        squares += points[i].weight * e * e;
        weights += points[i].weight;
        n++;
    }
    *mean = sum / weights;
    double variance = fmax(squares / weights - *mean * *mean, 0);
    *error = n > 1 ? sqrt(variance / n) : 0;
}

static int distinct_counts(const struct growth_point *points, size_t n_points)
{
    int distinct = 0;
    for (size_t i = 0; i < n_points; i++) {
        bool seen = false;
        for (size_t j = 0; j < i; j++) seen = seen || points[j].n == points[i].n;
        distinct += !seen;
    }
    return distinct;
}

static int terms_of(const struct growth_form *form)
{
    return form->term[1] == GROWTH_NONE ? 1 : 2;
}

void growth_choose(const struct growth_point *points, size_t n_points, const struct growth_form *forms,
                   size_t n_forms, double noise_ratio, double floor, struct growth *growth)
{
    enum { MAX_FORMS = 16 };
    double means[MAX_FORMS] = {0}, best = INFINITY, best_error = 0;
    double largest = largest_of(points, n_points), scale = fmax(largest, 1e3 * floor);
    int distinct = distinct_counts(points, n_points);
    *growth = (struct growth){.loo_ratio = NAN, .n_counts = distinct};
    if (largest <= 0) return;
    if (n_forms > MAX_FORMS) n_forms = MAX_FORMS;
    size_t chosen = 0;
    if (distinct > 1) {
        for (size_t i = 0; i < n_forms; i++) {
            double error = 0;
            means[i] = INFINITY;
            if (distinct <= terms_of(&forms[i])) continue; /* left-out counts would not determine it */
            leave_one_out(points, n_points, scale, &forms[i], &means[i], &error);
            if (means[i] < best) {
                best = means[i];
                best_error = error;
            }
        }
        while (chosen + 1 < n_forms && !(means[chosen] <= best + fmax(best_error, noise_ratio))) chosen++;
        growth->loo_ratio = means[chosen];
    } else {
        while (chosen + 1 < n_forms && terms_of(&forms[chosen]) > 1) chosen++;
    }
    growth->form = forms[chosen];
    fit_form(points, n_points, NAN, scale, &forms[chosen], growth->c);
}

static const char *term_text(enum growth_term term)
{
    switch (term) {
#define CASE(constant, function, text, reason)                                                               \
    case GROWTH_##constant:                                                                                  \
        return text;
        GROWTH_TERM_LIST(CASE)
#undef CASE
    case GROWTH_NONE:
        break;
    }
    return "";
}

const char *growth_text(const struct growth *growth, char *text, size_t size)
{
    size_t used = 0;
    if (size) text[0] = '\0';
    for (int t = 0; t < 2 && used < size; t++) {
        if (growth->form.term[t] == GROWTH_NONE || growth->c[t] == 0) continue;
        const char *term = growth->form.term[t] == GROWTH_ONE ? "" : term_text(growth->form.term[t]);
        int n = snprintf(text + used, size - used, "%s%.3g%s%s", used ? " + " : "", growth->c[t],
                         *term ? " " : "", term);
        used += n > 0 ? (size_t)n : 0;
    }
    if (used == 0) snprintf(text, size, "0");
    return text;
}
