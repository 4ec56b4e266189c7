/* A sum of squares of distances to one point and of plain sums, each with its weight. A distance has 8 terms
 * of three operations, a plain sum 24 of one. Arguments: 0, how many of each. */
#include "../kernels/kernel.h"

enum { DISTANCE = 8, PLAIN = 24 };

static double total;

void kernel(long n, const double *points, const double *point, const double *values, const double *weights)
{
    double all = 0;
    for (long i = 0; i < n; i++) {
        double square = 0;
        for (int j = 0; j < DISTANCE; j++) {
            double d = points[i * DISTANCE + j] - point[j];
            square += d * d;
        }
        all += square * weights[i];
    }
    for (long i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < PLAIN; j++) sum += values[(i + j) % PLAIN];
        all += sum * weights[n + i];
    }
    total = all;
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2);
    kernel(n, filled(n * DISTANCE), filled(DISTANCE), filled(PLAIN), filled(2 * n));
    printf("%g\n", total);
    return 0;
}
