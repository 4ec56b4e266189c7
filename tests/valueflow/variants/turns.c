/* Every number of a line is made better by itself, twenty times as often in the first half of it as in the
 * second; then each is put together with the one before. WAY: what it is computed further from: itself
 * (0), itself and another register (1), itself by division (2), by addition alone (3), a number in memory,
 * too (4). ARGUMENTS: way, length, steps. */
#include <stdio.h>
#include <stdlib.h>

#include "parcast/region.h"

static double improve(int way, const double *u, int turns)
{
    double x = *u, y = 0;
    if (way == 0)
        for (int k = 0; k < turns; k++) x = 3.5 * x * (1 - x);
    else if (way == 1)
        for (int k = 0; k < turns; k++) {
            double z = x * x - y * y + 0.1;
            y = 2 * x * y + 0.2;
            x = z;
        }
    else if (way == 2)
        for (int k = 0; k < turns; k++) x = 0.5 * (x + 2.0 / x);
    else if (way == 3)
        for (int k = 0; k < turns; k++) x = (x + 0.5) - 0.75;
    else
        for (int k = 0; k < turns; k++) x = 0.5 * (x + *u / x);
    return x + y;
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int way = atoi(argv[1]), n = atoi(argv[2]), steps = atoi(argv[3]);
    double *u = malloc((size_t)n * sizeof *u), *v = malloc((size_t)n * sizeof *v), sum = 0;
    if (!u || !v) return 1;
    for (int i = 0; i < n; i++) u[i] = 0.1 + 0.5 * i / n;
    parcast_region_begin();
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) v[i] = improve(way, u + i, 2 * i < n ? 40 : 2);
        for (int i = 0; i < n; i++) u[i] = 0.5 * (v[i] + v[i ? i - 1 : 0]);
    }
    parcast_region_end();
    for (int i = 0; i < n; i++) sum += u[i];
    printf("%.9g\n", sum);
    return 0;
}
