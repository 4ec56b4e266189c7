/* Three colours at each site of a periodic lattice of four dimensions, turned by a matrix on the way to each
 * neighbour, which lies at the site where the way begins: 0 a flat array, 1 structures. WAY L STEPS. */
#include "../kernels/kernel.h"

enum { COLOURS = 3, WAYS = 4, MATRIX = COLOURS * COLOURS };
struct site {
    double c[COLOURS];
};

static long next(long site, int way, long step, long l)
{
    long stride = way == 0 ? l * l * l : way == 1 ? l * l : way == 2 ? l : 1, at = site / stride % l;
    return site + ((at + step + l) % l - at) * stride;
}

static void hop(const double *links, const double *from, double *to, long site, long l)
{
    double sum[COLOURS] = {0};
    for (int way = 0; way < WAYS; way++) {
        long ahead = next(site, way, 1, l), behind = next(site, way, -1, l);
        const double *u = &links[(site * WAYS + way) * MATRIX], *v = &links[(behind * WAYS + way) * MATRIX];
        for (int i = 0; i < COLOURS; i++)
            for (int j = 0; j < COLOURS; j++)
                sum[i] += u[i * COLOURS + j] * from[ahead * COLOURS + j] -
                          v[j * COLOURS + i] * from[behind * COLOURS + j];
    }
    for (int i = 0; i < COLOURS; i++) to[site * COLOURS + i] = sum[i];
}

static void hop_sites(const double *links, const struct site *from, struct site *to, long site, long l)
{
    struct site sum = {{0}};
    for (int way = 0; way < WAYS; way++) {
        long ahead = next(site, way, 1, l), behind = next(site, way, -1, l);
        const double *u = &links[(site * WAYS + way) * MATRIX], *v = &links[(behind * WAYS + way) * MATRIX];
        for (int i = 0; i < COLOURS; i++)
            for (int j = 0; j < COLOURS; j++)
                sum.c[i] += u[i * COLOURS + j] * from[ahead].c[j] - v[j * COLOURS + i] * from[behind].c[j];
    }
    to[site] = sum;
}

__attribute__((noinline)) void kernel(int way, const double *links, double *from, double *to, long l,
                                      long steps)
{
    for (long t = 0; t < steps; t++) {
        for (long site = 0; site < l * l * l * l; site++)
            if (way)
                hop_sites(links, (const struct site *)from, (struct site *)to, site, l);
            else
                hop(links, from, to, site, l);
        double *other = from;
        from = to;
        to = other;
    }
}

int main(int argc, char **argv)
{
    int way = (int)argument(argc, argv, 1);
    long l = argument(argc, argv, 2), steps = argument(argc, argv, 3), n = l * l * l * l;
    double *links = filled(n * WAYS * MATRIX), *from = filled(n * COLOURS), *to = filled(n * COLOURS);
    kernel(way, links, from, to, l, steps);
    printf("%.15g %.15g\n", from[0], to[n]);
    free(links);
    free(from);
    free(to);
    return 0;
}
