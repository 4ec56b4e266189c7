/*
 * Latency: what MPI writes to a socket of another node goes out latency_ns later. A line of parcels for every
 * socket, and a thread that sends those that are due; the writer goes on at once, as with a real wire.
 *
 *     writev (MPI) --> [parcel, due t1] [parcel, due t2] ... --thread--> kernel
 *
 * A line holds a bounded number of bytes. While it is full the socket counts as not writable (polite.c asks
 * delay_is_full), and the thread announces room on a file descriptor.
 */
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shim.h"

#define EXPORT __attribute__((visibility("default")))

enum { SOCKETS = 1024, CAPACITY_BYTES = 1 << 19 };

struct parcel {
    struct parcel *next;
    int64_t due_ns;
    size_t at, n; /* sent, all */
    char bytes[];
};

static struct line {
    struct parcel *first, *last;
    size_t bytes;
    bool failed; /* the socket took an error: the next write learns of it */
} lines[SOCKETS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static int highest = -1, wake = -1, room = -1;
static bool running;

static void signal_to(int file)
{
    uint64_t one = 1;
    ssize_t written = write(file, &one, sizeof one);
    (void)written; /* a full counter wakes, too */
}

static void forget(struct line *line)
{
    while (line->first) {
        struct parcel *parcel = line->first;
        line->first = parcel->next;
        free(parcel);
    }
    line->last = NULL;
    line->bytes = 0;
}

/* Send what is due. Returns false while the kernel takes no more. */
static bool send_due(int file, struct line *line, int64_t now_ns)
{
    while (line->first && line->first->due_ns <= now_ns) {
        struct parcel *parcel = line->first;
        ssize_t n =
            send(file, parcel->bytes + parcel->at, parcel->n - parcel->at, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
        if (n < 0) {
            line->failed = true;
            forget(line);
            return true;
        }
        parcel->at += (size_t)n;
        line->bytes -= (size_t)n;
        if (parcel->at < parcel->n) continue;
        line->first = parcel->next;
        if (!line->first) line->last = NULL;
        free(parcel);
    }
    return true;
}

/* One round over all lines; fills in what to wait for. */
static nfds_t serve(struct pollfd *waits, int64_t *next_ns)
{
    nfds_t n = 1;
    bool drained = false;
    int64_t now_ns = shim_ns(CLOCK_MONOTONIC);
    waits[0] = (struct pollfd){.fd = wake, .events = POLLIN};
    *next_ns = INT64_MAX;
    for (int file = 0; file <= highest; file++) {
        struct line *line = &lines[file];
        if (!line->first) continue;
        bool was_full = line->bytes >= CAPACITY_BYTES;
        if (!send_due(file, line, now_ns))
            waits[n++] = (struct pollfd){.fd = file, .events = POLLOUT};
        else if (line->first && line->first->due_ns < *next_ns)
            *next_ns = line->first->due_ns;
        if (!line->first) pthread_cond_broadcast(&emptied);
        drained = drained || (was_full && line->bytes < CAPACITY_BYTES);
    }
    if (drained) signal_to(room);
    return n;
}

static void *carry(void *unused)
{
    static struct pollfd waits[SOCKETS + 1];
    (void)unused;
    for (;;) {
        int64_t next_ns;
        pthread_mutex_lock(&lock);
        nfds_t n = serve(waits, &next_ns);
        pthread_mutex_unlock(&lock);
        int64_t left_ns = next_ns - shim_ns(CLOCK_MONOTONIC);
        struct timespec time = {left_ns / NS_PER_S, left_ns % NS_PER_S};
        if (left_ns <= 0) continue;
        ppoll(waits, n, next_ns == INT64_MAX ? NULL : &time, NULL);
        uint64_t count;
        if (waits[0].revents && read(wake, &count, sizeof count) < 0 && errno != EAGAIN) return NULL;
    }
}

static bool start_carrier(void)
{
    pthread_t thread;
    if (running) return true;
    wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    room = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    running = wake >= 0 && room >= 0 && pthread_create(&thread, NULL, carry, NULL) == 0;
    if (running) return true;
    fprintf(stderr, "cluster: cannot start the thread that delays messages\n");
    abort();
}

/* Does the other end lie on another node? */
static bool leaves_node(int file)
{
    struct sockaddr_in own = {0}, peer = {0};
    socklen_t own_bytes = sizeof own, peer_bytes = sizeof peer;
    if (file < 0 || file >= SOCKETS || getsockname(file, (struct sockaddr *)&own, &own_bytes) != 0 ||
        getpeername(file, (struct sockaddr *)&peer, &peer_bytes) != 0)
        return false;
    return own.sin_family == AF_INET && peer.sin_family == AF_INET &&
           own.sin_addr.s_addr != peer.sin_addr.s_addr;
}

static struct parcel *pack(const struct iovec *parts, int n_parts, size_t most)
{
    size_t n = 0;
    for (int i = 0; i < n_parts; i++) n += parts[i].iov_len;
    if (n > most) n = most;
    struct parcel *parcel = malloc(sizeof *parcel + n);
    if (!parcel) return NULL;
    *parcel = (struct parcel){.n = n, .due_ns = shim_ns(CLOCK_MONOTONIC) + shim_settings.latency_ns};
    for (size_t at = 0; at < n; parts++) {
        size_t part = parts->iov_len < n - at ? parts->iov_len : n - at;
        memcpy(parcel->bytes + at, parts->iov_base, part);
        at += part;
    }
    return parcel;
}

static ssize_t put(int file, const struct iovec *parts, int n_parts)
{
    struct line *line = &lines[file];
    if (line->failed) {
        errno = EPIPE;
        return -1;
    }
    if (line->bytes >= CAPACITY_BYTES) {
        errno = EAGAIN;
        return -1;
    }
    struct parcel *parcel = pack(parts, n_parts, CAPACITY_BYTES - line->bytes);
    if (!parcel) {
        errno = ENOBUFS;
        return -1;
    }
    ssize_t n = (ssize_t)parcel->n;
    bool was_empty = !line->first;
    if (was_empty)
        line->first = parcel;
    else
        line->last->next = parcel;
    line->last = parcel;
    line->bytes += parcel->n;
    if (file > highest) highest = file;
    if (was_empty) signal_to(wake);
    return n;
}

EXPORT ssize_t writev(int file, const struct iovec *parts, int n_parts)
{
    static ssize_t (*next)(int, const struct iovec *, int);
    if (!next) next = (ssize_t(*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
    if (shim_settings.latency_ns <= 0 || shim_state == OUTSIDE || !leaves_node(file))
        return next(file, parts, n_parts);
    start_carrier();
    pthread_mutex_lock(&lock);
    ssize_t n = put(file, parts, n_parts);
    pthread_mutex_unlock(&lock);
    return n;
}

/* What is on its way arrives, although the sender is done. */
EXPORT int close(int file)
{
    static int (*next)(int);
    if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "close");
    if (running && shim_state != OUTSIDE && file >= 0 && file < SOCKETS) {
        pthread_mutex_lock(&lock);
        while (lines[file].first) pthread_cond_wait(&emptied, &lock);
        lines[file].failed = false;
        pthread_mutex_unlock(&lock);
    }
    return next(file);
}

bool delay_is_full(int file)
{
    if (!running || file < 0 || file >= SOCKETS) return false;
    pthread_mutex_lock(&lock);
    bool full = lines[file].bytes >= CAPACITY_BYTES;
    pthread_mutex_unlock(&lock);
    return full;
}

int delay_room(void)
{
    return running ? room : -1;
}
