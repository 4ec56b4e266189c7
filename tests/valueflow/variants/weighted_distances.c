/*
 * Sums of weighted squares of distances of points to one. Arguments: which, how many points.
 *
 *     0  and of as many plain sums, each with its weight: a distance has 8 terms of three operations, a plain
 *        sum 24 of one
 *     1  less what is allowed for each: by how much they exceed that, in all
 */
#include "../kernels/kernel.h"

enum { DIMENSIONS = 8, PLAIN = 24 };

static double total;

static inline double square_to(const double *point, const double *x)
{
    double square = 0;
    for (int j = 0; j < DIMENSIONS; j++) {
        double d = x[j] - point[j];
        square += d * d;
    }
    return square;
}

static void with_plain_sums(long n, const double *points, const double *point, const double *weights,
                            const double *values)
{
    double all = 0;
    for (long i = 0; i < n; i++) all += square_to(point, points + i * DIMENSIONS) * weights[i];
    for (long i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < PLAIN; j++) sum += values[(i + j) % PLAIN];
        all += sum * weights[n + i];
    }
    total = all;
}

static void less_what_is_allowed(long n, const double *points, const double *point, const double *weights,
                                 const double *allowed)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += square_to(point, points + i * DIMENSIONS) * weights[i] - allowed[i];
    total = sum;
}

void kernel(long way, long n, const double *points, const double *point, const double *weights,
            const double *others)
{
    if (way == 0) with_plain_sums(n, points, point, weights, others);
    if (way == 1) less_what_is_allowed(n, points, point, weights, others);
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2);
    kernel(way, n, filled(n * DIMENSIONS), filled(DIMENSIONS), filled(2 * n), filled(n > PLAIN ? n : PLAIN));
    printf("%g\n", total);
    return 0;
}
