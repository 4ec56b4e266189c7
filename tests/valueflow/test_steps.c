/* Long programs: a few iterations are followed, their difference stands for the others; and the words are
 * those of all. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_cli.h"

/* What takes less than 10 ms is followed whole: all of these take 50 ms and more on a machine of 2024. */
enum { SIZE = 128, STEPS = 20000 };

static void compile(const char *name)
{
    struct outcome outcome = run_cli("cc --values --region kernel " KERNELS "/%s.c -o %s -lm", name, name);
    if (outcome.status) fail_msg("%s does not compile: %s", name, outcome.err);
    outcome_clear(&outcome);
}

/* As its author wrote it, with main as its region or with marks of its own. */
static void compile_program(const char *source, const char *name)
{
    struct outcome outcome = run_cli("cc --values %s -o %s -lm", source, name);
    if (outcome.status) fail_msg("%s does not compile: %s", name, outcome.err);
    outcome_clear(&outcome);
}

static json_t *object_of(struct outcome outcome)
{
    if (outcome.status) fail_msg("%s", outcome.err);
    json_t *object = json_loads(outcome.out, 0, NULL);
    assert_non_null(object);
    outcome_clear(&outcome);
    return object;
}

static json_int_t integer(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static json_int_t words_of(const json_t *object)
{
    return integer(json_array_get(json_object_get(object, "points"), 0), "words");
}

static void check_heat(const char *name, const char *what, int steps)
{
    json_t *object = object_of(run_cli("estimate --grid 2x2 --json -- ./%s %d %d", name, SIZE, steps));
    const json_t *scaled = json_object_get(object, "scaled");
    assert_true(json_is_object(scaled));
    assert_int_equal(integer(scaled, "iterations"), steps);
    assert_true(integer(scaled, "followed") < 100);
    assert_int_equal(integer(scaled, "window") % 2, 0);
    if (!strstr(json_string_value(json_object_get(scaled, "what")), what))
        fail_msg("scaled over %s", json_string_value(json_object_get(scaled, "what")));
    assert_int_equal(words_of(object), (json_int_t)2 * steps * SIZE * 2);
    assert_int_equal(integer(object, "flop"), (json_int_t)7 * SIZE * SIZE * steps);
    assert_true(json_number_value(json_object_get(object, "serial_s")) > 0);
    json_decref(object);
}

/* Where arrays change places, what is left may be an odd number of steps. */
static void steps_of_a_loop_are_taken_on_to_the_word(void **state)
{
    (void)state;
    compile("heat2d_swap");
    for (int more = 0; more < 4; more++) check_heat("heat2d_swap", "heat2d_swap.c", STEPS + more);
}

static void entries_of_the_region_are_taken_on_to_the_word(void **state)
{
    (void)state;
    compile("heat2d_entries");
    check_heat("heat2d_entries", "entries of the region", STEPS);
}

/* The loop around the region makes right-hand sides; the steps are those of the solver inside, over all
 * solves. */
static void steps_inside_of_a_loop_around_the_region_are_taken_on(void **state)
{
    (void)state;
    compile_program(PROGRAMS "/solves.c", "solves");
    json_t *object = object_of(run_cli("estimate --grid 2 --json -- ./solves 20000 4 6000"));
    const json_t *scaled = json_object_get(object, "scaled");
    assert_true(json_is_object(scaled));
    assert_int_equal(integer(scaled, "iterations"), 4 * 6000);
    assert_non_null(strstr(json_string_value(json_object_get(scaled, "what")), "solves.c"));
    assert_int_equal(words_of(object), 4 * 6000 * 2);
    json_decref(object);
}

/* The second step makes nothing new, and the third is like it: more need not be followed. */
static void three_steps_will_do_where_the_third_is_like_the_second(void **state)
{
    (void)state;
    compile_program(PROGRAMS "/solves.c", "solves");
    json_t *object = object_of(run_cli("estimate --grid 2 --json -- ./solves 800000 1 60")),
           *whole = object_of(run_cli("estimate --whole --grid 2 --json -- ./solves 800000 1 60"));
    const json_t *scaled = json_object_get(object, "scaled");
    assert_true(json_is_object(scaled));
    assert_int_equal(integer(scaled, "followed"), 3);
    assert_int_equal(integer(scaled, "window"), 1);
    assert_int_equal(words_of(object), words_of(whole));
    assert_int_equal(integer(object, "flop"), integer(whole, "flop"));
    assert_int_equal(integer(object, "values"), integer(whole, "values"));
    json_decref(object);
    json_decref(whole);
}

/* Every tenth step looks for the largest change: that is followed, too, and counts as often as it comes. */
static void work_of_every_tenth_step_is_not_lost(void **state)
{
    (void)state;
    compile_program(SEQUENTIAL "/heat2d.c", "heat2d");
    enum { SIDE = 384, TURNS = 1500 };
    json_t *object = object_of(run_cli("estimate --grid 2x2 --json -- ./heat2d %d %d", SIDE, TURNS));
    const json_t *how = json_object_get(object, "scaled");
    assert_true(json_is_object(how));
    assert_int_equal(integer(how, "followed"), 8); /* 1 to 4, of which the first two read what none reads
                                                      later; 9 to 12 */
    assert_true(integer(how, "checked") > 0);
    assert_int_equal(integer(how, "differing"), 0);
    assert_int_equal(words_of(object), (json_int_t)2 * TURNS * SIDE * 2);
    assert_int_equal(integer(object, "flop"), (json_int_t)SIDE * SIDE * (4 * TURNS + 2 * TURNS / 10));
    json_decref(object);
}

static void run_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void run_shell(const char *format, ...)
{
    char command[1024];
    int n = snprintf(command, sizeof command, "cd %s && ", cli_folder());
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command + n, sizeof command - (size_t)n, format, arguments); // NOLINT
    va_end(arguments);
    if (system(command)) fail_msg("%s", command); // NOLINT(cert-env33-c)
}

static FILE *open_result(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    FILE *in = fopen(path, "re");
    assert_non_null(in);
    return in;
}

/* The operations of every iteration, by a version of the program that does nothing else than it does. */
static void operations_are_counted_by_the_program_as_it_was_written(void **state)
{
    (void)state;
    enum { SIDE = 64, TURNS = 60 };
    compile_program(SEQUENTIAL "/heat2d.c", "counted");
    compile("heat2d_swap");
    run_shell("nm heat2d_swap | grep -q parcast.counted.kernel");
    run_shell("PARCAST_PLAIN=plain ./counted %d %d > /dev/null", SIDE, TURNS);
    run_shell("PARCAST_VALUES=values PARCAST_VALUES_STEPS=$(awk '$1 == \"loop\" && $3 == %d {print $2}' "
              "plain):%d:count "
              "./counted %d %d > /dev/null",
              TURNS, TURNS, SIDE, TURNS);
    FILE *in = open_result("values.steps");
    int step = 0;
    for (unsigned long flop, stores; fscanf(in, "%lu %lu", &flop, &stores) == 2;) { // NOLINT(cert-err34-c)
        step++;
        assert_int_equal(flop, SIDE * SIDE * (step % 10 ? 4 : 6));
    }
    fclose(in);
    assert_true(step >= 48);
}

/* Loops of few turns are no steps, and the code generator takes them apart: no jump is left in their
 * function.
 */
static void loops_of_few_turns_are_as_fast_as_they_were(void **state)
{
    (void)state;
    static const char *const versions[] = {"plain", "counted"};
    struct outcome outcome = run_cli("cc --values " PROGRAMS "/short_loops.c -o short_loops");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    run_shell("PARCAST_PLAIN=plain ./short_loops 40 > /dev/null && grep '^loop' plain > loops");
    run_shell("awk '$3 < 39 {exit 1}' loops && test $(wc -l < loops) = 1");
    outcome = run_cli("cc --values -S " PROGRAMS "/short_loops.c -o short_loops.s");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        run_shell("awk -v at='parcast.%s.square_of:' '$1 == at {n++; inside = 1} $1 ~ /^.Lfunc_end/ {inside "
                  "= 0} inside && $1 ~ /^j/ {jumps++} END {exit n != 1 || jumps}' short_loops.s",
                  versions[i]);
}

/* Some steps add up, others change what comes next; each kind is followed once, and what lies between is left
 * out. Words, operations and values are those of the run of which all is followed. */
static void steps_of_several_kinds_are_taken_on_as_all_of_them_would_be(void **state)
{
    (void)state;
    static const char *const cases[] = {"swap 120000 500 10 100000", "anew 120000 500 10 100000",
                                        "swap 120000 500 9 11", "copy 240000 200 7 9"};
    compile_program(PROGRAMS "/occasions.c", "occasions");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *sampled = object_of(run_cli("estimate --grid 4 --json -- ./occasions %s", cases[i])),
               *whole = object_of(run_cli("estimate --whole --grid 4 --json -- ./occasions %s", cases[i]));
        const json_t *how = json_object_get(sampled, "scaled");
        if (!json_is_object(how) || integer(how, "followed") > 100) fail_msg("%s: not scaled", cases[i]);
        assert_int_equal(integer(how, "differing"), 0);
        if (words_of(sampled) != words_of(whole) || integer(sampled, "flop") != integer(whole, "flop") ||
            integer(sampled, "values") != integer(whole, "values"))
            fail_msg("%s: %lld words, not %lld", cases[i], (long long)words_of(sampled),
                     (long long)words_of(whole));
        json_decref(sampled);
        json_decref(whole);
    }
}

/* Iterations that do a little more or less are no reason to warn; much more is. */
static void by_how_much_the_others_differ_is_told(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("cc --values " PROGRAMS "/uneven.c -o uneven");
    if (outcome.status) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    json_t *object = object_of(run_cli("estimate --grid 4 --json -- ./uneven 500000 100 10 500"));
    const json_t *how = json_object_get(object, "scaled");
    assert_true(json_is_object(how));
    double ratio = json_number_value(json_object_get(how, "difference_ratio"));
    assert_true(integer(how, "differing") > 50 && ratio > 0 && ratio < 0.001);
    json_decref(object);
    outcome = run_cli("estimate --grid 4 -- ./uneven 500000 100 10 500");
    assert_null(strstr(outcome.err, "do other work"));
    assert_non_null(strstr(outcome.out, "were seen to do as many operations but for 0.0"));
    outcome_clear(&outcome);
    outcome = run_cli("estimate --grid 4 -- ./uneven 500000 100 10 250000");
    assert_non_null(strstr(outcome.err, "do other work than those that were followed, by "));
    assert_non_null(strstr(outcome.err, "--whole follows all"));
    outcome_clear(&outcome);
}

/* A few iterations that do not stand for the others are worth less than all of them. Each sweep sends a word
 * over each border in both directions. */
static void short_programs_are_followed_whole_where_iterations_differ(void **state)
{
    (void)state;
    int sweeps = 0;
    for (int k = 0; k < 100; k++) sweeps += 1 + (int)(k * 7919L % 97 % 5);
    compile_program(PROGRAMS "/inner.c", "inner");
    json_t *object = object_of(run_cli("estimate --grid 4 --json -- ./inner 40000 100"));
    assert_true(json_is_null(json_object_get(object, "scaled")));
    assert_int_equal(words_of(object), 3 * 2 * sweeps);
    json_decref(object);
    struct outcome outcome = run_cli("estimate --grid 4 -- ./inner 40000 100");
    assert_int_equal(outcome.status, 0);
    assert_null(strstr(outcome.err, "do other work"));
    outcome_clear(&outcome);
}

/* What comes before the steps is followed whole, so it may be long. */
static void steps_behind_a_long_beginning_are_taken_on(void **state)
{
    (void)state;
    compile_program(PROGRAMS "/prepared.c", "prepared");
    json_t *object = object_of(run_cli("estimate --grid 2 --json -- ./prepared 600000 60"));
    assert_true(json_is_object(json_object_get(object, "scaled")));
    assert_int_equal(words_of(object), 2 * 2 * 60);
    json_decref(object);
}

/* `estimate` begins again with wishes of its own in it. */
static void the_program_sees_the_environment_as_it_was(void **state)
{
    (void)state;
    struct outcome outcome = run_cli("estimate -p 2 -- ./prepared 1000 20");
    assert_int_equal(outcome.status, 0);
    if (!strstr(outcome.err, "tunables none, none")) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
    setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=3", 1);
    outcome = run_cli("estimate -p 2 -- ./prepared 1000 20");
    unsetenv("GLIBC_TUNABLES");
    assert_int_equal(outcome.status, 0);
    if (!strstr(outcome.err, "tunables glibc.malloc.tcache_count=3, none")) fail_msg("%s", outcome.err);
    outcome_clear(&outcome);
}

/* The same size with few steps, whole and not: nothing to scale. */
static void few_steps_are_all_followed(void **state)
{
    (void)state;
    compile("heat2d_swap");
    for (int whole = 0; whole < 2; whole++) {
        json_t *object = object_of(
            run_cli("estimate %s --grid 2x2 --json -- ./heat2d_swap 64 10", whole ? "--whole" : ""));
        assert_true(json_is_null(json_object_get(object, "scaled")));
        assert_int_equal(words_of(object), 2 * 10 * 64 * 2);
        json_decref(object);
    }
}

/* Rows of a product are no steps, whatever they take: each writes other words. */
static void iterations_in_space_are_not_scaled(void **state)
{
    (void)state;
    compile("matmul_ijk");
    json_t *object = object_of(run_cli("estimate --grid 2x2 --json -- ./matmul_ijk 256"));
    assert_true(json_is_null(json_object_get(object, "scaled")));
    assert_int_equal(words_of(object), 2 * 256 * 256);
    json_decref(object);
}

/* Without anybody asking it is the program that was written, and its output comes once. */
static void the_program_runs_as_it_was_written(void **state)
{
    (void)state;
    compile("heat2d_swap");
    struct outcome outcome = run_cli("estimate -q -p 2 -- ./heat2d_swap %d %d", SIZE, STEPS);
    assert_int_equal(outcome.status, 0);
    char *first = strchr(outcome.out, '\n');
    assert_non_null(first);
    size_t length = (size_t)(first - outcome.out) + 1;
    assert_null(strstr(first + 1, "\n0.")); /* the one number that it prints */
    assert_true(length > 2 && outcome.out[0] == '0');
    if (!strstr(outcome.out, "of 20000 iterations")) fail_msg("%s%s", outcome.out, outcome.err);
    outcome_clear(&outcome);
}

/* An even number is left behind the second step, an odd one behind the third. */
static void steps_over_few_words_are_taken_on(void **state)
{
    (void)state;
    compile_program(PROGRAMS "/few_words.c", "few_words");
    for (int steps = 1000000; steps <= 1000001; steps++) {
        json_t *object = object_of(run_cli("estimate --grid 2 --json -- ./few_words %d", steps));
        const json_t *scaled = json_object_get(object, "scaled");
        assert_true(json_is_object(scaled));
        assert_true(integer(scaled, "followed") < 100);
        assert_int_equal(words_of(object), (json_int_t)2 * (steps - 1)); /* what is read first is constant */
        assert_int_equal(integer(object, "flop"), (json_int_t)2 * 62 * steps);
        json_decref(object);
    }
}

/* Nor for what only the first step computed: the third writes all that the second one did. */
static void arrays_of_the_first_steps_are_not_waited_for(void **state)
{
    (void)state;
    compile_program(PROGRAMS "/late_array.c", "late_array");
    json_t *object = object_of(run_cli("estimate --grid 2 --json -- ./late_array 800000 100"));
    const json_t *scaled = json_object_get(object, "scaled");
    assert_true(json_is_object(scaled));
    assert_int_equal(integer(scaled, "followed"), 3);
    assert_int_equal(words_of(object), 2 * 100); /* of 101 sweeps the first one reads what is constant */
    assert_int_equal(integer(object, "flop"), (json_int_t)2 * (800000 - 2) * 101 + 800000);
    json_decref(object);
}

/* Points never change: what is computed of them is computed in every step, for nobody else than in the last.
 */
static void what_never_changes_makes_nothing_new_in_a_step(void **state)
{
    (void)state;
    compile_program(SEQUENTIAL "/kmeans.c", "kmeans");
    json_t *object = object_of(run_cli("estimate --grid 2 --json -- ./kmeans 20000 8 100"));
    const json_t *scaled = json_object_get(object, "scaled");
    assert_true(json_is_object(scaled));
    assert_int_equal(integer(scaled, "followed"), 3);
    json_decref(object);
}

/* Nodes that are copied into a larger array of corners are called by their own words: what is computed from
 * them has in every step the names that it had in the second one. */
static void what_is_copied_keeps_its_names(void **state)
{
    enum { ELEMENTS = 800, GHOSTS = 7, BORDERS = 3, FEW = 2, MANY = 6 };
    (void)state;
    compile_program(PROGRAMS "/gathered_corners.c", "gathered_corners");
    json_t *few =
               object_of(run_cli("estimate --whole -p 4 --json -- ./gathered_corners %d %d", ELEMENTS, FEW)),
           *many =
               object_of(run_cli("estimate --whole -p 4 --json -- ./gathered_corners %d %d", ELEMENTS, MANY));
    assert_int_equal(integer(few, "vertices"), integer(many, "vertices"));
    assert_int_equal(words_of(many), (json_int_t)2 * GHOSTS * BORDERS * (MANY - 1)); /* both fields are known
                                                                                        at first */
    json_decref(few);
    json_decref(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_a_loop_are_taken_on_to_the_word),
        cmocka_unit_test(entries_of_the_region_are_taken_on_to_the_word),
        cmocka_unit_test(steps_inside_of_a_loop_around_the_region_are_taken_on),
        cmocka_unit_test(three_steps_will_do_where_the_third_is_like_the_second),
        cmocka_unit_test(work_of_every_tenth_step_is_not_lost),
        cmocka_unit_test(steps_of_several_kinds_are_taken_on_as_all_of_them_would_be),
        cmocka_unit_test(operations_are_counted_by_the_program_as_it_was_written),
        cmocka_unit_test(loops_of_few_turns_are_as_fast_as_they_were),
        cmocka_unit_test(by_how_much_the_others_differ_is_told),
        cmocka_unit_test(short_programs_are_followed_whole_where_iterations_differ),
        cmocka_unit_test(steps_behind_a_long_beginning_are_taken_on),
        cmocka_unit_test(the_program_sees_the_environment_as_it_was),
        cmocka_unit_test(few_steps_are_all_followed),
        cmocka_unit_test(iterations_in_space_are_not_scaled),
        cmocka_unit_test(the_program_runs_as_it_was_written),
        cmocka_unit_test(steps_over_few_words_are_taken_on),
        cmocka_unit_test(arrays_of_the_first_steps_are_not_waited_for),
        cmocka_unit_test(what_never_changes_makes_nothing_new_in_a_step),
        cmocka_unit_test(what_is_copied_keeps_its_names),
    };
    return cmocka_run_group_tests(tests, cli_folder_create, cli_folder_remove);
}
