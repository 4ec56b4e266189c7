/* Lines of an N x N grid, along rows and then along columns, T times, in a buffer on the heap that every call
 * allocates anew: a recurrence there and back (0), its second half in place (1), smoothed and copied back
 * (2), or scaled (3). A line that is cut sends a word there and one back, or one from each side. */
#include <stdio.h>
#include <stdlib.h>

static void line(int way, double *u, long n, long step)
{
    double *b = malloc((size_t)n * sizeof *b);
    if (!b) abort();
    if (way == 0) {
        for (long i = 0; i < n; i++) b[i] = u[i * step];
        for (long i = 1; i < n; i++) b[i] += 0.25 * b[i - 1];
        for (long i = n - 2; i >= 0; i--) b[i] = b[i] * 0.9 + 0.2 * b[i + 1];
        for (long i = 0; i < n; i++) u[i * step] = b[i];
    } else if (way == 1) {
        b[0] = u[0];
        for (long i = 1; i < n; i++) b[i] = u[i * step] + 0.25 * b[i - 1];
        u[(n - 1) * step] = b[n - 1];
        for (long i = n - 2; i >= 0; i--) u[i * step] = b[i] * 0.9 + 0.2 * u[(i + 1) * step];
    } else {
        b[0] = u[0];
        b[n - 1] = u[(n - 1) * step];
        for (long i = 1; i < n - 1; i++)
            b[i] = 0.5 * u[i * step] + 0.25 * (u[(i - 1) * step] + u[(i + 1) * step]);
        for (long i = 0; i < n; i++) u[i * step] = way == 2 ? b[i] : b[i] * 1.01;
    }
    free(b);
}

void kernel(int way, double *u, long n, long t)
{
    for (long k = 0; k < t; k++) {
        for (long i = 0; i < n; i++) line(way, u + i * n, n, 1);
        for (long j = 0; j < n; j++) line(way, u + j, n, n);
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0;
    long n = argc > 2 ? atol(argv[2]) : 24, t = argc > 3 ? atol(argv[3]) : 3;
    double *u = malloc((size_t)(n * n) * sizeof *u);
    if (!u) return 1;
    for (long i = 0; i < n * n; i++) u[i] = (double)(i * 7919 % 13);
    kernel(way, u, n, t);
    printf("%.17g\n", u[n]);
    free(u);
    return 0;
}
