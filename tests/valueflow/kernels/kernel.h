/* What the kernels share: arguments and input that differs from word to word. */
#ifndef KERNEL_H
#define KERNEL_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline long argument(int argc, char **argv, int i)
{
    if (i >= argc) {
        fprintf(stderr, "%s: argument %d is missing\n", argv[0], i);
        exit(2);
    }
    return strtol(argv[i], NULL, 10);
}

static inline double *filled(long n)
{
    double *p = malloc((size_t)n * sizeof *p);
    if (!p) exit(1);
    unsigned long x = 12345;
    for (long i = 0; i < n; i++) {
        x = x * 6364136223846793005ul + 1442695040888963407ul;
        p[i] = (double)(x >> 40) / (double)(1 << 24) + 0.01;
    }
    return p;
}

#endif
