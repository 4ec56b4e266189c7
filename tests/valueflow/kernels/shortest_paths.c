/* All shortest paths by Floyd and Warshall; a distance is stored only when it is shorter. */
#include "kernel.h"

void kernel(double *d, long n)
{
    for (long k = 0; k < n; k++)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++) {
                double way = d[i * n + k] + d[k * n + j];
                if (way < d[i * n + j]) d[i * n + j] = way;
            }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1);
    double *d = filled(n * n);
    kernel(d, n);
    printf("%g\n", d[n + 1]);
    return 0;
}
