/* How much what points have varies together, summed over all points. WAY 0: points in one block; 1: each
 * allocated by itself. ARGUMENTS: way, points, numbers of each. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16 };

void kernel(double **point, int n, int m, double (*sum)[MOST])
{
    for (int j = 0; j < m; j++)
        for (int k = 0; k <= j; k++)
            for (int i = 0; i < n; i++) sum[j][k] += point[i][j] * point[i][k];
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    int way = atoi(argv[1]), n = atoi(argv[2]), m = atoi(argv[3]);
    static double sum[MOST][MOST];
    double *block = malloc((size_t)n * (size_t)m * sizeof *block),
           **point = malloc((size_t)n * sizeof *point), all = 0;
    for (int i = 0; i < n; i++) {
        point[i] = way ? malloc((size_t)m * sizeof **point) : block + i * m;
        for (int j = 0; j < m; j++) point[i][j] = i * 7 % 11 + j * 13 % 5;
    }
    kernel(point, n, m, sum);
    for (int j = 0; j < m; j++)
        for (int k = 0; k <= j; k++) all += sum[j][k];
    printf("%g\n", all);
    return 0;
}
