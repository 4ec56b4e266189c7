/*
 * The counts of the whole run from those of cuts through it. With counts c(k) of versions, nets, sums, work
 * and operations until the end of iteration k
 *
 *     whole = c(base) + sum over cuts of times * c(cut)
 *
 * where the times of what comes after one cut and before the next are how often that stands for another one.
 */
#ifndef PARCAST_VALUEFLOW_TALLY_H
#define PARCAST_VALUEFLOW_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/** Add what there is now, what is alive included, so many times; it may be the base, too. */
void vf_tally_add(double times, bool is_base);
/** What was added until now, so many times. */
void vf_tally_multiply(double times);
/** Put the whole run's counts in place of those of what was followed; nothing is counted afterwards. Ends the
 * run with a message where one is too large. */
void vf_tally_finish(void);
bool vf_tally_is_finished(void);
/** Work of a vertex, operations, values: of the whole run once it is finished, until now before. */
double vf_tally_work(uint32_t vertex);
uint64_t vf_tally_flop(void);
uint64_t vf_tally_values(void);
#pragma GCC visibility pop

#endif
