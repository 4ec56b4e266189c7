/* A transport sweep through N x N x N cells, T times: fluxes through faces in arrays of all faces (0), or in
 * a line and a plane that are declared where they are used (1), or on the stack (2) or the heap (3) and swept
 * again and again. The cells hold the last flux or, from 4 on, what all have come to. A flux goes across a
 * border once. */
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

/* The flux is in a register only. */
static double add_cell(double *phi, double q, double x, double y, double z)
{
    double p = (q + x + y + z) * 0.2;
    *phi += 0.3 * p;
    return p;
}

static void sweep(int adds_up, const double *q, double *phi, double *y, double *z, long n)
{
    for (long i = 0; i < n * n; i++) z[i] = 0;
    for (long k = 0; k < n; k++) {
        for (long i = 0; i < n; i++) y[i] = 0;
        for (long j = 0; j < n; j++) {
            double x = 0;
            for (long i = 0; i < n; i++) {
                long c = (k * n + j) * n + i;
                double p = adds_up ? add_cell(&phi[c], q[c], x, y[i], z[j * n + i])
                                   : cell(&phi[c], q[c], x, y[i], z[j * n + i]);
                x = 2 * p - x;
                y[i] = 2 * p - y[i];
                z[j * n + i] = 2 * p - z[j * n + i];
            }
        }
    }
}

static void sweeps(int variant, const double *q, double *phi, double *y, double *z, long n, long t)
{
    double line[32], plane[1024];
    int is_heap = variant % 2;
    for (long k = 0; k < t; k++) sweep(variant >= 4, q, phi, is_heap ? y : line, is_heap ? z : plane, n);
}

void kernel(int variant, const double *q, double *phi, double *faces, double *line, double *plane_below,
            long n, long t)
{
    for (long k = 0; variant < 2 && k < t; k++) {
        double plane[n * n];
        if (variant == 0)
            all_faces(q, phi, faces, faces + n * n * n, faces + 2 * n * n * n, n);
        else
            planes(q, phi, plane, n);
    }
    if (variant >= 2) sweeps(variant, q, phi, line, plane_below, n, t);
}

int main(int argc, char **argv)
{
    int variant = argc > 1 ? atoi(argv[1]) : 0;
    long n = argc > 2 ? atol(argv[2]) : 12, t = argc > 3 ? atol(argv[3]) : 3, m = n * n * n;
    double *q = malloc((size_t)m * sizeof *q), *phi = malloc((size_t)m * sizeof *phi),
           *faces = malloc(3 * (size_t)m * sizeof *faces), *line = malloc((size_t)n * sizeof *line),
           *plane = malloc((size_t)(n * n) * sizeof *plane);
    if (!q || !phi || !faces || !line || !plane || n > 32) return 1;
    for (long i = 0; i < m; i++) q[i] = phi[i] = (double)(i * 7919 % 13);
    kernel(variant, q, phi, faces, line, plane, n, t);
    printf("%.17g\n", phi[m / 2]);
    free(q);
    free(phi);
    free(faces);
    free(line);
    free(plane);
    return 0;
}
