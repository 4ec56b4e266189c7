/* Bodies that all attract each other: coordinates together, one after the other, in structures, in arrays of
 * their own. Arguments: which, how many bodies, steps. */
#include "../kernels/kernel.h"

enum { APART = 3 };

struct body {
    double x[3], v[3], mass;
};

struct bodies {
    double *x[3], *v[3], *mass;
};

static void push(struct bodies b, long n)
{
    double *x = b.x[0], *y = b.x[1], *z = b.x[2];
    for (long i = 0; i < n; i++) {
        double fx = 0, fy = 0, fz = 0;
        for (long j = 0; j < n; j++) {
            double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            double r = 1e-3 + dx * dx + dy * dy + dz * dz, pull = b.mass[j] / (r * sqrt(r));
            fx += pull * dx;
            fy += pull * dy;
            fz += pull * dz;
        }
        b.v[0][i] += 1e-3 * fx;
        b.v[1][i] += 1e-3 * fy;
        b.v[2][i] += 1e-3 * fz;
    }
    for (long i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) b.x[k][i] += 1e-3 * b.v[k][i];
}

static void push_coordinates(double *x, double *v, const double *mass, long n)
{
    for (long i = 0; i < n; i++) {
        double f[3] = {0, 0, 0};
        for (long j = 0; j < n; j++) {
            double d[3], r = 1e-3;
            for (int k = 0; k < 3; k++) {
                d[k] = x[3 * j + k] - x[3 * i + k];
                r += d[k] * d[k];
            }
            for (int k = 0; k < 3; k++) f[k] += mass[j] * d[k] / (r * sqrt(r));
        }
        for (int k = 0; k < 3; k++) v[3 * i + k] += 1e-3 * f[k];
    }
    for (long i = 0; i < 3 * n; i++) x[i] += 1e-3 * v[i];
}

static void push_structures(struct body *b, long n)
{
    for (long i = 0; i < n; i++) {
        double f[3] = {0, 0, 0};
        for (long j = 0; j < n; j++) {
            double d[3], r = 1e-3;
            for (int k = 0; k < 3; k++) {
                d[k] = b[j].x[k] - b[i].x[k];
                r += d[k] * d[k];
            }
            for (int k = 0; k < 3; k++) f[k] += b[j].mass * d[k] / (r * sqrt(r));
        }
        for (int k = 0; k < 3; k++) b[i].v[k] += 1e-3 * f[k];
    }
    for (long i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) b[i].x[k] += 1e-3 * b[i].v[k];
}

void kernel(struct bodies b, struct body *body, long n, long which)
{
    if (which == 0) push_coordinates(b.x[0], b.v[0], b.mass, n);
    if (which == 1 || which == APART) push(b, n);
    if (which == 2) push_structures(body, n);
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2), t = argument(argc, argv, 3);
    struct body *body = (struct body *)filled(7 * n);
    double *x = filled(3 * n), *v = filled(3 * n), *mass = filled(n);
    struct bodies b = {{x, x + n, x + 2 * n}, {v, v + n, v + 2 * n}, mass};
    for (int k = 0; which == APART && k < 3; k++) b.x[k] = filled(n), b.v[k] = filled(n);
    for (long s = 0; s < t; s++) kernel(b, body, n, which);
    printf("%g\n", b.x[0][0] + body->x[0]);
    return 0;
}
