/* parcast estimate: what a sequential program would send on p processors, and how far that lets it scale. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate.h"
#include "estimates.h"
#include "interrupt.h"
#include "kept_memory.h"
#include "parcast/calibrate.h"
#include "parcast/units.h"

static const char synopsis[] =
    "parcast estimate [-s STUDY] [-p LIST] [--grid 4x4] [--extent M,M] [--whole] [--memory SIZE] "
    "[--on PLATFORM] [--flop-rate RATE] "
    "[--bandwidth B] [--overlap RATIO] [--json] -- PROGRAM [ARG]...";

struct options {
    struct cli_common common;
    int whole;
    char *study, *list, *grid, *extent, *on, *memory;
    struct cli_figures figures;
};

struct session {
    const struct options *options;
    int *counts;
    size_t n_counts;
    parcast_extents grid, extent;
    double memory_bytes;
    struct estimate estimate;
};

static bool read_extents(const char *text, parcast_extents *extents)
{
    *extents = (parcast_extents){0};
    while (extents->n < PARCAST_MAX_EXTENTS) {
        char *end;
        if (*text < '0' || *text > '9') return false;
        unsigned long long n = strtoull(text, &end, 10);
        if (!n || n > 1u << 30) return false;
        extents->extent[extents->n++] = n;
        if (!*end) return true;
        if (*end != 'x' && *end != ',') return false;
        text = end + 1;
    }
    return false;
}

/* Before the others are searched for. The hint is a list for -p. */
static parcast_status check_counts(const struct session *session, parcast_error *error)
{
    uint64_t words = session->estimate.summary.divisible;
    char fine[256] = "";
    size_t used = 0, too_many = 0;
    int most = 0;
    if (!words) return PARCAST_OK; /* it only copies: nothing is sent */
    for (size_t i = 0; i < session->n_counts; i++) {
        if (session->counts[i] > 1 && (uint64_t)session->counts[i] > words) {
            too_many++;
            if (session->counts[i] > most) most = session->counts[i];
        } else if (used < sizeof fine - 16) {
            used += (size_t)snprintf(fine + used, sizeof fine - used, "%s%d", used ? "," : "",
                                     session->counts[i]);
        }
    }
    if (!too_many) return PARCAST_OK;
    parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%d parts for %llu words whose work can be divided",
                      most, (unsigned long long)words);
    if (used)
        parcast_error_hint(error, "these numbers of parts are fine: -p %s", fine);
    else
        parcast_error_hint(error, "ask for fewer parts, or run a larger problem");
    return PARCAST_INVALID;
}

/* What is to be done about it, once for each kind. */
static void note_cures(const struct estimate *estimate)
{
    bool calls = false, regions = false, others = false;
    for (size_t i = 0; i < estimate->summary.n_reports; i++) {
        const char *kind = parcast_values_report_at(estimate->values, i).kind;
        bool is_call = strncmp(kind, "call", 4) == 0, is_region = strncmp(kind, "--region", 8) == 0;
        calls = calls || is_call;
        regions = regions || is_region;
        others = others || !(is_call || is_region);
    }
    if (calls)
        cli_note(estimate->common,
                 "compile such functions with 'parcast cc --values' (c++, fc), too, or mark a "
                 "region without their calls");
    if (others)
        cli_note(estimate->common,
                 "words of what is not followed may be missing: write it in plain code, or mark "
                 "a region without it; 'man parcast-cc' lists what it may be");
    if (regions)
        cli_note(estimate->common, "a region has the name that its function has in the source, without "
                                   "parameters, and is compiled with 'parcast cc --values' (c++, fc)");
}

static void warn_reports(const struct estimate *estimate)
{
    for (size_t i = 0; i < estimate->summary.n_reports; i++) {
        parcast_values_report report = parcast_values_report_at(estimate->values, i);
        cli_warn(estimate->common, "%s: %s (%llu times)", report.kind, report.name,
                 (unsigned long long)report.count);
    }
    note_cures(estimate);
}

/* On several parts, that is. */
static bool sends_nothing(const struct estimate *estimate)
{
    bool several = false;
    for (size_t i = 0; i < estimate->n_points; i++) {
        if (estimate->points[i].flow.words) return false;
        several = several || estimate->points[i].flow.processes > 1;
    }
    return several;
}

static void note_nothing(const struct estimate *estimate)
{
    if (sends_nothing(estimate) && !estimate->summary.partial)
        cli_note(estimate->common,
                 "nothing has to be sent in %s: every part works alone on what it has; if that is not as "
                 "expected, 'man parcast-cc' says what a region is and what is not followed",
                 estimate->summary.region ? estimate->summary.region : "the region");
}

/* Names with commas in between, as the compiler takes them. */
static bool names_one_of(const char *names, const char *regions)
{
    while (*names) {
        char name[256];
        names += strspn(names, " ,");
        size_t length = strcspn(names, " ,");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        if (length && strstr(regions, name)) return true;
        names += length;
    }
    return false;
}

/* Asked for too late. */
static void note_region(const struct estimate *estimate)
{
    const char *names = getenv("PARCAST_REGION"), *region = estimate->summary.region;
    if (names && *names && region && !names_one_of(names, region))
        cli_note(
            estimate->common,
            "PARCAST_REGION=%s changes nothing now: a region is chosen when the program is compiled, this "
            "one's is %s; compile it again with 'parcast cc --values' (c++, fc)",
            names, region);
}

static void warn(const struct estimate *estimate)
{
    if (estimate->summary.partial)
        cli_warn(estimate->common, "partial: %s", estimate->summary.partial);
    else if (estimate->run.status)
        cli_warn(estimate->common, "'%s' ended with status %d", estimate->argv[0], estimate->run.status);
    warn_reports(estimate);
    if (estimate->run.difference_ratio > ESTIMATE_SAME_WORK_RATIO)
        cli_warn(
            estimate->common,
            "%llu of %llu iterations do other work than those that were followed, by %.2g %% in all, which "
            "is missing; --whole follows all",
            (unsigned long long)estimate->run.differing, (unsigned long long)estimate->run.checked,
            100 * estimate->run.difference_ratio);
}

/* What ended the following is the cause, not what is wrong with the little that there is. */
static parcast_status too_little(const struct estimate *estimate, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_LIMIT, estimate->argv[0], 0, "too little was followed: %s",
                             estimate->summary.partial);
}

static parcast_status compute(struct session *session, parcast_error *error)
{
    struct estimate *estimate = &session->estimate;
    if (estimate->is_grid)
        return parcast_values_grid(estimate->values, &session->grid, estimate->extent,
                                   &estimate->points[0].flow, error);
    return estimate_search(estimate, session->counts, session->n_counts, error);
}

static parcast_status check_enough(const struct session *session, parcast_error *error)
{
    const parcast_values_summary *summary = &session->estimate.summary;
    if (!summary->partial) return session->estimate.is_grid ? PARCAST_OK : check_counts(session, error);
    bool enough = summary->divisible && check_counts(session, NULL) == PARCAST_OK;
    return enough ? PARCAST_OK : too_little(&session->estimate, error);
}

static void tell(void *context, const char *what)
{
    const struct estimate *estimate = context;
    cli_show_line(estimate->common, "%s: %s", estimate->argv[0], what);
}

/* The place of the fork whose child has entered the region; NULL. */
static const char *entering_child(const struct estimate *estimate)
{
    for (size_t i = 0; i < estimate->summary.n_reports; i++) {
        parcast_values_report report = parcast_values_report_at(estimate->values, i);
        if (strncmp(report.kind, "entered in a process", 20) == 0) return report.name;
    }
    return NULL;
}

static parcast_status never_entered(const struct estimate *estimate, parcast_error *error)
{
    const char *region = estimate->summary.region ? estimate->summary.region : "main";
    const char *fork = entering_child(estimate);
    parcast_error_set(error, PARCAST_DATA, estimate->argv[0], 0, "the region was never entered: %s", region);
    if (fork)
        parcast_error_hint(error,
                           "a process entered it that the program forks, at %s, and only the first process "
                           "is followed: let that do it, or mark what it runs",
                           fork);
    else if (strcmp(region, "main") == 0)
        parcast_error_hint(error, "compile main with 'parcast cc --values' (c++, fc), too, or name a region");
    else
        parcast_error_hint(error, "with these arguments the program does not come there: try others, or "
                                  "mark what runs");
    return PARCAST_DATA;
}

/* It has failed where it was followed: not all that it does was. */
static void note_unlike(struct estimate *estimate)
{
    if (!estimate->run.unlike || estimate->summary.partial) return;
    snprintf(
        estimate->unlike, sizeof estimate->unlike,
        "the program ended with status %d when it was followed, and with 0 when it ran as it was written; "
        "--whole runs it once",
        estimate->run.unlike);
    estimate->summary.partial = estimate->unlike;
}

static parcast_status trace(struct session *session, parcast_error *error)
{
    struct estimate *estimate = &session->estimate;
    parcast_values_options options = {.to_stderr = estimate->common->json,
                                      .whole = session->options->whole,
                                      .memory_bytes = (uint64_t)session->memory_bytes,
                                      .tell = tell,
                                      .context = estimate};
    kept_memory_ahead();
    parcast_status status = parcast_values_trace((char *const *)estimate->argv, &options, &estimate->values,
                                                 &estimate->run, error);
    cli_close_line(estimate->common);
    estimate->common->line_open = false;
    if (status) return status;
    if (estimate->run.ran_plain && estimate->run.serial_s > 0) {
        estimate->serial_s = estimate->run.serial_s;
        /* no longer than the program itself took, whose time is no surer */
        estimate->calibration = parcast_calibrate_core(fmin(0.05, fmax(0.005, estimate->serial_s)));
    }
    parcast_values_summarise(estimate->values, &estimate->summary);
    note_unlike(estimate);
    if (!estimate->summary.entries) return never_entered(estimate, error);
    return parcast_values_singletons(estimate->values, &estimate->singletons, &estimate->n_singletons, error);
}

static int run(struct session *session)
{
    parcast_error error = {0};
    struct estimate *estimate = &session->estimate;
    const struct options *options = session->options;
    estimate->points = calloc(session->n_counts + 1, sizeof *estimate->points);
    if (!estimate->points) return EXIT_FAILED;
    estimate->n_points = session->n_counts;
    interrupt_is_failure(&options->common);
    parcast_status status = cli_check_stack(&error);
    if (!status && options->study) status = estimate_check_study(options->study, &error);
    if (!status) status = trace(session, &error);
    if (!status) status = check_enough(session, &error);
    if (!status) warn(estimate);
    if (!status) status = compute(session, &error);
    if (!status && estimate->platform) status = estimate_bound(estimate, &error);
    if (status == PARCAST_MEMORY && !error.hint[0])
        parcast_error_hint(
            &error, "follow a smaller problem or fewer steps (--memory limits them), or raise the limit "
                    "of memory (ulimit -v)");
    if (status) return cli_fail(&options->common, &error);
    int printed = 0;
    if (options->common.json)
        cli_print_json(estimate_json(estimate));
    else
        printed = estimate_print(estimate);
    note_nothing(estimate);
    note_region(estimate);
    /* a study that cannot be written does not cost the result */
    if (options->study && estimate_keep(estimate, options->study, &error))
        return cli_fail(&options->common, &error);
    return estimate->summary.partial && !printed ? EXIT_FAILED : printed;
}

/* ---- options ---- */

static parcast_status read_figures(struct session *session, parcast_error *error)
{
    const struct options *options = session->options;
    parcast_status status = cli_figures_read(&options->figures, &session->estimate.figures, error);
    if (!status && options->memory)
        status = parcast_units_size(options->memory, &session->memory_bytes, error);
    if (!status && options->memory && session->memory_bytes < 1)
        status = parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--memory 0 leaves nothing to follow in");
    if (!status && options->on)
        status = parcast_platform_load(options->on, &session->estimate.platform, error);
    return status;
}

static int check_grid(struct session *session)
{
    const struct options *options = session->options;
    int p = 1;
    if (!options->grid) return -1;
    for (size_t i = 0; i < session->grid.n; i++) p *= (int)session->grid.extent[i];
    if (options->list && (session->n_counts != 1 || session->counts[0] != p))
        return cli_usage(&options->common, "-p %s does not agree with --grid %s, which is %d parts",
                         options->list, options->grid, p);
    session->n_counts = 1;
    session->counts[0] = p;
    session->estimate.is_grid = true;
    return -1;
}

static int check(struct session *session, parcast_error *error)
{
    const struct options *options = session->options;
    if (options->grid && !read_extents(options->grid, &session->grid))
        return cli_usage(&options->common, "--grid is up to five numbers like 4x4, not '%s'", options->grid);
    if (options->extent && !read_extents(options->extent, &session->extent))
        return cli_usage(&options->common, "--extent is up to five numbers like 64,64, not '%s'",
                         options->extent);
    if (options->extent) session->estimate.extent = &session->extent;
    if (parcast_units_list(options->list ? options->list : "2,4,8,16", &session->counts, &session->n_counts,
                           error) ||
        read_figures(session, error))
        return cli_fail(&options->common, error);
    return check_grid(session);
}

static void release(struct session *session)
{
    estimate_release(&session->estimate);
    free(session->counts);
}

int cmd_estimate(int argc, const char **argv)
{
    struct options options = {.common = {.command = "estimate", .synopsis = synopsis}};
    const struct poptOption table[] = {
        {"study", 's', POPT_ARG_STRING, &options.study, 0, "keep the estimate in this study", "STUDY"},
        {"processes", 'p', POPT_ARG_STRING, &options.list, 0, "numbers of processes (default: 2,4,8,16)",
         "LIST"},
        {"grid", 0, POPT_ARG_STRING, &options.grid, 0, "the words of exactly these blocks", "4x4"},
        {"extent", 0, POPT_ARG_STRING, &options.extent, 0, "words of the array along each dimension", "M,M"},
        {"whole", 0, POPT_ARG_NONE, &options.whole, 0, "follow every iteration, run the program once", NULL},
        {"memory", 0, POPT_ARG_STRING, &options.memory, 0,
         "most memory of the followed program (default: nine tenths of what is free)", "SIZE"},
        {"on", 0, POPT_ARG_STRING, &options.on, 0, "bound of time and efficiency on this platform",
         "PLATFORM"},
        {"flop-rate", 0, POPT_ARG_STRING, &options.figures.flop_rate, 0,
         "of one core at this program (default: measured, or the platform's)", "RATE"},
        {"bandwidth", 0, POPT_ARG_STRING, &options.figures.bandwidth, 0,
         "of a node with all nodes busy (default: the platform's)", "B"},
        {"overlap", 0, POPT_ARG_STRING, &options.figures.overlap, 0,
         "share of a transfer that computing hides (default: the platform's)", "RATIO"},
        CLI_COMMON(&options.common),
        POPT_TABLEEND};
    poptContext context;
    int status = cli_options(&options.common, argc, argv, table, &context);
    if (status >= 0) return status;
    parcast_error error = {0};
    struct session session = {
        .options = &options,
        .estimate = {
            .common = &options.common, .argv = poptGetArgs(context), .serial_s = NAN, .calibration = NAN}};
    status = session.estimate.argv && session.estimate.argv[0]
                 ? check(&session, &error)
                 : cli_usage(&options.common, "no program given");
    if (status < 0) status = run(&session);
    release(&session);
    cli_options_free(&options.common, context);
    return status;
}
