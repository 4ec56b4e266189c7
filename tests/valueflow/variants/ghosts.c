/* Particles on a ring that push those up to two places away. Those beyond an end are copies behind the
 * others, moved by the length of the ring, as molecular dynamics keeps ghost atoms: of both ends; or of one,
 * where each pair is looked at once, so that what pushes a ghost is added to its particle. Arguments: which,
 * particles, steps. */
#include "../kernels/kernel.h"

enum { REACH = 2 };

static void copy_ghosts(double *x, long n, double length, long which)
{
    for (long k = 0; k < REACH; k++) x[n + k] = x[k] + length;
    for (long k = 0; k < REACH && which == 0; k++) x[n + REACH + k] = x[n - REACH + k] - length;
}

static double push(double d)
{
    return d / (d * d + 0.5);
}

/* Where a particle stands that is `k` places away from the i-th one. */
static long place(long n, long i, long k)
{
    return i + k >= 0 ? i + k : n + 2 * REACH + i + k;
}

static void push_all(const double *x, double *force, long n)
{
    for (long i = 0; i < n; i++) {
        double sum = 0;
        for (long k = 1; k <= REACH; k++)
            sum += push(x[place(n, i, k)] - x[i]) + push(x[place(n, i, -k)] - x[i]);
        force[i] = sum;
    }
}

static void push_pairs(const double *x, double *force, long n)
{
    for (long i = 0; i < n + REACH; i++) force[i] = 0;
    for (long i = 0; i < n; i++)
        for (long k = 1; k <= REACH; k++) {
            double f = push(x[i + k] - x[i]);
            force[i] += f;
            force[i + k] -= f;
        }
    for (long k = 0; k < REACH; k++) force[k] += force[n + k];
}

__attribute__((noinline)) void kernel(double *x, double *v, double *force, long n, long steps, long which)
{
    for (long t = 0; t < steps; t++) {
        copy_ghosts(x, n, (double)n, which);
        if (which == 0)
            push_all(x, force, n);
        else
            push_pairs(x, force, n);
        for (long i = 0; i < n; i++) {
            v[i] += 0.01 * force[i];
            x[i] += 0.01 * v[i];
        }
    }
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *x = filled(n + 2 * REACH), *v = filled(n + 2 * REACH), *force = filled(n + 2 * REACH), sum = 0;
    for (long i = 0; i < n; i++) x[i] += (double)i;
    kernel(x, v, force, n, steps, which);
    for (long i = 0; i < n; i++) sum += x[i];
    printf("%.6f\n", sum);
    free(x);
    free(v);
    free(force);
    return 0;
}
