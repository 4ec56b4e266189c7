/* inner N STEPS: a rod, in each step swept 1 to 5 times from left to right, another number of times in each.
 */
#include <parcast/region.h>
#include <stdio.h>
#include <stdlib.h>

static void sweep(double *u, int n)
{
    for (int i = 1; i <= n; i++) u[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    double *u = calloc((size_t)n + 2, sizeof *u);
    if (!u) return 1;
    for (int i = 1; i <= n; i++) u[i] = i % 17 * 0.01;
    parcast_region_begin();
    for (int k = 0; k < steps; k++) {
        int sweeps = 1 + (int)(k * 7919L % 97 % 5);
        for (int s = 0; s < sweeps; s++) sweep(u, n);
    }
    parcast_region_end();
    printf("%g\n", u[n / 2]);
    free(u);
    return 0;
}
