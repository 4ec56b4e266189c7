/* Expectation and maximisation for a mixture of normal distributions: what a point has of each in an array,
 * in two loops or one; on the stack within the loop over points, before it, or in a function. Arguments:
 * which, points, steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PARTS = 4 };

struct model {
    double mean[PARTS], width[PARTS], weight[PARTS];
};
struct sums {
    double n[PARTS], x[PARTS], xx[PARTS];
};

static inline void expect(double x, const struct model *m, double *share)
{
    double all = 0;
    for (int k = 0; k < PARTS; k++) {
        double z = (x - m->mean[k]) / m->width[k];
        share[k] = m->weight[k] * exp(-0.5 * z * z) / m->width[k];
        all += share[k];
    }
    for (int k = 0; k < PARTS; k++) share[k] /= all;
}

static inline void add(double x, const double *share, struct sums *s)
{
    for (int k = 0; k < PARTS; k++) {
        s->n[k] += share[k];
        s->x[k] += share[k] * x;
        s->xx[k] += share[k] * x * x;
    }
}

static __attribute__((noinline)) void take(double x, const struct model *m, struct sums *s)
{
    double share[PARTS];
    expect(x, m, share);
    add(x, share, s);
}

static void look_at_points(const double *x, const struct model *m, double *shares, struct sums *s, long n,
                           int which)
{
    double outside[PARTS];
    for (long i = 0; which == 0 && i < n; i++) expect(x[i], m, shares + i * PARTS);
    for (long i = 0; i < n; i++) {
        double inside[PARTS], *share = which < 2 ? shares + i * PARTS : which == 2 ? inside : outside;
        if (which == 4) {
            take(x[i], m, s);
            continue;
        }
        if (which) expect(x[i], m, share);
        add(x[i], share, s);
    }
}

void kernel(const double *x, struct model *m, double *shares, long n, int steps, int which)
{
    for (int t = 0; t < steps; t++) {
        struct sums s = {{0}, {0}, {0}};
        look_at_points(x, m, shares, &s, n, which);
        for (int k = 0; k < PARTS; k++) {
            m->mean[k] = s.x[k] / s.n[k];
            m->width[k] = sqrt(s.xx[k] / s.n[k] - m->mean[k] * m->mean[k]);
            m->weight[k] = s.n[k] / (double)n;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    long n = atol(argv[2]);
    double *x = malloc((size_t)n * sizeof *x), *shares = malloc((size_t)n * PARTS * sizeof *shares);
    struct model *m = malloc(sizeof *m);
    if (!x || !shares || !m) return 1;
    for (long i = 0; i < n; i++) x[i] = (double)(i * 7919 % 1009) / 1009;
    for (int k = 0; k < PARTS; k++) {
        m->mean[k] = x[k * n / PARTS];
        m->width[k] = 0.3;
        m->weight[k] = 1.0 / PARTS;
    }
    kernel(x, m, shares, n, atoi(argv[3]), atoi(argv[1]));
    printf("%g %g\n", m->mean[0], m->width[1]);
    return 0;
}
