/* Charges of particles spread over the four points of their cell of a periodic plane, a potential that is
 * relaxed, and its field at the particles. Arguments: points along a side, particles of a cell, steps. */
#include "../kernels/kernel.h"

enum { SWEEPS = 4 };

struct plane {
    long n;
    double *charge, *old, *new, *ex, *ey;
};

struct particles {
    long n;
    double *x, *y, *u, *v;
};

struct cell {
    long at[4];
    double share[4];
};

static struct cell cell_of(const struct plane *p, double x, double y)
{
    long i = (long)x, j = (long)y, n = p->n, right = (i + 1) % n, above = (j + 1) % n;
    double a = x - (double)i, b = y - (double)j;
    return (struct cell){{i * n + j, right * n + j, i * n + above, right * n + above},
                         {(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b}};
}

static void relax(struct plane *p)
{
    long n = p->n;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            const double *row = p->old + i * n;
            double beside = row[(j + 1) % n] + row[(j + n - 1) % n];
            beside += p->old[(i + 1) % n * n + j] + p->old[(i + n - 1) % n * n + j];
            p->new[i * n + j] = 0.25 * (beside + p->charge[i * n + j]);
        }
    double *other = p->old;
    p->old = p->new;
    p->new = other;
}

static void step(struct plane *p, const struct particles *q)
{
    long n = p->n;
    for (long i = 0; i < n * n; i++) p->charge[i] = 0;
    for (long k = 0; k < q->n; k++) {
        struct cell c = cell_of(p, q->x[k], q->y[k]);
        for (int e = 0; e < 4; e++) p->charge[c.at[e]] += c.share[e];
    }
    for (int s = 0; s < SWEEPS; s++) relax(p);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            p->ex[i * n + j] = p->old[(i + 1) % n * n + j] - p->old[(i + n - 1) % n * n + j];
            p->ey[i * n + j] = p->old[i * n + (j + 1) % n] - p->old[i * n + (j + n - 1) % n];
        }
    for (long k = 0; k < q->n; k++) {
        struct cell c = cell_of(p, q->x[k], q->y[k]);
        double fx = 0, fy = 0;
        for (int e = 0; e < 4; e++) {
            fx += c.share[e] * p->ex[c.at[e]];
            fy += c.share[e] * p->ey[c.at[e]];
        }
        q->u[k] += 1e-9 * fx;
        q->v[k] += 1e-9 * fy;
        q->x[k] += 1e-9 * q->u[k];
        q->y[k] += 1e-9 * q->v[k];
    }
}

__attribute__((noinline)) void kernel(struct plane *p, const struct particles *q, long steps)
{
    for (long s = 0; s < steps; s++) step(p, q);
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), each = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    struct plane p = {n, filled(n * n), filled(n * n), filled(n * n), filled(n * n), filled(n * n)};
    long m = n * n * each;
    struct particles q = {m, filled(m), filled(m), filled(m), filled(m)};
    for (long k = 0; k < m; k++) {
        q.x[k] = (double)(k / each / n) + 0.25 + 0.07 * (double)(k % 7);
        q.y[k] = (double)(k / each % n) + 0.25 + 0.1 * (double)(k % 5);
    }
    kernel(&p, &q, steps);
    printf("%.6f %.6f\n", p.old[3], q.x[2]);
    return 0;
}
