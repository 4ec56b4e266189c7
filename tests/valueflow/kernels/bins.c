/* Histograms whose bins functions add to: which bin it is they are told by a pointer to it, or by its number.
 * ARGUMENTS: WAY N STEPS. */
#include "kernel.h"

#define EACH  for (long i = 0; i < n; i++)
#define APART static __attribute__((noinline)) void
enum { BINS = 5 };

struct bin {
    double mean, sum;
    int count;
} bins[BINS];
static int counts[BINS];
static double sums[BINS], all[BINS];

APART count(int *bin)
{
    (*bin)++;
}

APART count_in(struct bin *bin)
{
    bin->count++;
}

APART count_of(int *table, double x)
{
    count(&table[(int)(x * 4.9)]);
}

APART add(double *bin, double x)
{
    *bin += x;
}

APART add_at(double *table, int k, double x)
{
    table[k] += x;
}

APART add_if(double *bin, double x)
{
    if (x > -1) add(bin, x);
}

APART keep_largest(double *bin, double x)
{
    if (x > *bin) *bin = x;
}

static __attribute__((noinline)) int *find(int *table, double x)
{
    int k = 0;
    while (k < BINS - 1 && x * 4.9 >= k + 1) k++;
    return &table[k];
}

static __attribute__((noinline)) int number(double x)
{
    for (int k = 0; k < BINS; k++)
        if (x * 4.9 < k + 1) return k;
    return BINS - 1;
}

static void (*volatile by_pointer)(int *) = count;

#define BIN (int)(x[i] * 4.9)

static void fill(const double *x, long n, long way)
{
    if (way == 0) EACH count(&counts[BIN]);
    if (way == 1) EACH count_in(&bins[BIN]);
    if (way == 2) EACH count_of(counts, x[i]);
    if (way == 3) EACH by_pointer(&counts[BIN]);
    if (way == 4) EACH add(&sums[BIN], x[i]);
    if (way == 5) EACH add_at(sums, BIN, x[i]);
    if (way == 6) EACH add_if(&sums[BIN], x[i]);
    if (way == 7) EACH keep_largest(&sums[BIN], x[i]);
    if (way == 8) EACH count(&counts[x[i] < 0.2 ? 0 : x[i] < 0.4 ? 1 : x[i] < 0.6 ? 2 : x[i] < 0.8 ? 3 : 4]);
    if (way == 9) EACH++ *find(counts, x[i]);
    if (way == 10) EACH count(&counts[number(x[i])]);
}

void kernel(double *x, long n, long steps, long way)
{
    for (long t = 0; t < steps; t++) {
        memset(bins, 0, sizeof bins);
        memset(counts, 0, sizeof counts);
        memset(sums, 0, sizeof sums);
        fill(x, n, way);
        for (int k = 0; k < BINS; k++) all[k] += sums[k] + counts[k] + bins[k].count;
        EACH x[i] *= 0.99;
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), steps = argument(argc, argv, 3);
    double *x = filled(n);
    kernel(x, n, steps, way);
    printf("%g %g\n", x[n / 2], all[2]);
    return 0;
}
