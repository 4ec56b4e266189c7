/* x = x / 2 + y / 10, y the least of x, or of its roots, up to two words away. WAY: how it is found; 0: by a
 * choice; 1: its place is noted as well; 2: the root is computed again where it is taken, 3: by a macro; 4:
 * behind a guard, with its place. ARGUMENTS: WAY N STEPS. */
#include "../kernels/kernel.h"
#include "parcast/region.h"
#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
enum { REACH = 2, FAR = 1000 };

static int *place;
static const char *counts;

static double least(const double *x, long low, long high, long i)
{
    double best = FAR;
    (void)i;
    for (long j = low; j < high; j++) best = x[j] < best ? x[j] : best;
    return best;
}

static double least_with_place(const double *x, long low, long high, long i)
{
    double best = FAR;
    for (long j = low; j < high; j++)
        if (x[j] < best) {
            best = x[j];
            place[i] = (int)j;
        }
    return best;
}

static double least_root(const double *x, long low, long high, long i)
{
    double best = FAR;
    (void)i;
    for (long j = low; j < high; j++)
        if (sqrt(x[j]) < best) best = sqrt(x[j]);
    return best;
}

static double least_by_macro(const double *x, long low, long high, long i)
{
    double best = FAR;
    (void)i;
    for (long j = low; j < high; j++) best = SMALLER(sqrt(x[j]), best);
    return best;
}

static double least_guarded(const double *x, long low, long high, long i)
{
    double best = FAR;
    for (long j = low; j < high; j++)
        if (counts[j] && x[j] < best) {
            best = x[j];
            place[i] = (int)j;
        }
    return best;
}

typedef double finder(const double *x, long low, long high, long i);

static inline __attribute__((always_inline)) void find(finder *f, double *y, const double *x, long n)
{
    for (long i = 0; i < n; i++) y[i] = f(x, i < REACH ? 0 : i - REACH, i + REACH < n ? i + REACH + 1 : n, i);
}

static void step(int way, double *y, const double *x, long n)
{
    if (way == 0) find(least, y, x, n);
    if (way == 1) find(least_with_place, y, x, n);
    if (way == 2) find(least_root, y, x, n);
    if (way == 3) find(least_by_macro, y, x, n);
    if (way == 4) find(least_guarded, y, x, n);
}

int main(int argc, char **argv)
{
    int way = (int)argument(argc, argv, 1);
    long n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *x = filled(n), *y = filled(n);
    char *all = malloc((size_t)n);
    place = calloc((size_t)n, sizeof *place);
    if (!place || !all) return 1;
    memset(all, 1, (size_t)n);
    counts = all;
    parcast_region_begin();
    for (long t = 0; t < steps; t++) {
        step(way, y, x, n);
        for (long i = 0; i < n; i++) x[i] = 0.5 * x[i] + 0.1 * y[i];
    }
    parcast_region_end();
    printf("%g %d\n", x[n / 2], place[n / 2]);
    return 0;
}
