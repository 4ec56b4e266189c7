#include "run_decide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "parcast/plan.h"
#include "parcast/units.h"
#include "study_runs.h"

struct decider {
    struct decide_request request;
    parcast_goal goal;
    struct cli_runs runs;
    parcast_platform *own, *platform; /* `own` is to be destroyed */
    parcast_course course;
    parcast_malleable *malleable;
    parcast_decision *decision;

    int64_t measured_iteration; /* up to which the decision knows the times */
    double measured_s;          /* of running_s */
    int measured_nodes;
    double cost, cost_s; /* charged until this time */
    int cost_nodes;
    parcast_answer first, last;
    bool answered, warned;
};

/* -------- the study -------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_problem(const struct decide_request *request, const parcast_run *run)
{
    if (!run->program || strcmp(base_name(run->program), base_name(request->program)) != 0 ||
        run->n_arguments != request->n_arguments)
        return false;
    for (size_t i = 0; i < run->n_arguments; i++)
        if (strcmp(run->arguments[i], request->arguments[i]) != 0) return false;
    return true;
}

/* Complete runs of the program with these arguments, as a list of numbers; NULL if there is none. */
static char *list_runs(const struct decide_request *request, const parcast_run_list *list)
{
    char *text = NULL;
    size_t bytes = 0, n = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return NULL;
    for (size_t i = 0; i < list->n_runs; i++)
        if (list->runs[i].complete && is_problem(request, &list->runs[i]))
            fprintf(out, "%s%lld", n++ ? "," : "", (long long)list->runs[i].id);
    fclose(out);
    if (n > 0) return text;
    free(text);
    return NULL;
}

static parcast_status load_runs(struct decider *d, parcast_error *error)
{
    parcast_study *study;
    parcast_run_list list = {0};
    parcast_status status = parcast_study_open(d->request.study, PARCAST_STUDY_READ, &study, error);
    if (status) return status;
    status = parcast_study_list(study, 0, &list, error);
    parcast_study_close(&study);
    if (status) return status;
    char *ids = list_runs(&d->request, &list);
    parcast_run_list_clear(&list);
    if (!ids) {
        parcast_error_set(error, PARCAST_DATA, d->request.study, 0,
                          "it holds no complete run of '%s' with these arguments",
                          base_name(d->request.program));
        parcast_error_hint(error, "record some first: parcast record -s %s -n 1,2 -- %s ...",
                           d->request.study, d->request.program);
        return PARCAST_DATA;
    }
    status = cli_runs_load(d->request.study, ids, &d->runs, error);
    free(ids);
    return status;
}

static parcast_status read_course(struct decider *d, parcast_error *error)
{
    parcast_study *study;
    char *json = NULL;
    parcast_error none = {0};
    parcast_status status = parcast_study_open(d->request.study, PARCAST_STUDY_READ, &study, error);
    if (status) return status;
    if (parcast_study_latest_result(study, d->runs.problem_id, "parcast.run/1", &json, &none) != PARCAST_OK)
        json = NULL;
    parcast_study_close(&study);
    status = parcast_course_read(d->runs.runs, d->runs.n_runs, json, d->platform, &d->course, error);
    free(json);
    return status;
}

/* -------- the decision -------- */

static parcast_status read_goal(struct decider *d, parcast_error *error)
{
    d->goal = (parcast_goal){.deadline_s = NAN, .budget = NAN};
    if (d->request.deadline &&
        parcast_units_deadline(d->request.deadline, time(NULL), &d->goal.deadline_s, error))
        return PARCAST_INVALID;
    if (!d->request.budget) return PARCAST_OK;
    char *end;
    d->goal.budget = strtod(d->request.budget, &end);
    if (end != d->request.budget && !*end && d->goal.budget >= 0 && isfinite(d->goal.budget))
        return PARCAST_OK;
    return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--budget '%s' is no amount",
                             d->request.budget);
}

static parcast_status make_malleable(struct decider *d, parcast_error *error)
{
    parcast_predictor *predictor;
    parcast_malleable_options options = {
        .n_iterations = d->request.iterations ? d->request.iterations : d->course.n_iterations,
        .work = d->course.work,
        .n_work = d->course.n_work,
        .min_nodes = d->request.min_nodes,
        .max_nodes = d->request.max_nodes,
        .ranks_per_node = d->request.ranks_per_node,
        .other_machine = d->request.platform != NULL,
        .move = &d->course.move,
    };
    parcast_status status = parcast_predictor_create(PARCAST_ENGINE_MODEL, d->runs.runs, d->runs.n_runs,
                                                     d->platform, NULL, &predictor, error);
    if (status) return status;
    status =
        parcast_malleable_create(predictor, d->platform, &d->runs.runs[0], &options, &d->malleable, error);
    parcast_predictor_destroy(&predictor);
    return status;
}

static parcast_status make_decision(struct decider *d, parcast_error *error)
{
    parcast_decision_options options = {.interval = d->request.interval};
    parcast_status status = PARCAST_OK;
    if (d->request.policy) status = parcast_policy_parse(d->request.policy, &options.policy, error);
    if (!status && d->request.range) status = parcast_units_time(d->request.range, &options.range_s, error);
    return status ? status : parcast_decision_create(d->malleable, &d->goal, &options, &d->decision, error);
}

parcast_status decider_open(const struct decide_request *request, struct decider **decider,
                            parcast_error *error)
{
    struct decider *d = calloc(1, sizeof *d);
    if (!d) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    d->request = *request;
    parcast_status status = read_goal(d, error);
    if (!status) status = load_runs(d, error);
    if (!status)
        status = request->platform ? PARCAST_OK
                                   : parcast_platform_from_runs(d->runs.runs, d->runs.n_runs,
                                                                request->max_nodes, &d->own, error);
    d->platform = request->platform ? request->platform : d->own;
    if (!status) status = read_course(d, error);
    if (!status) status = make_malleable(d, error);
    if (!status) status = make_decision(d, error);
    if (status) {
        decider_close(&d);
        return status;
    }
    *decider = d;
    return PARCAST_OK;
}

void decider_close(struct decider **decider)
{
    struct decider *d = *decider;
    if (!d) return;
    parcast_decision_destroy(&d->decision);
    parcast_malleable_destroy(&d->malleable);
    parcast_course_clear(&d->course);
    parcast_platform_destroy(&d->own);
    cli_runs_clear(&d->runs);
    free(d);
    *decider = NULL;
}

/* -------- while it runs -------- */

static double price_per_s(const struct decider *d, int nodes)
{
    int size = parcast_malleable_size(d->malleable, nodes);
    return size < 0 ? NAN : d->malleable->sizes[size].price_per_s;
}

static void charge(struct decider *d, const parcast_supervised *state)
{
    if (d->cost_nodes > 0) d->cost += (state->elapsed_s - d->cost_s) * price_per_s(d, d->cost_nodes);
    d->cost_s = state->elapsed_s;
    d->cost_nodes = state->nodes;
}

/* What ran since the last look. */
static parcast_status measure(struct decider *d, const parcast_supervised *state, parcast_error *error)
{
    if (state->nodes != d->measured_nodes || state->since_iteration > d->measured_iteration ||
        state->running_s < d->measured_s || state->iteration < d->measured_iteration) {
        d->measured_nodes = state->nodes;
        d->measured_iteration = state->since_iteration;
        d->measured_s = 0;
    }
    int64_t n = state->iteration - d->measured_iteration;
    double time_s = state->running_s - d->measured_s;
    if (state->nodes < 1 || n < 1 || !(time_s > 0)) return PARCAST_OK;
    parcast_status status =
        parcast_decision_measured(d->decision, state->nodes, d->measured_iteration, n, time_s, error);
    d->measured_iteration = state->iteration;
    d->measured_s = state->running_s;
    return status;
}

static void say_how_it_ends(struct decider *d, const parcast_answer *answer)
{
    const struct cli_common *common = d->request.common;
    char end[32], low[32], high[32], cost[64] = "";
    bool missed = !answer->deadline_met || !answer->budget_met;
    if (!isnan(answer->cost))
        snprintf(cost, sizeof cost, ", at %.4g %.20s", answer->cost, d->malleable->currency);
    parcast_units_format_time(answer->end_s, end, sizeof end);
    parcast_units_format_time(answer->end_low_s, low, sizeof low);
    parcast_units_format_time(answer->end_high_s, high, sizeof high);
    if (missed && !d->warned)
        cli_warn(common, "the %s will be missed: expected end after %s (%s .. %s)%s",
                 answer->deadline_met ? "budget" : "deadline", end, low, high, cost);
    else if (!d->answered || answer->nodes != d->last.nodes)
        cli_note(common, "expected end after %s (%s .. %s)%s on %d nodes: %s", end, low, high, cost,
                 answer->nodes, answer->reason);
    d->warned = missed;
}

parcast_status decider_wish(struct decider *d, const parcast_supervised *state, int available, double cost,
                            parcast_wish *wish, parcast_error *error)
{
    parcast_answer answer = {0};
    charge(d, state);
    if (!isnan(cost)) d->cost = cost;
    parcast_run_state now = {
        .elapsed_s = state->elapsed_s,
        .cost = d->cost,
        .iteration = state->iteration,
        .nodes = state->nodes,
        .iterations_left = state->iterations > 0 ? state->iterations - state->iteration : -1,
        .nodes_available = available,
    };
    parcast_status status = measure(d, state, error);
    if (!status &&
        now.iterations_left == 0) { /* the last iteration was told; there is nothing left to decide */
        wish->nodes = state->nodes;
        return PARCAST_OK;
    }
    if (!status) status = parcast_decision_take(d->decision, &now, &answer, error);
    if (status) return status;
    say_how_it_ends(d, &answer);
    if (!d->answered) d->first = answer;
    d->answered = true;
    d->last = answer;
    wish->nodes = answer.nodes;
    wish->at_iteration = -1;
    snprintf(wish->reason, sizeof wish->reason, "%s: %.200s", parcast_motive_name(answer.motive),
             answer.reason);
    return PARCAST_OK;
}

void decider_moved(struct decider *d, const parcast_supervisor_event *event)
{
    parcast_error error = {0};
    const parcast_move_measured move = {
        .from_nodes = event->from_nodes,
        .to_nodes = event->to_nodes,
        .stop_s = isfinite(event->stop_s) ? event->stop_s : 0,
        .move_s = event->move_s,
        .launch_s = event->launch_s,
        .startup_s = NAN,
        .bytes = event->bytes > 0 ? (double)event->bytes : NAN,
    };
    if (parcast_decision_moved(d->decision, &move, &error) != PARCAST_OK)
        cli_note(d->request.common, "the move was not learnt from: %s", error.text);
}

/* -------- afterwards -------- */

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static void keep(struct decider *d, const json_t *result)
{
    parcast_study *study;
    parcast_error error = {0};
    char *text = json_dumps(result, JSON_REAL_PRECISION(17));
    if (text && parcast_study_open(d->request.study, PARCAST_STUDY_WRITE, &study, &error) == PARCAST_OK) {
        parcast_study_add_result(study, d->runs.problem_id, "parcast.run/1", text, &error);
        parcast_study_close(&study);
    }
    if (error.code) cli_warn(d->request.common, "the run is not kept in the study: %s", error.text);
    free(text);
}

void decider_report(struct decider *d, double cost, json_t *result)
{
    double time_s = json_real_value(json_object_get(result, "time_s"));
    const parcast_supervised end = {.elapsed_s = time_s};
    charge(d, &end);
    if (!isnan(cost)) d->cost = cost;
    json_object_set_new(result, "cost", number(d->cost));
    if (!isnan(d->goal.deadline_s)) {
        json_object_set_new(result, "deadline_s", json_real(d->goal.deadline_s));
        json_object_set_new(result, "deadline_met", json_boolean(time_s <= d->goal.deadline_s));
    }
    if (!isnan(d->goal.budget))
        json_object_set_new(result, "budget_met", json_boolean(d->cost <= d->goal.budget));
    json_object_set_new(result, "forecast_s", number(d->first.end_s));
    json_object_set_new(result, "forecast_low_s", number(d->first.end_low_s));
    json_object_set_new(result, "forecast_high_s", number(d->first.end_high_s));
    keep(d, result);
}

void decider_tell(const struct decider *d, double time_s)
{
    char text[32];
    if (!isnan(d->goal.deadline_s))
        fprintf(stderr, "parcast run: the deadline of %s was %s\n",
                parcast_units_format_time(d->goal.deadline_s, text, sizeof text),
                time_s <= d->goal.deadline_s ? "met" : "MISSED");
    if (!isnan(d->goal.budget))
        fprintf(stderr, "parcast run: %.4g %s of a budget of %.4g\n", d->cost, d->malleable->currency,
                d->goal.budget);
}
