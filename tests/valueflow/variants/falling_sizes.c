/* Sums and differences of halves, of halves of these, and so on, with factors in an array of as many words as
 * the stage needs (0), or of as many as the first one (1). ARGUMENTS: way, words, times. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void stage(double *a, const double *w, int n, int length)
{
    for (int i = 0; i < n; i += length)
        for (int k = 0; k < length / 2; k++) {
            double u = a[i + k], v = a[i + k + length / 2];
            a[i + k] = u + v;
            a[i + k + length / 2] = (u - v) * w[k];
        }
}

static void find_factors(double *w, int length)
{
    for (int k = 0; k < length / 2; k++) w[k] = cos(k * 1.0 / length);
}

void kernel(int way, double *a, int n, int times)
{
    for (int t = 0; t < times; t++)
        for (int length = n; length >= 2; length /= 2) {
            double w[way == 0 ? length / 2 : n / 2];
            find_factors(w, length);
            stage(a, w, n, length);
        }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 32,
        times = argc > 3 ? atoi(argv[3]) : 1;
    double *a = malloc((size_t)n * sizeof *a), sum = 0;
    if (!a) return 1;
    for (int i = 0; i < n; i++) a[i] = 0.1 * (i % 7);
    kernel(way, a, n, times);
    for (int i = 0; i < n; i++) sum += a[i] * (1 + i % 5);
    printf("%.12g\n", sum);
    free(a);
    return 0;
}
