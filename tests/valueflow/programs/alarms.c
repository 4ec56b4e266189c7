/* Alarms while the tables of values grow to hundreds of megabytes. Says on how many threads it runs then, and
 * whether alarms came to another one than its own. With an argument a handler is left by a jump in the first
 * step. */
#include <dirent.h>
#include <errno.h>
#include <parcast/region.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum { WORDS = 1 << 20, STEPS = 3 };

static volatile sig_atomic_t n_here, n_elsewhere;

static void on_alarm(int number)
{
    (void)number;
    if (syscall(SYS_gettid) == getpid())
        n_here = 1;
    else
        n_elsewhere = 1;
}

static sigjmp_buf out;

static void on_user(int number)
{
    siglongjmp(out, number);
}

static int count_threads(void)
{
    int n = 0;
    DIR *threads = opendir("/proc/self/task");
    while (threads && readdir(threads)) n++;
    if (threads) closedir(threads);
    return n - 2; /* . and .. */
}

int main(int argc, char **argv)
{
    static const struct itimerval often = {{0, 1000}, {0, 1000}}, never;
    double *a = malloc(WORDS * sizeof *a), *b = calloc(WORDS, sizeof *b);
    (void)argv;
    if (!a || !b) return 2;
    for (int i = 0; i < WORDS; i++) a[i] = i;
    signal(SIGALRM, on_alarm);
    if (signal(SIGUSR1, on_user) == on_user || signal(SIGUSR1, on_user) != on_user) return 3;
    setitimer(ITIMER_REAL, &often, NULL);
    errno = EXDEV;
    parcast_region_begin();
    for (int step = 0; step < STEPS; step++) {
        for (int i = 1; i < WORDS - 1; i++) b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < WORDS - 1; i++) a[i] = b[i];
        if (argc > 1 && step == 0 && !sigsetjmp(out, 1)) raise(SIGUSR1);
    }
    parcast_region_end();
    int was = errno;
    setitimer(ITIMER_REAL, &never, NULL);
    fprintf(stderr, "alarms: %shere%s, %s, %d threads\n", n_here ? "" : "not ",
            n_elsewhere ? " and elsewhere" : "", was == EXDEV ? "no error" : "an error", count_threads());
    free(a);
    free(b);
    return 0;
}
