/* A lattice gas of nine populations on a torus, each step from one array into another, which then change
 * places. ARGUMENTS: way (0: population by population in one block; 1: cell by cell), rows, columns, steps.
 */
#include "../kernels/kernel.h"

enum { MOVES = 9 };
static const int down[MOVES] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, right[MOVES] = {0, 0, 1, 0, -1, 1, 1, -1, -1};

static void step(const double *from, double *to, const long *n, const long *by)
{
    for (long i = 0; i < n[0]; i++)
        for (long j = 0; j < n[1]; j++) {
            double f[MOVES], all = 0;
            for (int k = 0; k < MOVES; k++) {
                long row = (i - down[k] + n[0]) % n[0], column = (j - right[k] + n[1]) % n[1];
                f[k] = from[(row * n[1] + column) * by[0] + k * by[1]];
                all += f[k];
            }
            for (int k = 0; k < MOVES; k++)
                to[(i * n[1] + j) * by[0] + k * by[1]] = f[k] + 0.6 * (all / MOVES - f[k]);
        }
}

void kernel(double *from, double *to, const long *n, const long *by, long steps)
{
    for (long s = 0; s < steps; s++) {
        step(from, to, n, by);
        double *swap = from;
        from = to;
        to = swap;
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n[] = {argument(argc, argv, 2), argument(argc, argv, 3)};
    long cells = n[0] * n[1], by[] = {way ? MOVES : 1, way ? 1 : cells};
    double *from = filled(cells * MOVES), *to = filled(cells * MOVES);
    kernel(from, to, n, by, argument(argc, argv, 4));
    printf("%g\n", from[cells / 2]);
    return 0;
}
