/* Launchers: their words, their environment, and their end. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/signals.h"
#include "elastic/litter.h"
#include "elastic/private.h"
#include "elastic/supervise.h"

/* -------- words that grow -------- */

struct words {
    char **word; /* [n] and a NULL */
    size_t n;
    bool failed;
};

static void add(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct words *words, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) text = NULL;
    va_end(arguments);
    char **grown = text ? realloc(words->word, (words->n + 2) * sizeof *grown) : NULL;
    if (!grown) {
        free(text);
        words->failed = true;
        return;
    }
    words->word = grown;
    words->word[words->n++] = text;
    words->word[words->n] = NULL;
}

static void release(struct words *words)
{
    for (size_t i = 0; i < words->n; i++) free(words->word[i]);
    free(words->word);
    *words = (struct words){0};
}

/* A variable that replaces one of the same name. */
static void set(struct words *environment, const char *name, const char *value)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < environment->n; i++)
        if (strncmp(environment->word[i], name, length) == 0 && environment->word[i][length] == '=') {
            free(environment->word[i]);
            environment->word[i] = environment->word[--environment->n];
            environment->word[environment->n] = NULL;
            break;
        }
    add(environment, "%s=%s", name, value);
}

/* -------- environment -------- */

parcast_mpi_family supervise_family(const supervisor *s)
{
    parcast_mpi_family family = s->request->launcher->family;
    return family == PARCAST_MPI_UNKNOWN ? s->request->program->family : family;
}

static void set_unless_there(struct words *environment, const char *name, const char *value)
{
    if (!getenv(name)) set(environment, name, value);
}

static bool has_fast_fabric(void)
{
    DIR *directory = opendir("/sys/class/infiniband");
    bool found = false;
    if (!directory) return false;
    for (const struct dirent *entry = readdir(directory); entry && !found; entry = readdir(directory))
        found = entry->d_name[0] != '.';
    closedir(directory);
    return found;
}

/*
 * Open MPI as Debian builds it opens every transport in every process, which takes twice as long as all the
 * rest of a launch; where there is no fast fabric the plain one is as good.
 */
static void set_for_openmpi(const supervisor *s, int ranks, struct words *environment)
{
    cpu_set_t allowed;
    int cpus = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
    if (geteuid() == 0) {
        set_unless_there(environment, "OMPI_ALLOW_RUN_AS_ROOT", "1");
        set_unless_there(environment, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    }
    if (!has_fast_fabric()) set_unless_there(environment, "OMPI_MCA_pml", "ob1");
    /* Daemons put the machine's topology into the largest hole of their addresses, which may be where the
     * stack is about to grow: one in some hundred dies at the start, and the launcher with it, or waits for
     * ever. */
    set_unless_there(environment, "OMPI_MCA_rtc_hwloc_vmhole", "none");
    /* Ranks are spawned while others compute: by a thread. */
    if (s->can_spawn) set_unless_there(environment, "OMPI_MPI_THREAD_LEVEL", "3");
    if (s->request->agent || (ranks <= cpus && !s->can_spawn)) return;
    set_unless_there(environment, "OMPI_MCA_rmaps_base_oversubscribe", "1");
    set_unless_there(environment, "OMPI_MCA_mpi_yield_when_idle", "1");
    set_unless_there(environment, "OMPI_MCA_hwloc_base_binding_policy", "none");
}

/* What an MPI that is killed leaves on this machine goes with the folder; daemons on others clear up
 * themselves. */
static void set_folder(const supervisor *s, const struct launch *launch, struct words *environment)
{
    static const char *const names[] = {"OMPI_MCA_orte_tmpdir_base", "OMPI_MCA_btl_vader_backing_directory",
                                        "UCX_POSIX_DIR"};
    char path[ELASTIC_LITTER_BYTES];
    if (s->request->agent || launch->number == 0 ||
        elastic_private_directory(s->store.local, NULL) != PARCAST_OK ||
        !elastic_litter_make(s->store.local, launch->number, path))
        return; /* then it lies where it always does */
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) set_unless_there(environment, names[i], path);
}

static void set_speeds(const struct launch *launch, struct words *environment)
{
    size_t bytes = 0;
    char *text = NULL;
    if (launch->n_hosts == 0) return;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return;
    for (size_t i = 0; i < launch->n_hosts; i++)
        fprintf(out, "%s%s=%.17g", i ? "," : "", launch->hosts[i].name, launch->hosts[i].speed);
    fclose(out);
    set(environment, "PARCAST_ELASTIC_SPEEDS", text);
    free(text);
}

static void build_environment(const supervisor *s, const struct launch *launch, bool expect,
                              struct words *environment)
{
    char text[2048];
    for (char **variable = environ; *variable; variable++) add(environment, "%s", *variable);
    snprintf(text, sizeof text, "%s,%s,%d,%d,%d,%s", s->address, s->token, launch->number, expect,
             s->store.pieces_are_common, s->store.pieces);
    set(environment, "PARCAST_ELASTIC", text);
    set_speeds(launch, environment);
    set_folder(s, launch, environment);
    if (supervise_family(s) == PARCAST_MPI_OPENMPI) set_for_openmpi(s, launch->ranks, environment);
}

/* -------- words -------- */

static char *host_list(const struct launch *launch)
{
    size_t bytes = 0;
    char *text = NULL;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return NULL;
    for (size_t i = 0; i < launch->n_hosts; i++)
        fprintf(out, "%s%s:%d", i ? "," : "", launch->hosts[i].name, launch->hosts[i].slots);
    fclose(out);
    return text;
}

static void add_hosts(const supervisor *s, const struct launch *launch, struct words *words)
{
    if (!s->request->agent) return;
    char *list = host_list(launch);
    if (!list) {
        words->failed = true;
        return;
    }
    if (supervise_family(s) == PARCAST_MPI_OPENMPI) {
        const char *const fixed[] = {"--mca",
                                     "plm",
                                     "rsh",
                                     "--mca",
                                     "ras",
                                     "^slurm",
                                     "--mca",
                                     "plm_rsh_no_tree_spawn",
                                     "1",
                                     "--mca",
                                     "plm_rsh_num_concurrent", /* daemons may stay in what starts them */
                                     "4096",
                                     "-x",
                                     "PARCAST_ELASTIC",
                                     "-x",
                                     "PARCAST_ELASTIC_SPEEDS",
                                     "--mca",
                                     "plm_rsh_agent"};
        for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) add(words, "%s", fixed[i]);
        add(words, "%s", s->request->agent);
        add(words, "--host");
    } else {
        const char *const fixed[] = {"-launcher", "rsh", "-rmk", "user", "-launcher-exec"};
        for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) add(words, "%s", fixed[i]);
        add(words, "%s", s->request->agent);
        add(words, "-hosts");
    }
    add(words, "%s", list);
    free(list);
}

static void build_words(const supervisor *s, const struct launch *launch, struct words *words)
{
    const parcast_supervisor_request *request = s->request;
    for (size_t i = 0; i < request->launcher->n_words; i++) add(words, "%s", request->launcher->words[i]);
    add(words, "-n");
    add(words, "%d", launch->ranks);
    add_hosts(s, launch, words);
    add(words, "%s", request->program->path);
    for (size_t i = 0; i < request->n_arguments; i++) add(words, "%s", request->arguments[i]);
}

/* -------- start -------- */

/* In the child, after fork: only what is safe there. It dies with us, so that nothing runs on unwatched. */
static void become(const supervisor *s, char **words, char **environment, pid_t parent, bool silent,
                   int report)
{
    sigset_t none;
    signals_in_child();
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0); /* the terminal's signals are for the supervisor, which ends the run in order */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    int null = silent ? open("/dev/null", O_WRONLY) : -1;
    if (silent && (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)) _exit(127);
    if (!s->request->stdout_to_stderr || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
        execve(words[0], words, environment);
    int why = errno;
    if (write(report, &why, sizeof why) < 0) _exit(126);
    _exit(127);
}

static parcast_status start(const supervisor *s, struct words *words, struct words *environment, bool silent,
                            pid_t *pid)
{
    int report[2], why = 0;
    pid_t parent = getpid();
    if (pipe2(report, O_CLOEXEC) != 0)
        return parcast_error_set(s->error, PARCAST_IO, NULL, 0, "cannot make a pipe: %s", strerror(errno));
    fflush(NULL);
    *pid = fork();
    if (*pid == 0) become(s, words->word, environment->word, parent, silent, report[1]);
    if (*pid < 0) why = errno;
    close(report[1]);
    if (*pid > 0 && read(report[0], &why, sizeof why) == (ssize_t)sizeof why) waitpid(*pid, NULL, 0);
    close(report[0]);
    if (!why) return PARCAST_OK;
    return parcast_error_set(s->error, PARCAST_IO, NULL, 0, "cannot start '%s': %s", words->word[0],
                             strerror(why));
}

static struct launch *free_place(supervisor *s)
{
    for (size_t i = 0; i < ELASTIC_MAX_LAUNCHES; i++)
        if (s->launches[i].state == LAUNCH_FREE) return &s->launches[i];
    return NULL;
}

/* Who they are is asked once: a moment later the list may be another one. There may be fewer than were
 * wished.
 */
static parcast_status take_hosts(const supervisor *s, struct launch *launch)
{
    size_t n = 0;
    if (!s->request->agent || !s->calls->hosts) return PARCAST_OK;
    const parcast_supervisor_host *hosts = s->calls->hosts(s->context, launch->nodes, &n);
    if (!hosts || n == 0) return parcast_error_set(s->error, PARCAST_NOT_FOUND, NULL, 0, "no node is left");
    launch->hosts = calloc(n, sizeof *launch->hosts);
    if (!launch->hosts) return parcast_error_set(s->error, PARCAST_MEMORY, NULL, 0, "out of memory");
    launch->n_hosts = n;
    for (size_t i = 0; i < n; i++) {
        struct launch_host *host = &launch->hosts[i];
        snprintf(host->name, sizeof host->name, "%s", hosts[i].name);
        snprintf(host->address, sizeof host->address, "%s",
                 hosts[i].address ? hosts[i].address : hosts[i].name);
        host->slots = hosts[i].slots;
        host->speed = hosts[i].speed;
    }
    launch->nodes = (int)n;
    launch->ranks = launch->nodes * s->request->ranks_per_node;
    return PARCAST_OK;
}

static void renew(supervisor *s, struct launch *place, int nodes)
{
    free(place->hosts);
    *place = (struct launch){.number = ++s->n_launched,
                             .nodes = nodes,
                             .ranks = nodes * s->request->ranks_per_node,
                             .wire.fd = -1,
                             .offered = -1,
                             .started_s = supervise_now(),
                             .kill_s = INFINITY};
}

parcast_status supervise_launch(supervisor *s, int nodes, bool expect, struct launch **made)
{
    struct words words = {0}, environment = {0};
    struct launch *place = free_place(s);
    if (!place) return parcast_error_set(s->error, PARCAST_LIMIT, NULL, 0, "too many launches do not end");
    renew(s, place, nodes);
    parcast_status status = take_hosts(s, place);
    if (!status) status = supervise_serve(s, place);
    build_environment(s, place, expect, &environment);
    build_words(s, place, &words);
    if (!status && (words.failed || environment.failed))
        status = parcast_error_set(s->error, PARCAST_MEMORY, NULL, 0, "out of memory");
    if (!status) status = start(s, &words, &environment, false, &place->pid);
    if (!status) {
        place->state = LAUNCH_STARTING;
        *made = place;
        elastic_store_note(&s->store, "launch %d: %d nodes, %d ranks, process %ld", place->number,
                           place->nodes, place->ranks, (long)place->pid);
    }
    release(&words);
    release(&environment);
    return status;
}

/* -------- can this MPI spawn? -------- */

static parcast_status wait_for_probe(supervisor *s, pid_t pid, double patience_s, bool *fine)
{
    int how = 0;
    double until = supervise_now() + patience_s;
    while (waitpid(pid, &how, WNOHANG) == 0) {
        if (supervise_now() > until) {
            supervise_kill_tree(pid, SIGKILL);
            waitpid(pid, NULL, 0);
            return parcast_error_set(s->error, PARCAST_UNSUPPORTED, NULL, 0, "it hangs");
        }
        poll(NULL, 0, 5);
    }
    *fine = WIFEXITED(how) && WEXITSTATUS(how) == 0;
    return PARCAST_OK;
}

bool supervise_can_spawn(supervisor *s)
{
    const double patience_s = 10;
    char path[1024];
    struct words words = {0}, environment = {0};
    const struct launch two = {
        .nodes = 1, .ranks = INT32_MAX}; /* more ranks than cores, so that there is room to spawn */
    bool openmpi = supervise_family(s) == PARCAST_MPI_OPENMPI, fine = false;
    pid_t pid = 0;
    if (s->request->agent) {
        supervise_tell(s, true,
                       "ranks are added in memory on this machine only: the program is restarted instead");
        return false;
    }
    const char *helper = supervise_helper(openmpi ? "parcast-spawn.openmpi" : "parcast-spawn.mpich", path);
    if (helper) {
        build_environment(s, &two, false, &environment);
        for (size_t i = 0; i < s->request->launcher->n_words; i++)
            add(&words, "%s", s->request->launcher->words[i]);
        add(&words, "-n");
        add(&words, "1");
        add(&words, "%s", helper);
        if (!words.failed && !environment.failed && start(s, &words, &environment, true, &pid) == PARCAST_OK)
            wait_for_probe(s, pid, patience_s, &fine);
    }
    release(&words);
    release(&environment);
    if (!fine)
        supervise_tell(s, true,
                       "this %s cannot spawn ranks: the program is restarted for every change instead",
                       openmpi ? "Open MPI" : "MPICH");
    return fine;
}
