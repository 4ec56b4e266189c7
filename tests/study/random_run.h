/** Runs with random contents, every field of every profile filled, and their comparison field by field. */
#ifndef PARCAST_TESTS_RANDOM_RUN_H
#define PARCAST_TESTS_RANDOM_RUN_H

#include "parcast/study.h"

/** Fill a run with n_profiles profiles; release with parcast_run_clear. */
void random_run(parcast_run *run, unsigned seed, size_t n_profiles);

/** Fail the test at the first difference (id, problem_id and the summary apart). */
void assert_same_run(const parcast_run *a, const parcast_run *b);

#endif
