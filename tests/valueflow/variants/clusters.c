/* Lloyd's k-means with points that know their cluster, and clusters that know their sums. Arguments: points,
 * steps. */
#include "../kernels/kernel.h"

enum { FEATURES = 8, CENTROIDS = 5 };

struct point {
    double x[FEATURES];
    int cluster;
};

struct cluster {
    double at[FEATURES], sum[FEATURES];
    int n;
};

static double distance(const struct point *p, const struct cluster *c)
{
    double d = 0;
    for (int f = 0; f < FEATURES; f++) d += (p->x[f] - c->at[f]) * (p->x[f] - c->at[f]);
    return d;
}

static void join(struct point *p, struct cluster *c)
{
    double best = 1e300;
    for (int j = 0; j < CENTROIDS; j++) {
        double d = distance(p, c + j);
        if (d < best) {
            best = d;
            p->cluster = j;
        }
    }
    c[p->cluster].n++;
    for (int f = 0; f < FEATURES; f++) c[p->cluster].sum[f] += p->x[f];
}

void kernel(struct point *p, struct cluster *c, long n, long steps)
{
    for (long s = 0; s < steps; s++) {
        for (int j = 0; j < CENTROIDS; j++) {
            c[j].n = 0;
            for (int f = 0; f < FEATURES; f++) c[j].sum[f] = 0;
        }
        for (long i = 0; i < n; i++) join(p + i, c);
        for (int j = 0; j < CENTROIDS; j++)
            for (int f = 0; f < FEATURES; f++) c[j].at[f] = c[j].sum[f] / c[j].n;
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1);
    double *x = filled(n * FEATURES);
    struct point *p = malloc((size_t)n * sizeof *p);
    struct cluster *c = malloc(CENTROIDS * sizeof *c);
    if (!p || !c) return 1;
    for (long i = 0; i < n; i++) memcpy(p[i].x, x + i * FEATURES, sizeof p->x);
    for (long j = 0; j < CENTROIDS; j++) memcpy(c[j].at, x + j * (n / CENTROIDS) * FEATURES, sizeof c->at);
    kernel(p, c, n, argument(argc, argv, 2));
    printf("%g %d\n", c->at[0], p->cluster);
    return 0;
}
