/* A square of SIDE x SIDE cells and their neighbours in it; numbers beside it are read by two rows that are a
 * third of the square apart. ARGUMENTS: steps. */
#include "../kernels/kernel.h"

enum { SIDE = 18, THIRD = SIDE / 3, FIRST = 4 };

static double at(const double *u, int i, int j)
{
    return i < 0 || j < 0 || i == SIDE || j == SIDE ? 0 : u[i * SIDE + j];
}

__attribute__((noinline)) void kernel(double *u, double *v, const double *w, long steps)
{
    for (long s = 0; s < steps; s++) {
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++) {
                double around = at(u, i - 1, j) + at(u, i + 1, j) + at(u, i, j - 1) + at(u, i, j + 1);
                v[i * SIDE + j] = 0.2 * around + 0.1 * u[i * SIDE + j];
                if (i == FIRST || i == FIRST + THIRD) v[i * SIDE + j] += w[j];
            }
        double *other = u;
        u = v;
        v = other;
    }
}

int main(int argc, char **argv)
{
    double *u = filled(SIDE * SIDE), *v = filled(SIDE * SIDE), *w = filled(SIDE);
    kernel(u, v, w, argument(argc, argv, 1));
    printf("%.6f\n", u[1] + v[2]);
    free(u);
    free(v);
    free(w);
    return 0;
}
