/* A matrix that is assembled from elements, all of which come of two sizes of the mesh alone: through arrays
 * on the stack to which products are added, as codes of finite elements do (0), or in registers (1). Then it
 * is multiplied by a vector. WAY N STEPS. */
#include "../kernels/kernel.h"
enum { J = 6, M = 4 };
static const double shape[2][2][J] = {{{1, 2, 3, 4, 5, 6}, {2, 1, 4, 3, 6, 5}},
                                      {{3, 2, 1, 6, 5, 4}, {1, 3, 2, 5, 4, 6}}};

static void element(const double *sizes, double *m)
{
    double jacobian[J];
    for (int i = 0; i < M; i++) m[i] = 0;
    for (int g = 0; g < 2; g++) {
        for (int i = 0; i < J; i++) jacobian[i] = 0;
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < J; i++) jacobian[i] += shape[g][k][i] * sizes[i % 2];
        const double *j = jacobian;
        for (int i = 0; i < M; i++) m[i] += 0.1 * (j[0] * j[1] + i * j[2] * j[3] + j[4] / j[5]);
    }
}

static double in_registers(const double *sizes, int i)
{
    return 0.1 * ((2 + i) * sizes[0] * sizes[1] + i * sizes[0]);
}

void kernel(long way, const double *sizes, double *matrix, double *x, long n, long steps)
{
    for (long e = 0; e + 1 < n; e++) {
        double m[M];
        if (way == 0)
            element(sizes, m);
        else
            for (int i = 0; i < M; i++) m[i] = in_registers(sizes, i);
        matrix[2 * e] += m[0];
        matrix[2 * e + 1] += m[1];
        matrix[2 * e + 2] += m[2];
        matrix[2 * e + 3] += m[3];
    }
    for (long t = 0; t < steps; t++)
        for (long i = 0; i < n; i++) x[i] = 0.5 * x[i] + 0.01 * (matrix[2 * i] - matrix[2 * i + 1]);
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2);
    double *sizes = filled(2), *matrix = filled(2 * n), *x = filled(n);
    kernel(argument(argc, argv, 1), sizes, matrix, x, n, argument(argc, argv, 3));
    printf("%g\n", x[n / 2] + matrix[5]);
    return 0;
}
