/**
 * Signals to a command that runs a program: they are for the thread that waits for it.
 */
#ifndef PARCAST_CORE_SIGNALS_H
#define PARCAST_CORE_SIGNALS_H

#include <signal.h>

enum { SIGNALS_THAT_END = 3 };

struct signals_before {
    sigset_t mask;
    struct sigaction actions[SIGNALS_THAT_END];
};

/**
 * Blocks SIGINT, SIGTERM, SIGHUP and SIGCHLD in the calling thread. If that is the first one, other threads
 * pass on to it the ones that end. A SIGHUP that is ignored, as below nohup, stays so; SIGINT
 * is heard also where a shell has started the command in the background and ignores it for that.
 *
 * @param[out] set    what is blocked, to be waited for
 * @param[out] before for signals_release and for the mask of a child
 */
void signals_hold(sigset_t *set, struct signals_before *before);
void signals_release(const struct signals_before *before);

/** In a child, between fork and exec: what is held has its default again, but an ignored SIGHUP. */
void signals_in_child(void);

#endif
