/* kmeans with an array for each feature, and a point's distances in an array on the stack. */
#include "../kernels/kernel.h"

enum { MOST = 16 };

static int nearest(double *const *x, double *const *c, long i, long m, long k)
{
    double distance[MOST], best = 1e300;
    int b = 0;
    for (long j = 0; j < k; j++) {
        distance[j] = 0;
        for (long f = 0; f < m; f++) distance[j] += (x[f][i] - c[f][j]) * (x[f][i] - c[f][j]);
    }
    for (long j = 0; j < k; j++)
        if (distance[j] < best) {
            best = distance[j];
            b = (int)j;
        }
    return b;
}

void kernel(double **x, double **c, double **s, int *count, int *member, long n, long m, long k, long t)
{
    for (long step = 0; step < t; step++) {
        for (long j = 0; j < k; j++) {
            for (long f = 0; f < m; f++) s[f][j] = 0;
            count[j] = 0;
        }
        for (long i = 0; i < n; i++) {
            member[i] = nearest(x, c, i, m, k);
            count[member[i]]++;
            for (long f = 0; f < m; f++) s[f][member[i]] += x[f][i];
        }
        for (long j = 0; j < k; j++)
            for (long f = 0; f < m; f++) c[f][j] = s[f][j] / count[j];
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), m = argument(argc, argv, 2), k = argument(argc, argv, 3),
         t = argument(argc, argv, 4);
    double *all = filled(n * m), *x[MOST], *c[MOST], *s[MOST];
    int *count = malloc((size_t)k * sizeof *count), *member = malloc((size_t)n * sizeof *member);
    if (!count || !member || m > MOST || k > MOST) return 1;
    for (long f = 0; f < m; f++) {
        x[f] = filled(n);
        c[f] = filled(k);
        s[f] = filled(k);
        for (long i = 0; i < n; i++) x[f][i] = all[i * m + f];
        for (long j = 0; j < k; j++) c[f][j] = x[f][j * (n / k)];
    }
    kernel(x, c, s, count, member, n, m, k, t);
    printf("%g\n", c[0][0]);
    return 0;
}
