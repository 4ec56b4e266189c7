#include "interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const int that_end[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof that_end / sizeof *that_end };

/* What the handler needs: it may neither format nor ask for memory. */
static char messages[SIGNALS][128];
static const struct cli_common *interrupted;
static pid_t owner;

static void put(const char *text)
{
    (void)!write(STDERR_FILENO, text, strlen(text));
}

/* Children that compute a share have a parent that says it. */
static void end(int number)
{
    for (int i = 0; i < SIGNALS && getpid() == owner; i++) {
        if (that_end[i] != number) continue;
        if (interrupted->line_open) put("\r\033[K");
        put(messages[i]);
    }
    _exit(EXIT_FAILED);
}

void interrupt_is_failure(const struct cli_common *common)
{
    struct sigaction action = {.sa_handler = end}, hang_up;
    bool colored = cli_colored(common, STDERR_FILENO);
    owner = getpid();
    interrupted = common;
    for (int i = 0; i < SIGNALS; i++) {
        int number = that_end[i];
        snprintf(messages[i], sizeof messages[i], "parcast %s: %serror:%s interrupted by signal %d (%s)\n",
                 common->command, colored ? "\033[1;31m" : "", colored ? "\033[0m" : "", number,
                 strsignal(number));
        sigaddset(&action.sa_mask, number);
    }
    bool ignored = sigaction(SIGHUP, NULL, &hang_up) == 0 && hang_up.sa_handler == SIG_IGN;
    for (int i = 0; i < SIGNALS; i++)
        if (that_end[i] != SIGHUP || !ignored) sigaction(that_end[i], &action, NULL);
}
