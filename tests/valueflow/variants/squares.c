/* Squares of N x N words of which those on both sides of the diagonal belong together: 0 the products of each
 * two rows of a matrix; 1 planes that are swept along their columns in an array that holds these as rows,
 * then along their rows in the same array, T times. WAY N T. */
#include "../kernels/kernel.h"

static void multiply(const double *a, double *c, long n)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double sum = 0;
            for (long k = 0; k < n; k++) sum += a[i * n + k] * a[j * n + k];
            c[i * n + j] = 0.5 * c[i * n + j] + sum;
        }
}

/* Line i of `from` is as far from the next as `line`, and its words as `step`. */
static void sweep(const double *from, double *to, double *q, long n, long line, long step)
{
    for (long i = 1; i < n - 1; i++) {
        const double *u = from + i * line;
        double *d = q + i * n, *w = to + i * line;
        d[0] = 1;
        for (long j = 1; j < n - 1; j++)
            d[j] = 0.2 * u[j * step - line] + 0.6 * u[j * step] + 0.2 * u[j * step + line] - 0.3 * d[j - 1];
        for (long j = n - 2; j > 0; j--) w[j * step] = d[j] + 0.3 * w[(j + 1) * step];
    }
}

void kernel(long way, double *a, double *b, double *q, long n, long steps)
{
    if (way == 0) multiply(a, b, n);
    for (long t = 0; t < steps && way == 1; t++) {
        sweep(a, b, q, n, 1, n);
        sweep(b, a, q, n, n, 1);
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2);
    double *a = filled(n * n), *b = filled(n * n), *q = filled(n * n);
    kernel(way, a, b, q, n, argument(argc, argv, 3));
    printf("%g\n", a[n + 1] + b[n + 1]);
    return 0;
}
