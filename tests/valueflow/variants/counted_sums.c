/* Two sums for each key, or one in copies of the bins: 0 numbers and their squares, 1 numbers and how many
 * there are, 2 two numbers of each, 3 numbers in a copy on the heap, 4 on the stack. WAY N BINS. */
#include "../kernels/kernel.h"

static void add_copy(double *sum, const double *copy, long bins)
{
    for (long b = 0; b < bins; b++) sum[b] += copy[b];
}

static void on_the_heap(double *sum, const int *key, const double *x, long n, long bins)
{
    double *copy = calloc((size_t)bins, sizeof *copy);
    if (!copy) exit(1);
    for (long i = 0; i < n; i++) copy[key[i]] += x[i];
    add_copy(sum, copy, bins);
    free(copy);
}

static void on_the_stack(double *sum, const int *key, const double *x, long n, long bins)
{
    double copy[bins];
    memset(copy, 0, sizeof copy);
    for (long i = 0; i < n; i++) copy[key[i]] += x[i];
    add_copy(sum, copy, bins);
}

void kernel(double *sum, int *count, const int *key, const double *x, const double *y, long n, long bins,
            long way)
{
    for (long i = 0; i < n && way < 3; i++) {
        sum[key[i]] += x[i];
        if (way == 0) sum[bins + key[i]] += x[i] * x[i];
        if (way == 1) count[key[i]]++;
        if (way == 2) sum[bins + key[i]] += y[i];
    }
    if (way == 3) on_the_heap(sum, key, x, n, bins);
    if (way == 4) on_the_stack(sum, key, x, n, bins);
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2), bins = argument(argc, argv, 3);
    double *x = filled(n), *y = filled(n), *sum = calloc((size_t)(2 * bins), sizeof *sum);
    int *count = calloc((size_t)bins, sizeof *count), *key = malloc((size_t)n * sizeof *key);
    if (!sum || !count || !key) return 1;
    for (long i = 0; i < n; i++) key[i] = (int)(y[i * 17 % n] * 0.98 * (double)bins);
    kernel(sum, count, key, x, y, n, bins, way);
    printf("%g %d\n", sum[0], count[0]);
    return 0;
}
