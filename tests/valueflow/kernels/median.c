/* The median of 3 x 3 points, sorted in a window on the stack: by insertion, by exchange with -DEXCHANGE, by
 * the C library with -DLIBRARY, or put into order as they are read with -DSTREAM. */
#include "kernel.h"

#ifdef LIBRARY
static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}
#endif

static double median(const double *a, long m)
{
    double w[9];
    int n = 0;
#ifdef STREAM
    for (long i = -1; i <= 1; i++)
        for (long j = -1; j <= 1; j++) {
            double x = a[i * m + j];
            int k = n++;
            for (; k > 0 && w[k - 1] > x; k--) w[k] = w[k - 1];
            w[k] = x;
        }
#else
    for (long i = -1; i <= 1; i++)
        for (long j = -1; j <= 1; j++) w[n++] = a[i * m + j];
#ifdef LIBRARY
    qsort(w, 9, sizeof *w, compare);
#elif defined EXCHANGE
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8 - i; j++)
            if (w[j] > w[j + 1]) {
                double x = w[j];
                w[j] = w[j + 1];
                w[j + 1] = x;
            }
#else
    for (int i = 1; i < 9; i++) {
        double x = w[i];
        int k = i;
        for (; k > 0 && w[k - 1] > x; k--) w[k] = w[k - 1];
        w[k] = x;
    }
#endif
#endif
    return w[4];
}

void kernel(double *a, double *b, long n, long t)
{
    long m = n + 2;
    for (long k = 0; k < t; k++) {
        for (long i = 1; i <= n; i++)
            for (long j = 1; j <= n; j++) b[i * m + j] = median(&a[i * m + j], m);
        double *other = a;
        a = b;
        b = other;
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2), m = n + 2;
    double *a = filled(m * m), *b = filled(m * m);
    kernel(a, b, n, t);
    printf("%g\n", a[m * 4 + 4]);
    return 0;
}
