/* parcast run: run an elastic program on a changing number of nodes. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "amounts.h"
#include "cli.h"
#include "parcast/study.h"
#include "parcast/supervisor.h"
#include "run_account.h"
#include "run_decide.h"
#include "run_nodes.h"
#include "run_progress.h"
#include "run_result.h"
#include "run_schedule.h"
#include "run_sizes.h"

static const char synopsis[] =
    "parcast run [-s STUDY] [--on PLATFORM] [--deadline T] [--budget C] [--allocator local|hosts:FILE|slurm] "
    "[--nodes MIN-MAX] [--schedule LIST] [--ranks-per-node N] [--json] -- PROGRAM [ARG]...";

static const int not_given = -1, most_nodes = 1000000;

struct options {
    struct cli_common common;
    char *study, *nodes, *schedule, *mpiexec, *checkpoints, *every, *engine, *patience;
    char *on, *deadline, *budget, *policy, *range, *allocator, *shell;
    int ranks_per_node, retries, restart, no_overlap;
    long long interval, iterations;
};

struct run {
    const struct options *options;
    parcast_program program;
    parcast_launcher launcher;
    const char *name;
    char **arguments;
    size_t n_arguments;
    struct sizes sizes;
    struct schedule schedule; /* empty: the decider chooses */
    struct decider *decider;
    struct tally tally;
    struct progress progress;
    struct nodes nodes;     /* empty: all nodes are parts of this machine */
    struct account account; /* of these */
    parcast_platform *platform;
    char directory[1024];
    double every_s, silence_s;
};

/* -------- what the supervisor asks and says -------- */

/* Is it time to ask for the nodes of a move that is due at an iteration? */
static bool is_soon(const struct run *run, const parcast_supervised *state, int64_t iteration)
{
    const double usual_s = 5, early = 1.2;
    double startup_s = 0;
    for (size_t t = 0; run->platform && t < run->platform->n_types; t++)
        startup_s = fmax(startup_s, run->platform->types[t].startup_delay_s);
    int64_t done = state->iteration - state->since_iteration, ahead = iteration - state->iteration;
    if (done < 1) return ahead <= 1;
    return (double)ahead * state->running_s / (double)done <= usual_s + early * startup_s;
}

/* What may be had of a wish. The program moves when its nodes are there; where it is to move exactly at an
   iteration it stops there and waits for them, unless they are refused. */
static parcast_status grant(struct run *run, const parcast_supervised *state, parcast_wish *answer,
                            parcast_error *error)
{
    bool exact = answer->at_iteration >= 0 || state->left;
    bool later = answer->at_iteration >= 0 && !state->left && state->nodes > 0 &&
                 !is_soon(run, state, answer->at_iteration);
    int granted = state->nodes, ahead = run->decider ? decider_request(run->decider) : 0;
    parcast_status status = PARCAST_OK;
    run->nodes.wanted = later ? ahead : answer->nodes > ahead ? answer->nodes : ahead;
    if (ahead > answer->nodes && state->nodes > 0)
        status = nodes_grant(&run->nodes, state->nodes, ahead, &granted, error);
    if (!status)
        status =
            nodes_grant(&run->nodes, state->nodes, later ? state->nodes : answer->nodes, &granted, error);
    if (!status && !state->moving && answer->nodes == state->nodes) nodes_give_up(&run->nodes, state->nodes);
    if (status || granted == answer->nodes) return status;
    answer->waits = state->nodes > 0 && exact && (later || nodes_start(&run->nodes));
    if (answer->waits) return PARCAST_OK;
    answer->nodes = granted; /* until the others are ready */
    if (granted < state->nodes) snprintf(answer->reason, sizeof answer->reason, "nodes are wanted back");
    return PARCAST_OK;
}

static double charged(const struct run *run)
{
    return run->nodes.allocator ? parcast_allocator_cost(run->nodes.allocator) : account_cost(&run->account);
}

/* Of this machine: those of the next launch, too, while it is prepared. */
static int nodes_held(const parcast_supervised *state, const parcast_wish *answer)
{
    if (state->nodes > 0 && (!state->moving || answer->nodes < state->nodes)) return state->nodes;
    return answer->nodes;
}

static parcast_status wish(void *context, const parcast_supervised *state, parcast_wish *answer,
                           parcast_error *error)
{
    struct run *run = context;
    int available = run->sizes.max_nodes;
    double cost = charged(run);
    parcast_status status = PARCAST_OK;
    if (run->nodes.allocator) status = nodes_available(&run->nodes, &available, error);
    if (!status && run->decider) status = decider_wish(run->decider, state, available, cost, answer, error);
    if (!run->decider) schedule_wish(&run->schedule, state, answer);
    if (!status && run->nodes.allocator) status = grant(run, state, answer, error);
    return status ? status : account_hold(&run->account, nodes_held(state, answer), error);
}

static void reported(void *context, const parcast_supervised *state)
{
    struct run *run = context;
    tally_take(&run->tally, state);
    progress_show(&run->progress, state, run->decider ? decider_end(run->decider) : NAN);
}

static const parcast_supervisor_host *hosts(void *context, int n_nodes, size_t *n)
{
    struct run *run = context;
    return nodes_hosts(&run->nodes, n_nodes, n);
}

static parcast_host_state host_state(void *context, const char *name)
{
    struct run *run = context;
    return nodes_host(&run->nodes, name);
}

static void suspect(void *context, const char *name)
{
    struct run *run = context;
    nodes_suspect(&run->nodes, name);
}

static void moved(void *context, const parcast_supervisor_event *event)
{
    struct run *run = context;
    if (run->decider) decider_moved(run->decider, event);
    if (run->nodes.allocator) nodes_keep(&run->nodes, event->to_nodes);
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

/* A program that does not open the library has nothing to tell. */
static void conclude(struct run *run, const parcast_supervisor_result *result)
{
    const struct options *options = run->options;
    double cost = charged(run);
    json_t *all = result_json(result, &run->tally, cost);
    if (!options->common.quiet) result_tell(result);
    if (run->decider) decider_report(run->decider, cost, all);
    if (options->study && (result->complete || result->iterations > 0))
        result_keep(&options->common, options->study, run->decider ? decider_problem(run->decider) : 0,
                    run->program.path, run->arguments, run->n_arguments, all);
    if (options->study && result->interrupted && result->n_checkpoints > 0)
        cli_note(&options->common, "the same command resumes the run");
    if (options->common.json)
        cli_print_json(all);
    else
        json_decref(all);
    if (run->decider && !options->common.quiet) decider_tell(run->decider, result->time_s);
}

/* -------- the run -------- */

static bool is_decided(const struct run *run)
{
    const struct options *options = run->options;
    return options->deadline || options->budget || options->policy;
}

static parcast_status open_decider(struct run *run, parcast_error *error)
{
    const struct options *options = run->options;
    const struct decide_request request = {
        .common = &options->common,
        .study = options->study,
        .deadline = options->deadline,
        .budget = options->budget,
        .policy = options->policy,
        .range = options->range,
        .platform = run->platform,
        .program = run->name,
        .path = run->program.path,
        .arguments = run->arguments,
        .n_arguments = run->n_arguments,
        .overlaps = !options->no_overlap,
        .far = run->nodes.allocator != NULL,
        .min_nodes = run->sizes.min_nodes,
        .max_nodes = run->sizes.max_nodes,
        .ranks_per_node = run->sizes.ranks_per_node,
        .interval = options->interval,
        .iterations = options->iterations,
    };
    if (options->schedule)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "--schedule leaves nothing to decide for a goal or a policy");
    return decider_open(&request, &run->decider, error);
}

/* Who says how large: the decision, a schedule, or --nodes. */
static parcast_status choose_sizes(struct run *run, parcast_error *error)
{
    const struct options *options = run->options;
    const struct sizes *sizes = &run->sizes;
    char text[32];
    if (is_decided(run)) return open_decider(run, error);
    if (options->schedule) {
        parcast_status status = schedule_read(options->schedule, &run->schedule, error);
        if (status || !sizes->given) return status;
        return schedule_check(&run->schedule, sizes->min_nodes, sizes->max_nodes, error);
    }
    snprintf(text, sizeof text, "0:%d", options->nodes ? sizes->max_nodes : 1);
    return schedule_read(text, &run->schedule, error);
}

/* This machine needs nobody to ask for its cores. */
static parcast_status open_nodes(struct run *run, parcast_error *error)
{
    const struct options *options = run->options;
    struct sizes *sizes = &run->sizes;
    if (!options->allocator || strcmp(options->allocator, "local") == 0) {
        if (!sizes->given) sizes->max_nodes = sizes_of_this_machine(sizes);
        if (!run->platform) return PARCAST_OK;
        return account_open(run->platform, most_nodes, sizes->ranks_per_node, &run->account, error);
    }
    const parcast_allocator_options how = {.platform = run->platform,
                                           .min_nodes = sizes->given ? sizes->min_nodes : 0,
                                           .max_nodes = sizes->max_nodes,
                                           .ranks_per_node = sizes->ranks_per_node};
    parcast_status status =
        nodes_open(&options->common, options->allocator, options->shell, &how, &run->nodes, error);
    run->nodes.resumable = options->study != NULL;
    if (status || sizes->given) return status;
    return nodes_available(&run->nodes, &sizes->max_nodes, error);
}

static parcast_status read_sizes(struct run *run, parcast_error *error)
{
    const struct options *options = run->options;
    parcast_status status = PARCAST_OK;
    if (options->on) status = parcast_platform_load(options->on, &run->platform, error);
    if (!status)
        status = sizes_read(&options->common, options->nodes, options->ranks_per_node, run->platform,
                            &run->sizes, error);
    if (!status) status = open_nodes(run, error);
    return status ? status : choose_sizes(run, error);
}

static parcast_status supervise(struct run *run, parcast_supervisor_result *result, parcast_error *error)
{
    const bool asks = run->nodes.allocator != NULL;
    const parcast_supervisor_calls calls = {.wish = wish,
                                            .reported = reported,
                                            .hosts = hosts,
                                            .host = asks ? host_state : NULL,
                                            .suspect = asks ? suspect : NULL,
                                            .moved = moved,
                                            .tell = tell};
    const parcast_supervisor_request request = {
        .program = &run->program,
        .launcher = &run->launcher,
        .arguments = run->arguments,
        .n_arguments = run->n_arguments,
        .ranks_per_node = run->sizes.ranks_per_node,
        .directory = run->directory,
        .resumable = run->options->study != NULL,
        .checkpoints = run->options->checkpoints,
        .checkpoint_every_s = run->every_s,
        .restart = run->options->restart,
        .in_memory = run->options->engine && strcmp(run->options->engine, "memory") == 0,
        .overlap = !run->options->no_overlap,
        .stdout_to_stderr = run->options->common.json,
        .agent = run->nodes.allocator ? parcast_allocator_agent(run->nodes.allocator) : NULL,
        .max_retries = run->options->retries,
        .silence_s = run->silence_s,
    };
    parcast_status status = choose_directory(run, error);
    return status ? status : parcast_supervise(&request, &calls, run, result, error);
}

static parcast_status read_every(struct run *run, parcast_error *error)
{
    const char *text = run->options->every;
    parcast_status status = cli_read_time("--checkpoint-every", text, &run->every_s, error);
    if (status || run->every_s > 0) return status;
    return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--checkpoint-every '%s' is no time", text);
}

/* A study that cannot be used is better known before the run than after it. */
static parcast_status check_study(const struct run *run, parcast_error *error)
{
    const char *path = run->options->study;
    parcast_study *study;
    struct stat file;
    if (!path || stat(path, &file) != 0 || file.st_size == 0) return PARCAST_OK; /* it is made afterwards */
    parcast_status status = parcast_study_open(path, PARCAST_STUDY_READ, &study, error);
    if (status) return status;
    parcast_study_close(&study);
    if (access(path, W_OK) != 0)
        cli_warn(&run->options->common, "%s: cannot be written: the run will not be kept in it: %s", path,
                 strerror(errno));
    return PARCAST_OK;
}

/* 0 is for ever. */
static parcast_status read_patience(struct run *run, parcast_error *error)
{
    parcast_status status = cli_read_time("--patience", run->options->patience, &run->silence_s, error);
    if (!status && run->silence_s <= 0) run->silence_s = INFINITY;
    return status;
}

static int execute(struct run *run)
{
    parcast_error error = {0};
    parcast_supervisor_result result = {0};
    parcast_status status = PARCAST_OK;
    if (run->options->every) status = read_every(run, &error);
    if (!status && run->options->patience) status = read_patience(run, &error);
    if (!status) status = check_study(run, &error);
    if (!status)
        status = parcast_program_inspect(run->name, run->arguments, run->n_arguments, &run->program, &error);
    if (!status)
        status = parcast_launcher_choose(&run->program, run->options->mpiexec, &run->launcher, &error);
    if (!status) status = read_sizes(run, &error);
    if (!status) status = supervise(run, &result, &error);
    progress_end(&run->progress);
    if (status) return cli_fail(&run->options->common, &error);
    conclude(run, &result);
    int exit_status = result.exit_status;
    parcast_supervisor_result_clear(&result);
    return exit_status;
}

static bool is_one_of(const char *word, const char *first, const char *second)
{
    return !word || strcmp(word, first) == 0 || strcmp(word, second) == 0;
}

/* What options alone tell; -1: nothing is wrong with them. */
static int check_options(const struct options *options)
{
    const struct cli_common *common = &options->common;
    bool reactive = options->policy && strcmp(options->policy, "reactive") == 0;
    bool hosts_named = options->allocator && strncmp(options->allocator, "hosts:", 6) == 0;
    if (options->ranks_per_node != not_given && options->ranks_per_node < 1)
        return cli_usage(common, "--ranks-per-node is at least 1");
    if (options->interval < 0 || options->iterations < 0)
        return cli_usage(common, "--interval and --iterations are not negative");
    if (options->retries < 0) return cli_usage(common, "--retries is not negative");
    if (!is_one_of(options->engine, "restart", "memory"))
        return cli_usage(common, "--engine is restart or memory, not '%s'", options->engine);
    if (!is_one_of(options->policy, "forecast", "reactive"))
        return cli_usage(common, "--policy is forecast or reactive, not '%s'", options->policy);
    if (!reactive && (options->range || options->interval))
        return cli_usage(common, "--range and --interval are for --policy reactive");
    if (reactive && !options->deadline) return cli_usage(common, "--policy reactive needs --deadline");
    if (!hosts_named && options->shell) return cli_usage(common, "--shell is for --allocator hosts:FILE");
    return -1;
}

static int run_with(void *given, poptContext context)
{
    struct options *options = given;
    struct run run = {.options = options, .name = cli_argument(context)};
    if (!run.name) return cli_usage(&options->common, "no program given");
    int wrong = check_options(options);
    if (wrong >= 0) return wrong;
    progress_begin(&run.progress, &options->common);
    const char **rest = poptGetArgs(context);
    while (rest && rest[run.n_arguments]) run.n_arguments++;
    run.arguments = calloc(run.n_arguments + 1, sizeof *run.arguments);
    if (!run.arguments) {
        parcast_error error = {.code = PARCAST_MEMORY};
        return cli_fail(&options->common, &error);
    }
    for (size_t i = 0; rest && i < run.n_arguments; i++) run.arguments[i] = (char *)rest[i];
    int status = execute(&run);
    decider_close(&run.decider);
    tally_clear(&run.tally);
    nodes_close(&run.nodes);
    account_close(&run.account);
    parcast_platform_destroy(&run.platform);
    parcast_launcher_clear(&run.launcher);
    parcast_program_clear(&run.program);
    free(run.schedule.steps);
    free(run.arguments);
    return status;
}

int cmd_run(int argc, const char **argv)
{
    struct options options = {
        .common = {.command = "run", .synopsis = synopsis}, .ranks_per_node = not_given, .retries = 3};
    const struct poptOption table[] = {
        {"study", 's', POPT_ARG_STRING, &options.study, 0,
         "study of the program; the run can be resumed through it", "STUDY"},
        {"on", 0, POPT_ARG_STRING, &options.on, 0, "platform file: kinds of nodes, prices, network",
         "PLATFORM"},
        {"deadline", 0, POPT_ARG_STRING, &options.deadline, 0, "seconds, 90m, 2h30m or a clock time 18:00",
         "T"},
        {"budget", 0, POPT_ARG_STRING, &options.budget, 0, "in the platform's currency", "C"},
        {"policy", 0, POPT_ARG_STRING, &options.policy, 0, "who chooses the size (default: forecast)",
         "forecast|reactive"},
        {"range", 0, POPT_ARG_STRING, &options.range, 0,
         "reactive: band around the iteration time that is required", "TIME"},
        {"interval", 0, POPT_ARG_LONGLONG, &options.interval, 0,
         "reactive: iterations between two looks (default: 50)", "N"},
        {"iterations", 0, POPT_ARG_LONGLONG, &options.iterations, 0,
         "iterations of the run, if the program does not say", "N"},
        {"allocator", 0, POPT_ARG_STRING, &options.allocator, 0, "where nodes come from (default: local)",
         "local|hosts:FILE|slurm"},
        {"shell", 0, POPT_ARG_STRING, &options.shell, 0,
         "hosts: words that reach a machine (default: ssh with options)", "CMD"},
        {"nodes", 0, POPT_ARG_STRING, &options.nodes, 0, "number of nodes, or fewest and most (default: 1)",
         "MIN-MAX"},
        {"schedule", 0, POPT_ARG_STRING, &options.schedule, 0, "sizes from iterations on: 0:2,10:4,20:2",
         "LIST"},
        {"ranks-per-node", 0, POPT_ARG_INT, &options.ranks_per_node, 0,
         "ranks on a node (default: the cores of the platform's nodes, else 1)", "N"},
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
        {"patience", 0, POPT_ARG_STRING, &options.patience, 0,
         "silence after which ranks are named that hang; twice it: ended (default: from measured ones)",
         "TIME"},
        {"engine", 0, POPT_ARG_STRING, &options.engine, 0,
         "how it moves: restart, or memory where MPI can (default: restart)", "restart|memory"},
        {"no-overlap", 0, POPT_ARG_NONE, &options.no_overlap, 0,
         "launch the new size only when the old one has stopped", NULL},
        CLI_COMMON(&options.common),
        POPT_TABLEEND,
    };
    return cli_command(&options.common, argc, argv, table, run_with, &options);
}
