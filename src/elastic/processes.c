/* Processes of this machine: launchers, what they started, and what a launcher that died has left. */
#include <dirent.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "elastic/litter.h"
#include "elastic/supervise.h"

struct process {
    pid_t id, parent;
    bool marked;
};

static bool read_process(const char *number, struct process *process)
{
    char path[288], text[512];
    snprintf(path, sizeof path, "/proc/%s/stat", number);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    const char *end = strrchr(text, ')');
    if (!end || strlen(end) < 5) return false;
    *process = (struct process){(pid_t)strtol(number, NULL, 10), (pid_t)strtol(end + 4, NULL, 10), false};
    return true;
}

static size_t list_processes(struct process **list)
{
    size_t n = 0, n_allocated = 0;
    DIR *proc = opendir("/proc");
    *list = NULL;
    if (!proc) return 0;
    for (const struct dirent *entry = readdir(proc); entry; entry = readdir(proc)) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
        if (n == n_allocated) {
            struct process *grown = realloc(*list, (n_allocated = 2 * n_allocated + 256) * sizeof *grown);
            if (!grown) break;
            *list = grown;
        }
        n += read_process(entry->d_name, &(*list)[n]);
    }
    closedir(proc);
    return n;
}

static void mark_tree(struct process *list, size_t n, pid_t root)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < n; i++) {
            bool below = list[i].id == root;
            for (size_t k = 0; k < n && !below; k++) below = list[k].marked && list[k].id == list[i].parent;
            if (below && !list[i].marked) list[i].marked = changed = true;
        }
    }
}

/* The launcher and what it started on this machine; on others its daemons end when it does. */
void supervise_kill_tree(pid_t root, int signal)
{
    struct process *list;
    size_t n = list_processes(&list);
    mark_tree(list, n, root);
    for (size_t i = 0; i < n; i++)
        if (list[i].marked && list[i].id != root) kill(list[i].id, signal);
    kill(root, signal);
    free(list);
}

static bool is_known(const supervisor *s, pid_t pid)
{
    for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++)
        if (s->launches[i].state != LAUNCH_FREE && s->launches[i].pid == pid) return true;
    for (size_t i = 0; i < s->n_servers; i++)
        if (s->servers[i].pid == pid) return true;
    return false;
}

/* `bytes` of the environment that a process was started with; one that is dead has none. */
static bool has_in_environment(pid_t pid, const char *word, size_t bytes)
{
    char path[64], *text = malloc(1 << 20);
    bool found = false;
    snprintf(path, sizeof path, "/proc/%ld/environ", (long)pid);
    FILE *file = text ? fopen(path, "re") : NULL;
    if (file) {
        size_t n = fread(text, 1, 1 << 20, file);
        found = memmem(text, n, word, bytes) != NULL;
        fclose(file);
    }
    free(text);
    return found;
}

/* Ranks and their daemons carry our token; other children of this process are the caller's. */
static bool carries_token(const supervisor *s, pid_t pid)
{
    return has_in_environment(pid, s->token, strlen(s->token));
}

/* Ranks and what they start know their number; launchers and daemons have none. */
static bool is_of_rank(pid_t pid)
{
    static const char openmpi[] = "OMPI_COMM_WORLD_RANK=", mpich[] = "PMI_RANK=";
    return has_in_environment(pid, openmpi, sizeof openmpi - 1) ||
           has_in_environment(pid, mpich, sizeof mpich - 1);
}

/* Does its output go where somebody waits for its end? */
static bool holds_output(pid_t pid)
{
    static const char *const waited_for[] = {"pipe:", "socket:", "/dev/pt"};
    for (int fd = 1; fd <= 2; fd++) {
        char path[64], target[64];
        snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)pid, fd);
        ssize_t n = readlink(path, target, sizeof target - 1);
        target[n > 0 ? n : 0] = '\0';
        for (size_t i = 0; i < sizeof waited_for / sizeof *waited_for; i++)
            if (strncmp(target, waited_for[i], strlen(waited_for[i])) == 0) return true;
    }
    return false;
}

static void read_name(pid_t pid, char name[32])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/comm", (long)pid);
    FILE *file = fopen(path, "re");
    size_t n = file ? fread(name, 1, 31, file) : 0;
    if (file) fclose(file);
    name[n] = '\0';
    name[strcspn(name, "\n")] = '\0';
}

/* Whose parents have died are children of this process: it is their reaper. */
pid_t supervise_find_leftover(const supervisor *s, const struct launch *launch, char name[32])
{
    struct process *list;
    pid_t found = 0;
    bool has_ranks = false;
    size_t n = list_processes(&list);
    mark_tree(list, n, launch->pid);
    for (size_t i = 0; i < n && !has_ranks; i++) has_ranks = list[i].marked && is_of_rank(list[i].id);
    for (size_t i = 0; i < n && !has_ranks && !found; i++)
        if (list[i].parent == getpid() && !is_known(s, list[i].id) && carries_token(s, list[i].id) &&
            is_of_rank(list[i].id) && holds_output(list[i].id))
            found = list[i].id;
    free(list);
    if (found) read_name(found, name);
    return found;
}

void supervise_kill_orphans(const supervisor *s)
{
    struct process *list;
    if (!s->token[0]) return;
    size_t n = list_processes(&list);
    for (size_t i = 0; i < n; i++) {
        if (list[i].parent != getpid() || is_known(s, list[i].id) || !carries_token(s, list[i].id)) continue;
        supervise_kill_tree(list[i].id, SIGKILL);
        waitpid(list[i].id, NULL, 0);
    }
    free(list);
}

/* Is it this process, or one that it descends from? */
static bool is_above(const struct process *list, size_t n, pid_t pid)
{
    pid_t at = getpid();
    for (size_t steps = 0; at > 1 && steps <= n; steps++) {
        size_t i = 0;
        if (at == pid) return true;
        while (i < n && list[i].id != at) i++;
        at = i < n ? list[i].parent : 0;
    }
    return false;
}

/* One look: processes of this run, by the directory of pieces at the end of PARCAST_ELASTIC, are killed. */
static bool kill_remains(const supervisor *s, const char *word, size_t bytes)
{
    struct process *list;
    bool any = false;
    size_t n = list_processes(&list);
    for (size_t i = 0; i < n; i++) {
        pid_t pid = list[i].id;
        if (is_known(s, pid) || !has_in_environment(pid, word, bytes) || is_above(list, n, pid)) continue;
        any |= kill(pid, SIGKILL) == 0;
        if (list[i].parent == getpid()) waitpid(pid, NULL, 0);
    }
    free(list);
    return any;
}

void supervise_kill_remains(const supervisor *s)
{
    char *word = NULL;
    int length = asprintf(&word, ",%s", s->store.pieces);
    if (length < 0) return;
    double until = supervise_now() + ELASTIC_TERM_S;
    while (kill_remains(s, word, (size_t)length + 1) && supervise_now() < until) poll(NULL, 0, 10);
    free(word);
}

void supervise_end(struct launch *launch, double grace_s)
{
    if (launch->pid) kill(launch->pid, SIGTERM);
    double at = supervise_now() + grace_s;
    if (at < launch->kill_s) launch->kill_s = at;
}

void supervise_kill(struct launch *launch)
{
    if (launch->pid) supervise_kill_tree(launch->pid, SIGKILL);
    launch->kill_s = INFINITY;
}

static void tell_killed(supervisor *s)
{
    if (!s->request->resumable)
        supervise_tell(s, true, "the program does not end: it is killed");
    else
        supervise_tell(s, true, "no checkpoint could be written in time: the program is killed, and can %s",
                       s->store.n ? "be resumed from the one before" : "not be resumed");
}

void supervise_kill_late(supervisor *s)
{
    double now = supervise_now();
    for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++) {
        struct launch *launch = &s->launches[i];
        if (launch->state == LAUNCH_FREE || now < launch->kill_s) continue;
        if (launch == s->now && s->result.interrupted && launch->state == LAUNCH_RUNNING) tell_killed(s);
        supervise_kill(launch);
    }
}

bool supervise_reap(supervisor *s)
{
    bool any = false;
    for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++) {
        struct launch *launch = &s->launches[i];
        int how;
        if (launch->state == LAUNCH_FREE || launch->pid == 0 ||
            waitpid(launch->pid, &how, WNOHANG) != launch->pid)
            continue;
        launch->killed = WIFSIGNALED(how);
        launch->exit_status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
        if (s->request->agent) elastic_litter_remove_session(launch->pid);
        launch->pid = 0;
        any = true;
    }
    return any;
}
