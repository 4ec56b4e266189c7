/* lines_of_fields WAY N TIMES: five fields of a block are computed from their neighbours, and three of them
 * by elimination along lines, of which two elements read each other. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 12, FIELDS = 5, FEW = 3 };

static double u[N][N][N][FIELDS], r[N][N][N][FIELDS], w[N][N][N], l[N][N][FIELDS];

static void around(int k, int j, int i)
{
    for (int m = 0; m < FIELDS; m++)
        r[k][j][i][m] +=
            0.05 * (u[k - 1][j][i][m] + u[k + 1][j][i][m] + u[k][j - 1][i][m] + u[k][j + 1][i][m] +
                    u[k][j][i - 1][m] + u[k][j][i + 1][m] - 6 * u[k][j][i][m]);
}

/* Element `to` without what it has of element `from`. */
static void eliminate(int k, int j, int from, int to, int band)
{
    double f = l[j][to][band];
    l[j][to][band + 1] -= f * l[j][from][3];
    l[j][to][band + 2] -= f * l[j][from][4];
    for (int m = 0; m < FEW; m++) r[k][j][to][m] -= f * r[k][j][from][m];
}

static void solve_line(int k, int j)
{
    for (int i = 0; i < N - 2; i++) {
        double f = 1 / l[j][i][2];
        l[j][i][3] *= f;
        l[j][i][4] *= f;
        for (int m = 0; m < FEW; m++) r[k][j][i][m] *= f;
        eliminate(k, j, i, i + 1, 1);
        eliminate(k, j, i, i + 2, 0);
    }
    for (int i = N - 3; i >= 0; i--)
        for (int m = 0; m < FEW; m++)
            r[k][j][i][m] -= l[j][i][3] * r[k][j][i + 1][m] + l[j][i][4] * r[k][j][i + 2][m];
}

static void solve_plane(int k)
{
    for (int j = 1; j < N - 1; j++)
        for (int i = 0; i < N; i++) {
            l[j][i][0] = l[j][i][4] = 0.01;
            l[j][i][1] = l[j][i][3] = i && i < N - 1 ? 0.1 * w[k][j][i - 1] - 0.05 * w[k][j][i + 1] : 0;
            l[j][i][2] = 1 + 0.2 * w[k][j][i];
        }
    for (int j = 1; j < N - 1; j++) solve_line(k, j);
}

static void add(int k, int j, int i)
{
    for (int m = 0; m < FIELDS; m++) u[k][j][i][m] += 0.01 * r[k][j][i][m];
}

static void kernel(int n_times)
{
    for (int t = 0; t < n_times; t++) {
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    w[k][j][i] = 1 / u[k][j][i][0];
                    for (int m = 0; m < FIELDS; m++) r[k][j][i][m] = 0.01 * u[k][j][i][m];
                }
        for (int k = 1; k < N - 1; k++)
            for (int j = 1; j < N - 1; j++)
                for (int i = 1; i < N - 1; i++) around(k, j, i);
        for (int k = 1; k < N - 1; k++) solve_plane(k);
        for (int k = 1; k < N - 1; k++)
            for (int j = 1; j < N - 1; j++)
                for (int i = 1; i < N - 1; i++) add(k, j, i);
    }
}

int main(int argc, char **argv)
{
    if (argc < 4 || atoi(argv[2]) != N) return 2;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                w[k][j][i] = 1;
                for (int m = 0; m < FIELDS; m++) u[k][j][i][m] = (k * 5 + j * 3 + i * 7 + m) % 9 + 1;
            }
    kernel(atoi(argv[3]));
    printf("%.12g\n", u[N / 2][N / 2][N / 2][1]);
    return 0;
}
