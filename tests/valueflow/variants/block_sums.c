/* k-means whose points are added up block by block, and then the blocks: not at all (0), in arrays of each
 * block on the heap (1) or on the stack (2), in arrays that all blocks share (3), or with counts apart (4).
 * Arguments: which, points, numbers of a point, clusters, steps. */
#include "../kernels/kernel.h"

enum { BLOCK = 41, MOST_NUMBERS = 64, MOST_CLUSTERS = 16 };

static long n_points, m, n_clusters;

static int nearest(const double *point, const double *centres)
{
    int found = 0;
    double least = INFINITY;
    for (int c = 0; c < n_clusters; c++) {
        double d = 0;
        for (long f = 0; f < m; f++) d += (point[f] - centres[c * m + f]) * (point[f] - centres[c * m + f]);
        if (d >= least) continue;
        least = d;
        found = c;
    }
    return found;
}

static void add_points(const double *points, const double *centres, long first, long end, double *sums,
                       int *counts)
{
    for (long i = first; i < end; i++) {
        int c = nearest(points + i * m, centres);
        counts[c]++;
        for (long f = 0; f < m; f++) sums[c * m + f] += points[i * m + f];
    }
}

static void add_block(const double *block_sums, const int *block_counts, double *sums, int *counts)
{
    for (long k = 0; k < n_clusters * m; k++) sums[k] += block_sums[k];
    for (long c = 0; c < n_clusters; c++) counts[c] += block_counts[c];
}

static void clear(double *sums, int *counts)
{
    for (long k = 0; k < n_clusters * m; k++) sums[k] = 0;
    for (long c = 0; c < n_clusters; c++) counts[c] = 0;
}

static void add_on_stack(const double *points, const double *centres, long first, long end, double *sums,
                         int *counts)
{
    double own[MOST_NUMBERS];
    int own_counts[MOST_CLUSTERS];
    clear(own, own_counts);
    add_points(points, centres, first, end, own, own_counts);
    add_block(own, own_counts, sums, counts);
}

static void add_on_heap(int which, const double *points, const double *centres, long first, long end,
                        double *sums, int *counts)
{
    double *own = calloc((size_t)(n_clusters * m), sizeof *own);
    int *own_counts = calloc((size_t)n_clusters, sizeof *own_counts);
    add_points(points, centres, first, end, own, which == 4 ? counts : own_counts);
    add_block(own, own_counts, sums, counts);
    free(own);
    free(own_counts);
}

__attribute__((noinline)) static double kernel(int which, const double *points, double *centres, double *sums,
                                               int *counts, double *shared, int *shared_counts, long steps)
{
    for (long s = 0; s < steps; s++) {
        clear(sums, counts);
        if (which == 0) add_points(points, centres, 0, n_points, sums, counts);
        for (long first = 0; which && first < n_points; first += BLOCK) {
            long end = first + BLOCK < n_points ? first + BLOCK : n_points;
            if (which == 2) add_on_stack(points, centres, first, end, sums, counts);
            if (which == 1 || which == 4) add_on_heap(which, points, centres, first, end, sums, counts);
            if (which != 3) continue;
            clear(shared, shared_counts);
            add_points(points, centres, first, end, shared, shared_counts);
            add_block(shared, shared_counts, sums, counts);
        }
        for (long k = 0; k < n_clusters * m; k++)
            if (counts[k / m]) centres[k] = sums[k] / counts[k / m];
    }
    return centres[0];
}

int main(int argc, char **argv)
{
    n_points = argument(argc, argv, 2);
    m = argument(argc, argv, 3);
    n_clusters = argument(argc, argv, 4);
    long n = n_clusters * m;
    double *points = filled(n_points * m), *centres = filled(n);
    for (long i = 0; i < n_points; i++)
        for (long f = 0; f < m; f++) points[i * m + f] += 0.4 * (double)(i % n_clusters);
    for (long k = 0; k < n; k++) centres[k] = points[k];
    int *counts = calloc((size_t)n_clusters, sizeof *counts),
        *shared = calloc((size_t)n_clusters, sizeof *shared);
    if (!counts || !shared || n > MOST_NUMBERS || n_clusters > MOST_CLUSTERS) return 1;
    printf("%.9g\n", kernel((int)argument(argc, argv, 1), points, centres, filled(n), counts, filled(n),
                            shared, argument(argc, argv, 5)));
    return 0;
}
