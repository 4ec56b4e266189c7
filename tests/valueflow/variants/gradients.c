/* Sums over the inputs of a sample with weights, and the gradient by these: over all samples, of what the
 * sums lead to, times the weight, times the input. The weights are the same (0), others (1), and the sums in
 * an array that is cleared first (2). ARGUMENTS: way, samples. */
#include <stdio.h>
#include <stdlib.h>

enum { INPUTS = 3 };

void kernel(int way, double *h, double *o, const double *u, const double *v, double *g, int n)
{
    for (int i = 0; i < n * INPUTS; i++) h[i] *= 2;
    for (int i = 0; i < n; i++) {
        double s = 0;
        const double *w = way == 1 ? u : v;
        if (way == 2) {
            o[i] = 0;
            for (int m = 0; m < INPUTS; m++) o[i] += v[m] * h[i * INPUTS + m];
            continue;
        }
        for (int m = 0; m < INPUTS; m++) s += w[m] * h[i * INPUTS + m];
        o[i] = s;
    }
    for (int i = 0; i < n; i++)
        for (int m = 0; m < INPUTS; m++) g[m] += o[i] * v[m] * h[i * INPUTS + m];
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 256;
    double *h = malloc((size_t)n * INPUTS * sizeof *h), *o = malloc((size_t)n * sizeof *o);
    double *u = malloc(INPUTS * sizeof *u), *v = malloc(INPUTS * sizeof *v), *g = calloc(INPUTS, sizeof *g);
    if (!h || !o || !u || !v || !g) return 1;
    for (int i = 0; i < n * INPUTS; i++) h[i] = 0.2 * (i * 7 % 11) - 1;
    for (int m = 0; m < INPUTS; m++) u[m] = v[m] = 0.3 - 0.2 * m;
    kernel(way, h, o, u, v, g, n);
    printf("%.12g %.12g %.12g %.12g\n", g[0], g[1], g[2], o[n - 1]);
    free(h);
    free(o);
    free(u);
    free(v);
    free(g);
    return 0;
}
