/* The largest of the positive elements and where it stands, then everything divided by it. */
#include "kernel.h"

void kernel(double *x, double *largest, long *where, long n, long t)
{
    for (long k = 0; k < t; k++) {
        double best = 0;
        long at = -1;
        for (long i = 0; i < n; i++) {
            if (x[i] > 0 && fabs(x[i]) > best) {
                best = fabs(x[i]);
                at = i;
            }
        }
        where[k] = at;
        *largest = best;
        for (long i = 0; i < n; i++) x[i] = x[i] / best + 0.5;
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2);
    double *x = filled(n), largest = 0;
    long *where = calloc((size_t)t, sizeof *where);
    if (!where) return 1;
    kernel(x, &largest, where, n, t);
    printf("%g %ld\n", x[n / 2] + largest, where[t - 1]);
    return 0;
}
