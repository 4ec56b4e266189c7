/* The number that is furthest from another, by its place; whether any is beyond a limit: one word of each
 * part but one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void compared(const double *x, double *out, long n, double from)
{
    long at = 0;
    for (long i = 1; i < n; i++)
        if (fabs(x[i] - from) > fabs(x[at] - from)) at = i;
    out[0] = x[at];
}

static void remembered(const double *x, double *out, long n, double from)
{
    double most = fabs(x[0] - from);
    long at = 0;
    for (long i = 1; i < n; i++) {
        double distance = fabs(x[i] - from);
        if (distance > most) {
            most = distance;
            at = i;
        }
    }
    out[0] = x[at];
}

static void largest(const double *x, double *out, long n, double from)
{
    long at = 0;
    (void)from;
    for (long i = 1; i < n; i++)
        if (x[i] > x[at]) at = i;
    out[0] = x[at];
}

static void flagged(const double *x, double *out, long n, double from)
{
    int any = 0;
    for (long i = 0; i < n; i++)
        if (x[i] > 2 + from) any = 1;
    out[0] = any;
}

static void flagged_in_memory(const double *x, double *out, long n, double from)
{
    out[0] = 0;
    for (long i = 0; i < n; i++)
        if (x[i] > 2 + from) out[0] = 1;
}

static void (*const ways[])(const double *, double *, long, double) = {
    compared, remembered, largest, flagged, flagged_in_memory,
};

void kernel(const double *x, double *out, long n, int way)
{
    ways[way](x, out, n, 0.25);
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0;
    long n = argc > 2 ? atol(argv[2]) : 4096;
    double *x = malloc((size_t)n * sizeof *x), *out = calloc(2, sizeof *out);
    if (!x || !out) return 1;
    for (long i = 0; i < n; i++) x[i] = sin((double)(i * i));
    kernel(x, out, n, way);
    printf("%.17g\n", out[0]);
    free(x);
    free(out);
    return 0;
}
