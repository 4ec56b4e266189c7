/* Hexagons in rows, each half a cell beside the one above, on a torus. Every cell adds up what flows over its
 * six faces, in or out as its signs of these say. ARGUMENTS: way (0: new values are kept in an array; 1: in
 * one that every step allocates; 2: fluxes are kept, too), cells in a row and rows, an even number, steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12, CELLS = MOST * MOST, FACES = 3 * CELLS, FIELDS = 5 };

static int left[FACES], right[FACES], n_faces;
static int face_of[CELLS][6];
static double sign_of[CELLS][6];
static int n_of[CELLS];
static double u[CELLS][FIELDS], after[CELLS][FIELDS], through[FACES][FIELDS];

static void add_face(int a, int b)
{
    left[n_faces] = a;
    right[n_faces] = b;
    sign_of[a][n_of[a]] = 1;
    face_of[a][n_of[a]++] = n_faces;
    sign_of[b][n_of[b]] = -1;
    face_of[b][n_of[b]++] = n_faces++;
}

static void make_mesh(int n)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            int cell = j * n + i, above = (j + 1) % n * n, column = i + (j & 1);
            add_face(cell, j * n + (i + 1) % n);
            add_face(cell, above + (column + n - 1) % n);
            add_face(cell, above + column % n);
            for (int k = 0; k < FIELDS; k++) u[cell][k] = 1 + 0.1 * sin(0.2 * i + 0.3 * j + k);
        }
}

static inline void flow(const double *l, const double *r, double *f)
{
    double speed = 0.5 * (l[1] / l[0] + r[2] / r[0]);
    for (int k = 0; k < FIELDS; k++) f[k] = speed * (l[k] + r[k]) - 0.5 * (r[k] - l[k]) * l[4] * r[3];
}

static void step_cells(double (*next)[FIELDS], int n)
{
    for (int c = 0; c < n; c++) {
        double sum[FIELDS] = {0};
        for (int i = 0; i < n_of[c]; i++) {
            double f[FIELDS];
            flow(u[left[face_of[c][i]]], u[right[face_of[c][i]]], f);
            for (int k = 0; k < FIELDS; k++) sum[k] -= sign_of[c][i] * f[k];
        }
        for (int k = 0; k < FIELDS; k++) next[c][k] = u[c][k] + 1e-3 * sum[k];
    }
    memcpy(u, next, (size_t)n * sizeof *u);
}

static void step_faces(int n)
{
    for (int i = 0; i < n_faces; i++) flow(u[left[i]], u[right[i]], through[i]);
    for (int c = 0; c < n; c++) {
        double sum[FIELDS] = {0};
        for (int i = 0; i < n_of[c]; i++)
            for (int k = 0; k < FIELDS; k++) sum[k] -= sign_of[c][i] * through[face_of[c][i]][k];
        for (int k = 0; k < FIELDS; k++) u[c][k] += 1e-3 * sum[k];
    }
}

__attribute__((noinline)) void kernel(int way, int n, long steps)
{
    for (long t = 0; t < steps; t++) {
        double(*next)[FIELDS] = way == 1 ? malloc((size_t)n * sizeof *next) : after;
        if (way == 2)
            step_faces(n);
        else
            step_cells(next, n);
        if (way == 1) free(next);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int n = atoi(argv[2]);
    if (n < 2 || n > MOST || n % 2) return 2;
    make_mesh(n);
    kernel(atoi(argv[1]), n * n, atol(argv[3]));
    printf("%.12g\n", u[n][2]);
    return 0;
}
