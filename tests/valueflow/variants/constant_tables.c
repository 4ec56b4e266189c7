/* Means of three round a ring, with weights written out (0), from a constant table by pointer (1), from one
 * that is copied (2), from a constant structure (3): these are in every part. ARGUMENTS: way, length, steps.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double table[3] = {0.2, 0.6, 0.2};
static const struct weights {
    double beside, here;
} pair = {0.2, 0.6};

__attribute__((noinline)) static double mean(const double *w, double a, double b, double c)
{
    return w[0] * a + w[1] * b + w[2] * c;
}

__attribute__((noinline)) static double mean_by(const struct weights *w, double a, double b, double c)
{
    return w->beside * (a + c) + w->here * b;
}

void kernel(int way, double *u, double *v, long n, long steps)
{
    double *copied = malloc(sizeof table);
    if (!copied) exit(1);
    memcpy(copied, table, sizeof table);
    for (long t = 0; t < steps; t++) {
        for (long i = 0; i < n; i++) {
            double a = u[(i + n - 1) % n], b = u[i], c = u[(i + 1) % n];
            if (way == 0) v[i] = 0.2 * a + 0.6 * b + 0.2 * c;
            if (way == 1) v[i] = mean(table, a, b, c);
            if (way == 2) v[i] = mean(copied, a, b, c);
            if (way == 3) v[i] = mean_by(&pair, a, b, c);
        }
        for (long i = 0; i < n; i++) u[i] = v[i];
    }
    free(copied);
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long n = atol(argv[2]);
    double *u = malloc((size_t)n * sizeof *u), *v = malloc((size_t)n * sizeof *v), sum = 0;
    if (!u || !v) return 1;
    for (long i = 0; i < n; i++) u[i] = v[i] = (double)(i * 7919 % 13) / 8;
    kernel(atoi(argv[1]), u, v, n, atol(argv[3]));
    for (long i = 0; i < n; i++) sum += u[i] * (double)(i % 3 + 1);
    printf("%.9g\n", sum);
    free(u);
    free(v);
    return 0;
}
