/* Three fields of a plane one after the other in one array; each is computed from the neighbours of its own
 * words and of another field, never from the word itself (Lax and Friedrichs). */
#include "kernel.h"
static double mean(const double *q, long at, long w)
{
    return 0.25 * (q[at - w] + q[at + w] + q[at - 1] + q[at + 1]);
}
void kernel(double *old, double *new, long n, long t)
{
    long w = n + 2, l = w * w;
    for (long s = 0; s < t; s++) {
        double *h = old, *hu = old + l, *hv = old + 2 * l;
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) {
                long at = i * w + j;
                new[at] = mean(h, at, w) - 0.1 * (hu[at + w] - hu[at - w] + hv[at + 1] - hv[at - 1]);
                new[l + at] = mean(hu, at, w) - 0.05 * (h[at + w] * h[at + w] - h[at - w] * h[at - w]);
                new[2 * l + at] = mean(hv, at, w) - 0.05 * (h[at + 1] * h[at + 1] - h[at - 1] * h[at - 1]);
            }
        double *x = old;
        old = new;
        new = x;
    }
}
int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2), w = n + 2;
    double *old = filled(3 * w * w), *new = filled(3 * w * w);
    kernel(old, new, n, t);
    printf("%g\n", old[w + 1]);
    return 0;
}
