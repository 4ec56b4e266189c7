#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parcast/units.h"

static void bandwidths_are_read_in_bits_and_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double bytes_per_s;
    } cases[] = {{"1 Gbit/s", 125e6},
                 {"25 GB/s", 25e9},
                 {"100MiB/s", 104857600},
                 {"400 Mbps", 50e6},
                 {"125e6", 125e6}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 0;
        assert_int_equal(parcast_units_bandwidth(cases[i].text, &value, NULL), PARCAST_OK);
        assert_true(value == cases[i].bytes_per_s);
    }
}

static void bad_units_are_refused_with_a_hint(void **state)
{
    (void)state;
    static const char *const bad[] = {"",        "fast", "1 Gb",     "-3 GB/s", "nan",
                                      "inf B/s", "0x10", "1 GB/s x", "1e400"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double value = 7;
        parcast_error error = {0};
        assert_int_equal(parcast_units_bandwidth(bad[i], &value, &error), PARCAST_INVALID);
        assert_true(value == 7);
        assert_true(error.text[0] != '\0');
    }
    parcast_error error = {0};
    double value;
    parcast_units_bandwidth("1 Gbyte", &value, &error);
    assert_non_null(strstr(error.hint, "Gbit/s"));
}

static void times_may_have_several_parts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } cases[] = {{"30 us", 30e-6},     {"90m", 5400},  {"2h30m", 9000},
                 {"2 h 30 min", 9000}, {"12.5", 12.5}, {"1d", 86400}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 0;
        assert_int_equal(parcast_units_time(cases[i].text, &value, NULL), PARCAST_OK);
        assert_float_equal(value, cases[i].seconds, 1e-12 * cases[i].seconds);
    }
}

static void a_clock_time_is_the_next_one_of_that_time(void **state)
{
    (void)state;
    setenv("TZ", "UTC", 1);
    time_t noon = 1000000800 / 86400 * 86400 + 43200;
    double span = 0;
    assert_int_equal(parcast_units_deadline("18:00", noon, &span, NULL), PARCAST_OK);
    assert_true(span == 6 * 3600);
    assert_int_equal(parcast_units_deadline("11:59:30", noon, &span, NULL), PARCAST_OK);
    assert_true(span == 86400 - 30);
    assert_int_equal(parcast_units_deadline("25:00", noon, &span, NULL), PARCAST_INVALID);
    assert_int_equal(parcast_units_deadline("90m", noon, &span, NULL), PARCAST_OK);
    assert_true(span == 5400);
}

static void lists_are_sorted_and_without_repetition(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n;
        int counts[8];
    } cases[] = {{"4,1,2,2", 3, {1, 2, 4}},
                 {"1-4", 4, {1, 2, 3, 4}},
                 {"1-8:3", 3, {1, 4, 7}},
                 {"2..20", 4, {2, 4, 8, 16}},
                 {" 3 , 5-6", 3, {3, 5, 6}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int *counts = NULL;
        size_t n = 0;
        assert_int_equal(parcast_units_list(cases[i].text, &counts, &n, NULL), PARCAST_OK);
        assert_int_equal(n, cases[i].n);
        assert_memory_equal(counts, cases[i].counts, n * sizeof *counts);
        free(counts);
    }
}

static void malformed_lists_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",      ",",   "0", "-1",  "4-2",        "1,",
                                      "1-8:0", "1..", "a", "1 2", "99999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int *counts = NULL;
        size_t n = 0;
        assert_int_equal(parcast_units_list(bad[i], &counts, &n, NULL), PARCAST_INVALID);
        assert_null(counts);
    }
    int *counts = NULL;
    size_t n = 0;
    assert_int_equal(parcast_units_list("1-2000000", &counts, &n, NULL), PARCAST_LIMIT);
}

static void quantities_are_printed_for_people(void **state)
{
    (void)state;
    char text[32];
    assert_string_equal(parcast_units_format_time(1.24e-3, text, sizeof text), "1.24 ms");
    assert_string_equal(parcast_units_format_time(12.345, text, sizeof text), "12.3 s");
    assert_string_equal(parcast_units_format_time(7500, text, sizeof text), "2 h 05 min");
    assert_string_equal(parcast_units_format_size(1.5e6, text, sizeof text), "1.5 MB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bandwidths_are_read_in_bits_and_bytes),
        cmocka_unit_test(bad_units_are_refused_with_a_hint),
        cmocka_unit_test(times_may_have_several_parts),
        cmocka_unit_test(a_clock_time_is_the_next_one_of_that_time),
        cmocka_unit_test(lists_are_sorted_and_without_repetition),
        cmocka_unit_test(malformed_lists_are_refused),
        cmocka_unit_test(quantities_are_printed_for_people),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
