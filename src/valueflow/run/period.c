#include "valueflow/run/period.h"

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

static size_t usual(size_t i, size_t last, size_t window)
{
    return last - window + (i - last) % window;
}

size_t period_others(const uint64_t *work, size_t n, size_t last, size_t window)
{
    size_t others = 0;
    for (size_t i = last; i < n; i++) others += work[i] != work[usual(i, last, window)];
    return others;
}

double period_difference(const uint64_t *flop, size_t n, size_t last, size_t window)
{
    double all = 0, difference = 0;
    for (size_t i = last; i < n; i++) {
        double has = (double)flop[i], stands = (double)flop[usual(i, last, window)];
        all += has;
        difference += has > stands ? has - stands : stands - has;
    }
    return difference > 0 ? difference / (all > 0 ? all : difference) : 0;
}
