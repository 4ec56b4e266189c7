/* The number with the largest f, found by a pointer (even ways) or an index (odd), f computed again of what
 * stands there: itself, magnitude, square, distance, square of a distance, scaled. All numbers are divided by
 * it. ARGUMENTS: way, length, steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BY_POINTER(f)                                                                                        \
    {                                                                                                        \
        const double *k = x;                                                                                 \
        for (int i = 1; i < n; i++)                                                                          \
            if (f(*k) < f(x[i])) k = &x[i];                                                                  \
        found = *k;                                                                                          \
    }
#define BY_INDEX(f)                                                                                          \
    {                                                                                                        \
        int k = 0;                                                                                           \
        for (int i = 1; i < n; i++)                                                                          \
            if (f(x[k]) < f(x[i])) k = i;                                                                    \
        found = x[k];                                                                                        \
    }
#define SAME(a)        (a)
#define SQUARE(a)      ((a) * (a))
#define FROM(a)        fabs((a) - 0.3)
#define FROM_SQUARE(a) (((a) - 0.3) * ((a) - 0.3))
#define SCALED(a)      (2.5 * (a))
#define WAYS(way, f)                                                                                         \
    if (which == 2 * (way)) BY_POINTER(f)                                                                    \
    if (which == 2 * (way) + 1) BY_INDEX(f)

void kernel(int which, double *x, int n, int steps)
{
    for (int t = 0; t < steps; t++) {
        double found = 0;
        WAYS(0, SAME)
        WAYS(1, fabs)
        WAYS(2, SQUARE)
        WAYS(3, FROM)
        WAYS(4, FROM_SQUARE)
        WAYS(5, SCALED)
        for (int i = 0; i < n; i++) x[i] = x[i] / (found + 2) + 0.01;
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int n = atoi(argv[2]);
    double *x = malloc((size_t)n * sizeof *x), sum = 0;
    if (!x) return 1;
    for (int i = 0; i < n; i++) x[i] = sin(i);
    kernel(atoi(argv[1]), x, n, atoi(argv[3]));
    for (int i = 0; i < n; i++) sum += x[i];
    printf("%.9g\n", sum);
    free(x);
    return 0;
}
