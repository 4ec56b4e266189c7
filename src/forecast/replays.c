#include "forecast/replays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "forecast/home.h"

/* Where a study does not tell: two runs of a quiet machine; ranks that share cores. */
static const double usual_repeat_sd = 0.05, usual_replay_sd = 0.05, usual_crowded_sd = 0.25;
/* The usual scatter counts as so many more runs, so that two that happen to agree do not make an interval of
 * nothing. */
enum { USUAL_FREEDOM = 3 };
/* What is measured from a few runs is not believed to be better than this. */
static const double least_replay_sd = 0.01;

static parcast_status no_memory(parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a replay");
}

parcast_status replays_run(const parcast_recorded_trace *trace, const parcast_platform *platform,
                           const int *rank_node, parcast_replay_result **result, parcast_error *error)
{
    parcast_platform own = *platform; /* with speeds relative to the nodes of the trace */
    parcast_recording *recording = NULL;
    const parcast_replay_options options = {.critical_path = true};
    own.types = malloc(platform->n_types * sizeof *own.types);
    if (!own.types) return no_memory(error);
    memcpy(own.types, platform->types, platform->n_types * sizeof *own.types);
    parcast_status status = parcast_recording_open(trace, PARCAST_TRACE_WHOLE, &own, &recording, error);
    if (!status) {
        parcast_operation_source source = parcast_recording_source(recording);
        status = parcast_replay_run(&source, &own, rank_node, NULL, &options, result, error);
    }
    parcast_recording_close(&recording);
    free(own.types);
    return status;
}

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double replays_median(double *values, size_t n)
{
    if (n == 0) return NAN;
    qsort(values, n, sizeof *values, by_number);
    return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

/* ---- replays beside the runs ---- */

struct comparison {
    const parcast_recorded_trace *const *traces;
    size_t n;
    const parcast_run *runs;
    size_t n_runs;
    const parcast_platform *platform;
    double *times_s; /* [n_runs][n] of a trace on the machine of a run; NAN: not replayed */
    bool *known;     /* [n_runs] its machine is described */
    char undescribed[1 + sizeof(((parcast_error *)0)->text)]; /* why the first one is not; empty if all are */
    char cure[1 + sizeof(((parcast_error *)0)->hint)];
};

static bool counts(const parcast_run *run)
{
    return run->complete && run->time_s > 0;
}

static bool replayable(const struct comparison *c, const parcast_run *run)
{
    for (size_t k = 0; k < c->n; k++)
        if (c->traces[k]->run->n_ranks == run->n_ranks) return true;
    return false;
}

/* The run before it that was made on the same nodes; itself if there is none. */
static size_t first_alike(const struct comparison *c, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (counts(&c->runs[j]) && home_is_same(&c->runs[i], &c->runs[j])) return j;
    return i;
}

static parcast_status replay_at_home(struct comparison *c, size_t i, parcast_error *error)
{
    struct home home;
    parcast_error why = {.code = PARCAST_OK};
    parcast_status status = home_create(&c->runs[i], c->platform, &home, &why);
    if (status == PARCAST_DATA) { /* its own machine cannot be replayed; the platform still can */
        if (!c->undescribed[0]) {
            memcpy(c->undescribed, why.text, sizeof why.text);
            memcpy(c->cure, why.hint, sizeof why.hint);
        }
        return PARCAST_OK;
    }
    if (status) {
        if (error) *error = why;
        return status;
    }
    c->known[i] = true;
    for (size_t k = 0; k < c->n && !status; k++) {
        parcast_replay_result *result = NULL;
        if (c->traces[k]->run->n_ranks != c->runs[i].n_ranks) continue;
        status = replays_run(c->traces[k], &home.platform, home.rank_node, &result, error);
        if (!status) c->times_s[i * c->n + k] = result->time_s;
        if (!status) parcast_replay_result_destroy(&result);
    }
    home_clear(&home);
    return status;
}

static parcast_status replay_all(struct comparison *c, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < c->n_runs && !status; i++) {
        if (!counts(&c->runs[i]) || !replayable(c, &c->runs[i])) continue;
        size_t j = first_alike(c, i);
        if (j == i) {
            status = replay_at_home(c, i, error);
            continue;
        }
        memcpy(c->times_s + i * c->n, c->times_s + j * c->n, c->n * sizeof *c->times_s);
        c->known[i] = c->known[j];
    }
    return status;
}

/* ---- what comes of it ---- */

static parcast_status report_comparison(const struct comparison *c, double *scratch,
                                        parcast_fit_report *report, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < c->n_runs && !status; i++) {
        const parcast_run *run = &c->runs[i];
        if (!counts(run) || !replayable(c, run)) continue;
        parcast_used_run used = used_run_of(run);
        used.held_out = true;
        if (run->oversubscribed) used.weight = 0.2;
        size_t others = 0;
        for (size_t k = 0; k < c->n; k++) {
            double time_s = c->times_s[i * c->n + k];
            bool own = c->traces[k]->run->id == run->id;
            if (own) used.held_out = false;
            if (own) used.fitted_s = time_s;
            if (!own && !isnan(time_s)) scratch[others++] = time_s;
        }
        used.left_out_s = replays_median(scratch, others);
        status = report_run(report, &used, error);
    }
    report_summarise_runs(report);
    return status;
}

/* Runs that share cores say nothing of those that do not. */
static double error_of_replays(const parcast_fit_report *report, bool crowded, bool *known)
{
    double squares = 0;
    size_t n = 0;
    for (size_t i = 0; i < report->n_runs; i++) {
        const parcast_used_run *run = &report->runs[i];
        if (run->oversubscribed != crowded || !(run->fitted_s > 0)) continue;
        squares += pow(log(run->fitted_s / run->time_s), 2);
        n++;
    }
    *known = n > 0;
    return n ? fmax(sqrt(squares / (double)n), least_replay_sd) : NAN;
}

/* Pooled over all groups of runs with the same ranks on the same nodes. */
static void find_scatter(const struct comparison *c, struct replay_doubts *doubts)
{
    double squares = 0;
    size_t freedom = 0;
    for (size_t i = 0; i < c->n_runs; i++) {
        double sum = 0, sum_squares = 0;
        size_t n = 0;
        if (!counts(&c->runs[i]) || c->runs[i].oversubscribed || first_alike(c, i) != i) continue;
        for (size_t j = i; j < c->n_runs; j++) {
            if (!counts(&c->runs[j]) || !home_is_same(&c->runs[i], &c->runs[j])) continue;
            double deviation = log(c->runs[j].time_s / c->runs[i].time_s);
            sum += deviation;
            sum_squares += deviation * deviation;
            n++;
        }
        squares += sum_squares - sum * sum / (double)n;
        freedom += n - 1;
    }
    doubts->repeat_known = freedom > 0;
    doubts->freedom = freedom + USUAL_FREEDOM;
    squares = fmax(squares, 0) + USUAL_FREEDOM * usual_repeat_sd * usual_repeat_sd;
    doubts->repeat_sd = sqrt(squares / (double)doubts->freedom);
}

static void find_doubts(const struct comparison *c, const parcast_fit_report *report,
                        struct replay_doubts *doubts)
{
    *doubts = (struct replay_doubts){.freedom = 0};
    find_scatter(c, doubts);
    doubts->replay_sd = error_of_replays(report, false, &doubts->replay_known);
    doubts->crowded_sd = error_of_replays(report, true, &doubts->crowded_known);
    if (!doubts->replay_known) doubts->replay_sd = usual_replay_sd;
    if (!doubts->crowded_known) doubts->crowded_sd = usual_crowded_sd;
    for (size_t i = 0; i < c->n_runs; i++)
        doubts->network_seen = doubts->network_seen || (c->known[i] && c->runs[i].n_nodes > 1);
}

parcast_status replays_compare(const parcast_recorded_trace *const *traces, size_t n, const parcast_run *runs,
                               size_t n_runs, const parcast_platform *platform, struct replay_doubts *doubts,
                               parcast_fit_report *report, parcast_error *error)
{
    struct comparison c = {traces, n, runs, n_runs, platform, NULL, NULL, "", ""};
    c.times_s = malloc((n_runs * n + n + 1) * sizeof *c.times_s);
    c.known = calloc(n_runs + 1, sizeof *c.known);
    parcast_status status = c.times_s && c.known ? PARCAST_OK : no_memory(error);
    for (size_t i = 0; i < n_runs * n && !status; i++) c.times_s[i] = NAN;
    if (!status) status = replay_all(&c, error);
    if (!status) status = report_comparison(&c, c.times_s + n_runs * n, report, error);
    if (!status) find_doubts(&c, report, doubts);
    if (!status && c.undescribed[0])
        status = report_note(report, error, "%s: it is not held against a replay; %s", c.undescribed, c.cure);
    free(c.times_s);
    free(c.known);
    return status;
}
