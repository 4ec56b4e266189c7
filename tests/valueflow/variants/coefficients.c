/* A line that is swept in every step with coefficients that come of constants alone and are computed anew:
 * backwards (0, 1), with one more sweep (2), forwards (3), and with what the coefficients do not say (4). One
 * value goes over the border in each step. ARGUMENTS: way, length, steps. */
#include <stdio.h>
#include <stdlib.h>

void kernel(int way, double *u, double *c, long n, long steps)
{
    for (long t = 0; t < steps; t++) {
        c[0] = 0.25;
        for (long i = 1; i < n; i++) c[i] = 1 / (4 - c[i - 1]);
        if (way == 0 || way == 2)
            for (long i = n - 2; i >= 0; i--) u[i] -= c[i] * u[i + 1];
        if (way == 1)
            for (long i = n - 2; i >= 0; i--) u[i] += c[i] * u[i + 1];
        if (way == 2)
            for (long i = 0; i < n; i++) u[i] = 0.5 * u[i] + 1;
        if (way == 3)
            for (long i = 1; i < n; i++) u[i] -= c[i] * u[i - 1];
        if (way == 4)
            for (long i = n - 2; i >= 0; i--) u[i] = 0.5 * (u[i] - c[i] * u[i + 1]);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long n = atol(argv[2]);
    double *u = malloc((size_t)n * sizeof *u), *c = malloc((size_t)n * sizeof *c), sum = 0;
    if (!u || !c) return 1;
    for (long i = 0; i < n; i++) u[i] = c[i] = 1 + (double)(i * 7919 % 13) / 8;
    kernel(atoi(argv[1]), u, c, n, atol(argv[3]));
    for (long i = 0; i < n; i++) sum += u[i] * (double)(i % 3 + 1);
    printf("%.9g\n", sum);
    free(u);
    free(c);
    return 0;
}
