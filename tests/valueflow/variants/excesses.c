/* By how much weighted squares of distances to one point exceed what is allowed, in all. Arguments: 0, how
 * many points. */
#include "../kernels/kernel.h"

enum { DIMENSIONS = 8 };

static double excess;

void kernel(long n, const double *points, const double *point, const double *weights, const double *allowed)
{
    double sum = 0;
    for (long i = 0; i < n; i++) {
        double square = 0;
        for (int j = 0; j < DIMENSIONS; j++) {
            double d = points[i * DIMENSIONS + j] - point[j];
            square += d * d;
        }
        sum += square * weights[i] - allowed[i];
    }
    excess = sum;
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2);
    kernel(n, filled(n * DIMENSIONS), filled(DIMENSIONS), filled(n), filled(n));
    printf("%g\n", excess);
    return 0;
}
