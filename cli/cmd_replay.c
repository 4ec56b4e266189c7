/* parcast replay: a trace, message by message, on a machine that a file describes. */
#include <stdio.h>
#include <stdlib.h>

#include "replay_job.h"
#include "replay_print.h"

static const char synopsis[] =
    "parcast replay TRACE [--run N] [--cut] [--on PLATFORM] [--place fill|spread] [--oversubscribe] "
    "[--network "
    "flow|loggops] "
    "[--loggops L=,o=,g=,G=,O=,S=] [--collectives mpich|openmpi|naive|FILE] [--collective NAME=ALGORITHM]... "
    "[--scale-speed X] [--scale-latency X] [--scale-bandwidth X] [--ideal-network] [--what-if] [--phases] "
    "[--matrix] [--timeline FILE] [--ranks LIST] [--from T] [--until T] [--least T] [--no-messages] [--json]";

/* What a reader of the numbers should know of them. */
static void print_notes(const struct replay_job *job, const parcast_replay_result *result)
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

static parcast_status replay_changed(const struct replay_request *options, const char *path,
                                     const struct change *change, double *time_s, parcast_error *error)
{
    struct replay_job job = {.given = options, .again = true};
    parcast_replay_result *result = NULL;
    parcast_status status = replay_job_read(&job, error);
    job.how.critical_path = job.how.matrix = false;
    scale(&job.how.scale_speed_ratio, change->speed);
    scale(&job.how.scale_latency_ratio, change->latency);
    scale(&job.how.scale_bandwidth_ratio, change->bandwidth);
    job.how.ideal_network |= change->ideal;
    if (!status) status = replay_job_run(&job, path, &result, error);
    if (!status && result) *time_s = result->time_s;
    parcast_replay_result_destroy(&result);
    replay_job_release(&job);
    return status;
}

static parcast_status try_changes(const struct replay_job *job, const char *path,
                                  struct replay_report *report, parcast_error *error)
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

static int print(struct replay_job *job, const char *path, const parcast_replay_result *result)
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

static int replay(struct replay_request *options, const char *path)
{
    struct replay_job job = {.given = options};
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    bool failed = replay_job_read(&job, &error) || replay_job_run(&job, path, &result, &error);
    int status = 0;
    if (failed)
        status = cli_fail(&options->common, &error);
    else if (result)
        status = print(&job, path, result);
    parcast_replay_result_destroy(&result);
    replay_job_release(&job);
    return status;
}

static int run(void *given, poptContext context)
{
    struct replay_request *options = given;
    const char *path = cli_only_argument(&options->common, context, "trace");
    if (!path) return EXIT_USAGE;
    return replay(options, path);
}

int cmd_replay(int argc, const char **argv)
{
    struct replay_request o = {.common = {.command = "replay", .synopsis = synopsis}};
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
    return cli_command(&o.common, argc, argv, table, run, &o);
}
