/* Numbers go on with what all of them have come to, in every step, which is tuned by hand: how many are above
 * a limit, counted in one variable (0) and in two (1); whether one is above another limit, as a constant that
 * a function returns (2), the other way round (3); the largest magnitude, in two variables (4); the largest,
 * four at once by intrinsics (5), two at once by comparisons (6); squares in four variables, what is left
 * over by a `switch` that goes from case to case (7); numbers so (8), and a `switch` into the loop (9);
 * products of magnitudes (10) and bits (11) in two variables; how numbers are spread, of their sum and that
 * of their squares, in one variable each (12) and in two (13). Arguments: way, numbers, steps. */
#include <math.h>

#include "../kernels/kernel.h"

static double counted(const double *a, long n)
{
    long count = 0;
    for (long i = 0; i < n; i++) count += a[i] > 1.2;
    return 1.0 + count;
}

static double counted_in_two(const double *a, long n)
{
    long even = 0, odd = 0;
    for (long i = 0; i + 1 < n; i += 2) {
        even += a[i] > 1.2;
        if (a[i + 1] > 1.2) odd++;
    }
    if (n & 1) even += a[n - 1] > 1.2;
    return 1.0 + even + odd;
}

static double any(const double *a, long n)
{
    int any = 0;
    for (long i = 0; i < n; i++) any |= a[i] > 1.9;
    return any ? 2 : 3;
}

static double all(const double *a, long n)
{
    int all = 1;
    for (long i = 0; i < n; i++)
        if (a[i] > 1.9) all = 0;
    return all ? 2.5 : 3;
}

static double magnitudes(const double *a, long n)
{
    double even = 0, odd = 0;
    for (long i = 0; i + 1 < n; i += 2) {
        even = fmax(even, fabs(a[i]));
        odd = fmax(odd, fabs(a[i + 1]));
    }
    if (n & 1) even = fmax(even, fabs(a[n - 1]));
    return fmax(even, odd);
}

static double largest_of_four(const double *a, long n)
{
    double s = a[0];
    for (long i = 0; i + 3 < n; i += 4) s = fmax(s, fmax(fmax(a[i], a[i + 1]), fmax(a[i + 2], a[i + 3])));
    for (long i = n / 4 * 4; i < n; i++) s = fmax(s, a[i]);
    return s;
}

static double largest_of_two(const double *a, long n)
{
    double s = a[0];
    for (long i = 0; i + 1 < n; i += 2) {
        double x = a[i] > a[i + 1] ? a[i] : a[i + 1];
        if (x > s) s = x;
    }
    if ((n & 1) && a[n - 1] > s) s = a[n - 1];
    return s;
}

#define BY_SWITCH(NAME, TERM)                                                                                \
    static double NAME(const double *a, long n)                                                              \
    {                                                                                                        \
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0;                                                               \
        long i = 0;                                                                                          \
        for (; i + 3 < n; i += 4) {                                                                          \
            s0 += TERM(a[i]);                                                                                \
            s1 += TERM(a[i + 1]);                                                                            \
            s2 += TERM(a[i + 2]);                                                                            \
            s3 += TERM(a[i + 3]);                                                                            \
        }                                                                                                    \
        switch (n - i) {                                                                                     \
        case 3:                                                                                              \
            s2 += TERM(a[i + 2]); /* fall through */                                                         \
        case 2:                                                                                              \
            s1 += TERM(a[i + 1]); /* fall through */                                                         \
        case 1:                                                                                              \
            s0 += TERM(a[i]);                                                                                \
        }                                                                                                    \
        return (s0 + s1) + (s2 + s3);                                                                        \
    }
#define SQUARE(a) ((a) * (a))
#define ITSELF(a) (a)
BY_SWITCH(squares, SQUARE)
BY_SWITCH(sums, ITSELF)

static double into_the_loop(const double *a, long n)
{
    double s = 0;
    long turns = (n + 3) / 4;
    switch (n % 4) {
    case 0:
        do {
            s += *a++; /* fall through */
        case 3:
            s += *a++; /* fall through */
        case 2:
            s += *a++; /* fall through */
        case 1:
            s += *a++;
        } while (--turns > 0);
    }
    return s;
}

static double product(const double *a, long n)
{
    double even = 1, odd = 1;
    for (long i = 0; i + 1 < n; i += 2) {
        even *= fabs(a[i]);
        odd *= fabs(a[i + 1]);
    }
    if (n & 1) even *= fabs(a[n - 1]);
    return 1 + log(even * odd);
}

static double bits(const double *a, long n)
{
    unsigned even = 0, odd = 0;
    for (long i = 0; i + 1 < n; i += 2) {
        even ^= (unsigned)(1000 * a[i]);
        odd ^= (unsigned)(1000 * a[i + 1]);
    }
    if (n & 1) even ^= (unsigned)(1000 * a[n - 1]);
    return 1.0 + (even ^ odd);
}

static double spread(const double *a, long n)
{
    double sum = 0, squares = 0;
    for (long i = 0; i < n; i++) {
        sum += a[i];
        squares += a[i] * a[i];
    }
    double mean = sum / n;
    return squares / n - mean * mean;
}

static double spread_in_two(const double *a, long n)
{
    double sums[2] = {0, 0}, squares[2] = {0, 0};
    for (long i = 0; i + 1 < n; i += 2)
        for (int k = 0; k < 2; k++) {
            sums[k] += a[i + k];
            squares[k] += a[i + k] * a[i + k];
        }
    if (n & 1) {
        sums[0] += a[n - 1];
        squares[0] += a[n - 1] * a[n - 1];
    }
    double mean = (sums[0] + sums[1]) / n;
    return (squares[0] + squares[1]) / n - mean * mean;
}

void kernel(double *a, long n, long steps, long way)
{
    double (*const ways[])(const double *, long) = {
        counted, counted_in_two, any,           all,     magnitudes, largest_of_four, largest_of_two,
        squares, sums,           into_the_loop, product, bits,       spread,          spread_in_two};
    for (long t = 0; t < steps; t++) {
        double all_of_them = ways[way](a, n);
        for (long i = 0; i < n; i++) {
            double next = 13.7 * a[i] + 0.3 / all_of_them;
            a[i] = next - floor(next) + 1;
        }
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2);
    double *a = filled(n);
    for (long i = 0; i < n; i++) a[i] += 1;
    kernel(a, n, argument(argc, argv, 3), way);
    printf("%.9g\n", a[0] + a[n - 1]);
    return 0;
}
