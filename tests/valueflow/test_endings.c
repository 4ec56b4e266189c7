/* Runs that end before the program does: the limit of memory, signals, exit, a full disk. What was followed
 * until then is kept and says that it is partial. */
#include <jansson.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "run_cli.h"

enum { WORDS_A_STEP = 2, STEPS = 20, LAST = 6 }; /* words that cross between two halves */

static int compile_all(void **state)
{
    if (cli_folder_create(state)) return -1;
    struct outcome outcome = run_cli("cc --values " PROGRAMS "/endings.c -o endings");
    int failed = outcome.status;
    outcome_clear(&outcome);
    outcome = run_cli("cc --values --region kernel " KERNELS "/heat2d_swap.c -o heat -lm");
    failed += outcome.status;
    outcome_clear(&outcome);
    return failed;
}

static void holds(const char *text, const char *part)
{
    if (!text || !strstr(text, part)) fail_msg("'%s' does not say '%s'", text ? text : "(nothing)", part);
}

static json_t *object_of(struct outcome *outcome)
{
    json_t *object = json_loads(outcome->out, 0, NULL);
    if (!object) fail_msg("no object: %s%s", outcome->out, outcome->err);
    outcome_clear(outcome);
    return object;
}

static json_int_t words_of(const json_t *object)
{
    const json_t *point = json_array_get(json_object_get(object, "points"), 0);
    return json_integer_value(json_object_get(point, "words"));
}

static const char *partial_of(const json_t *object)
{
    return json_string_value(json_object_get(object, "partial"));
}

static void the_limit_of_memory_stops_the_run_and_keeps_what_there_is(void **state)
{
    (void)state;
    struct outcome outcome =
        run_cli("estimate --grid 2x1 --memory 24MiB --json -s heat.parcast -- ./heat 512 20");
    assert_int_equal(outcome.status, 1);
    holds(outcome.err, "estimate --memory");
    json_t *object = object_of(&outcome);
    holds(partial_of(object), "the limit of memory, 24 MiB");
    holds(partial_of(object), "entry 1 of the region, iteration 1 of");
    holds(partial_of(object), "heat2d_swap.c:7 (kernel)");
    assert_true(json_integer_value(json_object_get(object, "values")) > 10000);
    json_decref(object);
}

/* Not that there is but one word to divide. */
static void a_limit_that_leaves_too_little_is_the_cause(void **state)
{
    static const char *const how[] = {"-p 4", "--grid 2x2", "--whole -p 2,4"};
    (void)state;
    struct outcome outcome = run_cli("cc --values " KERNELS "/heat2d_swap.c -o all_of_heat -lm");
    assert_int_equal(outcome.status, 0);
    outcome_clear(&outcome);
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        outcome = run_cli("estimate %s --memory 1KiB -- ./all_of_heat 32 4", how[i]);
        assert_int_equal(outcome.status, 1);
        holds(outcome.err, "parcast estimate: error: ./all_of_heat: too little was followed: the limit of "
                           "memory, 1 KiB, is reached ");
        holds(outcome.err, "give a larger limit (estimate --memory, ");
        assert_null(strstr(strchr(outcome.err, '\n') + 1, "error"));
        outcome_clear(&outcome);
    }
}

static void a_study_says_which_estimates_are_partial(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("show heat.parcast");
    assert_int_equal(outcome.status, 0);
    holds(outcome.out, "PARTIAL: the limit of memory");
    outcome_clear(&outcome);
    outcome = run_cli("show heat.parcast --json");
    json_t *object = object_of(&outcome);
    holds(partial_of(json_array_get(json_object_get(object, "estimates"), 0)), "the limit of memory");
    json_decref(object);
}

static void a_program_run_by_hand_has_the_limit_of_its_environment(void **state)
{
    (void)state;
    struct outcome outcome =
        run_cli("-h >/dev/null; PARCAST_VALUES=values PARCAST_VALUES_MEMORY=24MiB ./heat 512 20");
    assert_int_equal(outcome.status, 1);
    holds(outcome.err, "parcast estimate: error: the limit of memory, 24 MiB");
    outcome_clear(&outcome);
    outcome = run_cli("-h >/dev/null; PARCAST_VALUES=values PARCAST_VALUES_MEMORY=much ./heat 512 20");
    assert_int_equal(outcome.status, 1);
    holds(outcome.err, "PARCAST_VALUES_MEMORY is a size like 4GiB, not 'much'");
    outcome_clear(&outcome);
    outcome = run_cli("estimate -p 2 --memory 3foo -- ./heat 8 8");
    assert_int_equal(outcome.status, 2);
    outcome_clear(&outcome);
}

static void check_end(const char *how, const char *why)
{
    struct outcome outcome = run_cli("estimate --whole -p 2 --json -- ./endings %s", how);
    assert_int_equal(outcome.status, why ? 1 : 0);
    json_t *object = object_of(&outcome);
    if (why) {
        holds(partial_of(object), why);
        holds(partial_of(object), "in entry 1 of the region, iteration 6 of ");
        holds(partial_of(object), "endings.c:47 (main)");
    } else {
        assert_true(json_is_null(json_object_get(object, "partial")));
    }
    assert_int_equal(words_of(object), WORDS_A_STEP * (why || strcmp(how, "done") == 0 ? LAST : STEPS));
    json_decref(object);
}

static void a_program_that_dies_leaves_the_steps_before(void **state)
{
    (void)state;
    check_end("not", NULL);
    check_end("done", NULL); /* exit(0) is an end like any other */
    check_end("segv", "signal 11");
    check_end("abort", "signal 6");
    check_end("term", "signal 15");
    check_end("exit", "ended with status 3");
    check_end("alarm", "signal 14");
    check_end("_exit", "ended with status 4");
    check_end("quick_exit", "ended with status 6");
    struct outcome outcome = run_cli("estimate --whole -p 2 -- ./endings segv");
    assert_int_equal(outcome.status, 1);
    holds(outcome.out, "PARTIAL: the program was ended by signal 11");
    outcome_clear(&outcome);
}

/* Between two counts words got numbers for nets that no version has had since. */
static void a_run_that_ends_behind_a_count_leaves_what_there_is(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("cc --values -O1 " PROGRAMS "/ends_later.c -o ends_later");
    assert_int_equal(outcome.status, 0);
    outcome_clear(&outcome);
    outcome = run_cli("estimate -p 2 --json -- ./ends_later 3");
    assert_int_equal(outcome.status, 1);
    json_t *object = object_of(&outcome);
    holds(partial_of(object), "ended with status 3 in entry 1 of the region, iteration 6 of ");
    assert_true(words_of(object) > 0);
    json_decref(object);
}

/* One message, one run. */
static void check_failure(const char *how, const char *why)
{
    struct outcome outcome = run_cli("estimate -p 2 --json -- ./endings %s", how);
    assert_int_equal(outcome.status, 3);
    assert_string_equal(outcome.out, "");
    holds(outcome.err, "error: ./endings: the program ");
    holds(outcome.err, why);
    holds(outcome.err, "hint: run it by hand with these arguments");
    assert_null(strstr(strstr(outcome.err, "error:") + 1, "error:"));
    const char *begun = strstr(outcome.err, "begins");
    assert_true(begun && !strstr(begun + 1, "begins"));
    outcome_clear(&outcome);
}

static void a_program_that_fails_as_it_was_written_is_not_followed(void **state)
{
    (void)state;
    check_failure("segv", "was ended by signal 11 (Segmentation fault) when it ran as it was written");
    check_failure("exit", "ended with status 3 when it ran as it was written");
    check_failure("_exit", "ended with status 4 when it ran as it was written");
    check_failure("kill", "was ended by signal 9 (Killed) when it ran as it was written");
    struct outcome outcome = run_cli("estimate -p 2 --json -- ./endings behind");
    assert_int_equal(outcome.status, 0);
    holds(outcome.err, "'./endings' ended with status 5");
    json_t *object = object_of(&outcome);
    assert_int_equal(words_of(object), WORDS_A_STEP * STEPS);
    json_decref(object);
}

/* What it leaves then is not what it does. */
static void a_program_that_fails_the_second_time_is_partial(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("cc --values " PROGRAMS "/once.c -o once");
    assert_int_equal(outcome.status, 0);
    outcome_clear(&outcome);
    outcome = run_cli("estimate -p 2 -- ./once lock");
    assert_int_equal(outcome.status, 1);
    holds(outcome.err, "too little was followed: the program ended with status 5 when it was followed, and "
                       "with 0 when it ran as it was written; --whole runs it once");
    outcome_clear(&outcome);
    outcome = run_cli("estimate -p 2 --whole --json -- ./once lock.of.another");
    assert_int_equal(outcome.status, 0);
    json_t *object = object_of(&outcome);
    assert_int_equal(words_of(object), 4); /* two in each step but the first */
    json_decref(object);
}

/* The last one of a script counts. */
static void programs_that_were_started_before_are_told(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("estimate --whole -p 2 --json -- sh -c './once && ./once'");
    assert_int_equal(outcome.status, 0);
    holds(outcome.err, "not followed: a program that was started before this one");
    json_t *object = object_of(&outcome);
    assert_int_equal(words_of(object), 4);
    json_decref(object);
    outcome = run_cli("estimate --whole -p 2 -- sh -c 'exec ./once'");
    assert_null(strstr(outcome.err, "not followed"));
    outcome_clear(&outcome);
}

/* Its frames are larger there. */
static void a_program_that_recurs_deeply_has_room_where_it_is_followed(void **state)
{
    (void)state;
#if !defined(__SANITIZE_ADDRESS__)
    struct outcome outcome = run_cli("-h >/dev/null; ulimit -Ss 1000; ./once 8000 && ! ./once 30000 && "
                                     "\"$PARCAST\" estimate -p 2 --json -- ./once 8000 2>/dev/null");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
#endif
}

static void a_program_that_is_killed_leaves_nothing_and_is_named(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("estimate --whole -p 2 -- ./endings kill");
    assert_int_equal(outcome.status, 3);
    holds(outcome.err, "./endings: the program was killed when it had");
    holds(outcome.err, "--memory");
    outcome_clear(&outcome);
}

/* A program that clears its environment, and one that becomes another when it is done. */
static void programs_that_change_what_they_were_started_with(void **state)
{
    (void)state;
    check_end("clearenv", NULL);
    struct outcome outcome = run_cli("estimate -p 2 -- ./endings exec");
    assert_int_equal(outcome.status, 3);
    holds(outcome.err, "./endings: the program ended with status 0 and left no values");
    holds(outcome.err, "exec");
    outcome_clear(&outcome);
}

/* By a signal to parcast, as of Ctrl-C: what was followed is the result, and no file is left. */
static void a_program_that_never_ends_may_be_interrupted(void **state)
{
    static const char command[] =
        "-h >/dev/null; { mkdir files; TMPDIR=files \"$PARCAST\" estimate %s -p 2 --json "
        "-- ./endings interrupt; status=$?; rmdir files && (exit $status); }";
    (void)state;
    struct outcome outcome = run_cli(command, "--whole");
    assert_int_equal(outcome.status, 1);
    json_t *object = object_of(&outcome);
    holds(partial_of(object), "signal 2 (Interrupt) in entry 1 of the region, iteration 6 of ");
    assert_int_equal(words_of(object), WORDS_A_STEP * LAST);
    json_decref(object);
    outcome = run_cli(command, "-q");
    assert_int_equal(outcome.status, 1);
    assert_string_equal(outcome.out, "");
    holds(outcome.err, "./endings: stopped by signal 2 (Interrupt)");
    outcome_clear(&outcome);
}

static void a_signal_while_values_are_written_does_not_cost_them(void **state)
{
    (void)state;
    check_end("writing", NULL);
}

/* The file is gone as soon as it is read, which is when the watcher sends its signal. */
static void check_search_ended_by(const char *name, const char *text)
{
    struct outcome outcome = run_cli(
        "-h >/dev/null; { mkdir files; TMPDIR=files \"$PARCAST\" estimate --whole -p 64,128,256,512 -- "
        "./heat 256 6 & search=$!; until ls files/parcast-values-* >/dev/null 2>&1; do :; done; "
        "while ls files/parcast-values-* >/dev/null 2>&1; do :; done; kill -%s $search; wait $search; "
        "status=$?; rmdir files && (exit $status); }",
        name);
    assert_int_equal(outcome.status, 1);
    assert_string_equal(outcome.err, text);
    assert_null(strstr(outcome.out, "processes"));
    outcome_clear(&outcome);
}

static void a_search_that_is_interrupted_says_so_and_leaves_no_file(void **state)
{
    (void)state;
    check_search_ended_by("INT", "parcast estimate: error: interrupted by signal 2 (Interrupt)\n");
    check_search_ended_by("TERM", "parcast estimate: error: interrupted by signal 15 (Terminated)\n");
}

/* As nohup does. */
static void a_hang_up_that_is_ignored_ends_nothing(void **state)
{
    (void)state;
    struct outcome outcome =
        run_cli("-h >/dev/null; trap '' HUP; \"$PARCAST\" estimate -p 2 --json -- ./endings hangup");
    assert_int_equal(outcome.status, 0);
    json_t *object = object_of(&outcome);
    assert_true(json_is_null(json_object_get(object, "partial")));
    assert_int_equal(words_of(object), WORDS_A_STEP * STEPS);
    json_decref(object);
}

static void a_full_disk_is_one_message(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("-h >/dev/null; ulimit -f 8; \"$PARCAST\" estimate -p 2 -- ./heat 64 2");
    assert_int_equal(outcome.status, 3);
    holds(outcome.err, "cannot write '");
    holds(outcome.err, "hint: TMPDIR in the environment names another folder");
    assert_null(strstr(strchr(outcome.err, '\n') + 1, "error"));
    outcome_clear(&outcome);
    outcome = run_cli("-h >/dev/null; (ulimit -f 0; \"$PARCAST\" estimate -p 2 -- ./heat 64 2 2>&1) | cat");
    holds(outcome.out, "/tmp: cannot make a file for the values: File too large\nhint: TMPDIR");
    outcome_clear(&outcome);
    outcome = run_cli("-h >/dev/null; PARCAST_VALUES=/dev/full ./heat 64 2");
    assert_int_equal(outcome.status, 1);
    holds(outcome.err, "cannot write '/dev/full': No space left on device");
    outcome_clear(&outcome);
}

/* Some of the values could be written, and then not even why there are no more. */
static void a_disk_that_fills_up_is_the_cause_in_both_modes(void **state)
{
    static const char *const modes[] = {"", "--whole"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct outcome outcome = run_cli(
            "-h >/dev/null; ulimit -f 256; \"$PARCAST\" estimate %s -p 2 -- ./heat 300 500", modes[i]);
        assert_int_equal(outcome.status, 3);
        holds(outcome.err, "./heat: cannot write '");
        holds(outcome.err, "File too large\nhint: TMPDIR in the environment names another folder");
        outcome_clear(&outcome);
    }
}

/* Where threads of libraries that compute, and memory that is asked for in advance, find no room. */
static void little_room_for_addresses_is_enough(void **state)
{
    (void)state;
#if !defined(__SANITIZE_ADDRESS__)
    struct outcome outcome = run_cli("-h >/dev/null; ulimit -v 80000; timeout 60 \"$PARCAST\" --version");
    assert_int_equal(outcome.status, 0);
    outcome_clear(&outcome);
    outcome = run_cli("-h >/dev/null; ulimit -v 100000; \"$PARCAST\" estimate -p 2 -- ./heat 16 2");
    assert_int_equal(outcome.status, 0);
    holds(outcome.out, "processes");
    outcome_clear(&outcome);
#endif
}

#if !defined(__SANITIZE_ADDRESS__)
/* 0 where the limit, in KiB, left no room for an answer. */
static json_int_t words_below(int limit_kb)
{
    struct outcome outcome =
        run_cli("-h >/dev/null; ulimit -v %d; \"$PARCAST\" estimate -p 3 --json -- ./heat 32 3", limit_kb);
    if (outcome.status == 0) {
        json_t *object = object_of(&outcome);
        json_int_t words = words_of(object);
        json_decref(object);
        return words;
    }
    assert_true(*outcome.err);
    outcome_clear(&outcome);
    return 0;
}
#endif

/* From where the program itself finds no room to where there is enough. */
static void too_little_memory_costs_the_answer_and_changes_none(void **state)
{
    (void)state;
#if !defined(__SANITIZE_ADDRESS__)
    json_int_t wanted = words_below(400000);
    size_t n = 0;
    assert_true(wanted > 0);
    for (int limit_kb = 58000; limit_kb < 70000; limit_kb += 500) {
        json_int_t words = words_below(limit_kb);
        n += words > 0;
        if (words) assert_int_equal(words, wanted);
    }
    assert_true(n > 0);
#endif
}

/* Resident at most, of `heat` followed whole. */
static long peak_kb(const char *size)
{
    int status = 0;
    struct rusage usage = {0};
    pid_t child = fork();
    if (child == 0) {
        setenv("PARCAST_VALUES", "peak.values", 1);
        if (!chdir(cli_folder()) && freopen("/dev/null", "w", stdout))
            execl("./heat", "heat", size, "2", NULL);
        _exit(127);
    }
    assert_true(child > 0 && wait4(child, &status, 0, &usage) == child);
    assert_int_equal(status, 0);
    return usage.ru_maxrss;
}

/* A word without a workspace takes 16 bytes with its cell, 48 of a vertex and a value, and some of what tells
 * them apart: the 48 of workspaces and of what has names stay untouched, at the end, too. */
static void what_is_no_workspace_touches_no_tables_of_workspaces(void **state)
{
    (void)state;
    enum { SIDE = 1002, ARRAYS = 2, BYTES_A_WORD = 80 };
    long most_kb = (long)SIDE * SIDE * ARRAYS * BYTES_A_WORD / 1024, had_kb = peak_kb("1000");
    if (had_kb > most_kb) fail_msg("%ld KiB of at most %ld", had_kb, most_kb);
}

static void programs_see_what_the_manual_says_in_their_environment(void **state)
{
    (void)state;
    struct outcome outcome =
        run_cli("-h >/dev/null; { env -i PATH=\"$PATH\" KEPT=1 _=kept \"$PARCAST\" estimate --whole -p 2 -- "
                "sh -c 'tr \"\\0\" \"\\n\" </proc/$$/environ >seen; exec ./heat 16 2' && cat seen; }");
    assert_int_equal(outcome.status, 0);
    holds(outcome.out, "\nKEPT=1\n");
    holds(outcome.out, "\n_=kept\n");
    holds(outcome.out,
          "\nOMP_NUM_THREADS=1\nOPENBLAS_NUM_THREADS=1\nMKL_NUM_THREADS=1\nBLIS_NUM_THREADS=1\n");
    holds(outcome.out, "\nPARCAST_VALUES_MESSAGES=");
    assert_null(strstr(outcome.out, "TUNABLES"));
    outcome_clear(&outcome);
}

static void compile_alarms(void)
{
    struct outcome outcome = run_cli("cc --values -O2 " PROGRAMS "/alarms.c -o alarms");
    assert_int_equal(outcome.status, 0);
    outcome_clear(&outcome);
}

/* Another processor, ample memory, and a kernel that makes pages when it is asked to. */
static bool pages_come_ahead(void)
{
    enum { POPULATE_WRITE = 23, PAGE = 4096 };
    static const double ample = 4e9;
    cpu_set_t set;
    double free_bytes = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool can = page != MAP_FAILED && !madvise(page, PAGE, POPULATE_WRITE);
    if (page != MAP_FAILED) munmap(page, PAGE);
    return can && free_bytes > ample && !sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) > 1;
}

/* They come in the midst of a hook, and the pages of tables are made by a thread that must not get them. */
static void alarms_come_to_the_program_alone_and_cost_no_values(void **state)
{
    (void)state;
    compile_alarms();
    struct outcome outcome = run_cli("estimate -p 2 --whole --json -- ./alarms");
    assert_int_equal(outcome.status, 0);
    holds(outcome.err, "alarms: here, no error, ");
    if (pages_come_ahead()) holds(outcome.err, " 2 threads");
    json_t *object = object_of(&outcome);
    assert_int_equal(words_of(object), 2 * 3); /* two words a step */
    json_decref(object);
}

static void what_follows_a_handler_that_was_left_is_missing(void **state)
{
    (void)state;
    compile_alarms();
    struct outcome outcome = run_cli("estimate -p 2 --whole --json -- ./alarms left");
    assert_int_equal(outcome.status, 1);
    json_t *object = object_of(&outcome);
    holds(partial_of(object), "a handler of a signal did not return");
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_of_memory_stops_the_run_and_keeps_what_there_is),
        cmocka_unit_test(a_limit_that_leaves_too_little_is_the_cause),
        cmocka_unit_test(a_study_says_which_estimates_are_partial),
        cmocka_unit_test(a_program_run_by_hand_has_the_limit_of_its_environment),
        cmocka_unit_test(a_program_that_dies_leaves_the_steps_before),
        cmocka_unit_test(a_run_that_ends_behind_a_count_leaves_what_there_is),
        cmocka_unit_test(a_program_that_fails_as_it_was_written_is_not_followed),
        cmocka_unit_test(a_program_that_fails_the_second_time_is_partial),
        cmocka_unit_test(programs_that_were_started_before_are_told),
        cmocka_unit_test(a_program_that_recurs_deeply_has_room_where_it_is_followed),
        cmocka_unit_test(a_program_that_is_killed_leaves_nothing_and_is_named),
        cmocka_unit_test(programs_that_change_what_they_were_started_with),
        cmocka_unit_test(a_program_that_never_ends_may_be_interrupted),
        cmocka_unit_test(a_signal_while_values_are_written_does_not_cost_them),
        cmocka_unit_test(a_search_that_is_interrupted_says_so_and_leaves_no_file),
        cmocka_unit_test(a_hang_up_that_is_ignored_ends_nothing),
        cmocka_unit_test(a_full_disk_is_one_message),
        cmocka_unit_test(a_disk_that_fills_up_is_the_cause_in_both_modes),
        cmocka_unit_test(little_room_for_addresses_is_enough),
        cmocka_unit_test(too_little_memory_costs_the_answer_and_changes_none),
        cmocka_unit_test(what_is_no_workspace_touches_no_tables_of_workspaces),
        cmocka_unit_test(programs_see_what_the_manual_says_in_their_environment),
        cmocka_unit_test(alarms_come_to_the_program_alone_and_cost_no_values),
        cmocka_unit_test(what_follows_a_handler_that_was_left_is_missing),
    };
    setenv("PARCAST", PARCAST_PROGRAM, 1);
    return cmocka_run_group_tests(tests, compile_all, cli_folder_remove);
}
