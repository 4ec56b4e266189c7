/* How many cases a test takes: all, or fewer where there is little time. */
#ifndef PARCAST_TESTS_FEW_H
#define PARCAST_TESTS_FEW_H

#include <stdbool.h>
#include <stdlib.h>

/** Is there time for what takes long and says little that others do not say (PARCAST_LONG_TESTS is set)? */
static inline bool has_time(void)
{
    return getenv("PARCAST_LONG_TESTS");
}

/** All, or a few where an emulator makes each long (PARCAST_TEST_FEW is set). */
static inline int few_or_all(int few, int all)
{
    return getenv("PARCAST_TEST_FEW") ? few : all;
}

#endif
