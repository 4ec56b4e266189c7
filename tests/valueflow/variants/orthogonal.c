/* Vectors, each a row, made orthogonal: every one is taken off all behind it. The product of two is in a
 * register (0) or in a matrix (1); each a column, and every product kept, of vectors in another matrix (2) or
 * where they were, one after the other (3) or all of one vector together (4); each a row again, and every
 * product kept (5). All are taken off each at once, as they were computed (6), or off a copy of it, into
 * another matrix (7). ARGUMENTS: way, vectors and their length. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void rows(int way, double *a, double *r, int n)
{
    for (int k = 0; k < n; k++) {
        double square = 0;
        for (int i = 0; i < n; i++) square += a[k * n + i] * a[k * n + i];
        for (int i = 0; i < n; i++) a[k * n + i] /= sqrt(square);
        for (int j = k + 1; j < n; j++) {
            double d = 0;
            if (way == 1) {
                r[j] = 0;
                for (int i = 0; i < n; i++) r[j] += a[k * n + i] * a[j * n + i];
                for (int i = 0; i < n; i++) a[j * n + i] -= r[j] * a[k * n + i];
                continue;
            }
            for (int i = 0; i < n; i++) d += a[k * n + i] * a[j * n + i];
            for (int i = 0; i < n; i++) a[j * n + i] -= d * a[k * n + i];
        }
    }
}

static void columns(double *a, double *q, double *r, int n)
{
    for (int k = 0; k < n; k++) {
        double square = 0;
        for (int i = 0; i < n; i++) square += a[i * n + k] * a[i * n + k];
        r[k * n + k] = sqrt(square);
        for (int i = 0; i < n; i++) q[i * n + k] = a[i * n + k] / r[k * n + k];
        for (int j = k + 1; j < n; j++) {
            r[k * n + j] = 0;
            for (int i = 0; i < n; i++) r[k * n + j] += q[i * n + k] * a[i * n + j];
            for (int i = 0; i < n; i++) a[i * n + j] -= q[i * n + k] * r[k * n + j];
        }
    }
}

static void take_off(int together, double *a, double *r, int n, int k)
{
    for (int j = k + 1; j < n; j++) r[k * n + j] = 0;
    for (int i = 0; i < n && together; i++)
        for (int j = k + 1; j < n; j++) r[k * n + j] += a[i * n + k] * a[i * n + j];
    for (int j = k + 1; j < n && !together; j++)
        for (int i = 0; i < n; i++) r[k * n + j] += a[i * n + k] * a[i * n + j];
    for (int i = 0; i < n; i++)
        for (int j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * r[k * n + j];
}

static void columns_in_place(int together, double *a, double *r, int n)
{
    for (int k = 0; k < n; k++) {
        double square = 0;
        for (int i = 0; i < n; i++) square += a[i * n + k] * a[i * n + k];
        r[k * n + k] = sqrt(square);
        for (int i = 0; i < n; i++) a[i * n + k] /= r[k * n + k];
        take_off(together, a, r, n, k);
    }
}

static void rows_and_products(double *a, double *r, int n)
{
    for (int k = 0; k < n; k++) {
        double square = 0;
        for (int i = 0; i < n; i++) square += a[k * n + i] * a[k * n + i];
        r[k * n + k] = sqrt(square);
        for (int i = 0; i < n; i++) a[k * n + i] /= r[k * n + k];
        for (int j = k + 1; j < n; j++) {
            double d = 0;
            for (int i = 0; i < n; i++) d += a[k * n + i] * a[j * n + i];
            r[k * n + j] = d;
            for (int i = 0; i < n; i++) a[j * n + i] -= d * a[k * n + i];
        }
    }
}

static void classical(double *a, int n)
{
    double t[64];
    for (int k = 0; k < n; k++) {
        double square = 0;
        for (int j = 0; j < k; j++) {
            t[j] = 0;
            for (int i = 0; i < n; i++) t[j] += a[i * n + j] * a[i * n + k];
        }
        for (int j = 0; j < k; j++)
            for (int i = 0; i < n; i++) a[i * n + k] -= t[j] * a[i * n + j];
        for (int i = 0; i < n; i++) square += a[i * n + k] * a[i * n + k];
        for (int i = 0; i < n; i++) a[i * n + k] /= sqrt(square);
    }
}

static void classical_copies(const double *a, double *q, int n)
{
    double v[64];
    for (int k = 0; k < n; k++) {
        double square = 0;
        for (int i = 0; i < n; i++) v[i] = a[i * n + k];
        for (int j = 0; j < k; j++) {
            double t = 0;
            for (int i = 0; i < n; i++) t += q[i * n + j] * a[i * n + k];
            for (int i = 0; i < n; i++) v[i] -= t * q[i * n + j];
        }
        for (int i = 0; i < n; i++) square += v[i] * v[i];
        for (int i = 0; i < n; i++) q[i * n + k] = v[i] / sqrt(square);
    }
}

void kernel(int way, double *a, double *q, double *r, int n)
{
    if (way == 7)
        classical_copies(a, q, n);
    else if (way == 6)
        classical(a, n);
    else if (way == 5)
        rows_and_products(a, r, n);
    else if (way > 2)
        columns_in_place(way == 4, a, r, n);
    else if (way == 2)
        columns(a, q, r, n);
    else
        rows(way, a, r, n);
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 16;
    double *a = malloc((size_t)n * n * sizeof *a), sum = 0;
    double *r = calloc((size_t)n * (way > 1 ? n : 1), sizeof *r), *q = calloc((size_t)n * n, sizeof *q);
    if (!a || !r || !q || n > 64) return 1;
    for (int i = 0; i < n * n; i++) a[i] = (i * 37 % 23) * 0.1 + (i % (n + 1) == 0 ? 4 : 0);
    kernel(way, a, q, r, n);
    for (int i = 0; i < n * n; i++) sum += (a[i] + q[i]) * (1 + i % 5);
    printf("%.10g\n", sum);
    free(a);
    free(r);
    free(q);
    return 0;
}
