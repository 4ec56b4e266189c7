/*
 * A signal may come while a hook works on the tables. So nothing of a handler is followed: it runs as the
 * steps do that are left out. For this the program's calls that set handlers come by here, and what it has
 * set is what it is told.
 */
#include "valueflow/runtime/process/handlers.h"

#include <dlfcn.h>
#include <errno.h>

#include "valueflow/runtime/process/region.h"
#include "valueflow/runtime/values/value.h"

typedef void handler(int number, siginfo_t *info, void *context);

static handler *of_program[_NSIG]; /* where run_handler stands for them */
static volatile sig_atomic_t n_running;

bool vf_handler_was_left(void)
{
    return n_running > 0;
}

/* One of a single argument does not mind the others: the kernel gives it them, too. */
static void run_handler(int number, siginfo_t *info, void *context)
{
    bool was_tracing = vf_tracing, was_skipping = vf_skipping;
    vf_tracing = false;
    vf_skipping = true;
    n_running++;
    of_program[number](number, info, context);
    n_running--;
    vf_tracing = was_tracing;
    vf_skipping = was_skipping;
}

int vf_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    static int (*real)(int, const struct sigaction *, struct sigaction *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "sigaction");
    return real(number, action, old);
}

static bool is_handler(const struct sigaction *action)
{
    return action && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static int set(int number, const struct sigaction *action, struct sigaction *old)
{
    struct sigaction instead, before;
    handler *was = of_program[number];
    if (is_handler(action)) {
        instead = *action;
        of_program[number] = action->sa_sigaction; /* a union: both kinds of handlers */
        instead.sa_sigaction = run_handler;
    }
    int status = vf_sigaction(number, is_handler(action) ? &instead : action, &before);
    if (status) of_program[number] = was;
    if (!status && before.sa_sigaction == run_handler) before.sa_sigaction = was;
    if (!status && old) *old = before;
    return status;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    sigset_t this, mask;
    bool is_ours = vf_is_watching() && number > 0 && number < _NSIG;
    if (!is_ours) return vf_sigaction(number, action, old);
    sigemptyset(&this);
    sigaddset(&this, number);
    sigprocmask(SIG_BLOCK, &this, &mask);
    int status = set(number, action, old), cause = errno;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    errno = cause;
    return status;
}

static sighandler_t set_simply(int number, sighandler_t new, int flags)
{
    struct sigaction action = {.sa_handler = new, .sa_flags = flags}, old;
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

sighandler_t signal(int number, sighandler_t new)
{
    return set_simply(number, new, SA_RESTART);
}

sighandler_t bsd_signal(int number, sighandler_t new)
{
    return set_simply(number, new, SA_RESTART);
}

/* What strict ISO C calls signal. */
sighandler_t __sysv_signal(int number, sighandler_t new)
{
    return set_simply(number, new, SA_RESETHAND | SA_NODEFER);
}

sighandler_t sysv_signal(int number, sighandler_t new)
{
    return set_simply(number, new, SA_RESETHAND | SA_NODEFER);
}
