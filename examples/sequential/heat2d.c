/*
 * heat2d: a hot plate cools down. The sequential program that examples/heat2d distributes; equation and check
 * stand there.
 *
 *   heat2d SIZE STEPS
 */
#include <math.h>
#include <parcast/region.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_SIZE = 100000, EVERY = 10 };
static const double pi = 3.14159265358979323846;

static void step(double *next, const double *u, int n)
{
    const int w = n + 2;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            next[i * w + j] =
                0.25 * (u[i * w + j - 1] + u[i * w + j + 1] + u[(i - 1) * w + j] + u[(i + 1) * w + j]);
}

static double largest_change(const double *next, const double *u, int n)
{
    const int w = n + 2;
    double largest = 0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            double change = fabs(next[i * w + j] - u[i * w + j]);
            if (change > largest) largest = change;
        }
    return largest;
}

/* Returns where the result is. */
static double *cool(double *u, double *next, int n, int steps, double *change)
{
    for (int k = 1; k <= steps; k++) {
        step(next, u, n);
        if (k % EVERY == 0 || k == steps) *change = largest_change(next, u, n);
        double *old = u;
        u = next;
        next = old;
    }
    return u;
}

static double error_of(const double *u, int n, int steps)
{
    const double h = pi / (n + 1), amplitude = pow(cos(h), steps);
    double largest = 0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            largest = fmax(largest, fabs(u[i * (n + 2) + j] / amplitude - sin(h * i) * sin(h * j)));
    return largest;
}

int main(int argc, char **argv)
{
    int n = argc == 3 ? atoi(argv[1]) : 0, steps = argc == 3 ? atoi(argv[2]) : 0;
    if (n < 2 || n > MAX_SIZE || steps < 1) {
        fprintf(stderr, "usage: heat2d SIZE STEPS   (SIZE 2 to %d)\n", MAX_SIZE);
        return 2;
    }
    size_t words = ((size_t)n + 2) * ((size_t)n + 2);
    double *u = calloc(words, sizeof *u), *next = calloc(words, sizeof *next), change = 0;
    if (!u || !next) {
        fprintf(stderr, "heat2d: no memory for %zu points\n", 2 * words);
        free(u);
        free(next);
        return 1;
    }
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) u[i * (n + 2) + j] = sin(pi * i / (n + 1)) * sin(pi * j / (n + 1));
    parcast_region_begin();
    double *result = cool(u, next, n, steps, &change);
    parcast_region_end();
    double error = error_of(result, n, steps);
    printf("heat2d: %d x %d points, %d steps, last change %.3e, error %.1e: %s\n", n, n, steps, change, error,
           error <= 1e-9 ? "correct" : "WRONG");
    free(u);
    free(next);
    return error <= 1e-9 ? 0 : 1;
}
