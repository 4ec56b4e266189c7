/*
 * Running an instrumented program and reading what it leaves. First it runs plain, as it was written, which
 * times it and counts its iterations; a long one then until the operations of some are counted; then it is
 * followed, a long one until iterations repeat.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/signals.h"
#include "parcast/valueflow.h"
#include "valueflow/file.h"
#include "valueflow/graph.h"
#include "valueflow/load.h"
#include "valueflow/period.h"
#include "valueflow/plain.h"
#include "valueflow/runtime/dump_format.h"
#include "valueflow/sample.h"

enum { MOST_SETTINGS = 5, MOST_MESSAGE = 2048 };

struct tracing {
    char *const *argv;
    const parcast_values_options *options;
    char message[MOST_MESSAGE]; /* what the followed run said when it ended early */
    int ended_by, stopped_by;   /* signals: the last run died of it; it reached us meanwhile. 0: none */
    bool is_instrumented;       /* the plain run has shown it */
    bool is_followed;           /* what runs leaves its values when it ends */
    sigset_t held;              /* signals to us, until no file is left */
    struct signals_before before;
    long peak_kb;
    char *path, *steps; /* what it leaves: values, which iterations */
    parcast_values_run run;
    struct counted_steps counted;
    struct sample sample; /* n 0: none was asked for */
    off_t input;          /* where standard input stood; -1: it cannot be read again */
};

/* A limit of memory in the environment holds where none is given. */
static bool is_ours(const char *variable, char *const *settings)
{
    static const char *const names[] = {"PARCAST_VALUES=", "PARCAST_VALUES_STEPS=", "PARCAST_PLAIN=",
                                        "PARCAST_VALUES_MESSAGES=", "PARCAST_VALUES_LATE="};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(variable, names[i], strlen(names[i])) == 0) return true;
    size_t length = strcspn(variable, "=") + 1;
    for (; *settings; settings++)
        if (strncmp(variable, *settings, length) == 0) return true;
    return false;
}

/* Libraries that start threads of their own, some before main: the program is looked at without, and timed on
 * one core. */
static char openmp[] = "OMP_NUM_THREADS=1", openblas[] = "OPENBLAS_NUM_THREADS=1",
            mkl[] = "MKL_NUM_THREADS=1", blis[] = "BLIS_NUM_THREADS=1";
static char *const one_thread[] = {openmp, openblas, mkl, blis, NULL};

/* The environment with our settings [at most MOST_SETTINGS, NULL at the end] in place of older ones. */
static char **environment(char *const *settings)
{
    size_t n = 0, m = 0;
    while (environ[n]) n++;
    char **result = malloc((n + MOST_SETTINGS + sizeof one_thread / sizeof *one_thread) * sizeof *result);
    for (size_t i = 0; result && i < n; i++)
        if (!is_ours(environ[i], settings) && !is_ours(environ[i], one_thread)) result[m++] = environ[i];
    for (; result && *settings; settings++) result[m++] = *settings;
    for (size_t i = 0; result && one_thread[i]; i++) result[m++] = one_thread[i];
    if (result) result[m] = NULL;
    return result;
}

/* Standard output goes where it goes, to standard error, or nowhere. */
static void redirect(posix_spawn_file_actions_t *actions, const struct tracing *t, bool silent)
{
    if (silent)
        posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    else if (t->options->to_stderr)
        posix_spawn_file_actions_adddup2(actions, STDERR_FILENO, STDOUT_FILENO);
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static parcast_status start(const struct tracing *t, char *const *settings, bool silent, pid_t *child,
                            parcast_error *error)
{
    char **variables = environment(settings);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (!variables) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &t->before.mask);
    redirect(&actions, t, silent);
    int failed = posix_spawnp(child, t->argv[0], &actions, &attributes, t->argv, variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(variables);
    if (failed)
        return parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "cannot run '%s': %s", t->argv[0],
                                 strerror(failed));
    return PARCAST_OK;
}

/* The file is empty until the program writes its values, which it does last. */
static bool is_leaving(const struct tracing *t)
{
    struct stat file;
    return t->is_followed && stat(t->path, &file) == 0 && file.st_size > 0;
}

/* The first signal goes on to the program, unless a terminal has sent it to the whole group already or it is
 * at its end anyway; it may leave what was followed until then. The second one ends it. */
static void pass_on(struct tracing *t, const siginfo_t *info, pid_t child)
{
    if (t->stopped_by)
        kill(child, SIGKILL);
    else if (info->si_code != SI_KERNEL && !is_leaving(t))
        kill(child, info->si_signo);
    t->stopped_by = info->si_signo;
}

static parcast_status wait_for(struct tracing *t, pid_t child, int *ended, struct rusage *usage,
                               parcast_error *error)
{
    const struct timespec pause = {.tv_nsec = 250000000};
    for (;;) {
        siginfo_t info;
        int signal = sigtimedwait(&t->held, &info, &pause);
        if (signal > 0 && signal != SIGCHLD) pass_on(t, &info, child);
        pid_t id = wait4(child, ended, WNOHANG, usage);
        if (id == child) break;
        if (id < 0 && errno != EINTR)
            return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot wait for '%s': %s", t->argv[0],
                                     strerror(errno));
    }
    const struct timespec none = {0};
    sigset_t of_child;
    sigemptyset(&of_child);
    sigaddset(&of_child, SIGCHLD);
    while (sigtimedwait(&of_child, NULL, &none) == SIGCHLD) continue;
    return PARCAST_OK;
}

static parcast_status execute(struct tracing *t, char *const *settings, bool silent, int *status,
                              parcast_error *error)
{
    pid_t child;
    int ended = 0;
    struct rusage usage = {0};
    t->stopped_by = 0;
    parcast_status result = start(t, settings, silent, &child, error);
    if (!result) result = wait_for(t, child, &ended, &usage, error);
    if (result) return result;
    t->ended_by = WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + t->ended_by;
    t->peak_kb = usage.ru_maxrss;
    t->run.runs_s += seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    return PARCAST_OK;
}

static parcast_status stopped(const struct tracing *t, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_INTERRUPTED, t->argv[0], 0, "stopped by signal %d (%s)",
                             t->stopped_by, strsignal(t->stopped_by));
}

static void say_end(const struct tracing *t, int status, const char *when, parcast_error *error)
{
    if (t->ended_by)
        parcast_error_set(error, PARCAST_DATA, t->argv[0], 0, "the program was ended by signal %d (%s)%s",
                          t->ended_by, strsignal(t->ended_by), when);
    else
        parcast_error_set(error, PARCAST_DATA, t->argv[0], 0, "the program ended with status %d%s", status,
                          when);
}

/* It would fail in the same way again. A marked region that was over before has all that is asked for. */
static parcast_status check_plain(const struct tracing *t, const struct plain_run *plain,
                                  parcast_error *error)
{
    int status = t->run.status;
    if (!status || (plain->left_region && !t->ended_by)) return PARCAST_OK;
    say_end(t, status, " when it ran as it was written, so it was not followed", error);
    parcast_error_hint(error,
                       "run it by hand with these arguments until it ends with status 0; --whole follows it "
                       "as it is, until it ends");
    return PARCAST_DATA;
}

static parcast_status without_values(const struct tracing *t, int status, parcast_error *error)
{
    const char *program = t->argv[0];
    if (t->stopped_by) return stopped(t, error);
    if (*t->message) {
        parcast_error_set(error, PARCAST_DATA, program, 0, "%s", t->message);
        if (strstr(t->message, t->path)) values_file_hint(t->message, error);
        return PARCAST_DATA;
    }
    if (t->ended_by == SIGKILL) {
        parcast_error_set(error, PARCAST_DATA, program, 0,
                          "the program was killed when it had %.0f MiB, and left no values",
                          (double)t->peak_kb / 1024);
        parcast_error_hint(error, "if memory had run out, give a limit below that: --memory");
        return PARCAST_DATA;
    }
    if (t->is_instrumented) {
        say_end(t, status, " and left no values", error);
        parcast_error_hint(error,
                           "it must end by itself: a program that becomes another one (exec) leaves none");
        return PARCAST_DATA;
    }
    if (status) {
        say_end(t, status, " and left no values", error);
        parcast_error_hint(error,
                           "does it run by hand, and is it built with 'parcast cc --values' (c++, fc), "
                           "linking included?");
        return PARCAST_DATA;
    }
    parcast_error_set(error, PARCAST_DATA, program, 0, "the program is not instrumented");
    parcast_error_hint(error,
                       "build it with 'parcast cc --values' (c++, fc) as its compiler, linking included");
    return PARCAST_DATA;
}

static bool is_empty(const char *path)
{
    struct stat file;
    return stat(path, &file) || file.st_size == 0;
}

/* Its header is written last; what could not be written twice begins in the midst of something. */
static bool is_whole(const char *path)
{
    struct vf_dump_header header = {0};
    FILE *in = fopen(path, "rb");
    bool whole = in && fread(&header, sizeof header, 1, in) == 1 &&
                 memcmp(header.magic, VF_DUMP_MAGIC, sizeof header.magic) == 0 &&
                 (header.complete == VF_DUMP_COMPLETE || header.complete == VF_DUMP_PARTIAL);
    if (in) fclose(in);
    return whole;
}

/* Whoever reads its input from a pipe can do so only once. */
static bool can_run_twice(struct tracing *t)
{
    t->input = -1;
    if (isatty(STDIN_FILENO)) return true;
    t->input = lseek(STDIN_FILENO, 0, SEEK_CUR);
    if (t->input >= 0) return true;
    struct stat in, null;
    return fstat(STDIN_FILENO, &in) == 0 && stat("/dev/null", &null) == 0 && in.st_rdev == null.st_rdev;
}

static parcast_status run_plain(struct tracing *t, struct plain_run *plain, parcast_error *error)
{
    char *setting = NULL, *settings[MOST_SETTINGS + 1] = {NULL};
    if (!can_run_twice(t)) return PARCAST_OK;
    if (asprintf(&setting, "PARCAST_PLAIN=%s", t->path) < 0)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    settings[0] = setting;
    parcast_status status = execute(t, settings, false, &t->run.status, error);
    free(setting);
    t->run.ran_plain = true;
    if (!status && t->stopped_by) status = stopped(t, error);
    if (!status && is_empty(t->path)) status = without_values(t, t->run.status, error);
    if (!status) status = plain_read(t->path, plain, error);
    t->is_instrumented = !status;
    if (!status) status = check_plain(t, plain, error);
    if (!status && t->input >= 0) lseek(STDIN_FILENO, t->input, SEEK_SET);
    if (!status && truncate(t->path, 0))
        status = parcast_error_set(error, PARCAST_IO, t->path, 0, "cannot empty it: %s", strerror(errno));
    if (status) return status;
    t->run.serial_s = plain->region_s;
    return PARCAST_OK;
}

/* What the run said, without the end of the line. */
static void read_message(struct tracing *t, int from)
{
    size_t n = 0;
    for (ssize_t got; (got = read(from, t->message + n, sizeof t->message - 1 - n)) > 0;) n += (size_t)got;
    t->message[n] = '\0';
    t->message[strcspn(t->message, "\n")] = '\0';
}

/* Operations of a tenth of the iterations, 256 at least, with nothing followed: some may do other work than
 * those that will be. */
static parcast_status count_steps(struct tracing *t, const struct plain_run *plain, parcast_error *error)
{
    char *values = NULL, *steps = NULL, late[] = "PARCAST_VALUES_LATE=1";
    int ended = 0;
    parcast_status status = PARCAST_MEMORY;
    if (asprintf(&values, "PARCAST_VALUES=%s", t->path) < 0) values = NULL;
    if (asprintf(&steps, "PARCAST_VALUES_STEPS=%s:count", plain->steps) < 0) steps = NULL;
    if (values && steps)
        status = execute(t, (char *[]){values, steps, plain->marked_late ? late : NULL, NULL}, true, &ended,
                         error);
    else
        parcast_error_set(error, status, NULL, 0, "out of memory");
    free(values);
    free(steps);
    if (status) return status;
    if (t->stopped_by) return stopped(t, error);
    if (t->input >= 0) lseek(STDIN_FILENO, t->input, SEEK_SET);
    if (access(t->steps, F_OK)) return PARCAST_OK; /* it died: so it will again, when it is followed */
    status = counted_read(t->steps, plain->n_steps, &t->counted, error);
    if (!status && unlink(t->steps))
        status = parcast_error_set(error, PARCAST_IO, t->steps, 0, "cannot remove '%s': %s", t->steps,
                                   strerror(errno));
    return status;
}

/* `settings` is to be released. */
static bool set_up(const struct tracing *t, const struct plain_run *plain, int messages, char **settings)
{
    size_t n = 0;
    bool fine = asprintf(&settings[n++], "PARCAST_VALUES=%s", t->path) >= 0;
    fine = fine && asprintf(&settings[n++], "PARCAST_VALUES_MESSAGES=%d", messages) >= 0;
    if (fine && plain->marked_late) fine = asprintf(&settings[n++], "PARCAST_VALUES_LATE=1") >= 0;
    if (fine && plain->has_steps)
        fine = asprintf(&settings[n++], "PARCAST_VALUES_STEPS=%s", plain->steps) >= 0;
    if (fine && t->options->memory_bytes)
        fine = asprintf(&settings[n++], "PARCAST_VALUES_MEMORY=%llu",
                        (unsigned long long)t->options->memory_bytes) >= 0;
    if (!fine) settings[n - 1] = NULL;
    return fine;
}

/* The iterations were not as those that were counted let expect. */
static bool asks_again(const struct tracing *t)
{
    char line[16] = "";
    FILE *in = t->sample.n ? fopen(t->steps, "r") : NULL;
    bool again = in && fgets(line, sizeof line, in) && strcmp(line, "again\n") == 0;
    if (in) fclose(in);
    return again;
}

static parcast_status follow_once(struct tracing *t, const struct plain_run *plain, parcast_error *error)
{
    char *settings[MOST_SETTINGS + 1] = {NULL};
    int ended = 0, ends[2];
    parcast_status status;
    if (pipe(ends))
        return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot make a pipe: %s", strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    t->is_followed = true;
    if (set_up(t, plain, ends[1], settings))
        status = execute(t, settings, t->run.ran_plain, &ended, error);
    else
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    close(ends[1]);
    if (!status) read_message(t, ends[0]);
    close(ends[0]);
    for (size_t i = 0; settings[i]; i++) free(settings[i]);
    if (!t->run.ran_plain) t->run.status = ended;
    if (!status && !is_whole(t->path) && !asks_again(t)) status = without_values(t, ended, error);
    return status;
}

/* Iterations that the window has to be a multiple of so that nothing is missed: their period, an even number
 * of them for arrays that change places. 0 where any will do, or too much would have to be followed. */
static unsigned long long period_to_follow(const struct counted_steps *counted, unsigned long long total)
{
    enum { LONGEST = 64, BEGINNING = 2 };
    unsigned long long period = period_find(counted->flop, counted->n, BEGINNING);
    if (period < 2) return 0;
    if (period % 2) period *= 2;
    unsigned long long first = total % period;
    while (first < BEGINNING) first += period;
    return period <= LONGEST && first + period < total / 2 ? period : 0;
}

/* Behind the settings of who counted: whole periods, or nothing. */
static void ask_for_window(const struct tracing *t, struct plain_run *plain, size_t used)
{
    unsigned long long period = period_to_follow(&t->counted, plain->n_steps);
    plain->steps[used] = '\0';
    if (period) snprintf(plain->steps + used, sizeof plain->steps - used, ":%llu", period);
}

/* A sample where it is less than a window of whole periods, from where such are left. */
static void choose(struct tracing *t, struct plain_run *plain)
{
    enum { USUAL_BASE = 4 };
    unsigned long long period = period_to_follow(&t->counted, plain->n_steps);
    size_t used = strlen(plain->steps);
    struct sample sample = sample_choose(t->counted.work, t->counted.n, plain->n_steps);
    if (sample.n && sample_followed(&sample, USUAL_BASE) < (period ? period : plain->n_steps / 2)) {
        t->sample = sample;
        plain->steps[used++] = ':';
        sample_write(&sample, plain->steps + used, sizeof plain->steps - used);
    } else {
        ask_for_window(t, plain, used);
    }
}

/* What is followed has to know what it will have to stand for. */
static parcast_status follow(struct tracing *t, struct plain_run *plain, parcast_error *error)
{
    size_t used = strlen(plain->steps);
    if (plain->has_steps) choose(t, plain);
    parcast_status status = follow_once(t, plain, error);
    if (status || !asks_again(t)) return status;
    if (t->stopped_by) return stopped(t, error);
    t->sample.n = 0;
    ask_for_window(t, plain, used);
    unlink(t->steps);
    if (t->input >= 0) lseek(STDIN_FILENO, t->input, SEEK_SET);
    return follow_once(t, plain, error);
}

static void tell_steps(struct tracing *t, const struct followed_steps *steps)
{
    snprintf(t->run.what, sizeof t->run.what, "%s", steps->what);
    t->run.spread_ratio = steps->spread_ratio;
    t->run.iterations = steps->total;
    t->run.followed = t->sample.n ? sample_followed(&t->sample, steps->last) : steps->last;
    t->run.window = steps->last - steps->first + t->sample.n;
    if (t->counted.n <= t->run.followed) return;
    t->run.checked = t->counted.n - t->run.followed;
    if (!t->sample.n) counted_compare(&t->counted, steps->last, &t->run); /* else each did as much */
}

/* Signals that were held meanwhile come now. */
static void remove_files(const struct tracing *t)
{
    unlink(t->path);
    if (t->steps) unlink(t->steps);
    signals_release(&t->before);
}

/* It may have stopped early: then it has taken on what repeats to the last iteration. Whatever ends us from
 * here on leaves no file. */
static parcast_status load(struct tracing *t, parcast_values **values, parcast_error *error)
{
    struct followed_steps steps;
    bool early = access(t->steps, F_OK) == 0;
    parcast_status status = early ? followed_read(t->steps, &steps, error) : PARCAST_OK;
    FILE *in = status ? NULL : values_file_open(t->path, error);
    remove_files(t);
    if (!in) return status ? status : PARCAST_IO;
    if (early) tell_steps(t, &steps);
    return graph_load(in, t->path, values, error);
}

static void tell(const struct tracing *t, const char *what)
{
    if (t->options->tell && t->run.ran_plain) t->options->tell(t->options->context, what);
}

static parcast_status trace(struct tracing *t, bool whole, parcast_values **values, parcast_error *error)
{
    struct plain_run plain = {0};
    parcast_status status =
        t->steps ? PARCAST_OK : parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    if (!status && !whole) status = run_plain(t, &plain, error);
    if (!status && plain.has_steps) {
        tell(t, "counting the work of its iterations");
        status = count_steps(t, &plain, error);
    }
    t->run.counting_s = t->run.runs_s;
    tell(t, "following its values");
    if (!status) status = follow(t, &plain, error);
    tell(t, "reading its values");
    if (!status) return load(t, values, error);
    remove_files(t);
    return status;
}

parcast_status parcast_values_trace(char *const *argv, const parcast_values_options *options,
                                    parcast_values **values, parcast_values_run *run, parcast_error *error)
{
    struct tracing t = {.argv = argv, .options = options, .run = {.serial_s = -1}};
    signals_hold(&t.held, &t.before);
    t.path = values_file_make(error);
    if (!t.path) {
        signals_release(&t.before);
        return PARCAST_IO;
    }
    if (asprintf(&t.steps, "%s.steps", t.path) < 0) t.steps = NULL;
    parcast_status status = trace(&t, options->whole, values, error);
    if (!status) *run = t.run;
    counted_clear(&t.counted);
    free(t.path);
    free(t.steps);
    return status;
}
