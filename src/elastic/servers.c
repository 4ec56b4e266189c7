/* The servers of pieces on other nodes: one a node, started through the agent, ended with their input. */
#include <errno.h>
#include <fcntl.h>
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

enum { ANSWER_MS = 20000 };

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
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0) _exit(127);
    snprintf(command, sizeof command, "exec '%s' '%s'", helper, s->store.pieces);
    execl(s->request->agent, s->request->agent, host, command, (char *)NULL);
    _exit(127);
}

/* "port N NODE", with a time limit. */
static int read_port(int fd, char node[256])
{
    char text[300] = "";
    for (size_t n = 0; n + 1 < sizeof text && !strchr(text, '\n');) {
        struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
        if (poll(&poll_fd, 1, ANSWER_MS) != 1) return -1;
        ssize_t got = read(fd, text + n, sizeof text - 1 - n);
        if (got <= 0) return -1;
        n += (size_t)got;
        text[n] = '\0';
    }
    int port = -1;
    return sscanf(text, "port %d %255s", &port, node) == 2 ? port : -1;
}

static parcast_status no_server(const supervisor *s, const char *host, const char *why)
{
    return parcast_error_set(s->error, PARCAST_IO, NULL, 0, "cannot serve checkpoints on node '%s': %s", host,
                             why);
}

static parcast_status start(supervisor *s, const char *host, struct server *server)
{
    char path[1024], node[256] = "", token[ELASTIC_TOKEN_BYTES + 1];
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
    int length = snprintf(token, sizeof token, "%s\n", s->token);
    int port = pid > 0 && write(in[1], token, (size_t)length) == length ? read_port(out[0], node) : -1;
    close(out[0]);
    if (port < 0) {
        close(in[1]);
        if (pid > 0) {
            kill(pid, SIGKILL);
            waitpid(pid, NULL, 0);
        }
        return no_server(s, host, "it does not answer");
    }
    *server = (struct server){.pid = pid, .input = in[1]};
    snprintf(server->host, sizeof server->host, "%s", host);
    snprintf(server->node, sizeof server->node, "%s", node);
    snprintf(server->address, sizeof server->address, "%s:%d", host, port);
    return PARCAST_OK;
}

parcast_status supervise_serve(supervisor *s, int nodes)
{
    size_t n = 0;
    parcast_status status = PARCAST_OK;
    if (!s->request->agent || s->store.pieces_are_common || !s->calls->hosts) return status;
    const parcast_supervisor_host *hosts = s->calls->hosts(s->context, nodes, &n);
    for (size_t i = 0; i < n && !status; i++) {
        struct server server;
        if (find(s, hosts[i].name)) continue;
        struct server *grown = realloc(s->servers, (s->n_servers + 1) * sizeof *grown);
        if (!grown) return parcast_error_set(s->error, PARCAST_MEMORY, NULL, 0, "out of memory");
        s->servers = grown;
        status = start(s, hosts[i].name, &server);
        if (!status) s->servers[s->n_servers++] = server;
    }
    return status;
}

char *supervise_servers_text(const supervisor *s)
{
    char *text = NULL;
    size_t bytes = 0;
    if (s->n_servers == 0) return NULL;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return NULL;
    for (size_t i = 0; i < s->n_servers; i++)
        fprintf(out, "%s %s\n", s->servers[i].node, s->servers[i].address);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

void supervise_sweep_servers(supervisor *s, int64_t epoch)
{
    for (size_t i = 0; i < s->n_servers; i++)
        if (dprintf(s->servers[i].input, "sweep %lld\n", (long long)epoch) < 0)
            continue; /* it is gone, and its node with it */
}

void supervise_end_servers(supervisor *s)
{
    for (size_t i = 0; i < s->n_servers; i++) close(s->servers[i].input);
    for (size_t i = 0; i < s->n_servers; i++) {
        for (int tries = 0; waitpid(s->servers[i].pid, NULL, WNOHANG) == 0; tries++) {
            if (tries == 20) kill(s->servers[i].pid, SIGKILL);
            poll(NULL, 0, 50);
        }
    }
    free(s->servers);
    s->servers = NULL;
    s->n_servers = 0;
}
