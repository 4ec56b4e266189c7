/* In-place sweeps with the new values of the row above in a line buffer that each value is put into before it
 * is put into the plane: on the stack of the kernel, of a function for each sweep, on the heap. And tables of
 * two rows, each of which is put into the table beside. N x N points, T sweeps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 130 };

static void below(double *up, double *a, long n)
{
    long w = n + 2;
    memcpy(up, a, (size_t)w * sizeof *up);
    for (long i = 1; i <= n; i++) {
        double left = a[i * w];
        for (long j = 1; j <= n; j++) {
            left = 0.25 * (up[j] + a[(i + 1) * w + j] + left + a[i * w + j + 1]);
            up[j] = left;
            a[i * w + j] = left;
        }
    }
}

static void on_stack(double *a, long n)
{
    double up[MOST];
    below(up, a, n);
}

static void rows(double *last, double *now, double *a, long n)
{
    long w = n + 2;
    for (long j = 0; j < w; j++) last[j] = a[j];
    for (long i = 1; i <= n; i++) {
        now[0] = a[i * w];
        for (long j = 1; j <= n; j++) {
            now[j] = 0.5 * last[j - 1] + 0.25 * (last[j] + now[j - 1]) + a[i * w + j];
            a[i * w + j] = now[j];
        }
        double *other = last;
        last = now;
        now = other;
    }
}

void kernel(int variant, double *a, long n, long t)
{
    double up[n + 2], now[n + 2], *heap = malloc((size_t)(n + 2) * sizeof *heap);
    for (long k = 0; k < t; k++) {
        if (variant == 0) below(up, a, n);
        if (variant == 1) on_stack(a, n);
        if (variant == 2) below(heap, a, n);
        if (variant == 3) rows(up, now, a, n);
        if (variant == 4) rows(heap, now, a, n);
    }
    free(heap);
}

int main(int argc, char **argv)
{
    int variant = argc > 1 ? atoi(argv[1]) : 0;
    long n = argc > 2 ? atol(argv[2]) : 64, t = argc > 3 ? atol(argv[3]) : 10, w = n + 2;
    double *a = malloc((size_t)(w * w) * sizeof *a);
    if (!a || w > MOST) return 1;
    for (long i = 0; i < w * w; i++) a[i] = 0.1 * (double)(i * 37 % 101);
    kernel(variant, a, n, t);
    printf("%.17g\n", a[w * w / 2]);
    free(a);
    return 0;
}
