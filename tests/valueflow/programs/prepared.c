/* A third of the work prepares the steps and is done once: N points, T steps. Prints what it sees of the
 * environment that large pages are asked for in. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void prepare(int n, double *a)
{
    for (int pass = 0; pass < 40; pass++)
        for (int i = 0; i < n; i++) a[i] = a[i] * 0.5 + i % 7;
}

static void step(int n, const double *a, double *b)
{
    for (int i = 1; i + 1 < n; i++) b[i] = 0.5 * b[i] + 0.25 * (a[i - 1] + a[i + 1]);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000, steps = argc > 2 ? atoi(argv[2]) : 100;
    double *a = calloc((size_t)n, sizeof *a), *b = calloc((size_t)n, sizeof *b);
    const char *tunables = getenv("GLIBC_TUNABLES"), *before = getenv("PARCAST_TUNABLES_BEFORE");
    if (!a || !b) return 1;
    prepare(n, a);
    for (int t = 0; t < steps; t++) {
        step(n, a, b);
        step(n, b, a);
    }
    fprintf(stderr, "tunables %s, %s\n", tunables ? tunables : "none", before ? before : "none");
    printf("%.17g\n", a[n / 2]);
    free(a);
    free(b);
    return 0;
}
