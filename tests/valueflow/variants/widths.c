/* Sums over a plane whose terms have the widths of their row and column: an integral (0), with the smaller
 * width (1), and the least of a time step, chosen (2) or compared (3). WAY N STEPS. */
#include "../kernels/kernel.h"
enum { MOST = 8 };
static double result[MOST];

static double integral(const double *u, const double *dx, const double *dy, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) sum += u[i * n + j] * dx[i] * dy[j];
    return sum;
}

static double with_smaller(const double *u, const double *dx, const double *dy, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) sum += sqrt(u[i * n + j]) * fmin(dx[i], dy[j]);
    return sum;
}

static double least(const double *u, const double *dx, const double *dy, long n)
{
    double least = 1e30;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) least = fmin(least, fmin(dx[i], dy[j]) / u[i * n + j]);
    return least;
}

static double least_compared(const double *u, const double *dx, const double *dy, long n)
{
    double least = 1e30;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double step = fmin(dx[i], dy[j]) / u[i * n + j];
            if (step < least) least = step;
        }
    return least;
}

void kernel(long way, double *u, const double *dx, const double *dy, long n, long steps)
{
    for (long t = 0; t < steps; t++) {
        for (long i = 0; i < n * n; i++) u[i] = 0.5 * u[i] + 0.1;
        if (way == 0) result[t] = integral(u, dx, dy, n);
        if (way == 1) result[t] = with_smaller(u, dx, dy, n);
        if (way == 2) result[t] = least(u, dx, dy, n);
        if (way == 3) result[t] = least_compared(u, dx, dy, n);
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *u = filled(n * n), *dx = filled(n), *dy = filled(n);
    kernel(argument(argc, argv, 1), u, dx, dy, n, steps < MOST ? steps : MOST);
    printf("%g\n", result[0]);
    return 0;
}
