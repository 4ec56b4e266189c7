/* margins WAY N TIMES: a relaxation between two planes (WAY 3: blocks) that do not begin where their memory
 * does, or do not end there: one word before them, one behind them, eight before them. */
#include <stdio.h>
#include <stdlib.h>

static double *make(long n, int way)
{
    static const size_t before[] = {1, 0, 8, 8}, behind[] = {0, 1, 0, 0};
    size_t words = before[way] + (size_t)n + behind[way];
    double *memory = malloc(words * sizeof *memory);
    if (!memory) exit(1);
    return memory + before[way];
}

static void plane(double *restrict to, const double *restrict from, long n)
{
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < n - 1; j++)
            to[i * n + j] = 0.25 * (from[(i - 1) * n + j] + from[(i + 1) * n + j] + from[i * n + j - 1] +
                                    from[i * n + j + 1]);
}

static void block(double *restrict to, const double *restrict from, long n)
{
    long m = n * n;
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < n - 1; j++)
            for (long k = 1; k < n - 1; k++) {
                long at = i * m + j * n + k;
                to[at] = 0.125 * (from[at - m] + from[at + m] + from[at - n] + from[at + n] + from[at - 1] +
                                  from[at + 1]);
            }
}

static void kernel(double *u, double *v, long n, int times, int way)
{
    for (int t = 0; t < times; t++) {
        (way == 3 ? block : plane)(v, u, n);
        (way == 3 ? block : plane)(u, v, n);
    }
}

int main(int argc, char **argv)
{
    int way = argc > 1 ? atoi(argv[1]) : 0, times = argc > 3 ? atoi(argv[3]) : 3;
    long n = argc > 2 ? atol(argv[2]) : 16, words = way == 3 ? n * n * n : n * n;
    double *u = make(words, way), *v = make(words, way);
    for (long i = 0; i < words; i++) u[i] = v[i] = (double)(i % 7);
    kernel(u, v, n, times, way);
    printf("%.17g\n", u[words / 2 + 1]);
}
