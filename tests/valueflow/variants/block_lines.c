/* Lines that are swept with blocks in one place, set up for each line anew: some of their numbers come of two
 * parameters alone, others of the line, and a function subtracts from both what those before them come to. In
 * rows (0) or columns (1). WAY N STEPS. */
#include "../kernels/kernel.h"
enum { MOST = 32, B = 2 };
static double blocks[MOST][B][B];

static void set(const double *parameters, const double *u, long n, long stride)
{
    for (long i = 0; i < n; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < B; k++)
                blocks[i][j][k] = (j == k ? 4 : 0) + parameters[0] + (j ? u[i * stride] : 0);
}

__attribute__((noinline)) static void subtract(double a[B][B], const double *parameters, double c[B][B])
{
    for (int j = 0; j < B; j++)
        for (int k = 0; k < B; k++) c[j][k] -= parameters[1] * a[j][k];
}

static void sweep(const double *parameters, double *u, long n, long stride)
{
    set(parameters, u, n, stride);
    for (long i = 1; i < n; i++) {
        double(*own)[B] = blocks[i];
        subtract(blocks[i - 1], parameters, own);
        u[i * stride] =
            (u[i * stride] - own[0][0] * own[1][0] * u[(i - 1) * stride]) / (own[0][1] + own[1][1]);
    }
}

void kernel(long way, const double *parameters, double *u, long n, long steps)
{
    for (long t = 0; t < steps; t++)
        for (long i = 0; i < n; i++)
            if (way == 0)
                sweep(parameters, u + i * n, n, 1);
            else
                sweep(parameters, u + i, n, n);
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2);
    double *u = filled(n * n), *parameters = filled(2);
    kernel(argument(argc, argv, 1), parameters, u, n, argument(argc, argv, 3));
    printf("%g\n", u[2 * n + 3]);
    return 0;
}
