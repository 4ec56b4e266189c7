/* The three-point sweep with vectors of which some lanes are loaded and stored (0) or that are gathered (1),
 * and an inner product that ends with sums across lanes (2); the largest word in lanes, by an intrinsic (3)
 * or in assembly (4). Arguments: which, words, steps. */
#include "../kernels/kernel.h"

#ifdef __x86_64__
#include <immintrin.h>

#define MACHINE __attribute__((target("avx2")))

MACHINE static void masked(const double *u, double *v, int n)
{
    for (int i = 1; i <= n; i += 4) {
        __m256i lanes = _mm256_setr_epi64x(0, 1, 2, 3);
        __m256i mask = _mm256_cmpgt_epi64(_mm256_set1_epi64x(n + 1 - i), lanes);
        __m256d around =
            _mm256_add_pd(_mm256_maskload_pd(u + i - 1, mask), _mm256_maskload_pd(u + i + 1, mask));
        __m256d own = _mm256_mul_pd(_mm256_set1_pd(2), _mm256_maskload_pd(u + i, mask));
        _mm256_maskstore_pd(v + i, mask, _mm256_mul_pd(_mm256_set1_pd(0.25), _mm256_add_pd(own, around)));
    }
}

MACHINE static void gathered(const double *u, double *v, const int *left, const int *right, int n)
{
    for (int i = 1; i <= n; i += 4) {
        __m128i from = _mm_loadu_si128((const __m128i *)(left + i)),
                to = _mm_loadu_si128((const __m128i *)(right + i));
        __m256d around = _mm256_add_pd(_mm256_i32gather_pd(u, from, 8), _mm256_i32gather_pd(u, to, 8));
        _mm256_storeu_pd(v + i, _mm256_mul_pd(_mm256_set1_pd(0.25), _mm256_add_pd(around, around)));
    }
}

MACHINE static double across(const double *u, const double *v, int n)
{
    __m256d sum = _mm256_setzero_pd();
    for (int i = 0; i < n; i += 4)
        sum = _mm256_add_pd(sum, _mm256_mul_pd(_mm256_loadu_pd(u + i), _mm256_loadu_pd(v + i)));
    __m128d half = _mm_add_pd(_mm256_castpd256_pd128(sum), _mm256_extractf128_pd(sum, 1));
    return _mm_cvtsd_f64(_mm_hadd_pd(half, half));
}

MACHINE static double largest(const double *u, int n)
{
    __m256d most = _mm256_loadu_pd(u);
    for (int i = 4; i < n; i += 4) most = _mm256_max_pd(most, _mm256_loadu_pd(u + i));
    __m128d half = _mm_max_pd(_mm256_castpd256_pd128(most), _mm256_extractf128_pd(most, 1));
    return _mm_cvtsd_f64(_mm_max_pd(half, _mm_unpackhi_pd(half, half)));
}

MACHINE static __m128d larger(__m128d a, __m128d b)
{
    __asm__("maxpd %[b], %[a]" : [a] "+x"(a) : [b] "x"(b));
    return a;
}

MACHINE static double largest_in_assembly(const double *u, int n)
{
    __m128d most = _mm_loadu_pd(u);
    for (int i = 2; i < n; i += 2) most = larger(_mm_loadu_pd(u + i), most);
    return _mm_cvtsd_f64(larger(most, _mm_unpackhi_pd(most, most)));
}

static double product;

void kernel(double *u, double *v, const int *left, const int *right, int n, long steps, long which)
{
    for (long s = 0; s < steps && which < 2; s++) {
        if (which == 0)
            masked(u, v, n);
        else
            gathered(u, v, left, right, n);
        double *swap = u;
        u = v;
        v = swap;
    }
    if (which == 2) product = across(u + 1, v + 1, n);
    if (which == 3) product = largest(u + 1, n);
    if (which == 4) product = largest_in_assembly(u + 1, n);
}

int main(int argc, char **argv)
{
    long which = argument(argc, argv, 1), n = argument(argc, argv, 2);
    double *u = filled(n + 2), *v = filled(n + 2);
    int *left = malloc((size_t)(n + 2) * sizeof *left), *right = malloc((size_t)(n + 2) * sizeof *right);
    if (!left || !right) return 1;
    for (int i = 1; i <= n; i++) {
        left[i] = i - 1;
        right[i] = i + 1;
    }
    kernel(u, v, left, right, (int)n, argument(argc, argv, 3), which);
    printf("%g %g\n", u[n / 2], product);
    return 0;
}
#else
int main(void)
{
    return 0;
}
#endif
