/* What cannot be followed is named with its place; what can be is no news. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_cli.h"

static int compile_all(void **state)
{
    if (cli_folder_create(state)) return -1;
    struct outcome outcome = run_cli("-h >built; cc -O2 -c " PROGRAMS "/outside.c -o outside.o && "
                                     "\"$PARCAST\" cc --values -pthread " PROGRAMS "/constructs.c " PROGRAMS
                                     "/apart.c outside.o -Wno-atomic-alignment -o c -lm -latomic && "
                                     "\"$PARCAST\" c++ --values -pthread " PROGRAMS "/constructs.cpp -o cpp");
    int failed = outcome.status;
    if (failed) print_message("%s%s", outcome.out, outcome.err);
    outcome_clear(&outcome);
    return failed;
}

/* "constructs.c:63 (" of the line that ends in a comment with this word. */
static const char *place_of(const char *file, const char *word)
{
    static char place[128];
    char line[512], path[512], mark[64];
    snprintf(path, sizeof path, PROGRAMS "/%s", file);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    for (int n = 1; fgets(line, sizeof line, in); n++) {
        snprintf(mark, sizeof mark, "%s %s",
                 strstr(file, ".f90")   ? "!"
                 : strstr(file, ".cpp") ? "//"
                                        : "/*",
                 word);
        const char *found = strstr(line, mark);
        if (found && strspn(found + strlen(mark), " */\n") == strlen(found + strlen(mark))) {
            fclose(in);
            snprintf(place, sizeof place, "%s:%d (", file, n);
            return place;
        }
    }
    fclose(in);
    fail_msg("no line of %s says '%s'", file, word);
    return NULL;
}

static void holds(const char *text, const char *part)
{
    if (!text || !strstr(text, part)) fail_msg("'%s' does not say '%s'", text ? text : "(nothing)", part);
}

static json_t *object_of(struct outcome outcome)
{
    json_t *object = json_loads(outcome.out, 0, NULL);
    if (!object) fail_msg("%s%s", outcome.out, outcome.err);
    outcome_clear(&outcome);
    return object;
}

static json_t *estimate(const char *program, const char *how, int status)
{
    struct outcome outcome = run_cli("estimate --grid 2 --extent 100 --json -- ./%s %s", program, how);
    if (outcome.status != status)
        fail_msg("%s %s: %d %s%s", program, how, outcome.status, outcome.out, outcome.err);
    return object_of(outcome);
}

static json_int_t words_of(const json_t *object)
{
    return json_integer_value(json_object_get(json_array_get(json_object_get(object, "points"), 0), "words"));
}

/* Named, with its place, and nothing else is. */
static void check_named(const char *how, const char *what, const char *place)
{
    json_t *object = estimate("c", how, 0), *list = json_object_get(object, "not_followed");
    assert_true(json_is_null(json_object_get(object, "partial")));
    if (!what) {
        if (json_array_size(list)) fail_msg("%s: %s", how, json_dumps(list, 0));
    } else {
        const char *name = json_string_value(json_object_get(json_array_get(list, 0), "name"));
        holds(name, what);
        holds(name, place_of("constructs.c", place));
    }
    json_decref(object);
}

static void what_is_not_followed_is_named_with_its_place(void **state)
{
    (void)state;
    check_named("none", NULL, NULL);
    check_named("locks", NULL, NULL);
    check_named("asm", "inline assembly at", "asm");
    check_named("barrier", NULL, NULL);
    check_named("clock", "inline assembly at", "clock");
    check_named("toplevel", "in_assembly at", "toplevel");
    check_named("setjmp", "setjmp at", "setjmp");
    check_named("builtin", "setjmp at", "builtin");
    check_named("signal", "a signal handler at", "signal");
    check_named("sigaction", "a signal handler at", "sigaction");
    check_named("varargs", "variable arguments at", "varargs");
    check_named("system", "another program, started at", "system");
    check_named("sum", "outside_sum at", "sum");
    check_named("shift", "outside_shift at", "shift");
}

static void signals_without_a_handler_are_no_news(void **state)
{
    (void)state;
    check_named("ignore", NULL, NULL);
}

static void check_words(const char *how, json_int_t least, json_int_t most)
{
    json_t *object = estimate("c", how, 0), *list = json_object_get(object, "not_followed");
    if (json_array_size(list)) fail_msg("%s: %s", how, json_dumps(list, 0));
    json_int_t words = words_of(object);
    if (words < least || words > most) fail_msg("%s: %lld words", how, (long long)words);
    json_decref(object);
}

static void what_is_not_followed_is_told_with_what_may_be_done(void **state)
{
    static const char *const ways[][2] = {{"shift", "compile such functions"},
                                          {"asm", "write it in plain code"}};
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct outcome outcome = run_cli("estimate -p 2 -- ./c %s", ways[i][0]);
        assert_int_equal(outcome.status, 0);
        holds(outcome.err, ways[i][1]);
        assert_null(strstr(outcome.err, ways[1 - i][1]));
        outcome_clear(&outcome);
    }
}

/* The elements' values move from half to half; every sum is read everywhere. */
static void what_is_modelled_is_followed(void **state)
{
    (void)state;
    check_words("none", 0, 0);
    check_words("barrier", 0, 0);
    check_words("qsort", 100, 100);
    check_words("mmap", 100, 100);
    check_words("written", 100, 100);
    check_words("sincos", 1, 2);
    check_words("atomic", 0, 4);
    check_words("structures", 2, 2); /* b[48] and b[49], for b[51] */
    check_words("goto", 100, 100);
    check_words("large", 0, 0);
    check_words("apart", 100, 100);
    check_words("division", 100, 100);
    check_words("table", 100, 100);
    check_words("texts", 0, 0);
    check_words("say", 0, 0);
}

static void check_partial(const char *program, const char *how, const char *what, const char *place)
{
    json_t *object = estimate(program, how, 1);
    const char *partial = json_string_value(json_object_get(object, "partial"));
    holds(partial, what);
    holds(partial, place);
    json_decref(object);
}

static void threads_and_processes_end_what_is_followed(void **state)
{
    (void)state;
    check_partial("c", "thread", "starts a thread inside the region", place_of("constructs.c", "thread"));
    check_partial("c", "thrd", "a thread that is started at", place_of("constructs.c", "thrd"));
    check_partial("c", "fork", "forks inside the region", place_of("constructs.c", "fork"));
    check_partial("c", "vfork", "another process that is started at", place_of("constructs.c", "vfork"));
    check_partial("c", "exec", "exec, which ends the program", place_of("constructs.c", "exec"));
    check_partial("cpp", "thread", "starts a thread inside the region", place_of("constructs.cpp", "thread"));
    struct outcome outcome = run_cli("estimate -p 2 -- ./c before");
    assert_int_equal(outcome.status, 3);
    holds(outcome.err, "2 threads run where the region begins");
    holds(outcome.err, place_of("constructs.c", "before"));
    outcome_clear(&outcome);
    json_t *object = estimate("c", "again", 1);
    holds(json_string_value(json_object_get(object, "partial")), place_of("constructs.c", "again"));
    assert_int_equal(json_integer_value(json_object_get(object, "flop")), 2 * 100); /* of the entry before */
    json_decref(object);
}

static void cxx_with_exceptions_and_its_library_is_followed(void **state)
{
    static const char *const ways[] = {"none", "exception", "sort", "map", "shared", "string", "stream"};
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        json_t *object = estimate("cpp", ways[i], 0);
        if (json_array_size(json_object_get(object, "not_followed")))
            fail_msg("%s: %s", ways[i], json_dumps(json_object_get(object, "not_followed"), 0));
        json_int_t words = words_of(object);
        bool moves = strcmp(ways[i], "sort") == 0 || strcmp(ways[i], "string") == 0;
        if (moves ? words < 90 || words > 100 : strcmp(ways[i], "map") != 0 && words)
            fail_msg("%s: %lld words", ways[i], (long long)words);
        json_decref(object);
    }
}

/* Two values of one part and one of the other, each step; the program must not crash where it is followed. */
static void nodes_of_lists_are_followed(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("c++ --values " PROGRAMS "/lists.cpp -o lists");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    outcome = run_cli("estimate -p 2 --json -- ./lists");
    if (outcome.status) fail_msg("%s", outcome.err);
    json_t *object = json_loads(outcome.out, 0, NULL);
    assert_int_equal(words_of(object), 3);
    json_decref(object);
    outcome_clear(&outcome);
}

/* Who allocates is found by frame pointers, whatever the optimiser would rather do with the register. */
static void blocks_that_very_many_lead_to_are_followed(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("cc --values -O2 " PROGRAMS "/joins.c -o joins && ./joins 700");
    if (outcome.status) fail_msg("%s", outcome.err);
    assert_string_equal(outcome.out, "1135184\n"); /* what clang-19 makes of it says so, too */
    outcome_clear(&outcome);
    json_t *object = object_of(run_cli("estimate --grid 2 --json -- ./joins 700"));
    assert_int_equal(words_of(object), 1);
    json_decref(object);
}

static void what_is_compared_behind_a_guard_is_not_known_where_turns_meet(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("cc --values -O2 " PROGRAMS "/reset.c -o reset && ./reset 64");
    if (outcome.status) fail_msg("%s", outcome.err);
    assert_string_equal(outcome.out, "64 336\n"); /* 48 times 7 */
    outcome_clear(&outcome);
    json_decref(object_of(run_cli("estimate --grid 2 --json -- ./reset 64")));
}

/* Nothing is stored where the condition does not hold, and nothing may be there. */
static void pointers_that_are_not_stored_through_may_lead_nowhere(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("cc --values -O2 " PROGRAMS "/nowhere.c -o nowhere");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    json_t *object = object_of(run_cli("estimate --grid 2 --json -- ./nowhere 1"));
    assert_int_equal(words_of(object), 1);
    json_decref(object);
    object = object_of(run_cli("estimate --grid 2 --json -- ./nowhere 5"));
    assert_int_equal(words_of(object), 1);
    json_decref(object);
}

static void what_comes_of_itself_is_told_once(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("cc --values -O2 " PROGRAMS "/scan.c -o scan");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    json_t *object = object_of(run_cli("estimate --grid 2 --json -- ./scan 1000"));
    assert_int_equal(words_of(object), 1);
    assert_int_equal(json_integer_value(json_object_get(object, "values")), 2000); /* a and b */
    json_decref(object);
}

static void followed_functions_keep_their_frame_pointer(void **state)
{
    (void)state;
    struct outcome outcome =
        run_cli("cc --values -O2 -S " PROGRAMS "/names.c -o names.s && grep -c 'movq.*%%rsp, %%rbp' names.s");
    if (outcome.status || atoi(outcome.out) < 1) fail_msg("%s%s", outcome.out, outcome.err);
    outcome_clear(&outcome);
}

static void fortran_names_its_libraries(void **state)
{
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    struct outcome outcome =
        run_cli("fc --values --region kernel " PROGRAMS "/constructs.f90 outside.o -o f90");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    json_t *object = estimate("f90", "", 0), *list = json_object_get(object, "not_followed");
    const char *name = json_string_value(json_object_get(json_array_get(list, 0), "name"));
    holds(name, "outside_shift at");
    holds(name, place_of("constructs.f90", "shift"));
    json_decref(object);
}

/* Allocatable arrays of a module, sections and reductions: two halves of 64 rows exchange a row each way and
 * step. */
static void fortran_statements_of_whole_arrays_are_followed(void **state)
{
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    struct outcome outcome = run_cli("fc --values --region kernel " PROGRAMS "/wholearrays.f90 -o whole");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    outcome = run_cli("estimate --grid 2x1 --json -- ./whole");
    json_t *object = json_loads(outcome.out, 0, NULL);
    if (!object) fail_msg("%s%s", outcome.out, outcome.err);
    if (json_array_size(json_object_get(object, "not_followed"))) fail_msg("%s", outcome.err);
    assert_int_equal(words_of(object), 2 * 64 * 3);
    json_decref(object);
    outcome_clear(&outcome);
}

/* Of 64 x 64 words by columns: four parts of 16 columns send two numbers each, or one of each row. */
static void fortran_totals_are_added_up_in_parts(void **state)
{
    enum { WAYS = 10, OF_ROWS = 6, OTHERS = 3, ROWS = 64 };
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    struct outcome outcome = run_cli("fc --values --region kernel " PROGRAMS "/totals.f90 -o totals");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    for (int way = 1; way <= WAYS; way++) {
        outcome = run_cli("estimate --grid 4 --json -- ./totals %d", way);
        json_t *object = json_loads(outcome.out, 0, NULL);
        if (!object) fail_msg("way %d: %s%s", way, outcome.out, outcome.err);
        if (json_array_size(json_object_get(object, "not_followed")))
            fail_msg("way %d: %s", way, outcome.err);
        json_int_t words = OTHERS * (way < OF_ROWS ? 2 : ROWS);
        if (words_of(object) != words) fail_msg("way %d: %lld words", way, (long long)words_of(object));
        json_decref(object);
        outcome_clear(&outcome);
    }
}

/* The same of complex numbers: each part is a sum. */
static void fortran_totals_of_complex_numbers_are_two(void **state)
{
    enum { WAYS = 8, OF_ROWS = 6, OTHERS = 3, ROWS = 64 };
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    struct outcome outcome = run_cli("fc --values --region kernel " PROGRAMS "/complex.f90 -o complex");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    for (int way = 1; way <= WAYS; way++) {
        outcome = run_cli("estimate --grid 4 --json -- ./complex %d", way);
        json_t *object = json_loads(outcome.out, 0, NULL);
        if (!object) fail_msg("way %d: %s%s", way, outcome.out, outcome.err);
        if (json_array_size(json_object_get(object, "not_followed")))
            fail_msg("way %d: %s", way, outcome.err);
        json_int_t words = OTHERS * 2 * (way < OF_ROWS ? 1 : ROWS);
        if (words_of(object) != words) fail_msg("way %d: %lld words", way, (long long)words_of(object));
        json_decref(object);
        outcome_clear(&outcome);
    }
}

/* Words of the run time's buffers weighed as much as those of the array, and its blocks were not even. */
static void what_fortran_prints_is_no_work(void **state)
{
    (void)state;
    if (system("command -v flang-new-19 >/dev/null")) skip();
    struct outcome outcome = run_cli("fc --values " PROGRAMS "/printed.f90 -o printed");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    outcome = run_cli("estimate -p 2,5 -- ./printed");
    holds(outcome.out, " of 49 words in main\n");
    holds(outcome.out, " 2 blocks of u (main program) (50), ");
    holds(outcome.out, " 5 blocks of u (main program) (50), ");
    outcome_clear(&outcome);
}

static void runs_and_says(const char *how, const char *says)
{
    struct outcome outcome = run_cli("%s && ./seen", how);
    if (outcome.status || !strstr(outcome.out, says)) fail_msg("%s%s", outcome.out, outcome.err);
    outcome_clear(&outcome);
}

static void what_is_seen_leads_to_the_variables_of_the_version_that_runs(void **state)
{
    (void)state;
    runs_and_says("cc --values " PROGRAMS "/seen.c -o seen", "7 14 1 2 changed");
    if (system("command -v flang-new-19 >/dev/null")) skip();
    runs_and_says("fc --values " PROGRAMS "/namelist.f90 -o seen", "30");
}

static void is_followed_and_says(const char *command, const char *source, const char *arguments,
                                 const char *says)
{
    struct outcome outcome = run_cli("%s --values " PROGRAMS "/%s -o it && PARCAST_VALUES=values ./it%s",
                                     command, source, arguments);
    if (outcome.status || !strstr(outcome.out, says)) fail_msg("%s%s", outcome.out, outcome.err);
    outcome_clear(&outcome);
}

static void words_that_must_not_be_written_are_not_written(void **state)
{
    (void)state;
    is_followed_and_says("cc", "read_only.c", "", "37 lower");
}

static void calls_that_must_be_jumps_are_followed(void **state)
{
    (void)state;
    is_followed_and_says("cc", "jumping.c", "", "12 3");
    is_followed_and_says("c++", "variadic.cpp", "", "-2.5 -1.5 4");
}

/* Two additions a sum, which are not done again where the coroutine goes on. */
static void what_coroutines_do_is_counted_once(void **state)
{
    (void)state;
    struct outcome outcome =
        run_cli("c++ --values -std=c++20 --region solve " PROGRAMS "/coroutine.cpp -o coroutine");
    if (outcome.status) fail_msg("%s%s", outcome.out, outcome.err);
    outcome_clear(&outcome);
    json_t *object = object_of(run_cli("estimate -p 2 --json -- ./coroutine"));
    assert_int_equal(json_integer_value(json_object_get(object, "flop")), 2 * 98);
    assert_int_equal(words_of(object), 2);
    json_decref(object);
}

/* Where the words would go is a division by zero, and nowhere, as long as they stay where they are. */
static void places_of_words_that_are_not_exchanged_are_not_looked_for(void **state)
{
    (void)state;
    is_followed_and_says("cc", "places.c", " 0 1", "120");
    is_followed_and_says("cc", "places.c", " 1 17179869184", "120");
}

static void arrays_are_named_by_where_they_are_allocated(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("estimate -p 2 -- ./c mmap");
    char name[128];
    snprintf(name, sizeof name, "b (%.*s)", (int)strcspn(place_of("constructs.c", "b"), " "),
             place_of("constructs.c", "b"));
    holds(outcome.out, name);
    outcome_clear(&outcome);
    outcome = run_cli("estimate -p 2 -- ./cpp none");
    snprintf(name, sizeof name, "b (%.*s)", (int)strcspn(place_of("constructs.cpp", "arrays"), " "),
             place_of("constructs.cpp", "arrays"));
    holds(outcome.out, name);
    outcome_clear(&outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_followed_is_named_with_its_place),
        cmocka_unit_test(what_is_not_followed_is_told_with_what_may_be_done),
        cmocka_unit_test(signals_without_a_handler_are_no_news),
        cmocka_unit_test(what_is_modelled_is_followed),
        cmocka_unit_test(threads_and_processes_end_what_is_followed),
        cmocka_unit_test(cxx_with_exceptions_and_its_library_is_followed),
        cmocka_unit_test(nodes_of_lists_are_followed),
        cmocka_unit_test(blocks_that_very_many_lead_to_are_followed),
        cmocka_unit_test(what_is_compared_behind_a_guard_is_not_known_where_turns_meet),
        cmocka_unit_test(pointers_that_are_not_stored_through_may_lead_nowhere),
        cmocka_unit_test(what_comes_of_itself_is_told_once),
        cmocka_unit_test(followed_functions_keep_their_frame_pointer),
        cmocka_unit_test(fortran_names_its_libraries),
        cmocka_unit_test(fortran_statements_of_whole_arrays_are_followed),
        cmocka_unit_test(fortran_totals_are_added_up_in_parts),
        cmocka_unit_test(fortran_totals_of_complex_numbers_are_two),
        cmocka_unit_test(what_fortran_prints_is_no_work),
        cmocka_unit_test(what_is_seen_leads_to_the_variables_of_the_version_that_runs),
        cmocka_unit_test(words_that_must_not_be_written_are_not_written),
        cmocka_unit_test(calls_that_must_be_jumps_are_followed),
        cmocka_unit_test(what_coroutines_do_is_counted_once),
        cmocka_unit_test(places_of_words_that_are_not_exchanged_are_not_looked_for),
        cmocka_unit_test(arrays_are_named_by_where_they_are_allocated),
    };
    setenv("PARCAST", PARCAST_PROGRAM, 1);
    return cmocka_run_group_tests(tests, compile_all, cli_folder_remove);
}
