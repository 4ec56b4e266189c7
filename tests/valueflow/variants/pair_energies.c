/* Particles in a line that push those up to two places away, each of both counting the pair, in steps; the
 * energy, which only pairs within a distance have, is added to a variable of the unit: beside the force (0),
 * with the virial, and set to zero in each step (1), or only in some runs (2), or beside others in turn (3).
 * ARGUMENTS: way, particles, times. */
#include <stdio.h>
#include <stdlib.h>

static int n, *neighbours, *counts;
static double *x, *v, *f, energy, virial, other;

static void move(void)
{
    for (int i = 0; i < n; i++) {
        v[i] += 1e-3 * f[i];
        x[i] += 1e-3 * v[i];
    }
}

static void forces(int way)
{
    for (int i = 0; i < n; i++) {
        double force = 0;
        for (int k = 0; k < counts[i]; k++) {
            double r = x[i] - x[neighbours[4 * i + k]];
            if (r * r < 100) {
                force += r / (r * r);
                energy += 1 / (r * r);
                if (way == 1) virial += r;
                if (way == 3) other += r;
            }
        }
        f[i] = force;
    }
}

void kernel(int way, int times)
{
    for (int t = 0; t < times; t++) {
        move();
        if (way == 1) energy = virial = 0;
        forces(way);
        if (way == 2) energy += 1;
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, times = argc > 3 ? atoi(argv[3]) : 1;
    n = argc > 2 ? atoi(argv[2]) : 200;
    size_t size = (size_t)n;
    x = malloc(size * sizeof *x), v = calloc(size, sizeof *v), f = calloc(size, sizeof *f);
    neighbours = malloc(4 * size * sizeof *neighbours), counts = calloc(size, sizeof *counts);
    if (!x || !v || !f || !neighbours || !counts) return 1;
    for (int i = 0; i < n; i++) {
        x[i] = i + i % 7 * 1e-2;
        for (int j = i - 2; j <= i + 2; j++)
            if (j >= 0 && j < n && j != i) neighbours[4 * i + counts[i]++] = j;
    }
    kernel(way, times);
    double sum = energy + virial + other;
    for (int i = 0; i < n; i++) sum += x[i] + f[i];
    printf("%.12g\n", sum);
    return 0;
}
