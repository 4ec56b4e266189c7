/*
 * Time to plan 10,000 different iterations on 100 node counts under a deadline, and to decide at a safe point
 * with 64 node counts and 256 samples. Prints JSON; CPU seconds, median of five.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../tests/plan/scenario.h"
#include "measure.h"
#include "parcast/decision.h"

enum { REPETITIONS = 5, DECISIONS = 200 };

static void check(parcast_status status, const parcast_error *error)
{
    if (!status) return;
    fprintf(stderr, "bench_plan: %s\n", error->text);
    exit(1);
}

static parcast_malleable *shrinking(int n_blocks, int n_sizes)
{
    double *work = calloc((size_t)n_blocks, sizeof *work);
    if (!work) abort();
    for (int k = 0; k < n_blocks; k++) work[k] = pow(1 - k / (double)n_blocks, 2);
    struct scenario s = {.n_blocks = n_blocks,
                         .iterations_per_block = 1,
                         .n_sizes = n_sizes,
                         .work = work,
                         .serial_s = 20,
                         .fixed_ratio = 0.01,
                         .p_cost_s = 0.005,
                         .price_per_hour = 1,
                         .sd_ln = 0.1,
                         .move = scenario_move(2)};
    parcast_malleable *m = scenario_create(&s);
    free(work);
    return m;
}

static double plan_s(double *gap_ratio, size_t *stretches)
{
    double seconds[REPETITIONS];
    parcast_error error;
    parcast_malleable *m = shrinking(10000, 100);
    parcast_plan *plan, *fastest;
    parcast_plan_goal none = {NAN, NAN};
    check(parcast_plan_create(m, &none, true, &fastest, &error), &error);
    parcast_plan_goal goal = {2 * fastest->time_s, NAN};
    parcast_plan_destroy(&fastest);
    for (int r = 0; r < REPETITIONS; r++) {
        double start = cpu_s();
        check(parcast_plan_create(m, &goal, true, &plan, &error), &error);
        seconds[r] = cpu_s() - start;
        *gap_ratio = plan->cost / plan->bound - 1;
        *stretches = plan->n_stretches;
        parcast_plan_destroy(&plan);
    }
    parcast_malleable_destroy(&m);
    return median(seconds, REPETITIONS);
}

static double decision_s(void)
{
    double seconds[REPETITIONS];
    parcast_error error;
    parcast_malleable *m = shrinking(10000, 64);
    parcast_plan_goal goal = {8000, NAN};
    parcast_decision *d;
    check(parcast_decision_create(m, &goal, NULL, &d, &error), &error);
    for (int i = 0; i < 256; i++)
        check(parcast_decision_measured(d, 16, i, 1, m->iteration_s[(size_t)i * 64 + 15], &error), &error);
    for (int r = 0; r < REPETITIONS; r++) {
        double start = cpu_s();
        for (int i = 0; i < DECISIONS; i++) {
            parcast_run_state state = {.elapsed_s = 400 + r,
                                       .cost = NAN,
                                       .iteration = 256,
                                       .iterations_left = -1,
                                       .nodes = 16,
                                       .nodes_available = 64};
            parcast_answer answer;
            check(parcast_decision_take(d, &state, &answer, &error), &error);
        }
        seconds[r] = (cpu_s() - start) / DECISIONS;
    }
    parcast_decision_destroy(&d);
    parcast_malleable_destroy(&m);
    return median(seconds, REPETITIONS);
}

int main(void)
{
    double gap_ratio = NAN;
    size_t stretches = 0;
    double plan = plan_s(&gap_ratio, &stretches), decision = decision_s();
    printf(
        "{\"schema\": \"parcast.bench/1\", \"what\": \"plan\", \"iterations\": 10000, \"node_counts\": 100, "
        "\"plan_s\": %.6f, \"above_bound_ratio\": %.3g, \"stretches\": %zu, \"decision_node_counts\": 64, "
        "\"decision_samples\": 256, \"decision_s\": %.6f}\n",
        plan, gap_ratio, stretches, decision);
    return 0;
}
