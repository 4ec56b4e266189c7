/* Arrays of N x N cells with a halo of two around them. WAY 0: what moves through a wall comes back with the
 * other sign, so that cells of the halo are computed; 1: in every step conductivities of faces come of a
 * density that stays, one row and column more than cells. Arguments: way, cells along a side, steps. */
#include "../kernels/kernel.h"

#define AT(u, i, j) u[((i) + 2) * (n + 4) + (j) + 2]

static void mirror(double *u, long n)
{
    for (long k = 1; k <= 2; k++)
        for (long i = 0; i < n; i++) {
            AT(u, -k, i) = -AT(u, k - 1, i);
            AT(u, n - 1 + k, i) = -AT(u, n - k, i);
        }
    for (long k = 1; k <= 2; k++)
        for (long i = 0; i < n; i++) {
            AT(u, i, -k) = -AT(u, i, k - 1);
            AT(u, i, n - 1 + k) = -AT(u, i, n - k);
        }
}

static void spread(const double *u, double *v, long n)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            AT(v, i, j) = 0.6 * AT(u, i, j) + 0.1 * (AT(u, i - 1, j) + AT(u, i + 1, j)) +
                          0.1 * (AT(u, i, j - 1) + AT(u, i, j + 1));
}

static void conduct(const double *density, double *x, double *y, long n)
{
    for (long i = 0; i <= n; i++)
        for (long j = 0; j <= n; j++) {
            AT(x, i, j) = 1 / (AT(density, i - 1, j) + AT(density, i, j));
            AT(y, i, j) = 1 / (AT(density, i, j - 1) + AT(density, i, j));
        }
}

static void heat(const double *u, double *v, const double *x, const double *y, long n)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            AT(v, i, j) = AT(u, i, j) * (1 - 0.1 * (AT(x, i + 1, j) + AT(x, i, j))) +
                          0.1 * (AT(x, i + 1, j) * AT(u, i + 1, j) + AT(x, i, j) * AT(u, i - 1, j)) +
                          0.1 * (AT(y, i, j + 1) * AT(u, i, j + 1) + AT(y, i, j) * AT(u, i, j - 1)) -
                          0.1 * AT(u, i, j) * (AT(y, i, j + 1) + AT(y, i, j));
}

__attribute__((noinline)) void kernel(long way, double *u, double *v, double *density, double *x, double *y,
                                      long n, long steps)
{
    for (long t = 0; t < steps; t++) {
        if (way == 0) {
            mirror(u, n);
            spread(u, v, n);
        } else {
            conduct(density, x, y, n);
            heat(u, v, x, y, n);
        }
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++) AT(u, i, j) = 0.5 * (AT(u, i, j) + AT(v, i, j));
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    long words = (n + 4) * (n + 4);
    double *u = filled(words), *v = filled(words), *density = filled(words);
    double *x = filled(words), *y = filled(words);
    kernel(way, u, v, density, x, y, n, steps);
    printf("%g\n", u[words / 2]);
}
