/* parcast run: run an elastic program on a changing number of nodes. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "parcast/supervisor.h"
#include "parcast/units.h"
#include "run_schedule.h"

static const char synopsis[] =
    "parcast run [-s STUDY] [--nodes N] [--schedule LIST] [--ranks-per-node N] [--json] -- PROGRAM [ARG]...";

struct options {
    struct cli_common common;
    char *study, *nodes, *schedule, *mpiexec, *checkpoints, *every, *engine;
    int ranks_per_node, retries, restart, no_overlap;
};

struct run {
    const struct options *options;
    parcast_program program;
    parcast_launcher launcher;
    const char *name;
    char **arguments;
    size_t n_arguments;
    struct schedule schedule;
    char directory[1024];
    double every_s;
};

/* -------- what the supervisor asks and says -------- */

static parcast_status wish(void *context, const parcast_supervised *state, parcast_wish *answer,
                           parcast_error *error)
{
    const struct run *run = context;
    (void)error;
    schedule_wish(&run->schedule, state, answer);
    return PARCAST_OK;
}

static void tell(void *context, bool warning, const char *text)
{
    const struct run *run = context;
    if (warning)
        cli_warn(&run->options->common, "%s", text);
    else
        cli_note(&run->options->common, "%s", text);
}

/* -------- the directory of the run -------- */

/* Of program and arguments: a study may hold several problems (FNV-1a). */
static uint32_t key_of(const struct run *run)
{
    uint32_t key = 2166136261u;
    for (size_t i = 0; i <= run->n_arguments; i++) {
        const char *word = i ? run->arguments[i - 1] : run->program.path;
        for (const char *c = word;; c++) {
            key = (key ^ (unsigned char)*c) * 16777619u;
            if (!*c) break;
        }
    }
    return key;
}

static parcast_status choose_directory(struct run *run, parcast_error *error)
{
    if (run->options->study) {
        int n =
            snprintf(run->directory, sizeof run->directory, "%s.run-%08x", run->options->study, key_of(run));
        if (n > 0 && (size_t)n < sizeof run->directory) return PARCAST_OK;
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "the path of the study is too long");
    }
    const char *place = getenv("TMPDIR");
    snprintf(run->directory, sizeof run->directory, "%s/parcast-run.XXXXXX",
             place && *place ? place : "/tmp");
    if (mkdtemp(run->directory)) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_IO, run->directory, 0, "cannot make a directory: %s",
                             strerror(errno));
}

/* -------- the result -------- */

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *event_json(const parcast_supervisor_event *event)
{
    return json_pack("{sI si si si so so so so sI sb ss}", "iteration", (json_int_t)event->iteration,
                     "from_nodes", event->from_nodes, "to_nodes", event->to_nodes, "to_ranks",
                     event->to_ranks, "stop_s", number(event->stop_s), "move_s", number(event->move_s),
                     "launch_s", number(event->launch_s), "pause_s", number(event->pause_s), "bytes",
                     (json_int_t)event->bytes, "in_memory", event->in_memory, "reason", event->reason);
}

static void print_json(const parcast_supervisor_result *result)
{
    json_t *events = json_array();
    for (size_t i = 0; i < result->n_events; i++)
        json_array_append_new(events, event_json(&result->events[i]));
    cli_print_json(json_pack("{ss sf sn sI so sn sb si sI sI}", "schema", "parcast.run/1", "time_s",
                             result->time_s, "cost", "iterations", (json_int_t)result->iterations, "events",
                             events, "deadline_met", "complete", result->complete, "exit_status",
                             result->exit_status, "checkpoints", (json_int_t)result->n_checkpoints, "crashes",
                             (json_int_t)result->n_crashes));
}

static void print_sum(const struct run *run, const parcast_supervisor_result *result)
{
    char time[32];
    size_t n_moves = 0;
    for (size_t i = 0; i < result->n_events; i++) n_moves += result->events[i].from_nodes > 0;
    if (run->options->common.quiet) return;
    fprintf(stderr, "parcast run: %s, %lld iterations, %zu change%s of size, %zu checkpoint%s, %zu crash%s\n",
            parcast_units_format_time(result->time_s, time, sizeof time), (long long)result->iterations,
            n_moves, n_moves == 1 ? "" : "s", result->n_checkpoints, result->n_checkpoints == 1 ? "" : "s",
            result->n_crashes, result->n_crashes == 1 ? "" : "es");
}

/* -------- the run -------- */

static parcast_status read_sizes(struct run *run, parcast_error *error)
{
    const struct options *options = run->options;
    char text[64];
    if (options->schedule) return schedule_read(options->schedule, &run->schedule, error);
    int n = snprintf(text, sizeof text, "0:%s", options->nodes ? options->nodes : "1");
    if (n < 0 || (size_t)n >= sizeof text || strchr(text, ','))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--nodes is a number, not '%s'",
                                 options->nodes);
    return schedule_read(text, &run->schedule, error);
}

static parcast_status supervise(struct run *run, parcast_supervisor_result *result, parcast_error *error)
{
    const parcast_supervisor_calls calls = {.wish = wish, .tell = tell};
    const parcast_supervisor_request request = {
        .program = &run->program,
        .launcher = &run->launcher,
        .arguments = run->arguments,
        .n_arguments = run->n_arguments,
        .ranks_per_node = run->options->ranks_per_node,
        .directory = run->directory,
        .resumable = run->options->study != NULL,
        .checkpoints = run->options->checkpoints,
        .checkpoint_every_s = run->every_s,
        .restart = run->options->restart,
        .in_memory = run->options->engine && strcmp(run->options->engine, "memory") == 0,
        .overlap = !run->options->no_overlap,
        .stdout_to_stderr = run->options->common.json,
        .max_retries = run->options->retries,
    };
    parcast_status status = choose_directory(run, error);
    return status ? status : parcast_supervise(&request, &calls, run, result, error);
}

static int execute(struct run *run)
{
    parcast_error error = {0};
    parcast_supervisor_result result = {0};
    parcast_status status = read_sizes(run, &error);
    if (!status && run->options->every)
        status = parcast_units_time(run->options->every, &run->every_s, &error);
    if (!status)
        status = parcast_program_inspect(run->name, run->arguments, run->n_arguments, &run->program, &error);
    if (!status)
        status = parcast_launcher_choose(&run->program, run->options->mpiexec, &run->launcher, &error);
    if (!status) status = supervise(run, &result, &error);
    if (status) return cli_fail(&run->options->common, &error);
    print_sum(run, &result);
    if (run->options->common.json) print_json(&result);
    int exit_status = result.exit_status;
    parcast_supervisor_result_clear(&result);
    return exit_status;
}

static int run_with(const struct options *options, poptContext context)
{
    struct run run = {.options = options, .name = cli_argument(context)};
    if (!run.name) return cli_usage(&options->common, "no program given");
    if (options->ranks_per_node < 1) return cli_usage(&options->common, "--ranks-per-node is at least 1");
    if (options->retries < 0) return cli_usage(&options->common, "--retries is not negative");
    if (options->engine && strcmp(options->engine, "restart") != 0 && strcmp(options->engine, "memory") != 0)
        return cli_usage(&options->common, "--engine is restart or memory, not '%s'", options->engine);
    const char **rest = poptGetArgs(context);
    while (rest && rest[run.n_arguments]) run.n_arguments++;
    run.arguments = calloc(run.n_arguments + 1, sizeof *run.arguments);
    if (!run.arguments) {
        parcast_error error = {.code = PARCAST_MEMORY};
        return cli_fail(&options->common, &error);
    }
    for (size_t i = 0; i < run.n_arguments; i++) run.arguments[i] = (char *)(uintptr_t)rest[i];
    int status = execute(&run);
    parcast_launcher_clear(&run.launcher);
    parcast_program_clear(&run.program);
    free(run.schedule.steps);
    free(run.arguments);
    return status;
}

int cmd_run(int argc, const char **argv)
{
    struct options options = {
        .common = {.command = "run", .synopsis = synopsis}, .ranks_per_node = 1, .retries = 3};
    const struct poptOption table[] = {
        {"study", 's', POPT_ARG_STRING, &options.study, 0,
         "study of the program; the run can be resumed through it", "STUDY"},
        {"nodes", 0, POPT_ARG_STRING, &options.nodes, 0, "number of nodes (default: 1)", "N"},
        {"schedule", 0, POPT_ARG_STRING, &options.schedule, 0, "sizes from iterations on: 0:2,10:4,20:2",
         "LIST"},
        {"ranks-per-node", 0, POPT_ARG_INT, &options.ranks_per_node, 0, "ranks on a node (default: 1)", "N"},
        {"mpiexec", 0, POPT_ARG_STRING, &options.mpiexec, 0,
         "launcher with its options (default: the one of the program's MPI library)", "CMD"},
        {"checkpoints", 0, POPT_ARG_STRING, &options.checkpoints, 0,
         "directory for checkpoints that all nodes see (default: memory of the nodes)", "DIR"},
        {"checkpoint-every", 0, POPT_ARG_STRING, &options.every, 0,
         "time between two checkpoints (default: only when the run moves)", "TIME"},
        {"restart", 0, POPT_ARG_NONE, &options.restart, 0,
         "begin anew, also if an earlier run can be resumed", NULL},
        {"retries", 0, POPT_ARG_INT, &options.retries, 0, "crashes in a row that are resumed (default: 3)",
         "N"},
        {"engine", 0, POPT_ARG_STRING, &options.engine, 0,
         "how it moves: restart, or memory where MPI can (default: restart)", "restart|memory"},
        {"no-overlap", 0, POPT_ARG_NONE, &options.no_overlap, 0,
         "launch the new size only when the old one has stopped", NULL},
        CLI_COMMON(&options.common),
        POPT_TABLEEND,
    };
    poptContext context;
    int status = cli_options(&options.common, argc, argv, table, &context);
    if (status < 0) {
        status = run_with(&options, context);
        cli_options_free(&options.common, context);
    }
    free(options.study);
    free(options.nodes);
    free(options.schedule);
    free(options.mpiexec);
    free(options.checkpoints);
    free(options.every);
    free(options.engine);
    return status;
}
