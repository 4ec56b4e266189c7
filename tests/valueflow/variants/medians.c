/* The median of five neighbours among N, T times, of which two are exchanged where they are not in order: by
 * a network (0), in a function (1), of floats (2), neighbours in the window (3) until none are left (4), each
 * with all behind it (5), or by the smaller and the larger of two (6). ARGUMENTS: way, N, T. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { WINDOW = 5, AROUND = WINDOW / 2 };
#define ORDER(type, a, b)                                                                                    \
    if ((a) > (b)) {                                                                                         \
        type kept = a;                                                                                       \
        (a) = b;                                                                                             \
        (b) = kept;                                                                                          \
    }
#define NETWORK(type, w)                                                                                     \
    ORDER(type, w[0], w[1]);                                                                                 \
    ORDER(type, w[3], w[4]);                                                                                 \
    ORDER(type, w[0], w[3]);                                                                                 \
    ORDER(type, w[1], w[4]);                                                                                 \
    ORDER(type, w[1], w[2]);                                                                                 \
    ORDER(type, w[2], w[3]);                                                                                 \
    ORDER(type, w[1], w[2])

static void order(double *a, double *b)
{
    if (*b < *a) {
        double kept = *b;
        *b = *a;
        *a = kept;
    }
}

static void network_of_calls(double *w)
{
    order(w, w + 1);
    order(w + 3, w + 4);
    order(w, w + 3);
    order(w + 1, w + 4);
    order(w + 1, w + 2);
    order(w + 2, w + 3);
    order(w + 1, w + 2);
}

static void neighbours(double *w)
{
    for (int i = 0; i < WINDOW; i++)
        for (int j = 0; j + 1 < WINDOW - i; j++) ORDER(double, w[j], w[j + 1]);
}

static void until_ordered(double *w)
{
    for (bool any = true; any;) {
        any = false;
        for (int j = 0; j + 1 < WINDOW; j++)
            if (w[j] > w[j + 1]) {
                double kept = w[j];
                w[j] = w[j + 1];
                w[j + 1] = kept;
                any = true;
            }
    }
}

static void all_behind(double *w)
{
    for (int i = 0; i < WINDOW; i++)
        for (int j = i + 1; j < WINDOW; j++) ORDER(double, w[i], w[j]);
}

static void smaller_and_larger(double *w)
{
    for (int i = 0; i < WINDOW; i++)
        for (int j = 0; j + 1 < WINDOW - i; j++) {
            double a = w[j], b = w[j + 1];
            w[j] = fmin(a, b);
            w[j + 1] = fmax(a, b);
        }
}

static double median(int way, const double *x)
{
    double w[WINDOW];
    for (int k = 0; k < WINDOW; k++) w[k] = x[k];
    switch (way) {
    case 0:
        NETWORK(double, w);
        break;
    case 1:
        network_of_calls(w);
        break;
    case 3:
        neighbours(w);
        break;
    case 4:
        until_ordered(w);
        break;
    case 5:
        all_behind(w);
        break;
    default:
        smaller_and_larger(w);
    }
    return w[AROUND];
}

static float median_of_floats(const float *x)
{
    float w[WINDOW];
    for (int k = 0; k < WINDOW; k++) w[k] = x[k];
    NETWORK(float, w);
    return w[AROUND];
}

void kernel(int way, double *x, double *y, float *f, float *g, long n, long steps)
{
    for (long t = 0; t < steps; t++) {
        for (long i = AROUND; i < n - AROUND; i++)
            if (way == 2)
                g[i] = median_of_floats(f + i - AROUND);
            else
                y[i] = median(way, x + i - AROUND);
        double *other = x;
        x = y;
        y = other;
        float *other_floats = f;
        f = g;
        g = other_floats;
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long n = atol(argv[2]);
    if (n < WINDOW) return 2;
    double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    float *f = malloc((size_t)n * sizeof *f), *g = malloc((size_t)n * sizeof *g);
    if (!x || !y || !f || !g) return 1;
    for (long i = 0; i < n; i++) {
        x[i] = y[i] = sin(37.0 * (double)i);
        f[i] = g[i] = (float)x[i];
    }
    kernel(atoi(argv[1]), x, y, f, g, n, atol(argv[3]));
    printf("%.9g %.9g %.9g %.9g\n", x[n / 2], y[n / 2], f[n / 2], g[n / 2]);
    free(x);
    free(y);
    free(f);
    free(g);
    return 0;
}
