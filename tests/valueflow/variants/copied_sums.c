/* N x N elements of four corners: products with the mean of an element, and fluxes through its sides, are
 * added up in a small array that is copied (WAY 0), or where they belong (1). What the elements begin with is
 * a formula, so that the first sums have no source. ARGUMENTS: way, N, steps. */
#include <stdio.h>
#include <stdlib.h>

enum { CORNERS = 4, SIDES = 4 };

typedef double element[CORNERS];

static const int here[SIDES][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}},
                 there[SIDES][2] = {{2, 3}, {0, 1}, {1, 3}, {0, 2}};

static void add_fluxes(double *sum, const element *u, int e, const int *beside)
{
    double mean = 0.25 * (u[e][0] + u[e][1] + u[e][2] + u[e][3]);
    for (int k = 0; k < CORNERS; k++) sum[k] = mean * u[e][k];
    for (int f = 0; f < SIDES; f++)
        for (int q = 0; beside[f] >= 0 && q < 2; q++) {
            double own = u[e][here[f][q]], other = u[beside[f]][there[f][q]];
            sum[here[f][q]] += 0.5 * (own * own + other * other) - own * (other - own);
        }
}

static void find_rates(int way, const element *u, element *rate, int n)
{
    for (int e = 0; e < n * n; e++) {
        int i = e / n, j = e % n;
        int beside[SIDES] = {i ? e - n : -1, i + 1 < n ? e + n : -1, j ? e - 1 : -1, j + 1 < n ? e + 1 : -1};
        double sum[CORNERS];
        add_fluxes(way ? rate[e] : sum, u, e, beside);
        for (int k = 0; !way && k < CORNERS; k++) rate[e][k] = sum[k];
    }
}

void kernel(int way, element *u, element *rate, int n, int steps)
{
    for (int e = 0; e < n * n; e++)
        for (int k = 0; k < CORNERS; k++) u[e][k] = 1 + (e * CORNERS + k) % 7;
    for (int t = 0; t < steps; t++) {
        find_rates(way, u, rate, n);
        for (int e = 0; e < n * n; e++)
            for (int k = 0; k < CORNERS; k++) u[e][k] += 1e-3 * rate[e][k];
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int n = atoi(argv[2]);
    element *u = malloc((size_t)(n * n) * sizeof *u), *rate = malloc((size_t)(n * n) * sizeof *rate);
    if (!u || !rate) return 1;
    kernel(atoi(argv[1]), u, rate, n, atoi(argv[3]));
    printf("%.10g\n", u[n * n / 2][0]);
    free(u);
    free(rate);
    return 0;
}
