/* Imbalance that a program makes and imbalance that chance makes, told apart by runs with the same count. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "forecast/imbalance.h"

enum { WINDOWS = 400, MOST_RUNS = 6 };

struct runs {
    struct uneven of[MOST_RUNS];
    const struct uneven *list[MOST_RUNS];
    double weights[MOST_RUNS];
    size_t n;
};

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Window w gives rank w mod n `more` above the others, and each rank `scatter` times a normal number. */
static void add_run(struct runs *runs, int n, double more, double scatter, uint64_t seed)
{
    struct uneven *u = &runs->of[runs->n];
    *u = (struct uneven){malloc(sizeof(double) * WINDOWS * (size_t)n), WINDOWS, n};
    assert_non_null(u->computing);
    for (int w = 0; w < WINDOWS; w++)
        for (int r = 0; r < n; r++) {
            double normal = -6;
            for (int k = 0; k < 12; k++) normal += uniform(&seed);
            u->computing[w * n + r] = 1 + (w % n == r ? more : 0) - more / n + scatter * normal;
        }
    runs->list[runs->n] = u;
    runs->weights[runs->n++] = 1;
}

static void free_runs(struct runs *runs)
{
    for (size_t i = 0; i < runs->n; i++) uneven_clear(&runs->of[i]);
}

static void a_rank_that_is_slow_in_turn_counts_in_every_window(void **state)
{
    (void)state;
    struct runs runs = {.n = 0};
    add_run(&runs, 4, 0.4, 0, 1);
    assert_float_equal(uneven_excess(&runs.of[0]), 0.4 * 3 / 4, 1e-9);
    free_runs(&runs);
}

static void work_of_the_program_lasts_and_grows_with_the_count(void **state)
{
    (void)state;
    struct runs runs = {.n = 0};
    struct imbalance imbalance;
    /* One panel of 50 more than the mean: 0.04 (n-1) of it. */
    for (uint64_t seed = 1; seed < 3; seed++) add_run(&runs, 2, 0.08, 0.01, seed);
    for (uint64_t seed = 3; seed < 5; seed++) add_run(&runs, 4, 0.16, 0.01, seed);
    imbalance_fit(runs.list, runs.weights, runs.n, &imbalance);
    double chance = imbalance.random.c[0] * growth_term_value(imbalance.random.form.term[0], 4);
    assert_true(growth_value(&imbalance.lasting, 4) > 0.1 && chance < 0.04);
    free_runs(&runs);
}

static void chance_is_found_and_does_not_grow_with_every_process(void **state)
{
    (void)state;
    struct runs runs = {.n = 0};
    struct imbalance imbalance;
    for (uint64_t seed = 1; seed < 3; seed++) add_run(&runs, 2, 0, 0.06, seed);
    for (uint64_t seed = 3; seed < 5; seed++) add_run(&runs, 4, 0, 0.2, seed);
    imbalance_fit(runs.list, runs.weights, runs.n, &imbalance);
    assert_true(growth_value(&imbalance.random, 4) > 0.15);
    assert_true(growth_value(&imbalance.lasting, 4) < 0.05);
    /* The excess grew 6-fold from 2 to 4; of 16 normal variables the largest is 1.7 times that of 4. */
    assert_true(imbalance_value(&imbalance, 16) < 4 * imbalance_value(&imbalance, 4));
    free_runs(&runs);
}

static void without_a_second_run_all_of_it_lasts(void **state)
{
    (void)state;
    struct runs runs = {.n = 0};
    struct imbalance imbalance;
    add_run(&runs, 4, 0, 0.1, 1);
    imbalance_fit(runs.list, runs.weights, runs.n, &imbalance);
    assert_float_equal(growth_value(&imbalance.random, 4), 0, 1e-12);
    assert_float_equal(imbalance_value(&imbalance, 4), uneven_excess(&runs.of[0]), 1e-9);
    assert_float_equal(imbalance_value(&imbalance, 1), 0, 0);
    free_runs(&runs);
}

static void runs_that_are_left_out_change_nothing(void **state)
{
    (void)state;
    struct runs runs = {.n = 0};
    struct imbalance with, without;
    for (uint64_t seed = 1; seed < 3; seed++) add_run(&runs, 2, 0.1, 0.02, seed);
    imbalance_fit(runs.list, runs.weights, runs.n, &without);
    add_run(&runs, 8, 3, 1, 9);
    runs.weights[2] = 0;
    imbalance_fit(runs.list, runs.weights, runs.n, &with);
    assert_memory_equal(&with, &without, sizeof with);
    free_runs(&runs);
}

static void one_rank_is_never_uneven(void **state)
{
    (void)state;
    struct uneven alone = {.n = 0};
    const struct uneven *list[] = {&alone};
    const double weights[] = {1};
    struct imbalance imbalance;
    imbalance_fit(list, weights, 1, &imbalance);
    assert_float_equal(uneven_excess(&alone), 0, 0);
    assert_float_equal(imbalance_value(&imbalance, 16), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rank_that_is_slow_in_turn_counts_in_every_window),
        cmocka_unit_test(work_of_the_program_lasts_and_grows_with_the_count),
        cmocka_unit_test(chance_is_found_and_does_not_grow_with_every_process),
        cmocka_unit_test(without_a_second_run_all_of_it_lasts),
        cmocka_unit_test(runs_that_are_left_out_change_nothing),
        cmocka_unit_test(one_rank_is_never_uneven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
