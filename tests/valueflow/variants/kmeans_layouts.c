/* k-means in space: 0 the coordinates of a point side by side, 1 an array for each coordinate; 2, 3 likewise,
 * of points that the region makes of nothing and whose numbers of centres it keeps. ARGUMENTS: way, points,
 * centres, steps. */
#include "../kernels/kernel.h"

struct points {
    double *x, *y, *z;
    long step;
};

static long nearest(const struct points *p, const struct points *c, long i, long k)
{
    double best = 1e300;
    long found = 0;
    for (long j = 0; j < k; j++) {
        double x = p->x[i * p->step] - c->x[j * c->step], y = p->y[i * p->step] - c->y[j * c->step],
               z = p->z[i * p->step] - c->z[j * c->step], d = x * x + y * y + z * z;
        if (d < best) {
            best = d;
            found = j;
        }
    }
    return found;
}

static void add(const struct points *s, int *count, long j, const struct points *p, long i)
{
    count[j]++;
    s->x[j * s->step] += p->x[i * p->step];
    s->y[j * s->step] += p->y[i * p->step];
    s->z[j * s->step] += p->z[i * p->step];
}

static void clear(const struct points *s, int *count, long k)
{
    for (long j = 0; j < k; j++) {
        s->x[j * s->step] = s->y[j * s->step] = s->z[j * s->step] = 0;
        count[j] = 0;
    }
}

static void divide(const struct points *c, const struct points *s, const int *count, long k)
{
    for (long j = 0; j < k; j++) {
        c->x[j * c->step] = s->x[j * s->step] / count[j];
        c->y[j * c->step] = s->y[j * s->step] / count[j];
        c->z[j * c->step] = s->z[j * s->step] / count[j];
    }
}

static void make(const struct points *p, long n)
{
    for (long i = 0; i < n; i++) {
        p->x[i * p->step] = (double)(i * 37 % 101);
        p->y[i * p->step] = (double)(i * 53 % 103);
        p->z[i * p->step] = (double)(i * 29 % 107);
    }
}

void kernel(long way, const struct points *p, const struct points *c, const struct points *s, int *count,
            long *member, long n, long k, long t)
{
    if (way > 1) make(p, n);
    for (long step = 0; step < t; step++) {
        clear(s, count, k);
        if (way > 1) {
            for (long i = 0; i < n; i++) member[i] = nearest(p, c, i, k);
            for (long i = 0; i < n; i++) add(s, count, member[i], p, i);
        } else {
            for (long i = 0; i < n; i++) add(s, count, nearest(p, c, i, k), p, i);
        }
        divide(c, s, count, k);
    }
}

static struct points place(long way, long n)
{
    if (way % 2) return (struct points){filled(n), filled(n), filled(n), 1};
    double *all = filled(3 * n);
    return (struct points){all, all + 1, all + 2, 3};
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), k = argument(argc, argv, 3),
         t = argument(argc, argv, 4);
    struct points p = place(way, n), c = place(way, k), s = place(way, k);
    int *count = malloc((size_t)k * sizeof *count);
    long *member = malloc((size_t)n * sizeof *member);
    if (!count || !member) return 1;
    make(&p, n);
    for (long j = 0; j < k; j++) {
        c.x[j * c.step] = p.x[j * (n / k) * p.step];
        c.y[j * c.step] = p.y[j * (n / k) * p.step];
        c.z[j * c.step] = p.z[j * (n / k) * p.step];
    }
    kernel(way, &p, &c, &s, count, member, n, k, t);
    printf("%g\n", c.x[0]);
    return 0;
}
