/* Blocks of 4 x 4 along the rows of a plane and then along its columns, which are made of what stands at
 * three points, are eliminated in a workspace, line by line. ARGUMENTS: way (0), points along a side, steps.
 */
#include "../kernels/kernel.h"

enum { B = 4, MOST = 64 };
typedef double block[B][B];

static void multiply(const block a, const block b, block c)
{
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < B; k++) c[i][j] -= a[i][k] * b[k][j];
}

static void subtract(const block a, const double *v, double *r)
{
    for (int i = 0; i < B; i++)
        for (int k = 0; k < B; k++) r[i] -= a[i][k] * v[k];
}

/* What is left of the line's block becomes 1. */
static void invert(block diagonal, block above, double *r)
{
    for (int p = 0; p < B; p++) {
        double pivot = 1 / diagonal[p][p];
        for (int j = p + 1; j < B; j++) diagonal[p][j] *= pivot;
        for (int j = 0; j < B; j++) above[p][j] *= pivot;
        r[p] *= pivot;
        for (int i = 0; i < B; i++) {
            if (i == p) continue;
            double factor = diagonal[i][p];
            for (int j = p + 1; j < B; j++) diagonal[i][j] -= factor * diagonal[p][j];
            for (int j = 0; j < B; j++) above[i][j] -= factor * above[p][j];
            r[i] -= factor * r[p];
        }
    }
}

static void set(const double *u, double share, double own, block to)
{
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++) to[i][j] = share * u[i] * u[j] + (i == j ? own : 0);
}

__attribute__((noinline)) static void solve(const double *u, double *r, long n, long stride)
{
    block below[MOST], diagonal[MOST], above[MOST];
    for (long i = 0; i < n; i++) {
        const double *here = u + i * stride * B;
        set(here, 0.02, 1.2, diagonal[i]);
        if (i > 0) set(here - stride * B, -0.01, -0.1, below[i]);
        if (i < n - 1)
            set(here + stride * B, 0.01, -0.1, above[i]);
        else
            memset(above[i], 0, sizeof above[i]);
    }
    for (long i = 0; i < n; i++) {
        double *own = r + i * stride * B;
        if (i > 0) subtract(below[i], own - stride * B, own);
        if (i > 0) multiply(below[i], above[i - 1], diagonal[i]);
        invert(diagonal[i], above[i], own);
    }
    for (long i = n - 2; i >= 0; i--) subtract(above[i], r + (i + 1) * stride * B, r + i * stride * B);
}

void kernel(double *u, double *r, long n, long steps)
{
    for (long t = 0; t < steps; t++) {
        for (long i = 0; i < n * n * B; i++) r[i] = 0.01 * u[i];
        for (long i = 0; i < n; i++) solve(u + i * n * B, r + i * n * B, n, 1);
        for (long i = 0; i < n; i++) solve(u + i * B, r + i * B, n, n);
        for (long i = 0; i < n * n * B; i++) u[i] += r[i];
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *u = filled(n * n * B), *r = filled(n * n * B);
    kernel(u, r, n, steps);
    printf("%g\n", u[n * n / 2]);
    return 0;
}
