/*
 * Keeps the cores awake while an emulated cluster works: a thread a core that computes nothing, in the class
 * SCHED_IDLE, so that anybody else has the core at once.
 *
 * Ranks of slow nodes sleep most of the time. A core that nobody wants halts; on a virtual machine it is
 * given away, and when the rank wakes its caches are cold and the clock is low. Its next millisecond of work
 * then takes up to 2.5 times the CPU time, which dilation multiplies.
 *
 *     cluster-awake FILE      until SIGTERM; then writes "# awake CPU_SECONDS" to FILE
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void *keep_awake(void *core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(*(const size_t *)core, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    for (;;) relax();
    return NULL;
}

static int fail(const char *what, int cause)
{
    fprintf(stderr, "cluster-awake: %s: %s\n", what, strerror(cause));
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: cluster-awake FILE\n");
        return 2;
    }
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
    struct sched_param none = {.sched_priority = 0};
    if (sched_setscheduler(0, SCHED_IDLE, &none) != 0) return fail("cannot join the class SCHED_IDLE", errno);
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return fail("cannot see the cores", errno);
    static size_t cores[CPU_SETSIZE];
    for (size_t core = 0; core < CPU_SETSIZE; core++) {
        pthread_t thread;
        if (!CPU_ISSET(core, &allowed)) continue;
        cores[core] = core;
        int failed = pthread_create(&thread, NULL, keep_awake, &cores[core]);
        if (failed) return fail("cannot start a thread", failed);
    }
    int signal;
    sigwait(&ends, &signal);
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    FILE *file = fopen(argv[1], "we");
    if (!file) return fail(argv[1], errno);
    fprintf(file, "# awake %.3f\n", (double)used.tv_sec + 1e-9 * (double)used.tv_nsec);
    return fclose(file) == 0 ? 0 : fail(argv[1], errno);
}
