/*
 * Engine "replay": the traces of recorded runs, simulated message by message on the platform. It knows the
 * counts that have a trace and no other. docs/models/replay.md, "Forecasts from replays".
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forecast/doubt.h"
#include "forecast/home.h"
#include "forecast/machine.h"
#include "forecast/replays.h"
#include "forecast/scaling_internal.h"

struct replay {
    const parcast_recorded_trace **traces; /* [n] lent */
    size_t n;
    int *counts; /* [n_counts] ascending */
    size_t n_counts;
    const parcast_platform *platform; /* of the runs; only compared, never looked at */
    struct replay_doubts doubts;
};

static void destroy(void *state)
{
    struct replay *r = state;
    if (!r) return;
    free(r->traces);
    free(r->counts);
    free(r);
}

static parcast_status no_memory(parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a replay");
}

/* ---- traces ---- */

static int by_count(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static parcast_status choose_traces(struct replay *r, const parcast_replay_basis *basis,
                                    const parcast_run *runs, size_t n_runs, parcast_error *error)
{
    size_t n_basis = basis ? basis->n_traces : 0;
    r->traces = calloc(n_basis + 1, sizeof *r->traces);
    r->counts = calloc(n_basis + 1, sizeof *r->counts);
    if (!r->traces || !r->counts) return no_memory(error);
    for (size_t k = 0; k < n_basis; k++)
        for (size_t i = 0; i < n_runs; i++) {
            if (basis->traces[k].run->id != runs[i].id || !runs[i].complete || !(runs[i].time_s > 0))
                continue;
            r->counts[r->n] = runs[i].n_ranks;
            r->traces[r->n++] = &basis->traces[k];
            break;
        }
    qsort(r->counts, r->n, sizeof *r->counts, by_count);
    for (size_t i = 0; i < r->n; i++)
        if (r->n_counts == 0 || r->counts[r->n_counts - 1] != r->counts[i])
            r->counts[r->n_counts++] = r->counts[i];
    if (r->n) return PARCAST_OK;
    parcast_error_set(error, PARCAST_DATA, NULL, 0, "no complete run has a trace to replay");
    parcast_error_hint(error, "record one: parcast record --trace -s STUDY -n LIST -- PROGRAM");
    return PARCAST_DATA;
}

/* ---- what it says of itself ---- */

static parcast_status say_doubt(parcast_fit_report *report, const char *name, double sd, bool known,
                                const char *advice, parcast_error *error)
{
    parcast_parameter p = {.value = sd, .low = NAN, .high = NAN, .prior_only = !known, .identifiable = known};
    snprintf(p.name, sizeof p.name, "%s", name);
    snprintf(p.note, sizeof p.note, "of ln time%s", known ? "" : ", assumed");
    if (!known) snprintf(p.advice, sizeof p.advice, "%s", advice);
    return report_parameter(report, &p, error);
}

static parcast_status say_gaps(const struct replay *r, parcast_fit_report *report, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (size_t k = 0; k < r->n && !status; k++)
        for (const char *line = r->traces[k]->file.gaps; line && *line && !status;) {
            int length = (int)strcspn(line, "\n");
            status = report_note(report, error, "trace of run %lld: %.*s", (long long)r->traces[k]->run->id,
                                 length, line);
            line += length + (line[length] == '\n');
        }
    return status;
}

static parcast_status describe(const struct replay *r, parcast_fit_report *report, parcast_error *error)
{
    const struct replay_doubts *d = &r->doubts;
    parcast_status status = say_doubt(report, "scatter of repeated runs", d->repeat_sd, d->repeat_known,
                                      "runs that repeat a count", error);
    if (!status)
        status = say_doubt(report, "error of a replay", d->replay_sd, d->replay_known,
                           "runs on nodes that the platform describes, with a core for each rank", error);
    if (!status && d->crowded_known)
        status = say_doubt(report, "the same on shared cores", d->crowded_sd, true, "", error);
    if (!status && r->counts[0] != 1)
        status = report_note(report, error,
                             "no run of one process has a trace: speed-up and efficiency are not known");
    return status ? status : say_gaps(r, report, error);
}

static parcast_status create(const parcast_run *runs, size_t n_runs, const parcast_platform *platform,
                             const parcast_fit_options *options, void **state, parcast_fit_report *report,
                             parcast_error *error)
{
    struct replay *r = calloc(1, sizeof *r);
    if (!r) return no_memory(error);
    r->platform = platform;
    parcast_status status = choose_traces(r, options->replay, runs, n_runs, error);
    if (!status) status = replays_compare(r->traces, r->n, runs, n_runs, platform, &r->doubts, report, error);
    if (!status) status = describe(r, report, error);
    if (status)
        destroy(r);
    else
        *state = r;
    return status;
}

/* ---- points ---- */

static void list_counts(const struct replay *r, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < r->n_counts && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%d", i ? "," : "", r->counts[i]);
}

static parcast_status no_trace(const struct replay *r, int n_ranks, parcast_error *error)
{
    char text[128];
    list_counts(r, text, sizeof text);
    parcast_error_set(error, PARCAST_DATA, NULL, 0, "no run of %d process%s has a trace", n_ranks,
                      n_ranks == 1 ? "" : "es");
    parcast_error_hint(error,
                       "there are traces for -n %s; engine model forecasts all counts; or record one: "
                       "parcast record --trace -s STUDY -n %d -- PROGRAM",
                       text, n_ranks);
    return PARCAST_DATA;
}

/* Where ranks shared cores a trace has their CPU time, which others on the core have made longer. */
static bool is_used(const struct replay *r, size_t k, int n_ranks)
{
    if (r->traces[k]->run->n_ranks != n_ranks) return false;
    if (!r->traces[k]->run->oversubscribed) return true;
    for (size_t j = 0; j < r->n; j++)
        if (r->traces[j]->run->n_ranks == n_ranks && !r->traces[j]->run->oversubscribed) return false;
    return true;
}

/* What a replay has found, as far as a forecast needs it. */
struct replayed {
    double time_s, compute_s;
    double compute_ratio, transfer_ratio, latency_ratio; /* of the critical path */
    char limit[48];
};

static void name_limit(const parcast_replay_path *path, const parcast_platform *platform,
                       struct replayed *replayed)
{
    const char *type = path->n_parts && platform->n_types > 1 ? path->parts[0].node_type : NULL;
    double compute = replayed->compute_ratio, transfer = replayed->transfer_ratio,
           latency = replayed->latency_ratio;
    if (transfer > compute && transfer >= latency)
        snprintf(replayed->limit, sizeof replayed->limit, "bytes of messages");
    else if (latency > compute)
        snprintf(replayed->limit, sizeof replayed->limit, "latency");
    else if (type)
        snprintf(replayed->limit, sizeof replayed->limit, "computing (%.24s)", type);
    else
        snprintf(replayed->limit, sizeof replayed->limit, "computing");
}

static parcast_status replay_one(const parcast_recorded_trace *trace, const parcast_platform *platform,
                                 const int *rank_node, struct replayed *replayed, parcast_error *error)
{
    parcast_replay_result *result;
    parcast_status status = replays_run(trace, platform, rank_node, &result, error);
    if (status) return status;
    const parcast_replay_path *path = &result->path;
    *replayed = (struct replayed){.time_s = result->time_s};
    for (int i = 0; i < result->n_ranks; i++)
        replayed->compute_s = fmax(replayed->compute_s, result->ranks[i].compute_s);
    if (result->time_s > 0) {
        replayed->compute_ratio = (path->compute_s + path->cores_s) / result->time_s;
        replayed->transfer_ratio = (path->transfer_s + path->sharing_s) / result->time_s;
        replayed->latency_ratio = path->latency_s / result->time_s;
    }
    name_limit(path, platform, replayed);
    parcast_replay_result_destroy(&result);
    return PARCAST_OK;
}

static int by_time(const void *a, const void *b)
{
    const struct replayed *x = a, *y = b;
    return (x->time_s > y->time_s) - (x->time_s < y->time_s);
}

/* What is known of the machine that a trace is replayed on. */
struct target {
    const parcast_platform *platform;
    const int *rank_node;
    int n_ranks;
    bool several_nodes, other_kind, crowded, network_known;
};

/* ln T of one run of a program that k traces are of. */
static double sd_of(const struct replay_doubts *d, const struct target *target,
                    const struct replayed *replayed, size_t k)
{
    double t = scaling_student_t(d->freedom) / 1.96, network_sd = doubt_network_sd(target->platform);
    double variance = pow(t * d->repeat_sd, 2) * (1 + 1 / (double)k);
    variance += pow(target->crowded ? d->crowded_sd : d->replay_sd, 2);
    if (target->other_kind) variance += pow(doubt_other_kind_sd * replayed->compute_ratio, 2);
    if (target->several_nodes && !target->network_known)
        variance += pow(network_sd * replayed->transfer_ratio, 2) +
                    pow(fmax(network_sd, doubt_latency_sd) * replayed->latency_ratio, 2);
    return sqrt(variance);
}

static void fill_point(const struct replay *r, const struct target *target, struct replayed *all, size_t n,
                       parcast_point *point)
{
    qsort(all, n, sizeof *all, by_time);
    const struct replayed *middle = &all[(n - 1) / 2], *other = &all[n / 2]; /* the same if n is odd */
    double sd = sd_of(&r->doubts, target, middle, n);
    point->time_s = 0.5 * (middle->time_s + other->time_s);
    point->low_s = point->time_s * exp(-1.96 * sd);
    point->high_s = point->time_s * exp(1.96 * sd);
    point->compute_s = fmin(0.5 * (middle->compute_s + other->compute_s), point->time_s);
    point->communication_s = point->time_s - point->compute_s;
    point->sensitivity[0] = -middle->compute_ratio;
    point->sensitivity[1] = -middle->transfer_ratio;
    point->sensitivity[2] = middle->latency_ratio;
    snprintf(point->limit, sizeof point->limit, "%s", middle->limit);
}

static parcast_status replay_on(const struct replay *r, const struct target *target, parcast_point *point,
                                parcast_error *error)
{
    size_t n = 0;
    parcast_status status = PARCAST_OK;
    struct replayed *all = calloc(r->n, sizeof *all);
    if (!all) return no_memory(error);
    for (size_t k = 0; k < r->n && !status; k++)
        if (is_used(r, k, target->n_ranks))
            status = replay_one(r->traces[k], target->platform, target->rank_node, &all[n++], error);
    if (!status && n == 0) status = no_trace(r, target->n_ranks, error);
    if (!status) fill_point(r, target, all, n, point);
    free(all);
    return status;
}

/* Has a trace of so many ranks seen a node of the type? */
static bool has_seen(const struct replay *r, int n_ranks, const parcast_platform *platform, size_t type)
{
    for (size_t k = 0; k < r->n; k++)
        for (size_t i = 0; is_used(r, k, n_ranks) && i < r->traces[k]->run->n_nodes; i++)
            if (machine_node_type(platform, &r->traces[k]->run->nodes[i]) == (int)type) return true;
    return false;
}

static parcast_status point_of(const void *state, const parcast_platform *platform,
                               const parcast_placement *placement, parcast_point *point, parcast_error *error)
{
    const struct replay *r = state;
    struct target target = {.platform = platform,
                            .n_ranks = placement->n_ranks,
                            .several_nodes = placement->n_nodes > 1,
                            .network_known = r->doubts.network_seen && platform == r->platform};
    int *rank_node = malloc((size_t)placement->n_ranks * sizeof *rank_node);
    if (!rank_node) return no_memory(error);
    parcast_replay_place(platform, placement, rank_node);
    target.rank_node = rank_node;
    for (size_t g = 0; g < placement->n_groups; g++) {
        const parcast_placement_group *group = &placement->groups[g];
        if (!has_seen(r, placement->n_ranks, platform, group->type)) target.other_kind = true;
        if (group->n_ranks > platform->types[group->type].cores) target.crowded = true;
    }
    parcast_status status = replay_on(r, &target, point, error);
    free(rank_node);
    return status;
}

static parcast_status again(const void *state, const parcast_platform *platform, const parcast_run *run,
                            parcast_point *point, parcast_error *error)
{
    const struct replay *r = state;
    struct home home;
    parcast_status status = home_create(run, platform, &home, error);
    if (status) return status;
    struct target target = {.platform = &home.platform,
                            .rank_node = home.rank_node,
                            .n_ranks = run->n_ranks,
                            .several_nodes = run->n_nodes > 1,
                            .crowded = run->oversubscribed,
                            .network_known = r->doubts.network_seen && platform == r->platform};
    status = replay_on(r, &target, point, error);
    home_clear(&home);
    return status;
}

static size_t known_counts(const void *state, const int **counts)
{
    const struct replay *r = state;
    *counts = r->counts;
    return r->n_counts;
}

const struct engine engine_replay = {create, destroy, point_of, again, NULL, known_counts};
