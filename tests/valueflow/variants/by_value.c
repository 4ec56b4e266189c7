/* A line of points, each the mean of its neighbours: vectors of three numbers, taken apart, given to
 * functions and returned by them, by value, and within larger structures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct vector {
    double x, y, z;
};

struct body {
    struct vector place, speed;
    int number;
};

#define APART __attribute__((noinline)) /* as in a file of its own */

APART static struct vector sum_of(struct vector a, struct vector b)
{
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
    return a;
}

APART static struct vector times(struct vector a, double factor)
{
    struct vector result = {a.x * factor, a.y * factor, a.z * factor};
    return result;
}

APART static double product(struct vector a, struct vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

APART static struct vector place_of(int twice, struct body body)
{
    return twice ? times(body.place, 2) : body.place;
}

static void mean(struct vector *u, struct vector *v, struct body *b, long i)
{
    (void)b;
    v[i].x = 0.5 * (u[i - 1].x + u[i + 1].x);
    v[i].y = 0.5 * (u[i - 1].y + u[i + 1].y);
    v[i].z = 0.5 * (u[i - 1].z + u[i + 1].z);
}

static void mean_by_value(struct vector *u, struct vector *v, struct body *b, long i)
{
    (void)b;
    v[i] = times(sum_of(u[i - 1], u[i + 1]), 0.5);
}

static void mean_of_bodies(struct vector *u, struct vector *v, struct body *b, long i)
{
    (void)u;
    v[i] = times(sum_of(place_of(0, b[i - 1]), place_of(0, b[i + 1])), 0.5);
}

static void scaled(struct vector *u, struct vector *v, struct body *b, long i)
{
    (void)b;
    double d = u[i - 1].x * u[i + 1].x + u[i - 1].y * u[i + 1].y + u[i - 1].z * u[i + 1].z;
    v[i].x = d * u[i].x;
    v[i].y = d * u[i].y;
    v[i].z = d * u[i].z;
}

static void scaled_by_value(struct vector *u, struct vector *v, struct body *b, long i)
{
    (void)b;
    v[i] = times(u[i], product(u[i - 1], u[i + 1]));
}

static void (*const ways[])(struct vector *, struct vector *, struct body *, long) = {
    mean, mean_by_value, mean_of_bodies, scaled, scaled_by_value,
};

void kernel(struct vector *u, struct vector *v, struct body *b, long n, int way, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++) ways[way](u, v, b, i);
        for (long i = 1; i < n - 1; i++) {
            u[i] = v[i];
            b[i].place = v[i];
        }
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, steps = argc > 3 ? atoi(argv[3]) : 4;
    long n = argc > 2 ? atol(argv[2]) : 24;
    struct vector *u = calloc((size_t)n, sizeof *u), *v = calloc((size_t)n, sizeof *v);
    struct body *b = calloc((size_t)n, sizeof *b);
    double sum = 0;
    if (!u || !v || !b) return 1;
    for (long i = 0; i < n; i++) {
        u[i] = (struct vector){sin((double)i), cos((double)i), sin(2.0 * (double)i)};
        b[i] = (struct body){u[i], u[i], (int)i};
    }
    kernel(u, v, b, n, way, steps);
    for (long i = 0; i < n; i++) sum += u[i].x + 2 * u[i].y + 3 * u[i].z;
    printf("%.17g\n", sum);
    free(u);
    free(v);
    free(b);
    return 0;
}
