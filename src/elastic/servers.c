/* The servers of pieces on other nodes: one a node, started through the agent, ended with their input. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "elastic/supervise.h"

static const double answer_s = 20;

const char *supervise_helper(const char *name, char path[1024])
{
    static const char *const places[] = {"", "../libexec/parcast/", "../"};
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0) return NULL;
    self[n] = '\0';
    char *slash = strrchr(self, '/');
    if (slash) slash[1] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int length = snprintf(path, 1024, "%s%s%s", self, places[i], name);
        if (length > 0 && length < 1024 && access(path, X_OK) == 0) return path;
    }
    return NULL;
}

static struct server *find(const supervisor *s, const char *host)
{
    for (size_t i = 0; i < s->n_servers; i++)
        if (strcmp(s->servers[i].host, host) == 0) return &s->servers[i];
    return NULL;
}

static void become(const supervisor *s, const char *host, const char *helper, int input, int output,
                   pid_t parent)
{
    char command[2048];
    sigset_t none;
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0) _exit(127);
    snprintf(command, sizeof command, "exec '%s' '%s'", helper, s->store.pieces);
    if (host[0])
        execl(s->request->agent, s->request->agent, host, command, (char *)NULL);
    else
        execl(helper, helper, s->store.directory, (char *)NULL);
    _exit(127);
}

static parcast_status no_server(const supervisor *s, const char *host, const char *why)
{
    return parcast_error_set(s->error, PARCAST_IO, NULL, 0, "cannot serve checkpoints on node '%s': %s", host,
                             why);
}

static void release(struct server *server)
{
    if (server->input >= 0) close(server->input);
    if (server->output >= 0) close(server->output);
    server->input = server->output = -1;
}

/* It has ended, or is ended: whoever needs it must do without. */
static void fail(supervisor *s, struct server *server, const char *why)
{
    if (server->state == SERVER_FAILED) return;
    supervise_tell(s, true, "checkpoints on node '%s' are out of reach: %s", server->host, why);
    server->state = SERVER_FAILED;
    release(server);
    if (server->pid) supervise_kill_tree(server->pid, SIGKILL);
    if (s->calls->suspect && server->host[0]) s->calls->suspect(s->context, server->host);
    supervise_copies_broken(s);
}

static parcast_status start(supervisor *s, const char *host, const char *reach, struct server *server)
{
    char path[1024], token[ELASTIC_TOKEN_BYTES + 1];
    int in[2], out[2];
    pid_t parent = getpid();
    const char *helper = supervise_helper("parcast-serve", path);
    if (!helper) return no_server(s, host, "parcast-serve is not installed beside parcast");
    if (pipe2(in, O_CLOEXEC) != 0) return no_server(s, host, strerror(errno));
    if (pipe2(out, O_CLOEXEC) != 0) {
        close(in[0]);
        close(in[1]);
        return no_server(s, host, strerror(errno));
    }
    pid_t pid = fork();
    if (pid == 0) become(s, host, helper, in[0], out[1], parent);
    close(in[0]);
    close(out[1]);
    *server = (struct server){.state = SERVER_STARTING,
                              .pid = pid > 0 ? pid : 0,
                              .input = in[1],
                              .output = out[0],
                              .until_s = supervise_now() + answer_s};
    snprintf(server->host, sizeof server->host, "%s", host);
    snprintf(server->reach, sizeof server->reach, "%s", reach);
    int why = pid < 0 ? errno : 0;
    int length = snprintf(token, sizeof token, "%s\n", s->token);
    /* One that has ended already is noticed when it is listened to. */
    if (!why && write(in[1], token, (size_t)length) < 0 && errno != EPIPE) why = errno;
    if (!why && (fcntl(out[0], F_SETFL, O_NONBLOCK) != 0 || fcntl(in[1], F_SETFL, O_NONBLOCK) != 0))
        why = errno;
    if (!why) return PARCAST_OK;
    release(server);
    return no_server(s, host, strerror(why));
}

static parcast_status serve_on(supervisor *s, const char *host, const char *reach)
{
    struct server *server = find(s, host);
    if (server && server->state != SERVER_FAILED) return PARCAST_OK;
    if (!server) {
        struct server *grown = realloc(s->servers, (s->n_servers + 1) * sizeof *grown);
        if (!grown) return parcast_error_set(s->error, PARCAST_MEMORY, NULL, 0, "out of memory");
        s->servers = grown;
        server = &grown[s->n_servers];
        parcast_status status = start(s, host, reach, server);
        s->n_servers += !status;
        return status;
    }
    return server->pid ? PARCAST_OK : start(s, host, reach, server); /* once it is waited for */
}

parcast_status supervise_serve(supervisor *s, const struct launch *launch)
{
    parcast_status status = PARCAST_OK;
    if (!s->request->agent || s->store.pieces_are_common) return status;
    for (size_t i = 0; i < launch->n_hosts && !status; i++)
        status = serve_on(s, launch->hosts[i].name, launch->hosts[i].address);
    return status;
}

enum server_state supervise_serve_disk(supervisor *s)
{
    struct server *server = find(s, "");
    if (!server && serve_on(s, "", "") == PARCAST_OK) server = find(s, "");
    return server ? server->state : SERVER_FAILED;
}

void supervise_end_server(struct server *server)
{
    dprintf(server->input, "sweep %lld\n", (long long)INT64_MAX); /* if it hears it no more it is gone */
    server->state = SERVER_FAILED; /* it is started again if its host comes back */
    release(server);
}

enum server_state supervise_serves(const supervisor *s, const struct launch *launch)
{
    enum server_state worst = SERVER_READY;
    if (!supervise_copies(s)) return worst;
    const struct server *disk = find(s, "");
    if (disk && disk->state == SERVER_STARTING) worst = SERVER_STARTING;
    for (size_t i = 0; i < launch->n_hosts; i++) {
        const struct server *server = find(s, launch->hosts[i].name);
        if (!server || server->state == SERVER_FAILED) return SERVER_FAILED;
        if (server->state == SERVER_STARTING) worst = SERVER_STARTING;
    }
    return worst;
}

/* -------- ranks -------- */

/* Where checkpoints lie on a common disk there are none yet. */
void supervise_ask_places(supervisor *s, const struct launch_host *host, uint64_t key)
{
    if (serve_on(s, host->name, host->address) != PARCAST_OK)
        return; /* its ranks are not found, which is said */
    struct server *server = find(s, host->name);
    if (server && server->state != SERVER_FAILED) dprintf(server->input, "places %016" PRIx64 "\n", key);
}

void supervise_end_ranks(supervisor *s, const char *host, uint64_t key, int launch)
{
    const struct server *server = find(s, host);
    if (server && server->state != SERVER_FAILED)
        dprintf(server->input, "end %016" PRIx64 " %d\n", key, launch);
}

/* -------- what they say -------- */

/* The disk's server has no host: the ranks reach it where they reach us. */
static void set_address(const supervisor *s, struct server *server, int port)
{
    if (server->host[0]) {
        snprintf(server->address, sizeof server->address, "%s:%d", server->reach, port);
        return;
    }
    int host = (int)(strrchr(s->address, ':') - s->address);
    snprintf(server->address, sizeof server->address, "%.*s:%d", host, s->address, port);
    strcpy(server->node, SUPERVISE_DISK);
}

static void on_line(supervisor *s, struct server *server)
{
    int port, n = 0, rank;
    long long epoch;
    elastic_found found;
    if (server->state == SERVER_STARTING && sscanf(server->line, "port %d %255s", &port, server->node) == 2) {
        set_address(s, server, port);
        server->state = SERVER_READY;
    } else if (sscanf(server->line, "copied %lld %d", &epoch, &rank) == 2) {
        supervise_on_copied(s, epoch, NULL);
    } else if (sscanf(server->line, "uncopied %lld %d %n", &epoch, &rank, &n) == 2 && n) {
        supervise_on_copied(s, epoch, server->line + n);
    } else if (elastic_place_read(server->line, &found)) {
        supervise_found(s, server->host, &found);
    }
}

static void read_lines(supervisor *s, struct server *server)
{
    char byte;
    ssize_t n;
    while ((n = read(server->output, &byte, 1)) == 1) {
        if (byte != '\n') {
            if (server->length + 1 < sizeof server->line) server->line[server->length++] = byte;
            continue;
        }
        server->line[server->length] = '\0';
        server->length = 0;
        on_line(s, server);
    }
    if (n == 0) fail(s, server, "its server has ended");
}

void supervise_fail_servers_on(supervisor *s, const char *host)
{
    struct server *server = find(s, host);
    if (server) fail(s, server, "the node is gone");
}

void supervise_listen_to_servers(supervisor *s)
{
    for (size_t i = 0; i < s->n_servers; i++) {
        struct server *server = &s->servers[i];
        if (server->state != SERVER_FAILED) read_lines(s, server);
        if (server->state == SERVER_STARTING && supervise_now() > server->until_s)
            fail(s, server, "no answer in time");
        if (server->pid && waitpid(server->pid, NULL, WNOHANG) == server->pid) {
            server->pid = 0;
            fail(s, server, "its server has ended");
        }
    }
}

char *supervise_servers_text(const supervisor *s)
{
    char *text = NULL;
    size_t bytes = 0;
    if (s->n_servers == 0) return NULL;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return NULL;
    for (size_t i = 0; i < s->n_servers; i++)
        if (s->servers[i].state == SERVER_READY)
            fprintf(out, "%s %s\n", s->servers[i].node, s->servers[i].address);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

void supervise_sweep_servers(supervisor *s, int64_t epoch)
{
    for (size_t i = 0; i < s->n_servers; i++)
        if (s->servers[i].state == SERVER_READY &&
            dprintf(s->servers[i].input, "sweep %lld\n", (long long)epoch) < 0)
            fail(s, &s->servers[i], "it takes no orders");
}

void supervise_end_servers(supervisor *s)
{
    for (size_t i = 0; i < s->n_servers; i++) release(&s->servers[i]);
    for (size_t i = 0; i < s->n_servers; i++) {
        pid_t pid = s->servers[i].pid;
        for (int tries = 0; pid && waitpid(pid, NULL, WNOHANG) == 0; tries++) {
            if (tries == 20) supervise_kill_tree(pid, SIGKILL);
            poll(NULL, 0, 50);
        }
    }
    free(s->servers);
    s->servers = NULL;
    s->n_servers = 0;
}
