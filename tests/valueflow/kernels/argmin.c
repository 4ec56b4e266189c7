/* The shortest time step over a list of elements: the least of values that are guarded, and where it is. */
#include "kernel.h"

static void least(const double *s, const double *v, const int *list, long n, double *step)
{
    double found[1], shortest = *step;
    int where[1], element = -1;
    for (long i = 0; i < n; i++) {
        int k = list[i];
        double one = s[k] * s[k];
        if (v[k] < 0) one += 2 * v[k] * v[k];
        one = 1 / sqrt(one);
        if (v[k] != 0) {
            if (one < shortest) {
                shortest = one;
                element = k;
            }
        }
    }
    found[0] = shortest;
    where[0] = element;
    if (where[0] != -1) *step = found[0];
}

void kernel(double *s, double *v, const int *list, double *step, long n, long t)
{
    for (long k = 0; k < t; k++) {
        *step = 1e20;
        least(s, v, list, n, step);
        for (long i = 0; i < n; i++) {
            s[i] = s[i] + *step * v[i];
            v[i] = 0.5 * v[i] + 0.25 * s[i] * *step;
        }
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2);
    double *s = filled(n), *v = filled(n), step[1] = {0};
    int *list = malloc((size_t)n * sizeof *list);
    if (!list) return 1;
    for (long i = 0; i < n; i++) list[i] = (int)i;
    kernel(s, v, list, step, n, t);
    printf("%g\n", s[n / 2]);
    return 0;
}
