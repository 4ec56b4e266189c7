/**
 * Speed of one core: the score of a small fixed floating-point kernel.
 *
 * The same code, compiled with the same flags, runs in `parcast probe` and inside MPI_Init of every recorded
 * program, so that the ratio of two scores is the relative speed of two cores for arithmetic that stays in
 * cache.
 */
#ifndef PARCAST_CALIBRATE_H
#define PARCAST_CALIBRATE_H

#include "parcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Measure the speed of the calling thread's core.
 *
 * The kernel evaluates Lennard-Jones forces between all pairs of 64 fixed particles (multiplications,
 * additions and one division a pair, 2 kB of data). Its time is taken in pieces of about 0.1 ms of thread CPU
 * time; the fastest piece counts, so that interrupts, other processes and a clock that is still rising
 * disturb little.
 *
 * @param[in] budget_s CPU time to spend [s]; at least one piece is measured whatever the budget, 0.002 to
 * 0.05 is useful
 * @return pairs per second, > 0; 0 if the system has no clock for the CPU time of a thread
 *
 * Cost: budget_s of CPU time, no allocation. Thread-safe.
 */
PARCAST_API double parcast_calibrate_core(double budget_s);

#ifdef __cplusplus
}
#endif
#endif
