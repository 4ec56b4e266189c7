/* Products of long rows and columns: c (m x n) = a (m x k) b (k x n), inside, outside and row by row; and of
 * a matrix with itself, by rows, by columns, and half of it. */
#include <stdio.h>
#include <stdlib.h>

void kernel(const double *a, const double *b, double *c, long m, long k, long n, int way)
{
    switch (way) {
    case 0:
        for (long i = 0; i < m; i++)
            for (long j = 0; j < n; j++) {
                double sum = 0;
                for (long l = 0; l < k; l++) sum += a[i * k + l] * b[l * n + j];
                c[i * n + j] = sum;
            }
        break;
    case 1:
        for (long l = 0; l < k; l++)
            for (long i = 0; i < m; i++)
                for (long j = 0; j < n; j++) c[i * n + j] += a[i * k + l] * b[l * n + j];
        break;
    case 2:
        for (long i = 0; i < m; i++)
            for (long l = 0; l < k; l++)
                for (long j = 0; j < n; j++) c[i * n + j] += a[i * k + l] * b[l * n + j];
        break;
    case 3:
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++) {
                double sum = 0;
                for (long l = 0; l < k; l++) sum += b[l * n + i] * b[l * n + j];
                c[i * n + j] = sum;
            }
        break;
    case 4:
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++) {
                double sum = 0;
                for (long l = 0; l < k; l++) sum += b[i * k + l] * b[j * k + l];
                c[i * n + j] = sum;
            }
        break;
    default:
        for (long l = 0; l < k; l++)
            for (long i = 0; i < n; i++)
                for (long j = 0; j <= i; j++) c[i * n + j] += b[l * n + i] * b[l * n + j];
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0;
    long m = argc > 2 ? atol(argv[2]) : 16, k = argc > 3 ? atol(argv[3]) : 1024,
         n = argc > 4 ? atol(argv[4]) : 16;
    double *a = malloc((size_t)(m * k) * sizeof *a), *b = malloc((size_t)(k * n) * sizeof *b);
    double *c = calloc((size_t)(m * n), sizeof *c), sum = 0;
    if (!a || !b || !c) return 1;
    for (long i = 0; i < m * k; i++) a[i] = (double)(i % 17);
    for (long i = 0; i < k * n; i++) b[i] = (double)(i % 13);
    kernel(a, b, c, m, k, n, way);
    for (long i = 0; i < m * n; i++) sum += c[i];
    printf("%.17g\n", sum);
    free(a);
    free(b);
    free(c);
    return 0;
}
