/* Gates of a quantum computer on every bit of what amplitudes are numbered by: pairs of complex numbers times
 * a matrix of two rows, real and imaginary parts by hand (0), complex numbers (1), added up in an array (2),
 * each turned (3); magnitudes so, which the library computes (4). Arguments: way, amplitudes, steps. */
#include <complex.h>

#include "../kernels/kernel.h"

static void by_hand(double *x, long n, long bit)
{
    for (long i = 0; i < n; i++) {
        if (i & bit) continue;
        double *p = x + 2 * i, *q = x + 2 * (i | bit), a = p[0], b = p[1], c = q[0], d = q[1];
        p[0] = 0.6 * a + 0.8 * c;
        p[1] = 0.6 * b + 0.8 * d;
        q[0] = 0.8 * a - 0.6 * c;
        q[1] = 0.8 * b - 0.6 * d;
    }
}

static void complex_numbers(double *numbers, long n, long bit)
{
    double complex *x = (double complex *)numbers, u = 0.6 + 0.1 * I, v = 0.8 - 0.2 * I;
    for (long i = 0; i < n; i++) {
        if (i & bit) continue;
        double complex p = x[i], q = x[i | bit];
        x[i] = u * p + v * q;
        x[i | bit] = v * p - u * q;
    }
}

static void in_an_array(double *numbers, long n, long bit)
{
    double complex *x = (double complex *)numbers, u[2][2] = {{0.6, 0.8}, {0.8, -0.6}};
    for (long i = 0; i < n; i++) {
        if (i & bit) continue;
        double complex in[2] = {x[i], x[i | bit]}, out[2];
        for (int r = 0; r < 2; r++) {
            out[r] = 0;
            for (int c = 0; c < 2; c++) out[r] += u[r][c] * in[c];
        }
        x[i] = out[0];
        x[i | bit] = out[1];
    }
}

static void turned(double *numbers, long n, long bit)
{
    double complex *x = (double complex *)numbers;
    double u[2][2] = {{0.6, 0.8}, {0.8, -0.6}};
    for (long i = 0; i < n; i++) {
        if (i & bit) continue;
        double complex in[2] = {x[i], x[i | bit]}, out[2] = {0, 0};
        for (int r = 0; r < 2; r++)
            for (int c = 0; c < 2; c++) out[r] += u[r][c] * in[c] * cexp(0.1 * I * (r + c));
        x[i] = out[0];
        x[i | bit] = out[1];
    }
}

static void magnitudes(double *x, long n, long bit)
{
    double u[2][2] = {{0.6, 0.8}, {0.8, 0.6}};
    for (long i = 0; i < n; i++) {
        if (i & bit) continue;
        long at[2] = {i, i | bit};
        double out[2];
        for (int r = 0; r < 2; r++) {
            out[r] = 0;
            for (int c = 0; c < 2; c++) out[r] += u[r][c] * hypot(x[2 * at[c]], x[2 * at[c] + 1]);
        }
        for (int r = 0; r < 2; r++) {
            x[2 * at[r]] = out[r];
            x[2 * at[r] + 1] *= 0.9;
        }
    }
}

void kernel(double *x, long n, long steps, long way)
{
    void (*const ways[])(double *, long, long) = {by_hand, complex_numbers, in_an_array, turned, magnitudes};
    for (long t = 0; t < steps; t++)
        for (long bit = 1; bit < n; bit *= 2) ways[way](x, n, bit);
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 2);
    double *x = filled(2 * n);
    kernel(x, n, argument(argc, argv, 3), argument(argc, argv, 1));
    printf("%.9g\n", x[0] + x[n - 1]);
    return 0;
}
