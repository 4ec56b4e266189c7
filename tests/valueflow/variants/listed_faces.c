/* ROWS x COLUMNS cells with a list of the faces between them, those of all rows first, then those between
 * these: in every step the fluxes through all faces are computed and kept, and then added to what each cell
 * gets (0), or to the cells (1). Arguments: which, rows, columns, steps. */
#include "../kernels/kernel.h"

struct face {
    int left, right;
    double area;
};

static long list_faces(struct face *faces, long rows, long columns)
{
    long n = 0;
    for (long c = 0; c < rows * columns; c++)
        if (c % columns < columns - 1) faces[n++] = (struct face){(int)c, (int)c + 1, 0.1};
    for (long c = 0; c < (rows - 1) * columns; c++)
        faces[n++] = (struct face){(int)c, (int)(c + columns), 0.1};
    for (long k = 0; k < n; k++) faces[k].area += 0.01 * (double)(k % 5);
    return n;
}

__attribute__((noinline)) static void kernel(const struct face *faces, double *u, double *flux, double *gain,
                                             long n_faces, long n_cells, long steps)
{
    for (long t = 0; t < steps; t++) {
        for (long k = 0; k < n_faces; k++) flux[k] = faces[k].area * (u[faces[k].left] - u[faces[k].right]);
        for (long k = 0; k < n_faces; k++) {
            gain[faces[k].left] -= flux[k];
            gain[faces[k].right] += flux[k];
        }
        for (long c = 0; c < n_cells && gain != u; c++) {
            u[c] += gain[c];
            gain[c] = 0;
        }
    }
}

int main(int argc, char **argv)
{
    long rows = argument(argc, argv, 2), columns = argument(argc, argv, 3), n = rows * columns;
    struct face *faces = malloc(2 * (size_t)n * sizeof *faces);
    double *u = filled(n), *gain = calloc((size_t)n, sizeof *gain), sum = 0;
    if (!faces || !gain) return 1;
    long n_faces = list_faces(faces, rows, columns);
    double *flux = filled(n_faces);
    kernel(faces, u, flux, argument(argc, argv, 1) ? u : gain, n_faces, n, argument(argc, argv, 4));
    for (long c = 0; c < n; c++) sum += u[c] * (double)(c % 7);
    printf("%.9g\n", sum);
    return 0;
}
