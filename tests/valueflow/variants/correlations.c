/* Pairs of N points on a sphere, counted by the bin that the cosine of their distance falls into, which
 * halving finds. ARGUMENTS: N. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BINS = 16 };

struct point {
    double x, y, z;
};

static const double edges[BINS + 1] = {-1,   -.875, -.75, -.625, -.5,  -.375, -.25, -.125, 0,
                                       .125, .25,   .375, .5,    .625, .75,   .875, 1};

static int find(double cosine)
{
    int from = 0, to = BINS;
    while (to > from + 1) {
        int middle = (from + to) / 2;
        if (cosine >= edges[middle])
            from = middle;
        else
            to = middle;
    }
    return from;
}

void kernel(const struct point *p, long *count, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) count[find(p[i].x * p[j].x + p[i].y * p[j].y + p[i].z * p[j].z)]++;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    struct point *p = malloc((size_t)n * sizeof *p);
    long *count = calloc(BINS, sizeof *count);
    if (!p || !count) return 1;
    for (int i = 0; i < n; i++) p[i] = (struct point){cos(i), sin(i) * cos(2 * i), sin(i) * sin(2 * i)};
    kernel(p, count, n);
    for (int i = 0; i < BINS; i++) printf("%ld\n", count[i]);
    free(p);
    free(count);
    return 0;
}
