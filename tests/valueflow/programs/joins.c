/* joins N: y[i] comes of x[i] and x[i + 1], by ways that blocks with very many others before them join. */
#include <parcast/region.h>
#include <stdio.h>
#include <stdlib.h>

#define WAY(k) __attribute__((noinline)) static double way##k(const double *x, int i, int t)
WAY(0)
{
    return x[i] + t * x[i + 1];
}
WAY(1)
{
    return x[i] - t * x[i + 1];
}
WAY(2)
{
    return t * x[i] + x[i + 1];
}
WAY(3)
{
    return t * x[i] - x[i + 1];
}

#define FOUR(t)                                                                                              \
    case 4 * (t):                                                                                            \
        y = way0(x, i, t);                                                                                   \
        break;                                                                                               \
    case 4 * (t) + 1:                                                                                        \
        y = way1(x, i, t);                                                                                   \
        break;                                                                                               \
    case 4 * (t) + 2:                                                                                        \
        y = way2(x, i, t);                                                                                   \
        break;                                                                                               \
    case 4 * (t) + 3:                                                                                        \
        y = way3(x, i, t);                                                                                   \
        break;
#define TWENTY(t) FOUR(5 * (t)) FOUR(5 * (t) + 1) FOUR(5 * (t) + 2) FOUR(5 * (t) + 3) FOUR(5 * (t) + 4)
#define HUNDRED(t)                                                                                           \
    TWENTY(5 * (t)) TWENTY(5 * (t) + 1) TWENTY(5 * (t) + 2) TWENTY(5 * (t) + 3) TWENTY(5 * (t) + 4)

/* A phi of 301 blocks. */
__attribute__((noinline)) static double by_many_ways(const double *x, int i)
{
    double y = 0;
    switch (i) {
        HUNDRED(0)
        HUNDRED(1)
        HUNDRED(2)
    default:
        y = x[i] * x[i + 1];
    }
    return y;
}

#define CASES(t)                                                                                             \
    case 7 * (t):                                                                                            \
    case 7 * (t) + 2:                                                                                        \
    case 7 * (t) + 3:                                                                                        \
    case 7 * (t) + 5:
#define TWENTY_CASES(t)                                                                                      \
    CASES(5 * (t)) CASES(5 * (t) + 1) CASES(5 * (t) + 2) CASES(5 * (t) + 3) CASES(5 * (t) + 4)
#define HUNDRED_CASES(t)                                                                                     \
    TWENTY_CASES(5 * (t))                                                                                    \
    TWENTY_CASES(5 * (t) + 1) TWENTY_CASES(5 * (t) + 2) TWENTY_CASES(5 * (t) + 3) TWENTY_CASES(5 * (t) + 4)

/* One block with 300 edges to another. */
__attribute__((noinline)) static double by_many_edges(const double *x, int i)
{
    double y = x[i];
    switch (i) {
        HUNDRED_CASES(0)
        HUNDRED_CASES(1)
        HUNDRED_CASES(2)
        break;
    default:
        y *= way0(x, i, 1);
    }
    return y;
}

struct colour {
    float red, green, blue;
};

__attribute__((noinline)) static void fill(double w[4], const double *x, int i)
{
    for (int k = 0; k < 4; k++) w[k] = x[i + k % 2] * k;
}

/* A structure that comes in vectors: they are taken apart before the arrays of the frame. */
__attribute__((noinline)) static double shade(struct colour c, const double *x, int i)
{
    double w[4], v[4];
    fill(w, x, i);
    fill(v, w, 0);
    return w[0] + w[1] * (double)c.red + v[2] + w[3] * (double)c.blue * (double)c.green;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    double *x = calloc((size_t)n + 1, sizeof *x), *y = calloc((size_t)n + 1, sizeof *y);
    if (n < 1 || !x || !y) return 1;
    for (int i = 0; i <= n; i++) x[i] = i % 7;
    parcast_region_begin();
    for (int i = 0; i < n; i++) y[i] = by_many_ways(x, i) + by_many_edges(x, i);
    for (int i = 0; i < n; i++) y[i] += shade((struct colour){0.5f, 0.25f, (float)n}, x, i);
    parcast_region_end();
    double sum = 0;
    for (int i = 0; i < n; i++) sum += y[i];
    printf("%.17g\n", sum);
    free(x);
    free(y);
    return 0;
}
