/* What a fit of engine "model" says: parameters, functions of n, pairs that cannot be told apart, notes. */
#include "forecast/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *advice_for(enum cluster_parameter p, const struct workload *w)
{
    switch (p) {
    case CLUSTER_NETWORK:
    case CLUSTER_LATENCY:
        return w->several_nodes ? "a run with more ranks on more nodes" : "a run on two nodes";
    case CLUSTER_LOCAL:
        return "a run with all cores of a node";
    case CLUSTER_NOISE:
    case CLUSTER_SYNC:
        return "a run with more ranks";
    case CLUSTER_WORK:
    case CLUSTER_WORK2:
    case CLUSTER_FIXED:
        return "runs at more different counts";
    case CLUSTER_MEMORY:
        return "runs with one rank and with all cores of a node";
    case CLUSTER_PARAMETERS:
        break;
    }
    return "";
}

static parcast_status describe_parameter(const struct model *m, const struct fit_problem *problem,
                                         enum cluster_parameter p, parcast_fit_report *report,
                                         parcast_error *error)
{
    const struct fit_result *fit = &m->fit;
    parcast_parameter out = {.fixed = fit->fixed[p]};
    double sd = out.fixed ? 0 : sqrt(fit->covariance[p][p]);
    double prior = problem->priors[p].sd;
    snprintf(out.name, sizeof out.name, "%s", cluster_parameter_text(p));
    snprintf(out.unit, sizeof out.unit, "%s", cluster_parameter_unit(p));
    double theta = fit->theta[p];
    out.value = p == CLUSTER_SYNC ? 1 / (1 + exp(-theta)) : theta <= model_log_nothing ? 0 : exp(theta);
    out.low = p == CLUSTER_SYNC ? 1 / (1 + exp(-theta + 1.96 * sd)) : out.value * exp(-1.96 * sd);
    out.high = p == CLUSTER_SYNC ? 1 / (1 + exp(-theta - 1.96 * sd)) : out.value * exp(1.96 * sd);
    out.sd_ln = sd;
    if (out.fixed) {
        out.identifiable = true;
        snprintf(out.note, sizeof out.note, "not fitted: %s",
                 problem->priors[p].why ? problem->priors[p].why : "");
    } else {
        out.prior_only = fit->covariance[p][p] / (prior * prior) > 0.8;
        out.identifiable = sd <= 0.5;
        if (out.prior_only)
            snprintf(out.note, sizeof out.note, "an assumption: the runs say nothing about it");
        if (out.prior_only || !out.identifiable)
            snprintf(out.advice, sizeof out.advice, "%s", advice_for(p, &m->workload));
    }
    return report_parameter(report, &out, error);
}

static parcast_status describe_growth(const struct growth *growth, const char *quantity,
                                      parcast_fit_report *report, parcast_error *error)
{
    char form[96];
    return report_function(report, quantity, growth_text(growth, form, sizeof form), growth->loo_ratio,
                           error);
}

static parcast_status describe_functions(const struct workload *w, parcast_fit_report *report,
                                         parcast_error *error)
{
    static const char *const laws[] = {"face of the block", "constant", "1/n", "1/n^2"};
    parcast_status status = describe_growth(&w->work, "work per process", report, error);
    if (!status) status = describe_growth(&w->imbalance.lasting, "imbalance", report, error);
    if (!status) status = describe_growth(&w->imbalance.random, "random imbalance", report, error);
    if (!status) status = describe_growth(&w->rounds, "communication rounds", report, error);
    if (!status) status = describe_growth(&w->syncs, "synchronisations", report, error);
    if (!status && w->pattern.kind == PATTERN_RANDOM) {
        status = describe_growth(&w->pattern.random_count, "messages", report, error);
        if (!status) status = describe_growth(&w->pattern.random_bytes, "bytes", report, error);
    } else if (!status && w->pattern.kind != PATTERN_NONE) {
        char form[96];
        snprintf(form, sizeof form, "%s%s", pattern_text(w->pattern.kind),
                 w->pattern.ambiguous ? " (or a shape that looks the same so far)" : "");
        status = report_function(report, "messages", form, 1 - w->pattern.score, error);
        if (!status)
            status = report_function(report, "bytes", laws[w->pattern.law], w->pattern.loo_ratio, error);
    }
    for (int i = 0; !status && i < w->n_collectives; i++) {
        char quantity[32], count[40], bytes[40], form[96];
        snprintf(quantity, sizeof quantity, "%s", collective_text(w->collectives[i].kind));
        snprintf(form, sizeof form, "%s calls of %s bytes",
                 growth_text(&w->collectives[i].count, count, sizeof count),
                 growth_text(&w->collectives[i].bytes, bytes, sizeof bytes));
        status = report_function(report, quantity, form, w->collectives[i].bytes.loo_ratio, error);
    }
    return status;
}

/* Pairs that move together: the data hold their combination, not each of them. */
static parcast_status describe_pairs(const struct model *m, const struct fit_problem *problem,
                                     parcast_fit_report *report, parcast_error *error)
{
    const double inseparable = 0.9;
    parcast_status status = PARCAST_OK;
    for (int i = 0; i < CLUSTER_PARAMETERS && !status; i++)
        for (int j = i + 1; j < CLUSTER_PARAMETERS && !status; j++) {
            if (m->fit.fixed[i] || m->fit.fixed[j]) continue;
            double a = m->fit.covariance[i][i], b = m->fit.covariance[j][j], c = m->fit.covariance[i][j];
            if (fabs(c) < inseparable * sqrt(a * b)) continue;
            status = report_note(
                report, error, "the runs cannot tell %s and %s apart (correlation %.2f); %s would",
                cluster_parameter_text((enum cluster_parameter)i),
                cluster_parameter_text((enum cluster_parameter)j), c / sqrt(a * b),
                advice_for(problem->priors[i].sd > problem->priors[j].sd ? (enum cluster_parameter)i
                                                                         : (enum cluster_parameter)j,
                           &m->workload));
        }
    return status;
}

static parcast_status describe_notes(const struct model *m, parcast_fit_report *report, parcast_error *error)
{
    const struct workload *w = &m->workload;
    int crowded = 0, disturbed = 0;
    for (size_t i = 0; i < m->n; i++) {
        crowded += m->observations[i].oversubscribed;
        disturbed += m->observations[i].disturbed > 0;
    }
    parcast_status status = PARCAST_OK;
    if (crowded > 0)
        status = report_note(report, error,
                             "%d of %zu runs had more ranks than cores: their computing is CPU time, their "
                             "total time hardly counts",
                             crowded, m->n);
    if (!status && disturbed > 0)
        status =
            report_note(report, error,
                        "%d of %zu runs were disturbed by other programs on the machine and count for less; "
                        "record them again on a quiet machine",
                        disturbed, m->n);
    if (!status && !w->several_nodes)
        status = report_note(report, error,
                             "all runs were on one node: the network is taken from the platform file, not "
                             "from the program; a run on two nodes would show it");
    if (!status && w->n_max == w->n_min)
        status = report_note(report, error,
                             "a single process count was recorded: how the program scales is an assumption; "
                             "record others, e.g. -n 1,2,4");
    if (!status && w->pattern.ambiguous && w->n_max < 8)
        status = report_note(
            report, error,
            "%d ranks are too few to tell the shape of the communication; a run with 8 or more would",
            w->n_max);
    return status;
}

parcast_status model_describe(const struct model *m, const struct fit_problem *problem,
                              parcast_fit_report *report, parcast_error *error)
{
    parcast_status status = describe_functions(&m->workload, report, error);
    for (int p = 0; !status && p < CLUSTER_PARAMETERS; p++)
        status = describe_parameter(m, problem, (enum cluster_parameter)p, report, error);
    report->rank = m->fit.rank;
    report->condition = m->fit.condition;
    for (size_t i = 0; !status && i < m->n; i++) {
        const struct observation *o = &m->observations[i];
        struct cluster_time time;
        status = cluster_time(&m->workload, m->fit.theta, &o->machine, &time, error);
        if (status) return status;
        parcast_used_run run = {.id = o->id,
                                .processes = o->n,
                                .nodes = o->n_nodes,
                                .weight = o->weight,
                                .time_s = o->time_s,
                                .fitted_s = time.total_s.v,
                                .left_out_s = NAN,
                                .oversubscribed = o->oversubscribed};
        status = report_run(report, &run, error);
    }
    if (!status) status = describe_pairs(m, problem, report, error);
    return status ? status : describe_notes(m, report, error);
}
