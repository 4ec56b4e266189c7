#include "run_decide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "amounts.h"
#include "parcast/plan.h"
#include "parcast/units.h"
#include "run_forecast.h"

struct decider {
    struct decide_request request;
    parcast_plan_goal goal;
    struct run_forecast forecast;
    parcast_decision *decision;

    int64_t measured_iteration; /* up to which the decision knows the times */
    double measured_s;          /* of running_s */
    int measured_nodes;
    double cost, cost_s; /* charged until this time */
    int cost_nodes;
    double told_s, told_cost,
        telling_s; /* the program's last report: when, what was charged, after how long */
    int64_t told_iteration;
    int told_nodes;
    parcast_answer first, last;
    bool foretold, answered;
    struct said {
        double end_s, low_s, high_s;
        double at_s; /* of the run */
        bool missed;
    } said;               /* of what the user was told last */
    bool said_missed;     /* once at least */
    bool said_endless;    /* that nobody knows how many iterations there are */
    int moved_nodes;      /* to so many since then; 0: no move */
    double moved_still_s; /* that stood still for so long */
};

/* -------- the decision -------- */

static parcast_status make_decision(struct decider *d, parcast_error *error)
{
    parcast_decision_options options = {.interval = d->request.interval};
    parcast_status status = PARCAST_OK;
    if (d->request.policy) status = parcast_policy_parse(d->request.policy, &options.policy, error);
    if (!status && d->request.range)
        status = cli_read_time("--range", d->request.range, &options.range_s, error);
    return status ? status
                  : parcast_decision_create(d->forecast.malleable, &d->goal, &options, &d->decision, error);
}

parcast_status decider_open(const struct decide_request *request, struct decider **decider,
                            parcast_error *error)
{
    struct decider *d = calloc(1, sizeof *d);
    if (!d) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    d->request = *request;
    parcast_status status = cli_read_goal(request->deadline, request->budget, &d->goal, error);
    if (!status) status = run_forecast_open(request, &d->forecast, error);
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
    run_forecast_close(&d->forecast);
    free(d);
    *decider = NULL;
}

int64_t decider_problem(const struct decider *d)
{
    return d->forecast.runs.problem_id;
}

/* -------- while it runs -------- */

static double price_per_s(const struct decider *d, int nodes)
{
    int size = parcast_malleable_size(d->forecast.malleable, nodes);
    return size < 0 ? NAN : d->forecast.malleable->sizes[size].price_per_s;
}

static void charge(struct decider *d, const parcast_supervised *state)
{
    if (d->cost_nodes > 0) d->cost += (state->elapsed_s - d->cost_s) * price_per_s(d, d->cost_nodes);
    d->cost_s = state->elapsed_s;
    d->cost_nodes = state->nodes;
}

/* A node count that the decision knows; a run may have been given fewer than the least. */
static bool is_size(const struct decider *d, int nodes)
{
    int size = parcast_malleable_size(d->forecast.malleable, nodes);
    return size >= 0 && d->forecast.malleable->sizes[size].nodes == nodes;
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
    if (!is_size(d, state->nodes) || n < 1 || !(time_s > 0)) return PARCAST_OK;
    parcast_status status =
        parcast_decision_measured(d->decision, state->nodes, d->measured_iteration, n, time_s, error);
    d->measured_iteration = state->iteration;
    d->measured_s = state->running_s;
    return status;
}

/*
 * The time from which the decision looks ahead. Between two reports the program computes as it did, although
 * the iteration that it told stands still: long iterations would look like a run that falls behind. Time
 * counts when the next report is overdue, by as much as it is.
 */
static double time_of_progress(struct decider *d, const parcast_supervised *state)
{
    if (state->iteration != d->told_iteration || state->nodes != d->told_nodes) {
        d->telling_s = state->nodes == d->told_nodes ? state->elapsed_s - d->told_s : 0;
        d->told_s = state->elapsed_s;
        d->told_cost = d->cost;
        d->told_iteration = state->iteration;
        d->told_nodes = state->nodes;
    }
    return d->told_s + fmax(0, state->elapsed_s - d->told_s - d->telling_s);
}

static parcast_run_state state_of(struct decider *d, const parcast_supervised *state, int available)
{
    double progress_s = time_of_progress(d, state), since_s = state->elapsed_s - d->told_s;
    double part = since_s > 0 ? (progress_s - d->told_s) / since_s : 0;
    return (parcast_run_state){
        .elapsed_s = progress_s,
        .cost = d->told_cost + part * (d->cost - d->told_cost),
        .iteration = state->iteration,
        .nodes = is_size(d, state->nodes) ? state->nodes : 0,
        .iterations_left = state->iterations > 0 ? state->iterations - state->iteration : -1,
        .nodes_available = available,
        .state_bytes = state->state_bytes,
    };
}

/* -------- what the user is told -------- */

/* "end expected after 21.6 s (20.9 s .. 22.4 s) for 72.3 USD (70 .. 74.1)" */
static void put_outlook(const struct decider *d, const parcast_answer *answer, char *text, size_t size)
{
    char end[32], low[32], high[32], cost[96] = "";
    parcast_units_format_time(answer->end_s, end, sizeof end);
    parcast_units_format_time(answer->end_low_s, low, sizeof low);
    parcast_units_format_time(answer->end_high_s, high, sizeof high);
    if (!isnan(answer->cost))
        snprintf(cost, sizeof cost, " for %.4g %.20s (%.4g .. %.4g)", answer->cost,
                 d->forecast.malleable->currency, answer->cost_low, answer->cost_high);
    snprintf(text, size, "end expected after %s (%s .. %s)%s", end, low, high, cost);
}

/* "the deadline of 22.2 s will be met and the budget of 78 USD kept": both where both were given. */
static void put_goal(const struct decider *d, const parcast_answer *answer, char *text, size_t size)
{
    char limit[32], budget[80] = "", deadline[80] = "";
    bool has_deadline = !isnan(d->goal.deadline_s), has_budget = !isnan(d->goal.budget);
    if (has_deadline)
        snprintf(deadline, sizeof deadline, "the deadline of %s will be %s",
                 parcast_units_format_time(d->goal.deadline_s, limit, sizeof limit),
                 answer->deadline_met ? "met" : "missed");
    if (has_budget)
        snprintf(budget, sizeof budget, "the budget of %.4g %.20s will be %s", d->goal.budget,
                 d->forecast.malleable->currency, answer->budget_met ? "kept" : "exceeded");
    snprintf(text, size, "%s%s%s%s", deadline, has_deadline && has_budget ? " and " : "", budget,
             has_deadline || has_budget ? ": " : "");
}

/* Not at every sample. */
static bool paused(const struct decider *d)
{
    const double pause_s = 5, pause_ratio = 0.1;
    return d->told_s - d->said.at_s >= fmax(pause_s, pause_ratio * d->told_s);
}

/* A correction is worth a line when it is one of a tenth of what is left. */
static bool is_worth_saying(const struct decider *d, const parcast_answer *a)
{
    const double much = 0.1;
    double left_s = fmax(d->said.end_s - d->told_s, 0);
    return (a->end_s < d->said.low_s || a->end_s > d->said.high_s) &&
           fabs(a->end_s - d->said.end_s) > much * left_s;
}

/* Why there is something to say now: text of what happened; NULL: nothing. */
static const char *occasion(const struct decider *d, const parcast_answer *a, bool missed, char *text,
                            size_t size)
{
    const char *plural = a->nodes == 1 ? "" : "s";
    if (!d->foretold)
        snprintf(text, size, "%s %d node%s", d->told_nodes > 0 && a->nodes != d->told_nodes ? "to" : "on",
                 a->nodes, plural);
    else if (a->nodes != d->last.nodes && a->nodes != d->told_nodes)
        snprintf(text, size, "to %d node%s, for %.200s", a->nodes, plural, a->reason);
    else if (d->moved_nodes > 0)
        snprintf(text, size, "moved to %d node%s, stood still for %.3g s", d->moved_nodes,
                 d->moved_nodes == 1 ? "" : "s", d->moved_still_s);
    else if (missed != d->said.missed && (paused(d) || !d->said_missed))
        snprintf(text, size, "%s", missed ? "the nearest that can be had" : "after all");
    else if (is_worth_saying(d, a) && paused(d))
        snprintf(text, size, "corrected by what was measured");
    else
        return NULL;
    return text;
}

static void say_how_it_ends(struct decider *d, const parcast_answer *answer)
{
    const struct cli_common *common = d->request.common;
    char why[320], goal[256], outlook[256];
    bool missed = !answer->deadline_met || !answer->budget_met;
    if (isnan(answer->end_s)) {
        if (!d->answered || answer->nodes != d->last.nodes) cli_note(common, "%s", answer->reason);
        return;
    }
    if (!occasion(d, answer, missed, why, sizeof why)) return;
    put_goal(d, answer, goal, sizeof goal);
    put_outlook(d, answer, outlook, sizeof outlook);
    if (missed && !d->said.missed)
        cli_warn(common, "%s%s (%s)", goal, outlook, why);
    else
        cli_note(common, "%s%s (%s)", goal, outlook, why);
    d->said_missed = d->said_missed || missed;
    d->said = (struct said){answer->end_s, answer->end_low_s, answer->end_high_s, d->told_s, missed};
    d->moved_nodes = 0;
}

/* Neither the program nor its user says how many iterations there are: then there is no end to foretell, and
   no size that is better than another. */
static void leave_open(struct decider *d, const parcast_supervised *state, parcast_answer *answer)
{
    if (state->iterations > 0 || d->request.iterations > 0 || d->forecast.course.n_iterations > 0) return;
    if (state->nodes > 0 && !d->said_endless) {
        cli_note(d->request.common, "the program does not say how many iterations it has: when it ends, and "
                                    "whether that meets a goal, cannot be told; give --iterations");
        d->said_endless = true;
    }
    answer->end_s = answer->end_low_s = answer->end_high_s = NAN;
    answer->cost = answer->cost_low = answer->cost_high = NAN;
    bool reacts = d->request.policy && strcmp(d->request.policy, "reactive") == 0;
    if (!reacts && is_size(d, state->nodes)) {
        answer->nodes = answer->request_nodes = state->nodes;
        answer->motive = PARCAST_MOTIVE_STAY;
    }
}

parcast_status decider_wish(struct decider *d, const parcast_supervised *state, int available, double cost,
                            parcast_wish *wish, parcast_error *error)
{
    parcast_answer answer = {0};
    charge(d, state);
    if (!isnan(cost)) d->cost = cost;
    const parcast_run_state now = state_of(d, state, available);
    parcast_status status = measure(d, state, error);
    if (!status &&
        now.iterations_left == 0) { /* the last iteration was told; there is nothing left to decide */
        wish->nodes = state->nodes;
        return PARCAST_OK;
    }
    if (!status) status = parcast_decision_take(d->decision, &now, &answer, error);
    if (status) return status;
    leave_open(d, state, &answer);
    say_how_it_ends(d, &answer);
    if (!d->foretold) d->first = answer;
    d->foretold = d->foretold || !isnan(answer.end_s);
    d->answered = true;
    d->last = answer;
    wish->nodes = answer.nodes;
    wish->at_iteration = -1;
    snprintf(wish->reason, sizeof wish->reason, "%s: %.200s", parcast_motive_name(answer.motive),
             answer.reason);
    return PARCAST_OK;
}

int decider_request(const struct decider *d)
{
    return d->last.request_nodes;
}

double decider_end(const struct decider *d)
{
    return d->answered ? d->last.end_s : NAN;
}

void decider_moved(struct decider *d, const parcast_supervisor_event *event)
{
    parcast_error error = {0};
    bool paused = isfinite(event->pause_s) && isfinite(event->stop_s);
    bool beside = paused && d->request.overlaps && !event->in_memory;
    const parcast_move_measured move = {
        .from_nodes = is_size(d, event->from_nodes) ? event->from_nodes : 0,
        .to_nodes = event->to_nodes,
        .stop_s = paused ? event->stop_s : 0,
        .move_s = event->move_s,
        .launch_s = paused ? fmax(0, event->pause_s - event->stop_s - event->move_s) : event->launch_s,
        .beside_s = beside ? event->launch_s : 0,
        .startup_s = NAN,
        .bytes = event->bytes > 0 ? (double)event->bytes : NAN,
    };
    if (event->from_nodes > 0) {
        d->moved_nodes = event->to_nodes;
        d->moved_still_s = paused ? event->pause_s : event->stop_s + event->move_s + event->launch_s;
    }
    if (!is_size(d, event->to_nodes)) return;
    if (parcast_decision_moved(d->decision, &move, &error) != PARCAST_OK)
        cli_note(d->request.common, "the move was not learnt from: %s", error.text);
}

/* -------- afterwards -------- */

void decider_report(struct decider *d, double cost, json_t *result)
{
    double time_s = json_real_value(json_object_get(result, "time_s"));
    const parcast_supervised end = {.elapsed_s = time_s};
    charge(d, &end);
    if (!isnan(cost)) d->cost = cost;
    json_object_set_new(result, "cost", cli_json_number(d->cost));
    if (!isnan(d->goal.deadline_s)) {
        json_object_set_new(result, "deadline_s", json_real(d->goal.deadline_s));
        json_object_set_new(result, "deadline_met", json_boolean(time_s <= d->goal.deadline_s));
    }
    if (!isnan(d->goal.budget)) {
        json_object_set_new(result, "budget", json_real(d->goal.budget));
        json_object_set_new(result, "budget_met", json_boolean(d->cost <= d->goal.budget));
    }
    json_object_set_new(result, "forecast_s", cli_json_number(d->first.end_s));
    json_object_set_new(result, "forecast_low_s", cli_json_number(d->first.end_low_s));
    json_object_set_new(result, "forecast_high_s", cli_json_number(d->first.end_high_s));
    json_object_set_new(result, "forecast_cost", cli_json_number(d->first.cost));
    json_object_set_new(result, "forecast_cost_low", cli_json_number(d->first.cost_low));
    json_object_set_new(result, "forecast_cost_high", cli_json_number(d->first.cost_high));
    json_object_set_new(result, "policy", json_string(d->request.policy ? d->request.policy : "forecast"));
}

void decider_tell(const struct decider *d, double time_s)
{
    char text[32];
    if (!isnan(d->goal.deadline_s))
        fprintf(stderr, "parcast run: the deadline of %s was %s\n",
                parcast_units_format_time(d->goal.deadline_s, text, sizeof text),
                time_s <= d->goal.deadline_s ? "met" : "MISSED");
    if (!isnan(d->goal.budget))
        fprintf(stderr, "parcast run: %.4g %s of a budget of %.4g\n", d->cost,
                d->forecast.malleable->currency, d->goal.budget);
}
