#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parcast/scaling.h"

/* Deterministic noise: uniform on (-1, 1). */
static double noise(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static parcast_scaling_pmnf *fit(size_t m, size_t n, const double *x, const double *y,
                                 parcast_scaling_options options)
{
    parcast_scaling_data data = {m, n, x, y};
    parcast_scaling_pmnf *model = NULL;
    parcast_error error = {0};
    if (parcast_scaling_fit_pmnf(&data, &options, &model, &error)) fail_msg("%s", error.text);
    return model;
}

static void assert_one_factor(const parcast_scaling_pmnf *model, int numerator, int denominator,
                              int log2_exponent)
{
    const parcast_scaling_function *function = parcast_scaling_pmnf_function(model);
    assert_int_equal(function->n_terms, 1);
    assert_int_equal(function->terms[0].n_factors, 1);
    const parcast_scaling_factor *factor = &function->terms[0].factors[0];
    assert_int_equal(factor->numerator, numerator);
    assert_int_equal(factor->denominator, denominator);
    assert_int_equal(factor->log2_exponent, log2_exponent);
}

static void an_exact_term_is_found_with_its_coefficients(void **state)
{
    (void)state;
    static const struct {
        int numerator, denominator, log2_exponent;
    } terms[] = {{2, 1, 0}, {1, 2, 1}, {0, 1, 2}, {3, 1, 2}, {-1, 1, 0}, {-2, 3, 0}, {-1, 1, 1}, {1, 3, 0}};
    double x[] = {4, 8, 16, 32, 64, 128}, y[6];
    for (size_t t = 0; t < sizeof terms / sizeof terms[0]; t++) {
        double exponent = (double)terms[t].numerator / terms[t].denominator;
        for (size_t i = 0; i < 6; i++)
            y[i] = 3 + 0.7 * pow(x[i], exponent) * pow(log2(x[i]), terms[t].log2_exponent);
        parcast_scaling_pmnf *model =
            fit(1, 6, x, y, (parcast_scaling_options){.allow_negative_exponents = true});
        assert_one_factor(model, terms[t].numerator, terms[t].denominator, terms[t].log2_exponent);
        const parcast_scaling_function *function = parcast_scaling_pmnf_function(model);
        assert_float_equal(function->terms[0].coefficient, 0.7, 1e-8);
        assert_float_equal(function->constant, 3, 1e-6);
        parcast_scaling_pmnf_destroy(&model);
    }
}

static void equal_values_give_the_constant(void **state)
{
    (void)state;
    double x[] = {1, 2, 4, 8, 16}, y[] = {0.1, 0.1, 0.1, 0.1, 0.1}, value, low, high;
    parcast_scaling_pmnf *model = fit(1, 5, x, y, (parcast_scaling_options){0});
    assert_int_equal(parcast_scaling_pmnf_function(model)->n_terms, 0);
    assert_int_equal(parcast_scaling_pmnf_predict(model, (double[]){1024}, &value, &low, &high, NULL),
                     PARCAST_OK);
    assert_float_equal(value, 0.1, 1e-15);
    assert_true(low <= value && value <= high);
    parcast_scaling_pmnf_destroy(&model);
}

static void sums_and_products_of_three_parameters_are_found(void **state)
{
    (void)state;
    double x[125 * 3], y[125];
    uint64_t seed = 1;
    for (size_t i = 0; i < 125; i++) {
        size_t level_a = i / 25, level_b = i / 5 % 5, level_c = i % 5;
        double a = 20 + 10 * (double)level_a, b = 1 + (double)level_b, c = 100 + 100 * (double)level_c;
        x[3 * i] = a, x[3 * i + 1] = b, x[3 * i + 2] = c;
        y[i] = (5 + 0.1 * a * b + 0.02 * c) * (1 + 0.002 * noise(&seed));
    }
    parcast_scaling_pmnf *model = fit(3, 125, x, y, (parcast_scaling_options){0});
    const parcast_scaling_function *function = parcast_scaling_pmnf_function(model);
    assert_true(parcast_scaling_pmnf_quality(model)->smape_loo < 0.2);
    double far[] = {200, 5, 500};
    assert_float_equal(parcast_scaling_function_value(function, far), 115, 2);
    parcast_scaling_pmnf_destroy(&model);
}

/* The hat-matrix shortcut against fits that really leave the point out. */
static void leave_one_out_quality_equals_refits_without_the_point(void **state)
{
    (void)state;
    double x[] = {2, 3, 5, 9, 17, 30}, y[] = {3.1, 3.9, 6.2, 9.5, 19.0, 29.4}, smape = 0, rss = 0;
    parcast_scaling_function term = {.n_terms = 1, .terms = {{.n_factors = 1, .factors = {{0, 1, 1, 0}}}}};
    parcast_scaling_quality quality;
    parcast_scaling_data all = {1, 6, x, y};
    for (size_t out = 0; out < 6; out++) {
        double px[5], py[5];
        for (size_t i = 0, k = 0; i < 6; i++)
            if (i != out) px[k] = x[i], py[k++] = y[i];
        parcast_scaling_function without = term;
        parcast_scaling_data data = {1, 5, px, py};
        assert_int_equal(parcast_scaling_fit_terms(&data, &without, NULL, NULL), PARCAST_OK);
        double p = parcast_scaling_function_value(&without, &x[out]);
        smape += 200 * fabs(p - y[out]) / (fabs(p) + fabs(y[out])) / 6;
        rss += (p - y[out]) * (p - y[out]);
    }
    assert_int_equal(parcast_scaling_fit_terms(&all, &term, &quality, NULL), PARCAST_OK);
    assert_float_equal(quality.smape_loo, smape, 1e-10);
    assert_float_equal(quality.rss_loo, rss, 1e-10);
    assert_true(quality.rss_fit < quality.rss_loo);
}

/* RELeARN's region that a description extrapolates with p^3 log2(p), 3.5 times too high. */
static void a_forecast_of_noise_does_not_explode(void **state)
{
    (void)state;
    double p[] = {32, 64, 128, 256}, value, low, high;
    double y[] = {0.00128, 0.00114, 0.00121, 0.00223}, to = 512, measured = 0.00153;
    parcast_scaling_pmnf *model =
        fit(1, 4, p, y, (parcast_scaling_options){.purpose = PARCAST_SCALING_FORECAST, .range_to = &to});
    assert_int_equal(parcast_scaling_pmnf_predict(model, &to, &value, &low, &high, NULL), PARCAST_OK);
    assert_true(value < 2 * measured);
    assert_true(low < measured && measured < high);
    parcast_scaling_pmnf_destroy(&model);
}

static void a_forecast_is_never_negative_in_its_range(void **state)
{
    (void)state;
    double p[] = {1, 2, 4, 8}, to = 4096;
    uint64_t seed = 7;
    for (int trial = 0; trial < 200; trial++) {
        double y[4];
        for (size_t i = 0; i < 4; i++) y[i] = 100 / p[i] * (1 + 0.2 * noise(&seed));
        parcast_scaling_pmnf *model = fit(1, 4, p, y,
                                          (parcast_scaling_options){.allow_negative_exponents = true,
                                                                    .relative = trial % 2,
                                                                    .purpose = PARCAST_SCALING_FORECAST,
                                                                    .range_to = &to});
        for (int doubling = 0; doubling <= 12; doubling++) {
            double at = exp2(doubling), value, low, high;
            assert_int_equal(parcast_scaling_pmnf_predict(model, &at, &value, &low, &high, NULL), PARCAST_OK);
            assert_true(low > 0 && low <= value && value <= high && isfinite(high));
        }
        parcast_scaling_pmnf_destroy(&model);
    }
}

/* A negative power of log2(p) is infinite at one process, where a speed-up begins. */
static void a_forecast_holds_down_to_the_smallest_count_asked_for(void **state)
{
    (void)state;
    double p[] = {24, 48, 96, 192}, y[] = {1619.8, 818.97, 449.2, 266.22}, from = 1, to = 1e6, value;
    parcast_scaling_pmnf *model = fit(1, 4, p, y,
                                      (parcast_scaling_options){.allow_negative_exponents = true,
                                                                .relative = true,
                                                                .purpose = PARCAST_SCALING_FORECAST,
                                                                .range_from = &from,
                                                                .range_to = &to});
    assert_int_equal(parcast_scaling_pmnf_predict(model, &from, &value, NULL, NULL, NULL), PARCAST_OK);
    assert_true(value > 1e4 && value < 1e5);
    parcast_scaling_pmnf_destroy(&model);
}

static void intervals_hold_the_truth_about_as_often_as_they_say(void **state)
{
    (void)state;
    double p[] = {2, 4, 8, 16, 32, 64}, to = 128;
    int inside = 0;
    uint64_t seed = 3;
    enum { TRIALS = 400 };
    for (int trial = 0; trial < TRIALS; trial++) {
        double y[6], value, low, high;
        for (size_t i = 0; i < 6; i++) y[i] = (4 + 0.3 * p[i]) * (1 + 0.05 * noise(&seed));
        parcast_scaling_pmnf *model =
            fit(1, 6, p, y, (parcast_scaling_options){.purpose = PARCAST_SCALING_FORECAST, .range_to = &to});
        assert_int_equal(parcast_scaling_pmnf_predict(model, &to, &value, &low, &high, NULL), PARCAST_OK);
        double measured = (4 + 0.3 * to) * (1 + 0.05 * noise(&seed));
        inside += low <= measured && measured <= high;
        parcast_scaling_pmnf_destroy(&model);
    }
    assert_in_range(inside, TRIALS * 92 / 100, TRIALS * 98 / 100); /* 95 % intervals */
}

static void repetitions_are_averaged(void **state)
{
    (void)state;
    double x[] = {1, 2, 4, 8, 8, 4, 2, 1}, y[] = {1.1, 2.2, 3.9, 8.3, 7.7, 4.1, 1.8, 0.9};
    double means[] = {1, 2, 4, 8};
    parcast_scaling_pmnf *twice = fit(1, 8, x, y, (parcast_scaling_options){0});
    parcast_scaling_pmnf *once = fit(1, 4, x, means, (parcast_scaling_options){0});
    assert_float_equal(parcast_scaling_pmnf_function(twice)->terms[0].coefficient,
                       parcast_scaling_pmnf_function(once)->terms[0].coefficient, 1e-12);
    parcast_scaling_pmnf_destroy(&twice);
    parcast_scaling_pmnf_destroy(&once);
}

static void logarithms_are_left_out_below_one(void **state)
{
    (void)state;
    double x[] = {0, 0.25, 0.5, 1, 2}, y[5];
    for (size_t i = 0; i < 5; i++) y[i] = 2 + x[i];
    parcast_scaling_pmnf *model =
        fit(1, 5, x, y, (parcast_scaling_options){.allow_negative_exponents = true});
    assert_one_factor(model, 1, 1, 0);
    parcast_scaling_pmnf_destroy(&model);
}

static void bad_points_are_refused(void **state)
{
    (void)state;
    double x[] = {1, 2, 4, 8}, y[] = {4, 2, 1, 0}, nan_y[] = {4, 2, NAN, 1}, negative_x[] = {-1, 2, 4, 8};
    parcast_scaling_pmnf *model = NULL;
    parcast_scaling_options relative = {.relative = true};
    parcast_error error = {0};
    assert_int_equal(parcast_scaling_fit_pmnf(&(parcast_scaling_data){1, 4, x, nan_y}, NULL, &model, &error),
                     PARCAST_INVALID);
    assert_non_null(strstr(error.text, "point 3"));
    assert_int_equal(
        parcast_scaling_fit_pmnf(&(parcast_scaling_data){1, 4, negative_x, y}, NULL, &model, NULL),
        PARCAST_INVALID);
    assert_int_equal(parcast_scaling_fit_pmnf(&(parcast_scaling_data){1, 4, x, y}, &relative, &model, NULL),
                     PARCAST_INVALID);
    assert_int_equal(parcast_scaling_fit_pmnf(&(parcast_scaling_data){1, 2, x, y}, NULL, &model, NULL),
                     PARCAST_DATA);
    assert_int_equal(parcast_scaling_fit_pmnf(&(parcast_scaling_data){7, 0, x, y}, NULL, &model, NULL),
                     PARCAST_INVALID);
    assert_null(model);
}

static void functions_are_printed_with_their_exponents(void **state)
{
    (void)state;
    parcast_scaling_function function = {
        .constant = 1.5,
        .n_terms = 2,
        .terms = {{-2, 1, {{1, 0, 1, 1}}}, {0.25, 2, {{0, 3, 2, 2}, {1, -1, 1, 0}}}}};
    char text[128], cut[8];
    assert_string_equal(
        parcast_scaling_function_text(&function, (const char *[]){"x", "y"}, text, sizeof text),
        "1.5 - 2 * log2(y) + 0.25 * x^(3/2) * log2(x)^2 * y^-1");
    assert_string_equal(parcast_scaling_function_text(&function, (const char *[]){"x", "y"}, cut, sizeof cut),
                        "1.5 - 2");
    assert_float_equal(parcast_scaling_function_value(&function, (double[]){4, 2}),
                       1.5 - 2 + 0.25 * 8 * 4 / 2, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_term_is_found_with_its_coefficients),
        cmocka_unit_test(equal_values_give_the_constant),
        cmocka_unit_test(sums_and_products_of_three_parameters_are_found),
        cmocka_unit_test(leave_one_out_quality_equals_refits_without_the_point),
        cmocka_unit_test(a_forecast_of_noise_does_not_explode),
        cmocka_unit_test(a_forecast_is_never_negative_in_its_range),
        cmocka_unit_test(a_forecast_holds_down_to_the_smallest_count_asked_for),
        cmocka_unit_test(intervals_hold_the_truth_about_as_often_as_they_say),
        cmocka_unit_test(repetitions_are_averaged),
        cmocka_unit_test(logarithms_are_left_out_below_one),
        cmocka_unit_test(bad_points_are_refused),
        cmocka_unit_test(functions_are_printed_with_their_exponents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
