/* Three fields of N x N cells, periodic, T steps: fluxes along rows, then along columns, that a function
 * returns as structures. They go into a line on the stack (0), one line of the heap (1), one for rows and one
 * for columns (2), one that is allocated for each row (3) or cleared for each (4); by way of another line of
 * the heap (5). ARGUMENTS: way, N, T. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 3, MOST = 64 };
struct cell {
    double a[FIELDS];
};

static struct cell flux(const struct cell *l, const struct cell *r)
{
    struct cell f;
    for (int k = 0; k < FIELDS; k++)
        f.a[k] = l->a[k] * r->a[(k + 1) % FIELDS] + l->a[(k + 2) % FIELDS] - r->a[k] * r->a[(k + 2) % FIELDS];
    return f;
}

static void sweep(const struct cell *u, struct cell *d, struct cell *f, struct cell *g, long n, long step)
{
    struct cell *to = g ? g : f;
    for (long j = 0; j <= n; j++) to[j] = flux(&u[(j ? j - 1 : n - 1) * step], &u[(j < n ? j : 0) * step]);
    for (long j = 0; g && j <= n; j++) f[j] = g[j];
    for (long j = 0; j < n; j++)
        for (int k = 0; k < FIELDS; k++) d[j * step].a[k] += f[j].a[k] - f[j + 1].a[k];
}

static void pass(int way, const struct cell *u, struct cell *d, struct cell *const *lines, long n, int across)
{
    size_t bytes = (size_t)(n + 1) * sizeof *u;
    for (long i = 0; i < n; i++) {
        struct cell stack[MOST + 1], *f = stack;
        if (way) f = lines[way == 2 && across];
        if (way == 3) f = malloc(bytes);
        if (way == 4) memset(f, 0, bytes);
        long at = across ? i : i * n;
        if (f) sweep(u + at, d + at, f, way == 5 ? lines[1] : NULL, n, across ? n : 1);
        if (way == 3) free(f);
    }
}

void kernel(int way, struct cell *u, struct cell *d, struct cell *const *lines, long n, long steps)
{
    for (long t = 0; t < steps; t++) {
        for (long i = 0; i < n * n; i++) memset(&d[i], 0, sizeof *d);
        for (int across = 0; across < 2; across++) pass(way, u, d, lines, n, across);
        for (long i = 0; i < n * n; i++)
            for (int k = 0; k < FIELDS; k++) u[i].a[k] += 0.01 * d[i].a[k];
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long n = atol(argv[2]);
    if (n < 1 || n > MOST) return 2;
    size_t bytes = (size_t)(n * n) * sizeof(struct cell), line = (size_t)(n + 1) * sizeof(struct cell);
    struct cell *u = malloc(bytes), *d = malloc(bytes), *lines[2] = {malloc(line), malloc(line)};
    if (!u || !d || !lines[0] || !lines[1]) return 1;
    for (long i = 0; i < FIELDS * n * n; i++) u[i / FIELDS].a[i % FIELDS] = sin(1.3 * (double)i);
    kernel(atoi(argv[1]), u, d, lines, n, atol(argv[3]));
    printf("%.9g\n", u[n + 1].a[0]);
    free(u);
    free(d);
    free(lines[0]);
    free(lines[1]);
    return 0;
}
