/* GOAL text: what is read, what is refused and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "trace/goal.h"

static parcast_goal *parse(const char *text)
{
    parcast_goal *goal = NULL;
    parcast_error error = {0};
    if (parcast_goal_parse(text, strlen(text), "x.goal", &goal, &error))
        fail_msg("%d: %s", error.line, error.text);
    return goal;
}

static void expect_error(const char *text, int line, const char *part)
{
    parcast_goal *goal = NULL;
    parcast_error error = {0};
    assert_int_not_equal(parcast_goal_parse(text, strlen(text), "x.goal", &goal, &error), PARCAST_OK);
    if (!strstr(error.text, part)) fail_msg("'%s' does not say '%s'", error.text, part);
    assert_int_equal(error.line, line);
    assert_string_equal(error.source, "x.goal");
    assert_null(goal);
}

static void operations_are_read_with_their_options(void **state)
{
    parcast_goal *goal =
        parse("num_ranks 2 // two\nrank 1 {\n// nothing\nl1: recv 8b from -1 tag -1 cpu 3 nic 2\n"
              "calc 12 cpu 1\ntag: send 0b to 0\ntag irequires l1 }\nrank 0 { send 7b to 1 tag 9 }");
    struct goal_cursor cursor;
    struct goal_node node;
    (void)state;
    assert_int_equal(parcast_goal_ranks(goal), 2);
    assert_int_equal(parcast_goal_operations(goal), 4);
    assert_int_equal(goal->n_cpus, 4);
    assert_int_equal(goal->n_nics, 3);
    assert_true(goal_cursor_open(&cursor, goal, 1, 512));
    assert_true(goal_cursor_next(&cursor, &node));
    assert_int_equal(node.operation.kind, PARCAST_GOAL_RECEIVE);
    assert_int_equal(node.operation.amount, 8);
    assert_int_equal(node.operation.peer, PARCAST_GOAL_ANY);
    assert_int_equal(node.operation.tag, PARCAST_GOAL_ANY);
    assert_int_equal(node.operation.cpu, 3);
    assert_int_equal(node.operation.nic, 2);
    assert_int_equal(node.operation.line, 4);
    assert_int_equal(node.n_dependents, 1);
    assert_int_equal(node.dependents[0], 2 * 2 + 1);
    assert_true(goal_cursor_next(&cursor, &node));
    assert_int_equal(node.operation.kind, PARCAST_GOAL_COMPUTE);
    assert_int_equal(node.operation.amount, 12);
    assert_true(goal_cursor_next(&cursor, &node));
    assert_int_equal(node.operation.kind, PARCAST_GOAL_SEND);
    assert_int_equal(node.operation.tag, 0);
    assert_int_equal(node.n_required, 1);
    assert_true(goal_cursor_at_end(&cursor));
    goal_cursor_close(&cursor);
    parcast_goal_destroy(&goal);
}

static void labels_may_count_up_or_not(void **state)
{
    parcast_goal *goal =
        parse("num_ranks 1\nrank 0 {\nl1: calc 1\nl2: calc 1\nx: calc 1\nl4: calc 1\nl04: calc 1\n"
              "l3: calc 1\ncalc 1\nl7: calc 1\nl7 requires l1\nl4 requires l2\nl3 requires x\n"
              "l3 requires l04\n}\n");
    struct goal_cursor cursor;
    struct goal_node node;
    static const int64_t expected[] = {14, 4, 6, 0,
                                       2,  0, 0, 0}; /* twice the distance of the only dependent */
    (void)state;
    assert_true(goal_cursor_open(&cursor, goal, 0, 512));
    for (size_t i = 0; i < 8; i++) {
        assert_true(goal_cursor_next(&cursor, &node));
        assert_int_equal(node.n_dependents, expected[i] != 0);
        if (expected[i]) assert_int_equal(node.dependents[0], expected[i]);
    }
    goal_cursor_close(&cursor);
    parcast_goal_destroy(&goal);
}

static void mistakes_are_named_with_their_line(void **state)
{
    (void)state;
    expect_error("", 1, "begins with 'num_ranks'");
    expect_error("num_ranks 0\n", 1, "1 to");
    expect_error("num_ranks 2\nrank 2 {\n}\n", 2, "rank 2 is not below 2");
    expect_error("num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n", 4, "stands twice");
    expect_error("num_ranks 1\nrank 0 {\ncalc 1\n", 4, "cut off");
    expect_error("num_ranks 1\nrank 0 {\ncalc -1\n}\n", 3, "whole nanoseconds");
    expect_error("num_ranks 1\nrank 0 {\nsend 10 to 0\n}\n", 3, "size like 64b");
    expect_error("num_ranks 1\nrank 0 {\nsend 10b from 0\n}\n", 3, "expected 'to'");
    expect_error("num_ranks 1\nrank 0 {\nsend 10b to 1\n}\n", 3, "no rank 1 among 1");
    expect_error("num_ranks 1\nrank 0 {\nsend 10b to -1\n}\n", 3, "expected a rank");
    expect_error("num_ranks 1\nrank 0 {\nsend 10b to 0 tag -1\n}\n", 3, "expected a tag");
    expect_error("num_ranks 1\nrank 0 {\ncalc 1 cpu 256\n}\n", 3, "0 to 255");
    expect_error("num_ranks 1\nrank 0 {\na: calc 1\na: calc 1\n}\n", 4, "'a' stands twice");
    expect_error("num_ranks 1\nrank 0 {\na: calc 1\na requires b\n}\n", 4, "'b' is not defined");
    expect_error("num_ranks 1\nrank 0 {\na: calc 1\na requires a\n}\n", 4, "cannot require itself");
    expect_error("num_ranks 1\nrank 0 {\nl1: calc 1\nl2: calc 1\nl1 requires l3\n}\n", 5,
                 "'l3' is not defined");
    expect_error("num_ranks 1\nrank 0 {\na: wait 1\n}\n", 3, "after a label");
    expect_error("num_ranks 1\nrank 0 {\n#\n}\n", 3, "expected an operation");
    expect_error("num_ranks 1\nrank 0 {\ncalc 9999999999999999999\n}\n", 3, "whole nanoseconds");
}

/* Long gaps, so that statements lie across the ends of the reader's buffer. */
static void a_file_reads_like_memory(void **state)
{
    char name[] = "/tmp/parcast-goal-XXXXXX";
    int file = mkstemp(name);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "w");
    enum { RANKS = 7, OPERATIONS = 4000 };
    (void)state;
    assert_non_null(out);
    fprintf(out, "num_ranks %d\n", RANKS);
    for (int r = 0; r < RANKS; r++) {
        fprintf(out, "rank %d {\n", r);
        for (int i = 1; i <= OPERATIONS; i++) {
            fprintf(out, "l%d: send %db to %d tag %d\n", i, i, (r + i) % RANKS, i % 5);
            if (i > 1) fprintf(out, "l%d requires l%d // and\t so on %*s\n", i, i - 1, i % 97, "");
        }
        fprintf(out, "}\n//%*s\n", 300000, "");
    }
    assert_int_equal(fclose(out), 0);
    parcast_goal *goal = NULL;
    parcast_error error = {0};
    if (parcast_goal_load(name, &goal, &error)) fail_msg("%d: %s", error.line, error.text);
    unlink(name);
    assert_int_equal(parcast_goal_operations(goal), RANKS * OPERATIONS);
    for (int r = 0; r < RANKS; r++) {
        struct goal_cursor cursor;
        struct goal_node node;
        goal_cursor_open(&cursor, goal, r, 512);
        for (int i = 1; i <= OPERATIONS; i++) {
            assert_true(goal_cursor_next(&cursor, &node));
            assert_int_equal(node.operation.amount, i);
            assert_int_equal(node.operation.peer, (r + i) % RANKS);
            assert_int_equal(node.n_required, i > 1);
        }
        assert_true(goal_cursor_at_end(&cursor));
        goal_cursor_close(&cursor);
    }
    parcast_goal_destroy(&goal);
}

/* More than the store keeps in memory: the rest goes through its file, and a dependence far back is refused.
 */
static void a_long_program_goes_through_a_file(void **state)
{
    enum { OPERATIONS = 3000000, MANY = 1000 };
    parcast_goal *goal = NULL;
    parcast_error error = {0};
    parcast_goal_operation send = {.kind = PARCAST_GOAL_SEND, .peer = 0, .line = 1000000000};
    uint64_t number;
    (void)state;
    assert_int_equal(parcast_goal_create(1, &goal, &error), PARCAST_OK);
    assert_int_equal(parcast_goal_begin(goal, 0, &error), PARCAST_OK);
    for (int i = 0; i < OPERATIONS; i++) {
        send.amount = (int64_t)1 << (i % 60);
        assert_int_equal(parcast_goal_add(goal, &send, &number, &error), PARCAST_OK);
        if (i > 0 && i <= MANY)
            assert_int_equal(parcast_goal_require(goal, number, 0, false, &error), PARCAST_OK);
    }
    assert_int_equal(parcast_goal_require(goal, number, 5, false, &error), PARCAST_LIMIT);
    assert_non_null(strstr(error.text, "reaches back"));
    assert_int_equal(parcast_goal_finish(goal, &error), PARCAST_OK);
    assert_true(goal->store.file >= 0);
    struct goal_cursor cursor;
    struct goal_node node;
    goal_cursor_open(&cursor, goal, 0, 512);
    for (int i = 0; i < OPERATIONS; i++) {
        assert_true(goal_cursor_next(&cursor, &node));
        assert_int_equal(node.operation.amount, (int64_t)1 << (i % 60));
        if (i == 0) assert_int_equal(node.n_dependents, MANY);
    }
    goal_cursor_close(&cursor);
    parcast_goal_destroy(&goal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_read_with_their_options),
        cmocka_unit_test(labels_may_count_up_or_not),
        cmocka_unit_test(mistakes_are_named_with_their_line),
        cmocka_unit_test(a_file_reads_like_memory),
        cmocka_unit_test(a_long_program_goes_through_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
