/*
 * Growth functions: how a quantity that was measured at a few process counts n goes on at others.
 *
 * y(n) = c_0 f_0(n) + c_1 f_1(n), non-negative coefficients, one or two terms of a short list of forms that
 * parallel programs have a reason for. The form is chosen by its relative error on counts that were left out;
 * among forms within a standard error of the best, the one that comes first in the caller's list wins.
 */
#ifndef PARCAST_FORECAST_GROWTH_H
#define PARCAST_FORECAST_GROWTH_H

#include <stddef.h>

/* X(constant, function of n, text, reason) */
#define GROWTH_TERM_LIST(X)                                                                                  \
    X(ONE, 1.0, "1", "the same at every count")                                                              \
    X(INVERSE, 1.0 / n, "1/n", "a fixed amount, divided")                                                    \
    X(INVERSE_SQUARE, 1.0 / (n * n), "1/n^2", "a fixed amount, divided among pairs")                         \
    X(ROOT, 1.0 / sqrt(n), "n^(-1/2)", "edge of a square block")                                             \
    X(TWO_THIRDS, pow(n, -2.0 / 3.0), "n^(-2/3)", "face of a cubic block")                                   \
    X(LARGEST, largest_of_normals(n), "largest of n", "the slowest of n that scatter alike")                 \
    X(INTERRUPTED, sqrt(n) * largest_of_normals(n), "n^(1/2) largest of n",                                  \
      "the slowest of n, each interrupted now and then: scatter of smaller pieces is larger")                \
    X(LOG, log2(n), "log2 n", "tree")                                                                        \
    X(OTHERS, n - 1.0, "(n-1)", "one for every other process")                                               \
    X(OTHERS_SHARE, (n - 1.0) / (n * n), "(n-1)/n^2", "redistribution of a fixed amount")                    \
    X(BORDER_1, 1.0 - 1.0 / n, "(1-1/n)", "neighbours on a line with ends")                                  \
    X(BORDER_2, 1.0 - 1.0 / sqrt(n), "(1-n^(-1/2))", "neighbours on a grid with edges")                      \
    X(BORDER_3, 1.0 - pow(n, -1.0 / 3.0), "(1-n^(-1/3))", "neighbours in a box with faces")                  \
    X(SPLIT_2, split_sides(n, 2), "sides of a 2-D grid",                                                     \
      "one exchange after the other for each side that is split")                                            \
    X(SPLIT_3, split_sides(n, 3), "sides of a 3-D grid",                                                     \
      "one exchange after the other for each side that is split")                                            \
    X(LINEAR, n, "n", "grows with the count")

enum growth_term {
    GROWTH_NONE,
#define GROWTH_ENUM(constant, function, text, reason) GROWTH_##constant,
    GROWTH_TERM_LIST(GROWTH_ENUM)
#undef GROWTH_ENUM
};

struct growth_form {
    enum growth_term term[2]; /* the second may be GROWTH_NONE */
};

struct growth {
    struct growth_form form;
    double c[2];
    double loo_ratio; /* mean relative error of left-out counts; NAN with a single count */
    int n_counts;     /* distinct counts it rests on */
};

struct growth_point {
    double n, y, weight;
};

/* Noise of what is counted, and of what is timed. */
#define GROWTH_COUNTED 0.002
#define GROWTH_TIMED   0.03

double growth_term_value(enum growth_term term, double n);
double growth_value(const struct growth *growth, double n);

/*
 * Choose among forms and fit by weighted relative least squares with non-negative coefficients. No points, or
 * all of them zero, give the zero function. noise_ratio: relative error of the values themselves; an earlier
 * form that is worse by no more than that is preferred. With a single distinct count the first one-term form
 * is taken. Values below `floor` (0: none) count as that large where errors are compared: a share of
 * something else need not be known better than that.
 */
void growth_choose(const struct growth_point *points, size_t n_points, const struct growth_form *forms,
                   size_t n_forms, double noise_ratio, double floor, struct growth *growth);

/* "0.52 + 31.4 1/n"; returns text. */
const char *growth_text(const struct growth *growth, char *text, size_t size);

#endif
