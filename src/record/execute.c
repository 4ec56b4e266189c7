/* Running the launcher: signals, waiting, and killing when nothing else helps. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/signals.h"
#include "record/recording.h"

enum { TICK_MS = 250, MAX_PROCESSES = 65536, LAST_WAIT_MS = 5000, PATIENCE_S = 5 };

struct process {
    pid_t id, parent;
    bool descends;
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* "pid (name) state ppid ...": the name may hold anything, so from its last bracket on. Zombies are skipped.
 */
static bool read_process(const char *number, struct process *process)
{
    char path[288], text[512];
    snprintf(path, sizeof path, "/proc/%s/stat", number);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0) return false;
    text[n] = '\0';
    const char *end = strrchr(text, ')');
    if (!end || strlen(end) < 5 || end[2] == 'Z' || end[2] == 'X') return false;
    process->id = (pid_t)strtol(number, NULL, 10);
    process->parent = (pid_t)strtol(end + 4, NULL, 10);
    process->descends = false;
    return true;
}

static size_t list_processes(struct process *processes)
{
    size_t n = 0;
    DIR *proc = opendir("/proc");
    if (!proc) return 0;
    for (const struct dirent *entry = readdir(proc); entry && n < MAX_PROCESSES; entry = readdir(proc))
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && read_process(entry->d_name, &processes[n]))
            n++;
    closedir(proc);
    return n;
}

static bool is_descendant(const struct process *process, const struct process *processes, size_t n)
{
    if (process->parent == getpid()) return true;
    for (size_t i = 0; i < n; i++)
        if (processes[i].id == process->parent) return processes[i].descends;
    return false;
}

/* Children may have lower ids than their parents: mark until nothing changes. */
static void mark_descendants(struct process *processes, size_t n)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < n; i++)
            if (!processes[i].descends && is_descendant(&processes[i], processes, n))
                processes[i].descends = changed = true;
    }
}

int record_kill_descendants(int signal)
{
    struct process *processes = malloc(MAX_PROCESSES * sizeof *processes);
    if (!processes) return 0;
    size_t n = list_processes(processes);
    int found = 0;
    mark_descendants(processes, n);
    for (size_t i = 0; i < n; i++) {
        if (!processes[i].descends) continue;
        found++;
        if (signal) kill(processes[i].id, signal);
    }
    free(processes);
    return found;
}

/*
 * In the child, after fork: only what is safe there. The launcher is killed when we are, so that nothing runs
 * on unwatched: ranks end when they lose their launcher. (Hydra does not end by SIGTERM in every moment.)
 */
static void become_launcher(const parcast_record_session *recording, pid_t parent, const sigset_t *watched,
                            int report)
{
    signals_in_child();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    /* Below nohup: mpirun of Open MPI ends by SIGHUP though it is ignored. Who reads a terminal must stay. */
    if (!sigismember(watched, SIGHUP) && !isatty(STDIN_FILENO)) setpgid(0, 0);
    sigprocmask(SIG_UNBLOCK, watched, NULL);
    if (!recording->request.stdout_to_stderr || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
        execve(recording->words[0], recording->words, recording->environment);
    int why = errno;
    if (write(report, &why, sizeof why) < 0) _exit(126);
    _exit(127);
}

static parcast_status start(const parcast_record_session *recording, const sigset_t *watched, pid_t *child,
                            parcast_error *error)
{
    int report[2], why = 0;
    pid_t parent = getpid();
    if (pipe2(report, O_CLOEXEC) != 0)
        return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot make a pipe: %s", strerror(errno));
    *child = fork();
    if (*child == 0) become_launcher(recording, parent, watched, report[1]);
    if (*child < 0) why = errno;
    close(report[1]);
    if (*child > 0) {
        ssize_t n = read(report[0], &why, sizeof why);
        if (n == (ssize_t)sizeof why) waitpid(*child, NULL, 0);
    }
    close(report[0]);
    if (why)
        return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot start '%s': %s", recording->words[0],
                                 strerror(why));
    return PARCAST_OK;
}

/* The first signal goes on to the launcher, unless a terminal has sent it to the whole group already. */
static void pass_on(const siginfo_t *info, pid_t child, int *interrupted)
{
    if (*interrupted) {
        record_kill_descendants(SIGKILL);
        return;
    }
    *interrupted = info->si_signo;
    bool has_it = info->si_code == SI_KERNEL && getpgid(child) == getpgrp();
    if (!has_it) kill(child, info->si_signo);
}

/* Has a rank come as far as MPI_Init, so that there are data to wait for? */
static bool ranks_have_begun(const char *path)
{
    DIR *directory = opendir(path);
    bool found = false;
    if (!directory) return true;
    for (const struct dirent *entry = readdir(directory); entry && !found; entry = readdir(directory))
        found = strstr(entry->d_name, ".parcast-raw") != NULL;
    closedir(directory);
    return found;
}

/* A launcher that is stopped while it starts its ranks may never end; then there is nothing to lose. */
static void lose_patience(const parcast_record_session *recording, double now, double *stopped_s)
{
    if (!recording->interrupted) return;
    if (*stopped_s == 0) *stopped_s = now;
    bool loses_data = recording->directory && ranks_have_begun(recording->directory);
    if (now - *stopped_s > PATIENCE_S && !loses_data) record_kill_descendants(SIGKILL);
}

static int wait_for(parcast_record_session *recording, pid_t child, const sigset_t *set,
                    parcast_record_tick *tick, void *context, double start_s)
{
    const struct timespec pause = {.tv_nsec = TICK_MS * 1000000L};
    int how = 0;
    double stopped_s = 0;
    for (;;) {
        siginfo_t info;
        int signal = sigtimedwait(set, &info, &pause);
        if (signal > 0 && signal != SIGCHLD) pass_on(&info, child, &recording->interrupted);
        pid_t ended = waitpid(child, &how, WNOHANG);
        if (ended == child) return how;
        if (ended < 0 && errno != EINTR) return 0;
        lose_patience(recording, now_s(), &stopped_s);
        if (tick) tick(context, now_s() - start_s);
    }
}

/* A launcher that was stopped may leave ranks behind; their files are read when they are gone. */
static void end_leftovers(void)
{
    for (int waited = 0; waited < LAST_WAIT_MS; waited += 100) {
        if (record_kill_descendants(0) == 0) return;
        if (waited == LAST_WAIT_MS / 2) record_kill_descendants(SIGTERM);
        sleep_ms(100);
    }
    record_kill_descendants(SIGKILL);
}

static void reap_adopted(void)
{
    siginfo_t info = {0};
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG) == 0 && info.si_pid != 0) info.si_pid = 0;
}

parcast_status parcast_record_execute(parcast_record_session *recording, parcast_record_tick *tick,
                                      void *context, int *exit_status, int *interrupted, parcast_error *error)
{
    sigset_t set;
    struct signals_before before;
    pid_t child = 0;
    int adopter = 0;
    const struct timespec none = {0};
    signals_hold(&set, &before);
    prctl(PR_GET_CHILD_SUBREAPER, &adopter);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans stay ours, so that they can be found and ended */
    double start_s = now_s();
    parcast_status status = start(recording, &set, &child, error);
    if (!status) {
        recording->interrupted = 0;
        int how = wait_for(recording, child, &set, tick, context, start_s);
        recording->wall_s = now_s() - start_s;
        recording->exit_status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
        if (recording->interrupted) {
            end_leftovers();
            reap_adopted();
        }
        *exit_status = recording->exit_status;
        *interrupted = recording->interrupted;
    }
    prctl(PR_SET_CHILD_SUBREAPER, adopter);
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    while (sigtimedwait(&ended, NULL, &none) == SIGCHLD) continue; /* of the launcher, which was waited for */
    signals_release(&before);
    return status;
}

parcast_status parcast_launcher_run(char **words, int *exit_status, int *interrupted, parcast_error *error)
{
    parcast_record_session unwatched = {
        .request.stdout_to_stderr = true, .environment = environ, .words = words};
    return parcast_record_execute(&unwatched, NULL, NULL, exit_status, interrupted, error);
}
