/* A filter of five taps, of which the first words have fewer: in a register (0), in memory (1), put back by
 * the loop (2). ARGUMENTS: way, words, times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAPS = 5 };
static const double taps[TAPS] = {0.1, 0.2, 0.3, 0.2, 0.1};

void kernel(int way, double *x, double *y, int n, int times)
{
    for (int t = 0; t < times; t++) {
        for (int i = 0; i < n; i++) {
            double s = 0;
            if (way == 1) y[i] = 0;
            for (int k = 0; k < TAPS && k <= i; k++) {
                if (way == 1)
                    y[i] += taps[k] * x[i - k];
                else
                    s += taps[k] * x[i - k];
            }
            if (way != 1) y[i] = s;
        }
        if (way == 2)
            for (int i = 0; i < n; i++) x[i] = y[i];
        else
            memcpy(x, y, (size_t)n * sizeof *x);
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 32,
        times = argc > 3 ? atoi(argv[3]) : 1;
    double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y), sum = 0;
    if (!x || !y) return 1;
    for (int i = 0; i < n; i++) x[i] = 0.25 * (i % 9);
    kernel(way, x, y, n, times);
    for (int i = 0; i < n; i++) sum += x[i] * (1 + i % 5);
    printf("%.12g\n", sum);
    free(x);
    free(y);
    return 0;
}
