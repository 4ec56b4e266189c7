/* Fourier transforms of N numbers in place, T times: words that change places in the order of reversed bits,
 * then butterflies. Real and imaginary parts in two arrays (0), as structures (1), as complex numbers (2).
 * ARGUMENTS: way, N (a power of two), T. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
    double re, im;
};

static long reversed_after(long j, long n)
{
    long bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    return j | bit;
}

static void exchange(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

static void transform_arrays(double *re, double *im, long n)
{
    for (long i = 1, j = 0; i < n; i++) {
        j = reversed_after(j, n);
        if (i >= j) continue;
        exchange(&re[i], &re[j]);
        exchange(&im[i], &im[j]);
    }
    for (long len = 2; len <= n; len *= 2)
        for (long i = 0; i < n; i++) {
            if (i % len >= len / 2) continue;
            long o = i + len / 2;
            double c = cos(2 * M_PI * (double)(i % len) / (double)len);
            double s = -sin(2 * M_PI * (double)(i % len) / (double)len);
            double x = re[o] * c - im[o] * s, y = re[o] * s + im[o] * c;
            re[o] = re[i] - x;
            im[o] = im[i] - y;
            re[i] += x;
            im[i] += y;
        }
}

static void transform_pairs(struct pair *a, long n)
{
    for (long i = 1, j = 0; i < n; i++) {
        j = reversed_after(j, n);
        if (i >= j) continue;
        struct pair kept = a[i];
        a[i] = a[j];
        a[j] = kept;
    }
    for (long len = 2; len <= n; len *= 2)
        for (long i = 0; i < n; i += len)
            for (long k = 0; k < len / 2; k++) {
                double angle = -2 * M_PI * (double)k / (double)len;
                struct pair u = a[i + k], v = a[i + k + len / 2];
                struct pair x = {v.re * cos(angle) - v.im * sin(angle),
                                 v.re * sin(angle) + v.im * cos(angle)};
                a[i + k] = (struct pair){u.re + x.re, u.im + x.im};
                a[i + k + len / 2] = (struct pair){u.re - x.re, u.im - x.im};
            }
}

static void transform_complex(double complex *a, long n)
{
    for (long i = 1, j = 0; i < n; i++) {
        j = reversed_after(j, n);
        if (i >= j) continue;
        double complex kept = a[i];
        a[i] = a[j];
        a[j] = kept;
    }
    for (long len = 2; len <= n; len *= 2)
        for (long i = 0; i < n; i += len)
            for (long k = 0; k < len / 2; k++) {
                double complex u = a[i + k], v = a[i + k + len / 2] * cexp(-2 * I * M_PI * k / (double)len);
                a[i + k] = u + v;
                a[i + k + len / 2] = u - v;
            }
}

void kernel(int way, double *a, double *b, long n, long steps)
{
    for (long t = 0; t < steps; t++) switch (way) {
        case 0:
            transform_arrays(a, b, n);
            break;
        case 1:
            transform_pairs((struct pair *)a, n);
            break;
        case 2:
            transform_complex((double complex *)a, n);
            break;
        }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long n = atol(argv[2]);
    if (n < 2) return 2;
    double *a = malloc(2 * (size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b);
    if (!a || !b) return 1;
    for (long i = 0; i < 2 * n; i++) a[i] = b[i / 2] = sin(1.3 * (double)i);
    kernel(atoi(argv[1]), a, b, n, atol(argv[3]));
    printf("%.9g %.9g\n", a[1], b[1]);
    free(a);
    free(b);
    return 0;
}
