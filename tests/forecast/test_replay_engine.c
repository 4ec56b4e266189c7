/* Engine replay: traces of runs on several nodes, replayed where they were made and elsewhere. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "parcast/forecast.h"
#include "parcast/validation.h"

enum { MOST_RUNS = 4 };
static const double bytes = 1e6;

/* Runs of two ranks with a trace each: rank 0 computes, sends a megabyte, and rank 1 computes on. */
struct set {
    parcast_run runs[MOST_RUNS];
    parcast_run_node nodes[MOST_RUNS][2];
    parcast_rank_profile ranks[MOST_RUNS][2];
    parcast_recorded_trace traces[MOST_RUNS];
    char paths[MOST_RUNS][64];
    parcast_replay_basis basis;
    parcast_fit_options options;
    size_t n;
};

static void ok(parcast_status status, const parcast_error *error)
{
    if (status) fail_msg("%s: %s", error->source, error->text);
}

static void write_trace(struct set *s, size_t i, double compute_s)
{
    parcast_error error = {0};
    parcast_trace_writer *writer;
    parcast_trace_info info;
    parcast_trace_event event;
    const parcast_trace_rank ranks[2] = {{.node = 0, .unit_s = 1, .end = PARCAST_TRACE_FINALIZED},
                                         {.node = 1, .unit_s = 1, .end = PARCAST_TRACE_FINALIZED}};
    static const char *const names[] = {"n0", "n1"};
    const parcast_trace_meta about = {.n_ranks = 2, .ranks = ranks, .n_nodes = 2, .nodes = names};
    strcpy(s->paths[i], "/tmp/parcast-engine-XXXXXX");
    int file = mkstemp(s->paths[i]);
    assert_true(file >= 0 && close(file) == 0);
    ok(parcast_trace_create(s->paths[i], &about, &writer, &error), &error);
    for (int32_t rank = 0; rank < 2; rank++) {
        parcast_trace_event_clear(&event, rank == 0 ? PARCAST_TRACE_SEND : PARCAST_TRACE_RECV);
        event.compute = rank == 0 ? compute_s : 0;
        event.peer = 1 - rank;
        event.bytes = (int64_t)bytes;
        ok(parcast_trace_write(writer, rank, &event, &error), &error);
        parcast_trace_event_clear(&event, PARCAST_TRACE_COMPUTE);
        event.compute = rank == 0 ? 0 : compute_s;
        ok(parcast_trace_write(writer, rank, &event, &error), &error);
    }
    ok(parcast_trace_finish(&writer, &info, &error), &error);
    s->traces[i] = (parcast_recorded_trace){
        .run = &s->runs[i],
        .path = s->paths[i],
        .file = {.bytes = info.file_bytes, .checksum = info.checksum, .n_events = info.n_events}};
}

/* Rank 0 on a node of the first type, rank 1 on one of the second. */
static void add(struct set *s, double time_s, double compute_s, char *first, char *second)
{
    size_t i = s->n++;
    static char program[] = "./pair";
    char *types[2] = {first, second};
    for (int k = 0; k < 2; k++) {
        s->nodes[i][k] =
            (parcast_run_node){.type = types[k], .n_ranks = 1, .cores = 1, .sockets = 1, .calibration = NAN};
        s->ranks[i][k] = (parcast_rank_profile){.rank = k, .node = k, .n_ranks = 2, .n_nodes = 2};
    }
    s->runs[i] = (parcast_run){.id = (int64_t)i + 1,
                               .program = program,
                               .n_ranks = 2,
                               .n_nodes_used = 2,
                               .complete = true,
                               .time_s = time_s,
                               .nodes = s->nodes[i],
                               .n_nodes = 2,
                               .ranks = s->ranks[i],
                               .n_profiles = 2};
    if (compute_s > 0) write_trace(s, i, compute_s);
    if (compute_s > 0) s->basis.n_traces++;
    s->basis.traces = s->traces;
    s->options.replay = &s->basis;
}

static void clear(struct set *s)
{
    for (size_t i = 0; i < s->basis.n_traces; i++) unlink(s->paths[i]);
}

static parcast_platform *machine(const char *nodes)
{
    char text[512];
    parcast_platform *platform;
    parcast_error error = {0};
    snprintf(text, sizeof text,
             "schema: parcast.platform/1\nname: test\nnodes: [%s]\n"
             "network: {topology: star, link_latency: 1e-3, bandwidth: 1e6}\n"
             "shared_memory: {latency: 1e-6, bandwidth: 1e9}\n",
             nodes);
    ok(parcast_platform_parse(text, strlen(text), "test", &platform, &error), &error);
    return platform;
}

static parcast_predictor *fit(struct set *s, const parcast_platform *platform)
{
    parcast_predictor *predictor;
    parcast_error error = {0};
    ok(parcast_predictor_create(PARCAST_ENGINE_REPLAY, s->runs, s->n, platform, &s->options, &predictor,
                                &error),
       &error);
    return predictor;
}

static parcast_point point_on(const parcast_predictor *predictor, const parcast_platform *platform,
                              parcast_placement_policy policy)
{
    parcast_placement *placement;
    parcast_point point;
    parcast_error error = {0};
    ok(parcast_placement_create(platform, 2, policy, false, &placement, &error), &error);
    ok(parcast_predictor_point(predictor, platform, placement, &point, &error), &error);
    parcast_placement_destroy(&placement);
    return point;
}

/* Two computations, two links' latency, a megabyte at a megabyte a second. */
static double between_nodes(double compute_s)
{
    return 2 * compute_s + 2e-3 + bytes / 1e6;
}

static char slow[] = "slow", fast[] = "fast", a[] = "a", unknown[] = "unknown";

static void a_point_is_what_its_placement_takes(void **state)
{
    struct set s = {.n = 0};
    (void)state;
    add(&s, 3, 1, a, a);
    parcast_platform *platform =
        machine("{type: a, count: 2, cores: 2}, {type: fast, count: 2, cores: 2, speed: 2}");
    parcast_platform *faster = machine("{type: fast, count: 2, cores: 2, speed: 2}");
    parcast_predictor *predictor = fit(&s, platform);
    assert_float_equal(parcast_predictor_report(predictor)->runs[0].fitted_s, between_nodes(1), 1e-9);
    assert_true(isnan(parcast_predictor_report(predictor)->runs[0].left_out_s));
    parcast_point point = point_on(predictor, platform, PARCAST_SPREAD);
    assert_float_equal(point.time_s, between_nodes(1), 1e-9);
    assert_float_equal(point.compute_s, 1, 1e-9);
    assert_float_equal(point.sensitivity[1], -1 / between_nodes(1), 1e-6);
    assert_string_equal(point.limit, "computing (a)");
    point = point_on(predictor, platform, PARCAST_FILL);
    assert_float_equal(point.time_s, 2 + 1e-6 + bytes / 1e9, 1e-9);
    point = point_on(predictor, faster, PARCAST_SPREAD);
    assert_float_equal(point.time_s, between_nodes(0.5), 1e-9);
    assert_string_equal(point.limit, "computing");
    parcast_predictor_destroy(&predictor);
    parcast_platform_destroy(&platform);
    parcast_platform_destroy(&faster);
    clear(&s);
}

/* The platform lists fast nodes first; rank 0 was on the slow one. Were they swapped, it would be 2.5 + 1 s.
 */
static void a_run_is_replayed_on_the_nodes_that_its_ranks_were_on(void **state)
{
    struct set s = {.n = 0};
    (void)state;
    add(&s, 3, 1, slow, fast);
    parcast_platform *platform =
        machine("{type: fast, count: 1, cores: 1, speed: 4}, {type: slow, count: 1, cores: 1, speed: 1}");
    parcast_predictor *predictor = fit(&s, platform);
    assert_float_equal(parcast_predictor_report(predictor)->runs[0].fitted_s, between_nodes(1), 1e-9);
    /* Spread begins with the fast node: rank 0 computes in a quarter, rank 1 four times as long. */
    parcast_point point = point_on(predictor, platform, PARCAST_SPREAD);
    assert_float_equal(point.time_s, 0.25 + 4 + 2e-3 + 1, 1e-9);
    parcast_predictor_destroy(&predictor);
    parcast_platform_destroy(&platform);
    clear(&s);
}

static void traces_have_their_median_and_are_held_against_each_other(void **state)
{
    struct set s = {.n = 0};
    (void)state;
    add(&s, 3.1, 1, a, a);
    add(&s, 3.3, 1.2, a, a);
    add(&s, 2.9, 0.9, a, a);
    add(&s, 3.2, 0, a, a); /* without a trace */
    parcast_platform *platform = machine("{type: a, count: 2, cores: 1}");
    parcast_predictor *predictor = fit(&s, platform);
    const parcast_used_run *runs = parcast_predictor_report(predictor)->runs;
    assert_int_equal(parcast_predictor_report(predictor)->n_runs, 4);
    assert_float_equal(point_on(predictor, platform, PARCAST_SPREAD).time_s, between_nodes(1), 1e-9);
    assert_float_equal(runs[0].left_out_s, 0.5 * (between_nodes(1.2) + between_nodes(0.9)), 1e-9);
    assert_float_equal(runs[1].left_out_s, 0.5 * (between_nodes(1) + between_nodes(0.9)), 1e-9);
    assert_float_equal(runs[3].left_out_s, between_nodes(1), 1e-9);
    assert_true(runs[3].held_out && isnan(runs[3].fitted_s) && !runs[0].held_out);
    double mean = 0;
    for (int i = 0; i < 4; i++) mean += 0.25 * fabs(runs[i].left_out_s / runs[i].time_s - 1);
    assert_float_equal(parcast_predictor_report(predictor)->loo_mean_ratio, mean, 1e-12);
    parcast_predictor_destroy(&predictor);
    parcast_platform_destroy(&platform);
    clear(&s);
}

/* s^2 = (t/1.96)^2 s_repeat^2 (1 + 1/k) + s_replay^2, as docs/models/replay.md has it. */
static void the_interval_is_that_of_repetitions_and_replays(void **state)
{
    struct set s = {.n = 0};
    (void)state;
    add(&s, 3, 1, a, a);
    add(&s, 3.1, 1, a, a);
    parcast_platform *platform = machine("{type: a, count: 2, cores: 1}");
    parcast_platform *same = machine("{type: a, count: 2, cores: 1}");
    parcast_predictor *predictor = fit(&s, platform);
    double difference = log(3.1 / 3), squares = difference * difference / 2 + 3 * 0.05 * 0.05;
    double t = 2.776 / 1.96; /* Student's t for 1 + 3 degrees of freedom */
    double e1 = log(between_nodes(1) / 3), e2 = log(between_nodes(1) / 3.1);
    double replay = fmax((e1 * e1 + e2 * e2) / 2, 1e-4);
    double variance = t * t * squares / 4 * 1.5 + replay;
    parcast_point seen = point_on(predictor, platform, PARCAST_SPREAD);
    assert_float_equal(log(seen.high_s / seen.time_s) / 1.96, sqrt(variance), 1e-9);
    assert_float_equal(log(seen.time_s / seen.low_s) / 1.96, sqrt(variance), 1e-9);
    /* Another platform, though like it: its network has not been seen. */
    double share = 1 / between_nodes(1), wait = 2e-3 / between_nodes(1);
    variance += pow(0.3 * share, 2) + pow(0.3 * wait, 2);
    parcast_point other = point_on(predictor, same, PARCAST_SPREAD);
    assert_float_equal(log(other.high_s / other.time_s) / 1.96, sqrt(variance), 1e-6);
    parcast_predictor_destroy(&predictor);
    parcast_platform_destroy(&platform);
    parcast_platform_destroy(&same);
    clear(&s);
}

static void nodes_that_nobody_describes_are_said(void **state)
{
    struct set s = {.n = 0};
    parcast_error error = {0};
    parcast_point point;
    (void)state;
    add(&s, 3, 1, unknown, unknown);
    parcast_platform *platform = machine("{type: a, count: 2, cores: 1}");
    parcast_predictor *predictor = fit(&s, platform);
    const parcast_fit_report *report = parcast_predictor_report(predictor);
    assert_true(isnan(report->runs[0].fitted_s));
    assert_int_equal(report->n_notes, 2); /* and that there is no trace of one process */
    assert_non_null(
        strstr(report->notes[0], "run 1 was made on 2 nodes that the platform does not describe"));
    assert_non_null(strstr(report->notes[0], "--recorded-on"));
    assert_float_equal(point_on(predictor, platform, PARCAST_SPREAD).time_s, between_nodes(1), 1e-9);
    assert_int_equal(parcast_predictor_run(predictor, platform, &s.runs[0], &point, &error), PARCAST_DATA);
    parcast_predictor_destroy(&predictor);
    parcast_platform_destroy(&platform);
    clear(&s);
}

/* Nodes of the same name and number: runs on them are those of the placement. */
static void runs_on_the_nodes_of_a_placement_are_known(void **state)
{
    struct set s = {.n = 0};
    (void)state;
    add(&s, 3, 0, a, a);
    add(&s, 3, 0, a, fast);
    add(&s, 3, 0, unknown, unknown);
    parcast_platform *platform = machine("{type: a, count: 2, cores: 2}");
    parcast_placement *spread, *fill;
    assert_int_equal(parcast_placement_create(platform, 2, PARCAST_SPREAD, false, &spread, NULL), PARCAST_OK);
    assert_int_equal(parcast_placement_create(platform, 2, PARCAST_FILL, false, &fill, NULL), PARCAST_OK);
    assert_true(parcast_forecast_same_nodes(&s.runs[0], platform, spread, false));
    assert_false(parcast_forecast_same_nodes(&s.runs[0], platform, fill, false));
    assert_false(parcast_forecast_same_nodes(&s.runs[1], platform, spread, false));
    assert_false(parcast_forecast_same_nodes(&s.runs[2], platform, spread, false));
    assert_true(parcast_forecast_same_nodes(&s.runs[2], platform, spread, true));
    parcast_placement_destroy(&spread);
    parcast_placement_destroy(&fill);
    parcast_platform_destroy(&platform);
}

static void the_bound_is_not_held_against_runs(void **state)
{
    struct set s = {.n = 0};
    const parcast_validation_platforms none = {NULL, NULL};
    parcast_validation *validation;
    parcast_error error = {0};
    (void)state;
    add(&s, 3, 0, a, a);
    assert_int_equal(
        parcast_validation_create(PARCAST_ENGINE_BOUND, s.runs, s.n, &none, NULL, NULL, &validation, &error),
        PARCAST_INVALID);
    assert_non_null(strstr(error.hint, "--engine all"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_is_what_its_placement_takes),
        cmocka_unit_test(a_run_is_replayed_on_the_nodes_that_its_ranks_were_on),
        cmocka_unit_test(traces_have_their_median_and_are_held_against_each_other),
        cmocka_unit_test(the_interval_is_that_of_repetitions_and_replays),
        cmocka_unit_test(nodes_that_nobody_describes_are_said),
        cmocka_unit_test(runs_on_the_nodes_of_a_placement_are_known),
        cmocka_unit_test(the_bound_is_not_held_against_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
