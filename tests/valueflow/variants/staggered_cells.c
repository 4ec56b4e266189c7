/* Waves on a staggered mesh in three dimensions: three speeds and a pressure of each cell, each mixed with
 * another one only, together (0) or in arrays of their own (1). ARGUMENTS: way, steps. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 12, FIELDS = 4 };
static double cell[N][N][N][FIELDS];
static double u[N][N][N], v[N][N][N], w[N][N][N], p[N][N][N];

static void together(void)
{
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++)
            for (int k = 1; k < N; k++) {
                cell[i][j][k][0] -= 0.1 * (cell[i][j][k][3] - cell[i - 1][j][k][3]);
                cell[i][j][k][1] -= 0.1 * (cell[i][j][k][3] - cell[i][j - 1][k][3]);
                cell[i][j][k][2] -= 0.1 * (cell[i][j][k][3] - cell[i][j][k - 1][3]);
            }
    for (int i = 0; i < N - 1; i++)
        for (int j = 0; j < N - 1; j++)
            for (int k = 0; k < N - 1; k++)
                cell[i][j][k][3] -= 0.1 * (cell[i + 1][j][k][0] - cell[i][j][k][0] + cell[i][j + 1][k][1] -
                                           cell[i][j][k][1] + cell[i][j][k + 1][2] - cell[i][j][k][2]);
}

static void apart(void)
{
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++)
            for (int k = 1; k < N; k++) {
                u[i][j][k] -= 0.1 * (p[i][j][k] - p[i - 1][j][k]);
                v[i][j][k] -= 0.1 * (p[i][j][k] - p[i][j - 1][k]);
                w[i][j][k] -= 0.1 * (p[i][j][k] - p[i][j][k - 1]);
            }
    for (int i = 0; i < N - 1; i++)
        for (int j = 0; j < N - 1; j++)
            for (int k = 0; k < N - 1; k++)
                p[i][j][k] -= 0.1 * (u[i + 1][j][k] - u[i][j][k] + v[i][j + 1][k] - v[i][j][k] +
                                     w[i][j][k + 1] - w[i][j][k]);
}

void kernel(int are_apart, int times)
{
    for (int t = 0; t < times; t++)
        if (are_apart)
            apart();
        else
            together();
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N * N * N; i++)
        cell[i / N / N][i / N % N][i % N][3] = p[i / N / N][i / N % N][i % N] = i % 17;
    kernel(argc > 1 ? atoi(argv[1]) : 0, argc > 2 ? atoi(argv[2]) : 3);
    printf("%.10g\n", cell[3][3][3][3] + p[3][3][3] + u[2][2][2] + v[2][2][2] + w[2][2][2]);
    return 0;
}
