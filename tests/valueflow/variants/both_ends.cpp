/* Numbers go on with the least and the largest of all, in every step: one by one (0), by what the library
 * finds at once (1), two that are compared first (2), and are exchanged (3), with their places (4); with the
 * quotient of two sums that are added up in a pair (5), and with a sum of products, four at a time, of whole
 * numbers (6). Arguments: way, numbers, steps. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <utility>

static double one_by_one(const double *a, long n)
{
    double lo = a[0], hi = a[0];
    for (long i = 1; i < n; i++) {
        if (a[i] < lo) lo = a[i];
        if (a[i] > hi) hi = a[i];
    }
    return hi + 0.1 * lo;
}

static double at_once(const double *a, long n)
{
    auto found = std::minmax_element(a, a + n);
    return *found.second + 0.1 * *found.first;
}

static double compared_first(const double *a, long n)
{
    double lo = a[0], hi = a[0];
    for (long i = 0; i + 1 < n; i += 2) {
        double x = a[i], y = a[i + 1];
        if (x < y) {
            if (x < lo) lo = x;
            if (y > hi) hi = y;
        } else {
            if (y < lo) lo = y;
            if (x > hi) hi = x;
        }
    }
    return hi + 0.1 * lo;
}

static double exchanged(const double *a, long n)
{
    double lo = a[0], hi = a[0];
    for (long i = 0; i + 1 < n; i += 2) {
        double x = a[i], y = a[i + 1];
        if (x > y) std::swap(x, y);
        lo = std::min(lo, x);
        hi = std::max(hi, y);
    }
    return hi + 0.1 * lo;
}

static double places(const double *a, long n)
{
    auto found = std::minmax_element(a, a + n);
    return 1 + 0.1 * (found.second - a) + 0.01 * (found.first - a);
}

static double quotient(const double *a, long n)
{
    auto add = [](std::pair<double, double> s, double x) {
        return std::make_pair(s.first + x, s.second + x * x);
    };
    auto sums = std::accumulate(a, a + n, std::make_pair(0.0, 0.0), add);
    return sums.second / sums.first;
}

static double of_whole_numbers(const double *a, long n)
{
    return std::transform_reduce(a, a + n, 1.0, std::plus<>(), [](double x) { return (int)(99 * x); });
}

extern "C" void kernel(double *a, long n, long steps, int way)
{
    double (*const ways[])(const double *, long) = {one_by_one, at_once,  compared_first,  exchanged,
                                                    places,     quotient, of_whole_numbers};
    for (long t = 0; t < steps; t++) {
        double answer = ways[way](a, n);
        for (long i = 0; i < n; i++) {
            double next = 13.7 * a[i] + 0.3 / answer;
            a[i] = next - std::floor(next) + 1;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    long n = atol(argv[2]);
    double *a = (double *)malloc((size_t)n * sizeof *a);
    if (!a) return 1;
    for (long i = 0; i < n; i++) a[i] = 1 + (double)(i * 7919 % 1009) / 1009;
    kernel(a, n, atol(argv[3]), atoi(argv[1]));
    printf("%.9g\n", a[0] + a[n - 1]);
    free(a);
    return 0;
}
