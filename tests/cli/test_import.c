/* parcast import as its users start it: what reaches the study, and what does not. */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "parcast/study.h"

static char folder[] = "/tmp/parcast-import-XXXXXX";
static char out[1 << 16], err[1 << 16];

static const char *in_folder(const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", folder, name);
    return path;
}

static void read_back(const char *name, char *text, size_t size)
{
    char path[256];
    FILE *file = fopen(in_folder(name, path), "rb");
    if (!file) abort();
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* Runs `parcast import OPTIONS` in the folder, after writing the text to castep.csv; returns its exit status.
 */
static int import(const char *options, const char *text)
{
    char command[1024], path[256];
    FILE *file = fopen(in_folder("castep.csv", path), "wb");
    if (!file) abort();
    fputs(text, file);
    fclose(file);
    snprintf(command, sizeof command, "cd %s && '%s' import %s >out 2>err", folder, PARCAST_PROGRAM, options);
    int status = system(command); /* NOLINT(cert-env33-c): a shell, as users have */
    assert_true(WIFEXITED(status));
    read_back("out", out, sizeof out);
    read_back("err", err, sizeof err);
    return WEXITSTATUS(status);
}

static size_t runs_in_study(parcast_run_list *list)
{
    char path[256];
    parcast_study *study = NULL;
    *list = (parcast_run_list){0};
    if (access(in_folder("s.parcast", path), F_OK) != 0) return 0;
    assert_int_equal(parcast_study_open(path, PARCAST_STUDY_READ, &study, NULL), PARCAST_OK);
    assert_int_equal(parcast_study_list(study, 0, list, NULL), PARCAST_OK);
    parcast_study_close(&study);
    return list->n_runs;
}

static int remove_study(void **state)
{
    (void)state;
    char path[256];
    unlink(in_folder("s.parcast", path));
    return 0;
}

static void runs_of_a_table_are_in_the_study(void **state)
{
    (void)state;
    parcast_run_list list;
    assert_int_equal(
        import("-s s.parcast castep.csv",
               "processes,nodes,time_s,node_type\n24,1,1619.8,skylake\n48,2,818.97,skylake\n96,4,449.2,\n"),
        0);
    if (runs_in_study(&list) != 3) abort();
    assert_string_equal(list.runs[1].program, "castep");
    assert_int_equal(list.runs[1].source, PARCAST_RUN_IMPORTED);
    assert_int_equal(list.runs[1].n_ranks, 48);
    assert_int_equal(list.runs[1].n_nodes_used, 2);
    assert_int_equal(list.runs[1].n_nodes, 2);
    assert_string_equal(list.runs[1].nodes[1].type, "skylake");
    assert_int_equal(list.runs[1].nodes[1].n_ranks, 24);
    assert_true(list.runs[1].complete && !list.runs[1].weak && list.runs[1].time_s == 818.97);
    assert_true(isnan(list.runs[1].compute_s));
    assert_int_equal(list.runs[2].n_nodes, 0);
    assert_non_null(strstr(out, "3 runs of 'castep'"));
    assert_non_null(strstr(err, "parcast record"));
    parcast_run_list_clear(&list);
}

static void json_names_the_runs_and_what_was_ignored(void **state)
{
    (void)state;
    assert_int_equal(import("-s s.parcast castep.csv --program CASTEP --weak --json",
                            "who,processes,time_s,compute_s,mpi_s\nme,4,10,8,2\nme,8,11,8,3\nme,16,12,8,4\n"),
                     0);
    json_t *object = json_loads(out, 0, NULL);
    assert_non_null(object);
    assert_string_equal(json_string_value(json_object_get(object, "schema")), "parcast.import/1");
    assert_string_equal(json_string_value(json_object_get(object, "program")), "CASTEP");
    assert_true(json_is_true(json_object_get(object, "weak")));
    const json_t *first = json_array_get(json_object_get(object, "runs"), 0);
    assert_int_equal(json_integer_value(json_object_get(first, "id")), 1);
    assert_true(json_is_null(json_object_get(first, "nodes")));
    assert_true(json_number_value(json_object_get(first, "compute_s")) == 8);
    assert_string_equal(json_string_value(json_array_get(json_object_get(object, "ignored_columns"), 0)),
                        "who");
    assert_int_equal(json_array_size(json_object_get(object, "warnings")), 1);
    assert_int_equal(json_array_size(json_object_get(object, "hints")), 1);
    json_decref(object);
}

/* JSON is UTF-8; names of files and columns need not be. */
static void names_that_are_no_utf8_have_question_marks_in_json(void **state)
{
    (void)state;
    assert_int_equal(import("-s s.parcast castep.csv --program \"$(printf 'M\\374ller')\" --json",
                            "J\xfcrgen,processes,time_s\nme,4,10\nme,8,6\nme,16,4\n"),
                     0);
    json_t *object = json_loads(out, 0, NULL);
    assert_non_null(object);
    assert_string_equal(json_string_value(json_object_get(object, "program")), "M?ller");
    assert_string_equal(json_string_value(json_array_get(json_object_get(object, "ignored_columns"), 0)),
                        "J?rgen");
    json_decref(object);
}

static void a_mistake_adds_nothing_of_its_table(void **state)
{
    (void)state;
    parcast_run_list list;
    assert_int_equal(import("-s s.parcast castep.csv", "processes,time_s\n4,10\n8,6\n16,4\n"), 0);
    assert_int_equal(import("-s s.parcast castep.csv", "processes,time_s\n32,3\n64,zero\n"), 3);
    assert_non_null(strstr(err, "castep.csv:3: "));
    assert_non_null(strstr(err, "hint: "));
    assert_string_equal(out, "");
    assert_int_equal(runs_in_study(&list), 3);
    parcast_run_list_clear(&list);
}

static void runs_that_do_not_scale_are_imported_with_a_warning(void **state)
{
    (void)state;
    parcast_run_list list;
    const char *text = "processes,nodes,time_s\n1,1,0.3\n2,2,0.545\n4,4,0.51\n8,4,0.83\n";
    assert_int_equal(import("-s s.parcast castep.csv", text), 0);
    assert_non_null(strstr(err, "does not scale"));
    assert_int_equal(runs_in_study(&list), 4);
    parcast_run_list_clear(&list);
    assert_int_equal(import("-s s.parcast --weak castep.csv", text), 0);
    assert_null(strstr(err, "does not scale"));
}

static void scattered_repetitions_and_few_counts_are_named(void **state)
{
    (void)state;
    assert_int_equal(import("-s s.parcast castep.csv", "processes,time_s\n4,10\n8,6\n4,17\n8,5.5\n"), 0);
    assert_non_null(strstr(err, "differ by a factor of 1.7"));
    assert_non_null(strstr(err, "2 process counts only"));
}

static void a_table_that_is_imported_again_is_named(void **state)
{
    (void)state;
    static const char table[] = "processes,nodes,time_s\n4,1,10\n8,2,6\n";
    assert_int_equal(import("-s s.parcast castep.csv", table), 0);
    assert_null(strstr(err, "already holds"));
    assert_int_equal(import("-s s.parcast castep.csv", table), 0);
    assert_non_null(strstr(err, "already holds the same 2 runs"));
}

static void a_file_that_is_no_study_is_left_alone(void **state)
{
    (void)state;
    char path[256], text[64];
    FILE *file = fopen(in_folder("s.parcast", path), "wb");
    if (!file) abort();
    fputs("this is a letter, not a study, and it is long enough to be looked at", file);
    fclose(file);
    assert_int_equal(import("-s s.parcast castep.csv", "processes,time_s\n4,10\n"), 3);
    read_back("s.parcast", text, sizeof text);
    assert_int_equal(strncmp(text, "this is a letter", 16), 0);
}

static void wrong_usage_is_status_2(void **state)
{
    (void)state;
    assert_int_equal(import("castep.csv", "processes,time_s\n4,10\n"), 2);
    assert_int_equal(import("-s s.parcast", "processes,time_s\n4,10\n"), 2);
    assert_int_equal(import("-s s.parcast castep.csv other.csv", "processes,time_s\n4,10\n"), 2);
    assert_int_equal(import("-s s.parcast --nonsense castep.csv", "processes,time_s\n4,10\n"), 2);
    assert_int_equal(import("-s s.parcast nowhere.csv", "processes,time_s\n4,10\n"), 1);
    assert_non_null(strstr(err, "nowhere.csv"));
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"castep.csv", "out", "err"};
    char path[256];
    remove_study(state);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) unlink(in_folder(names[i], path));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(runs_of_a_table_are_in_the_study, remove_study),
        cmocka_unit_test_teardown(json_names_the_runs_and_what_was_ignored, remove_study),
        cmocka_unit_test_teardown(names_that_are_no_utf8_have_question_marks_in_json, remove_study),
        cmocka_unit_test_teardown(a_mistake_adds_nothing_of_its_table, remove_study),
        cmocka_unit_test_teardown(runs_that_do_not_scale_are_imported_with_a_warning, remove_study),
        cmocka_unit_test_teardown(scattered_repetitions_and_few_counts_are_named, remove_study),
        cmocka_unit_test_teardown(a_table_that_is_imported_again_is_named, remove_study),
        cmocka_unit_test_teardown(a_file_that_is_no_study_is_left_alone, remove_study),
        cmocka_unit_test_teardown(wrong_usage_is_status_2, remove_study),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
