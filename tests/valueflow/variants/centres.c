/* k-means of points in a plane by Lloyd's method: the nearest centre is found by its number (0), by its
 * number with both distances computed anew (1), by a pointer from which the number follows (2), likewise in a
 * function (3), by a pointer with both distances computed anew (4), by a pointer to a structure that knows
 * its sums (5), in a function (6), or noted where it is another one than before (7). ARGUMENTS: way, points,
 * T. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CENTRES = 4 };
struct point {
    double x, y;
};
struct centre {
    struct point at, sum;
    double n;
};
static struct point at[CENTRES], sums[CENTRES];
static double counts[CENTRES];
static struct centre centres[CENTRES];

static double distance(const struct point *a, const struct point *b)
{
    return (a->x - b->x) * (a->x - b->x) + (a->y - b->y) * (a->y - b->y);
}

static void add(const struct point *p, long nearest)
{
    sums[nearest].x += p->x;
    sums[nearest].y += p->y;
    counts[nearest]++;
}

static int number(const struct point *p)
{
    int nearest = 0;
    double least = INFINITY;
    for (int k = 0; k < CENTRES; k++) {
        double d = distance(p, &at[k]);
        if (d < least) {
            least = d;
            nearest = k;
        }
    }
    return nearest;
}

static int compared_anew(const struct point *p)
{
    int nearest = 0;
    for (int k = 1; k < CENTRES; k++)
        if (distance(p, &at[k]) < distance(p, &at[nearest])) nearest = k;
    return nearest;
}

static const struct point *pointer(const struct point *p)
{
    const struct point *nearest = at;
    double least = distance(p, at);
    for (const struct point *c = at + 1; c < at + CENTRES; c++) {
        double d = distance(p, c);
        if (d < least) {
            least = d;
            nearest = c;
        }
    }
    return nearest;
}

static __attribute__((noinline)) const struct point *pointer_returned(const struct point *p)
{
    return pointer(p);
}

static const struct point *pointer_compared_anew(const struct point *p)
{
    const struct point *nearest = at;
    for (const struct point *c = at + 1; c < at + CENTRES; c++)
        if (distance(p, c) < distance(p, nearest)) nearest = c;
    return nearest;
}

static struct centre *structure(const struct point *p)
{
    struct centre *nearest = NULL;
    double least = 0;
    for (int k = 0; k < CENTRES; k++) {
        double d = distance(p, &centres[k].at);
        if (nearest && d >= least) continue;
        least = d;
        nearest = &centres[k];
    }
    return nearest;
}

static __attribute__((noinline)) struct centre *structure_returned(const struct point *p)
{
    return structure(p);
}

static void add_to(struct centre *c, const struct point *p)
{
    c->sum.x += p->x;
    c->sum.y += p->y;
    c->n++;
}

static long find(int way, const struct point *p)
{
    switch (way) {
    case 0:
        return number(p);
    case 1:
        return compared_anew(p);
    case 2:
        return pointer(p) - at;
    case 3:
        return pointer_returned(p) - at;
    default:
        return pointer_compared_anew(p) - at;
    }
}

static void move(void)
{
    for (int k = 0; k < CENTRES; k++) at[k] = (struct point){sums[k].x / counts[k], sums[k].y / counts[k]};
}

static void move_structures(void)
{
    for (struct centre *c = centres; c < centres + CENTRES; c++)
        c->at = (struct point){c->sum.x / c->n, c->sum.y / c->n};
}

static void step(int way, const struct point *p, int *member, long n)
{
    for (int k = 0; k < CENTRES; k++) {
        sums[k] = centres[k].sum = (struct point){0, 0};
        counts[k] = centres[k].n = 0;
    }
    for (long i = 0; i < n; i++) switch (way) {
        case 5:
            add_to(structure(p + i), p + i);
            break;
        case 6:
            add_to(structure_returned(p + i), p + i);
            break;
        case 7: {
            int nearest = number(p + i);
            if (member[i] != nearest) member[i] = nearest;
            break;
        }
        default:
            add(p + i, find(way, p + i));
        }
    for (long i = 0; way == 7 && i < n; i++) add(p + i, member[i]);
    if (way == 5 || way == 6)
        move_structures();
    else
        move();
}

void kernel(int way, const struct point *p, int *member, long n, long steps)
{
    for (long t = 0; t < steps; t++) step(way, p, member, n);
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long n = atol(argv[2]);
    if (n < CENTRES) return 2;
    struct point *p = malloc((size_t)n * sizeof *p);
    int *member = calloc((size_t)n, sizeof *member);
    if (!p || !member) return 1;
    for (long i = 0; i < n; i++) {
        double place = 5 * (double)(i % CENTRES);
        p[i] = (struct point){sin(7.0 * (double)i) + place, cos(3.0 * (double)i) + place};
    }
    for (int k = 0; k < CENTRES; k++) at[k] = centres[k].at = p[k];
    kernel(atoi(argv[1]), p, member, n, atol(argv[3]));
    double sum = 0;
    for (int k = 0; k < CENTRES; k++) sum += at[k].x + 2 * at[k].y + centres[k].at.x + 2 * centres[k].at.y;
    printf("%.9g\n", sum);
    free(p);
    free(member);
    return 0;
}
