/* The decision of an elastic run: what it is told, and what both policies share. */
#include "parcast/decision.h"

#include <math.h>
#include <stdlib.h>

#include "plan/decide.h"
#include "plan/learn.h"
#include "plan/tables.h"

/* ---- life ---- */

static parcast_status check_options(const parcast_decision_options *o, parcast_error *error)
{
    const double values[] = {o->payback_ratio, o->z, o->stay_ratio, o->range_s, o->required_s};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (!(values[i] >= 0) || !isfinite(values[i]))
            return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                     "an option of the decision is below 0 or no number: %g", values[i]);
    if (o->interval < 0)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "an interval of %lld iterations is none",
                                 (long long)o->interval);
    return PARCAST_OK;
}

static parcast_status check_goal(const parcast_malleable *m, const parcast_plan_goal *goal,
                                 const parcast_decision_options *o, parcast_error *error)
{
    if (!isnan(goal->deadline_s) && (!isfinite(goal->deadline_s) || goal->deadline_s < 0))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "a deadline of %g s is none",
                                 goal->deadline_s);
    if (!isnan(goal->budget) && (!isfinite(goal->budget) || goal->budget < 0))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "a budget of %g is none", goal->budget);
    if (!isnan(goal->budget) && isnan(m->sizes[0].price_per_s)) {
        parcast_error_set(error, PARCAST_INVALID, m->platform, 0, "a budget needs the prices of all nodes");
        parcast_error_hint(error, "give price_per_hour of the nodes in the platform file");
        return PARCAST_INVALID;
    }
    if (o->policy == PARCAST_POLICY_REACTIVE && isnan(goal->deadline_s) && o->required_s == 0)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "the reactive policy needs a deadline or a required iteration time");
    return PARCAST_OK;
}

static void fill_defaults(parcast_decision *d)
{
    parcast_decision_options *o = &d->options;
    if (o->payback_ratio == 0) o->payback_ratio = 1.5;
    if (o->z == 0) o->z = 1.3;
    if (o->stay_ratio == 0) o->stay_ratio = 10;
    if (o->interval == 0) o->interval = 50;
    if (o->required_s == 0)
        o->required_s = d->goal.deadline_s / (double)parcast_malleable_iterations(d->malleable);
    if (o->range_s == 0) o->range_s = 0.1 * o->required_s;
}

parcast_status parcast_decision_create(const parcast_malleable *malleable, const parcast_plan_goal *goal,
                                       const parcast_decision_options *options, parcast_decision **decision,
                                       parcast_error *error)
{
    parcast_decision_options o =
        options ? *options : (parcast_decision_options){.policy = PARCAST_POLICY_FORECAST};
    parcast_status status = check_options(&o, error);
    if (!status) status = check_goal(malleable, goal, &o, error);
    if (status) return status;
    parcast_decision *d = calloc(1, sizeof *d);
    if (!d)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for the decisions of a run");
    const double guessed_move_sd_ratio = 0.3;
    d->malleable = malleable;
    d->goal = *goal;
    d->options = o;
    d->move = malleable->move;
    d->move_sd_ratio = guessed_move_sd_ratio;
    d->last_move_at_s = NAN;
    d->here = d->ordered = -1;
    fill_defaults(d);
    status = belief_create(malleable, &d->belief, error);
    if (status)
        free(d);
    else
        *decision = d;
    return status;
}

void parcast_decision_destroy(parcast_decision **decision)
{
    if (!decision || !*decision) return;
    belief_clear(&(*decision)->belief);
    free(*decision);
    *decision = NULL;
}

/* ---- what it is told ---- */

static int exact_size(const parcast_decision *d, int nodes)
{
    int size = parcast_malleable_size(d->malleable, nodes);
    return size >= 0 && d->malleable->sizes[size].nodes == nodes ? size : -1;
}

static parcast_status no_size(int nodes, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%d nodes are no size of this program", nodes);
}

static void begin_here(parcast_decision *d, int size)
{
    d->here = size;
    d->iterations_here = d->samples_here = 0;
    d->time_here_s = 0;
    d->looked_at = 0;
}

/* What a program does before its first iteration nobody has measured: about as long as its launch, and a
 * second. */
static double begins_in_s(const parcast_decision *d, const parcast_size *size)
{
    return 1 + parcast_move_predict(&d->move, NULL, size).launch_s;
}

/* A second copy of the state follows on the links that the program needs. */
static double settles_in_s(const parcast_decision *d, const parcast_size *size)
{
    return begins_in_s(d, size) + d->move.bytes / (size->nodes * d->move.move_bytes_per_s);
}

parcast_status parcast_decision_measured(parcast_decision *decision, int nodes, int64_t first_iteration,
                                         int64_t n_iterations, double time_s, parcast_error *error)
{
    int size = exact_size(decision, nodes);
    if (size < 0) return no_size(nodes, error);
    if (n_iterations < 1 || first_iteration < 0 || !(time_s > 0) || !isfinite(time_s))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "%lld iterations from %lld in %g s cannot be", (long long)n_iterations,
                                 (long long)first_iteration, time_s);
    struct sample sample = {first_iteration, n_iterations, time_s, (size_t)size, 0};
    if (decision->here != size) begin_here(decision, size);
    if (decision->samples_here == 0)
        sample.besides_s = begins_in_s(decision, &decision->malleable->sizes[size]);
    else if (decision->settling_s > decision->time_here_s)
        sample.besides_s = fmin(time_s, decision->settling_s - decision->time_here_s);
    belief_add(&decision->belief, &sample);
    decision->iterations_here += n_iterations;
    decision->time_here_s += time_s;
    decision->samples_here++;
    decision->look_s = time_s;
    return PARCAST_OK;
}

static bool is_time(double seconds)
{
    return seconds >= 0 && isfinite(seconds);
}

parcast_status parcast_decision_moved(parcast_decision *d, const parcast_move_measured *move,
                                      parcast_error *error)
{
    int from = move->from_nodes ? exact_size(d, move->from_nodes) : -1, to = exact_size(d, move->to_nodes);
    if (to < 0) return no_size(move->to_nodes, error);
    if (move->from_nodes && from < 0) return no_size(move->from_nodes, error);
    if (!is_time(move->stop_s) || !is_time(move->move_s) || !is_time(move->launch_s) ||
        !is_time(move->beside_s) || move->bytes < 0)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "a part of a move takes less than nothing");
    const parcast_size *p = from < 0 ? NULL : &d->malleable->sizes[from], *q = &d->malleable->sizes[to];
    parcast_move_time expected = parcast_move_predict(&d->move, p, q);
    double expected_s = expected.stop_s + expected.move_s + expected.launch_s;
    double took_s = move->stop_s + move->move_s + move->launch_s;
    struct learned_move learned = {move->stop_s, move->move_s, move->launch_s, move->bytes, move->beside_s};
    learn_move(&d->move, p ? d->n_moves : d->n_launches, p, q, &learned);
    if (p && d->n_moves > 0 && expected_s > 0) /* the first one replaced a guess */
        d->move_sd_ratio = sqrt(0.5 * d->move_sd_ratio * d->move_sd_ratio +
                                0.5 * (took_s / expected_s - 1) * (took_s / expected_s - 1));
    d->n_moves += p != NULL;
    d->n_launches += p == NULL;
    if (p) d->last_move_s = took_s + move->beside_s;
    d->last_move_at_s = NAN;
    d->settling_s = p ? settles_in_s(d, q) : 0;
    if (d->ordered == to) d->ordered = -1;
    if (d->here != to || from == to) begin_here(d, to); /* else it has run there before this was told */
    return PARCAST_OK;
}

/* ---- shared by the policies ---- */

size_t decision_usable(const parcast_decision *d, int nodes_available)
{
    int largest = parcast_malleable_size(d->malleable, nodes_available);
    return largest < 0 ? 0 : (size_t)largest + 1;
}

int decision_current(const parcast_decision *d, const parcast_run_state *state)
{
    return state->nodes > 0 && state->nodes <= state->nodes_available ? exact_size(d, state->nodes) : -1;
}

double decision_cost(const parcast_decision *d, const parcast_run_state *state)
{
    return isnan(state->cost) ? d->spent : state->cost;
}

/* A run that is longer than was thought: nobody knows, so another iteration. */
double decision_left(const parcast_decision *d, const parcast_run_state *state)
{
    int64_t left = state->iterations_left;
    if (left < 0) left = parcast_malleable_iterations(d->malleable) - state->iteration;
    return left < 1 ? 1 : (double)left;
}

static void count_money(parcast_decision *d, const parcast_run_state *state)
{
    int size = d->spent_nodes ? parcast_malleable_size(d->malleable, d->spent_nodes) : -1;
    if (size >= 0) d->spent += d->malleable->sizes[size].price_per_s * (state->elapsed_s - d->spent_until_s);
    d->spent_until_s = state->elapsed_s;
    d->spent_nodes = state->nodes_held > state->nodes ? state->nodes_held : state->nodes;
}

void decision_feedback(const parcast_decision *d, const parcast_run_state *state,
                       const struct outlook *outlook, parcast_answer *answer)
{
    double left_s = outlook->still_s + outlook->time_s,
           spread = outlook->spread_s / fmax(outlook->time_s, 1e-300);
    answer->end_s = state->elapsed_s + left_s;
    answer->end_low_s = state->elapsed_s + outlook->still_s + outlook->time_s * exp(-1.96 * spread);
    answer->end_high_s = state->elapsed_s + outlook->still_s + outlook->time_s * exp(1.96 * spread);
    double spent = isnan(d->malleable->sizes[0].price_per_s) ? NAN : decision_cost(d, state);
    spread = outlook->spread_cost / fmax(outlook->cost, 1e-300);
    answer->cost = spent + outlook->cost;
    answer->cost_low = spent + outlook->cost * exp(-1.96 * spread);
    answer->cost_high = spent + outlook->cost * exp(1.96 * spread);
    answer->deadline_met = isnan(d->goal.deadline_s) || answer->end_s <= d->goal.deadline_s * (1 + 1e-9);
    answer->budget_met = isnan(d->goal.budget) || answer->cost <= d->goal.budget * (1 + 1e-9);
    answer->deadline_probability = NAN;
    if (isnan(d->goal.deadline_s)) return;
    double slack_s = d->goal.deadline_s - answer->end_s, sd_s = fmax(outlook->spread_s, 1e-9 * left_s);
    answer->deadline_probability = 0.5 * erfc(-slack_s / fmax(sd_s, 1e-300) / sqrt(2));
}

/* ---- a decision ---- */

static parcast_status check_state(const parcast_decision *d, const parcast_run_state *s, parcast_error *error)
{
    if (!is_time(s->elapsed_s) || s->elapsed_s < d->spent_until_s)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "the run was at %g s and is now at %g s",
                                 d->spent_until_s, s->elapsed_s);
    if (!(s->state_bytes >= 0) || !isfinite(s->state_bytes))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "a state of %g bytes is none",
                                 s->state_bytes);
    if (s->iteration < 0 || s->nodes < 0 || s->nodes_available < 0 || s->nodes_held < 0)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "a number below 0 in the state of a run");
    if (s->nodes > 0 && exact_size(d, s->nodes) < 0) return no_size(s->nodes, error);
    if (decision_usable(d, s->nodes_available) > 0) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_DATA, NULL, 0, "the program needs %d nodes, and %d can be had",
                             d->malleable->sizes[0].nodes, s->nodes_available);
}

parcast_status parcast_decision_take(parcast_decision *decision, const parcast_run_state *state,
                                     parcast_answer *answer, parcast_error *error)
{
    parcast_answer a = {.nodes = 0};
    parcast_status status = check_state(decision, state, error);
    if (status) return status;
    count_money(decision, state);
    if (state->state_bytes > 0) decision->move.bytes = state->state_bytes;
    if (isnan(decision->last_move_at_s)) decision->last_move_at_s = state->elapsed_s;
    double left = decision_left(decision, state), done = (double)state->iteration;
    belief_update(&decision->belief, done + left, done);
    status = decision->options.policy == PARCAST_POLICY_REACTIVE
                 ? decide_reactive(decision, state, &a, error)
                 : decide_forecast(decision, state, &a, error);
    if (!status) *answer = a;
    return status;
}

double parcast_decision_iteration_s(const parcast_decision *decision, int nodes, int64_t iteration,
                                    double *sd_s)
{
    int size = exact_size(decision, nodes);
    const struct belief *b = &decision->belief;
    double from = (double)iteration / b->iterations;
    double time_s = size < 0 || iteration < 0 || from >= 1
                        ? NAN
                        : belief_time_s(b, (size_t)size, from, from + 1 / b->iterations);
    if (sd_s) *sd_s = size < 0 ? NAN : time_s * b->sd_ln[size];
    return time_s;
}
