/* parcast replay: a trace, message by message, on a machine that a file describes. */
#include "parcast/replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "parcast/units.h"
#include "replay_drawing.h"
#include "replay_input.h"
#include "replay_print.h"

static const char synopsis[] =
    "parcast replay TRACE [--run N] [--cut] [--on PLATFORM] [--place fill|spread] [--oversubscribe] "
    "[--network "
    "flow|loggops] "
    "[--loggops L=,o=,g=,G=,O=,S=] [--collectives mpich|openmpi|naive|FILE] [--collective NAME=ALGORITHM]... "
    "[--scale-speed X] [--scale-latency X] [--scale-bandwidth X] [--ideal-network] [--what-if] [--phases] "
    "[--matrix] [--timeline FILE] [--ranks LIST] [--from T] [--until T] [--least T] [--no-messages] [--json]";

struct options {
    struct cli_common common;
    char *run, *on, *place, *network, *loggops, *collectives, *speed, *latency, *bandwidth;
    char **algorithms;
    struct drawing_options drawing;
    int cut, oversubscribe, ideal, what_if, phases, matrix;
};

struct job {
    const struct options *given;
    parcast_replay_options how;
    parcast_loggops loggops;
    bool with_loggops;
    int64_t run; /* of a study; 0: not said */
    parcast_platform *platform;
    parcast_placement *placement;
    int *rank_node;
    int n_nodes;                      /* in use; 0: not known */
    char *names[PARCAST_COLLECTIVES]; /* of algorithms, owned */
    struct drawing drawing;
    parcast_replay_loop *loops;
    parcast_replay_observer observer;
    double begin_s, shown_s; /* of the replay; when progress was shown last, 0: never */
    bool goal;
    bool again; /* a what-if: warned and drawn was before */
};

static parcast_status wrong(parcast_error *error, const char *option, const char *value, const char *what)
{
    return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%s is %s, not '%s'", option, what, value);
}

/* ---- options ---- */

/* "L=2500,o=1500,g=1000,G=6,O=0,S=65535": ns, ns per byte, bytes; O and S may be left out. */
static parcast_status read_loggops(const char *text, parcast_loggops *loggops, parcast_error *error)
{
    static const char letters[] = "LogGOS";
    double *fields[] = {&loggops->L_s,          &loggops->o_s,          &loggops->g_s,
                        &loggops->G_s_per_byte, &loggops->O_s_per_byte, &loggops->S_bytes};
    bool seen[sizeof letters - 1] = {false};
    for (const char *at = text; *at;) {
        const char *letter = strchr(letters, *at);
        char *end = NULL;
        double value = at[1] == '=' ? strtod(at + 2, &end) : NAN;
        if (!letter || !(value >= 0) || !isfinite(value) || end == at + 2 || !end || (*end && *end != ',') ||
            seen[letter - letters])
            return wrong(error, "--loggops", text, "L=NS,o=NS,g=NS,G=NS,O=NS,S=BYTES, each once");
        seen[letter - letters] = true;
        *fields[letter - letters] = *letter == 'S' ? value : value * 1e-9;
        at = *end == ',' ? end + 1 : end;
    }
    if (!seen[0] || !seen[1] || !seen[2] || !seen[3])
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--loggops needs L, o, g and G");
    return PARCAST_OK;
}

static parcast_status read_ratio(const char *option, const char *text, double *ratio, parcast_error *error)
{
    char *end;
    if (!text) return PARCAST_OK;
    *ratio = strtod(text, &end);
    if (end == text || *end || !(*ratio > 0) || !isfinite(*ratio))
        return wrong(error, option, text, "a number above 0");
    return PARCAST_OK;
}

static parcast_status read_run(const char *text, int64_t *run, parcast_error *error)
{
    char *end;
    if (!text) return PARCAST_OK;
    *run = strtoll(text, &end, 10);
    if (end == text || *end || *run < 1) return wrong(error, "--run", text, "the number of a run");
    return PARCAST_OK;
}

static parcast_status read_algorithm(struct job *job, const char *text, parcast_error *error)
{
    const char *equals = strchr(text, '=');
    for (unsigned c = 0; equals && c < PARCAST_COLLECTIVES; c++) {
        const char *name = parcast_collective_name((parcast_collective)c);
        if (strlen(name) != (size_t)(equals - text) || strncmp(name, text, strlen(name)) != 0) continue;
        free(job->names[c]);
        job->names[c] = strdup(equals + 1);
        job->how.algorithms[c] = job->names[c];
        return job->names[c] ? PARCAST_OK
                             : parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    }
    return wrong(error, "--collective", text, "NAME=ALGORITHM, like allreduce=ring");
}

/* The parameters of the platform file, with the what-ifs on it. */
static void platform_loggops(struct job *job)
{
    const parcast_network_description *network = &job->platform->network;
    job->loggops = (parcast_loggops){.L_s = network->loggops.L_s,
                                     .o_s = network->loggops.o_s,
                                     .g_s = network->loggops.g_s,
                                     .G_s_per_byte = network->loggops.G_s_per_byte,
                                     .O_s_per_byte = network->loggops.O_s_per_byte,
                                     .S_bytes = network->loggops.S_bytes};
}

static parcast_status choose_network(struct job *job, parcast_error *error)
{
    const struct options *o = job->given;
    if (o->network && strcmp(o->network, "flow") != 0 && strcmp(o->network, "loggops") != 0)
        return wrong(error, "--network", o->network, "flow or loggops");
    bool flow = o->network && strcmp(o->network, "flow") == 0;
    if (o->loggops && flow)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--loggops belongs to --network loggops");
    job->with_loggops = o->loggops || (o->network && !flow);
    if (!job->with_loggops && !o->on)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "give a platform with --on, or --loggops");
    if (o->loggops) return read_loggops(o->loggops, &job->loggops, error);
    return PARCAST_OK;
}

static parcast_status read_options(struct job *job, parcast_error *error)
{
    const struct options *o = job->given;
    parcast_status status = choose_network(job, error);
    if (!status) status = read_run(o->run, &job->run, error);
    if (!status) status = read_ratio("--scale-speed", o->speed, &job->how.scale_speed_ratio, error);
    if (!status) status = read_ratio("--scale-latency", o->latency, &job->how.scale_latency_ratio, error);
    if (!status)
        status = read_ratio("--scale-bandwidth", o->bandwidth, &job->how.scale_bandwidth_ratio, error);
    for (char **text = o->algorithms; text && *text && !status; text++)
        status = read_algorithm(job, *text, error);
    job->how.collectives = o->collectives;
    job->how.ideal_network = o->ideal;
    job->how.critical_path = true;
    job->how.matrix = o->matrix;
    if (!status) status = drawing_read(&job->drawing, &o->drawing, error);
    return status;
}

static parcast_status read_platform(struct job *job, parcast_error *error)
{
    if (!job->given->on && job->given->network && !job->given->loggops)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "--network loggops needs --loggops, or a platform that has it");
    if (!job->given->on) return PARCAST_OK;
    parcast_status status = parcast_platform_load(job->given->on, &job->platform, error);
    if (status || !job->with_loggops || job->given->loggops) return status;
    if (!job->platform->network.loggops.given) {
        parcast_error_set(error, PARCAST_DATA, job->given->on, 0, "key 'loggops' is missing in network");
        parcast_error_hint(error,
                           "network: {loggops: {L: 2.5 us, o: 1.5 us, g: 1 us, G: 6 ns}}, or --loggops");
        return PARCAST_DATA;
    }
    platform_loggops(job);
    return PARCAST_OK;
}

/* The what-ifs on LogGOPS: latency is L, bandwidth is 1/G; the CPU's times stay. */
static void scale_loggops(struct job *job)
{
    if (job->how.scale_latency_ratio > 0) job->loggops.L_s *= job->how.scale_latency_ratio;
    if (job->how.scale_bandwidth_ratio > 0) job->loggops.G_s_per_byte /= job->how.scale_bandwidth_ratio;
    if (job->how.ideal_network) job->loggops = (parcast_loggops){.S_bytes = job->loggops.S_bytes};
}

/* ---- the run ---- */

static parcast_status place(struct job *job, int n_ranks, parcast_error *error)
{
    const char *policy = job->given->place ? job->given->place : "fill";
    bool spread = strcmp(policy, "spread") == 0;
    if (!spread && strcmp(policy, "fill") != 0) return wrong(error, "--place", policy, "fill or spread");
    if (!job->platform) return PARCAST_OK;
    parcast_status status =
        parcast_placement_create(job->platform, n_ranks, spread ? PARCAST_SPREAD : PARCAST_FILL,
                                 job->given->oversubscribe, &job->placement, error);
    if (status) return status;
    job->rank_node = malloc((size_t)n_ranks * sizeof *job->rank_node);
    if (!job->rank_node) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    parcast_replay_place(job->platform, job->placement, job->rank_node);
    for (size_t g = 0; g < job->placement->n_groups; g++)
        if (job->placement->groups[g].n_ranks > 0) job->n_nodes += job->placement->groups[g].n_nodes;
    return PARCAST_OK;
}

/* ---- progress ---- */

static double clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* From the second second on, four times a second. */
static void show_progress(void *state, double simulated_s, uint64_t n_events)
{
    const double first_s = 2, between_s = 0.25;
    struct job *job = state;
    double now_s = clock_s(), took_s = now_s - job->begin_s;
    if (took_s < first_s || now_s - job->shown_s < between_s) return;
    job->shown_s = now_s;
    fprintf(stderr, "\r\033[Kreplaying: %.4g s simulated, %.3g million events, %.3g million a second",
            simulated_s, 1e-6 * (double)n_events, 1e-6 * (double)n_events / took_s);
    fflush(stderr);
}

static void begin_progress(struct job *job)
{
    if (job->given->common.quiet || !isatty(STDERR_FILENO)) return;
    job->begin_s = clock_s();
    job->observer = (parcast_replay_observer){.state = job, .progress = show_progress};
    job->how.observer = &job->observer;
}

static void end_progress(const struct job *job)
{
    if (job->shown_s > 0) fputs("\r\033[K", stderr);
}

/* ---- the timeline ---- */

static parcast_status begin_timeline(struct job *job, int n_ranks, parcast_error *error)
{
    if (job->again) return PARCAST_OK;
    parcast_status status =
        drawing_begin(&job->drawing, &job->given->drawing, n_ranks, job->rank_node, job->platform, error);
    job->how.timeline = job->drawing.timeline;
    return status;
}

static parcast_status end_timeline(struct job *job, parcast_status status, parcast_replay_result **result,
                                   parcast_error *error)
{
    status = drawing_end(&job->drawing, status, error);
    if (status) parcast_replay_result_destroy(result);
    return status;
}

static parcast_status run_goal(struct job *job, const char *path, parcast_replay_result **result,
                               parcast_error *error)
{
    parcast_goal *goal = NULL;
    if (job->with_loggops && job->how.scale_speed_ratio > 0)
        return parcast_error_set(error, PARCAST_UNSUPPORTED, path, 0,
                                 "--scale-speed does not apply to a GOAL program on LogGOPS");
    if (job->given->phases && !job->again)
        cli_note(&job->given->common,
                 "a GOAL program has no calls among which --phases could find iterations");
    parcast_status status = parcast_goal_load(path, &goal, error);
    if (!status && !job->with_loggops) status = place(job, parcast_goal_ranks(goal), error);
    if (!status) status = begin_timeline(job, parcast_goal_ranks(goal), error);
    if (!status && job->with_loggops)
        status = parcast_replay_goal_with(goal, &job->loggops, &job->how, result, error);
    else if (!status)
        status = parcast_replay_goal_on(goal, job->platform, job->rank_node, &job->how, result, error);
    parcast_goal_destroy(&goal);
    return end_timeline(job, status, result, error);
}

static parcast_status run_operations(struct job *job, const char *path, enum replay_format format,
                                     parcast_replay_result **result, parcast_error *error)
{
    struct replay_input *input = NULL;
    const struct replay_choice choice = {&job->given->common, job->run, job->given->cut, job->again};
    parcast_status status = replay_open(&choice, path, format, job->platform, &input, error);
    if (status) return status;
    parcast_operation_source source = replay_source(input);
    status = place(job, source.n_ranks, error);
    if (!status && job->given->phases && !job->again) {
        status = parcast_replay_find_loops(&source, &job->loops, error);
        source = replay_source(input);
        job->how.loops = job->loops;
    }
    if (!status) status = begin_timeline(job, source.n_ranks, error);
    if (!status)
        status = parcast_replay_run(&source, job->platform, job->rank_node,
                                    job->with_loggops ? &job->loggops : NULL, &job->how, result, error);
    replay_close(&input);
    return end_timeline(job, status, result, error);
}

static parcast_status run_trace(struct job *job, const char *path, parcast_replay_result **result,
                                parcast_error *error)
{
    enum replay_format format;
    parcast_status status = replay_detect(path, &format, error);
    if (!status) status = read_platform(job, error);
    if (status) return status;
    scale_loggops(job);
    job->goal = format == REPLAY_GOAL;
    begin_progress(job);
    status =
        job->goal ? run_goal(job, path, result, error) : run_operations(job, path, format, result, error);
    end_progress(job);
    return status;
}

/* ---- printing ---- */

/* What a reader of the numbers should know of them. */
static void print_notes(const struct job *job, const parcast_replay_result *result)
{
    enum { HIGH_FAN_IN = 8 };
    if (result->n_stopped)
        cli_warn(&job->given->common,
                 "%u of %d ranks stop before their end: what they wait for is behind the cut",
                 result->n_stopped, result->n_ranks);
    if (job->with_loggops && result->most_in_flight > HIGH_FAN_IN)
        cli_note(&job->given->common,
                 "%u messages were under way to one rank at once; on LogGOPS they do not slow each other "
                 "before they are "
                 "there: look at --network flow",
                 result->most_in_flight);
}

static void release(struct job *job)
{
    for (unsigned c = 0; c < PARCAST_COLLECTIVES; c++) free(job->names[c]);
    free(job->rank_node);
    free(job->loops);
    drawing_release(&job->drawing);
    parcast_placement_destroy(&job->placement);
    parcast_platform_destroy(&job->platform);
}

/* ---- what if ---- */

static const struct change {
    const char *name;
    double speed, latency, bandwidth; /* so many times what they are */
    bool ideal;
} changes[] = {
    {"nodes twice as fast", 2, 1, 1, false},     {"network twice as fast", 1, 0.5, 2, false},
    {"bandwidth twice as high", 1, 1, 2, false}, {"latency half as long", 1, 0.5, 1, false},
    {"no latency", 1, 1e-12, 1, false},          {"ideal network", 1, 1, 1, true},
};
enum { N_CHANGES = sizeof changes / sizeof changes[0] };

static void scale(double *ratio, double by)
{
    if (by != 1) *ratio = (*ratio > 0 ? *ratio : 1) * by;
}

/* What the critical path would lose if it stayed the same path. */
static double loss_of_path(const struct change *change, const parcast_replay_path *path, bool loggops)
{
    double transfer_s = path->transfer_s + path->sharing_s;
    if (change->ideal) return path->latency_s + transfer_s + (loggops ? path->overhead_s + path->gap_s : 0);
    return (path->compute_s + path->cores_s) * (1 - 1 / change->speed) +
           path->latency_s * (1 - change->latency) + transfer_s * (1 - 1 / change->bandwidth);
}

static parcast_status replay_changed(const struct options *options, const char *path,
                                     const struct change *change, double *time_s, parcast_error *error)
{
    struct job job = {.given = options, .again = true};
    parcast_replay_result *result = NULL;
    parcast_status status = read_options(&job, error);
    job.how.critical_path = job.how.matrix = false;
    scale(&job.how.scale_speed_ratio, change->speed);
    scale(&job.how.scale_latency_ratio, change->latency);
    scale(&job.how.scale_bandwidth_ratio, change->bandwidth);
    job.how.ideal_network |= change->ideal;
    if (!status) status = run_trace(&job, path, &result, error);
    if (!status && result) *time_s = result->time_s;
    parcast_replay_result_destroy(&result);
    release(&job);
    return status;
}

static parcast_status try_changes(const struct job *job, const char *path, struct replay_report *report,
                                  parcast_error *error)
{
    double before_s = report->result->time_s;
    for (int i = 0; i < N_CHANGES && job->given->what_if; i++) {
        const struct change *change = &changes[i];
        if (change->speed != 1 && job->goal && job->with_loggops) continue; /* no node has a speed there */
        struct replay_what_if *made = &report->what_ifs[report->n_what_ifs];
        parcast_status status = replay_changed(job->given, path, change, &made->time_s, error);
        if (status) return status;
        made->name = change->name;
        made->saving_ratio = 1 - made->time_s / before_s;
        made->at_most_ratio = loss_of_path(change, &report->result->path, job->with_loggops) / before_s;
        report->n_what_ifs++;
    }
    return PARCAST_OK;
}

static int print(struct job *job, const char *path, const parcast_replay_result *result)
{
    parcast_error error = {0};
    struct replay_report report = {.result = result,
                                   .algorithms = job->how.algorithms,
                                   .n_nodes = job->n_nodes ? job->n_nodes : result->n_ranks,
                                   .show_pairs = job->given->matrix,
                                   .timeline = job->given->drawing.file,
                                   .drawn = job->drawing.info};
    print_notes(job, result);
    drawing_tell(&job->drawing, &job->given->common);
    if (try_changes(job, path, &report, &error)) return cli_fail(&job->given->common, &error);
    if (!job->given->common.json) return replay_print_tables(&job->given->common, &report);
    replay_print_json(&report);
    return 0;
}

static int replay(struct options *options, const char *path)
{
    struct job job = {.given = options};
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    bool failed = read_options(&job, &error) || run_trace(&job, path, &result, &error);
    int status = 0;
    if (failed)
        status = cli_fail(&options->common, &error);
    else if (result)
        status = print(&job, path, result);
    parcast_replay_result_destroy(&result);
    release(&job);
    return status;
}

static void free_options(struct options *o)
{
    char *texts[] = {o->run,         o->on,    o->place,   o->network,  o->loggops,
                     o->collectives, o->speed, o->latency, o->bandwidth};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) free(texts[i]);
    for (char **text = o->algorithms; text && *text; text++) free(*text);
    free(o->algorithms);
    drawing_options_free(&o->drawing);
}

static int run(struct options *options, poptContext context)
{
    const char *path = cli_argument(context);
    if (!path) return cli_usage(&options->common, "no trace given");
    const char *more = cli_argument(context);
    if (more) return cli_usage(&options->common, "one trace at a time: what is '%s'?", more);
    return replay(options, path);
}

int cmd_replay(int argc, const char **argv)
{
    struct options o = {.common = {.command = "replay", .synopsis = synopsis}};
    const struct poptOption table[] = {
        {"run", 0, POPT_ARG_STRING, &o.run, 0, "of a study; default: the latest that has a trace", "N"},
        {"cut", 0, POPT_ARG_NONE, &o.cut, 0,
         "a trace that ends early, or of a run that lost ranks, as far as it goes", NULL},
        {"on", 0, POPT_ARG_STRING, &o.on, 0, "platform file; with --loggops it may be left out", "PLATFORM"},
        {"place", 0, POPT_ARG_STRING, &o.place, 0, "ranks node by node (fill, default) or in turn (spread)",
         "POLICY"},
        {"oversubscribe", 0, POPT_ARG_NONE, &o.oversubscribe, 0, "more ranks than cores", NULL},
        {"network", 0, POPT_ARG_STRING, &o.network, 0, "flow (default: links are shared) or loggops",
         "MODEL"},
        {"loggops", 0, POPT_ARG_STRING, &o.loggops, 0, "parameters in ns, ns per byte and bytes",
         "L=,o=,g=,G=,O=,S="},
        {"collectives", 0, POPT_ARG_STRING, &o.collectives, 0,
         "algorithms as this library chooses them: mpich, openmpi, naive; or a file of rules. Default: as "
         "the "
         "library of the recording",
         "TABLE"},
        {"collective", 0, POPT_ARG_ARGV, &o.algorithms, 0, "algorithm of one collective, e.g. allreduce=ring",
         "NAME=ALGORITHM"},
        {"scale-speed", 0, POPT_ARG_STRING, &o.speed, 0, "what if nodes were X times as fast", "X"},
        {"scale-latency", 0, POPT_ARG_STRING, &o.latency, 0, "what if the latency were X times what it is",
         "X"},
        {"scale-bandwidth", 0, POPT_ARG_STRING, &o.bandwidth, 0,
         "what if the bandwidth were X times what it is", "X"},
        {"ideal-network", 0, POPT_ARG_NONE, &o.ideal, 0, "what if messages took no time", NULL},
        {"what-if", 0, POPT_ARG_NONE, &o.what_if, 0,
         "replay again with faster nodes, with a faster network, and say what each would save", NULL},
        {"phases", 0, POPT_ARG_NONE, &o.phases, 0, "find iterations where the program does not mark them",
         NULL},
        {"matrix", 0, POPT_ARG_NONE, &o.matrix, 0, "who sends how much to whom", NULL},
        CLI_DRAWING_OPTIONS(&o.drawing),
        CLI_COMMON(&o.common),
        POPT_TABLEEND,
    };
    poptContext context;
    int status = cli_options(&o.common, argc, argv, table, &context);
    if (status < 0) {
        status = run(&o, context);
        cli_options_free(&o.common, context);
    }
    free_options(&o);
    return status;
}
