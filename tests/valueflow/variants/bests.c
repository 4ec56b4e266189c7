/* Numbers go on with the largest of all and its place, in every step: both in one variable each (0), in two
 * (1), in two by number and then by place (2), in four, with what is left over (3), from zero (4), in an
 * array (5); the place alone in one (6) and in two (7); the least in two, of which what is computed is chosen
 * (8); each half in a loop (9). Arguments: way, numbers, steps. */
#include "../kernels/kernel.h"

static double of(double largest, long place)
{
    return largest + 0.1 * (double)place;
}

static double in_one(const double *a, long n)
{
    double m = a[0];
    long p = 0;
    for (long i = 1; i < n; i++)
        if (a[i] > m) m = a[i], p = i;
    return of(m, p);
}

static double in_two(const double *a, long n)
{
    double m0 = a[0], m1 = a[1];
    long p0 = 0, p1 = 1;
    for (long i = 2; i + 1 < n; i += 2) {
        if (a[i] > m0) m0 = a[i], p0 = i;
        if (a[i + 1] > m1) m1 = a[i + 1], p1 = i + 1;
    }
    if (n & 1 && a[n - 1] > m0) m0 = a[n - 1], p0 = n - 1;
    if (m1 > m0) m0 = m1, p0 = p1;
    return of(m0, p0);
}

static double by_place(const double *a, long n)
{
    double m0 = a[0], m1 = a[1];
    long p0 = 0, p1 = 1, i = 2;
    for (; i + 1 < n; i += 2) {
        if (a[i] > m0) m0 = a[i], p0 = i;
        if (a[i + 1] > m1) m1 = a[i + 1], p1 = i + 1;
    }
    for (; i < n; i++)
        if (a[i] > m0) m0 = a[i], p0 = i;
    if (m1 > m0 || (m1 == m0 && p1 < p0)) m0 = m1, p0 = p1;
    return of(m0, p0);
}

#define IN_FOUR(NAME, FIRST, START)                                                                          \
    static double NAME(const double *a, long n)                                                              \
    {                                                                                                        \
        double m0 = FIRST(0), m1 = FIRST(1), m2 = FIRST(2), m3 = FIRST(3);                                   \
        long p0 = 0, p1 = 1, p2 = 2, p3 = 3, i = START;                                                      \
        for (; i + 3 < n; i += 4) {                                                                          \
            if (a[i] > m0) m0 = a[i], p0 = i;                                                                \
            if (a[i + 1] > m1) m1 = a[i + 1], p1 = i + 1;                                                    \
            if (a[i + 2] > m2) m2 = a[i + 2], p2 = i + 2;                                                    \
            if (a[i + 3] > m3) m3 = a[i + 3], p3 = i + 3;                                                    \
        }                                                                                                    \
        for (; i < n; i++)                                                                                   \
            if (a[i] > m0) m0 = a[i], p0 = i;                                                                \
        if (m1 > m0) m0 = m1, p0 = p1;                                                                       \
        if (m3 > m2) m2 = m3, p2 = p3;                                                                       \
        if (m2 > m0) m0 = m2, p0 = p2;                                                                       \
        return of(m0, p0);                                                                                   \
    }
#define ITSELF(i) a[i]
#define ZERO(i)   0
IN_FOUR(in_four, ITSELF, 4)
IN_FOUR(from_zero, ZERO, 0)

static double in_array(const double *a, long n)
{
    double m[4];
    long p[4], i;
    for (int q = 0; q < 4; q++) m[q] = a[q], p[q] = q;
    for (i = 4; i + 3 < n; i += 4)
        for (int q = 0; q < 4; q++)
            if (a[i + q] > m[q]) m[q] = a[i + q], p[q] = i + q;
    for (; i < n; i++)
        if (a[i] > m[0]) m[0] = a[i], p[0] = i;
    for (int q = 1; q < 4; q++)
        if (m[q] > m[0]) m[0] = m[q], p[0] = p[q];
    return of(m[0], p[0]);
}

static double place_in_one(const double *a, long n)
{
    long p = 0;
    for (long i = 1; i < n; i++)
        if (a[i] > a[p]) p = i;
    return of(a[p], p);
}

static double place_in_two(const double *a, long n)
{
    long p0 = 0, p1 = 1, i = 2;
    for (; i + 1 < n; i += 2) {
        if (a[i] > a[p0]) p0 = i;
        if (a[i + 1] > a[p1]) p1 = i + 1;
    }
    for (; i < n; i++)
        if (a[i] > a[p0]) p0 = i;
    if (a[p1] > a[p0]) p0 = p1;
    return of(a[p0], p0);
}

static double computed(const double *a, long n)
{
    double m0 = 1e9, m1 = 1e9;
    int p0 = -1, p1 = -1;
    for (int i = 0; i + 1 < n; i += 2) {
        if (a[i] < m0) m0 = a[i], p0 = i;
        if (a[i + 1] < m1) m1 = a[i + 1], p1 = i + 1;
    }
    return m0 <= m1 ? of(m0, p0) : of(m1, p1);
}

static double halves(const double *a, long n)
{
    long half = n / 2, p0 = 0, p1 = half;
    double m0 = a[0], m1 = a[half];
    for (long i = 1; i < half; i++)
        if (a[i] > m0) m0 = a[i], p0 = i;
    for (long i = half + 1; i < n; i++)
        if (a[i] > m1) m1 = a[i], p1 = i;
    return of(m0 >= m1 ? m0 : m1, m0 >= m1 ? p0 : p1);
}

void kernel(double *a, long n, long steps, long way)
{
    double (*const ways[])(const double *, long) = {in_one,   in_two,       by_place,     in_four,  from_zero,
                                                    in_array, place_in_one, place_in_two, computed, halves};
    for (long t = 0; t < steps; t++) {
        double best = ways[way](a, n);
        for (long i = 0; i < n; i++) {
            double next = 13.7 * a[i] + 0.3 / best;
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
