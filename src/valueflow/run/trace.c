/*
 * Running an instrumented program and reading what it leaves. First it runs plain, as it was written, which
 * times it and counts its iterations; a long one then until the operations of some are counted; then it is
 * followed, a long one until iterations repeat, and once more whole where those do not stand for the others.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parcast/valueflow.h"
#include "valueflow/graph/graph.h"
#include "valueflow/load/load.h"
#include "valueflow/run/execute.h"
#include "valueflow/run/file.h"
#include "valueflow/run/period.h"
#include "valueflow/run/plain.h"
#include "valueflow/run/sample.h"
#include "valueflow/runtime/process/dump_format.h"

enum { MOST_MESSAGE = 2048 };

struct tracing {
    struct execution program; /* signals are held until no file is left */
    const parcast_values_options *options;
    char message[MOST_MESSAGE]; /* what the followed run said when it ended early */
    bool is_instrumented;       /* the plain run has shown it */
    char *path, *steps;         /* what it leaves: values, which iterations */
    parcast_values_run run;
    struct counted_steps counted;
    struct sample sample; /* n 0: none was asked for */
    off_t input;          /* where standard input stood; -1: it cannot be read again */
};

static void tell(const struct tracing *t, const char *what)
{
    if (t->options->tell && t->run.ran_plain) t->options->tell(t->options->context, what);
}

static parcast_status stopped(const struct tracing *t, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_INTERRUPTED, t->program.argv[0], 0, "stopped by signal %d (%s)",
                             t->program.stopped_by, strsignal(t->program.stopped_by));
}

static void say_end(const struct tracing *t, int status, const char *when, parcast_error *error)
{
    if (t->program.ended_by)
        parcast_error_set(error, PARCAST_DATA, t->program.argv[0], 0,
                          "the program was ended by signal %d (%s)%s", t->program.ended_by,
                          strsignal(t->program.ended_by), when);
    else
        parcast_error_set(error, PARCAST_DATA, t->program.argv[0], 0, "the program ended with status %d%s",
                          status, when);
}

/* It would fail in the same way again. A marked region that was over before has all that is asked for. */
static parcast_status check_plain(const struct tracing *t, const struct plain_run *plain,
                                  parcast_error *error)
{
    int status = t->run.status;
    if (!status || (plain->left_region && !t->program.ended_by)) return PARCAST_OK;
    say_end(t, status, " when it ran as it was written, so it was not followed", error);
    parcast_error_hint(error,
                       "run it by hand with these arguments until it ends with status 0; --whole follows it "
                       "as it is, until it ends");
    return PARCAST_DATA;
}

static parcast_status without_values(const struct tracing *t, int status, parcast_error *error)
{
    const char *program = t->program.argv[0];
    if (t->program.stopped_by) return stopped(t, error);
    if (*t->message) {
        parcast_error_set(error, PARCAST_DATA, program, 0, "%s", t->message);
        if (strstr(t->message, t->path)) values_file_hint(t->message, error);
        return PARCAST_DATA;
    }
    if (t->program.ended_by == SIGKILL) {
        parcast_error_set(error, PARCAST_DATA, program, 0,
                          "the program was killed when it had %.0f MiB, and left no values",
                          (double)t->program.peak_kb / 1024);
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
                       "build it with 'parcast cc --values' (c++, fc) as its compiler, linking included; a "
                       "program that this one starts must get its environment, and end before it");
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

static parcast_status empty(const struct tracing *t, parcast_error *error)
{
    if (!truncate(t->path, 0)) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_IO, t->path, 0, "cannot empty it: %s", strerror(errno));
}

static parcast_status run_plain(struct tracing *t, struct plain_run *plain, parcast_error *error)
{
    char *setting = NULL, *settings[EXECUTE_MOST_SETTINGS + 1] = {NULL};
    if (!can_run_twice(t)) return PARCAST_OK;
    if (asprintf(&setting, "PARCAST_PLAIN=%s", t->path) < 0)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    settings[0] = setting;
    parcast_status status = execute(&t->program, settings, false, &t->run.status, error);
    free(setting);
    t->run.ran_plain = true;
    if (!status && t->program.stopped_by) status = stopped(t, error);
    if (!status && is_empty(t->path)) status = without_values(t, t->run.status, error);
    if (!status) status = plain_read(t->path, plain, error);
    t->is_instrumented = !status;
    if (!status) status = check_plain(t, plain, error);
    if (!status && t->input >= 0) lseek(STDIN_FILENO, t->input, SEEK_SET);
    if (!status) status = empty(t, error);
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
        status = execute(&t->program, (char *[]){values, steps, plain->marked_late ? late : NULL, NULL}, true,
                         &ended, error);
    else
        parcast_error_set(error, status, NULL, 0, "out of memory");
    free(values);
    free(steps);
    if (status) return status;
    if (t->program.stopped_by) return stopped(t, error);
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

/* Who ends in another way than before has done something else; a marked region that was over is what it was.
 */
static void note_end(struct tracing *t, const struct plain_run *plain, int ended)
{
    if (!t->run.ran_plain || plain->left_region)
        t->run.status = ended;
    else
        t->run.unlike = ended;
}

static parcast_status follow_once(struct tracing *t, const struct plain_run *plain, parcast_error *error)
{
    char *settings[EXECUTE_MOST_SETTINGS + 1] = {NULL};
    int ended = 0, ends[2];
    parcast_status status;
    if (pipe(ends))
        return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot make a pipe: %s", strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    t->program.leaves = t->path;
    if (set_up(t, plain, ends[1], settings))
        status = execute(&t->program, settings, t->run.ran_plain, &ended, error);
    else
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    close(ends[1]);
    if (!status) read_message(t, ends[0]);
    close(ends[0]);
    for (size_t i = 0; settings[i]; i++) free(settings[i]);
    note_end(t, plain, ended);
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

static parcast_status follow_again(struct tracing *t, const struct plain_run *plain, parcast_error *error)
{
    t->sample.n = 0;
    if (t->program.stopped_by) return stopped(t, error);
    unlink(t->steps);
    if (t->input >= 0) lseek(STDIN_FILENO, t->input, SEEK_SET);
    parcast_status status = empty(t, error);
    return status ? status : follow_once(t, plain, error);
}

/* What is followed has to know what it will have to stand for. */
static parcast_status follow(struct tracing *t, struct plain_run *plain, parcast_error *error)
{
    size_t used = strlen(plain->steps);
    if (plain->has_steps) choose(t, plain);
    parcast_status status = follow_once(t, plain, error);
    if (status || !asks_again(t)) return status;
    ask_for_window(t, plain, used);
    return follow_again(t, plain, error);
}

/* What the iterations that were counted did beyond those that stand for them would be missing. */
static bool misses_much(const struct tracing *t, const struct followed_steps *steps)
{
    static const double much = 0.05;
    parcast_values_run run = {.window = steps->last - steps->first};
    if (t->sample.n || t->counted.n <= steps->last) return false;
    counted_compare(&t->counted, steps->last, &run);
    return run.difference_ratio > much;
}

/* Operations and stores of all iterations, if those that were not counted are like the others. */
static double work_of_steps(const struct tracing *t, const struct plain_run *plain)
{
    double work = 0;
    for (size_t i = 0; i < t->counted.n; i++)
        work += (double)t->counted.flop[i] + (double)t->counted.stores[i];
    return work / (double)t->counted.n * (double)plain->n_steps;
}

/* By what it counted, not by a clock: a busy machine follows as much. */
static bool is_short(const struct tracing *t, const struct plain_run *plain)
{
    static const double most = 2e8; /* seconds */
    return work_of_steps(t, plain) <= most;
}

/* Where a few iterations do not stand for the others, all are followed if that takes but seconds. */
static parcast_status follow_all_if_they_differ(struct tracing *t, struct plain_run *plain,
                                                parcast_error *error)
{
    struct followed_steps steps;
    bool early = access(t->steps, F_OK) == 0;
    parcast_status status = early ? followed_read(t->steps, &steps, error) : PARCAST_OK;
    if (status || !early || !misses_much(t, &steps) || !is_short(t, plain)) return status;
    tell(t, "following all its values, since its iterations differ");
    plain->has_steps = false;
    return follow_again(t, plain, error);
}

/* Iterations that compute little for their time write results, say: what runs behind them in a small share of
 * the time may be all that there is. */
static bool may_leave_out_much(const struct tracing *t, const struct plain_run *plain)
{
    static const double some_ratio = 0.01, least_per_s = 5e7, short_s = 0.5;
    return plain->left_out_ratio >= some_ratio && plain->region_s <= short_s &&
           work_of_steps(t, plain) < least_per_s * plain->steps_s;
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
    signals_release(&t->program.before);
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

static parcast_status trace(struct tracing *t, bool whole, parcast_values **values, parcast_error *error)
{
    struct plain_run plain = {0};
    parcast_status status =
        t->steps ? PARCAST_OK : parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    if (!status && !whole) status = run_plain(t, &plain, error);
    if (!status && plain.has_steps) {
        tell(t, "counting the work of its iterations");
        status = count_steps(t, &plain, error);
        if (!status && t->counted.n && may_leave_out_much(t, &plain)) {
            tell(t, "following all its values, since its iterations compute little");
            plain.has_steps = false;
        }
    }
    t->run.counting_s = t->program.runs_s;
    if (plain.has_steps || !t->counted.n) tell(t, "following its values");
    if (!status) status = follow(t, &plain, error);
    if (!status && t->counted.n) status = follow_all_if_they_differ(t, &plain, error);
    if (plain.has_steps) t->run.left_out_ratio = plain.left_out_ratio; /* else all was followed */
    tell(t, "reading its values");
    if (!status) return load(t, values, error);
    remove_files(t);
    return status;
}

parcast_status parcast_values_trace(char *const *argv, const parcast_values_options *options,
                                    parcast_values **values, parcast_values_run *run, parcast_error *error)
{
    struct tracing t = {.program = {.argv = argv, .to_stderr = options->to_stderr},
                        .options = options,
                        .run = {.serial_s = -1}};
    signals_hold(&t.program.held, &t.program.before);
    t.path = values_file_make(error);
    if (!t.path) {
        signals_release(&t.program.before);
        return PARCAST_IO;
    }
    if (asprintf(&t.steps, "%s.steps", t.path) < 0) t.steps = NULL;
    parcast_status status = trace(&t, options->whole, values, error);
    t.run.runs_s = t.program.runs_s;
    if (!status) *run = t.run;
    counted_clear(&t.counted);
    free(t.path);
    free(t.steps);
    return status;
}
