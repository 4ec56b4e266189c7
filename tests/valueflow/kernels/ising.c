/* Spins on a ring of rings, turned by Metropolis' rule: whether a spin turns depends on its neighbours, what
 * it is turned to on itself alone. The random numbers of a place are its own. With -DSECOND the neighbours
 * are read for a second comparison only, with -DREGISTER a new lattice is written. */
#include "kernel.h"

static unsigned random_at(unsigned *state)
{
    unsigned x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

static int field(const int *s, long i, long j, long n)
{
    return s[(i + 1) % n * n + j] + s[(i + n - 1) % n * n + j] + s[i * n + (j + 1) % n] +
           s[i * n + (j + n - 1) % n];
}

static void visit(int *s, unsigned *g, double *next, long i, long j, long n)
{
    double x = random_at(&g[i * n + j]) / 4294967296.0;
#ifdef SECOND
    (void)next;
    if (x < 1e-12 || field(s, i, j, n) * s[i * n + j] < 0) s[i * n + j] = -s[i * n + j];
#elif defined REGISTER
    double spin = s[i * n + j];
    next[i * n + j] = x < exp(-0.8 * spin * field(s, i, j, n)) ? -spin : spin;
#else
    (void)next;
    int change = 2 * s[i * n + j] * field(s, i, j, n);
    if (change <= 0 || x < exp(-0.4 * change)) s[i * n + j] = -s[i * n + j];
#endif
}

void kernel(int *s, unsigned *g, double *next, long n, long t)
{
    for (long k = 0; k < t; k++) {
        for (long colour = 0; colour < 2; colour++)
            for (long i = 0; i < n; i++)
                for (long j = (i + colour) % 2; j < n; j += 2) visit(s, g, next, i, j, n);
#ifdef REGISTER
        for (long i = 0; i < n * n; i++) s[i] = (int)next[i];
#endif
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2);
    int *s = malloc((size_t)(n * n) * sizeof *s);
    unsigned *g = malloc((size_t)(n * n) * sizeof *g);
    double *next = filled(n * n);
    if (!s || !g) return 1;
    for (long i = 0; i < n * n; i++) {
        s[i] = i * 7 % 5 < 2 ? 1 : -1;
        g[i] = (unsigned)i * 2654435761u + 1;
    }
    kernel(s, g, next, n, t);
    printf("%d\n", s[n + 1]);
    return 0;
}
