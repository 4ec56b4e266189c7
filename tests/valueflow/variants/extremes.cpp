// The smallest and the largest of N numbers, by place: both searches first, then both numbers; in one search;
// by index.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

extern "C" void kernel(int variant, const double *x, double *out, long n)
{
    if (variant == 0) {
        const double *least = std::min_element(x, x + n), *most = std::max_element(x, x + n);
        out[0] = *least;
        out[1] = *most;
    } else if (variant == 1) {
        auto both = std::minmax_element(x, x + n);
        out[0] = *both.first;
        out[1] = *both.second;
    } else {
        long least = 0, most = 0;
        for (long i = 1; i < n; i++)
            if (x[i] < x[least]) least = i;
        for (long i = 1; i < n; i++)
            if (x[i] > x[most]) most = i;
        out[0] = x[least];
        out[1] = x[most];
    }
}

int main(int argc, char **argv)
{
    int variant = argc > 1 ? atoi(argv[1]) : 0;
    long n = argc > 2 ? atol(argv[2]) : 1024;
    double *x = (double *)malloc((size_t)n * sizeof *x), *out = (double *)calloc(2, sizeof *out);
    if (!x || !out) return 1;
    for (long i = 0; i < n; i++) x[i] = 0.1 * (double)(i * 377 % 1021);
    kernel(variant, x, out, n);
    printf("%g %g\n", out[0], out[1]);
    free(x);
    free(out);
    return 0;
}
