#include "valueflow/period.h"

#include <stdbool.h>

static bool repeats(const uint64_t *flop, size_t n, size_t first, size_t period)
{
    for (size_t i = first + period; i < n; i++)
        if (flop[i] != flop[i - period]) return false;
    return true;
}

size_t period_find(const uint64_t *flop, size_t n, size_t first)
{
    if (n < first + 3) return 0;
    for (size_t period = 1; period <= (n - 1 - first) / 2; period++)
        if (repeats(flop, n - 1, first, period)) return period;
    return 0;
}

size_t period_others(const uint64_t *flop, size_t n, size_t last, size_t window)
{
    size_t others = 0;
    for (size_t i = last; i < n; i++) others += flop[i] != flop[last - window + (i - last) % window];
    return others;
}
