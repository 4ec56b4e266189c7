/*
 * Meshes whose points and cells are numbered at random: a plane with corner forces that are added up at its
 * points (0), conjugate gradients on a plane (1), a block of hexahedra that moves, with its corner forces in
 * memory that each step allocates (2) or added up at the points at once (3). Arguments: which, cells along a
 * side, steps, whether at random.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int side, random_numbers, n_points, n_cells, n_corners;
static int *corner, *first, *at_point; /* points of cells; corners of points */
static double *x, *v, *f, *energy;

static unsigned draw(void)
{
    static unsigned state = 12345;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static int *numbers(int n)
{
    int *number = malloc((size_t)n * sizeof *number);
    for (int i = 0; i < n; i++) number[i] = i;
    for (int i = n - 1; random_numbers && i > 0; i--) {
        int j = (int)(draw() % (unsigned)(i + 1)), other = number[i];
        number[i] = number[j];
        number[j] = other;
    }
    return number;
}

/* ---- a plane ---- */

static void push_corners(int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int p = 0; p < n_points; p++) f[p] = 0;
        for (int c = 0; c < n_cells; c++) {
            double middle = 0;
            for (int k = 0; k < 4; k++) middle += 0.25 * x[corner[4 * c + k]];
            energy[c] = sqrt(1 + middle * middle) + 0.5 * energy[c];
        }
        for (int c = 0; c < n_cells; c++)
            for (int k = 0; k < 4; k++) f[corner[4 * c + k]] += (k - 1.5) * energy[c];
        for (int p = 0; p < n_points; p++) {
            v[p] += 0.01 * f[p];
            x[p] += 0.01 * v[p];
        }
    }
}

/* ---- conjugate gradients ---- */

static int *column;
static double *value, *r, *q;

static void solve(int steps)
{
    double rr = 0;
    for (int i = 0; i < n_cells; i++) rr += r[i] * r[i];
    for (int t = 0; t < steps; t++) {
        double pq = 0, next = 0;
        for (int i = 0; i < n_cells; i++) {
            double sum = 0;
            for (int k = 0; k < 5; k++) sum += value[5 * i + k] * v[column[5 * i + k]];
            q[i] = sum;
        }
        for (int i = 0; i < n_cells; i++) pq += v[i] * q[i];
        for (int i = 0; i < n_cells; i++) {
            x[i] += rr / pq * v[i];
            r[i] -= rr / pq * q[i];
        }
        for (int i = 0; i < n_cells; i++) next += r[i] * r[i];
        for (int i = 0; i < n_cells; i++) v[i] = r[i] + next / rr * v[i];
        rr = next;
    }
}

/* ---- a block ---- */

static void move_block(int steps)
{
    for (int t = 0; t < steps; t++) {
        double *push = malloc((size_t)n_corners * sizeof *push);
        for (int c = 0; c < n_cells; c++) {
            double at[8], mean = 0, largest = 0;
            for (int k = 0; k < 8; k++) at[k] = x[corner[8 * c + k]];
            for (int k = 0; k < 8; k++) mean += at[k] / 8;
            for (int k = 0; k < 8; k++) largest = fmax(largest, fabs(at[k] - mean));
            energy[c] = 0.9 * energy[c] + largest;
            for (int k = 0; k < 8; k++) push[8 * c + k] = energy[c] * (mean - at[k]);
        }
        for (int p = 0; p < n_points; p++) {
            double sum = 0;
            for (int i = first[p]; i < first[p + 1]; i++) sum += push[at_point[i]];
            f[p] = sum;
        }
        free(push);
        for (int p = 0; p < n_points; p++) {
            v[p] += 0.01 * f[p];
            x[p] += 0.01 * v[p];
        }
    }
}

/* What a corner begins with comes of three words, and what is added to it of more. */
static void add_up_block(int steps)
{
    static const double mode[2][8] = {{1, 1, -1, -1, -1, -1, 1, 1}, {1, -1, -1, 1, -1, 1, 1, -1}};
    for (int t = 0; t < steps; t++) {
        for (int p = 0; p < n_points; p++) f[p] = 0;
        for (int c = 0; c < n_cells; c++) {
            double at[8], push[8], normal[8], size = 0;
            for (int k = 0; k < 8; k++) at[k] = x[corner[8 * c + k]];
            for (int k = 0; k < 8; k++) normal[k] = at[k] + at[k ^ 1] - at[k ^ 2] - at[k ^ 4] + at[k ^ 7];
            for (int k = 0; k < 8; k++) size += normal[k] * at[k];
            energy[c] = 0.9 * energy[c] + size;
            for (int k = 0; k < 8; k++) push[k] = energy[c] * normal[k];
            for (int m = 0; m < 2; m++) {
                double twist = 0;
                for (int k = 0; k < 8; k++) twist += mode[m][k] * v[corner[8 * c + k]];
                for (int k = 0; k < 8; k++) push[k] += energy[c] * twist * mode[m][k];
            }
            for (int k = 0; k < 8; k++) f[corner[8 * c + k]] += push[k];
        }
        for (int p = 0; p < n_points; p++) {
            v[p] += 0.01 * f[p];
            x[p] += 0.01 * v[p];
        }
    }
}

__attribute__((noinline)) void kernel(int which, int steps)
{
    if (which == 0) push_corners(steps);
    if (which == 1) solve(steps);
    if (which == 2) move_block(steps);
    if (which == 3) add_up_block(steps);
}

static void make_mesh(int dimensions)
{
    int corners = 1 << dimensions, cell = 0, layers = dimensions == 3 ? side : 1, points = side + 1;
    n_points = points * points * (dimensions == 3 ? points : 1);
    n_cells = side * side * layers;
    n_corners = corners * n_cells;
    int *point = numbers(n_points), *number = numbers(n_cells);
    corner = malloc((size_t)n_corners * sizeof *corner);
    first = calloc((size_t)n_points + 2, sizeof *first);
    at_point = malloc((size_t)n_corners * sizeof *at_point);
    for (int i = 0; i < layers; i++)
        for (int j = 0; j < side; j++)
            for (int k = 0; k < side; k++, cell++)
                for (int c = 0; c < corners; c++)
                    corner[corners * number[cell] + c] =
                        point[((i + (c >> 2)) * points + j + (c >> 1 & 1)) * points + k + (c & 1)];
    for (int i = 0; i < n_corners; i++) first[corner[i] + 2]++;
    for (int p = 0; p < n_points; p++) first[p + 2] += first[p + 1];
    for (int i = 0; i < n_corners; i++) at_point[first[corner[i] + 1]++] = i;
    free(point);
    free(number);
}

static void make_matrix(void)
{
    n_points = n_cells = side * side;
    int *number = numbers(n_cells);
    column = malloc(5 * (size_t)n_cells * sizeof *column);
    value = malloc(5 * (size_t)n_cells * sizeof *value);
    r = malloc((size_t)n_cells * sizeof *r);
    q = malloc((size_t)n_cells * sizeof *q);
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            int row = number[i * side + j], beside[5] = {row, row, row, row, row};
            if (i > 0) beside[1] = number[(i - 1) * side + j];
            if (i < side - 1) beside[2] = number[(i + 1) * side + j];
            if (j > 0) beside[3] = number[i * side + j - 1];
            if (j < side - 1) beside[4] = number[i * side + j + 1];
            for (int k = 0; k < 5; k++) {
                column[5 * row + k] = beside[k];
                value[5 * row + k] = k == 0 ? 4.1 : beside[k] == row ? 0 : -1;
            }
        }
    free(number);
}

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    int which = atoi(argv[1]), steps = atoi(argv[3]);
    double sum = 0;
    side = atoi(argv[2]);
    random_numbers = atoi(argv[4]);
    if (which == 1)
        make_matrix();
    else
        make_mesh(which >= 2 ? 3 : 2);
    x = malloc((size_t)n_points * sizeof *x);
    v = malloc((size_t)n_points * sizeof *v);
    f = malloc((size_t)n_points * sizeof *f);
    energy = malloc((size_t)n_cells * sizeof *energy);
    for (int p = 0; p < n_points; p++) x[p] = which == 1 ? 0 : sin(p);
    for (int p = 0; p < n_points; p++) v[p] = which == 1 ? cos(p) : 0;
    for (int c = 0; c < n_cells; c++) energy[c] = 1;
    for (int c = 0; r && c < n_cells; c++) r[c] = v[c];
    kernel(which, steps);
    for (int p = 0; p < n_points; p++) sum += x[p];
    printf("%g\n", sum);
    return 0;
}
