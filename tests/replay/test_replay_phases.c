/* Times per phase: marked levels, regions and iterations, and iterations that are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "trace_maker.h"

static const parcast_loggops machine = {.L_s = 1e-3,
                                        .S_bytes = 1000}; /* messages take 1 ms and nothing else */

/* Operations of all ranks, given rank by rank. */
struct program {
    parcast_operation *operations;
    int *ranks;
    size_t n, *next; /* [n_ranks] */
    int n_ranks;
};

static void add(struct program *p, int rank, parcast_operation operation)
{
    p->operations = realloc(p->operations, (p->n + 1) * sizeof *p->operations);
    p->ranks = realloc(p->ranks, (p->n + 1) * sizeof *p->ranks);
    assert_non_null(p->operations);
    assert_non_null(p->ranks);
    p->operations[p->n] = operation;
    p->ranks[p->n++] = rank;
}

static void compute(struct program *p, int rank, double seconds)
{
    add(p, rank, (parcast_operation){.kind = PARCAST_OPERATION_COMPUTE, .seconds = seconds});
}

static void mark(struct program *p, int rank, parcast_mark what, int value)
{
    add(p, rank, (parcast_operation){.kind = PARCAST_OPERATION_MARK, .mark = what, .value = value});
}

static void pass(struct program *p, int rank, parcast_operation_kind kind, int peer, int tag)
{
    add(p, rank, (parcast_operation){.kind = kind, .peer = peer, .tag = tag, .bytes = 1});
}

static void barrier(struct program *p)
{
    for (int r = 0; r < p->n_ranks; r++)
        add(p, r,
            (parcast_operation){.kind = PARCAST_OPERATION_COLLECTIVE,
                                .collective = PARCAST_COLLECTIVE_BARRIER});
}

static parcast_status next(void *state, int rank, parcast_operation *operation, parcast_error *error)
{
    struct program *p = state;
    (void)error;
    size_t *at = &p->next[rank];
    while (*at < p->n && p->ranks[*at] != rank) ++*at;
    *operation = (parcast_operation){.kind = PARCAST_OPERATION_END};
    if (*at < p->n) *operation = p->operations[(*at)++];
    return PARCAST_OK;
}

static parcast_operation_source rewind_source(struct program *p)
{
    free(p->next);
    p->next = calloc((size_t)p->n_ranks, sizeof *p->next);
    assert_non_null(p->next);
    return (parcast_operation_source){.state = p, .n_ranks = p->n_ranks, .name = "program", .next = next};
}

static void release(struct program *p)
{
    free(p->operations);
    free(p->ranks);
    free(p->next);
}

static parcast_replay_result *replay(struct program *p, const parcast_replay_loop *loops)
{
    const parcast_replay_options options = {.loops = loops};
    parcast_operation_source source = rewind_source(p);
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    if (parcast_replay_run(&source, NULL, NULL, &machine, &options, &result, &error))
        fail_msg("%s", error.text);
    return result;
}

static parcast_replay_loop *find(struct program *p)
{
    parcast_operation_source source = rewind_source(p);
    parcast_replay_loop *loops = NULL;
    parcast_error error = {0};
    if (parcast_replay_find_loops(&source, &loops, &error)) fail_msg("%s", error.text);
    return loops;
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12)) fail_msg("%.15g is not %.15g", value, expected);
}

static void expect(const parcast_replay_result *r, size_t i, const char *name, double time_s,
                   double compute_s, double waiting_s)
{
    assert_true(i < r->n_phases);
    assert_string_equal(r->phases[i].name, name);
    near(r->phases[i].time_s, time_s);
    near(r->phases[i].compute_s, compute_s);
    near(r->phases[i].communication_s, time_s - compute_s);
    near(r->phases[i].waiting_s, waiting_s);
}

static void levels_add_up_over_ranks(void **state)
{
    struct program p = {.n_ranks = 2};
    (void)state;
    compute(&p, 0, 1);
    mark(&p, 0, PARCAST_MARK_LEVEL, 2);
    compute(&p, 0, 2);
    pass(&p, 0, PARCAST_OPERATION_SEND, 1, 0);
    mark(&p, 0, PARCAST_MARK_LEVEL, 5);
    compute(&p, 0, 1);
    mark(&p, 0, PARCAST_MARK_LEVEL, 2);
    compute(&p, 0, 0.5);
    mark(&p, 1, PARCAST_MARK_LEVEL, 2);
    pass(&p, 1, PARCAST_OPERATION_RECEIVE, 0, 0);
    compute(&p, 1, 1);
    parcast_replay_result *r = replay(&p, NULL);
    assert_int_equal(r->n_phases, 3);
    /* rank 0: 1 at level 1, which is that of the start, 2 + 0.5 at level 2, 1 at level 5; rank 1: 3.001 + 1
     * at level 2, of that 3 waiting
     */
    expect(r, 0, "level 1", 0.5, 0.5, 0);
    expect(r, 1, "level 2", (2.5 + 4.001) / 2, (2.5 + 1) / 2, 1.5);
    expect(r, 2, "level 5", 0.5, 0.5, 0);
    parcast_replay_result_destroy(&r);
    release(&p);
}

static void regions_nest_and_what_lies_inside_is_theirs(void **state)
{
    struct program p = {.n_ranks = 1};
    (void)state;
    mark(&p, 0, PARCAST_MARK_REGION_BEGIN, 1);
    compute(&p, 0, 1);
    mark(&p, 0, PARCAST_MARK_REGION_BEGIN, 2);
    compute(&p, 0, 2);
    mark(&p, 0, PARCAST_MARK_REGION_END, 2);
    compute(&p, 0, 4);
    mark(&p, 0, PARCAST_MARK_REGION_END, 9); /* never began */
    mark(&p, 0, PARCAST_MARK_REGION_END, 1);
    compute(&p, 0, 8);
    parcast_replay_result *r = replay(&p, NULL);
    assert_int_equal(r->n_phases, 3);
    expect(r, 0, "unmarked", 8, 8, 0);
    expect(r, 1, "region 1", 5, 5, 0);
    expect(r, 2, "region 2", 2, 2, 0);
    parcast_replay_result_destroy(&r);
    release(&p);
}

static void deep_regions_find_their_way_back(void **state)
{
    struct program p = {.n_ranks = 1};
    (void)state;
    for (int i = 0; i < 40; i++) mark(&p, 0, PARCAST_MARK_REGION_BEGIN, i);
    compute(&p, 0, 1);
    for (int i = 39; i >= 0; i--) mark(&p, 0, PARCAST_MARK_REGION_END, i);
    compute(&p, 0, 2);
    for (int i = 0; i < 200; i++) { /* more than the table has room for */
        mark(&p, 0, PARCAST_MARK_LEVEL, i);
        compute(&p, 0, 1);
    }
    parcast_replay_result *r = replay(&p, NULL);
    double sum_s = 0;
    for (size_t i = 0; i < r->n_phases; i++) sum_s += r->phases[i].time_s;
    expect(r, 0, "level 1", 3, 3, 0); /* and outside of the regions */
    assert_string_equal(r->phases[r->n_phases - 1].name, "other marks");
    near(sum_s, 203);
    parcast_replay_result_destroy(&r);
    release(&p);
}

static void marked_iterations_have_their_numbers(void **state)
{
    struct program p = {.n_ranks = 1};
    (void)state;
    compute(&p, 0, 1);
    for (int i = 10; i < 13; i++) {
        mark(&p, 0, PARCAST_MARK_ITERATION, i);
        compute(&p, 0, i);
    }
    parcast_replay_result *r = replay(&p, NULL);
    assert_int_equal(r->n_phases, 4);
    expect(r, 0, "before", 1, 1, 0);
    expect(r, 1, "iteration 10", 10, 10, 0);
    expect(r, 3, "iteration 12", 12, 12, 0);
    assert_true(r->phases[3].iteration);
    parcast_replay_result_destroy(&r);
    release(&p);
}

static void many_iterations_share_rows(void **state)
{
    enum { ITERATIONS = 1002 };
    struct program p = {.n_ranks = 1};
    (void)state;
    for (int i = 0; i < ITERATIONS; i++) {
        mark(&p, 0, PARCAST_MARK_ITERATION, i);
        compute(&p, 0, 0.25);
    }
    parcast_replay_result *r = replay(&p, NULL);
    assert_int_equal(r->n_phases, 251);
    expect(r, 0, "iterations 0-3", 1, 1, 0);
    expect(r, 250, "iterations 1000-1001", 0.5, 0.5, 0);
    parcast_replay_result_destroy(&r);
    release(&p);
}

static void put(parcast_trace_op op, double compute_s, int value)
{
    parcast_trace_event event = maker_event(op, compute_s);
    event.value = value;
    maker_put(0, &event);
}

static void marks_of_a_recorded_trace_make_both_kinds(void **state)
{
    parcast_replay_result *r = NULL;
    parcast_error error = {0};
    (void)state;
    maker_begin(1, NULL, 0);
    put(PARCAST_TRACE_PCONTROL, 1, 2);
    put(PARCAST_TRACE_ITERATION, 2, 7);
    put(PARCAST_TRACE_REGION_BEGIN, 4, 3);
    put(PARCAST_TRACE_REGION_END, 8, 3);
    put(PARCAST_TRACE_FINALIZE, 16, 0);
    if (maker_replay(maker_finish(), NULL, 0, &r, &error)) fail_msg("%s", error.text);
    assert_int_equal(r->n_phases, 5);
    expect(r, 0, "level 1", 1, 1, 0);
    expect(r, 1, "level 2", 2 + 4 + 16, 2 + 4 + 16, 0);
    expect(r, 2, "region 3", 8, 8, 0);
    expect(r, 3, "before", 3, 3, 0);
    expect(r, 4, "iteration 7", 28, 28, 0);
    assert_true(r->phases[4].iteration && !r->phases[2].iteration);
    parcast_replay_result_destroy(&r);
}

/* A ring of messages in a loop, with something before and after. */
static void ring(struct program *p, int rounds, int inner)
{
    int n = p->n_ranks;
    barrier(p);
    for (int i = 0; i < rounds; i++) {
        for (int k = 0; k < inner; k++)
            for (int r = 0; r < n; r++) {
                compute(p, r, 0.5);
                pass(p, r, PARCAST_OPERATION_SEND, (r + 1) % n, 0);
                pass(p, r, PARCAST_OPERATION_RECEIVE, (r + n - 1) % n, 0);
            }
        barrier(p);
    }
    for (int r = 0; r < n; r++) {
        pass(p, r, PARCAST_OPERATION_SEND, (r + 1) % n, 77);
        pass(p, r, PARCAST_OPERATION_RECEIVE, (r + n - 1) % n, 77);
    }
}

static void iterations_are_found_in_the_calls(void **state)
{
    struct program p = {.n_ranks = 3};
    (void)state;
    ring(&p, 5, 1);
    parcast_replay_loop *loops = find(&p);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(loops[r].first, 0); /* the barrier before looks like the end of an iteration */
        assert_int_equal(loops[r].length, 3);
        assert_int_equal(loops[r].n_rounds, 5);
    }
    parcast_replay_result *r = replay(&p, loops);
    assert_int_equal(r->n_phases, 6);
    double sum_s = 0;
    for (size_t i = 0; i < r->n_phases; i++) sum_s += r->phases[i].time_s;
    near(sum_s, r->time_s); /* all ranks do the same */
    assert_string_equal(r->phases[1].name, "iteration 1");
    near(r->phases[1].compute_s, 0.5);
    near(r->phases[1].time_s, r->phases[3].time_s);
    assert_string_equal(r->phases[5].name, "after");
    parcast_replay_result_destroy(&r);
    free(loops);
    release(&p);
}

static void of_nested_loops_the_outer_one_is_found(void **state)
{
    struct program p = {.n_ranks = 2};
    (void)state;
    ring(&p, 8, 25);
    parcast_replay_loop *loops = find(&p);
    assert_int_equal(loops[0].length, 51);
    assert_int_equal(loops[0].n_rounds, 8);
    free(loops);
    release(&p);
}

static void without_a_loop_none_is_made_up(void **state)
{
    struct program p = {.n_ranks = 2}, uneven = {.n_ranks = 2};
    uint64_t random = 1;
    (void)state;
    for (int i = 0; i < 300; i++) {
        random = random * UINT64_C(6364136223846793005) + 1;
        pass(&p, 0, PARCAST_OPERATION_SEND, 1, (int)(random >> 40));
        pass(&p, 1, PARCAST_OPERATION_RECEIVE, 0, (int)(random >> 40));
    }
    parcast_replay_loop *loops = find(&p);
    assert_int_equal(loops[0].n_rounds, 0);
    free(loops);
    for (int i = 0; i < 50; i++) { /* one rank goes round 50 times, the other never */
        pass(&uneven, 0, PARCAST_OPERATION_SEND, 1, 0);
        pass(&uneven, 1, PARCAST_OPERATION_RECEIVE, 0, i * i);
    }
    loops = find(&uneven);
    assert_int_equal(loops[0].n_rounds, 0);
    free(loops);
    release(&p);
    release(&uneven);
}

/* Rank 1 changes its partner from round to round: its loop is two of the others'. */
static void a_rank_that_repeats_every_other_time_makes_pairs(void **state)
{
    struct program p = {.n_ranks = 3};
    (void)state;
    for (int i = 0; i < 20; i++) {
        barrier(&p);
        pass(&p, 1, PARCAST_OPERATION_SEND, i % 2 ? 0 : 2, i % 2);
        pass(&p, i % 2 ? 0 : 2, PARCAST_OPERATION_RECEIVE, 1, i % 2);
        compute(&p, 0, 1);
    }
    parcast_replay_loop *loops = find(&p);
    for (int r = 0; r < 3; r++) assert_int_equal(loops[r].n_rounds, 10);
    assert_int_equal(loops[0].length, 3);
    assert_int_equal(loops[1].length, 4);
    free(loops);
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_add_up_over_ranks),
        cmocka_unit_test(regions_nest_and_what_lies_inside_is_theirs),
        cmocka_unit_test(deep_regions_find_their_way_back),
        cmocka_unit_test(marked_iterations_have_their_numbers),
        cmocka_unit_test(many_iterations_share_rows),
        cmocka_unit_test(marks_of_a_recorded_trace_make_both_kinds),
        cmocka_unit_test(iterations_are_found_in_the_calls),
        cmocka_unit_test(of_nested_loops_the_outer_one_is_found),
        cmocka_unit_test(without_a_loop_none_is_made_up),
        cmocka_unit_test(a_rank_that_repeats_every_other_time_makes_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
