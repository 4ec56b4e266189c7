/* k-means whose sums and counts pointers lead to: rows (0), a structure for each cluster (1) that knows its
 * row (2) and its count (3), or that a table leads to (4), counts of their own (5), rows that a function is
 * given (6), in a second pass over the points (7). Arguments: which, points, steps. */
#include "../kernels/kernel.h"

enum { FEATURES = 3, CENTROIDS = 5 };

struct cluster {
    double *sum;
    int *count, n;
};

static double at[CENTROIDS][FEATURES], *sums[CENTROIDS];
static int counts[CENTROIDS], *count_of[CENTROIDS];
static struct cluster clusters[CENTROIDS], *cluster_of[CENTROIDS];

static int nearest(const double *x)
{
    int b = 0;
    double best = 1e300;
    for (int j = 0; j < CENTROIDS; j++) {
        double d = 0;
        for (int f = 0; f < FEATURES; f++) d += (x[f] - at[j][f]) * (x[f] - at[j][f]);
        if (d < best) {
            best = d;
            b = j;
        }
    }
    return b;
}

static void add(double *sum, const double *x)
{
    for (int f = 0; f < FEATURES; f++) sum[f] += x[f];
}

__attribute__((noinline)) static void add_to(double *sum, const double *x)
{
    for (int f = 0; f < FEATURES; f++) sum[f] += x[f];
}

static void join(const double *x, int which)
{
    int b = nearest(x);
    struct cluster *c = which == 4 ? cluster_of[b] : &clusters[b];
    if (which == 3)
        ++*c->count;
    else if (which == 0 || which == 6)
        ++counts[b];
    else if (which == 5)
        ++*count_of[b];
    else
        ++c->n;
    if (which == 6)
        add_to(sums[b], x);
    else if (which == 0 || which == 1 || which == 5)
        add(sums[b], x);
    else
        add(c->sum, x);
}

static void join_all(const double *x, int *nearest_of, long n)
{
    for (long i = 0; i < n; i++) nearest_of[i] = nearest(x + i * FEATURES);
    for (long i = 0; i < n; i++) {
        ++*count_of[nearest_of[i]];
        add_to(sums[nearest_of[i]], x + i * FEATURES);
    }
}

void kernel(const double *x, int *nearest_of, long n, long steps, int which)
{
    for (long s = 0; s < steps; s++) {
        for (int j = 0; j < CENTROIDS; j++) {
            counts[j] = clusters[j].n = *count_of[j] = 0;
            for (int f = 0; f < FEATURES; f++) sums[j][f] = 0;
        }
        if (which == 7)
            join_all(x, nearest_of, n);
        else if (which == 0)
            for (long i = 0; i < n; i++) join(x + i * FEATURES, 0);
        else if (which == 1)
            for (long i = 0; i < n; i++) join(x + i * FEATURES, 1);
        else if (which == 2)
            for (long i = 0; i < n; i++) join(x + i * FEATURES, 2);
        else if (which == 3)
            for (long i = 0; i < n; i++) join(x + i * FEATURES, 3);
        else if (which == 4)
            for (long i = 0; i < n; i++) join(x + i * FEATURES, 4);
        else if (which == 5)
            for (long i = 0; i < n; i++) join(x + i * FEATURES, 5);
        else
            for (long i = 0; i < n; i++) join(x + i * FEATURES, 6);
        for (int j = 0; j < CENTROIDS; j++) {
            int count = which == 0 || which == 6                 ? counts[j]
                        : which == 3 || which == 5 || which == 7 ? *count_of[j]
                                                                 : clusters[j].n;
            for (int f = 0; f < FEATURES; f++) at[j][f] = sums[j][f] / count;
        }
    }
}

int main(int argc, char **argv)
{
    int which = (int)argument(argc, argv, 1);
    long n = argument(argc, argv, 2);
    double *x = filled(n * FEATURES);
    int *nearest_of = malloc((size_t)n * sizeof *nearest_of);
    if (!nearest_of) return 1;
    for (int j = 0; j < CENTROIDS; j++) {
        sums[j] = malloc(FEATURES * sizeof *sums[j]);
        count_of[j] = malloc(sizeof *count_of[j]);
        if (!sums[j] || !count_of[j]) return 1;
        clusters[j] = (struct cluster){sums[j], count_of[j], 0};
        cluster_of[j] = &clusters[j];
        memcpy(at[j], x + j * (n / CENTROIDS) * FEATURES, sizeof at[j]);
    }
    kernel(x, nearest_of, n, argument(argc, argv, 3), which);
    printf("%g\n", at[0][0]);
    return 0;
}
