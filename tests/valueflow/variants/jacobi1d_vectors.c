/* jacobi1d with vectors of four, loaded and stored wherever they lie. */
#include "../kernels/kernel.h"

typedef double four __attribute__((vector_size(32), aligned(8)));

static void sweep(const double *u, double *v, long n)
{
    long i = 1;
    for (; i + 3 <= n; i += 4) {
        const four *left = (const four *)(u + i - 1), *own = (const four *)(u + i),
                   *right = (const four *)(u + i + 1);
        *(four *)(v + i) = 0.5 * *own + 0.25 * (*left + *right);
    }
    for (; i <= n; i++) v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
}

void kernel(double *u, double *v, long n, long t)
{
    for (long s = 0; s < t; s++) {
        sweep(u, v, n);
        double *swap = u;
        u = v;
        v = swap;
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2);
    double *u = filled(n + 2), *v = filled(n + 2);
    kernel(u, v, n, t);
    printf("%g\n", u[n / 2]);
    return 0;
}
