/* Every case of tests/data/queueing_cases.json through the library: published networks and hard ones. */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parcast/queueing.h"

static const json_t *cases;
static json_t *file;

static parcast_network *read_network(const json_t *entry)
{
    parcast_network *network = NULL;
    parcast_error error = {0};
    char *text = json_dumps(json_object_get(entry, "network"), JSON_REAL_PRECISION(17));
    if (parcast_network_parse(text, strlen(text), "case", &network, &error)) fail_msg("%s", error.text);
    free(text);
    return network;
}

static parcast_solution *solve(const json_t *entry, parcast_solve_method method)
{
    parcast_network *network = read_network(entry);
    parcast_solution *solution = NULL;
    parcast_error error = {0};
    if (parcast_network_solve(network, method, NULL, &solution, &error)) fail_msg("%s", error.text);
    parcast_network_destroy(&network);
    return solution;
}

static void check_value(const json_t *entry, const char *what, const json_t *expected, double value)
{
    if (json_is_null(expected)) return;
    double right = json_number_value(expected);
    double tolerance = json_number_value(json_object_get(entry, "rel_tol")) * fmax(1, fabs(right));
    if (!(fabs(value - right) <= tolerance))
        fail_msg("%s: %s is %.17g, not %.17g", json_string_value(json_object_get(entry, "id")), what, value,
                 right);
}

static void check_vector(const json_t *entry, const char *what, const double *values)
{
    const json_t *expected = json_object_get(json_object_get(entry, "expected"), what);
    assert_true(json_is_array(expected));
    for (size_t r = 0; r < json_array_size(expected); r++)
        check_value(entry, what, json_array_get(expected, r), values[r]);
}

static void check_bound(const json_t *entry, const parcast_bound *bound, const json_t *expected)
{
    assert_true(bound->applies == (expected != NULL));
    if (!expected) return;
    check_value(entry, "X_lower", json_object_get(expected, "X_lower"), bound->throughput_low_per_s);
    check_value(entry, "X_upper", json_object_get(expected, "X_upper"), bound->throughput_high_per_s);
    check_value(entry, "R_lower", json_object_get(expected, "R_lower"), bound->response_low_s);
    check_value(entry, "R_upper", json_object_get(expected, "R_upper"), bound->response_high_s);
}

static void check_bounds(const json_t *entry, parcast_solve_method method)
{
    (void)method;
    parcast_network *network = read_network(entry);
    const json_t *expected = json_object_get(entry, "expected");
    parcast_bounds bounds;
    assert_int_equal(parcast_network_bounds(network, &bounds, NULL), PARCAST_OK);
    parcast_network_destroy(&network);
    for (size_t i = 0; i < PARCAST_N_BOUNDS; i++)
        check_bound(entry, &bounds.bound[i], json_object_get(expected, parcast_bounds_name(i)));
    parcast_solution *solution = solve(entry, PARCAST_SOLVE_EXACT);
    check_value(entry, "X", json_array_get(json_object_get(expected, "X_exact"), 0),
                solution->throughput_per_s[0]);
    parcast_solution_destroy(&solution);
}

static void check_matrix(const json_t *entry, const char *what, const double *values)
{
    const json_t *expected = json_object_get(json_object_get(entry, "expected"), what);
    assert_true(json_is_array(expected));
    for (size_t r = 0; r < json_array_size(expected); r++) {
        const json_t *row = json_array_get(expected, r);
        size_t n_stations = json_array_size(row);
        for (size_t k = 0; k < n_stations; k++)
            check_value(entry, what, json_array_get(row, k), values[r * n_stations + k]);
    }
}

static void check_solution(const json_t *entry, parcast_solve_method method)
{
    parcast_solution *solution = solve(entry, method);
    check_vector(entry, "X", solution->throughput_per_s);
    check_vector(entry, "R_total", solution->response_s);
    check_matrix(entry, "Q", solution->queue_length);
    check_matrix(entry, "R", solution->residence_s);
    check_matrix(entry, "U", solution->utilization);
    parcast_solution_destroy(&solution);
}

/* Runs the check on every case whose kind starts with the prefix; returns how many there were. */
static size_t for_each(const char *prefix, void (*check)(const json_t *entry, parcast_solve_method method),
                       parcast_solve_method method)
{
    size_t i, n = 0;
    json_t *entry;
    json_array_foreach(cases, i, entry)
    {
        const char *kind = json_string_value(json_object_get(entry, "kind"));
        if (strncmp(kind, prefix, strlen(prefix)) != 0) continue;
        check(entry, method);
        n++;
    }
    return n;
}

static void single_class_cases_have_their_known_solution(void **state)
{
    (void)state;
    assert_int_equal(for_each("closed-single", check_solution, PARCAST_SOLVE_EXACT), 7);
}

static void multi_class_cases_have_their_known_solution(void **state)
{
    (void)state;
    assert_int_equal(for_each("closed-multi", check_solution, PARCAST_SOLVE_EXACT), 3);
}

static void mixed_cases_have_their_known_solution(void **state)
{
    (void)state;
    assert_int_equal(for_each("mixed", check_solution, PARCAST_SOLVE_EXACT), 1);
}

static void the_fixed_point_of_schweitzer_is_met(void **state)
{
    (void)state;
    assert_int_equal(for_each("approx-schweitzer", check_solution, PARCAST_SOLVE_SCHWEITZER), 1);
}

static void bounds_are_the_published_ones_and_others_are_left_out(void **state)
{
    (void)state;
    assert_int_equal(for_each("bounds", check_bounds, PARCAST_SOLVE_EXACT), 2);
}

static int load(void **state)
{
    (void)state;
    file = json_load_file(TEST_DATA "/queueing_cases.json", 0, NULL);
    cases = json_object_get(file, "cases");
    return json_is_array(cases) ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    json_decref(file);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_class_cases_have_their_known_solution),
        cmocka_unit_test(multi_class_cases_have_their_known_solution),
        cmocka_unit_test(mixed_cases_have_their_known_solution),
        cmocka_unit_test(the_fixed_point_of_schweitzer_is_met),
        cmocka_unit_test(bounds_are_the_published_ones_and_others_are_left_out),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
