/* dot in pieces of 64 whose sums go through an array on the heap. */
#include "../kernels/kernel.h"

enum { PIECE = 64 };

double kernel(const double *x, const double *y, double *work, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i += PIECE) {
        long m = n - i < PIECE ? n - i : PIECE;
        for (long j = 0; j < m; j++) work[j] = x[i + j] * y[i + j];
        for (long j = 0; j < m; j++) sum += work[j];
    }
    work[PIECE] = sum;
    return sum;
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1);
    double *x = filled(n), *y = filled(n), *work = filled(PIECE + 1);
    printf("%g\n", kernel(x, y, work, n));
    return 0;
}
