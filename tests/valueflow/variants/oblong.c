/* A product of matrices that need not be square, C += A B, added up in the word, in a register, or row by row
 * of B. Arguments: way, rows and columns of C, rows of B. */
#include "../kernels/kernel.h"

static void by_words(double *restrict c, const double *a, const double *b, long n, long m, long l)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            for (long k = 0; k < l; k++) c[i * m + j] += a[i * l + k] * b[k * m + j];
}

static void by_registers(double *restrict c, const double *a, const double *b, long n, long m, long l)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            double sum = 0;
            for (long k = 0; k < l; k++) sum += a[i * l + k] * b[k * m + j];
            c[i * m + j] = sum;
        }
}

static void by_rows(double *restrict c, const double *a, const double *b, long n, long m, long l)
{
    for (long i = 0; i < n; i++)
        for (long k = 0; k < l; k++)
            for (long j = 0; j < m; j++) c[i * m + j] += a[i * l + k] * b[k * m + j];
}

void kernel(long way, double *c, const double *a, const double *b, long n, long m, long l)
{
    if (way == 0) by_words(c, a, b, n, m, l);
    if (way == 1) by_registers(c, a, b, n, m, l);
    if (way == 2) by_rows(c, a, b, n, m, l);
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), m = argument(argc, argv, 3);
    long l = argument(argc, argv, 4);
    double *c = filled(n * m), *a = filled(n * l), *b = filled(l * m);
    kernel(way, c, a, b, n, m, l);
    printf("%.6g\n", c[n * m - 1]);
    free(a), free(b), free(c);
    return 0;
}
