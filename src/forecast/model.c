/*
 * Engine "model": the cluster model, its functions of n and its parameters fitted to recorded runs.
 * Where no run has a profile (imported tables) it hands over to the model of timings alone.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forecast/doubt.h"
#include "forecast/model.h"

static void destroy(void *state)
{
    struct model *m = state;
    if (!m) return;
    for (size_t i = 0; i < m->n; i++) observation_clear(&m->observations[i]);
    free(m->observations);
    timings_destroy(m->timings);
    free(m);
}

/* ---- priors ---- */

static bool has_memory_curve(const struct model *m)
{
    for (size_t i = 0; i < m->n; i++)
        for (int k = 0; k < m->observations[i].machine.n_nodes; k++)
            if (m->observations[i].machine.nodes[k].n_memory_scaling > 1) return true;
    return false;
}

static double shortest_time(const struct model *m)
{
    double shortest = INFINITY;
    for (size_t i = 0; i < m->n; i++) shortest = fmin(shortest, m->observations[i].time_s);
    return shortest;
}

static void fix(struct fit_prior *prior, double value, const char *why)
{
    *prior = (struct fit_prior){.mean = value, .sd = 1, .fixed = true, .why = why};
}

/* Computing that every process repeats, of a process alone: few programs have none, and a few runs at small
 * counts do not show it. */
static const double usual_replicated_ratio = 0.002;

/* Wide where the runs must decide, narrow where a probe has measured. */
static void set_priors(const struct model *m, const struct workload *w, const parcast_platform *platform,
                       struct fit_prior priors[CLUSTER_PARAMETERS])
{
    double work = fmax(w->work.c[0], 1e-12), network_sd = doubt_network_sd(platform);
    priors[CLUSTER_WORK] = (struct fit_prior){.mean = log(work), .sd = 2};
    priors[CLUSTER_WORK2] = (struct fit_prior){.mean = log(fmax(w->work.c[1], 1e-3 * work)), .sd = 2};
    priors[CLUSTER_FIXED] = (struct fit_prior){.mean = log(1e-3 * shortest_time(m)), .sd = 2};
    priors[CLUSTER_NETWORK] = (struct fit_prior){.mean = 0, .sd = network_sd};
    priors[CLUSTER_LATENCY] = (struct fit_prior){.mean = 0, .sd = fmax(network_sd, doubt_latency_sd)};
    priors[CLUSTER_LOCAL] = (struct fit_prior){.mean = 0, .sd = 1};
    priors[CLUSTER_NOISE] = (struct fit_prior){.mean = log(0.01), .sd = 1};
    priors[CLUSTER_MEMORY] = (struct fit_prior){.mean = log(0.2), .sd = 0.7};
    priors[CLUSTER_SYNC] = (struct fit_prior){.mean = 2, .sd = 1};
    if (w->work.form.term[1] == GROWTH_ONE)
        priors[CLUSTER_WORK2] = (struct fit_prior){.mean = log(usual_replicated_ratio * work), .sd = 1.2};
    else if (w->work.form.term[1] == GROWTH_NONE)
        fix(&priors[CLUSTER_WORK2], model_log_nothing, "the runs need no second term");
    if (!has_memory_curve(m))
        fix(&priors[CLUSTER_MEMORY], log(0.2), "no probed memory curve of the recording node");
    if (!w->several_nodes) {
        /* One node cannot see the network: these keep their prior, which the interval then carries. */
        priors[CLUSTER_SYNC].sd = 0.5;
    }
}

/* Parameters whose part of every run is below 1e-4 have run to zero: taken out, and said. */
static bool drop_vanished(const struct model *m, struct fit_problem *problem, const struct fit_result *fit)
{
    bool dropped = false;
    double shortest = shortest_time(m);
    if (!problem->priors[CLUSTER_FIXED].fixed && exp(fit->theta[CLUSTER_FIXED]) < 1e-4 * shortest) {
        fix(&problem->priors[CLUSTER_FIXED], model_log_nothing, "ran to zero");
        dropped = true;
    }
    if (!problem->priors[CLUSTER_WORK2].fixed && exp(fit->theta[CLUSTER_WORK2]) < 1e-4 * shortest) {
        fix(&problem->priors[CLUSTER_WORK2], model_log_nothing, "ran to zero");
        dropped = true;
    }
    return dropped;
}

/* Functions and parameters from the runs that are not left out. */
static parcast_status fit_without(const struct model *m, const parcast_platform *platform,
                                  const bool *left_out, bool gauss_newton, const double *start,
                                  struct workload *workload, struct fit_problem *problem,
                                  struct fit_result *fit, parcast_error *error)
{
    workload_fit(m->observations, m->n, left_out, workload);
    *problem = (struct fit_problem){.observations = m->observations,
                                    .n_observations = m->n,
                                    .left_out = left_out,
                                    .workload = workload,
                                    .gauss_newton = gauss_newton};
    set_priors(m, workload, platform, problem->priors);
    parcast_status status = fit_cluster(problem, start, fit, error);
    if (!status && drop_vanished(m, problem, fit)) status = fit_cluster(problem, fit->theta, fit, error);
    return status;
}

/* ---- error on runs that were left out ---- */

static int distinct_counts(const struct model *m)
{
    int distinct = 0;
    for (size_t i = 0; i < m->n; i++) {
        bool seen = false;
        for (size_t j = 0; j < i; j++) seen = seen || m->observations[j].n == m->observations[i].n;
        distinct += !seen;
    }
    return distinct;
}

static parcast_status predict_left_out(const struct model *m, const parcast_platform *platform,
                                       const bool *left_out, size_t target, double *time_s,
                                       parcast_error *error)
{
    struct workload workload;
    struct fit_problem problem;
    struct fit_result fit;
    struct cluster_time time;
    parcast_status status = fit_without(m, platform, left_out, false, NULL, &workload, &problem, &fit, error);
    if (!status) status = cluster_time(&workload, fit.theta, &m->observations[target].machine, &time, error);
    if (!status) *time_s = time.total_s.v;
    return status;
}

/* All runs of a count are left out together: repetitions would give the answer away. */
static parcast_status leave_out_each(const struct model *m, const parcast_platform *platform,
                                     parcast_fit_report *report, parcast_error *error)
{
    if (distinct_counts(m) < 3) return PARCAST_OK;
    bool *left_out = calloc(m->n, sizeof *left_out);
    if (!left_out)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for cross-validation");
    parcast_status status = PARCAST_OK;
    int largest = 0;
    for (size_t i = 0; i < m->n; i++)
        largest = m->observations[i].n > largest ? m->observations[i].n : largest;
    double error_sum = 0;
    int n_largest = 0;
    for (size_t i = 0; i < m->n && !status; i++) {
        for (size_t j = 0; j < m->n; j++) left_out[j] = m->observations[j].n == m->observations[i].n;
        double time_s;
        status = predict_left_out(m, platform, left_out, i, &time_s, error);
        if (status) break;
        report->runs[i].left_out_s = time_s;
        if (m->observations[i].n == largest) {
            error_sum += fabs(time_s / m->observations[i].time_s - 1);
            n_largest++;
        }
    }
    free(left_out);
    report_summarise_runs(report);
    if (!status && n_largest > 0) report->extrapolation_ratio = error_sum / n_largest;
    return status;
}

/* ---- creation ---- */

static bool usable(const parcast_run *run)
{
    return run->complete && run->time_s > 0 && run->source == PARCAST_RUN_RECORDED && run->n_profiles > 0 &&
           run->n_nodes > 0;
}

static parcast_status observe(struct model *m, const parcast_run *runs, size_t n_runs,
                              const parcast_platform *platform, parcast_fit_report *report,
                              parcast_error *error)
{
    m->observations = calloc(n_runs, sizeof *m->observations);
    if (!m->observations)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu runs", n_runs);
    size_t partial = 0;
    for (size_t i = 0; i < n_runs; i++) {
        partial += runs[i].source == PARCAST_RUN_RECORDED && !runs[i].complete;
        if (!usable(&runs[i])) continue;
        parcast_status status =
            observation_create(&runs[i], platform, m->reference_calibration, &m->observations[m->n], error);
        if (status) return status;
        m->n++;
    }
    if (partial > 0)
        return report_note(report, error, "%zu partial runs (crashed or interrupted) are left out", partial);
    return PARCAST_OK;
}

static parcast_status create(const parcast_run *runs, size_t n_runs, const parcast_platform *platform,
                             const parcast_fit_options *options, void **state, parcast_fit_report *report,
                             parcast_error *error)
{
    struct model *m = calloc(1, sizeof *m);
    if (!m) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for the model");
    m->reference_calibration = reference_calibration_of(runs, n_runs, platform);
    parcast_status status = observe(m, runs, n_runs, platform, report, error);
    if (!status && m->n == 0) {
        status = timings_create(runs, n_runs, platform, &m->timings, report, error);
        if (status)
            destroy(m);
        else
            *state = m;
        return status;
    }
    struct fit_problem problem;
    if (!status)
        status = fit_without(m, platform, NULL, options->gauss_newton, NULL, &m->workload, &problem, &m->fit,
                             error);
    if (!status) status = model_describe(m, &problem, report, error);
    if (!status) status = leave_out_each(m, platform, report, error);
    if (status) {
        destroy(m);
        return status;
    }
    m->form_sd = isfinite(report->loo_mean_ratio) ? fmax(report->loo_mean_ratio, 0.03) : 0.05;
    *state = m;
    return PARCAST_OK;
}

/* ---- points ---- */

/* Standard deviations of ln T from what no fit sees, as found on the emulated cluster (docs/accuracy.md):
 * how links are shared, per share of communication, inside and beyond the recorded counts. */
static const double sharing_sd_inside = 0.08, sharing_sd_beyond = 0.15;

/* Is the slowest node in use of a speed that no run was recorded on? */
static bool other_kind(const struct model *m, const struct machine *machine)
{
    double slowest = INFINITY;
    for (int i = 0; i < machine->n_nodes; i++)
        if (machine->nodes[i].n_ranks > 0) slowest = fmin(slowest, machine->nodes[i].speed);
    for (size_t i = 0; i < m->n; i++)
        for (int k = 0; k < m->observations[i].machine.n_nodes; k++)
            if (fabs(m->observations[i].machine.nodes[k].speed / slowest - 1) < 0.02) return false;
    return true;
}

/* var ln T = g'Pg + the form's own error, which grows with each doubling beyond the recorded counts, + what
 * the machine may do differently. */
static double variance_of(const struct model *m, const struct cluster_time *cluster,
                          const struct machine *machine)
{
    int n = machine->n_ranks;
    const dual *time = &cluster->total_s;
    double gradient[CLUSTER_PARAMETERS], variance = 0;
    for (int i = 0; i < CLUSTER_PARAMETERS; i++) gradient[i] = time->d[i] / time->v;
    for (int i = 0; i < CLUSTER_PARAMETERS; i++)
        for (int j = 0; j < CLUSTER_PARAMETERS; j++)
            variance += gradient[i] * m->fit.covariance[i][j] * gradient[j];
    double doublings = fmax(log2((double)n / m->workload.n_max), 0);
    double form = m->form_sd * (1 + 0.5 * doublings);
    /* A single count was recorded: that the work divides is an assumption, and so is what is sent. */
    if (m->workload.n_min == m->workload.n_max) form += 0.2 * fabs(log2((double)n / m->workload.n_max));
    /* A shape that was guessed among several: the messages may be off by about a third. */
    double shape = 0;
    if (m->workload.pattern.ambiguous && n > m->workload.n_max)
        shape = 0.3 * fmax(1 - cluster->compute_s.v / time->v, 0);
    double share = fmax(1 - cluster->compute_s.v / time->v, 0);
    double sharing = share * (n > m->workload.n_max ? sharing_sd_beyond : sharing_sd_inside);
    double kind = other_kind(m, machine) ? doubt_other_kind_sd : 0;
    return variance + form * form + shape * shape + sharing * sharing + kind * kind;
}

static void name_limit(const struct cluster_time *time, const struct machine *machine,
                       const parcast_platform *platform, parcast_point *point)
{
    const char *type = "";
    for (int i = 0; i < machine->n_nodes; i++)
        if (platform && machine->nodes[i].group == time->limit_group && machine->nodes[i].type >= 0)
            type = platform->types[machine->nodes[i].type].name;
    if (*type && platform && platform->n_types > 1)
        snprintf(point->limit, sizeof point->limit, "%.20s (%.24s)", time->limit, type);
    else
        snprintf(point->limit, sizeof point->limit, "%s", time->limit);
}

static parcast_status point_on(const struct model *m, const struct machine *machine,
                               const parcast_platform *platform, parcast_point *point, parcast_error *error)
{
    struct cluster_time time;
    parcast_status status = cluster_time(&m->workload, m->fit.theta, machine, &time, error);
    if (status) return status;
    const dual *t = &time.total_s;
    double sd = sqrt(variance_of(m, &time, machine));
    point->time_s = t->v;
    point->low_s = t->v * exp(-1.96 * sd);
    point->high_s = t->v * exp(1.96 * sd);
    point->compute_s = fmin(time.compute_s.v, t->v);
    point->communication_s = t->v - point->compute_s;
    point->sensitivity[0] = -(t->d[CLUSTER_WORK] + t->d[CLUSTER_WORK2]) / t->v;
    point->sensitivity[1] = -t->d[CLUSTER_NETWORK] / t->v;
    point->sensitivity[2] = t->d[CLUSTER_LATENCY] / t->v;
    point->sensitivity[3] = -t->d[CLUSTER_MEMORY] / t->v;
    name_limit(&time, machine, platform, point);
    return PARCAST_OK;
}

static parcast_status point_of(const void *state, const parcast_platform *platform,
                               const parcast_placement *placement, parcast_point *point, parcast_error *error)
{
    const struct model *m = state;
    struct machine machine;
    if (m->timings) return timings_point(m->timings, platform, placement, point, error);
    parcast_status status =
        machine_from_placement(platform, placement, m->reference_calibration, &machine, error);
    if (status) return status;
    status = point_on(m, &machine, platform, point, error);
    machine_clear(&machine);
    return status;
}

static parcast_status again(const void *state, const parcast_platform *platform, const parcast_run *run,
                            parcast_point *point, parcast_error *error)
{
    const struct model *m = state;
    struct machine machine;
    if (m->timings) return timings_run(m->timings, run, point, error);
    parcast_status status = machine_from_run(run, platform, m->reference_calibration, &machine, error);
    if (status) return status;
    status = point_on(m, &machine, platform, point, error);
    machine_clear(&machine);
    return status;
}

/* ---- advice ---- */

/* Gain of one more run with gradient a and noise sd: (g'P a)^2 / (sd^2 + a'P a), as a share of g'P g. */
static double gain_of(const struct model *m, const dual *target, const dual *run, double sd)
{
    double ga = 0, aa = 0, gg = 0;
    for (int i = 0; i < CLUSTER_PARAMETERS; i++)
        for (int j = 0; j < CLUSTER_PARAMETERS; j++) {
            double p = m->fit.covariance[i][j];
            ga += target->d[i] / target->v * p * run->d[j] / run->v;
            aa += run->d[i] / run->v * p * run->d[j] / run->v;
            gg += target->d[i] / target->v * p * target->d[j] / target->v;
        }
    return gg > 0 ? ga * ga / (sd * sd + aa) / gg : 0;
}

static void insert_advice(const parcast_advised_run *run, parcast_advised_run advice[3], size_t *n)
{
    size_t i = *n < 3 ? (*n)++ : 3;
    if (i == 3 && advice[2].gain_ratio >= run->gain_ratio) return;
    if (i == 3) i = 2;
    while (i > 0 && advice[i - 1].gain_ratio < run->gain_ratio) {
        advice[i] = advice[i - 1];
        i--;
    }
    advice[i] = *run;
}

static parcast_status time_on(const struct model *m, const parcast_platform *platform, int n,
                              parcast_placement_policy policy, struct cluster_time *time, int *nodes,
                              double *cost, parcast_error *error)
{
    parcast_placement *placement;
    parcast_status status = parcast_placement_create(platform, n, policy, false, &placement, error);
    if (status) return status;
    struct machine machine;
    status = machine_from_placement(platform, placement, m->reference_calibration, &machine, error);
    if (!status) {
        status = cluster_time(&m->workload, m->fit.theta, &machine, time, error);
        *nodes = placement->n_nodes;
        *cost = parcast_placement_cost(platform, placement, time->total_s.v);
        machine_clear(&machine);
    }
    parcast_placement_destroy(&placement);
    return status;
}

static parcast_status advise(const void *state, const parcast_platform *platform,
                             const parcast_placement *target, parcast_advised_run advice[3], size_t *n_advice,
                             parcast_error *error)
{
    const struct model *m = state;
    *n_advice = 0;
    if (m->timings) return PARCAST_OK;
    struct machine machine;
    struct cluster_time aim;
    parcast_status status =
        machine_from_placement(platform, target, m->reference_calibration, &machine, error);
    if (status) return status;
    status = cluster_time(&m->workload, m->fit.theta, &machine, &aim, error);
    machine_clear(&machine);
    int cores = parcast_platform_cores(platform);
    for (int n = 1; !status && n <= cores && n <= target->n_ranks && n <= 2 * m->workload.n_max; n *= 2)
        for (int policy = PARCAST_FILL; policy <= PARCAST_SPREAD && !status; policy++) {
            struct cluster_time run;
            parcast_advised_run candidate = {.processes = n};
            status = time_on(m, platform, n, (parcast_placement_policy)policy, &run, &candidate.nodes,
                             &candidate.cost, error);
            if (status) break;
            candidate.gain_ratio = gain_of(m, &aim.total_s, &run.total_s, 0.02);
            bool known = false;
            for (size_t i = 0; i < *n_advice; i++)
                known = known || (advice[i].processes == n && advice[i].nodes == candidate.nodes);
            if (!known && candidate.gain_ratio > 0.05) insert_advice(&candidate, advice, n_advice);
        }
    return status;
}

const struct engine engine_model = {create, destroy, point_of, again, advise, NULL};
