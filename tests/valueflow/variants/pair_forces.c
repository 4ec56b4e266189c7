/* Forces between all pairs of points in space, each added to one and taken off the other. Arguments: 0, x, y
 * and z in arrays of their own; 1, in structures; 2, in one array of three numbers for each point; 3, the
 * same by the law of Lennard-Jones; 4, the first with the sums of one point in registers; 5, the first of
 * points with charges; 6, of points that a number says have some; 7, the first by a function's law; points;
 * steps. */
#include <math.h>

#include "../kernels/kernel.h"

enum { D = 3 };

struct point {
    double x[D], v[D], f[D];
};

struct points {
    long n;
    double *x[D], *v[D], *f[D], *charge; /* apart */
    struct point *point;
    double (*all_x)[D], (*all_v)[D], (*all_f)[D];
};

static double strength(double square, int way)
{
    double inverse = 1 / (square + 0.01), sixth = inverse * inverse * inverse;
    return way == 3 ? 24 * sixth * (2 * sixth - 1) * inverse : inverse * sqrt(inverse);
}

static void push_apart(struct points *p, int way)
{
    for (long i = 0; i < p->n; i++)
        for (long j = i + 1; j < p->n; j++) {
            double dx = p->x[0][j] - p->x[0][i], dy = p->x[1][j] - p->x[1][i], dz = p->x[2][j] - p->x[2][i];
            double s = strength(dx * dx + dy * dy + dz * dz, way);
            p->f[0][i] += s * dx, p->f[1][i] += s * dy, p->f[2][i] += s * dz;
            p->f[0][j] -= s * dx, p->f[1][j] -= s * dy, p->f[2][j] -= s * dz;
        }
}

static void push_charged(struct points *p, int way)
{
    for (long i = 0; i < p->n; i++)
        for (long j = i + 1; j < p->n; j++) {
            double dx = p->x[0][j] - p->x[0][i], dy = p->x[1][j] - p->x[1][i], dz = p->x[2][j] - p->x[2][i];
            double s = p->charge[i] * p->charge[j] * strength(dx * dx + dy * dy + dz * dz, way);
            p->f[0][i] += s * dx, p->f[1][i] += s * dy, p->f[2][i] += s * dz;
            p->f[0][j] -= s * dx, p->f[1][j] -= s * dy, p->f[2][j] -= s * dz;
        }
}

static void push_perhaps_charged(struct points *p, int way)
{
    for (long i = 0; i < p->n; i++)
        for (long j = i + 1; j < p->n; j++) {
            double dx = p->x[0][j] - p->x[0][i], dy = p->x[1][j] - p->x[1][i], dz = p->x[2][j] - p->x[2][i];
            double s = strength(dx * dx + dy * dy + dz * dz, way);
            if (way == 6) s *= p->charge[i] * p->charge[j];
            p->f[0][i] += s * dx, p->f[1][i] += s * dy, p->f[2][i] += s * dz;
            p->f[0][j] -= s * dx, p->f[1][j] -= s * dy, p->f[2][j] -= s * dz;
        }
}

__attribute__((noinline)) static double law(double dx, double dy, double dz)
{
    return strength(dx * dx + dy * dy + dz * dz, 0);
}

static void push_by_function(struct points *p)
{
    for (long i = 0; i < p->n; i++)
        for (long j = i + 1; j < p->n; j++) {
            double dx = p->x[0][j] - p->x[0][i], dy = p->x[1][j] - p->x[1][i], dz = p->x[2][j] - p->x[2][i];
            double s = law(dx, dy, dz);
            p->f[0][i] += s * dx, p->f[1][i] += s * dy, p->f[2][i] += s * dz;
            p->f[0][j] -= s * dx, p->f[1][j] -= s * dy, p->f[2][j] -= s * dz;
        }
}

static void push_in_registers(struct points *p, int way)
{
    for (long i = 0; i < p->n; i++) {
        double fx = 0, fy = 0, fz = 0;
        for (long j = i + 1; j < p->n; j++) {
            double dx = p->x[0][j] - p->x[0][i], dy = p->x[1][j] - p->x[1][i], dz = p->x[2][j] - p->x[2][i];
            double s = strength(dx * dx + dy * dy + dz * dz, way);
            fx += s * dx, fy += s * dy, fz += s * dz;
            p->f[0][j] -= s * dx, p->f[1][j] -= s * dy, p->f[2][j] -= s * dz;
        }
        p->f[0][i] += fx, p->f[1][i] += fy, p->f[2][i] += fz;
    }
}

static void push(const double *a, const double *b, double *fa, double *fb, int way)
{
    double r[D], square = 0;
    for (int d = 0; d < D; d++) {
        r[d] = b[d] - a[d];
        square += r[d] * r[d];
    }
    for (int d = 0; d < D; d++) {
        fa[d] += r[d] * strength(square, way);
        fb[d] -= r[d] * strength(square, way);
    }
}

static void push_structures(struct points *p, int way)
{
    for (long i = 0; i < p->n; i++)
        for (long j = i + 1; j < p->n; j++)
            push(p->point[i].x, p->point[j].x, p->point[i].f, p->point[j].f, way);
}

static void push_rows(struct points *p, int way)
{
    for (long i = 0; i < p->n; i++)
        for (long j = i + 1; j < p->n; j++) push(p->all_x[i], p->all_x[j], p->all_f[i], p->all_f[j], way);
}

static void move(double *x, double *v, double *f)
{
    *v += 1e-4 * *f;
    *x += 1e-4 * *v;
    *f = 0;
}

static void kernel(struct points *p, int way, long steps)
{
    for (long t = 0; t < steps; t++) {
        if (way == 0) push_apart(p, way);
        if (way == 1) push_structures(p, way);
        if (way == 2 || way == 3) push_rows(p, way);
        if (way == 4) push_in_registers(p, way);
        if (way == 5) push_charged(p, way);
        if (way == 6) push_perhaps_charged(p, way);
        if (way == 7) push_by_function(p);
        for (long i = 0; i < p->n; i++)
            for (int d = 0; d < D; d++) {
                if (way == 0 || way >= 4) move(&p->x[d][i], &p->v[d][i], &p->f[d][i]);
                if (way == 1) move(&p->point[i].x[d], &p->point[i].v[d], &p->point[i].f[d]);
                if (way == 2 || way == 3) move(&p->all_x[i][d], &p->all_v[i][d], &p->all_f[i][d]);
            }
    }
}

int main(int argc, char **argv)
{
    int way = (int)argument(argc, argv, 1);
    struct points p = {.n = argument(argc, argv, 2)};
    size_t n = (size_t)p.n;
    double sum = 0;
    p.point = calloc(n, sizeof *p.point);
    p.all_x = calloc(n, sizeof *p.all_x), p.all_v = calloc(n, sizeof *p.all_v);
    p.all_f = calloc(n, sizeof *p.all_f);
    if (!p.point || !p.all_x || !p.all_v || !p.all_f) return 1;
    for (int d = 0; d < D; d++) {
        p.x[d] = filled(p.n), p.v[d] = filled(p.n), p.f[d] = filled(p.n);
        for (long i = 0; i < p.n; i++)
            p.point[i].x[d] = p.all_x[i][d] = p.x[d][i] = (double)((i * 7919 + d * 104729) % 1000) * 0.01;
    }
    p.charge = filled(p.n);
    kernel(&p, way, argument(argc, argv, 3));
    for (long i = 0; i < p.n; i++)
        for (int d = 0; d < D; d++) sum += p.x[d][i] + p.point[i].x[d] + p.all_x[i][d];
    printf("%g\n", sum);
    return 0;
}
