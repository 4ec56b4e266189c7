/* Arrays that are declared as tiles: a seven-point sweep over 12^3 words in tiles of 4^3, and a product of
 * matrices of 24^2 in tiles of 4^2. Argument: which. */
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 12, T = 4, STEPS = 4, N = 24 };

static double u[SIDE / T][SIDE / T][SIDE / T][T][T][T], v[SIDE / T][SIDE / T][SIDE / T][T][T][T];
static double a[N / T][N / T][T][T], b[N / T][N / T][T][T], c[N / T][N / T][T][T];

#define U(x, i, j, k) x[(i) / T][(j) / T][(k) / T][(i) % T][(j) % T][(k) % T]

static void sweep(void)
{
    for (int i = 1; i < SIDE - 1; i++)
        for (int j = 1; j < SIDE - 1; j++)
            for (int k = 1; k < SIDE - 1; k++)
                U(v, i, j, k) =
                    0.1 * (U(u, i, j, k) + U(u, i - 1, j, k) + U(u, i + 1, j, k) + U(u, i, j - 1, k) +
                           U(u, i, j + 1, k) + U(u, i, j, k - 1) + U(u, i, j, k + 1));
    for (int i = 1; i < SIDE - 1; i++)
        for (int j = 1; j < SIDE - 1; j++)
            for (int k = 1; k < SIDE - 1; k++) U(u, i, j, k) = U(v, i, j, k);
}

static void multiply_tiles(int row, int column, int between)
{
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++)
            for (int k = 0; k < T; k++)
                c[row][column][i][j] += a[row][between][i][k] * b[between][column][k][j];
}

void kernel(int which)
{
    for (int s = 0; which == 0 && s < STEPS; s++) sweep();
    for (int row = 0; which == 1 && row < N / T; row++)
        for (int column = 0; column < N / T; column++)
            for (int between = 0; between < N / T; between++) multiply_tiles(row, column, between);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) (&u[0][0][0][0][0][0])[i] = i * 7919 % 13;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) (&v[0][0][0][0][0][0])[i] = i * 7919 % 13;
    for (int i = 0; i < N * N; i++) (&a[0][0][0][0])[i] = (&b[0][0][0][0])[i] = i * 31 % 17;
    kernel(atoi(argv[1]));
    printf("%.17g\n", U(u, 5, 5, 5) + c[1][1][1][1]);
    return 0;
}
