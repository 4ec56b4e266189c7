/* Each row of N x N numbers that never change times another factor in each of T steps, then products of what
 * stands above and below: computed in place (0), or in a line that is copied, of a static array (1), of the
 * stack (2), of the heap (3), of structures (4), or in a few numbers at a time on the heap (5). What lies at
 * a border is another value in each step. ARGUMENTS: way, N, T. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64, FEW = 4 };

struct pair {
    double value, factor;
};

static long n;
static double fixed[MOST];
static struct pair pairs[MOST];

__attribute__((noinline)) static void scale(double *to, const double *from, long many, double factor)
{
    for (long j = 0; j < many; j++) to[j] = factor * from[j];
}

__attribute__((noinline)) static void copy(double *to, const double *from, long many)
{
    for (long j = 0; j < many; j++) to[j] = from[j];
}

static void on_the_stack(double *to, const double *from, double factor)
{
    double line[n];
    scale(line, from, n, factor);
    copy(to, line, n);
}

static void on_the_heap(double *to, const double *from, long many, double factor)
{
    double *line = malloc((size_t)many * sizeof *line);
    if (!line) abort();
    scale(line, from, many, factor);
    copy(to, line, many);
    free(line);
}

static void in_structures(double *to, const double *from, double factor)
{
    for (long j = 0; j < n; j++) pairs[j] = (struct pair){factor * from[j], factor};
    for (long j = 0; j < n; j++) to[j] = pairs[j].value;
}

static void row(int way, double *to, const double *from, double factor)
{
    if (way == 0) scale(to, from, n, factor);
    if (way == 1) {
        scale(fixed, from, n, factor);
        copy(to, fixed, n);
    }
    if (way == 2) on_the_stack(to, from, factor);
    if (way == 3) on_the_heap(to, from, n, factor);
    if (way == 4) in_structures(to, from, factor);
    for (long j = 0; way == 5 && j < n; j += FEW) on_the_heap(to + j, from + j, FEW, factor);
}

void kernel(int way, const double *x, double *y, double *z, int times)
{
    for (int t = 1; t <= times; t++) {
        for (long i = 0; i < n; i++) row(way, y + i * n, x + i * n, t);
        for (long i = 1; i < n - 1; i++)
            for (long j = 0; j < n; j++) z[i * n + j] += y[(i - 1) * n + j] * y[(i + 1) * n + j];
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, times = argc > 3 ? atoi(argv[3]) : 4;
    n = argc > 2 ? atol(argv[2]) : 32;
    if (n < 2 || n > MOST || n % FEW) return 1;
    double *x = malloc((size_t)(n * n) * sizeof *x), *y = calloc((size_t)(n * n), sizeof *y),
           *z = calloc((size_t)(n * n), sizeof *z), sum = 0;
    if (!x || !y || !z) return 1;
    for (long i = 0; i < n * n; i++) x[i] = (double)(i % 7);
    kernel(way, x, y, z, times);
    for (long i = 0; i < n * n; i++) sum += z[i] * (double)(i % 3);
    printf("%g\n", sum);
    free(x);
    free(y);
    free(z);
    return 0;
}
