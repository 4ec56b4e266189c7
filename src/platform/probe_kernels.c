#include "platform/probe_kernels.h"

void kernel_triad(double *restrict a, const double *restrict b, const double *restrict c, double s, size_t n)
{
    for (size_t i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}

/* Twelve accumulators hide the latency of the multiply-add on all cores we know of and fit 16 registers. */
#define CHAINS 12
#define MULTIPLY_ADD(name, attribute, bytes)                                                                 \
    typedef double name##_vector __attribute__((vector_size(bytes)));                                        \
    attribute static double name(/* NOLINT(bugprone-macro-parentheses) */ long turns, double *sum)           \
    {                                                                                                        \
        enum { LANES = (bytes) / 8 };                                                                        \
        name##_vector x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, factor, addend;                      \
        for (int i = 0; i < LANES; i++) {                                                                    \
            factor[i] = 0.999999;                                                                            \
            addend[i] = 1e-6 * (i + 1);                                                                      \
        }                                                                                                    \
        x0 = x1 = x2 = x3 = x4 = x5 = x6 = x7 = x8 = x9 = x10 = x11 = addend;                                \
        for (long t = 0; t < turns; t++) {                                                                   \
            x0 = x0 * factor + addend, x1 = x1 * factor + addend, x2 = x2 * factor + addend;                 \
            x3 = x3 * factor + addend, x4 = x4 * factor + addend, x5 = x5 * factor + addend;                 \
            x6 = x6 * factor + addend, x7 = x7 * factor + addend, x8 = x8 * factor + addend;                 \
            x9 = x9 * factor + addend, x10 = x10 * factor + addend, x11 = x11 * factor + addend;             \
            __asm__ volatile("" ::: "memory");                                                               \
        }                                                                                                    \
        x0 = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10 + x11;                                    \
        *sum = 0;                                                                                            \
        for (int i = 0; i < LANES; i++) *sum += x0[i];                                                       \
        return 2.0 * CHAINS * LANES * (double)turns;                                                         \
    }

MULTIPLY_ADD(narrow, , 16)
#if defined(__x86_64__)
MULTIPLY_ADD(avx2, __attribute__((target("avx2,fma"))), 32)
MULTIPLY_ADD(avx512, __attribute__((target("avx512f"))), 64)
#endif

double kernel_multiply_add(long turns, double *sum)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return avx512(turns, sum);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2(turns, sum);
#endif
    return narrow(turns, sum);
}
