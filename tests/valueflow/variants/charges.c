/* The potential of charges that end at a distance, on a lattice: each charge adds to the points around it
 * (0), each point goes through all charges (1). ARGUMENTS: way, points along a side, charges. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct charge {
    double x, y, z, q;
};

static const double reach = 4;

static double potential(const struct charge *c, double square)
{
    double smooth = 1 - square / (reach * reach);
    return c->q / sqrt(square + 0.1) * smooth * smooth;
}

static double square_of(const struct charge *c, int i, int j, int k)
{
    double x = c->x - i, y = c->y - j, z = c->z - k;
    return x * x + y * y + z * z;
}

static int at_least(double x)
{
    return x < reach ? 0 : (int)(x - reach);
}

static int at_most(double x, int n)
{
    return x + reach > n - 1 ? n - 1 : (int)(x + reach);
}

static void add(double *lattice, int n, const struct charge *c)
{
    for (int i = at_least(c->x); i <= at_most(c->x, n); i++)
        for (int j = at_least(c->y); j <= at_most(c->y, n); j++)
            for (int k = at_least(c->z); k <= at_most(c->z, n); k++) {
                double square = square_of(c, i, j, k);
                if (square < reach * reach) lattice[(i * n + j) * n + k] += potential(c, square);
            }
}

static double sum_at(const struct charge *c, int charges, int i, int j, int k)
{
    double sum = 0;
    for (int a = 0; a < charges; a++) {
        double square = square_of(&c[a], i, j, k);
        if (square < reach * reach) sum += potential(&c[a], square);
    }
    return sum;
}

void kernel(int way, double *lattice, int n, const struct charge *c, int charges)
{
    for (int a = 0; way == 0 && a < charges; a++) add(lattice, n, &c[a]);
    for (int i = 0; way == 1 && i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) lattice[(i * n + j) * n + k] = sum_at(c, charges, i, j, k);
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 16,
        charges = argc > 3 ? atoi(argv[3]) : 200;
    double *lattice = calloc((size_t)n * (size_t)n * (size_t)n, sizeof *lattice), sum = 0;
    struct charge *c = malloc((size_t)charges * sizeof *c);
    if (!lattice || !c) return 1;
    for (int a = 0; a < charges; a++) {
        c[a].x = (a * 7919 % 1009) * n / 1009.0;
        c[a].y = (a * 104729 % 1013) * n / 1013.0;
        c[a].z = (a * 1299709 % 1019) * n / 1019.0;
        c[a].q = a % 2 ? 1 : -0.5;
    }
    kernel(way, lattice, n, c, charges);
    for (int i = 0; i < n * n * n; i++) sum += lattice[i] * (i % 7);
    printf("%.10g\n", sum);
    free(lattice);
    free(c);
    return 0;
}
