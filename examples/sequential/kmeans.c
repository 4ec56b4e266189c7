/*
 * kmeans: groups points by Lloyd's method. The sequential program that examples/kmeans distributes.
 *
 *   kmeans [POINTS [CLUSTERS [STEPS]]]
 */
#include <math.h>
#include <parcast/region.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_POINTS = 20000, DEFAULT_CLUSTERS = 10, DEFAULT_STEPS = 10, DIM = 8 };

/* splitmix64 (Steele et al. 2014) */
static uint64_t hash(uint64_t z)
{
    z = (z + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Point `index` of all, as in examples/kmeans. */
static void make_point(int index, int n_clusters, double *point)
{
    uint64_t place = hash((uint64_t)index) % (uint64_t)n_clusters;
    for (int d = 0; d < DIM; d++) {
        uint64_t h = hash((uint64_t)(index + 1) << 32 | (uint64_t)d);
        uint64_t around = (h & 0xffff) + (h >> 16 & 0xffff) + (h >> 32 & 0xffff) + (h >> 48);
        point[d] = (double)((hash(place * DIM + (uint64_t)d) >> 44) + around);
    }
}

static double squared_distance(const double *a, const double *b)
{
    double sum = 0;
    for (int d = 0; d < DIM; d++) sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sum;
}

/* Sums, counts and the objective of the nearest centres. */
static void assign(const double *points, int n, const double *centres, int k, double *sums, double *counts,
                   double *objective)
{
    memset(sums, 0, (size_t)k * DIM * sizeof *sums);
    memset(counts, 0, (size_t)k * sizeof *counts);
    *objective = 0;
    for (int i = 0; i < n; i++) {
        const double *point = points + (size_t)i * DIM;
        int nearest = 0;
        double least = INFINITY;
        for (int c = 0; c < k; c++) {
            double distance = squared_distance(point, centres + (size_t)c * DIM);
            if (distance < least) {
                least = distance;
                nearest = c;
            }
        }
        for (int d = 0; d < DIM; d++) sums[nearest * DIM + d] += point[d];
        counts[nearest]++;
        *objective += least;
    }
}

static void move(double *centres, int k, const double *sums, const double *counts)
{
    for (int c = 0; c < k; c++)
        for (int d = 0; d < DIM && counts[c] > 0; d++) centres[c * DIM + d] = sums[c * DIM + d] / counts[c];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : DEFAULT_POINTS, k = argc > 2 ? atoi(argv[2]) : DEFAULT_CLUSTERS;
    int steps = argc > 3 ? atoi(argv[3]) : DEFAULT_STEPS;
    if (argc > 4 || n < 1 || k < 1 || k > n || steps < 1) {
        fputs("usage: kmeans [POINTS [CLUSTERS [STEPS]]]   (no more clusters than points)\n", stderr);
        return 2;
    }
    double *points = malloc((size_t)n * DIM * sizeof *points),
           *centres = malloc((size_t)k * DIM * sizeof *centres);
    double *sums = malloc((size_t)k * DIM * sizeof *sums), *counts = malloc((size_t)k * sizeof *counts);
    double *objective = malloc(sizeof *objective);
    int status = 1;
    if (!points || !centres || !sums || !counts || !objective) {
        fprintf(stderr, "kmeans: no memory for %d points\n", n);
        goto release;
    }
    for (int i = 0; i < n; i++) make_point(i, k, points + (size_t)i * DIM);
    for (int c = 0; c < k; c++) /* begin with points that lie far apart in the list */
        make_point(c * (n / k) + (c < n % k ? c : n % k), k, centres + (size_t)c * DIM);
    parcast_region_begin();
    for (int step = 0; step < steps; step++) {
        assign(points, n, centres, k, sums, counts, objective);
        move(centres, k, sums, counts);
    }
    parcast_region_end();
    printf("kmeans: %d points, %d clusters, %d steps, objective %.9e\n", n, k, steps, *objective);
    status = 0;
release:
    free(points);
    free(centres);
    free(sums);
    free(counts);
    free(objective);
    return status;
}
