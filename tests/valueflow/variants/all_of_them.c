/* Numbers go on with whether all, or any, of them keep to a limit, in every step, asked in one variable (0),
 * in two that are put together by `&&` (1) and by `&` (2), the other way round by `||` (3), in four with what
 * is left over (4), by branches (5), as a number (6); where each is only asked for while all have kept to it
 * (7); in lanes of SSE, any (8) and all (9), and their largest (10); in bits of lanes, any (11) and how many
 * (12); by a test of lanes (13). Arguments: way, numbers, steps. */
#include <immintrin.h>
#include <stdbool.h>

#include "../kernels/kernel.h"

#define IS_LESS(x) ((x) < 1.95)

static double in_one(const double *a, long n)
{
    int ok = 1;
    for (long i = 0; i < n; i++) ok &= IS_LESS(a[i]);
    return ok ? 2 : 3;
}

#define IN_TWO(NAME, BOTH)                                                                                   \
    static double NAME(const double *a, long n)                                                              \
    {                                                                                                        \
        int ok0 = 1, ok1 = 1;                                                                                \
        for (long i = 0; i + 1 < n; i += 2) {                                                                \
            ok0 &= IS_LESS(a[i]);                                                                            \
            ok1 &= IS_LESS(a[i + 1]);                                                                        \
        }                                                                                                    \
        return BOTH;                                                                                         \
    }
IN_TWO(in_two, ok0 &&ok1 ? 2 : 3)
IN_TWO(by_bits, ok0 &ok1 ? 2 : 3)
IN_TWO(as_number, 1.5 + (ok0 && ok1))

static double any(const double *a, long n)
{
    int any0 = 0, any1 = 0;
    for (long i = 0; i + 1 < n; i += 2) {
        any0 |= !IS_LESS(a[i]);
        any1 |= !IS_LESS(a[i + 1]);
    }
    return any0 || any1 ? 2 : 3;
}

static double in_four(const double *a, long n)
{
    int any0 = 0, any1 = 0, any2 = 0, any3 = 0;
    long i = 0;
    for (; i + 3 < n; i += 4) {
        any0 |= !IS_LESS(a[i]);
        any1 |= !IS_LESS(a[i + 1]);
        any2 |= !IS_LESS(a[i + 2]);
        any3 |= !IS_LESS(a[i + 3]);
    }
    for (; i < n; i++) any0 |= !IS_LESS(a[i]);
    if (any0 || any1 || any2 || any3) return 2;
    return 3;
}

static double by_branches(const double *a, long n)
{
    int any0 = 0, any1 = 0;
    for (long i = 0; i + 1 < n; i += 2) {
        if (!IS_LESS(a[i])) any0 = 1;
        if (!IS_LESS(a[i + 1])) any1 = 1;
    }
    return any0 || any1 ? 2 : 3;
}

/* None is as large as 2, so that all are asked for. */
static double while_all_are(const double *a, long n)
{
    bool ok0 = true, ok1 = true;
    for (long i = 0; i + 1 < n; i += 2) {
        ok0 = ok0 && a[i] < 2.5;
        ok1 = ok1 && a[i + 1] < 2.5;
    }
    bool ok = ok0 && ok1;
    return ok ? 2 : 3;
}

static double any_lane(const double *a, long n)
{
    __m128d any = _mm_setzero_pd(), limit = _mm_set1_pd(1.95);
    for (long i = 0; i + 1 < n; i += 2) any = _mm_or_pd(any, _mm_cmpgt_pd(_mm_loadu_pd(a + i), limit));
    return _mm_movemask_pd(any) ? 2 : 3;
}

static double all_lanes(const double *a, long n)
{
    __m128d all = _mm_castsi128_pd(_mm_set1_epi32(-1)), limit = _mm_set1_pd(1.95);
    for (long i = 0; i + 1 < n; i += 2) all = _mm_and_pd(all, _mm_cmplt_pd(_mm_loadu_pd(a + i), limit));
    return _mm_movemask_pd(all) == 3 ? 2 : 3;
}

static double largest_lane(const double *a, long n)
{
    __m128d m = _mm_loadu_pd(a);
    for (long i = 2; i + 1 < n; i += 2) m = _mm_max_pd(m, _mm_loadu_pd(a + i));
    return _mm_cvtsd_f64(_mm_max_sd(m, _mm_unpackhi_pd(m, m)));
}

static double any_bit(const double *a, long n)
{
    int any = 0;
    for (long i = 0; i + 1 < n; i += 2)
        any |= _mm_movemask_pd(_mm_cmpgt_pd(_mm_loadu_pd(a + i), _mm_set1_pd(1.95)));
    return any ? 2 : 3;
}

static double bits(const double *a, long n)
{
    long count = 0;
    for (long i = 0; i + 1 < n; i += 2)
        count += __builtin_popcount(
            (unsigned)_mm_movemask_pd(_mm_cmpgt_pd(_mm_loadu_pd(a + i), _mm_set1_pd(1.95))));
    return 1.0 + (double)count;
}

__attribute__((target("sse4.1"))) static double tested(const double *a, long n)
{
    __m128d any = _mm_setzero_pd(), limit = _mm_set1_pd(1.95);
    for (long i = 0; i + 1 < n; i += 2) any = _mm_or_pd(any, _mm_cmpgt_pd(_mm_loadu_pd(a + i), limit));
    return _mm_testz_si128(_mm_castpd_si128(any), _mm_castpd_si128(any)) ? 2 : 3;
}

void kernel(double *a, long n, long steps, long way)
{
    double (*const ways[])(const double *, long) = {
        in_one,        in_two,   by_bits,   any,          in_four, by_branches, as_number,
        while_all_are, any_lane, all_lanes, largest_lane, any_bit, bits,        tested};
    for (long t = 0; t < steps; t++) {
        double answer = ways[way](a, n);
        for (long i = 0; i < n; i++) {
            double next = 13.7 * a[i] + 0.3 / answer;
            a[i] = next - floor(next) + 1;
        }
    }
}

int main(int argc, char **argv)
{
    long way = argument(argc, argv, 1), n = argument(argc, argv, 2);
    double *a = filled(n);
    for (long i = 0; i < n; i++) a[i] += 1 - 0.01;
    kernel(a, n, argument(argc, argv, 3), way);
    printf("%.9g\n", a[0] + a[n - 1]);
    return 0;
}
