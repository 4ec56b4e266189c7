/* Sums whose first or last terms stand behind their loops: none (0), the last (1), both (2), the last two
 * (3), added one by one (4); x /= x.p, p = x + p * (x.x / x.p), T times. ARGUMENTS: way, words, T. */
#include <stdio.h>
#include <stdlib.h>

static double product(int way, const double *a, const double *b, int n)
{
    int first = way == 2 || way == 4, last = n - (way == 0 ? 0 : way == 3 ? 2 : 1);
    double sum = 0;
    for (int i = first; i < last; i++) sum += a[i] * b[i];
    if (way == 1) return sum + a[n - 1] * b[n - 1];
    if (way == 2) return a[0] * b[0] + sum + a[n - 1] * b[n - 1];
    if (way == 3) return sum + a[n - 2] * b[n - 2] + a[n - 1] * b[n - 1];
    if (way == 4) {
        sum += a[0] * b[0];
        sum += a[n - 1] * b[n - 1];
    }
    return sum;
}

void kernel(int way, double *x, double *p, int n, int times)
{
    for (int t = 0; t < times; t++) {
        double both = product(way, x, p, n);
        for (int i = 0; i < n; i++) x[i] = x[i] / both;
        double square = product(way, x, x, n), share = square / both;
        for (int i = 0; i < n; i++) p[i] = x[i] + share * p[i];
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 400,
        times = argc > 3 ? atoi(argv[3]) : 5;
    double *x = malloc((size_t)n * sizeof *x), *p = malloc((size_t)n * sizeof *p);
    if (!x || !p) return 1;
    for (int i = 0; i < n; i++) x[i] = p[i] = 1 + i % 7;
    kernel(way, x, p, n, times);
    printf("%.12g\n", x[n / 2]);
    free(x);
    free(p);
    return 0;
}
