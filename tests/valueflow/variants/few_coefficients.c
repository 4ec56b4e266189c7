/* few_coefficients WAY N TIMES: two coefficients that come of all points of a line, which read their
 * neighbours: by a gradient of three points each (0), by sums over five (1); one sum of all products (2); one
 * coefficient, which all terms of its gradient have in common (3). */
#include "../kernels/kernel.h"

static void descend(const double *u, const double *w, double *c, long n)
{
    double slope[2] = {0, 0};
    for (long i = 2; i < n + 2; i++) {
        double error = w[i] - c[0] * u[i] - c[1] * (u[i - 1] + u[i + 1]);
        slope[0] += error * u[i];
        slope[1] += error * (u[i - 1] + u[i + 1]);
    }
    c[0] -= 0.01 * slope[0];
    c[1] -= 0.01 * slope[1];
}

static void add_up(const double *u, const double *w, double *c, long n)
{
    double sum[2] = {0, 0};
    for (long i = 2; i < n + 2; i++) {
        double error = w[i] - c[0] * u[i] - c[1] * (u[i - 2] + u[i - 1] + u[i + 1] + u[i + 2]);
        sum[0] += error * u[i];
        sum[1] += error * error;
    }
    c[0] = sum[0];
    c[1] = sum[1];
}

static void multiply(const double *u, const double *w, double *c, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += u[i] * w[i];
    *c = sum;
}

static void descend_alone(const double *u, const double *w, double *c, long n)
{
    double slope = 0;
    for (long i = 0; i < n; i++) slope += (w[i] - c[0] * u[i]) * u[i];
    c[0] -= 0.01 * slope;
}

void kernel(int way, const double *u, const double *w, double *c, long n, long times)
{
    for (long t = 0; t < times; t++) {
        if (way == 0) descend(u, w, c, n);
        if (way == 1) add_up(u, w, c, n);
        if (way == 2) multiply(u, w, c, n);
        if (way == 3) descend_alone(u, w, c, n);
    }
}

int main(int argc, char **argv)
{
    int way = (int)argument(argc, argv, 1);
    long n = argument(argc, argv, 2), times = argument(argc, argv, 3);
    double *u = filled(n + 4), *w = filled(n + 4), *c = filled(2);
    kernel(way, u, w, c, n, times);
    printf("%g %g\n", c[0], c[1]);
    return 0;
}
