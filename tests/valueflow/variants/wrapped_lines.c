/* Two fields of a periodic plane in structures, fluxes of its rows and columns in a buffer of a line: 0 on
 * the stack, 1 allocated for each line, 2 of all lines. WAY N STEPS. */
#include "../kernels/kernel.h"
enum { MOST = 64, K = 2 };
struct point {
    double a[K];
};

static void add_line(const struct point *u, struct point *du, struct point *f, long n, long step,
                     int is_first)
{
    for (long j = 0; j <= n; j++) {
        const struct point *l = &u[(j ? j - 1 : n - 1) * step], *r = &u[(j < n ? j : 0) * step];
        for (int k = 0; k < K; k++) f[j].a[k] = l->a[k] * r->a[1 - k] + l->a[k] - r->a[k] * r->a[k];
    }
    for (long j = 0; j < n; j++)
        for (int k = 0; k < K; k++)
            if (is_first)
                du[j * step].a[k] = f[j].a[k] - f[j + 1].a[k];
            else
                du[j * step].a[k] += f[j].a[k] - f[j + 1].a[k];
}

void kernel(long way, struct point *u, struct point *du, struct point *all, long n, long steps)
{
    for (long t = 0; t < steps; t++) {
        for (int d = 0; d < 2; d++)
            for (long i = 0; i < n; i++) {
                struct point *p = d ? u + i : u + i * n, *q = d ? du + i : du + i * n;
                long step = d ? n : 1;
                if (way == 0) {
                    struct point f[MOST];
                    add_line(p, q, f, n, step, !d);
                }
                if (way == 1) {
                    struct point *f = malloc(MOST * sizeof *f);
                    add_line(p, q, f, n, step, !d);
                    free(f);
                }
                if (way == 2) add_line(p, q, all, n, step, !d);
            }
        for (long i = 0; i < n * n; i++)
            for (int k = 0; k < K; k++) u[i].a[k] += 0.01 * du[i].a[k];
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2);
    struct point *u = (struct point *)filled(K * n * n), *du = (struct point *)filled(K * n * n),
                 *all = (struct point *)filled(K * MOST);
    if (n >= MOST) return 2;
    kernel(way, u, du, all, n, argument(argc, argv, 3));
    printf("%g\n", u[n].a[0]);
    return 0;
}
