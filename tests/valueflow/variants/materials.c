/* Cells of several materials, each with a list of its cells, of which a new pressure is computed in an array
 * that is allocated for it: by themselves (0), or after five points of a plane of N x N (1). ARGUMENTS: way,
 * N, steps, materials. */
#include <stdio.h>
#include <stdlib.h>

static void find_pressures(double *p, const double *rho, const int *cells, int n)
{
    double *fresh = malloc((size_t)n * sizeof *fresh);
    if (!fresh) exit(1);
    for (int i = 0; i < n; i++) fresh[i] = 0.4 * rho[cells[i]] + 0.1 * p[cells[i]];
    for (int i = 0; i < n; i++) p[cells[i]] = fresh[i] < 0.1 ? 0.1 : fresh[i];
    free(fresh);
}

static void spread(double *rho, const double *p, int n)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int c = i * n + j;
            rho[c] += 0.1 * (p[c - 1] + p[c + 1] + p[c - n] + p[c + n] - 4 * p[c]);
        }
}

void kernel(int way, double *rho, double *p, int *const *cells, const int *lengths, int n, int steps,
            int lists)
{
    for (int t = 0; t < steps; t++) {
        if (way == 1) spread(rho, p, n);
        for (int m = 0; m < lists; m++) find_pressures(p, rho, cells[m], lengths[m]);
    }
}

int main(int argc, char **argv)
{
    if (argc != 5) return 2;
    int n = atoi(argv[2]), lists = atoi(argv[4]), words = n * n;
    double *rho = malloc((size_t)words * sizeof *rho), *p = malloc((size_t)words * sizeof *p);
    int **cells = malloc((size_t)lists * sizeof *cells), *lengths = calloc((size_t)lists, sizeof *lengths);
    if (!rho || !p || !cells || !lengths) return 1;
    for (int m = 0; m < lists; m++)
        if (!(cells[m] = malloc((size_t)words * sizeof **cells))) return 1;
    for (int c = 0; c < words; c++) {
        int m = c % lists;
        rho[c] = 1 + c % 7 * 0.1;
        p[c] = 0.3 + c % 5 * 0.1;
        cells[m][lengths[m]++] = c;
    }
    kernel(atoi(argv[1]), rho, p, cells, lengths, n, atoi(argv[3]), lists);
    printf("%.9g\n", p[words / 2] + rho[words / 2]);
    return 0;
}
