/* All bodies attract each other: in the array that the region gets, in a copy that it makes first, whole, by
 * structures, by members, or in another order. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct body {
    double x, y, z, vx, vy, vz, mass;
};

static void attract(const struct body *b, double *f, long n)
{
    for (long i = 0; i < n; i++) {
        double fx = 0, fy = 0, fz = 0;
        for (long j = 0; j < n; j++) {
            double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, dz = b[j].z - b[i].z;
            double r2 = dx * dx + dy * dy + dz * dz + 0.01, w = b[j].mass / (r2 * sqrt(r2));
            fx += w * dx;
            fy += w * dy;
            fz += w * dz;
        }
        f[3 * i] = fx;
        f[3 * i + 1] = fy;
        f[3 * i + 2] = fz;
    }
}

static void move(struct body *b, const double *f, long n)
{
    for (long i = 0; i < n; i++) {
        b[i].vx += 0.01 * f[3 * i];
        b[i].vy += 0.01 * f[3 * i + 1];
        b[i].vz += 0.01 * f[3 * i + 2];
        b[i].x += 0.01 * b[i].vx;
        b[i].y += 0.01 * b[i].vy;
        b[i].z += 0.01 * b[i].vz;
    }
}

static void copy(struct body *b, const struct body *a, long n, int way)
{
    switch (way) {
    case 1:
        memcpy(b, a, (size_t)n * sizeof *b);
        break;
    case 2:
        for (long i = 0; i < n; i++) b[i] = a[i];
        break;
    case 3:
        for (long i = 0; i < n; i++) {
            b[i].x = a[i].x;
            b[i].y = a[i].y;
            b[i].z = a[i].z;
            b[i].vx = b[i].vy = b[i].vz = 0;
            b[i].mass = a[i].mass;
        }
        break;
    default:
        for (long i = 0; i < n; i++) b[i] = a[n - 1 - i];
    }
}

void kernel(struct body *a, struct body *b, double *f, long n, int way, int times)
{
    struct body *bodies = way ? b : a;
    if (way) copy(b, a, n, way);
    for (int t = 0; t < times; t++) {
        attract(bodies, f, n);
        move(bodies, f, n);
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, times = argc > 3 ? atoi(argv[3]) : 3;
    long n = argc > 2 ? atol(argv[2]) : 32;
    struct body *a = calloc((size_t)n, sizeof *a), *b = calloc((size_t)n, sizeof *b);
    double *f = calloc((size_t)(3 * n), sizeof *f);
    if (!a || !b || !f) return 1;
    for (long i = 0; i < n; i++)
        a[i] =
            (struct body){sin((double)i), cos((double)i), sin(2.0 * (double)i), 0, 0, 0, 1 + (double)(i % 3)};
    kernel(a, b, f, n, way, times);
    printf("%.17g\n", (way ? b : a)[n / 2].x);
    free(a);
    free(b);
    free(f);
    return 0;
}
