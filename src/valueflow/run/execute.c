#include "valueflow/run/execute.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* The environment with our settings [at most EXECUTE_MOST_SETTINGS, NULL at the end] in place of older ones.
 */
static char **environment(char *const *settings)
{
    size_t n = 0, m = 0;
    while (environ[n]) n++;
    char **result =
        malloc((n + EXECUTE_MOST_SETTINGS + sizeof one_thread / sizeof *one_thread) * sizeof *result);
    for (size_t i = 0; result && i < n; i++)
        if (!is_ours(environ[i], settings) && !is_ours(environ[i], one_thread)) result[m++] = environ[i];
    for (; result && *settings; settings++) result[m++] = *settings;
    for (size_t i = 0; result && one_thread[i]; i++) result[m++] = one_thread[i];
    if (result) result[m] = NULL;
    return result;
}

/* Standard output goes where it goes, to standard error, or nowhere. */
static void redirect(posix_spawn_file_actions_t *actions, const struct execution *e, bool silent)
{
    if (silent)
        posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    else if (e->to_stderr)
        posix_spawn_file_actions_adddup2(actions, STDERR_FILENO, STDOUT_FILENO);
}

/* Functions that are followed have larger frames: what recurs as deeply as its stack allows goes on. */
static struct rlimit widen_stack(const struct execution *e)
{
    enum { LARGER = 8 };
    struct rlimit before = {RLIM_INFINITY, RLIM_INFINITY};
    if (!e->leaves || getrlimit(RLIMIT_STACK, &before) || before.rlim_cur == RLIM_INFINITY) return before;
    struct rlimit wider = before;
    wider.rlim_cur = before.rlim_max / LARGER < before.rlim_cur ? before.rlim_max : LARGER * before.rlim_cur;
    setrlimit(RLIMIT_STACK, &wider);
    return before;
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static parcast_status start(const struct execution *e, char *const *settings, bool silent, pid_t *child,
                            parcast_error *error)
{
    char **variables = environment(settings);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (!variables) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &e->before.mask);
    redirect(&actions, e, silent);
    const struct rlimit stack = widen_stack(e);
    int failed = posix_spawnp(child, e->argv[0], &actions, &attributes, e->argv, variables);
    if (stack.rlim_cur != RLIM_INFINITY) setrlimit(RLIMIT_STACK, &stack);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(variables);
    if (failed)
        return parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "cannot run '%s': %s", e->argv[0],
                                 strerror(failed));
    return PARCAST_OK;
}

/* The file is empty until the program writes its values, which it does last. */
static bool is_leaving(const struct execution *e)
{
    struct stat file;
    return e->leaves && stat(e->leaves, &file) == 0 && file.st_size > 0;
}

/* The first signal goes on to the program, unless a terminal has sent it to the whole group already or it is
 * at its end anyway; it may leave what was followed until then. The second one ends it. */
static void pass_on(struct execution *e, const siginfo_t *info, pid_t child)
{
    if (e->stopped_by)
        kill(child, SIGKILL);
    else if (info->si_code != SI_KERNEL && !is_leaving(e))
        kill(child, info->si_signo);
    e->stopped_by = info->si_signo;
}

static parcast_status wait_for(struct execution *e, pid_t child, int *ended, struct rusage *usage,
                               parcast_error *error)
{
    const struct timespec pause = {.tv_nsec = 250000000};
    for (;;) {
        siginfo_t info;
        int signal = sigtimedwait(&e->held, &info, &pause);
        if (signal > 0 && signal != SIGCHLD) pass_on(e, &info, child);
        pid_t id = wait4(child, ended, WNOHANG, usage);
        if (id == child) break;
        if (id < 0 && errno != EINTR)
            return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot wait for '%s': %s", e->argv[0],
                                     strerror(errno));
    }
    const struct timespec none = {0};
    sigset_t of_child;
    sigemptyset(&of_child);
    sigaddset(&of_child, SIGCHLD);
    while (sigtimedwait(&of_child, NULL, &none) == SIGCHLD) continue;
    return PARCAST_OK;
}

parcast_status execute(struct execution *e, char *const *settings, bool silent, int *status,
                       parcast_error *error)
{
    pid_t child;
    int ended = 0;
    struct rusage usage = {0};
    e->stopped_by = 0;
    parcast_status result = start(e, settings, silent, &child, error);
    if (!result) result = wait_for(e, child, &ended, &usage, error);
    if (result) return result;
    e->ended_by = WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + e->ended_by;
    e->peak_kb = usage.ru_maxrss;
    e->runs_s += seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    return PARCAST_OK;
}
