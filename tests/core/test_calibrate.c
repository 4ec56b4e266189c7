#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "parcast/calibrate.h"

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 2016 pairs cannot take less than a cycle each on any machine of today, nor more than a microsecond. */
static void the_score_of_a_core_is_a_plausible_rate(void **state)
{
    (void)state;
    double score = parcast_calibrate_core(0.005);
    assert_true(score > 1e6);
    assert_true(score < 1e10);
}

static void the_kernel_spends_the_budget_of_cpu_time(void **state)
{
    (void)state;
    double before_s = cpu_s();
    parcast_calibrate_core(0.02);
    assert_true(cpu_s() - before_s >= 0.02);
}

static void without_a_budget_one_piece_is_measured(void **state)
{
    (void)state;
    assert_true(parcast_calibrate_core(0) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_score_of_a_core_is_a_plausible_rate),
        cmocka_unit_test(the_kernel_spends_the_budget_of_cpu_time),
        cmocka_unit_test(without_a_budget_one_piece_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
