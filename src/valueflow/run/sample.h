/*
 * Which iterations to follow where some do other work than most: an ordinary stretch at the beginning, and
 * one iteration of every class that comes later, the ones between left out. Two iterations are of one class
 * where they, and the two before them, do as many operations and stores, and both are even or both odd, for
 * arrays that change places.
 */
#ifndef PARCAST_VALUEFLOW_SAMPLE_H
#define PARCAST_VALUEFLOW_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_SAMPLES = 62 }; /* as many as src/valueflow/runtime/steps/window.c takes */

struct sample {
    size_t n; /* 0: every iteration is to be followed until they repeat */
    struct sampled {
        uint64_t iteration; /* from 1, ascending */
        uint64_t uses;      /* iterations of its class, itself among them */
        bool is_behind;     /* one of the two before it is not ordinary */
    } of[MOST_SAMPLES];
    uint64_t ordinary[2]; /* even and odd iterations of no such class, from the third on */
};

/** The sample of `total` iterations of which the operations of the first n are known. Without a period it
 * needs those of all. */
struct sample sample_choose(const uint64_t *flop, size_t n, uint64_t total);

/** How many iterations are followed in all where the ordinary stretch ends with iteration `base`. */
uint64_t sample_followed(const struct sample *sample, uint64_t base);

/** "EVEN:ODD:I=USES,I=USES": how many ordinary iterations there are, then those of the sample, with ";" where
 * they are behind others. */
void sample_write(const struct sample *sample, char *text, size_t size);

#endif
