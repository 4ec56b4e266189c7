/* Particles of a plane in square boxes of so many slots, pushed by all in the same box and in those around
 * it. They are words, structures, arrays of each coordinate, or arrays in a structure of a box. Arguments:
 * which, boxes along a side, steps. */
#include <stdbool.h>

#include "../kernels/kernel.h"

enum { SLOTS = 12, FILLED = 4 };

struct particle {
    double x, y, fx, fy;
};

struct box {
    long n;
    double x[SLOTS], y[SLOTS], fx[SLOTS], fy[SLOTS];
};

/* Where a coordinate of a particle and its force are. */
struct place {
    double *x, *y, *fx, *fy;
};

struct plane {
    double *x, *y, *fx, *fy;
    struct particle *particles;
    struct box *boxes;
    long which;
};

static inline struct place at(const struct plane *p, long box, long slot)
{
    long i = box * SLOTS + slot;
    struct particle *one = &p->particles[i];
    struct box *b = &p->boxes[box];
    switch (p->which) {
    case 0:
        return (struct place){p->x + 2 * i, p->x + 2 * i + 1, p->fx + 2 * i, p->fx + 2 * i + 1};
    case 1:
        return (struct place){p->x + i, p->y + i, p->fx + i, p->fy + i};
    case 2:
        return (struct place){&one->x, &one->y, &one->fx, &one->fy};
    default:
        return (struct place){b->x + slot, b->y + slot, b->fx + slot, b->fy + slot};
    }
}

static void push(const struct plane *p, long a, long b)
{
    for (long i = 0; i < FILLED; i++)
        for (long j = 0; j < FILLED; j++) {
            struct place s = at(p, a, i), t = at(p, b, j);
            double x = *s.x - *t.x, y = *s.y - *t.y, r = 1 / (0.5 + x * x + y * y);
            *s.fx += x * r;
            *s.fy += y * r;
        }
}

static void push_around(const struct plane *p, long n, long row, long column)
{
    for (long k = -1; k <= 1; k++)
        for (long i = -1; i <= 1; i++) {
            bool is_there = row + k >= 0 && row + k < n && column + i >= 0 && column + i < n;
            if (is_there) push(p, row * n + column, (row + k) * n + column + i);
        }
}

static void move(const struct plane *p, long box)
{
    for (long i = 0; i < FILLED; i++) {
        struct place s = at(p, box, i);
        *s.x += 0.01 * *s.fx;
        *s.y += 0.01 * *s.fy;
        *s.fx = *s.fy = 0;
    }
}

__attribute__((noinline)) void kernel(const struct plane *p, long n, long steps)
{
    for (long t = 0; t < steps; t++) {
        for (long b = 0; b < n * n; b++) push_around(p, n, b / n, b % n);
        for (long b = 0; b < n * n; b++) move(p, b);
    }
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    long all = n * n * SLOTS * (which == 0 ? 2 : 1);
    struct plane p = {filled(all), filled(all), calloc((size_t)all, sizeof(double)), NULL, NULL, NULL, which};
    double sum = 0;
    p.fy = calloc((size_t)all, sizeof *p.fy);
    p.particles = calloc((size_t)all, sizeof *p.particles);
    p.boxes = calloc((size_t)(n * n), sizeof *p.boxes);
    for (long b = 0; b < n * n; b++)
        for (long i = 0; i < FILLED; i++) {
            *at(&p, b, i).x = (double)(b % 5) + 0.3 * (double)i;
            *at(&p, b, i).y = 0.2 * (double)(b * i % 7);
        }
    kernel(&p, n, steps);
    for (long b = 0; b < n * n; b++) sum += *at(&p, b, 0).x;
    printf("%.6f\n", sum);
    free(p.x);
    free(p.y);
    free(p.fx);
    free(p.fy);
    free(p.particles);
    free(p.boxes);
    return 0;
}
