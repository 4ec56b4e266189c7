/* columns_of_few WAY N M TIMES: what is computed comes from the row below, and from two arrays that never
 * change and may lie anywhere: columns have fewer words than rows, which where these arrays are at first does
 * not show. WAY 0: rows first; 1: columns first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct arrays {
    int n, m;
    double *c, *a, *b;
};

static void compute(const struct arrays *x, int i, int j, double sum)
{
    int n = x->n, m = x->m, at = i * m + j, below = (i + 1) % n * m + j;
    double far = x->a[(i + n - 1) % n * m + (j + 2) % m];
    x->c[at] = 0.2 * x->c[at] * fabs(x->c[below]) + 0.3 / (1.5 + far * far) + 0.1 * x->b[below] +
               0.1 * sqrt(1 + x->b[i * m + (j + m - 1) % m]) + 0.001 * sum;
}

static void kernel(const struct arrays *x, int way, int n_times)
{
    for (int t = 0; t < n_times; t++) {
        double sum = 0;
        for (int i = 0; i < x->n * x->m; i++) sum += x->c[i];
        if (way == 0)
            for (int i = 0; i < x->n; i++)
                for (int j = 0; j < x->m; j++) compute(x, i, j, sum);
        else
            for (int j = 0; j < x->m; j++)
                for (int i = 0; i < x->n; i++) compute(x, i, j, sum);
    }
}

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    struct arrays x = {.n = atoi(argv[2]), .m = atoi(argv[3])};
    size_t n = (size_t)x.n * x.m;
    x.c = malloc(n * sizeof *x.c);
    x.a = malloc(n * sizeof *x.a);
    x.b = malloc(n * sizeof *x.b);
    for (size_t i = 0; i < n; i++) {
        x.c[i] = 1 + i * 37 % 11 * 0.1;
        x.a[i] = 1 + i * 17 % 7 * 0.1;
        x.b[i] = 1 + i * 5 % 13 * 0.1;
    }
    kernel(&x, atoi(argv[1]), atoi(argv[4]));
    printf("%.12g\n", x.c[n / 2]);
    return 0;
}
