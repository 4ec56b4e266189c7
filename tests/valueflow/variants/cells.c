/* Forces of atoms on those in their cell and in the cells around it, each pair once; hardly two cells next to
 * each other have as many. Arguments: ignored, cells in a row, rows. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 8, LEAST = 2, NEAR = 5 };
static const int near[NEAR][2] = {{0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};

static int nx, ny, *count;
static double *x, *y, *fx, *fy;

static void act(int i, int j)
{
    double rx = x[i] - x[j], ry = y[i] - y[j], g = 1 / (1 + rx * rx + ry * ry);
    fx[i] += g * rx;
    fy[i] += g * ry;
    fx[j] -= g * rx;
    fy[j] -= g * ry;
}

static void act_between(int c, int d)
{
    for (int i = c * MOST; i < c * MOST + count[c]; i++)
        for (int j = c == d ? i + 1 : d * MOST; j < d * MOST + count[d]; j++) act(i, j);
}

void kernel(void)
{
    for (int i = 0; i < nx * ny * MOST; i++) fx[i] = fy[i] = 0;
    for (int b = 0; b < ny; b++)
        for (int a = 0; a < nx; a++)
            for (int k = 0; k < NEAR; k++) {
                int a2 = a + near[k][0], b2 = b + near[k][1];
                if (a2 >= 0 && a2 < nx && b2 < ny) act_between(b * nx + a, b2 * nx + a2);
            }
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    nx = atoi(argv[2]), ny = atoi(argv[3]);
    int n = nx * ny;
    double sum = 0;
    count = malloc((size_t)n * sizeof *count);
    x = calloc((size_t)n * MOST, sizeof *x), y = calloc((size_t)n * MOST, sizeof *y);
    fx = calloc((size_t)n * MOST, sizeof *fx), fy = calloc((size_t)n * MOST, sizeof *fy);
    for (int c = 0; c < n; c++) count[c] = LEAST + c * 7919 % 13 % 6;
    for (int i = 0; i < n * MOST; i++) {
        int column = i / MOST % nx, row = i / MOST / nx;
        x[i] = column + i * 37 % 101 / 101.0;
        y[i] = row + i * 53 % 103 / 103.0;
    }
    kernel();
    for (int i = 0; i < n * MOST; i++) sum += fx[i] + fy[i];
    printf("%g\n", sum);
    free(count), free(x), free(y), free(fx), free(fy);
    return 0;
}
