/* Numbers round a ring, from two on either side, in an array that each step allocates. WAY: written out (0),
 * by a function (1), by a choice (2). ARGUMENTS: way, length, steps. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static double mean(double a, double b, double c, double d, double e)
{
    return 0.3 * a + 0.2 * b + 0.1 * c + 0.1 * (d + e);
}

void kernel(int way, double *u, long n, long steps, int always)
{
    for (long t = 0; t < steps; t++) {
        double *v = malloc((size_t)n * sizeof *v);
        if (!v) exit(1);
        for (long i = 0; i < n; i++) {
            double a = u[(i + n - 1) % n], b = u[(i + 1) % n], c = u[(i + n - 2) % n], d = u[(i + 2) % n];
            if (way == 0) v[i] = 0.3 * u[i] + 0.2 * a + 0.1 * b + 0.1 * (c + d);
            if (way == 1) v[i] = mean(u[i], a, b, c, d);
            if (way == 2) v[i] = always ? 0.3 * u[i] + 0.2 * a + 0.1 * b + 0.1 * (c + d) : a;
        }
        for (long i = 0; i < n; i++) u[i] = v[i];
        free(v);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long n = atol(argv[2]);
    double *u = malloc((size_t)n * sizeof *u), sum = 0;
    if (!u) return 1;
    for (long i = 0; i < n; i++) u[i] = (double)(i * 7919 % 13) / 8;
    kernel(atoi(argv[1]), u, n, atol(argv[3]), argc == 4);
    for (long i = 0; i < n; i++) sum += u[i] * u[i];
    printf("%.9g\n", sum);
    free(u);
    return 0;
}
