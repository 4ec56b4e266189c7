/* Nine populations of each cell of a plane relax together; then neighbours exchange them in place. */
#include "kernel.h"
static const int cx[9] = {0, 1, 0, 1, -1, -1, 0, -1, 1}, cy[9] = {0, 0, 1, 1, 1, 0, -1, -1, -1};
static void collide(double *f)
{
    double density = 0, x = 0, y = 0;
    for (int k = 0; k < 9; k++) {
        density += f[k];
        x += cx[k] * f[k];
        y += cy[k] * f[k];
    }
    for (int k = 0; k < 9; k++) f[k] += 0.6 * ((density + 3 * (cx[k] * x + cy[k] * y)) / 9 - f[k]);
}
static void exchange(double *a, double *b)
{
    double held = *a;
    *a = *b;
    *b = held;
}
void kernel(double *f, long n, long steps)
{
    long m = n + 2;
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) {
                double *cell = f + (i * m + j) * 9;
                collide(cell);
                for (int k = 1; k <= 4; k++) exchange(cell + k, cell + k + 4);
            }
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++)
                for (int k = 1; k <= 4; k++)
                    exchange(f + (i * m + j) * 9 + k + 4, f + ((i + cx[k]) * m + j + cy[k]) * 9 + k);
    }
}
int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), steps = argument(argc, argv, 2), m = n + 2;
    double *f = filled(m * m * 9);
    kernel(f, n, steps);
    printf("%g\n", f[m * 18 + 50]);
    return 0;
}
