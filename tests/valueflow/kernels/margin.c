/* A copy whose ends are made 0, n times along a line where every word is asked for its place: by an argument,
 * -DMEMBER by what a structure holds, -DVARIABLE by a variable of the file, -DEVERY every so many. */
#include "kernel.h"

struct line {
    long n, every;
};

#ifdef VARIABLE
static long length;
#endif

void kernel(struct line *line, double *u, double *copy, double *slope, long n, long t)
{
    for (long k = 0; k < t; k++) {
        for (long i = 0; i < n; i++) copy[i] = u[i];
        for (long i = 0; i < n; i++) {
#ifdef MEMBER
            if (i == 0 || i == line->n - 1) copy[i] = 0;
#elif defined VARIABLE
            if (i == 0 || i == length - 1) copy[i] = 0;
#elif defined EVERY
            long place = i % line->every;
            if (place == 0 || place == line->every - 1) copy[i] = 0;
#else
            if (i == 0 || i == n - 1) copy[i] = 0;
#endif
        }
        for (long i = 0; i < n - 1; i++) slope[i] = (u[i + 1] - u[i]) * (copy[i + 1] + copy[i]);
        for (long i = 0; i < n; i++) u[i] = copy[i] + 0.1 * slope[i];
    }
}

int main(int argc, char **argv)
{
    long n = argument(argc, argv, 1), t = argument(argc, argv, 2);
    struct line *line = malloc(sizeof *line);
    double *u = filled(n), *copy = filled(n), *slope = filled(n);
    if (!line) return 1;
    line->n = n;
    line->every = n / 2 + 7;
#ifdef VARIABLE
    length = n;
#endif
    kernel(line, u, copy, slope, n, t);
    printf("%g\n", u[n / 2]);
    return 0;
}
