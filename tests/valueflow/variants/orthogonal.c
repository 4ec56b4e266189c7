/* Vectors, each a row, made orthogonal: every one is taken off all behind it. The product of two is in a
 * register (0) or in a matrix (1). ARGUMENTS: way, vectors and their length. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void kernel(int way, double *a, double *r, int n)
{
    for (int k = 0; k < n; k++) {
        double square = 0;
        for (int i = 0; i < n; i++) square += a[k * n + i] * a[k * n + i];
        for (int i = 0; i < n; i++) a[k * n + i] /= sqrt(square);
        for (int j = k + 1; j < n; j++) {
            double d = 0;
            if (way == 1) {
                r[j] = 0;
                for (int i = 0; i < n; i++) r[j] += a[k * n + i] * a[j * n + i];
                for (int i = 0; i < n; i++) a[j * n + i] -= r[j] * a[k * n + i];
                continue;
            }
            for (int i = 0; i < n; i++) d += a[k * n + i] * a[j * n + i];
            for (int i = 0; i < n; i++) a[j * n + i] -= d * a[k * n + i];
        }
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 16;
    double *a = malloc((size_t)n * n * sizeof *a), *r = calloc(n, sizeof *r), sum = 0;
    if (!a || !r) return 1;
    for (int i = 0; i < n * n; i++) a[i] = (i * 37 % 23) * 0.1 + (i % (n + 1) == 0 ? 4 : 0);
    kernel(way, a, r, n);
    for (int i = 0; i < n * n; i++) sum += a[i] * (1 + i % 5);
    printf("%.10g\n", sum);
    free(a);
    free(r);
    return 0;
}
