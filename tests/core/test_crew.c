/* Tasks that are shared by threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/crew.h"
#include "parcast/threads.h"

enum { TASKS = 1000 };

struct work {
    atomic_int done[TASKS];
    size_t inner_size;
    size_t fails_from; /* every task from here on; TASKS: none */
};

static parcast_status add_up(void *context, size_t i, parcast_error *error)
{
    struct work *w = context;
    atomic_fetch_add(&w->done[i], 1);
    if (i < w->fails_from) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_DATA, NULL, (int)i, "task %zu", i);
}

static void every_task_is_done_once(void **state)
{
    (void)state;
    static const size_t limits[] = {0, 1, 2, 5};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        struct work w = {.fails_from = TASKS};
        parcast_threads_limit(limits[k]);
        assert_int_equal(crew_run(TASKS, add_up, &w, NULL), PARCAST_OK);
        for (size_t i = 0; i < TASKS; i++) assert_int_equal(w.done[i], 1);
    }
    parcast_threads_limit(0);
}

static void no_tasks_are_done_at_once(void **state)
{
    (void)state;
    assert_int_equal(crew_run(0, add_up, NULL, NULL), PARCAST_OK);
}

/* Whoever is first by the clock. */
static void the_first_that_fails_is_told(void **state)
{
    (void)state;
    for (size_t first = 0; first < 20; first++) {
        struct work w = {.fails_from = first};
        parcast_error error = {0};
        assert_int_equal(crew_run(TASKS, add_up, &w, &error), PARCAST_DATA);
        assert_int_equal(error.line, (int)first);
        for (size_t i = 0; i <= first; i++) assert_int_equal(w.done[i], 1);
        assert_int_equal(w.done[TASKS - 1], 0);
    }
}

static parcast_status get_over_it(void *context, size_t i, parcast_error *error)
{
    (void)context;
    parcast_error_set(error, PARCAST_DATA, NULL, (int)i, "task %zu", i);
    return PARCAST_OK;
}

static void what_a_task_gets_over_is_not_told(void **state)
{
    (void)state;
    for (size_t limit = 0; limit <= 1; limit++) {
        parcast_error error = {0};
        parcast_threads_limit(limit);
        assert_int_equal(crew_run(TASKS, get_over_it, NULL, &error), PARCAST_OK);
        assert_string_equal(error.text, "");
    }
    parcast_threads_limit(0);
}

static parcast_status note_size(void *context, size_t i, parcast_error *error)
{
    struct work *w = context;
    (void)error;
    if (i == 0) w->inner_size = crew_size();
    return PARCAST_OK;
}

static parcast_status ask_for_more(void *context, size_t i, parcast_error *error)
{
    struct work *w = context;
    (void)i;
    struct work inner = {.fails_from = TASKS};
    parcast_status status = crew_run(TASKS, add_up, &inner, error);
    for (size_t k = 0; k < TASKS; k++) w->done[k] += inner.done[k];
    return status;
}

static void tasks_of_tasks_run_in_their_thread(void **state)
{
    (void)state;
    struct work w = {.fails_from = TASKS};
    assert_int_equal(crew_run(4, ask_for_more, &w, NULL), PARCAST_OK);
    for (size_t i = 0; i < TASKS; i++) assert_int_equal(w.done[i], 4);
    if (parcast_threads() < 2) return;
    assert_int_equal(crew_run(2, note_size, &w, NULL), PARCAST_OK);
    assert_int_equal(w.inner_size, 1);
    assert_true(crew_size() <= parcast_threads());
}

static void a_limit_is_kept(void **state)
{
    (void)state;
    size_t all = parcast_threads();
    assert_true(all >= 1);
    parcast_threads_limit(1);
    assert_int_equal(parcast_threads(), 1);
    parcast_threads_limit(1000000);
    assert_int_equal(parcast_threads(), all);
    parcast_threads_limit(0);
    assert_int_equal(parcast_threads(), all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_is_done_once),
        cmocka_unit_test(no_tasks_are_done_at_once),
        cmocka_unit_test(the_first_that_fails_is_told),
        cmocka_unit_test(what_a_task_gets_over_is_not_told),
        cmocka_unit_test(tasks_of_tasks_run_in_their_thread),
        cmocka_unit_test(a_limit_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
