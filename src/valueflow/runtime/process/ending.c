#include "valueflow/runtime/process/ending.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/runtime/process/dump.h"
#include "valueflow/runtime/process/handlers.h"
#include "valueflow/runtime/process/region.h"
#include "valueflow/runtime/steps/steps.h"
#include "valueflow/runtime/steps/window.h"
#include "valueflow/runtime/tables/map.h"
#include "valueflow/runtime/tables/tables.h"

enum { MOST_TEXT = 1024, SIGNAL_STACK = 1 << 16 };

bool vf_asked_to_end;
static char reason[MOST_TEXT];
static bool ending;
static int messages = STDERR_FILENO;
static pid_t owner; /* children of the program leave nothing */
static int quick_status;

static __attribute__((format(printf, 1, 0))) void set_reason(const char *format, va_list arguments)
{
    int n = vsnprintf(reason, sizeof reason, format, arguments);
    if (n < 0) reason[0] = '\0';
}

static __attribute__((format(printf, 1, 2))) void because(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_reason(format, arguments);
    va_end(arguments);
}

/* The message and nothing else goes to who reads it; people see who speaks. */
static void say(const char *text)
{
    char line[MOST_TEXT + 64];
    if (owner && getpid() != owner) return;
    int n = snprintf(line, sizeof line, "%s%s\n",
                     messages == STDERR_FILENO ? "parcast estimate: error: " : "", text);
    if (n > 0) (void)!write(messages, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

void vf_where(char *text, size_t size)
{
    char loop[256];
    if (!vf_tracing && !vf_region_depth()) {
        snprintf(text, size, "outside the region");
        return;
    }
    vf_steps_where(loop, sizeof loop);
    snprintf(text, size, "in entry %llu of the region%s%s", (unsigned long long)vf_region_entries(),
             *loop ? ", " : "", loop);
}

/* A second reason comes of the first. */
static void keep_partial(void)
{
    if (ending || !vf_is_watching() || !vf_entered || getpid() != owner) return;
    ending = true;
    vf_region_stop();
    vf_dump(vf_values_path(), reason);
}

_Noreturn static void end(void)
{
    keep_partial();
    say(reason);
    vf_leave(VF_EXIT_ENDED);
}

void vf_end_soon(const char *format, ...)
{
    if (vf_asked_to_end || ending) return;
    va_list arguments;
    va_start(arguments, format);
    set_reason(format, arguments);
    va_end(arguments);
    vf_asked_to_end = true;
    vf_tracing = false;
}

void vf_ending_writes(void)
{
    ending = true;
}

void vf_end_now(void)
{
    end();
}

/* While the file is written nothing can be kept any more. */
void vf_stop(const char *format, ...)
{
    char where[256];
    va_list arguments;
    va_start(arguments, format);
    set_reason(format, arguments);
    va_end(arguments);
    size_t n = strlen(reason);
    vf_where(where, sizeof where);
    if (vf_is_watching() && vf_entered && !ending && n + strlen(where) + 4 < sizeof reason)
        sprintf(reason + n, " (%s)", where);
    end();
}

/* ---- the program dies ---- */

static const int fatal[] = {SIGSEGV, SIGBUS,    SIGFPE,  SIGILL,  SIGABRT, SIGTERM, SIGINT,
                            SIGHUP,  SIGXCPU,   SIGQUIT, SIGTRAP, SIGSYS,  SIGPIPE, SIGALRM,
                            SIGPROF, SIGVTALRM, SIGXFSZ, SIGUSR1, SIGUSR2, SIGPOLL, SIGSTKFLT};

/* Whoever asks it to end wants what was followed all the same: it ends when that is written. */
static bool may_wait(int number)
{
    return ending && getpid() == owner && (number == SIGINT || number == SIGTERM || number == SIGHUP);
}

void vf_ending_signal(int number)
{
    char where[256];
    if (may_wait(number)) return;
    signal(number, SIG_IGN); /* until what was followed is written */
    if (!ending && vf_is_watching() && getpid() == owner) {
        vf_where(where, sizeof where);
        because("the program was ended by signal %d (%s) %s", number, strsignal(number), where);
        keep_partial();
        if (vf_entered) say(reason);
    }
    signal(number, SIG_DFL);
    raise(number);
}

/* A stack of its own: it may be the program's that has run out. */
static void catch_signals(void)
{
    void *room = vf_map_pages(NULL, SIGNAL_STACK, 0);
    stack_t stack = {.ss_sp = room, .ss_size = SIGNAL_STACK};
    if (room == MAP_FAILED || sigaltstack(&stack, NULL)) return;
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        struct sigaction old, action = {.sa_handler = vf_ending_signal, .sa_flags = SA_ONSTACK | SA_NODEFER};
        if (vf_sigaction(fatal[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            vf_sigaction(fatal[i], &action, NULL);
    }
}

static void finish(int status, void *unused)
{
    (void)unused;
    vf_steps_counted();
    if (!vf_is_watching() || ending || getpid() != owner) return;
    if (vf_asked_to_end) end();
    vf_window_ended();
    ending = true;
    if (status && vf_region_depth() && vf_region_is_marked()) {
        char where[256];
        vf_where(where, sizeof where);
        because("the program ended with status %d %s", status, where);
        say(reason);
    } else if (vf_handler_was_left()) {
        because("a handler of a signal did not return, and nothing behind it was followed");
        say(reason);
    }
    vf_region_stop();
    vf_dump(vf_values_path(), reason);
}

/* The program's ways out past exit(). */
void vf_leave(int status)
{
    for (;;) syscall(SYS_exit_group, status);
}

void _exit(int status)
{
    finish(status, NULL);
    vf_leave(status);
}

void _Exit(int status)
{
    _exit(status);
}

static void finish_quickly(void)
{
    finish(quick_status, NULL);
}

/* Who is called at such an end is not told the status. */
void quick_exit(int status)
{
    void (*real)(int);
    *(void **)&real = dlsym(RTLD_NEXT, "quick_exit");
    quick_status = status;
    real(status);
    vf_leave(status);
}

void vf_endings_open(void)
{
    const char *number = getenv("PARCAST_VALUES_MESSAGES");
    owner = getpid();
    if (number && *number) {
        messages = (int)strtol(number, NULL, 10);
        if (messages < 0 || fcntl(messages, F_SETFD, FD_CLOEXEC)) messages = STDERR_FILENO;
    }
    on_exit(finish, NULL);
    at_quick_exit(finish_quickly);
    catch_signals();
}
