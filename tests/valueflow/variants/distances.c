/* Particles on a line that push their neighbours away: a force along the distance, of which the square is a
 * sum over three dimensions. ARGUMENTS: way, particles, steps. Ways: 0 the sum where the differences are
 * computed, 1 in a loop of its own, 2 written out, 3 in a function, 4 backwards, 5 on a ring. */
#include <stdio.h>
#include <stdlib.h>

enum { D = 3, MOST = 256, HALF = 1000 };

static double x[MOST][D], force[MOST][D];

static double square(const double *d)
{
    double sum = 0;
    for (int k = 0; k < D; k++) sum += d[k] * d[k];
    return sum;
}

static double at_once(const double *a, const double *b, double *d)
{
    double r2 = 0;
    for (int k = 0; k < D; k++) {
        d[k] = b[k] - a[k];
        r2 += d[k] * d[k];
    }
    return r2;
}

static double around_a_ring(const double *a, const double *b, double *d)
{
    double r2 = 0;
    for (int k = 0; k < D; k++) {
        d[k] = b[k] - a[k];
        if (d[k] > HALF)
            d[k] -= 2 * HALF;
        else if (d[k] < -HALF)
            d[k] += 2 * HALF;
        r2 += d[k] * d[k];
    }
    return r2;
}

static double distance(int way, const double *a, const double *b, double *d)
{
    double r2 = 0;
    if (way == 0) return at_once(a, b, d);
    if (way == 5) return around_a_ring(a, b, d);
    for (int k = 0; k < D; k++) d[k] = b[k] - a[k];
    if (way == 1)
        for (int k = 0; k < D; k++) r2 += d[k] * d[k];
    else if (way == 2)
        r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    else if (way == 3)
        r2 = square(d);
    else
        for (int k = D; k-- > 0;) r2 += d[k] * d[k];
    return r2;
}

void kernel(int way, int n, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++) {
            double d[D], push = 1 / (1 + distance(way, x[i - 1], x[i], d));
            for (int k = 0; k < D; k++) {
                force[i][k] += push * d[k];
                force[i - 1][k] -= push * d[k];
            }
        }
        for (int i = 0; i < n; i++)
            for (int k = 0; k < D; k++) {
                x[i][k] += 0.01 * force[i][k];
                force[i][k] *= 0.5;
            }
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int way = atoi(argv[1]), n = atoi(argv[2]), steps = atoi(argv[3]);
    if (n < 2 || n > MOST) return 2;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < D; k++) x[i][k] = i + 0.1 * k;
    kernel(way, n, steps);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i][0];
    printf("%.12g\n", sum);
    return 0;
}
