/* fitted WAY N TIMES: coefficients by the gradient of all points' errors: a line (0), a parabola (1), a plane
 * (2), a logistic curve (3); a mean that is corrected by what the points are beside it, and their variance
 * (4); a curve by a matrix of derivatives in a block of its own, the last column of which is ones (5). Each
 * turn adds to a sum what has one coefficient and what has another one. */
#include <math.h>

#include "../kernels/kernel.h"

struct points {
    const double *u, *v, *z;
    long n;
};

static void line(const struct points *p, double *c)
{
    double level = 0, slope = 0;
    for (long i = 0; i < p->n; i++) {
        double error = p->z[i] - c[0] - c[1] * p->u[i];
        level += error;
        slope += error * p->u[i];
    }
    c[0] += 0.01 * level;
    c[1] += 0.01 * slope;
}

static void parabola(const struct points *p, double *c)
{
    double level = 0, slope = 0, bend = 0;
    for (long i = 0; i < p->n; i++) {
        double u = p->u[i], error = p->z[i] - c[0] - c[1] * u - c[2] * u * u;
        level += error;
        slope += error * u;
        bend += error * u * u;
    }
    c[0] += 0.01 * level;
    c[1] += 0.01 * slope;
    c[2] += 0.01 * bend;
}

static void plane(const struct points *p, double *c)
{
    double level = 0, along = 0, across = 0;
    for (long i = 0; i < p->n; i++) {
        double error = p->z[i] - c[0] - c[1] * p->u[i] - c[2] * p->v[i];
        level += error;
        along += error * p->u[i];
        across += error * p->v[i];
    }
    c[0] += 0.01 * level;
    c[1] += 0.01 * along;
    c[2] += 0.01 * across;
}

static void logistic(const struct points *p, double *c)
{
    double level = 0, slope = 0;
    for (long i = 0; i < p->n; i++) {
        double error = 1 / (1 + exp(-c[0] - c[1] * p->u[i])) - p->z[i];
        level += error;
        slope += error * p->u[i];
    }
    c[0] -= 0.01 * level;
    c[1] -= 0.01 * slope;
}

static void mean(const struct points *p, double *c)
{
    double beside = 0, squares = 0;
    for (long i = 0; i < p->n; i++) beside += p->z[i] - c[0];
    for (long i = 0; i < p->n; i++) squares += (p->z[i] - c[0]) * (p->z[i] - c[0]);
    c[0] += beside / (double)p->n;
    c[1] = squares;
}

/* Normal equations, solved column by column, with what damps them as a word. */
static void curve(const struct points *p, double *c, double *damping)
{
    long n = p->n;
    double *d = malloc((size_t)n * 3 * sizeof *d), *r = malloc((size_t)n * sizeof *r), m[3][3], g[3];
    if (!d || !r) exit(1);
    for (long i = 0; i < n; i++) {
        double e = exp(-c[1] * p->u[i]);
        d[i] = e;
        d[n + i] = -c[0] * p->u[i] * e;
        d[2 * n + i] = 1;
        r[i] = p->z[i] - (c[0] * e + c[2]);
    }
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b <= a; b++) {
            double sum = 0;
            for (long i = 0; i < n; i++) sum += d[a * n + i] * d[b * n + i];
            m[a][b] = m[b][a] = sum;
        }
        g[a] = 0;
        for (long i = 0; i < n; i++) g[a] += d[a * n + i] * r[i];
    }
    free(d);
    free(r);
    for (int a = 0; a < 3; a++) m[a][a] *= 1 + *damping;
    for (int a = 0; a < 3; a++) c[a] += 0.01 * g[a] / (m[a][a] + m[a][0] + m[a][1] + m[a][2]);
    *damping *= 0.9;
}

void kernel(int way, const double *u, const double *v, const double *z, double *c, long n, long times)
{
    const struct points points = {u, v, z, n};
    for (long t = 0; t < times; t++) {
        if (way == 0) line(&points, c);
        if (way == 1) parabola(&points, c);
        if (way == 2) plane(&points, c);
        if (way == 3) logistic(&points, c);
        if (way == 4) mean(&points, c);
        if (way == 5) curve(&points, c, c + 3);
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), times = argument(argc, argv, 3);
    double *u = filled(n), *v = filled(n), *z = filled(n), *c = filled(4);
    kernel((int)way, u, v, z, c, n, times);
    printf("%g %g %g\n", c[0], c[1], c[2]);
    return 0;
}
