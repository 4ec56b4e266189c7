/* Numbers that move by a step, which comes of two reductions over all of them: 0 the sum of both, 1 a
 * multiple of it, 2 multiples of both added up, 3 one less the other, 4 the smaller one of two least ones, 5
 * of multiples of these, 6 the same as two questions, 7 one of them turned round, which has to be known
 * first, 8 a quotient; steps that are kept in a list, 9 the sum of both, 10 multiples of them, one of which
 * are squares, 11 of three that come of two loops, 12 and 13 what is left of a number when they are taken
 * off. Arguments: which, numbers, steps. */
#include "../kernels/kernel.h"

static double step_of(long which, const double *x, const double *y, long n)
{
    double a = 0, b = 0;
    for (long i = 0; i < n; i++) {
        a += x[i] * x[i] + y[i];
        b += fabs(y[i]) + 0.1;
    }
    if (which == 0) return a + b;
    if (which == 1) return 1e-4 * (a + b);
    if (which == 2) return 1e-4 * a + b / 4e3;
    if (which == 3) return a - b;
    return a / b;
}

static double least_of(long which, const double *x, const double *y, long n)
{
    double a = 1e20, b = 1e20;
    for (long i = 0; i < n; i++) {
        a = fmin(a, x[i] * x[i] + y[i]);
        b = fmin(b, fabs(y[i]) + 0.1);
    }
    if (which == 4) return fmin(a, b);
    if (which == 5) return fmin(0.5 * a, b / 3);
    if (which == 7) return fmin(0.5 * a, -b / 3);
    double step = 0.2;
    if (0.5 * a < step) step = 0.5 * a;
    if (b * 2 / 3 < step) step = b * 2 / 3;
    return step;
}

static double moved(long which, double *x, double *y, long n, long steps)
{
    double step = x[0];
    for (long t = 0; t < steps; t++) {
        for (long i = 0; i < n; i++) {
            x[i] += step * y[i];
            y[i] *= 0.99;
        }
        step = which < 4 || which > 7 ? step_of(which, x, y, n) : least_of(which, x, y, n);
    }
    return step;
}

/* The numbers move by a step, and what they come to is put into a list, and is the next step. */
#define LISTED(NAME, MORE, NEXT)                                                                             \
    __attribute__((noinline)) static double NAME(double *x, double *y, double *list, long n, long steps)     \
    {                                                                                                        \
        double step = x[0];                                                                                  \
        for (long t = 0; t < steps; t++) {                                                                   \
            double a = 0, b = 0, c = 0;                                                                      \
            for (long i = 0; i < n; i++) {                                                                   \
                x[i] += step * y[i];                                                                         \
                y[i] *= 0.99;                                                                                \
            }                                                                                                \
            for (long i = 0; i < n; i++) {                                                                   \
                a += x[i] * x[i];                                                                            \
                b += y[i];                                                                                   \
            }                                                                                                \
            for (long i = 0; i < MORE; i++) c += fabs(x[i] * y[i]);                                          \
            step = list[t] = NEXT;                                                                           \
        }                                                                                                    \
        return step;                                                                                         \
    }
LISTED(both, 0, a + b)
LISTED(multiples, 0, 1e-4 * a - b / 4e3)
LISTED(taken_off, 0, 3 - a / 2 - b)
LISTED(taken_off_multiple, 0, 3e-3 - (0.1 - 1e-4 * a) - b / 4e3)
LISTED(three, n, 1e-4 * (a + b) + c / 7e3)

double kernel(long which, double *x, double *y, double *list, long n, long steps)
{
    if (which == 9) return both(x, y, list, n, steps);
    if (which == 10) return multiples(x, y, list, n, steps);
    if (which == 11) return three(x, y, list, n, steps);
    if (which == 12) return taken_off(x, y, list, n, steps);
    if (which == 13) return taken_off_multiple(x, y, list, n, steps);
    return moved(which, x, y, n, steps);
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *x = filled(n), *y = filled(n), *list = filled(steps), sum = 0;
    double step = kernel(which, x, y, list, n, steps);
    for (long i = 0; i < n; i++) sum += x[i];
    printf("%.9g %.9g\n", sum, step);
    return 0;
}
