/*
 * Polite waiting. Open MPI polls: a rank that waits takes a core from those that compute. With
 * mpi_yield_when_idle its progress loop looks at its sockets (poll or epoll_wait without time-out) and calls
 * sched_yield when nothing was there to do. Here that yield becomes what it should be: a sleep until one of
 * the sockets has something. Calls that must not wait (MPI_Test and such) only nap.
 *
 * So every call is polite, in every binding, and the calls are still those that the program made.
 */
#include <dlfcn.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "shim.h"

#define EXPORT __attribute__((visibility("default")))

enum {
    SOCKETS = 1024,
    IDLE_BEFORE_SLEEP = 6,      /* rounds of the progress loop without work: collectives go on in steps */
    LONGEST_SLEEP_NS = 1000000, /* a step may have been missed */
    NAP_NS = 20000
};

/* The sockets that MPI looked at last. */
static _Thread_local struct {
    struct pollfd sockets[SOCKETS + 1]; /* one more for news of room in a delayed line */
    nfds_t n;
    bool something;
    unsigned idle;
} seen;

static bool looks(int timeout_ms)
{
    return shim_state != OUTSIDE && timeout_ms == 0 && shim_settings.speed != 0;
}

/* A socket whose delayed line is full takes nothing, whatever the kernel says. */
static void hide_full(struct pollfd *sockets, nfds_t n)
{
    for (nfds_t i = 0; i < n; i++)
        if ((sockets[i].events & POLLOUT) && delay_is_full(sockets[i].fd)) sockets[i].events &= ~POLLOUT;
}

EXPORT int poll(struct pollfd *sockets, nfds_t n, int timeout_ms)
{
    static int (*next)(struct pollfd *, nfds_t, int);
    if (!next) next = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
    if (!looks(timeout_ms) || n > SOCKETS) return next(sockets, n, timeout_ms);
    memcpy(seen.sockets, sockets, n * sizeof *sockets);
    hide_full(seen.sockets, n);
    int ready = next(seen.sockets, n, 0);
    for (nfds_t i = 0; i < n; i++) sockets[i].revents = seen.sockets[i].revents;
    seen.something = ready != 0;
    seen.n = n;
    return ready;
}

EXPORT int epoll_wait(int set, struct epoll_event *events, int n, int timeout_ms)
{
    static int (*next)(int, struct epoll_event *, int, int);
    if (!next) next = (int (*)(int, struct epoll_event *, int, int))dlsym(RTLD_NEXT, "epoll_wait");
    int ready = next(set, events, n, timeout_ms);
    if (!looks(timeout_ms)) return ready;
    seen.something = ready != 0;
    seen.n = 1;
    seen.sockets[0] = (struct pollfd){.fd = set, .events = POLLIN};
    return ready;
}

EXPORT int sched_yield(void)
{
    static int (*next)(void);
    if (!next) next = (int (*)(void))dlsym(RTLD_NEXT, "sched_yield");
    if (shim_state == OUTSIDE || shim_settings.speed == 0) return next();
    if (seen.something) seen.idle = 0;
    if (++seen.idle < IDLE_BEFORE_SLEEP) return 0;
    struct timespec time = {.tv_nsec = shim_state == WAITING ? LONGEST_SLEEP_NS : NAP_NS};
    int room = delay_room();
    seen.sockets[seen.n] = (struct pollfd){.fd = room, .events = POLLIN};
    if (ppoll(seen.sockets, seen.n + 1, &time, NULL) != 0) seen.idle = 0;
    uint64_t count;
    if (seen.sockets[seen.n].revents && read(room, &count, sizeof count) < 0) return 0; /* nothing new */
    return 0;
}
