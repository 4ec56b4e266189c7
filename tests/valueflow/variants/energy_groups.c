/* Particles of two energies in the cells of a box, together in one array: both scatter into each other, and
 * then fly through the box from all eight corners in ANGLES directions each, along workspaces, T times.
 * Everything is given (0), or all but a length is made of constants (1). ARGUMENTS: way, cells along each
 * dimension, T. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUPS = 2, ANGLES = 2 };

static double share[GROUPS * GROUPS], w[ANGLES], x[ANGLES], y[ANGLES], z[ANGLES], *dense, length, change;

static void fill(size_t words, double *extra)
{
    for (size_t i = 0; i < words; i++) extra[i] = (double)(1 + i % 5);
    for (size_t i = 0; i < words / GROUPS; i++) dense[i] = 1 + 0.1 * (double)(i % 7);
    for (int i = 0; i < GROUPS * GROUPS; i++) share[i] = 0.1 + 0.02 * i;
    for (int a = 0; a < ANGLES; a++) {
        w[a] = 0.2 + 0.1 * a;
        x[a] = (0.5 + 0.1 * a) * length;
        y[a] = (0.4 + 0.2 * a) * length;
        z[a] = (0.9 - 0.1 * a) * length;
    }
}

static void scatter(int n, const double *extra, const double *flux, double *source)
{
    for (int i = 0; i < n; i++)
        for (int g = 0; g < GROUPS; g++) {
            double sum = extra[i * GROUPS + g];
            for (int h = 0; h < GROUPS; h++) sum += share[h * GROUPS + g] * flux[i * GROUPS + h];
            source[i * GROUPS + g] = sum;
        }
}

struct sizes {
    int x, y, z;
};

static int turned(int i, int n, int back)
{
    return back ? n - 1 - i : i;
}

static void sweep(struct sizes n, int corner, int g, const double *source, double *flux, double *rows,
                  double *plane)
{
    for (int i = 0; i < n.x * n.y * ANGLES; i++) plane[i] = 0;
    for (int kk = 0; kk < n.z; kk++) {
        int k = turned(kk, n.z, corner / 4);
        for (int i = 0; i < n.x * ANGLES; i++) rows[i] = 0;
        for (int jj = 0; jj < n.y; jj++) {
            int j = turned(jj, n.y, corner / 2 % 2);
            double in[ANGLES] = {0};
            for (int ii = 0; ii < n.x; ii++) {
                int i = turned(ii, n.x, corner % 2), cell = (k * n.y + j) * n.x + i;
                double sum = 0;
                for (int a = 0; a < ANGLES; a++) {
                    double *row = &rows[i * ANGLES + a], *up = &plane[(j * n.x + i) * ANGLES + a];
                    double psi = (source[cell * GROUPS + g] + x[a] * in[a] + y[a] * *row + z[a] * *up) /
                                 (dense[cell] + x[a] + y[a] + z[a]);
                    in[a] = 2 * psi - in[a];
                    *row = 2 * psi - *row;
                    *up = 2 * psi - *up;
                    sum += w[a] * psi;
                }
                flux[cell * GROUPS + g] += sum;
            }
        }
    }
}

void kernel(int way, struct sizes n, int times, double *extra, double *flux, double *source)
{
    if (way == 1) fill((size_t)(n.x * n.y * n.z * GROUPS), extra);
    int words = n.x * n.y * n.z * GROUPS;
    double *rows = malloc((size_t)(n.x * ANGLES) * sizeof *rows),
           *plane = malloc((size_t)(n.x * n.y * ANGLES) * sizeof *plane);
    double *old = malloc((size_t)words * sizeof *old);
    for (int t = 0; rows && plane && old && t < times; t++) {
        scatter(n.x * n.y * n.z, extra, flux, source);
        for (int i = 0; i < words; i++) {
            old[i] = flux[i];
            flux[i] = 0;
        }
        for (int g = 0; g < GROUPS; g++)
            for (int corner = 0; corner < 8; corner++) sweep(n, corner, g, source, flux, rows, plane);
        change = 0;
        for (int i = 0; i < words; i++) change = fmax(change, fabs(flux[i] - old[i]));
    }
    free(rows);
    free(plane);
    free(old);
}

int main(int argc, char **argv)
{
    if (argc != 6) return 2;
    int way = atoi(argv[1]);
    struct sizes n = {atoi(argv[2]), atoi(argv[3]), atoi(argv[4])};
    size_t words = (size_t)(n.x * n.y * n.z) * GROUPS;
    double *extra = calloc(words, sizeof *extra), *flux = calloc(words, sizeof *flux),
           *source = calloc(words, sizeof *source);
    if (!extra || !flux || !source) return 1;
    dense = calloc(words / GROUPS, sizeof *dense);
    if (!dense) return 1;
    length = 0.5;
    if (way == 0) fill(words, extra);
    kernel(way, n, atoi(argv[5]), extra, flux, source);
    printf("%g %g\n", flux[words / 2], change);
    free(extra);
    free(flux);
    free(source);
    return 0;
}
