/* GOAL over LogGOPS against the rules read literally, on random programs; and what is said at a deadlock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "few.h"
#include "parcast/replay.h"
#include "reference.h"

static uint64_t random_state;

static int below(int n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((random_state >> 33) % (uint64_t)n);
}

static void add(struct reference_program *program, int rank, parcast_goal_kind kind, int64_t amount, int peer,
                int tag, int places)
{
    program->operations[program->n_operations++] = (struct reference_operation){.is = {.kind = kind,
                                                                                       .amount = amount,
                                                                                       .peer = peer,
                                                                                       .tag = tag,
                                                                                       .cpu = below(places),
                                                                                       .nic = below(places)},
                                                                                .rank = rank};
}

static int by_rank(const void *a, const void *b)
{
    return ((const struct reference_operation *)a)->rank - ((const struct reference_operation *)b)->rank;
}

/* What becomes ready together does so in the order of these lines. */
static void shuffle(struct reference_program *program)
{
    for (int i = program->n_dependences - 1; i > 0; i--) {
        int other = below(i + 1);
        struct reference_dependence kept = program->dependences[i];
        program->dependences[i] = program->dependences[other];
        program->dependences[other] = kept;
    }
}

/* Messages in random order, each with its receive; some receives take anything. Dependences go forward in
   that order, so that most programs end; those that do not are as good a test. */
static void random_program(struct reference_program *program, int places)
{
    static const int64_t sizes[] = {0, 1, 2, 50, 200, 1000, 5000};
    program->n_ranks = 2 + below(6);
    program->n_operations = program->n_dependences = 0;
    int n_messages = 5 + below(60);
    for (int i = 0; i < n_messages; i++) {
        int from = below(program->n_ranks), to = below(program->n_ranks), tag = below(3);
        int64_t bytes = sizes[below(7)];
        int any = below(6);
        add(program, from, PARCAST_GOAL_SEND, bytes, to, tag, places);
        if (below(3) == 0) add(program, from, PARCAST_GOAL_COMPUTE, below(4) ? below(3000) : 0, 0, 0, places);
        add(program, to, PARCAST_GOAL_RECEIVE, bytes, any == 0 ? -1 : from, any == 1 ? -1 : tag, places);
    }
    qsort(program->operations, (size_t)program->n_operations, sizeof program->operations[0], by_rank);
    for (int later = 1; later < program->n_operations; later++)
        for (int n = below(3); n > 0; n--) {
            int earlier = later - 1 - below(later < 8 ? later : 8);
            if (program->operations[earlier].rank != program->operations[later].rank) continue;
            program->dependences[program->n_dependences++] =
                (struct reference_dependence){later, earlier, below(4) == 0};
        }
    if (below(2)) shuffle(program);
}

static parcast_goal *build(const struct reference_program *program)
{
    parcast_goal *goal = NULL;
    parcast_error error = {0};
    int first = 0;
    assert_int_equal(parcast_goal_create(program->n_ranks, &goal, &error), PARCAST_OK);
    for (int rank = 0; rank < program->n_ranks; rank++) {
        int n = first;
        assert_int_equal(parcast_goal_begin(goal, rank, &error), PARCAST_OK);
        for (; n < program->n_operations && program->operations[n].rank == rank; n++)
            if (parcast_goal_add(goal, &program->operations[n].is, NULL, &error)) fail_msg("%s", error.text);
        for (int i = 0; i < program->n_dependences; i++) {
            const struct reference_dependence *d = &program->dependences[i];
            if (d->later < first || d->later >= n) continue;
            assert_int_equal(parcast_goal_require(goal, (uint64_t)(d->later - first),
                                                  (uint64_t)(d->earlier - first), d->started, &error),
                             PARCAST_OK);
        }
        first = n;
    }
    assert_int_equal(parcast_goal_finish(goal, &error), PARCAST_OK);
    return goal;
}

static parcast_loggops machine_of(const struct reference_parameters *p)
{
    return (parcast_loggops){.L_s = (double)p->L * 1e-9,
                             .o_s = (double)p->o * 1e-9,
                             .g_s = (double)p->g * 1e-9,
                             .G_s_per_byte = (double)p->G * 1e-9,
                             .O_s_per_byte = (double)p->O * 1e-9,
                             .S_bytes = (double)p->S};
}

/* Following what the dates consist of changes none of them, and the parts of the latest add up to it. */
static void compare_path(const struct reference_program *program, const parcast_loggops *machine,
                         const parcast_replay_result *plain)
{
    const parcast_replay_options options = {.critical_path = true};
    parcast_goal *goal = build(program);
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    if (parcast_replay_goal_with(goal, machine, &options, &result, &error)) fail_msg("%s", error.text);
    for (int r = 0; r < program->n_ranks; r++)
        assert_int_equal(result->ranks[r].end_ps, plain->ranks[r].end_ps);
    const parcast_replay_path *p = &result->path;
    double sum_s = p->compute_s + p->overhead_s + p->gap_s + p->latency_s + p->transfer_s;
    if (!(fabs(sum_s - result->time_s) < 1e-12)) fail_msg("%.15g is not %.15g", sum_s, result->time_s);
    assert_true(p->sleep_s == 0 && p->cores_s == 0 && p->sharing_s == 0);
    parcast_replay_result_destroy(&result);
    parcast_goal_destroy(&goal);
}

static void compare(const struct reference_program *program, const struct reference_parameters *parameters,
                    int *n_ended)
{
    int64_t end_ns[64];
    parcast_goal *goal = build(program);
    parcast_loggops machine = machine_of(parameters);
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    int n_left = reference_run(program, parameters, end_ns);
    parcast_status status = parcast_replay_goal(goal, &machine, &result, &error);
    parcast_goal_destroy(&goal);
    if (n_left > 0 || status) {
        assert_int_equal(status, PARCAST_DATA);
        assert_non_null(strstr(error.text, n_left > 0 ? "deadlock" : "never received"));
        assert_null(result);
        return;
    }
    (*n_ended)++;
    for (int r = 0; r < program->n_ranks; r++) assert_int_equal(result->ranks[r].end_ps, 1000 * end_ns[r]);
    compare_path(program, &machine, result);
    parcast_replay_result_destroy(&result);
}

static void compare_many(int places)
{
    static const struct reference_parameters machines[] = {{2500, 1500, 1000, 6, 0, 65535},
                                                           {3000, 500, 2000, 1, 1, 4096},
                                                           {1200, 300, 700, 2, 3, 100},
                                                           {0, 0, 0, 0, 0, 0},
                                                           {10, 0, 100, 0, 5, 1}};
    static struct reference_program program;
    int n_ended = 0;
    const uint64_t n = (uint64_t)few_or_all(100, 2000);
    for (uint64_t seed = 1; seed <= n; seed++) {
        random_state = seed * 7919;
        random_program(&program, places);
        compare(&program, &machines[seed % 5], &n_ended);
    }
    assert_in_range(n_ended, 3 * n / 20, 17 * n / 20);
}

static void random_programs_end_as_the_rules_say(void **state)
{
    (void)state;
    compare_many(1);
}

static void random_programs_on_several_cpus_end_as_the_rules_say(void **state)
{
    (void)state;
    compare_many(3);
}

static parcast_status run_text(const char *text, const parcast_loggops *machine,
                               parcast_replay_result **result, parcast_error *error)
{
    parcast_goal *goal = NULL;
    parcast_status status = parcast_goal_parse(text, strlen(text), "x.goal", &goal, error);
    if (!status) status = parcast_replay_goal(goal, machine, result, error);
    parcast_goal_destroy(&goal);
    return status;
}

static const parcast_loggops plain = {
    .L_s = 2.5e-6, .o_s = 1.5e-6, .g_s = 1e-6, .G_s_per_byte = 6e-9, .O_s_per_byte = 1e-9, .S_bytes = 1000};

static void a_deadlock_names_ranks_lines_and_the_cycle(void **state)
{
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    (void)state;
    assert_int_equal(run_text("num_ranks 3\nrank 0 {\nr: recv 1b from 1\ns: send 1b to 2\ns requires r\n}\n"
                              "rank 1 {\nr: recv 1b from 2 tag 4\ns: send 1b to 0\ns requires r\n}\n"
                              "rank 2 {\nr: recv 1b from 0\ns: send 1b to 1 tag 4\ns requires r\n}\n",
                              &plain, &result, &error),
                     PARCAST_DATA);
    assert_non_null(strstr(error.text, "rank 1 waits in recv 1b from rank 2 tag 4 (line 8)"));
    assert_non_null(strstr(error.hint, "0 -> 1 -> 2 -> 0"));
    assert_null(result);
    assert_int_equal(
        run_text("num_ranks 2\nrank 0 {\nsend 2000b to 1\n}\nrank 1 {\n}\n", &plain, &result, &error),
        PARCAST_DATA);
    assert_non_null(strstr(error.text, "rank 0 waits in send 2000b to rank 1 tag 0 (line 3)"));
    assert_int_equal(
        run_text("num_ranks 2\nrank 0 {\nsend 20b to 1 tag 3\n}\nrank 1 {\n}\n", &plain, &result, &error),
        PARCAST_DATA);
    assert_non_null(strstr(
        error.text,
        "1 message is sent and never received, one of them from rank 0 to rank 1: 20 bytes, tag 3 (line 3)"));
}

static void dependences_in_a_circle_are_a_deadlock(void **state)
{
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    (void)state;
    assert_int_equal(run_text("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\n",
                              &plain, &result, &error),
                     PARCAST_DATA);
    assert_non_null(strstr(error.text, "rank 0"));
}

static int64_t end_of(const char *text, const parcast_loggops *machine, int rank)
{
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    if (run_text(text, machine, &result, &error)) fail_msg("%s", error.text);
    int64_t end_ps = result->ranks[rank].end_ps;
    parcast_replay_result_destroy(&result);
    return end_ps;
}

static void options_change_what_they_say(void **state)
{
    const char *message = "num_ranks 2\nrank 0 {\nsend 101b to 1\n}\nrank 1 {\nrecv 101b from 0\n}\n";
    const char *late = "num_ranks 2\nrank 0 {\ns: send 2001b to 1\nc: calc 7\nc requires s\n}\n"
                       "rank 1 {\nrecv 2001b from 0\n}\n";
    const char *empty = "num_ranks 2\nrank 0 {\nsend 0b to 1\n}\nrank 1 {\nrecv 0b from 0\n}\n";
    parcast_loggops nic = plain, handshake = plain, compat = plain;
    (void)state;
    nic.receive_by_nic = handshake.handshake = compat.compat = true;
    /* sent at 4000, then the CPU for o + 100 G, or the interface for 100 G and the CPU for o + 100 O */
    assert_int_equal(end_of(message, &plain, 1), (4000 + 1500 + 600) * 1000);
    assert_int_equal(end_of(message, &nic, 1), (4000 + 600 + 1500 + 100) * 1000);
    /* the match is at 4000 */
    assert_int_equal(end_of(late, &plain, 0), (4000 + 7) * 1000);
    assert_int_equal(end_of(late, &handshake, 0), (4000 + 2 * 2500 + 2 * 1500 + 7) * 1000);
    assert_int_equal(end_of(empty, &plain, 0), 1500 * 1000);
    assert_int_equal(end_of(empty, &compat, 0), (1500 - 1) * 1000);
}

static void an_idle_cpu_starts_no_sooner_than_what_it_requires_has_ended(void **state)
{
    const char *text = "num_ranks 1\nrank 0 {\na: calc 1000\nb: calc 5 cpu 1\nb requires a\n}\n";
    parcast_loggops compat = plain;
    (void)state;
    compat.compat = true;
    const char *both = "num_ranks 1\nrank 0 {\na: calc 1000\nb: calc 5 cpu 1\nc: calc 1 cpu 1\n"
                       "c requires a\nc requires b\n}\n"; /* b is simulated last, and ends first */
    assert_int_equal(end_of(both, &plain, 0), 1001 * 1000);
    assert_int_equal(end_of(text, &plain, 0), 1005 * 1000);
    assert_int_equal(end_of(text, &compat, 0), 1000 * 1000);
}

static void times_beyond_the_clock_are_refused(void **state)
{
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    parcast_loggops bad = plain;
    (void)state;
    assert_int_equal(
        run_text("num_ranks 1\nrank 0 {\na: calc 900000000000000000\nb: calc 900000000000000000\n"
                 "b requires a\nc: calc 1\nc requires b\n}\n",
                 &plain, &result, &error),
        PARCAST_LIMIT);
    bad.G_s_per_byte = -1;
    assert_int_equal(run_text("num_ranks 1\nrank 0 {\ncalc 9\n}\n", &bad, &result, &error), PARCAST_INVALID);
    assert_non_null(strstr(error.text, "parameter G"));
}

static void times_and_counts_add_up(void **state)
{
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    (void)state;
    assert_int_equal(
        run_text("num_ranks 2\nrank 0 {\na: calc 4000\nb: send 200b to 1 tag 1\nb requires a\n}\n"
                 "rank 1 {\nrecv 200b from 0 tag 1\n}\n",
                 &plain, &result, &error),
        PARCAST_OK);
    assert_int_equal(result->n_messages, 1);
    assert_int_equal(result->n_events, 4);
    assert_float_equal(result->ranks[0].compute_s, 4e-6, 1e-18);
    assert_float_equal(result->ranks[0].compute_s + result->ranks[0].communication_s, result->ranks[0].end_s,
                       1e-18);
    assert_float_equal(result->ranks[1].compute_s, 0, 0);
    assert_float_equal(result->time_s, result->ranks[1].end_s, 0);
    assert_int_equal(result->most_in_flight, 1);
    parcast_replay_result_destroy(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_end_as_the_rules_say),
        cmocka_unit_test(random_programs_on_several_cpus_end_as_the_rules_say),
        cmocka_unit_test(a_deadlock_names_ranks_lines_and_the_cycle),
        cmocka_unit_test(dependences_in_a_circle_are_a_deadlock),
        cmocka_unit_test(options_change_what_they_say),
        cmocka_unit_test(an_idle_cpu_starts_no_sooner_than_what_it_requires_has_ended),
        cmocka_unit_test(times_beyond_the_clock_are_refused),
        cmocka_unit_test(times_and_counts_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
