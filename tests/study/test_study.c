#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "parcast/study.h"
#include "random_run.h"
#include "study/internal.h"
#include "study/tables.h"

static char path[64];

static int new_path(void **state)
{
    (void)state;
    strcpy(path, "/tmp/parcast-study-XXXXXX");
    int fd = mkstemp(path);
    if (fd < 0) return -1;
    close(fd);
    return unlink(path);
}

static int remove_path(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static parcast_study *open_study(parcast_study_mode mode)
{
    parcast_study *study = NULL;
    parcast_error error = {0};
    if (parcast_study_open(path, mode, &study, &error) != PARCAST_OK)
        fail_msg("%s: %s", error.source, error.text);
    return study;
}

static void add(parcast_study *study, parcast_run *run)
{
    parcast_error error = {0};
    if (parcast_study_add_run(study, run, &error) != PARCAST_OK) fail_msg("%s: %s", error.source, error.text);
}

static void a_random_run_comes_back_equal_in_every_field(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 40; seed++) {
        parcast_study *study = open_study(PARCAST_STUDY_WRITE);
        parcast_run run, *back = NULL;
        random_run(&run, seed, seed % 6);
        add(study, &run);
        parcast_study_close(&study);
        study = open_study(PARCAST_STUDY_READ);
        assert_int_equal(parcast_study_run(study, run.id, &back, NULL), PARCAST_OK);
        assert_same_run(&run, back);
        assert_int_equal(back->problem_id, run.problem_id);
        parcast_run_destroy(&back);
        parcast_run_clear(&run);
        parcast_study_close(&study);
    }
}

/* Bytes of a structure that a list of columns covers; what is left may only be padding. */
static void mark(char *covered, size_t offset, size_t size)
{
    for (size_t i = 0; i < size; i++) covered[offset + i] = 1;
}

static void assert_only_padding_is_left(const char *covered, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        size_t gap = 0;
        while (i + gap < size && !covered[i + gap]) gap++;
        if (gap >= 8 || (gap && (i + gap) % 4 != 0)) fail_msg("%zu bytes at %zu are not kept", gap, i);
        i += gap;
    }
}

static void every_field_of_a_profile_has_its_column(void **state)
{
    (void)state;
    char covered[sizeof(parcast_rank_profile)] = {0};
    for (size_t i = 0; i < study_rank_table.n_columns; i++)
        mark(covered, study_rank_table.columns[i].offset, study_rank_table.columns[i].size);
    for (size_t i = 0; i < STUDY_N_ARRAYS; i++) {
        mark(covered, study_array_tables[i].array_offset, sizeof(void *));
        mark(covered, study_array_tables[i].count_offset, sizeof(size_t));
        char *item = calloc(1, study_array_tables[i].size);
        for (size_t k = 0; k < study_array_tables[i].n_columns; k++)
            mark(item, study_array_tables[i].columns[k].offset, study_array_tables[i].columns[k].size);
        assert_only_padding_is_left(item, study_array_tables[i].size);
        free(item);
    }
    assert_only_padding_is_left(covered, sizeof covered);
}

static void a_list_holds_the_runs_without_profiles_in_order(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    parcast_run runs[3];
    for (unsigned i = 0; i < 3; i++) {
        random_run(&runs[i], 10 + i, 2);
        add(study, &runs[i]);
    }
    parcast_run_list list = {0};
    assert_int_equal(parcast_study_list(study, 0, &list, NULL), PARCAST_OK);
    assert_int_equal(list.n_runs, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(list.runs[i].id, runs[i].id);
        assert_null(list.runs[i].ranks);
        parcast_profiles_destroy(&runs[i].ranks, runs[i].n_profiles);
        runs[i].n_profiles = 0;
        assert_same_run(&runs[i], &list.runs[i]);
        parcast_run_clear(&runs[i]);
    }
    assert_true(list.runs[0].id < list.runs[1].id && list.runs[1].id < list.runs[2].id);
    parcast_run_list_clear(&list);
    parcast_study_close(&study);
}

static parcast_run simple_run(const char *program, const char *argument, bool complete)
{
    parcast_run run = {.program = strdup(program), .complete = complete, .n_ranks = 1, .time_s = 1};
    run.arguments = calloc(1, sizeof *run.arguments);
    run.arguments[0] = strdup(argument);
    run.n_arguments = 1;
    return run;
}

static void add_simple(parcast_study *study, const char *argument, bool complete, int64_t *problem_id)
{
    parcast_run run = simple_run("a.out", argument, complete);
    add(study, &run);
    if (problem_id) *problem_id = run.problem_id;
    parcast_run_clear(&run);
}

static void program_and_arguments_make_the_problem(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    int64_t small = 0, large = 0, again = 0, latest = 0;
    assert_int_equal(parcast_study_latest_problem(study, &latest, NULL), PARCAST_DATA);
    add_simple(study, "100", true, &small);
    add_simple(study, "200", true, &large);
    add_simple(study, "100", true, &again);
    assert_int_equal(small, again);
    assert_int_not_equal(small, large);
    assert_int_equal(parcast_study_latest_problem(study, &latest, NULL), PARCAST_OK);
    assert_int_equal(latest, small);
    parcast_run_list list = {0};
    assert_int_equal(parcast_study_list(study, small, &list, NULL), PARCAST_OK);
    assert_int_equal(list.n_runs, 2);
    parcast_run_list_clear(&list);
    parcast_study_close(&study);
}

static void the_latest_problem_is_that_of_a_complete_run(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    int64_t complete = 0, latest = 0;
    add_simple(study, "100", true, &complete);
    add_simple(study, "200", false, NULL);
    assert_int_equal(parcast_study_latest_problem(study, &latest, NULL), PARCAST_OK);
    assert_int_equal(latest, complete);
    parcast_study_close(&study);
}

static void arguments_are_told_apart_by_their_bounds(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    parcast_run one = simple_run("a.out", "x y", true), two = simple_run("a.out", "x", true);
    two.arguments = realloc(two.arguments, 2 * sizeof *two.arguments);
    two.arguments[1] = strdup("y");
    two.n_arguments = 2;
    add(study, &one);
    add(study, &two);
    assert_int_not_equal(one.problem_id, two.problem_id);
    parcast_run_clear(&one);
    parcast_run_clear(&two);
    parcast_study_close(&study);
}

static void a_missing_run_is_named_with_those_that_exist(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    parcast_run *run = NULL;
    parcast_error error = {0};
    assert_int_equal(parcast_study_run(study, 7, &run, &error), PARCAST_NOT_FOUND);
    assert_non_null(strstr(error.text, "holds none"));
    add_simple(study, "1", true, NULL);
    add_simple(study, "2", true, NULL);
    assert_int_equal(parcast_study_run(study, 7, &run, &error), PARCAST_NOT_FOUND);
    assert_non_null(strstr(error.text, "no run 7"));
    assert_non_null(strstr(error.text, "1, 2"));
    assert_null(run);
    parcast_study_close(&study);
}

static void waiting_and_imbalance_are_summed_up_over_the_ranks(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    parcast_run run = simple_run("a.out", "1", true);
    run.nodes = calloc(1, sizeof *run.nodes);
    run.nodes[0].name = strdup("here");
    run.n_nodes = 1;
    run.ranks = calloc(3, sizeof *run.ranks);
    run.n_profiles = 3;
    run.ranks[2].spawned = true; /* is not counted */
    run.ranks[2].compute_s = 100;
    run.ranks[2].wait_s = 100;
    run.ranks[0].compute_s = 3;
    run.ranks[1].compute_s = 1;
    run.ranks[0].wait_s = 0.5;
    run.ranks[1].wait_s = 1.5;
    add(study, &run);
    assert_true(run.wait_s == 1.0);
    assert_true(run.imbalance_ratio == 1.5);
    parcast_run_clear(&run);
    parcast_study_close(&study);
}

static void a_run_without_profiles_has_no_waiting(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    parcast_run run = simple_run("a.out", "1", true);
    add(study, &run);
    assert_true(isnan(run.wait_s) && isnan(run.imbalance_ratio));
    parcast_run_clear(&run);
    parcast_study_close(&study);
}

static void a_profile_on_a_node_that_is_not_there_is_refused_and_nothing_added(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    parcast_run run;
    random_run(&run, 5, 3);
    run.ranks[2].node = (int)run.n_nodes;
    run.id = -1;
    assert_int_equal(parcast_study_add_run(study, &run, NULL), PARCAST_INVALID);
    assert_int_equal(run.id, -1);
    parcast_run_list list = {0};
    assert_int_equal(parcast_study_list(study, 0, &list, NULL), PARCAST_OK);
    assert_int_equal(list.n_runs, 0);
    parcast_run_list_clear(&list);
    parcast_run_clear(&run);
    parcast_study_close(&study);
}

static void a_node_without_a_name_is_refused_and_nothing_added(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    parcast_run run;
    random_run(&run, 6, 1);
    free(run.nodes[run.n_nodes - 1].name);
    run.nodes[run.n_nodes - 1].name = NULL;
    assert_int_equal(parcast_study_add_run(study, &run, NULL), PARCAST_INVALID);
    parcast_run_list list = {0};
    assert_int_equal(parcast_study_list(study, 0, &list, NULL), PARCAST_OK);
    assert_int_equal(list.n_runs, 0);
    parcast_run_list_clear(&list);
    parcast_run_clear(&run);
    parcast_study_close(&study);
}

static void only_the_parts_that_were_asked_for_are_read(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    parcast_run run, *back = NULL;
    random_run(&run, 21, 5);
    add(study, &run);
    assert_int_equal(parcast_study_run_parts(study, run.id, PARCAST_PART_CALLS, &back, NULL), PARCAST_OK);
    size_t n_calls = 0, n_others = 0;
    for (size_t i = 0; i < back->n_profiles; i++) {
        n_calls += back->ranks[i].n_calls;
        n_others += back->ranks[i].n_sites + back->ranks[i].n_sizes + back->ranks[i].n_peers;
    }
    assert_true(n_calls > 0);
    assert_int_equal(n_others, 0);
    parcast_run_destroy(&back);
    parcast_run_clear(&run);
    parcast_study_close(&study);
}

static void the_latest_result_of_a_kind_is_kept(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    int64_t problem = 0;
    char *json = NULL;
    add_simple(study, "1", true, &problem);
    assert_int_equal(parcast_study_latest_result(study, problem, "parcast.forecast/1", &json, NULL),
                     PARCAST_NOT_FOUND);
    assert_int_equal(parcast_study_add_result(study, problem, "parcast.forecast/1", "{\"a\":1}", NULL),
                     PARCAST_OK);
    assert_int_equal(parcast_study_add_result(study, problem, "parcast.forecast/1", "{\"a\":2}", NULL),
                     PARCAST_OK);
    assert_int_equal(parcast_study_add_result(study, problem, "parcast.plan/1", "{}", NULL), PARCAST_OK);
    assert_int_equal(parcast_study_latest_result(study, problem, "parcast.forecast/1", &json, NULL),
                     PARCAST_OK);
    assert_string_equal(json, "{\"a\":2}");
    free(json);
    assert_int_equal(parcast_study_add_result(study, problem + 1, "k", "{}", NULL), PARCAST_INVALID);
    parcast_study_close(&study);
}

static void a_constant_is_replaced_by_its_new_value(void **state)
{
    (void)state;
    parcast_study *study = open_study(PARCAST_STUDY_WRITE);
    int64_t problem = 0;
    double value = -1;
    add_simple(study, "1", true, &problem);
    assert_int_equal(parcast_study_constant(study, problem, "model", "work_s", &value, NULL),
                     PARCAST_NOT_FOUND);
    assert_true(value == -1);
    assert_int_equal(parcast_study_set_constant(study, problem, "model", "work_s", 1.5, NULL), PARCAST_OK);
    assert_int_equal(parcast_study_set_constant(study, problem, "model", "work_s", DBL_MIN, NULL),
                     PARCAST_OK);
    assert_int_equal(parcast_study_constant(study, problem, "model", "work_s", &value, NULL), PARCAST_OK);
    assert_true(value == DBL_MIN);
    assert_int_equal(parcast_study_set_constant(study, problem, "model", "work_s", NAN, NULL),
                     PARCAST_INVALID);
    parcast_study_close(&study);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, new_path, remove_path)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_random_run_comes_back_equal_in_every_field),
        cmocka_unit_test(every_field_of_a_profile_has_its_column),
        TEST(a_list_holds_the_runs_without_profiles_in_order),
        TEST(program_and_arguments_make_the_problem),
        TEST(the_latest_problem_is_that_of_a_complete_run),
        TEST(arguments_are_told_apart_by_their_bounds),
        TEST(a_missing_run_is_named_with_those_that_exist),
        TEST(waiting_and_imbalance_are_summed_up_over_the_ranks),
        TEST(a_run_without_profiles_has_no_waiting),
        TEST(a_profile_on_a_node_that_is_not_there_is_refused_and_nothing_added),
        TEST(a_node_without_a_name_is_refused_and_nothing_added),
        TEST(only_the_parts_that_were_asked_for_are_read),
        TEST(the_latest_result_of_a_kind_is_kept),
        TEST(a_constant_is_replaced_by_its_new_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
