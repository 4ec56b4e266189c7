/** How many cases a test takes: all, or a few where an emulator makes each long (PARCAST_TEST_FEW is set). */
#ifndef PARCAST_TESTS_FEW_H
#define PARCAST_TESTS_FEW_H

#include <stdlib.h>

static inline int few_or_all(int few, int all)
{
    return getenv("PARCAST_TEST_FEW") ? few : all;
}

#endif
