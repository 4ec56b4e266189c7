/* Numbers are divided by a norm of theirs in every step, which several variables come to, as libraries of
 * linear algebra write it: squares in four of them from 0 (0); from the first numbers, what four leave over
 * by two and then by one (1); where there are less than four, in two (2); the largest so (3), the smallest
 * (4); in two or one with the last number, which is known before, added without asking: their squares (5),
 * behind their sum (6), of one (7), the largest (8). Arguments: way, numbers, steps. */
#include <math.h>

#include "../kernels/kernel.h"

static double from_zero(const double *a, long n)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (long i = 0; i + 3 < n; i += 4) {
        s0 += a[i] * a[i];
        s1 += a[i + 1] * a[i + 1];
        s2 += a[i + 2] * a[i + 2];
        s3 += a[i + 3] * a[i + 3];
    }
    for (long i = n / 4 * 4; i < n; i++) s0 += a[i] * a[i];
    return sqrt((s0 + s1) + (s2 + s3));
}

#define SQUARE(a, b) ((a) + (b) * (b))
#define LARGER(a, b) ((b) > (a) ? (b) : (a))
#define LESS(a, b)   ((b) < (a) ? (b) : (a))

#define FROM_FIRST(NAME, FIRST, NEXT, JOIN)                                                                  \
    static double NAME(const double *a, long n)                                                              \
    {                                                                                                        \
        long fours = n / 4 * 4, twos = n / 2 * 2;                                                            \
        double s0 = FIRST(a[0]), s1 = FIRST(a[1]);                                                           \
        if (twos > 2) {                                                                                      \
            double s2 = FIRST(a[2]), s3 = FIRST(a[3]);                                                       \
            for (long i = 4; i < fours; i += 4) {                                                            \
                s0 = NEXT(s0, a[i]);                                                                         \
                s1 = NEXT(s1, a[i + 1]);                                                                     \
                s2 = NEXT(s2, a[i + 2]);                                                                     \
                s3 = NEXT(s3, a[i + 3]);                                                                     \
            }                                                                                                \
            s0 = JOIN(s0, s2);                                                                               \
            s1 = JOIN(s1, s3);                                                                               \
            if (twos > fours) {                                                                              \
                s0 = NEXT(s0, a[fours]);                                                                     \
                s1 = NEXT(s1, a[fours + 1]);                                                                 \
            }                                                                                                \
        }                                                                                                    \
        double s = JOIN(s0, s1);                                                                             \
        for (long i = twos; i < n; i++) s = NEXT(s, a[i]);                                                   \
        return s;                                                                                            \
    }
#define ITSELF(a) (a)
#define OWN(a)    ((a) * (a))
#define SUM(a, b) ((a) + (b))
FROM_FIRST(squares, OWN, SQUARE, SUM)
FROM_FIRST(largest, ITSELF, LARGER, LARGER)
FROM_FIRST(least, ITSELF, LESS, LESS)

static double in_two(const double *a, long n)
{
    double s0 = a[0] * a[0], s1 = a[1] * a[1];
    if (n > 2) {
        long twos = n / 2 * 2;
        for (long i = 2; i < twos; i += 2) {
            s0 += a[i] * a[i];
            s1 += a[i + 1] * a[i + 1];
        }
        if (n & 1) s0 += a[n - 1] * a[n - 1];
    }
    return s0 + s1;
}

static double last_to_one(const double *a, long n)
{
    double s0 = 0, s1 = 0, last = a[n - 1];
    for (long i = 0; i + 1 < n; i += 2) {
        s0 += a[i] * a[i];
        s1 += a[i + 1] * a[i + 1];
    }
    if (n & 1) s0 += last * last;
    return sqrt(s0 + s1);
}

static double last_to_both(const double *a, long n)
{
    double s0 = 0, s1 = 0, last = a[n - 1];
    for (long i = 0; i + 1 < n; i += 2) {
        s0 += a[i];
        s1 += a[i + 1];
    }
    double sum = s0 + s1;
    if (n & 1) sum += last;
    return sum;
}

static double last_alone(const double *a, long n)
{
    double sum = 0, last = a[n - 1];
    for (long i = 0; i < n - 1; i++) sum += a[i];
    if (n & 1) sum += last;
    return sum;
}

static double last_larger(const double *a, long n)
{
    double s0 = 0, s1 = 0, last = a[n - 1];
    for (long i = 0; i + 1 < n; i += 2) {
        s0 = LARGER(s0, a[i]);
        s1 = LARGER(s1, a[i + 1]);
    }
    if (n & 1) s0 = LARGER(s0, last);
    return LARGER(s0, s1);
}

void kernel(double *a, long n, long steps, long way)
{
    double (*const ways[])(const double *, long) = {from_zero,   squares,      in_two,     largest,    least,
                                                    last_to_one, last_to_both, last_alone, last_larger};
    for (long t = 0; t < steps; t++) {
        double norm = ways[way](a, n);
        for (long i = 0; i < n; i++) a[i] = a[i] / norm + 0.1;
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
