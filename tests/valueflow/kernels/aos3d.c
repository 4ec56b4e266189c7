/* Four fields of a cube in one array of structures; three of them diffuse. */
#include "kernel.h"
struct cell {
    double a, b, c, d;
};
void kernel(struct cell *u, struct cell *v, long n, long t)
{
    long w = n + 2;
    for (long s = 0; s < t; s++) {
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++)
                for (long k = 1; k <= n; k++) {
                    const struct cell *m = &u[(i * w + j) * w + k];
                    struct cell *o = &v[(i * w + j) * w + k];
                    o->a = m->a + 0.1 * (m[1].a + m[-1].a + m[w].a + m[-w].a + m[w * w].a + m[-w * w].a) +
                           0.01 * m->b;
                    o->b = m->b + 0.1 * (m[1].b + m[-1].b + m[w].b + m[-w].b + m[w * w].b + m[-w * w].b) +
                           0.01 * m->c;
                    o->c = m->c + 0.1 * (m[1].c + m[-1].c + m[w].c + m[-w].c + m[w * w].c + m[-w * w].c) +
                           0.01 * m->a;
                    o->d = m->d + m->a * m->b;
                }
        struct cell *x = u;
        u = v;
        v = x;
    }
}
int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2), w = n + 2;
    struct cell *u = (struct cell *)filled(4 * w * w * w), *v = (struct cell *)filled(4 * w * w * w);
    kernel(u, v, n, t);
    printf("%g\n", u[w * w].a);
    return 0;
}
