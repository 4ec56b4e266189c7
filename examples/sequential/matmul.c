/*
 * matmul: the product of two square matrices. The sequential program that examples/matmul distributes.
 *
 *   matmul [SIZE]
 */
#include <parcast/region.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_SIZE = 256, MAX_SIZE = 30000 };

static void multiply(double *c, const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : DEFAULT_SIZE;
    if (argc > 2 || n < 1 || n > MAX_SIZE) {
        fprintf(stderr, "usage: matmul [SIZE]   (1 to %d)\n", MAX_SIZE);
        return 2;
    }
    size_t words = (size_t)n * (size_t)n;
    double *a = malloc(words * sizeof *a), *b = malloc(words * sizeof *b), *c = calloc(words, sizeof *c);
    if (!a || !b || !c) {
        fprintf(stderr, "matmul: no memory for %zu numbers\n", 3 * words);
        return 1;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            a[i * n + k] = i % 7 + k % 5 - 2;
            b[i * n + k] = i % 3 + 1 + k % 11;
        }
    parcast_region_begin();
    multiply(c, a, b, n);
    parcast_region_end();
    double trace = 0;
    for (int i = 0; i < n; i++) trace += c[i * n + i];
    printf("matmul: %d x %d, trace %.17g\n", n, n, trace);
    free(a);
    free(b);
    free(c);
    return 0;
}
