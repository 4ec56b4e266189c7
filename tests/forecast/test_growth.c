#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "forecast/growth.h"

static const struct growth_form forms[] = {
    {{GROWTH_ONE}},  {{GROWTH_INVERSE}}, {{GROWTH_INVERSE, GROWTH_ONE}}, {{GROWTH_LOG}}, {{GROWTH_OTHERS}},
    {{GROWTH_ROOT}}, {{GROWTH_BORDER_1}}};
enum { N_FORMS = sizeof forms / sizeof forms[0] };

static void sample(double (*truth)(double), const double *counts, size_t n, struct growth_point *points)
{
    for (size_t i = 0; i < n; i++) points[i] = (struct growth_point){counts[i], truth(counts[i]), 1};
}

static double constant(double n)
{
    (void)n;
    return 7;
}

static double amdahl(double n)
{
    return 100 / n + 3;
}

static double tree(double n)
{
    return 5 * log2(n);
}

static double edge(double n)
{
    return 40 / sqrt(n);
}

static double line(double n)
{
    return 2 * (1 - 1 / n);
}

static void the_form_behind_the_points_is_found_and_goes_on(void **state)
{
    (void)state;
    static const double counts[] = {2, 4, 8, 16};
    double (*const truths[])(double) = {constant, amdahl, tree, edge, line};
    for (size_t t = 0; t < sizeof truths / sizeof *truths; t++) {
        struct growth_point points[4];
        struct growth growth;
        sample(truths[t], counts, 4, points);
        growth_choose(points, 4, forms, N_FORMS, GROWTH_COUNTED, 0, &growth);
        assert_float_equal(growth_value(&growth, 128) / truths[t](128), 1, 1e-6);
        assert_true(growth.loo_ratio < 1e-6);
    }
}

static void a_small_deviation_does_not_buy_a_second_term(void **state)
{
    (void)state;
    struct growth_point points[] = {{1, 100, 1}, {2, 50.02, 1}, {4, 24.99, 1}, {8, 12.51, 1}};
    struct growth growth;
    growth_choose(points, 4, forms, N_FORMS, GROWTH_COUNTED, 0, &growth);
    assert_int_equal(growth.form.term[0], GROWTH_INVERSE);
    assert_int_equal(growth.form.term[1], GROWTH_NONE);
}

static void coefficients_are_never_negative(void **state)
{
    (void)state;
    struct growth_point points[] = {{1, 100, 1}, {2, 40, 1}, {4, 15, 1}, {8, 5, 1}}; /* faster than 1/n */
    struct growth growth;
    growth_choose(points, 4, forms, N_FORMS, GROWTH_COUNTED, 0, &growth);
    assert_true(growth.c[0] >= 0 && growth.c[1] >= 0);
    for (int n = 1; n < 4096; n *= 2) assert_true(growth_value(&growth, n) >= 0);
}

static void no_points_and_zeros_give_zero(void **state)
{
    (void)state;
    struct growth_point points[] = {{2, 0, 1}, {4, 0, 1}};
    struct growth growth;
    char text[64];
    growth_choose(points, 0, forms, N_FORMS, GROWTH_COUNTED, 0, &growth);
    assert_true(growth_value(&growth, 16) == 0);
    growth_choose(points, 2, forms, N_FORMS, GROWTH_COUNTED, 0, &growth);
    assert_true(growth_value(&growth, 16) == 0);
    assert_string_equal(growth_text(&growth, text, sizeof text), "0");
}

static void one_count_takes_the_first_form(void **state)
{
    (void)state;
    struct growth_point points[] = {{4, 12, 1}, {4, 12.2, 1}};
    struct growth growth;
    growth_choose(points, 2, forms, N_FORMS, GROWTH_COUNTED, 0, &growth);
    assert_int_equal(growth.form.term[0], GROWTH_ONE);
    assert_float_equal(growth_value(&growth, 64), 12.1, 0.1);
    assert_true(isnan(growth.loo_ratio));
}

static void what_is_small_against_the_floor_takes_the_first_form(void **state)
{
    (void)state;
    struct growth_point points[] = {{2, 0.01, 1}, {3, 0.02, 1}, {4, 0.03, 1}}; /* n - 1, if one believes it */
    static const struct growth_form first_constant[] = {{{GROWTH_ONE}}, {{GROWTH_OTHERS}}};
    struct growth growth;
    growth_choose(points, 3, first_constant, 2, GROWTH_TIMED, 0, &growth);
    assert_int_equal(growth.form.term[0], GROWTH_OTHERS);
    growth_choose(points, 3, first_constant, 2, GROWTH_TIMED, 1, &growth);
    assert_int_equal(growth.form.term[0], GROWTH_ONE);
    assert_float_equal(growth.c[0], 0.02, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_form_behind_the_points_is_found_and_goes_on),
        cmocka_unit_test(a_small_deviation_does_not_buy_a_second_term),
        cmocka_unit_test(coefficients_are_never_negative),
        cmocka_unit_test(no_points_and_zeros_give_zero),
        cmocka_unit_test(one_count_takes_the_first_form),
        cmocka_unit_test(what_is_small_against_the_floor_takes_the_first_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
