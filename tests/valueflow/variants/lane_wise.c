/* Three-point sweeps with vectors whose lanes are blended (0), subtracted and added in turn (1), so with a
 * product (2), rounded (3), and inverted, in singles (4, 5); an inner product that one instruction adds up
 * (6) and the largest word, blended (7); all words go by the largest one and its place, lanes of both being
 * blended and looked through behind the loop (8). Arguments: which, words, steps. */
#include "../kernels/kernel.h"

#ifdef __x86_64__
#include <immintrin.h>

#define MACHINE __attribute__((target("avx2,fma")))

struct lines {
    double *u, *v;
    float *f, *g;
};

MACHINE static __m256d sweep_of(__m256d left, __m256d own, __m256d right, long which)
{
    __m256d sum = _mm256_mul_pd(_mm256_add_pd(left, right), _mm256_set1_pd(0.25));
    if (which == 0) return _mm256_blendv_pd(left, right, _mm256_cmp_pd(left, right, _CMP_LT_OQ));
    if (which == 1) return _mm256_addsub_pd(own, sum);
    if (which == 2) return _mm256_fmaddsub_pd(own, _mm256_set1_pd(0.5), sum);
    __m256d difference = _mm256_sub_pd(left, right);
    return _mm256_add_pd(own, _mm256_sub_pd(difference, _mm256_round_pd(difference, 8)));
}

MACHINE static void sweep(struct lines *l, int n, long which)
{
    for (int i = 1; i <= n; i += 4) {
        __m256d left = _mm256_loadu_pd(l->u + i - 1), right = _mm256_loadu_pd(l->u + i + 1);
        _mm256_storeu_pd(l->v + i, sweep_of(left, _mm256_loadu_pd(l->u + i), right, which));
    }
    double *swap = l->u;
    l->u = l->v;
    l->v = swap;
}

MACHINE static void sweep_in_singles(struct lines *l, int n, long which)
{
    for (int i = 1; i <= n; i += 4) {
        __m128 sum = _mm_add_ps(_mm_loadu_ps(l->f + i - 1), _mm_loadu_ps(l->f + i + 1));
        _mm_storeu_ps(l->g + i, which == 4 ? _mm_rsqrt_ps(sum) : _mm_rcp_ps(sum));
    }
    float *swap = l->f;
    l->f = l->g;
    l->g = swap;
}

MACHINE static double squares(const float *f, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i += 4) {
        __m128 x = _mm_loadu_ps(f + i);
        sum += _mm_cvtss_f32(_mm_dp_ps(x, x, 0xf1));
    }
    return (double)sum;
}

MACHINE static double largest(const double *u, int n)
{
    __m128d most = _mm_loadu_pd(u);
    for (int i = 2; i < n; i += 2) {
        __m128d x = _mm_loadu_pd(u + i);
        most = _mm_blendv_pd(most, x, _mm_cmpgt_pd(x, most));
    }
    __m128d other = _mm_unpackhi_pd(most, most);
    return _mm_cvtsd_f64(_mm_blendv_pd(most, other, _mm_cmpgt_pd(other, most)));
}

MACHINE static void go_by_largest(double *u, int n)
{
    __m256d most = _mm256_loadu_pd(u), place = _mm256_set_pd(3, 2, 1, 0), at = place;
    double lanes[4], places[4];
    for (int i = 4; i + 4 <= n; i += 4) {
        at = _mm256_add_pd(at, _mm256_set1_pd(4));
        __m256d x = _mm256_loadu_pd(u + i), is_more = _mm256_cmp_pd(x, most, _CMP_GT_OQ);
        most = _mm256_blendv_pd(most, x, is_more);
        place = _mm256_blendv_pd(place, at, is_more);
    }
    _mm256_storeu_pd(lanes, most);
    _mm256_storeu_pd(places, place);
    double largest = lanes[0], found = places[0];
    for (int i = 1; i < 4; i++)
        if (lanes[i] > largest) {
            largest = lanes[i];
            found = places[i];
        }
    for (int i = n / 4 * 4; i < n; i++)
        if (u[i] > largest) {
            largest = u[i];
            found = i;
        }
    for (int i = 0; i < n; i++) u[i] = 0.5 * u[i] / largest + 0.001 * found;
}

static double result;

void kernel(struct lines *l, int n, long steps, long which)
{
    for (long s = 0; s < steps && which == 8; s++) go_by_largest(l->u + 1, n);
    for (long s = 0; s < steps && which < 6; s++) {
        if (which < 4)
            sweep(l, n, which);
        else
            sweep_in_singles(l, n, which);
    }
    if (which == 6) result = squares(l->f + 1, n);
    if (which == 7) result = largest(l->u + 1, n);
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2);
    struct lines l = {filled(n + 2), filled(n + 2), malloc((size_t)(n + 2) * sizeof *l.f),
                      malloc((size_t)(n + 2) * sizeof *l.g)};
    double sum = 0;
    if (!l.f || !l.g) return 1;
    for (long i = 0; i < n + 2; i++) l.f[i] = l.g[i] = (float)l.u[i];
    kernel(&l, (int)n, argument(argc, argv, 3), which);
    for (long i = 0; i < n + 2; i++) sum += l.u[i] * (double)(i & 3) + (double)l.f[i] * (double)(i & 1);
    printf("%.9g %.9g\n", sum, result);
    return 0;
}
#else
int main(void)
{
    return 0;
}
#endif
