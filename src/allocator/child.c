/* Child processes: ssh, salloc, squeue. They have a session of their own, so that a terminal's Ctrl-C, which
   is for the program, does not cut the allocator's connections. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "allocator/internal.h"

static parcast_status cannot_start(const char *word, int number, parcast_error *error)
{
    return parcast_error_set(error, number == ENOENT ? PARCAST_NOT_FOUND : PARCAST_IO, NULL, 0,
                             "cannot start '%s': %s", word, strerror(number));
}

/* Signals that the caller blocks or ignores are as usual again in the child. */
static int spawn(const char *const *words, int socket, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    sigaddset(&usual, SIGHUP);
    int number = posix_spawn_file_actions_init(&actions);
    if (number) return number;
    number = posix_spawnattr_init(&attributes);
    if (number) goto destroy_actions;
    for (int fd = 0; fd <= 2 && !number; fd++)
        number = posix_spawn_file_actions_adddup2(&actions, socket, fd);
    if (!number) number = posix_spawnattr_setsigmask(&attributes, &none);
    if (!number) number = posix_spawnattr_setsigdefault(&attributes, &usual);
    if (!number)
        number = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
                                                           POSIX_SPAWN_SETSIGDEF);
    union {
        const char *const *lent;
        char *const *words; /* as posix_spawnp wants them; it does not change them */
    } argument = {.lent = words};
    if (!number) number = posix_spawnp(pid, words[0], &actions, &attributes, argument.words, environ);
    posix_spawnattr_destroy(&attributes);
destroy_actions:
    posix_spawn_file_actions_destroy(&actions);
    return number;
}

parcast_status child_start(const char *const *words, struct child **child, parcast_error *error)
{
    int sockets[2];
    struct child *c = calloc(1, sizeof *c);
    if (!c) return allocator_no_memory(error);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets)) {
        free(c);
        return cannot_start(words[0], errno, error);
    }
    int number = spawn(words, sockets[1], &c->pid);
    close(sockets[1]);
    c->socket = sockets[0];
    if (number) {
        close(sockets[0]);
        free(c);
        return cannot_start(words[0], number, error);
    }
    *child = c;
    return PARCAST_OK;
}

static void reap(struct child *c, int flags)
{
    int status;
    if (c->pid == 0 || waitpid(c->pid, &status, flags) != c->pid) return;
    c->pid = 0;
    c->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool child_read(struct child *c)
{
    reap(c, WNOHANG); /* first: what it printed before it ended is then all there */
    while (!c->closed) {
        if (c->used + 1 >= sizeof c->text) c->used = 0; /* a line that long is no answer */
        ssize_t n = recv(c->socket, c->text + c->used, sizeof c->text - 1 - c->used, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
        if (n <= 0) {
            c->closed = true;
            break;
        }
        c->used += (size_t)n;
    }
    return c->pid != 0;
}

bool child_line(struct child *c, char *line, size_t size)
{
    char *end = memchr(c->text, '\n', c->used);
    bool last = !end && c->closed && c->used > 0;
    if (!end && !last) return false;
    size_t length = end ? (size_t)(end - c->text) : c->used, copied = length < size ? length : size - 1;
    memcpy(line, c->text, copied);
    line[copied] = '\0';
    size_t taken = end ? length + 1 : length;
    memmove(c->text, c->text + taken, c->used - taken);
    c->used -= taken;
    return true;
}

void child_say(struct child *c, const char *text)
{
    if (send(c->socket, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        c->closed = c->closed || errno == EPIPE;
}

static void sleep_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* What it started is in its session and goes with it. */
void child_end(struct child **child)
{
    enum { GRACE_MS = 500 };
    if (!*child) return;
    struct child *c = *child;
    close(c->socket);
    if (c->pid) kill(-c->pid, SIGTERM);
    for (int ms = 0; c->pid && ms < GRACE_MS; ms += 5) {
        reap(c, WNOHANG);
        if (c->pid) sleep_ms(5);
    }
    if (c->pid) kill(-c->pid, SIGKILL);
    reap(c, 0);
    free(c);
    *child = NULL;
}

static double monotonic_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Everything that it prints until it ends or the time is up. */
static bool collect(struct child *c, double limit_s, char **output, size_t *length)
{
    double until_s = monotonic_s() + limit_s;
    for (;;) {
        struct pollfd wait = {.fd = c->socket, .events = POLLIN};
        bool runs = child_read(c);
        char *more = realloc(*output, *length + c->used + 1);
        if (!more) return false;
        memcpy(more + *length, c->text, c->used);
        *output = more;
        *length += c->used;
        more[*length] = '\0';
        c->used = 0;
        if (!runs && c->closed) return true;
        if (monotonic_s() > until_s) return false;
        if (c->closed)
            sleep_ms(2);
        else
            poll(&wait, 1, 100);
    }
}

parcast_status child_run(const char *const *words, const char *name, double limit_s, char **output,
                         parcast_error *error)
{
    const int not_there = 127; /* of env(1) and shells */
    struct child *c = NULL;
    char *text = NULL;
    size_t length = 0;
    parcast_status status = child_start(words, &c, error);
    if (status || !c) return status;
    bool ended = collect(c, limit_s, &text, &length);
    int exit_status = c->status;
    child_end(&c);
    if (ended && exit_status == 0) {
        *output = text;
        return PARCAST_OK;
    }
    if (text) text[strcspn(text, "\n")] = '\0';
    if (ended && exit_status == not_there)
        status = parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0,
                                   "cannot start '%s': it is not installed", name);
    else if (ended)
        status = parcast_error_set(error, PARCAST_IO, NULL, 0, "'%s' ended with status %d: %s", name,
                                   exit_status, text ? text : "");
    else
        status =
            parcast_error_set(error, PARCAST_IO, NULL, 0, "'%s' did not answer within %g s", name, limit_s);
    free(text);
    return status;
}
