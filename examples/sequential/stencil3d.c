/*
 * stencil3d: substances that diffuse through a cube and turn into each other. The sequential program that
 * examples/stencil3d distributes; equations stand there.
 *
 *   stencil3d [SIZE [STEPS [VARIABLES]]]
 */
#include <math.h>
#include <parcast/region.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    DEFAULT_SIZE = 32,
    DEFAULT_STEPS = 20,
    DEFAULT_VARIABLES = 4,
    MAX_SIZE = 1000,
    MAX_VARIABLES = 64,
    EVERY = 10
};
static const double pi = 3.14159265358979323846;
static const double fastest = 0.08, exchanged = 0.01;

static size_t at(int n, int v, int z, int y, int x)
{
    const size_t w = (size_t)n + 2;
    return (((size_t)v * w + (size_t)z) * w + (size_t)y) * w + (size_t)x;
}

static void step(double *next, const double *now, int n, int variables)
{
    const size_t w = (size_t)n + 2, layer = w * w;
    for (int v = 0; v < variables; v++) {
        const double r = fastest * (v + 1) / variables;
        const int source = v == 0 ? variables - 1 : v - 1;
        for (int z = 1; z <= n; z++)
            for (int y = 1; y <= n; y++) {
                const double *c = now + at(n, v, z, y, 0), *made_from = now + at(n, source, z, y, 0);
                double *out = next + at(n, v, z, y, 0);
                for (int x = 1; x <= n; x++) {
                    double six = c[x - 1] + c[x + 1] + *(c + x - w) + *(c + x + w) + *(c + x - layer) +
                                 *(c + x + layer);
                    out[x] = c[x] + r * (six - 6 * c[x]) + exchanged * (made_from[x] - c[x]);
                }
            }
    }
}

static double largest(const double *now, int n, int variables)
{
    double found = 0;
    for (int v = 0; v < variables; v++)
        for (int z = 1; z <= n; z++)
            for (int y = 1; y <= n; y++)
                for (int x = 1; x <= n; x++) {
                    double value = fabs(now[at(n, v, z, y, x)]);
                    if (value > found) found = value;
                }
    return found;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : DEFAULT_SIZE, steps = argc > 2 ? atoi(argv[2]) : DEFAULT_STEPS;
    int variables = argc > 3 ? atoi(argv[3]) : DEFAULT_VARIABLES;
    if (argc > 4 || n < 2 || n > MAX_SIZE || steps < 1 || variables < 1 || variables > MAX_VARIABLES) {
        fputs("usage: stencil3d [SIZE [STEPS [VARIABLES]]]   (SIZE 2 or more)\n", stderr);
        return 2;
    }
    size_t words = at(n, variables, 0, 0, 0);
    double *now = calloc(words, sizeof *now), *next = calloc(words, sizeof *next), value = 0;
    if (!now || !next) {
        fprintf(stderr, "stencil3d: no memory for %zu points\n", 2 * words);
        free(now);
        free(next);
        return 1;
    }
    for (int v = 0; v < variables; v++)
        for (int z = 1; z <= n; z++)
            for (int y = 1; y <= n; y++)
                for (int x = 1; x <= n; x++)
                    now[at(n, v, z, y, x)] =
                        (1 + v) * sin(pi * z / (n + 1)) * sin(pi * y / (n + 1)) * sin(pi * x / (n + 1));
    double *first = now, *second = next;
    parcast_region_begin();
    for (int k = 1; k <= steps; k++) {
        step(next, now, n, variables);
        double *old = now;
        now = next;
        next = old;
        if (k % EVERY == 0 || k == steps) value = largest(now, n, variables);
    }
    parcast_region_end();
    printf("stencil3d: %d^3 points, %d variables, %d steps, largest %.16e\n", n, variables, steps, value);
    free(first);
    free(second);
    return 0;
}
