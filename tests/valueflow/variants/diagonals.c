/* Sweeps that read diagonals: seven points of triangles, nine of a square, 27 of a cube, with a frame around
 * them. ARGUMENTS: way (0: seven, 1: nine, 2: 27), planes, rows, columns, steps. */
#include "../kernels/kernel.h"

static long row, plane;

static double seven(const double *u)
{
    return 0.4 * u[0] + 0.1 * (u[1] + u[-1] + u[row] + u[-row] + u[row - 1] + u[1 - row]);
}

static double nine(const double *u)
{
    return 0.2 * u[0] + 0.11 * (u[1] + u[-1] + u[row] + u[-row]) +
           0.09 * (u[row - 1] + u[row + 1] + u[-row - 1] + u[1 - row]);
}

static double around(const double *u)
{
    return nine(u) + 0.1 * (nine(u - plane) + nine(u + plane));
}

void kernel(double *u, double *v, int way, const long *n, long steps)
{
    row = n[2] + 2;
    plane = row * (n[1] + 2);
    long first = way == 2, last = way == 2 ? n[0] : 0;
    for (long s = 0; s < steps; s++) {
        for (long k = first; k <= last; k++)
            for (long j = 1; j <= n[1]; j++)
                for (long i = 1; i <= n[2]; i++) {
                    const double *at = u + k * plane + j * row + i;
                    v[at - u] = way == 0 ? seven(at) : way == 1 ? nine(at) : around(at);
                }
        for (long k = first; k <= last; k++)
            for (long j = 1; j <= n[1]; j++)
                for (long i = 1; i <= n[2]; i++) u[k * plane + j * row + i] = v[k * plane + j * row + i];
    }
}

int main(int argc, char **argv)
{
    int way = (int)argument(argc, argv, 1);
    long n[] = {argument(argc, argv, 2), argument(argc, argv, 3), argument(argc, argv, 4)};
    long words = (n[1] + 2) * (n[2] + 2) * (way == 2 ? n[0] + 2 : 1);
    double *u = filled(words), *v = filled(words);
    kernel(u, v, way, n, argument(argc, argv, 5));
    printf("%g\n", u[words / 2]);
    return 0;
}
