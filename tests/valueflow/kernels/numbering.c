/* The points of a plane of n x n are numbered by one that counts through both loops, the sizes of which a
 * structure holds; then the mean of each point's row neighbours and itself, and its number, t times.
 * -DWHILE: the loops begin with their questions. */
#include "kernel.h"

struct plane {
    long rows, columns;
};

static void number(const struct plane *plane, double *numbers)
{
    long count = 0;
#ifdef WHILE
    long i = 0;
    while (i < plane->rows) {
        long j = 0;
        while (j < plane->columns) {
            numbers[count] = (double)count;
            count++;
            j++;
        }
        i++;
    }
#else
    long rows = plane->rows, columns = plane->columns;
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < columns; j++, count++) numbers[count] = (double)count;
#endif
}

void kernel(const struct plane *plane, double *numbers, double *u, double *next, long n, long t)
{
    number(plane, numbers);
    for (long k = 0; k < t; k++) {
        for (long i = 0; i < n; i++)
            for (long j = 1; j < n - 1; j++)
                next[i * n + j] =
                    (u[i * n + j - 1] + u[i * n + j] + u[i * n + j + 1]) / 3 + 1e-6 * numbers[i * n + j];
        for (long i = 0; i < n; i++)
            for (long j = 1; j < n - 1; j++) u[i * n + j] = next[i * n + j];
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2);
    struct plane *plane = malloc(sizeof *plane);
    double *numbers = filled(n * n), *u = filled(n * n), *next = filled(n * n);
    if (!plane) return 1;
    plane->rows = plane->columns = n;
    kernel(plane, numbers, u, next, n, t);
    printf("%g\n", u[n / 2]);
    return 0;
}
