/* The first steps pass through one array, the others through another one, which the first step writes, too:
 * what was computed before it repeats is not what is computed from then on. */
#include <stdio.h>
#include <stdlib.h>

enum { EARLY = 3 };

static void step(double *now, double *next, int n)
{
    for (int i = 1; i < n - 1; i++) next[i] = 0.5 * (now[i - 1] + now[i + 1]);
    for (int i = 1; i < n - 1; i++) now[i] = next[i];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100, steps = argc > 2 ? atoi(argv[2]) : 10;
    double *now = malloc(sizeof *now * (size_t)n), *early = calloc((size_t)n, sizeof *early),
           *late = calloc((size_t)n, sizeof *late);
    if (!now || !early || !late) return 1;
    for (int i = 0; i < n; i++) now[i] = (double)i * i;
    for (int s = 0; s < steps; s++) {
        if (s == 0) step(now, late, n);
        step(now, s < EARLY ? early : late, n);
    }
    printf("%g\n", now[n / 2]);
    free(now);
    free(early);
    free(late);
    return 0;
}
