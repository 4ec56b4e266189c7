/* Particles in a line that push those up to three places away, with the energy of all pairs; the sum of
 * the products of neighbours; springs to four others, with the number of pairs that are near; and products
 * and squares in turn. Arguments: which, particles, steps. */
#include "../kernels/kernel.h"

enum { REACH = 3 };

struct settings {
    double strength, size, energy;
};

static void push(struct settings *s, double *x, double *force, long n)
{
    double energy = 0;
    for (long i = 0; i < n; i++) force[i] = 0;
    for (long i = 0; i < n; i++)
        for (long k = 1; k <= REACH && i + k < n; k++) {
            double d = x[i + k] - x[i], push = 1 / (d * d + s->size);
            energy += s->strength * push * push;
            force[i] += s->strength * push;
            force[i + k] -= s->strength * push;
        }
    s->energy = energy;
    for (long i = 0; i < n; i++) x[i] += 1e-3 * force[i];
}

static void correlate(struct settings *s, double *x, long n)
{
    double sum = 0;
    for (long i = 0; i + 1 < n; i++) sum += x[i] * x[i + 1];
    s->energy = sum;
    for (long i = 0; i < n; i++) x[i] = 0.5 * x[i] + 0.1;
}

/* In turn the products of neighbours and the squares. */
static void alternate(struct settings *s, double *x, long n, long k)
{
    double sum = 0;
    if (k % 2)
        for (long i = 0; i < n; i++) sum += x[i] * x[i];
    else
        for (long i = 0; i + 1 < n; i++) sum += x[i] * x[i + 1];
    if (k % 2)
        s->size = sum;
    else
        s->energy = sum;
    for (long i = 0; i < n; i++) x[i] = 0.5 * x[i] + 0.1;
}

static void pull(struct settings *s, double *x, double *force, long n)
{
    long near = 0;
    for (long i = 0; i < n; i++) {
        double all = 0;
        for (long j = i - 2; j <= i + 2; j++) {
            if (j == i || j < 0 || j >= n) continue;
            double d = x[j] - x[i];
            all += 1e-3 * d;
            if (j > i) near += fabs(d) < 0.5;
        }
        force[i] = all;
    }
    s->energy = (double)near;
    for (long i = 0; i < n; i++) x[i] += force[i];
}

__attribute__((noinline)) void kernel(struct settings *s, double *x, double *force, long n, long steps,
                                      long which)
{
    for (long k = 0; k < steps; k++)
        if (which == 0)
            push(s, x, force, n);
        else if (which == 1)
            correlate(s, x, n);
        else if (which == 2)
            pull(s, x, force, n);
        else
            alternate(s, x, n, k);
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *in = filled(2), *x = filled(n), *force = filled(n);
    struct settings s = {in[0], in[1], 0};
    kernel(&s, x, force, n, steps, which);
    printf("%.6f %.6f\n", x[n / 2], s.energy);
    free(in);
    free(x);
    free(force);
    return 0;
}
