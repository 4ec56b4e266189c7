/* Square matrices that become triangles: L D L' by rows of a factor that is multiplied in a workspace (0);
 * rows that rotations mix with the first one that is left (1). ARGUMENTS: way. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 20 };
static double a[N][N], d[N];

static void factors(void)
{
    for (int j = 0; j < N; j++) {
        double v[N], s = a[j][j];
        for (int k = 0; k < j; k++) v[k] = a[j][k] * d[k];
        for (int k = 0; k < j; k++) s -= a[j][k] * v[k];
        d[j] = s;
        for (int i = j + 1; i < N; i++) {
            double t = a[i][j];
            for (int k = 0; k < j; k++) t -= a[i][k] * v[k];
            a[i][j] = t / s;
        }
    }
}

static void rotations(void)
{
    for (int j = 0; j < N; j++)
        for (int i = j + 1; i < N; i++) {
            double x = a[j][j], y = a[i][j], r = sqrt(x * x + y * y), c = x / r, s = y / r;
            for (int k = j; k < N; k++) {
                double u = a[j][k], v = a[i][k];
                a[j][k] = c * u + s * v;
                a[i][k] = c * v - s * u;
            }
        }
}

void kernel(int way)
{
    if (way)
        rotations();
    else
        factors();
}

int main(int argc, char **argv)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i][j] = i == j ? N + i : 1. / (1 + i + j);
    kernel(argc > 1 ? atoi(argv[1]) : 0);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) sum += a[i][j] + d[i];
    printf("%.10g\n", sum);
    return 0;
}
