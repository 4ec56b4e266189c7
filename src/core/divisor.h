/* Euclid's algorithm. */
#ifndef PARCAST_CORE_DIVISOR_H
#define PARCAST_CORE_DIVISOR_H

#include <stdint.h>

/** The greatest number that divides both; the other one where one is 0. */
static inline uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
