#include "core/signals.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int that_end[SIGNALS_THAT_END] = {SIGINT, SIGTERM, SIGHUP};

/* Threads of libraries (OpenBLAS has some) do not wait for signals: what reaches them is the first thread's.
 */
static void to_first_thread(int number)
{
    pid_t first = getpid();
    if (gettid() != first) syscall(SYS_tgkill, first, first, number);
}

static bool is_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void signals_hold(sigset_t *set, struct signals_before *before)
{
    const struct sigaction action = {.sa_handler = to_first_thread, .sa_flags = SA_RESTART};
    bool is_first = gettid() == getpid();
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    for (int i = 0; i < SIGNALS_THAT_END; i++)
        if (that_end[i] != SIGHUP || !is_ignored(SIGHUP)) sigaddset(set, that_end[i]);
    pthread_sigmask(SIG_BLOCK, set, &before->mask);
    for (int i = 0; i < SIGNALS_THAT_END; i++) {
        sigaction(that_end[i], NULL, &before->actions[i]);
        if (is_first && sigismember(set, that_end[i])) sigaction(that_end[i], &action, NULL);
    }
}

void signals_release(const struct signals_before *before)
{
    for (int i = 0; i < SIGNALS_THAT_END; i++) sigaction(that_end[i], &before->actions[i], NULL);
    pthread_sigmask(SIG_SETMASK, &before->mask, NULL);
}

void signals_in_child(void)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    if (!is_ignored(SIGHUP)) signal(SIGHUP, SIG_DFL);
}
