/* F numbers of each point side by side in a flat array, in planes that have nothing to do with each other: 0
 * each is computed from itself and from its own four neighbours, 1 from the point's next number, too; 2 each
 * from the two beside it in its row alone. ARGUMENTS: way, numbers of a point, planes, rows, columns, steps.
 */
#include "../kernels/kernel.h"

struct planes {
    long fields, n, m, l;
};

static long at(const struct planes *p, long k, long i, long j, long f)
{
    return ((k * p->m + i) * p->l + j) * p->fields + f;
}

static double around(const struct planes *p, const double *u, long k, long i, long j, long f)
{
    return u[at(p, k, i - 1, j, f)] + u[at(p, k, i + 1, j, f)] + u[at(p, k, i, j - 1, f)] +
           u[at(p, k, i, j + 1, f)];
}

static double smoothed(long way, const struct planes *p, const double *u, long k, long i, long j, long f)
{
    double own = u[at(p, k, i, j, f)];
    if (way == 0) return own + 0.1 * around(p, u, k, i, j, f);
    if (way == 1) return own * u[at(p, k, i, j, (f + 1) % p->fields)] + 0.1 * around(p, u, k, i, j, f);
    return own + 0.1 * (u[at(p, k, i, j - 1, f)] + u[at(p, k, i, j + 1, f)]);
}

void kernel(long way, const struct planes *p, double *u, double *next, long t)
{
    while (t-- > 0) {
        for (long k = 0; k < p->n; k++)
            for (long i = 1; i < p->m - 1; i++)
                for (long j = 1; j < p->l - 1; j++)
                    for (long f = 0; f < p->fields; f++)
                        next[at(p, k, i, j, f)] = smoothed(way, p, u, k, i, j, f);
        memcpy(u, next, (size_t)(p->n * p->m * p->l * p->fields) * sizeof *u);
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), t = argument(argc, argv, 6);
    struct planes p = {argument(argc, argv, 2), argument(argc, argv, 3), argument(argc, argv, 4),
                       argument(argc, argv, 5)};
    long words = p.n * p.m * p.l * p.fields;
    double *u = filled(words), *next = filled(words);
    memcpy(next, u, (size_t)words * sizeof *u);
    kernel(way, &p, u, next, t);
    printf("%g\n", u[words / 2]);
    return 0;
}
