/* Estimates for lists of numbers of parts: searched at the same time, shown while they are searched. */
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

#include <cmocka.h>

#include "run_cli.h"

static void holds(const char *text, const char *part)
{
    if (!text || !strstr(text, part)) fail_msg("'%s' does not say '%s'", text, part);
}

static json_t *points_of(const char *list)
{
    struct outcome outcome = run_cli("estimate -p %s --json -- ./kmeans 500 4 5", list);
    if (outcome.status) fail_msg("%s", outcome.err);
    json_t *object = json_loads(outcome.out, 0, NULL), *points = json_object_get(object, "points");
    assert_non_null(points);
    json_incref(points);
    json_decref(object);
    outcome_clear(&outcome);
    return points;
}

static void stay_on_one_core(const cpu_set_t *all)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, all)) CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
}

static void how_many_are_searched_at_a_time_changes_nothing(void **state)
{
    (void)state;
    static const int counts[] = {2, 3, 4, 8};
    cpu_set_t all;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    json_t *together = points_of("2,3,4,8");
    stay_on_one_core(&all);
    json_t *apart = points_of("2,3,4,8");
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_true(json_equal(together, apart));
    for (size_t i = 0; i < 4; i++) {
        json_t *point = json_array_get(together, i);
        assert_int_equal(json_integer_value(json_object_get(point, "processes")), counts[i]);
        assert_int_equal(json_array_size(json_object_get(point, "matrix")), counts[i]);
        assert_true(json_integer_value(json_object_get(point, "words")) > 0);
    }
    json_decref(together);
    json_decref(apart);
}

/* So many points that they are searched long enough to be killed; with sanitizers a few are, too. */
#ifdef __SANITIZE_ADDRESS__
#define MANY "1000"
#else
#define MANY "4000"
#endif

/* Killed where memory is short, say. Between fork and exec the program has the name, too, but not twice. */
static void a_search_that_is_killed_is_told(void **state)
{
    (void)state;
    struct outcome outcome = run_cli(
        "-h >/dev/null; (\"$PARCAST\" estimate -p 2,8,16 -- ./kmeans " MANY " 8 5 & running=$!; last=;"
        "while kill -0 $running; do now=$(pgrep -P $running -x parcast | head -n 1);"
        "[ -z \"$now\" ] || [ \"$now\" != \"$last\" ] || break; last=$now; sleep 0.02; done;"
        "kill -9 $now; wait $running)");
    assert_int_equal(outcome.status, 1);
    holds(outcome.err, "parts was ended: Killed");
    holds(outcome.err, "fewer numbers of parts");
    outcome_clear(&outcome);
}

static void lines_fit(const char *text, size_t width)
{
    for (const char *line = strstr(text, "processes "); line && *line; line += strcspn(line, "\n") + 1) {
        size_t n = strcspn(line, "\r\n");
        if (n > width) fail_msg("'%.*s' is longer than %zu", (int)n, line, width);
        if (!line[strcspn(line, "\n")]) break;
    }
}

static void a_terminal_shows_what_is_done_and_tables_that_fit(void **state)
{
    (void)state;
    struct outcome terminal = run_cli("-h >/dev/null; script -qec true /dev/null");
    bool any = terminal.status == 0;
    outcome_clear(&terminal);
    if (!any) skip(); /* no terminal can be had here */
    struct outcome outcome =
        run_cli("-h >/dev/null; script -qec 'stty cols 80; \"$PARCAST\" estimate -p 2,4 -- "
                "./kmeans 500 4 200' /dev/null");
    assert_int_equal(outcome.status, 0);
    holds(outcome.out, "\r\033[K./kmeans: following its values");
    holds(outcome.out, "\r\033[Ksearching for the least words of 2, 4 parts: 2 of 2 found\r\033[K");
    lines_fit(outcome.out, 80);
    outcome_clear(&outcome);
    outcome = run_cli("estimate -p 2,4 -- ./kmeans 500 4 5");
    assert_null(strstr(outcome.err, "searching"));
    outcome_clear(&outcome);
}

static int set_up(void **state)
{
    setenv("PARCAST", PARCAST_PROGRAM, 1);
    if (cli_folder_create(state)) return -1;
    struct outcome outcome = run_cli("cc --values " SEQUENTIAL "/kmeans.c -o kmeans -lm");
    int status = outcome.status;
    outcome_clear(&outcome);
    return status;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_many_are_searched_at_a_time_changes_nothing),
        cmocka_unit_test(a_search_that_is_killed_is_told),
        cmocka_unit_test(a_terminal_shows_what_is_done_and_tables_that_fit),
    };
    return cmocka_run_group_tests(tests, set_up, cli_folder_remove);
}
