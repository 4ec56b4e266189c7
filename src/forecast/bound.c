/*
 * Engine "bound": the efficiency roofline of CommAnalyzer (HPDC'18), equations 1 to 5, with nodes for its
 * parts. S is the sum of the speeds of the cores used, N the nodes, C(N) the bytes that must cross between
 * N parts, B what all N nodes together can send at a time, O the share of it that computing hides:
 *
 *     T >= T1 / S + C(N) (1 - O) / B        E <= T1 / (S T) = 1 / (1 + S C(N) (1 - O) / (T1 B))
 *
 * With one core a node and equal nodes that is (4): E = 1 / (1 + R I (1 - O) / Bc), I = C / W. Beyond the
 * paper: no more is hidden than there is computing, T >= C(N) / B.
 */
#include "parcast/bound.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forecast/bound_basis.h"
#include "forecast/machine.h"
#include "forecast/workload.h"

struct bound {
    struct bound_value flop;
    struct bound_value given_s, runs_s, estimate_s; /* T1 on a core of speed 1; NAN: not known */
    struct bound_volumes volumes;
    parcast_bound_figures figures;
    double calibration; /* of the core that T1 is for */
};

static const struct bound_value unknown = {NAN, NAN, NAN, NAN, ""};

static void destroy(void *state)
{
    struct bound *b = state;
    if (!b) return;
    bound_volumes_clear(&b->volumes);
    free(b);
}

/* ---- the time on one core ---- */

/* Runs with one rank; without any, the computing of all ranks of the run with the fewest. What other programs
 * took does not count: on a quiet machine the program would be faster than the bound otherwise. */
static void serial_from_runs(const parcast_run *runs, size_t n_runs, struct bound_value *serial_s)
{
    int fewest = 0;
    *serial_s = unknown;
    for (size_t i = 0; i < n_runs; i++) {
        const parcast_run *run = &runs[i];
        double time_s = run->n_ranks == 1 ? run->time_s : run->compute_s * run->n_ranks;
        time_s *= 1 - workload_lost_ratio(run);
        if (!run->complete || run->oversubscribed || run->weak || !(time_s > 0)) continue;
        if (fewest && run->n_ranks > fewest) continue;
        if (run->n_ranks < fewest || !fewest) *serial_s = unknown;
        fewest = run->n_ranks;
        serial_s->value = serial_s->low = fmin(time_s, serial_s->low); /* fmin and fmax pass over NAN */
        serial_s->high = fmax(time_s, serial_s->high);
    }
}

static bool has_rates(const parcast_platform *platform)
{
    for (size_t t = 0; platform && t < platform->n_types; t++)
        if (!(platform->types[t].flop_rate_flop_per_s > 0)) return false;
    return platform != NULL;
}

/* A probed flop rate is that of multiply-add in registers, which no program reaches. */
static bool is_probed(const parcast_platform *platform)
{
    return platform && platform->types[0].calibration > 0;
}

/* T1 / S of a placement: by the speeds of the cores, or by their flop rates where these stand for T1. */
struct serial {
    struct bound_value time_s;
    bool by_rate;
};

static bool serial_of(const struct bound *b, const parcast_platform *platform, struct serial *serial)
{
    bool rates = has_rates(platform) && b->flop.value > 0, probed = is_probed(platform);
    *serial = (struct serial){b->given_s, false};
    if (b->given_s.value > 0) return true;
    serial->time_s = b->runs_s;
    if (b->runs_s.value > 0) return true;
    serial->time_s = b->estimate_s;
    if (b->estimate_s.value > 0 && !(rates && !probed)) return true;
    if (!rates) return false;
    double rate = platform->types[0].flop_rate_flop_per_s;
    serial->time_s =
        (struct bound_value){b->flop.value / rate, b->flop.low / rate, b->flop.high / rate, NAN, ""};
    serial->by_rate = true;
    return true;
}

static double cores_of(const struct bound *b, const parcast_platform *platform,
                       const parcast_placement *placement, bool by_rate)
{
    double sum = 0;
    for (size_t g = 0; g < placement->n_groups; g++) {
        const parcast_placement_group *group = &placement->groups[g];
        const parcast_node_type *type = &platform->types[group->type];
        double speed = by_rate ? type->flop_rate_flop_per_s / platform->types[0].flop_rate_flop_per_s
                               : machine_type_speed(type, b->calibration);
        sum += (double)group->n_nodes * (group->n_ranks < type->cores ? group->n_ranks : type->cores) * speed;
    }
    return sum;
}

/* ---- the network ---- */

/* What the nodes together send at a time. Under random traffic a quarter of it crosses the halves each way.
 */
static double bandwidth_of(const struct bound *b, const parcast_platform *platform,
                           const parcast_placement *placement)
{
    double sum = 0;
    for (size_t g = 0; g < placement->n_groups; g++) {
        double link = b->figures.bandwidth_bytes_per_s;
        if (isnan(link)) {
            link = parcast_platform_link_bandwidth(platform, placement->groups[g].type);
            if (platform->network.duplex == PARCAST_HALF_DUPLEX) link /= 2;
        }
        sum += placement->groups[g].n_nodes * link;
    }
    if (isnan(b->figures.bandwidth_bytes_per_s) && platform->network.bisection_bytes_per_s > 0)
        sum = fmin(sum, 4 * platform->network.bisection_bytes_per_s);
    return sum;
}

/* Given, or the platform's; without either none is assumed. */
static double overlap_of(const struct bound *b, const parcast_platform *platform)
{
    if (!isnan(b->figures.overlap_ratio)) return b->figures.overlap_ratio;
    double measured = platform ? parcast_platform_overlap(platform) : NAN;
    return isnan(measured) ? 0 : measured;
}

/* What of a transfer that takes network_s lengthens compute_s. */
static double exposed_s(double network_s, double compute_s, double overlap_ratio)
{
    return fmax(network_s * (1 - overlap_ratio), network_s - compute_s);
}

static parcast_status no_rate(const struct bound *b, parcast_error *error)
{
    parcast_error_set(error, PARCAST_DATA, NULL, 0, "nothing says how fast one core is at this program");
    parcast_error_hint(error,
                       b->flop.value > 0
                           ? "give --flop-rate to estimate, flop_rate in the platform, or record a run "
                             "with one rank"
                           : "the program has no floating-point operations: record a run with one rank");
    return PARCAST_DATA;
}

static parcast_status point_of(const void *state, const parcast_platform *platform,
                               const parcast_placement *placement, parcast_point *point, parcast_error *error)
{
    const struct bound *b = state;
    struct serial serial;
    struct bound_value bytes;
    if (!serial_of(b, platform, &serial)) return no_rate(b, error);
    parcast_status status =
        bound_fit_parts(b->volumes.counts, b->volumes.bytes, b->volumes.n, placement->n_nodes, &bytes, error);
    if (status) return status;
    double cores = cores_of(b, platform, placement, serial.by_rate), per_byte_s = 0;
    double overlap_ratio = overlap_of(b, platform);
    if (placement->n_nodes > 1 && bytes.high > 0) {
        per_byte_s = 1 / bandwidth_of(b, platform, placement);
        if (!isfinite(per_byte_s)) {
            parcast_error_set(error, PARCAST_DATA, NULL, 0, "the platform has no bandwidth between nodes");
            parcast_error_hint(error, "write network: {bandwidth: ...} into it, or give --bandwidth");
            return PARCAST_DATA;
        }
    }
    point->compute_s = serial.time_s.value / cores;
    point->communication_s = exposed_s(bytes.value * per_byte_s, point->compute_s, overlap_ratio);
    point->time_s = point->compute_s + point->communication_s;
    point->low_s = serial.time_s.low / cores;
    point->low_s += exposed_s(bytes.low * per_byte_s, point->low_s, overlap_ratio);
    point->high_s = serial.time_s.high / cores;
    point->high_s += exposed_s(bytes.high * per_byte_s, point->high_s, overlap_ratio);
    /* The ends are sums of their own, which round in their own way. */
    point->low_s = fmin(point->low_s, point->time_s);
    point->high_s = fmax(point->high_s, point->time_s);
    snprintf(point->limit, sizeof point->limit, "%s",
             point->communication_s > point->compute_s ? "bytes between nodes" : "computing");
    return PARCAST_OK;
}

/* Runs are on the platform that they were made on: as many nodes, as many ranks on each. */
static parcast_status again(const void *state, const parcast_platform *platform, const parcast_run *run,
                            parcast_point *point, parcast_error *error)
{
    parcast_placement *placement;
    if (!platform) {
        parcast_error_set(error, PARCAST_DATA, NULL, 0, "engine bound needs the platform of the runs");
        parcast_error_hint(error, "give it with --on or --recorded-on");
        return PARCAST_DATA;
    }
    parcast_status status =
        parcast_placement_create(platform, run->n_ranks, PARCAST_FILL, true, &placement, error);
    if (status) return status;
    status = point_of(state, platform, placement, point, error);
    parcast_placement_destroy(&placement);
    return status;
}

/* ---- what it is made from ---- */

static double choose(double first, double second)
{
    return isnan(first) ? second : first;
}

static parcast_status say_runs(const parcast_run *runs, size_t n_runs, parcast_fit_report *report,
                               parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < n_runs && !status; i++) {
        if (!runs[i].complete || !(runs[i].time_s > 0)) continue;
        const parcast_used_run used = used_run_of(&runs[i]);
        status = report_run(report, &used, error);
    }
    return status;
}

static parcast_status say_target(const struct bound_sizes *sizes, parcast_fit_report *report,
                                 parcast_error *error)
{
    char words[200] = "", known[200] = "";
    size_t n = 0;
    for (size_t i = 0; i < sizes->n_target && n < sizeof words; i++)
        n += (size_t)snprintf(words + n, sizeof words - n, " %s", sizes->target[i]);
    n = 0;
    for (size_t i = 0; i < sizes->n && !sizes->exact && n < sizeof known; i++)
        for (size_t j = 0; j < sizes->k && n < sizeof known; j++)
            n += (size_t)snprintf(known + n, sizeof known - n, "%s%g",
                                  j   ? "x"
                                  : i ? ", "
                                      : "",
                                  sizes->points[i * sizes->k + j]);
    if (sizes->exact)
        return report_note(report, error, "bound of '%s%s', estimated at that size",
                           sizes->estimates[0]->program, words);
    return report_note(report, error, "bound of '%s%s'%s, from estimates at %s", sizes->estimates[0]->program,
                       words, sizes->from_runs ? " (the arguments of the runs)" : "", known);
}

static parcast_status say_figure(parcast_fit_report *report, const char *name, const char *unit, double value,
                                 double low, double high, const char *note, parcast_error *error)
{
    parcast_parameter p = {.value = value, .low = low, .high = high, .identifiable = true, .fixed = true};
    snprintf(p.name, sizeof p.name, "%s", name);
    snprintf(p.unit, sizeof p.unit, "%s", unit);
    snprintf(p.note, sizeof p.note, "%s", note);
    return report_parameter(report, &p, error);
}

static parcast_status say_overlap(const struct bound *b, const parcast_platform *platform,
                                  parcast_fit_report *report, parcast_error *error)
{
    double ratio = overlap_of(b, platform);
    const char *from = "none assumed; --overlap, or overlap in the platform, says what computing hides";
    if (!isnan(b->figures.overlap_ratio))
        from = "given";
    else if (platform && platform->network.n_overlap)
        from = "the platform's, of the size of messages that hides best";
    parcast_status status = say_figure(report, "overlap", "", ratio, ratio, ratio, from, error);
    return status ? status : report_note(report, error, "overlap of computing and network: %s", from);
}

static parcast_status say_figures(const struct bound *b, const parcast_platform *platform,
                                  parcast_fit_report *report, parcast_error *error)
{
    struct serial serial;
    parcast_status status =
        say_figure(report, "work", "flop", b->flop.value, b->flop.low, b->flop.high, "", error);
    if (!status && serial_of(b, platform, &serial)) {
        const char *from = b->given_s.value > 0  ? "work at the flop rate that was given"
                           : b->runs_s.value > 0 ? "of the recorded runs"
                           : !serial.by_rate     ? "of the plain program, where it was estimated"
                           : is_probed(platform) ? "work at the probed flop rate: no program is as fast"
                                                 : "work at the platform's flop_rate";
        status = say_figure(report, "time on one core", "s", serial.time_s.value, serial.time_s.low,
                            serial.time_s.high, from, error);
        if (!status) status = report_note(report, error, "time on one core: %s", from);
        if (!status && serial.by_rate && is_probed(platform))
            status =
                report_note(report, error,
                            "the time on one core is from the probed flop rate, which no program reaches: "
                            "the time is a bound, the efficiency is not");
    }
    return status ? status : say_overlap(b, platform, report, error);
}

static void say_errors(parcast_fit_report *report)
{
    double sum = 0, worst = 0;
    int n = 0;
    for (size_t i = 0; i < report->n_functions; i++) {
        double loo_ratio = report->functions[i].loo_ratio;
        if (isnan(loo_ratio)) continue;
        sum += loo_ratio;
        worst = fmax(worst, loo_ratio);
        n++;
    }
    if (!n) return;
    report->loo_mean_ratio = sum / n;
    report->loo_worst_ratio = worst;
}

static parcast_status fill(struct bound *b, const parcast_bound_basis *basis, const parcast_run *runs,
                           size_t n_runs, const parcast_platform *platform, parcast_fit_report *report,
                           parcast_error *error)
{
    const parcast_bound_figures *latest = &basis->estimates[basis->n_estimates - 1].figures;
    struct bound_sizes sizes;
    parcast_status status = bound_sizes_find(basis, runs, n_runs, &sizes, error);
    if (status) return status;
    b->figures =
        (parcast_bound_figures){choose(basis->figures.flop_per_s, latest->flop_per_s),
                                choose(basis->figures.bandwidth_bytes_per_s, latest->bandwidth_bytes_per_s),
                                choose(basis->figures.overlap_ratio, latest->overlap_ratio)};
    b->given_s = b->runs_s = unknown;
    status = bound_flop(&sizes, &b->flop, report, error);
    if (!status) status = bound_volumes_find(&sizes, &b->volumes, report, error);
    if (!status) status = bound_serial(&sizes, &b->flop, &b->estimate_s, error);
    double rate = b->figures.flop_per_s;
    if (!status && rate > 0 && b->flop.value > 0)
        b->given_s =
            (struct bound_value){b->flop.value / rate, b->flop.low / rate, b->flop.high / rate, NAN, ""};
    if (!status && sizes.from_runs) serial_from_runs(runs, n_runs, &b->runs_s);
    b->calibration = b->runs_s.value > 0 && !(b->given_s.value > 0)
                         ? reference_calibration_of(runs, n_runs, platform)
                         : basis->estimates[basis->n_estimates - 1].calibration;
    if (!status && sizes.from_runs) status = say_runs(runs, n_runs, report, error);
    if (!status) status = say_target(&sizes, report, error);
    if (!status) status = say_figures(b, platform, report, error);
    if (!status) say_errors(report);
    bound_sizes_clear(&sizes);
    return status;
}

static parcast_status create(const parcast_run *runs, size_t n_runs, const parcast_platform *platform,
                             const parcast_fit_options *options, void **state, parcast_fit_report *report,
                             parcast_error *error)
{
    if (!options->bound || !options->bound->n_estimates) {
        parcast_error_set(error, PARCAST_DATA, NULL, 0, "the study holds no estimate");
        parcast_error_hint(error, "make one of the sequential program: parcast cc --values, then parcast "
                                  "estimate -s STUDY -- PROGRAM");
        return PARCAST_DATA;
    }
    struct bound *b = calloc(1, sizeof *b);
    if (!b) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a bound");
    parcast_status status = fill(b, options->bound, runs, n_runs, platform, report, error);
    if (status) {
        destroy(b);
        return status;
    }
    *state = b;
    return PARCAST_OK;
}

const struct engine engine_bound = {create, destroy, point_of, again, NULL, NULL};
