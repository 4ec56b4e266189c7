/* Lloyd's k-means: the nearest centroid in a register, in memory while it is looked for, likewise with the
 * first one known, and as a pointer to it or to its distance. Arguments: which, points, steps. */
#include <stdio.h>
#include <stdlib.h>

#ifndef FEATURES
#define FEATURES 8
#endif
enum { CENTROIDS = 5 };

static double distance(const double *x, const double *c)
{
    double d = 0;
    for (int f = 0; f < FEATURES; f++) d += (x[f] - c[f]) * (x[f] - c[f]);
    return d;
}

static void in_register(const double *x, const double *c, int *member, long n)
{
    for (long i = 0; i < n; i++) {
        double best = 1e300;
        int b = 0;
        for (int j = 0; j < CENTROIDS; j++) {
            double d = distance(x + i * FEATURES, c + j * FEATURES);
            if (d < best) {
                best = d;
                b = j;
            }
        }
        member[i] = b;
    }
}

static void in_memory(const double *x, const double *c, int *member, long n)
{
    for (long i = 0; i < n; i++) {
        double best = 1e300;
        for (int j = 0; j < CENTROIDS; j++) {
            double d = distance(x + i * FEATURES, c + j * FEATURES);
            if (d < best) {
                best = d;
                member[i] = j;
            }
        }
    }
}

static void from_the_first(const double *x, const double *c, int *member, long n)
{
    for (long i = 0; i < n; i++) {
        double best = distance(x + i * FEATURES, c);
        member[i] = 0;
        for (int j = 1; j < CENTROIDS; j++) {
            double d = distance(x + i * FEATURES, c + j * FEATURES);
            if (best > d) {
                member[i] = j;
                best = d;
            }
        }
    }
}

static void as_a_pointer(const double *x, const double *c, int *member, long n)
{
    for (long i = 0; i < n; i++) {
        double best = 1e300;
        const double *nearest = c;
        for (const double *p = c; p < c + CENTROIDS * FEATURES; p += FEATURES) {
            double d = distance(x + i * FEATURES, p);
            if (d < best) {
                best = d;
                nearest = p;
            }
        }
        member[i] = (int)(nearest - c) / FEATURES;
    }
}

static void least_distance(const double *x, const double *c, int *member, long n)
{
    for (long i = 0; i < n; i++) {
        double d[CENTROIDS], *least = d;
        for (int j = 0; j < CENTROIDS; j++) d[j] = distance(x + i * FEATURES, c + j * FEATURES);
        for (double *p = d + 1; p < d + CENTROIDS; p++)
            if (*p < *least) least = p;
        member[i] = (int)(least - d);
    }
}

void kernel(const double *x, double *c, int *member, long n, int steps, int which)
{
    double sum[CENTROIDS * FEATURES];
    int count[CENTROIDS];
    for (int s = 0; s < steps; s++) {
        if (which == 0) in_register(x, c, member, n);
        if (which == 1) in_memory(x, c, member, n);
        if (which == 2) from_the_first(x, c, member, n);
        if (which == 3) as_a_pointer(x, c, member, n);
        if (which == 4) least_distance(x, c, member, n);
        for (int i = 0; i < CENTROIDS * FEATURES; i++) sum[i] = 0;
        for (int j = 0; j < CENTROIDS; j++) count[j] = 0;
        for (long i = 0; i < n; i++) {
            count[member[i]]++;
            for (int f = 0; f < FEATURES; f++) sum[member[i] * FEATURES + f] += x[i * FEATURES + f];
        }
        for (int i = 0; i < CENTROIDS * FEATURES; i++) c[i] = sum[i] / count[i / FEATURES];
    }
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    long n = atol(argv[2]);
    double *x = malloc((size_t)n * FEATURES * sizeof *x), c[CENTROIDS * FEATURES];
    int *member = malloc((size_t)n * sizeof *member);
    if (!x || !member) return 1;
    for (long i = 0; i < n * FEATURES; i++) x[i] = (double)(i * 7919 % 1009) / 1009;
    for (int i = 0; i < CENTROIDS * FEATURES; i++)
        c[i] = x[i / FEATURES * (n / CENTROIDS) * FEATURES + i % FEATURES];
    kernel(x, c, member, n, atoi(argv[3]), atoi(argv[1]));
    printf("%g %d\n", c[0], member[n / 2]);
    return 0;
}
