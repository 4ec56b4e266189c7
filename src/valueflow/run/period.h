/* Do iterations that were not followed do what the followed ones did? Their operations tell. */
#ifndef PARCAST_VALUEFLOW_PERIOD_H
#define PARCAST_VALUEFLOW_PERIOD_H

#include <stddef.h>
#include <stdint.h>

/** Least number of iterations after which all of flop[first] to flop[n - 1] repeat, the last one aside, which
 * may do more; 0 where they were not seen to repeat twice. */
size_t period_find(const uint64_t *flop, size_t n, size_t first);
/** Iterations that did other work than those which stand for them: of [last, n) the ones of
 * [last - window, last), again and again. 0 < window <= last. */
size_t period_others(const uint64_t *work, size_t n, size_t last, size_t window);
/** By how many operations they differ, of all that [last, n) have. */
double period_difference(const uint64_t *flop, size_t n, size_t last, size_t window);

#endif
