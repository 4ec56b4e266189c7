/* Arrays that are declared for more than there is: the weights of a regression (0), the centres of clusters
 * and what is added up for them (1), a matrix that is factorised where its rows (2), or its rows and columns
 * (3), are fewer. ARGUMENTS: which, how many, of how many weights or clusters, steps. */
#include "../kernels/kernel.h"

enum { MOST = 4096, MOST_ROWS = 64, ROW = 24, FEATURES = 3 };

static double weights[MOST], centres[MOST], sums[MOST], matrix[MOST_ROWS][ROW], larger[MOST_ROWS][MOST_ROWS];
static long counts[MOST];

static void regress(const double *x, const double *y, long n, long m)
{
    double slope[16] = {0};
    for (long i = 0; i < n; i++) {
        double sum = 0;
        for (long k = 0; k < m; k++) sum += weights[k] * x[i * m + k];
        double error = 1 / (1 + exp(-sum)) - y[i];
        for (long k = 0; k < m; k++) slope[k] += error * x[i * m + k];
    }
    for (long k = 0; k < m; k++) weights[k] -= 0.1 * slope[k] / (double)n;
}

static long nearest(const double *x, long m)
{
    long best = 0;
    double least = 1e30;
    for (long k = 0; k < m; k++) {
        double sum = 0;
        for (int d = 0; d < FEATURES; d++)
            sum += (x[d] - centres[k * FEATURES + d]) * (x[d] - centres[k * FEATURES + d]);
        if (sum < least) least = sum, best = k;
    }
    return best;
}

static void cluster(const double *x, long n, long m)
{
    for (long k = 0; k < m * FEATURES; k++) sums[k] = 0;
    for (long k = 0; k < m; k++) counts[k] = 0;
    for (long i = 0; i < n; i++) {
        long k = nearest(x + i * FEATURES, m);
        counts[k]++;
        for (int d = 0; d < FEATURES; d++) sums[k * FEATURES + d] += x[i * FEATURES + d];
    }
    for (long k = 0; k < m; k++)
        for (int d = 0; counts[k] && d < FEATURES; d++)
            centres[k * FEATURES + d] = sums[k * FEATURES + d] / (double)counts[k];
}

static void factorise(double *a, long row, long n)
{
    for (long k = 0; k < n; k++)
        for (long i = k + 1; i < n; i++) {
            double factor = a[i * row + k] /= a[k * row + k];
            for (long j = k + 1; j < n; j++) a[i * row + j] -= factor * a[k * row + j];
        }
}

void kernel(long which, const double *x, const double *y, long n, long m, long steps)
{
    for (long s = 0; s < steps; s++) {
        if (which == 0) regress(x, y, n, m);
        if (which == 1) cluster(x, n, m);
        if (which == 2) factorise(matrix[0], ROW, n);
        if (which == 3) factorise(larger[0], MOST_ROWS, n);
    }
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2), m = argument(argc, argv, 3);
    double *x = filled(n * (m < FEATURES ? FEATURES : m)), *y = filled(n);
    for (long k = 0; k < MOST; k++) weights[k] = centres[k] = y[k % n] * 0.9;
    for (long i = 0; i < MOST_ROWS; i++)
        for (long j = 0; j < MOST_ROWS; j++) {
            if (j < ROW) matrix[i][j] = y[(i * j) % n] + (i == j) * 10;
            larger[i][j] = y[(i * j) % n] + (i == j) * 10;
        }
    kernel(which, x, y, n, m, argument(argc, argv, 4));
    printf("%g %g %g %g\n", weights[1], centres[1], matrix[3][2], larger[3][2]);
    return 0;
}
