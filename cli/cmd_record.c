/* parcast record: run an MPI program under observation and keep what was seen in a study. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "parcast/record.h"
#include "parcast/units.h"
#include "record_trace.h"
#include "study_json.h"

static const char synopsis[] =
    "parcast record -s STUDY [-n LIST] [--trace] [--mpiexec CMD] [--node NAME] [--json] -- PROGRAM [ARG]...";

struct options {
    struct cli_common common;
    char *study, *list, *mpiexec, *node;
    int trace;
};

struct session {
    const struct options *options;
    const char *name; /* of the program, as given */
    char **arguments;
    size_t n_arguments;
    int *counts;
    size_t n_counts;
    parcast_program program;
    parcast_launcher launcher;
    parcast_study *study;
    json_t *json;
    size_t at;          /* index of the run that is under way */
    double last_wall_s; /* of the run before, NAN in the first */
    size_t n_stored;
    bool made_study; /* it was not there before */
};

static const struct cli_common *common(const struct session *session)
{
    return &session->options->common;
}

/* -------- progress: only on a terminal, and moving only where the program's output does not go -------- */

static void describe_progress(const struct session *session, char *text, size_t size)
{
    char left[32];
    int ranks = session->counts[session->at];
    size_t n_left = session->n_counts - session->at;
    int length = snprintf(text, size, "run %zu of %zu: %d rank%s", session->at + 1, session->n_counts, ranks,
                          ranks == 1 ? "" : "s");
    if (isfinite(session->last_wall_s) && n_left > 0)
        snprintf(text + length, size - (size_t)length, ", about %s left",
                 parcast_units_format_time(session->last_wall_s * (double)n_left, left, sizeof left));
}

static void show_start(const struct session *session)
{
    char text[128];
    if (common(session)->quiet || !isatty(STDERR_FILENO)) return;
    describe_progress(session, text, sizeof text);
    fprintf(stderr, "parcast record: %s\n", text);
}

static bool moves(const struct session *session)
{
    return !common(session)->quiet && isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO) &&
           !common(session)->json;
}

static void show_elapsed(void *context, double elapsed_s)
{
    const struct session *session = context;
    char text[128], elapsed[32];
    if (!moves(session) || elapsed_s < 1) return;
    describe_progress(session, text, sizeof text);
    fprintf(stderr, "\r\033[K%s, running for %s", text,
            parcast_units_format_time(floor(elapsed_s), elapsed, sizeof elapsed));
}

static void show_end(const struct session *session)
{
    if (moves(session)) fputs("\r\033[K", stderr);
}

/* -------- one run -------- */

static double percent(double part_s, double whole_s)
{
    return whole_s > 0 ? 100 * part_s / whole_s : 0;
}

static void tell_stored(const struct session *session, const parcast_run *run)
{
    char time[32];
    if (common(session)->quiet) return;
    fprintf(stderr, "parcast record: %d rank%s: %s, %.0f %% computing, %.0f %% MPI (waiting %.0f %%), %s%s, ",
            run->n_ranks, run->n_ranks == 1 ? "" : "s",
            parcast_units_format_time(run->time_s, time, sizeof time), percent(run->compute_s, run->time_s),
            percent(run->mpi_s, run->time_s), percent(run->wait_s, run->time_s),
            run->complete ? "complete" : "partial", run->oversubscribed ? ", more ranks than cores" : "");
    fprintf(stderr, "stored as run %lld in %s\n", (long long)run->id, session->options->study);
    for (const char *line = run->notes; line && *line;) {
        size_t length = strcspn(line, "\n");
        cli_note(common(session), "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static parcast_status store(struct session *session, const parcast_record_session *recording,
                            parcast_run *run, parcast_error *error)
{
    parcast_status status = parcast_study_add_run(session->study, run, error);
    if (status) return status;
    session->n_stored++;
    if (session->json) status = cli_study_add_run(session->json, run, false, error);
    tell_stored(session, run);
    if (!status && session->options->trace)
        status =
            cli_record_trace(common(session), recording, session->study, session->options->study, run, error);
    if (!status && session->json) status = cli_study_add_trace(session->json, session->study, run->id, error);
    return status;
}

/*
 * Collect and store. What could not be stored stays where it is: nothing that was recorded is lost.
 * Returns 0 or the exit status of our failure; the run may know the program's exit status better.
 */
static int keep(struct session *session, parcast_record_session **recording, int *exit_status)
{
    parcast_run run = {0};
    parcast_error error = {0};
    parcast_status status = parcast_record_collect(*recording, &run, &error);
    if (status == PARCAST_DATA) { /* there is nothing to store */
        cli_fail(common(session), &error);
        parcast_record_discard(recording, false);
        return EXIT_FAILED;
    }
    if (!status) {
        *exit_status = run.exit_status;
        status = store(session, *recording, &run, &error);
    }
    parcast_run_clear(&run);
    int result = 0;
    if (status) {
        result = cli_fail(common(session), &error);
        cli_note(common(session), "the files of the ranks are kept in '%s'",
                 parcast_record_directory(*recording));
        result = result ? result : EXIT_FAILED;
    }
    parcast_record_discard(recording, status != PARCAST_OK);
    return result;
}

struct outcome {
    int program; /* exit status of the program; 128 + signal when it was stopped */
    int own;     /* exit status of a failure of ours */
    bool stop;   /* no further runs */
};

static struct outcome run_once(struct session *session)
{
    parcast_record_request request = {
        .program = &session->program,
        .launcher = &session->launcher,
        .name = session->name,
        .arguments = session->arguments,
        .n_arguments = session->n_arguments,
        .n_ranks = session->counts[session->at],
        .node_type = session->options->node,
        .beside = session->options->study,
        .stdout_to_stderr = common(session)->json,
        .trace = session->options->trace,
    };
    parcast_record_session *recording = NULL;
    parcast_error error = {0};
    int exit_status = 0, interrupted = 0;
    parcast_status status = parcast_record_prepare(&request, &recording, &error);
    if (!status) {
        const char *settings = parcast_record_settings(recording);
        if (settings) cli_note(common(session), "%s", settings);
        show_start(session);
        status = parcast_record_execute(recording, show_elapsed, session, &exit_status, &interrupted, &error);
        show_end(session);
    }
    if (status) {
        int own = cli_fail(common(session), &error);
        parcast_record_discard(&recording, false);
        return (struct outcome){.own = own, .stop = true};
    }
    int own = keep(session, &recording, &exit_status);
    return (struct outcome){interrupted ? 128 + interrupted : exit_status, own, own || interrupted};
}

/* -------- all runs -------- */

static bool was_asked_to_stop(void)
{
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) || sigismember(&pending, SIGHUP);
}

/* A blocked signal waits even if it is ignored: SIGHUP below nohup must not be blocked. */
static void block_signals(sigset_t *set)
{
    struct sigaction hang_up;
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    if (sigaction(SIGHUP, NULL, &hang_up) == 0 && hang_up.sa_handler != SIG_IGN) sigaddset(set, SIGHUP);
    sigprocmask(SIG_BLOCK, set, NULL);
}

/* Between the runs the signals wait, so that no run is lost while it is being stored. */
static int run_all(struct session *session)
{
    sigset_t set;
    int result = 0, own = 0;
    block_signals(&set);
    session->last_wall_s = NAN;
    for (session->at = 0; session->at < session->n_counts; session->at++) {
        struct timespec before, after;
        clock_gettime(CLOCK_MONOTONIC, &before);
        struct outcome outcome = run_once(session);
        clock_gettime(CLOCK_MONOTONIC, &after);
        session->last_wall_s =
            (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
        if (!result) result = outcome.program;
        own = outcome.own;
        if (outcome.stop || was_asked_to_stop()) break;
    }
    if (!result) result = own;
    if (session->json && session->n_stored) {
        cli_print_json(session->json);
        session->json = NULL;
    }
    fflush(stdout);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    return result;
}

static void tell_next(const struct session *session)
{
    if (session->n_stored == 0 || common(session)->quiet || common(session)->json) return;
    fprintf(stderr, "parcast record: next: parcast show %s; parcast predict %s -n 1-64\n",
            session->options->study, session->options->study);
}

/* Inside an allocation of a batch system the launcher finds other machines by itself. */
static bool inside_allocation(void)
{
    static const char *const names[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PE_HOSTFILE", "FLUX_URI"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i])) return true;
    return false;
}

/*
 * A few ranks a core is what people do on a laptop; hundreds stop the machine for minutes. A launcher that
 * was named may use other machines: it is trusted.
 */
static parcast_status check_counts(const struct session *session, parcast_error *error)
{
    const int ranks_per_cpu = 64;
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    int most = session->counts[session->n_counts - 1]; /* ascending */
    if (session->options->mpiexec || inside_allocation() || cpus < 1 || most <= ranks_per_cpu * cpus)
        return PARCAST_OK;
    parcast_error_set(error, PARCAST_DATA, NULL, 0, "%d ranks on the %ld CPUs of this machine would stop it",
                      most, cpus);
    parcast_error_hint(
        error,
        "record at most %ld here and forecast the rest with 'parcast predict'; a launcher for other "
        "machines is named with --mpiexec",
        ranks_per_cpu * cpus);
    return PARCAST_DATA;
}

/* Everything that can be wrong is found before the program starts, and before a study is made. */
static int check_and_run(struct session *session)
{
    const struct options *options = session->options;
    parcast_error error = {0};
    parcast_status status =
        parcast_units_list(options->list ? options->list : "1", &session->counts, &session->n_counts, &error);
    if (!status) status = check_counts(session, &error);
    if (!status)
        status = parcast_program_inspect(session->name, session->arguments, session->n_arguments,
                                         &session->program, &error);
    if (!status)
        status = parcast_launcher_choose(&session->program, options->mpiexec, &session->launcher, &error);
    session->made_study = !status && access(options->study, F_OK) != 0;
    if (!status) status = parcast_study_open(options->study, PARCAST_STUDY_WRITE, &session->study, &error);
    if (status) return cli_fail(common(session), &error);
    if (session->program.starts_launcher)
        cli_warn(common(session),
                 "'%s' names '%s' itself: give the program that it starts, or ranks start ranks",
                 session->name, session->program.starts_launcher);
    if (session->launcher.guessed && !options->mpiexec)
        cli_note(common(session),
                 "'%s' does not say which MPI it uses: started by %s (--mpiexec CMD names another)",
                 session->name, session->launcher.words[0]);
    if (options->common.json) session->json = cli_study_json(session->name);
    int result = run_all(session);
    tell_next(session);
    return result;
}

/* A study that was made for runs that did not come about goes again, unless another process has filled it. */
static void remove_empty_study(struct session *session)
{
    parcast_run_list list = {0};
    if (!session->study || !session->made_study || session->n_stored > 0) return;
    bool empty = parcast_study_list(session->study, 0, &list, NULL) == PARCAST_OK && list.n_runs == 0;
    parcast_run_list_clear(&list);
    if (empty) unlink(session->options->study);
}

static void release(struct session *session)
{
    remove_empty_study(session);
    parcast_study_close(&session->study);
    parcast_launcher_clear(&session->launcher);
    parcast_program_clear(&session->program);
    json_decref(session->json);
    free(session->counts);
    free(session->arguments);
}

static int run(void *given, poptContext context)
{
    const struct options *options = given;
    struct session session = {.options = options};
    if (!options->study) return cli_usage(&options->common, "-s STUDY is missing");
    session.name = cli_argument(context);
    if (!session.name) return cli_usage(&options->common, "no program given");
    const char **rest = poptGetArgs(context);
    while (rest && rest[session.n_arguments]) session.n_arguments++;
    session.arguments = calloc(session.n_arguments + 1, sizeof *session.arguments);
    if (!session.arguments) {
        parcast_error error = {.code = PARCAST_MEMORY};
        return cli_fail(&options->common, &error);
    }
    for (size_t i = 0; i < session.n_arguments; i++) session.arguments[i] = (char *)rest[i];
    int status = check_and_run(&session);
    release(&session);
    return status;
}

int cmd_record(int argc, const char **argv)
{
    struct options options = {.common = {.command = "record", .synopsis = synopsis}};
    const struct poptOption table[] = {
        {"study", 's', POPT_ARG_STRING, &options.study, 0, "file to keep the runs in; made when missing",
         "STUDY"},
        {"ranks", 'n', POPT_ARG_STRING, &options.list, 0,
         "numbers of ranks, a run each: 1,2,4 or 1-8 (default: 1)", "LIST"},
        {"mpiexec", 0, POPT_ARG_STRING, &options.mpiexec, 0,
         "launcher with its options (default: the one of the program's MPI library)", "CMD"},
        {"node", 0, POPT_ARG_STRING, &options.node, 0, "node type of a platform that this machine is",
         "NAME"},
        {"trace", 0, POPT_ARG_NONE, &options.trace, 0, "keep every event in a trace beside the study", NULL},
        CLI_COMMON(&options.common),
        POPT_TABLEEND,
    };
    return cli_command(&options.common, argc, argv, table, run, &options);
}
