/*
 * matmul: the product of two square matrices. The sequential program that examples/matmul distributes.
 *
 *   matmul [SIZE [REPETITIONS]]      each repetition multiplies other matrices
 */
#include <parcast/region.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SIZE = 256, DEFAULT_REPETITIONS = 1, MAX_SIZE = 30000, MAX_REPETITIONS = 1000000 };

static void multiply(double *c, const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* A whole number in [1, high], or 0. */
static int read_int(const char *text, long high)
{
    char *end;
    long number = strtol(text, &end, 10);
    return end == text || *end || number < 1 || number > high ? 0 : (int)number;
}

static void fill(double *a, double *b, int n, int sign)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            a[i * n + k] = sign * (i % 7 + k % 5 - 2);
            b[i * n + k] = sign * (i % 3 + 1 + k % 11);
        }
}

static double trace_of(const double *c, int n)
{
    double trace = 0;
    for (int i = 0; i < n; i++) trace += c[i * n + i];
    return trace;
}

/* Both signs change from one repetition to the next: other values, the same product. */
static double solve(double *a, double *b, double *c, int n, int repetitions)
{
    for (int number = 0; number < repetitions; number++) {
        fill(a, b, n, number % 2 ? -1 : 1);
        memset(c, 0, (size_t)n * (size_t)n * sizeof *c);
        parcast_region_begin();
        multiply(c, a, b, n);
        parcast_region_end();
    }
    return trace_of(c, n);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? read_int(argv[1], MAX_SIZE) : DEFAULT_SIZE;
    int repetitions = argc > 2 ? read_int(argv[2], MAX_REPETITIONS) : DEFAULT_REPETITIONS;
    if (argc > 3 || !n || !repetitions) {
        fprintf(stderr, "usage: matmul [SIZE [REPETITIONS]]   (SIZE 1 to %d)\n", MAX_SIZE);
        return 2;
    }
    size_t words = (size_t)n * (size_t)n;
    double *a = malloc(words * sizeof *a), *b = malloc(words * sizeof *b), *c = malloc(words * sizeof *c);
    if (a && b && c)
        printf("matmul: %d x %d, trace %.17g\n", n, n, solve(a, b, c, n, repetitions));
    else
        fprintf(stderr, "matmul: no memory for %zu numbers\n", 3 * words);
    int status = a && b && c ? 0 : 1;
    free(a);
    free(b);
    free(c);
    return status;
}
