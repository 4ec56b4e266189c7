/* A transport sweep through N x N x N cells, T times: fluxes through faces in arrays of all faces, or in a
 * line and a plane that are declared where they are used. A flux goes across a border once. */
#include <stdio.h>
#include <stdlib.h>

static double cell(double *phi, double q, double x, double y, double z)
{
    double p = (q + 0.5 * *phi + x + y + z) * 0.2;
    *phi = p;
    return p;
}

static void all_faces(const double *q, double *phi, double *x, double *y, double *z, long n)
{
    for (long c = 0; c < n * n * n; c++) {
        long i = c % n, j = c / n % n, k = c / n / n;
        double fx = i ? x[c - 1] : 0, fy = j ? y[c - n] : 0, fz = k ? z[c - n * n] : 0;
        double p = cell(&phi[c], q[c], fx, fy, fz);
        x[c] = 2 * p - fx;
        y[c] = 2 * p - fy;
        z[c] = 2 * p - fz;
    }
}

static void planes(const double *q, double *phi, double *z, long n)
{
    for (long i = 0; i < n * n; i++) z[i] = 0;
    for (long k = 0; k < n; k++) {
        double y[n];
        for (long i = 0; i < n; i++) y[i] = 0;
        for (long j = 0; j < n; j++) {
            double x = 0;
            for (long i = 0; i < n; i++) {
                long c = (k * n + j) * n + i;
                double p = cell(&phi[c], q[c], x, y[i], z[j * n + i]);
                x = 2 * p - x;
                y[i] = 2 * p - y[i];
                z[j * n + i] = 2 * p - z[j * n + i];
            }
        }
    }
}

void kernel(int variant, const double *q, double *phi, double *faces, long n, long t)
{
    for (long k = 0; k < t; k++) {
        double plane[n * n];
        if (variant == 0)
            all_faces(q, phi, faces, faces + n * n * n, faces + 2 * n * n * n, n);
        else
            planes(q, phi, plane, n);
    }
}

int main(int argc, char **argv)
{
    int variant = argc > 1 ? atoi(argv[1]) : 0;
    long n = argc > 2 ? atol(argv[2]) : 12, t = argc > 3 ? atol(argv[3]) : 3, m = n * n * n;
    double *q = malloc((size_t)m * sizeof *q), *phi = malloc((size_t)m * sizeof *phi),
           *faces = malloc(3 * (size_t)m * sizeof *faces);
    if (!q || !phi || !faces) return 1;
    for (long i = 0; i < m; i++) q[i] = phi[i] = (double)(i * 7919 % 13);
    kernel(variant, q, phi, faces, n, t);
    printf("%.17g\n", phi[m / 2]);
    free(q);
    free(phi);
    free(faces);
    return 0;
}
