/* Files of rules: what they say, and what is said when they are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "replay/choose.h"

static parcast_status parse(const char *text, struct rules *rules, parcast_error *error)
{
    return rules_parse(text, strlen(text), "x.rules", rules, error);
}

static void the_first_rule_that_fits_counts(void **state)
{
    const char *text =
        "# rules\ntable openmpi\n\nbcast 16 8192 binomial # small ones\nbcast 16 * pipeline segment 4096\n"
        "bcast * 100 linear\nreduce * * binary";
    struct rules rules;
    (void)state;
    assert_int_equal(parse(text, &rules, NULL), PARCAST_OK);
    assert_int_equal(rules.n, 4);
    assert_string_equal(rules.table, "openmpi");
    assert_int_equal(rules_find(&rules, PARCAST_COLLECTIVE_BCAST, 16, 8192)->algorithm, ALGORITHM_BINOMIAL);
    const struct rule *pipeline = rules_find(&rules, PARCAST_COLLECTIVE_BCAST, 16, 8193);
    assert_int_equal(pipeline->algorithm, ALGORITHM_PIPELINE);
    assert_int_equal(pipeline->segment_bytes, 4096);
    assert_int_equal(rules_find(&rules, PARCAST_COLLECTIVE_BCAST, 17, 100)->algorithm, ALGORITHM_LINEAR);
    assert_null(rules_find(&rules, PARCAST_COLLECTIVE_BCAST, 17, 101));
    assert_null(rules_find(&rules, PARCAST_COLLECTIVE_ALLREDUCE, 2, 1));
    rules_destroy(&rules);
}

static void expect(const char *text, int line, const char *part)
{
    struct rules rules;
    parcast_error error = {0};
    assert_int_equal(parse(text, &rules, &error), PARCAST_FORMAT);
    assert_int_equal(error.line, line);
    if (!strstr(error.text, part) && !strstr(error.hint, part)) fail_msg("'%s' lacks '%s'", error.text, part);
}

static void mistakes_name_line_and_word(void **state)
{
    (void)state;
    expect("bcast * * binomial\nbroadcast * * binomial\n", 2, "no collective 'broadcast'");
    expect("bcast * * bruck\n", 1, "scatter_ring");
    expect("bcast x * binomial\n", 1, "'x'");
    expect("bcast * -1 binomial\n", 1, "'-1'");
    expect("bcast * inf binomial\n", 1, "'inf'");
    expect("\n\nbcast * binomial\n", 3, "COLLECTIVE RANKS BYTES ALGORITHM");
    expect("bcast * * pipeline segment 0\n", 1, "'0'");
    expect("bcast * * pipeline 5\n", 1, "segment");
    expect("table intel\n", 1, "'intel'");
    expect("a b c d e f g\n", 1, "too many words");
}

static struct schedule_plan plan_of(const struct choice *choice, parcast_collective collective, int64_t bytes,
                                    uint32_t n_ranks)
{
    const parcast_operation operation = {
        .kind = PARCAST_OPERATION_COLLECTIVE, .collective = collective, .bytes = bytes};
    return choose_plan(choice, &operation, n_ranks, NULL);
}

/* What parts a library's choice is made of goes by the library's rules for these. */
static void plans_follow_the_tables(void **state)
{
    struct choice choice;
    parcast_replay_options options = {.collectives = "openmpi"};
    (void)state;
    assert_int_equal(choose_create(&choice, &options, NULL, NULL, NULL), PARCAST_OK);
    struct schedule_plan plan =
        plan_of(&choice, PARCAST_COLLECTIVE_REDUCE_SCATTER, 1, 40); /* 40 bytes in all */
    assert_int_equal(plan.algorithm, ALGORITHM_REDUCE_SCATTERV);
    assert_int_equal(plan.parts[0], ALGORITHM_BINOMIAL_OVERLAPPED);
    assert_int_equal(plan.parts[1], ALGORITHM_LINEAR);
    plan = plan_of(&choice, PARCAST_COLLECTIVE_ALLREDUCE, 1000, 200);
    assert_int_equal(plan.algorithm, ALGORITHM_REDUCE_BCAST);
    assert_int_equal(plan.parts[1], ALGORITHM_BINARY);
    options.algorithms[PARCAST_COLLECTIVE_BCAST] = "knomial";
    choose_destroy(&choice);
    assert_int_equal(choose_create(&choice, &options, NULL, NULL, NULL), PARCAST_OK);
    assert_int_equal(plan_of(&choice, PARCAST_COLLECTIVE_ALLREDUCE, 1000, 200).parts[1], ALGORITHM_KNOMIAL);
    choose_destroy(&choice);
}

static void what_does_not_fit_the_ranks_is_named(void **state)
{
    struct choice choice;
    const parcast_replay_options options = {.algorithms[PARCAST_COLLECTIVE_ALLTOALL] = "pairwise_xor"};
    enum collective_algorithm missing;
    (void)state;
    assert_int_equal(choose_create(&choice, &options, NULL, NULL, NULL), PARCAST_OK);
    struct schedule_plan plan = plan_of(&choice, PARCAST_COLLECTIVE_ALLTOALL, 10, 8);
    assert_true(choose_fits(&plan, PARCAST_COLLECTIVE_ALLTOALL, 8, NULL, &missing));
    assert_false(choose_fits(&plan, PARCAST_COLLECTIVE_ALLTOALL, 12, NULL, &missing));
    assert_int_equal(missing, ALGORITHM_PAIRWISE_XOR);
    choose_destroy(&choice);
}

/* As SimGrid's default does, whose times the cases of time-independent traces are. */
static void naive_collectives_are_those_of_simgrid(void **state)
{
    static const int64_t equal[] = {50, 50, 50, 50}, unequal[] = {50, 50, 0, 50},
                         large[] = {400000, 100000, 40000, 0};
    struct choice choice;
    const parcast_replay_options options = {.collectives = "naive"};
    parcast_operation o = {.kind = PARCAST_OPERATION_COLLECTIVE,
                           .collective = PARCAST_COLLECTIVE_REDUCE_SCATTER,
                           .element_bytes = 1};
    (void)state;
    assert_int_equal(choose_create(&choice, &options, NULL, NULL, NULL), PARCAST_OK);
    assert_int_equal(plan_of(&choice, PARCAST_COLLECTIVE_ALLTOALL, 100, 8).algorithm, ALGORITHM_NAIVE);
    assert_int_equal(plan_of(&choice, PARCAST_COLLECTIVE_ALLTOALL, 100, 16).algorithm, ALGORITHM_BRUCK);
    assert_int_equal(plan_of(&choice, PARCAST_COLLECTIVE_ALLTOALL, 600000, 4).algorithm,
                     ALGORITHM_PAIRWISE_XOR);
    o.counts = equal;
    assert_int_equal(choose_plan(&choice, &o, 4, NULL).algorithm, ALGORITHM_NAIVE);
    o.counts = unequal;
    assert_int_equal(choose_plan(&choice, &o, 4, NULL).algorithm, ALGORITHM_RECURSIVE_DOUBLING_UNFOLDED);
    o.counts = large;
    assert_int_equal(choose_plan(&choice, &o, 4, NULL).algorithm, ALGORITHM_PAIRWISE_SHIFT);
    o.element_bytes = 8; /* it counts elements */
    assert_int_equal(choose_plan(&choice, &o, 4, NULL).algorithm, ALGORITHM_RECURSIVE_DOUBLING_UNFOLDED);
    choose_destroy(&choice);
}

static void expect_choice(const char *option, const char *of_platform, bool assumed, const char *mpi,
                          enum choose_table table, parcast_collectives_from from)
{
    struct choice choice;
    char *key = of_platform ? strdup(of_platform) : NULL;
    const parcast_replay_options options = {.collectives = option};
    const parcast_platform platform = {.network = {.collectives = key, .collectives_assumed = assumed}};
    assert_int_equal(choose_create(&choice, &options, &platform, mpi, NULL), PARCAST_OK);
    assert_int_equal(choice.table, table);
    assert_int_equal(choice.from, from);
    choose_destroy(&choice);
    free(key);
}

static void the_library_of_the_recording_decides_unless_somebody_says_otherwise(void **state)
{
    (void)state;
    expect_choice(NULL, NULL, false, NULL, CHOOSE_MPICH, PARCAST_COLLECTIVES_USUAL);
    expect_choice(NULL, NULL, false, "unknown", CHOOSE_MPICH, PARCAST_COLLECTIVES_USUAL);
    expect_choice(NULL, NULL, false, "Open MPI 4.1.4", CHOOSE_OPENMPI, PARCAST_COLLECTIVES_RECORDING);
    expect_choice(NULL, NULL, false, "MPICH 4.0.2", CHOOSE_MPICH, PARCAST_COLLECTIVES_RECORDING);
    expect_choice(NULL, NULL, false, "Intel MPI 2021.9", CHOOSE_MPICH, PARCAST_COLLECTIVES_RECORDING);
    expect_choice("mpich", "naive", false, "Open MPI 4.1.4", CHOOSE_MPICH, PARCAST_COLLECTIVES_OPTION);
    expect_choice(NULL, "naive", false, "Open MPI 4.1.4", CHOOSE_NAIVE, PARCAST_COLLECTIVES_PLATFORM);
    /* what a platform of SimGrid's does not say itself counts for its own traces only */
    expect_choice(NULL, "naive", true, "Open MPI 4.1.4", CHOOSE_OPENMPI, PARCAST_COLLECTIVES_RECORDING);
    expect_choice(NULL, "naive", true, NULL, CHOOSE_NAIVE, PARCAST_COLLECTIVES_PLATFORM);
}

static void what_rules_leave_open_is_done_as_by_the_library_of_the_recording(void **state)
{
    char path[] = "/tmp/parcast-rules-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    (void)state;
    assert_non_null(file);
    fputs("bcast * * linear\n", file);
    assert_int_equal(fclose(file), 0);
    expect_choice(path, NULL, false, "Open MPI 4.1.4", CHOOSE_OPENMPI, PARCAST_COLLECTIVES_OPTION);
    expect_choice(path, NULL, false, NULL, CHOOSE_MPICH, PARCAST_COLLECTIVES_OPTION);
    file = fopen(path, "a");
    fputs("table naive\n", file);
    assert_int_equal(fclose(file), 0);
    expect_choice(path, NULL, false, "Open MPI 4.1.4", CHOOSE_NAIVE, PARCAST_COLLECTIVES_OPTION);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_rule_that_fits_counts),
        cmocka_unit_test(mistakes_name_line_and_word),
        cmocka_unit_test(plans_follow_the_tables),
        cmocka_unit_test(what_does_not_fit_the_ranks_is_named),
        cmocka_unit_test(naive_collectives_are_those_of_simgrid),
        cmocka_unit_test(the_library_of_the_recording_decides_unless_somebody_says_otherwise),
        cmocka_unit_test(what_rules_leave_open_is_done_as_by_the_library_of_the_recording),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
