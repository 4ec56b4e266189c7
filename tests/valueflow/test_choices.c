/* What a condition tells where the alternatives do not. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "run_cli.h"

static long words_of(const char *flags, const char *name, const char *options, const char *arguments)
{
    struct outcome outcome =
        run_cli("cc --values --region kernel %s " KERNELS "/%s.c -o %s -lm", flags, name, name);
    if (outcome.status) fail_msg("%s does not compile: %s", name, outcome.err);
    outcome_clear(&outcome);
    outcome = run_cli("estimate %s --json -- ./%s %s", options, name, arguments);
    if (outcome.status) fail_msg("%s %s: %s", name, flags, outcome.err);
    json_t *object = json_loads(outcome.out, 0, NULL),
           *point = json_array_get(json_object_get(object, "points"), 0);
    assert_non_null(point);
    long words = (long)json_integer_value(json_object_get(point, "words"));
    json_decref(object);
    outcome_clear(&outcome);
    return words;
}

/* Four cuts, each between two rows or columns of the ring, each sent both ways in every sweep: 8 n words. */
static void a_spin_that_turns_by_its_neighbours_reads_them(void **state)
{
    (void)state;
    static const char *const flags[] = {"", "-DSECOND", "-DREGISTER"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        assert_int_equal(words_of(flags[i], "ising", "--grid 2x2 --extent 32,32", "32 3"), 3 * 8 * 32);
}

/* Each of four parts has two neighbours, to which one word goes in every step. */
static void a_limited_slope_reads_both_sides_where_it_is_none(void **state)
{
    (void)state;
    static const char *const flags[] = {"", "-DHARMONIC"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        assert_int_equal(words_of(flags[i], "limiter", "--grid 4", "256 5"), 5 * 4 * 2);
}

/* Three cuts: the word beside each, of which the copy is the same value, is sent in every step. */
static void who_asks_for_a_place_asks_for_no_data(void **state)
{
    (void)state;
    static const char *const flags[] = {"", "-DMEMBER", "-DVARIABLE", "-DEVERY", "-O3", "-O3 -DVARIABLE"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        assert_int_equal(words_of(flags[i], "margin", "--grid 4", "400 5"), 5 * 3);
}

/* Columns beside one cut, both ways in every step; whether a row is gone through says nothing of its points'
 * numbers. */
static void who_counts_through_loops_asks_for_no_data(void **state)
{
    (void)state;
    static const char *const flags[] = {"", "-DWHILE", "-O3"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        assert_int_equal(words_of(flags[i], "numbering", "--grid 1x2 --extent 20,20", "20 3"), 3 * 2 * 20);
}

/* All around a block are 4 n + 4 points for 2 x 2 blocks, frame and corners included. What is half sorted may
 * be placed across a border, which costs up to a sixth; what the library has sorted is one value, and beside
 * the border the frames of both arrays are read once behind the ends of the cuts. */
static void a_median_reads_its_window(void **state)
{
    (void)state;
    static const char *const flags[] = {"", "-DEXCHANGE", "-DSTREAM"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        long words = words_of(flags[i], "median", "--grid 2x2", "32 3"), border = 3L * (4 * 32 + 4);
        if (words < border || words > border + border / 6) fail_msg("%s: %ld words", flags[i], words);
    }
    assert_int_equal(words_of("-DLIBRARY", "median", "--grid 2x2", "32 3"), 3 * (4 * 32 + 4) + 2 * 4 * 2);
}

/* Each of 2 x 2 blocks reads half a row, half a column and a corner of the others in every step, and of both
 * arrays once the two words of the frame behind each of the four ends of the cuts. */
static void constants_tell_of_what_they_are_chosen_by(void **state)
{
    (void)state;
    static const char *const flags[] = {"",        "-DCHOICES", "-DBRANCHES",    "-DSWITCH",
                                        "-DTABLE", "-O1",       "-O3 -DBRANCHES"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        long words = words_of(flags[i], "life", "--grid 2x2", "32 3");
        if (words != 3 * (4 * 32 + 4) + 2 * 4 * 2) fail_msg("%s: %ld words", flags[i], words);
    }
}

enum { TIMES = 3, OTHERS = 3 };

/* 400 numbers, three steps, on four parts. */
static void all_have_words(const char *program, int ways, long expected)
{
    for (int way = 0; way < ways; way++) {
        char arguments[32];
        snprintf(arguments, sizeof arguments, "%d 400 %d", way, TIMES);
        long words = words_of("", program, "-p 4", arguments);
        if (words != expected) fail_msg("%s, way %d: %ld words", program, way, words);
    }
}

/* In each step the other parts send what they found in their share of the numbers, and get what all did. */
static void cost_a_word_there_and_back(const char *program, int ways)
{
    all_have_words(program, ways, 2L * TIMES * OTHERS);
}

static void truth_of_all_numbers_is_asked_of_all(void **state)
{
    (void)state;
    cost_a_word_there_and_back("truths", 11);
}

/* What each part has noted goes to one of them, and to all others what that makes of it. */
static void what_a_sweep_has_changed_is_asked_of_all(void **state)
{
    (void)state;
    cost_a_word_there_and_back("raised", 11);
}

/* A part behind the first that was found might not have looked, but which one that is nobody knows before. */
static void a_search_that_ends_early_is_one_of_all_numbers(void **state)
{
    (void)state;
    cost_a_word_there_and_back("searches", 5);
}

static void a_search_in_a_function_is_one_of_all_numbers(void **state)
{
    (void)state;
    cost_a_word_there_and_back("sought", 7);
}

/* Whichever way the numbers are divided, down to one, or one by one. */
static void functions_that_call_themselves_are_reductions(void **state)
{
    (void)state;
    cost_a_word_there_and_back("divided", 13);
}

static void the_least_is_one_reduction_on_all_ways(void **state)
{
    (void)state;
    cost_a_word_there_and_back("least", 4);
}

/* Each part sends what it has put into the five bins; whose they are needs them. */
static void a_bin_comes_of_what_has_chosen_it(void **state)
{
    (void)state;
    all_have_words("bins", 11, 5L * TIMES * OTHERS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spin_that_turns_by_its_neighbours_reads_them),
        cmocka_unit_test(a_limited_slope_reads_both_sides_where_it_is_none),
        cmocka_unit_test(who_asks_for_a_place_asks_for_no_data),
        cmocka_unit_test(who_counts_through_loops_asks_for_no_data),
        cmocka_unit_test(constants_tell_of_what_they_are_chosen_by),
        cmocka_unit_test(a_median_reads_its_window),
        cmocka_unit_test(truth_of_all_numbers_is_asked_of_all),
        cmocka_unit_test(what_a_sweep_has_changed_is_asked_of_all),
        cmocka_unit_test(a_search_that_ends_early_is_one_of_all_numbers),
        cmocka_unit_test(a_search_in_a_function_is_one_of_all_numbers),
        cmocka_unit_test(functions_that_call_themselves_are_reductions),
        cmocka_unit_test(the_least_is_one_reduction_on_all_ways),
        cmocka_unit_test(a_bin_comes_of_what_has_chosen_it),
    };
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
