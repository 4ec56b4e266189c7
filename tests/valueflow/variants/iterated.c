/* A line of numbers that are made of constants and then iterated, u += f(r), STEPS times, where r is an array
 * of few words that is computed of u and used up three times in each step, of other words each time. What it
 * tells is added (0), or goes with a part of u the first time (1). WAY N STEPS. */
#include <stdio.h>
#include <stdlib.h>

enum { USES = 3 };

static void fill(int use, int n, const double *u, const double *f, double *r)
{
    if (use == 0)
        for (int i = 1; i < n - 1; i++) r[i] = f[i] - 2 * u[i] + u[i - 1] + u[i + 1];
    else if (use == 1)
        for (int i = 1; i < n - 1; i++) r[i] = 3 * u[i] - u[i - 1] - u[i + 1];
    else
        for (int i = 1; i < n - 1; i++) r[i] = u[i - 1] + u[i + 1];
}

static void change(int way, int n, double share, const double *r, double *u)
{
    if (way == 1)
        for (int i = 1; i < n - 1; i++) u[i] = 0.5 * (u[i] + r[i - 1] + r[i + 1]);
    else
        for (int i = 1; i < n - 1; i++) u[i] += share * (r[i] + r[i - 1] + r[i + 1]);
}

void kernel(int way, int n, int n_steps, double *u, double *r, const double *f)
{
    for (int i = 0; i < n; i++) u[i] = i % 7 * 0.1, r[i] = 0;
    for (int step = 0; step < n_steps; step++)
        for (int use = 0; use < USES; use++) {
            fill(use, n, u, f, r);
            change(way == 1 && use == 0, n, 0.1 * (use + 1), r, u);
        }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int n = atoi(argv[2]);
    double *u = calloc((size_t)n, sizeof *u), *r = calloc((size_t)n, sizeof *r),
           *f = calloc((size_t)n, sizeof *f), sum = 0;
    if (!u || !r || !f) return 1;
    for (int i = 0; i < n; i++) f[i] = i % 5 * 0.2;
    kernel(atoi(argv[1]), n, atoi(argv[3]), u, r, f);
    for (int i = 0; i < n; i++) sum += u[i];
    printf("%g\n", sum);
    free(u);
    free(r);
    free(f);
    return 0;
}
