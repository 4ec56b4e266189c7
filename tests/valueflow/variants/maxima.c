/* What the largest of N numbers makes of a sum over them: m + log s (0), log s (1), m s (2), s - m (3), s the
 * sum of exp(x - m). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double result;

void kernel(int way, const double *x, long n)
{
    double m = x[0], s = 0;
    for (long i = 0; i < n; i++) m = fmax(m, x[i]);
    for (long i = 0; i < n; i++) s += exp(x[i] - m);
    if (way == 0) result = m + log(s);
    if (way == 1) result = log(s);
    if (way == 2) result = m * s;
    if (way == 3) result = s - m;
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0;
    long n = argc > 2 ? atol(argv[2]) : 2400;
    double *x = malloc((size_t)n * sizeof *x);
    if (!x) return 1;
    for (long i = 0; i < n; i++) x[i] = (double)(i * 7919 % 13);
    kernel(way, x, n);
    printf("%.17g\n", result);
    free(x);
    return 0;
}
