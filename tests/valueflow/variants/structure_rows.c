/* The plain sweep of a square whose rows are structures: these are no fields. */
#include "../kernels/kernel.h"
enum { COLUMNS = 34 };
struct row {
    double at[COLUMNS];
};
void kernel(struct row *u, struct row *v, long n, long steps)
{
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i <= n; i++)
            for (int j = 1; j < COLUMNS - 1; j++)
                v[i].at[j] = 0.25 * (u[i - 1].at[j] + u[i + 1].at[j] + u[i].at[j - 1] + u[i].at[j + 1]);
        struct row *x = u;
        u = v;
        v = x;
    }
}
int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), steps = argument(argc, argv, 2);
    struct row *u = (struct row *)filled(COLUMNS * (n + 2)), *v = (struct row *)filled(COLUMNS * (n + 2));
    kernel(u, v, n, steps);
    printf("%g\n", u[3].at[4]);
    return 0;
}
