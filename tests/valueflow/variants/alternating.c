/* Lines of a grid of N x N, along rows and then along columns, T times, solved in one buffer. The grid begins
 * with constants in the region: it is a field all the same. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 48 };
static double u[N][N], d[N];

static void solve(double *line, long step)
{
    d[0] = line[0] / 2;
    for (long i = 1; i < N; i++) d[i] = (line[i * step] + 0.5 * d[i - 1]) / 2;
    line[(N - 1) * step] = d[N - 1];
    for (long i = N - 2; i >= 0; i--) line[i * step] = d[i] - 0.5 * line[(i + 1) * step];
}

void kernel(long t)
{
    for (long i = 0; i < N; i++)
        for (long j = 0; j < N; j++) u[i][j] = (double)((i * N + j) * 7919 % 13);
    for (long k = 0; k < t; k++) {
        for (long i = 0; i < N; i++) solve(u[i], 1);
        for (long j = 0; j < N; j++) solve(&u[0][j], N);
    }
}

int main(int argc, char **argv)
{
    kernel(argc > 3 ? atol(argv[3]) : 10);
    printf("%.17g\n", u[3][3]);
    return 0;
}
