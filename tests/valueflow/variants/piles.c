/* Piles of sand, of which every one is high enough to fall over in every step: each takes what falls from its
 * neighbours, by expressions or under conditions, or each gives to its neighbours. */
#include <stdio.h>
#include <stdlib.h>

#define EACH                                                                                                 \
    for (long i = 1; i < n - 1; i++)                                                                         \
        for (long j = 1; j < n - 1; j++)

static void takes(const double *a, double *b, long n)
{
    EACH b[i * n + j] = a[i * n + j] >= 4 ? a[i * n + j] - 4 : a[i * n + j];
    EACH b[i * n + j] += (a[(i - 1) * n + j] >= 4) + (a[(i + 1) * n + j] >= 4) + (a[i * n + j - 1] >= 4) +
                         (a[i * n + j + 1] >= 4);
}

static void takes_under_conditions(const double *a, double *b, long n)
{
    EACH
    {
        b[i * n + j] = a[i * n + j];
        if (a[i * n + j] >= 4) b[i * n + j] -= 4;
        if (a[(i - 1) * n + j] >= 4) b[i * n + j] += 1;
        if (a[(i + 1) * n + j] >= 4) b[i * n + j] += 1;
        if (a[i * n + j - 1] >= 4) b[i * n + j] += 1;
        if (a[i * n + j + 1] >= 4) b[i * n + j] += 1;
    }
}

static void gives(const double *a, double *b, long n)
{
    for (long i = 0; i < n * n; i++) b[i] = 0;
    EACH
    {
        if (a[i * n + j] >= 4) {
            b[i * n + j] -= 4;
            b[(i - 1) * n + j]++;
            b[(i + 1) * n + j]++;
            b[i * n + j - 1]++;
            b[i * n + j + 1]++;
        }
    }
    EACH b[i * n + j] += a[i * n + j];
}

static void (*const ways[])(const double *, double *, long) = {takes, takes_under_conditions, gives};

void kernel(double *a, double *b, long n, int way, int times)
{
    for (int t = 0; t < times; t++) {
        ways[way](a, b, n);
        EACH a[i * n + j] = b[i * n + j];
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, times = argc > 3 ? atoi(argv[3]) : 4;
    long n = argc > 2 ? atol(argv[2]) : 26;
    double *a = calloc((size_t)(n * n), sizeof *a), *b = calloc((size_t)(n * n), sizeof *b), sum = 0;
    if (!a || !b) return 1;
    EACH a[i * n + j] = 100 + (double)((i + 3 * j) % 7);
    kernel(a, b, n, way, times);
    for (long i = 0; i < n * n; i++) sum += a[i] * (double)(i % 97);
    printf("%.17g\n", sum);
    free(a);
    free(b);
    return 0;
}
