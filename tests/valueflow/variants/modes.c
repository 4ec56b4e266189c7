/* Transport on a periodic M x M mesh of elements of P x P points, which are differentiated along both
 * directions by a matrix and take what flows in at two sides from the elements there, two stages to a step. M
 * STEPS. */
#include "../kernels/kernel.h"

enum { P = 4 };

static const double derivative[P][P] = {
    {-3, 4, -1.5, 0.5}, {-1, -0.5, 2, -0.5}, {0.5, -2, 0.5, 1}, {-0.5, 1.5, -4, 3}};

static double *element(double *u, long m, long x, long y)
{
    return u + ((x + m) % m * m + (y + m) % m) * P * P;
}

static void differentiate(const double *u, const double *left, const double *below, double *rate)
{
    for (int i = 0; i < P; i++)
        for (int j = 0; j < P; j++) {
            double dx = 0, dy = 0;
            for (int k = 0; k < P; k++) {
                dx += derivative[i][k] * u[k * P + j];
                dy += derivative[j][k] * u[i * P + k];
            }
            double sum = dx + 0.5 * dy;
            if (i == 0) sum += 3 * (u[j] - left[(P - 1) * P + j]);
            if (j == 0) sum += 1.5 * (u[i * P] - below[i * P + P - 1]);
            rate[i * P + j] = -sum;
        }
}

static void find_rates(double *u, double *rate, long m)
{
    for (long x = 0; x < m; x++)
        for (long y = 0; y < m; y++)
            differentiate(element(u, m, x, y), element(u, m, x - 1, y), element(u, m, x, y - 1),
                          element(rate, m, x, y));
}

__attribute__((noinline)) void kernel(double *u, double *half, double *rate, long m, long steps)
{
    long n = m * m * P * P;
    for (long t = 0; t < steps; t++) {
        find_rates(u, rate, m);
        for (long i = 0; i < n; i++) half[i] = u[i] + 0.01 * rate[i];
        find_rates(half, rate, m);
        for (long i = 0; i < n; i++) u[i] = 0.5 * (u[i] + half[i] + 0.01 * rate[i]);
    }
}

int main(int argc, char **argv)
{
    long m = argument(argc, argv, 1), n = m * m * P * P;
    double *u = filled(n), *half = filled(n), *rate = filled(n);
    kernel(u, half, rate, m, argument(argc, argv, 2));
    printf("%g\n", u[3] + u[n - 2]);
    return 0;
}
