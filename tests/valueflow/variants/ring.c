/* Two steps of seven points of a cube of N^3 in one go: the planes after the first step are kept in a ring of
 * three. 0: on the heap, 1: on the stack. ARGUMENTS: way, N, steps. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static int n;

static bool is_inside(int i)
{
    return i > 0 && i < n - 1;
}

/* Word (j, k) of the middle one of three planes. */
static double step(const double *above, const double *plane, const double *below, int j, int k)
{
    int at = j * n + k;
    return 0.4 * plane[at] +
           0.1 * (above[at] + below[at] + plane[at - n] + plane[at + n] + plane[at - 1] + plane[at + 1]);
}

static void make_plane(double *to, int i, const double *above, const double *plane, const double *below)
{
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            to[j * n + k] = is_inside(i) && is_inside(j) && is_inside(k) ? step(above, plane, below, j, k)
                                                                         : plane[j * n + k];
}

static void two_steps(double *ring, const double *u, double *v)
{
    int size = n * n;
    for (int i = 0; i <= n; i++) {
        int c = i - 1;
        if (i < n) make_plane(ring + i % 3 * size, i, u + (i - 1) * size, u + i * size, u + (i + 1) * size);
        if (c >= 0)
            make_plane(v + c * size, c, ring + (c + 2) % 3 * size, ring + c % 3 * size,
                       ring + (c + 1) % 3 * size);
    }
}

__attribute__((noinline)) static void kernel(int way, int steps, double *u, double *v)
{
    double on_stack[way ? 3 * n * n : 1], *ring = way ? on_stack : malloc((size_t)(3 * n * n) * sizeof *ring);
    for (int t = 0; t < steps; t += 2) {
        two_steps(ring, u, v);
        double *old = u;
        u = v;
        v = old;
    }
    if (!way) free(ring);
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, steps = argc > 3 ? atoi(argv[3]) : 4;
    n = argc > 2 ? atoi(argv[2]) : 20;
    size_t words = (size_t)n * n * n;
    double *u = calloc(words, sizeof *u), *v = calloc(words, sizeof *v);
    if (!u || !v) return 1;
    for (size_t i = 0; i < words; i++) u[i] = (double)(i * 7 % 17);
    kernel(way, steps, u, v);
    printf("%g\n", u[words / 2] + v[words / 2]);
    free(u);
    free(v);
    return 0;
}
