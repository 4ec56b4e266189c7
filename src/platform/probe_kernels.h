/**
 * The loops that probe times. Compiled with the same flags in every build type.
 */
#ifndef PARCAST_PLATFORM_PROBE_KERNELS_H
#define PARCAST_PLATFORM_PROBE_KERNELS_H

#include <stddef.h>

/** a = b + s c over n doubles: 24 n bytes. */
void kernel_triad(double *restrict a, const double *restrict b, const double *restrict c, double s, size_t n);

/** `turns` turns of independent multiply-adds on the widest vectors of this core.
 *  @param[out] sum of the accumulators, to be used by the caller
 *  @return flop done */
double kernel_multiply_add(long turns, double *sum);

#endif
