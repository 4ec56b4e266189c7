/* Heat by Runge and Kutta's steps of four stages. ARGUMENTS: way (0: an array for the slopes of each stage;
 * 1: all in one, one after the other), rows, columns, steps. */
#include "../kernels/kernel.h"

static const double ahead[] = {0.05, 0.05, 0.1};

static void slopes(const double *u, double *k, const long *n)
{
    long w = n[1] + 2;
    for (long i = 1; i <= n[0]; i++)
        for (long j = 1; j <= n[1]; j++) {
            long q = i * w + j;
            k[q] = u[q - 1] + u[q + 1] + u[q - w] + u[q + w] - 4 * u[q];
        }
}

static void step(double *u, double *t, double *const *k, const long *n)
{
    long words = (n[0] + 2) * (n[1] + 2);
    memcpy(t, u, (size_t)words * sizeof *u);
    for (int stage = 0; stage < 4; stage++) {
        slopes(t, k[stage], n);
        for (long q = 0; stage < 3 && q < words; q++) t[q] = u[q] + ahead[stage] * k[stage][q];
    }
    for (long q = 0; q < words; q++) u[q] += 0.1 / 6 * (k[0][q] + 2 * k[1][q] + 2 * k[2][q] + k[3][q]);
}

void kernel(double *u, double *t, double *const *k, const long *n, long steps)
{
    for (long s = 0; s < steps; s++) step(u, t, k, n);
}

int main(int argc, char **argv)
{
    long n[] = {argument(argc, argv, 2), argument(argc, argv, 3)}, words = (n[0] + 2) * (n[1] + 2);
    double *u = filled(words), *t = filled(words), *k[4];
    double *all = calloc((size_t)words * 4, sizeof *all);
    if (!all) return 1;
    for (int stage = 0; stage < 4; stage++)
        k[stage] = argument(argc, argv, 1) ? all + stage * words : calloc((size_t)words, sizeof *all);
    kernel(u, t, k, n, argument(argc, argv, 4));
    printf("%g\n", u[words / 2]);
    return 0;
}
