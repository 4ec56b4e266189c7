/* Arrays that hold each other transposed, T times: 0 lines of both are swept, and copied to the columns of
 * the other with a change; 1 copied plainly; 2 a step of a stencil from one to the other and back. N ROWS of
 * M COLUMNS. 3 and 4 blocks of N^3, of which a point comes of those around it in the other, whose dimensions
 * stand in another order. 5 lines of both are transformed, N a power of two: to transpose is cheaper than to
 * cut them. WAY N M T. */
#include "../kernels/kernel.h"

static void sweep(double *a, long lines, long n)
{
    for (long i = 0; i < lines; i++)
        for (long j = 1; j < n; j++) a[i * n + j] = 0.5 * a[i * n + j] + 0.25 * a[i * n + j - 1];
}

static void turn(const double *a, double *b, long n, long m)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) b[j * n + i] = 0.5 * a[i * m + j] + 0.1;
}

static void copy(const double *a, double *b, long n, long m)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) b[j * n + i] = a[i * m + j];
}

static void transform(double *a, long n)
{
    for (long i = 0; i < n; i++)
        for (long h = 1; h < n; h *= 2)
            for (long j = 0; j < n; j += j % h == h - 1 ? h + 1 : 1) {
                double *u = a + i * n + j, x = u[0], y = u[h];
                u[0] = x + y;
                u[h] = x - y;
            }
}

static void relax(const double *a, double *b, long n, long m)
{
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < m - 1; j++) {
            const double *u = a + i * m + j;
            b[j * n + i] = *u + 0.1 * (u[-m] + u[m] + u[-1] + u[1] - 4 * *u);
        }
}

/* The dimensions of b are those of a by these steps. */
static void relax_block(const double *a, double *b, long n, const long *step)
{
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < n - 1; j++)
            for (long k = 1; k < n - 1; k++) {
                const double *u = a + (i * n + j) * n + k;
                b[i * step[0] + j * step[1] + k * step[2]] =
                    *u + 0.1 * (u[-n * n] + u[n * n] + u[-n] + u[n] + u[-1] + u[1]);
            }
}

static void copy_block(const double *b, double *a, long n, const long *step)
{
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < n - 1; j++)
            for (long k = 1; k < n - 1; k++)
                a[(i * n + j) * n + k] = 0.5 * b[i * step[0] + j * step[1] + k * step[2]];
}

void kernel(long way, double *a, double *b, long n, long m, long steps)
{
    const long moved[] = {n, 1, n * n}, turned[] = {1, n, n * n};
    for (long t = 0; t < steps; t++) {
        if (way < 2) sweep(a, n, m);
        if (way == 0) turn(a, b, n, m);
        if (way == 1) copy(a, b, n, m);
        if (way < 2) sweep(b, m, n);
        if (way == 0) turn(b, a, m, n);
        if (way == 1) copy(b, a, m, n);
        if (way == 2) relax(a, b, n, m);
        if (way == 2) relax(b, a, m, n);
        if (way == 3 || way == 4) relax_block(a, b, n, way == 3 ? moved : turned);
        if (way == 3 || way == 4) copy_block(b, a, n, way == 3 ? moved : turned);
        if (way == 5) transform(a, n);
        if (way == 5) copy(a, b, n, n);
        if (way == 5) transform(b, n);
        if (way == 5) copy(b, a, n, n);
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), m = argument(argc, argv, 3);
    long words = way == 3 || way == 4 ? n * n * n : n * m;
    double *a = filled(words), *b = filled(words);
    kernel(way, a, b, n, m, argument(argc, argv, 4));
    printf("%g\n", a[n + 1] + b[n + 1]);
    return 0;
}
