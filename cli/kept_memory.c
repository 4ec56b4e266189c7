#include "kept_memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "parcast/large_pages.h"
#include "parcast/threads.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

static const char variable[] = "GLIBC_TUNABLES";
static const char before[] = "PARCAST_TUNABLES_BEFORE"; /* what it was; empty: not set */
/* From 1 GiB on a table is mapped by itself; less is kept for the next one. */
static const char wishes[] = "glibc.malloc.arena_max=1:glibc.malloc.mmap_threshold=1073741824:"
                             "glibc.malloc.trim_threshold=68719476736:glibc.malloc.top_pad=67108864";
static const char in_large_pages[] = ":glibc.malloc.hugetlb=1";
enum { LARGE_PAGE = 2 << 20 };
static bool is_kept;

static void restore(void)
{
    const char *was = getenv(before);
    if (was && *was)
        setenv(variable, was, 1);
    else
        unsetenv(variable);
    unsetenv(before);
}

/* What is asked for in advance would be missing below a limit (ulimit -v, ulimit -d). */
static bool is_limited(int resource)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) || limit.rlim_cur != RLIM_INFINITY;
}

void kept_memory_begin(char **argv)
{
    char path[4096], both[4096];
    const char *was = getenv(variable);
    if (getenv(before)) {
        restore();
        is_kept = true;
        return;
    }
    if (is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA)) return;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0 || n == sizeof path - 1) return;
    path[n] = '\0';
    int length =
        snprintf(both, sizeof both, "%s%s%s%s", wishes, parcast_large_pages_pay() ? in_large_pages : "",
                 was && *was ? ":" : "", was ? was : "");
    if (length < 0 || (size_t)length >= sizeof both) return;
    if (setenv(before, was ? was : "", 1) || setenv(variable, both, 1)) {
        unsetenv(before);
        return;
    }
    execv(path, argv); /* a name with " (deleted)" is none */
    restore();
}

#ifdef MADV_POPULATE_WRITE

/* From the end on: whoever has asked for the memory begins at its other end. */
static void populate(uintptr_t first, uintptr_t end)
{
    static const uintptr_t piece = LARGE_PAGE;
    while (end > first) {
        uintptr_t begin = (end - 1) & ~(piece - 1);
        if (begin < first) begin = first;
        // NOLINTNEXTLINE(performance-no-int-to-ptr)
        if (madvise((void *)begin, end - begin, MADV_POPULATE_WRITE)) return;
        end = begin;
    }
}

/* The heap grows by some tens of megabytes at a time, or not at all for long. */
static void *follow_heap(void *nothing)
{
    enum { IDLE_MS = 20, BUSY_ROUNDS = 100 };
    uintptr_t done = (uintptr_t)sbrk(0);
    for (int quiet = BUSY_ROUNDS;; quiet += quiet < BUSY_ROUNDS) {
        uintptr_t end = (uintptr_t)sbrk(0);
        if (end > done) {
            populate(done, end); /* what has been given back meanwhile has no pages and needs none */
            quiet = 0;
        }
        done = end;
        struct timespec pause = {.tv_nsec = (quiet < BUSY_ROUNDS ? 1 : IDLE_MS) * 1000000L};
        nanosleep(&pause, NULL);
    }
    return nothing;
}

/* Without it pages come when they are touched, so that it does not matter whether there is one. */
void kept_memory_ahead(void)
{
    static const double ample = (double)((size_t)4 << 30);
    pthread_t thread;
    sigset_t all, own;
    double free_bytes = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (!is_kept || parcast_threads() < 2 || free_bytes < ample) return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &own);
    if (!pthread_create(&thread, NULL, follow_heap, NULL)) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &own, NULL);
}

#else

void kept_memory_ahead(void)
{
}

#endif

#else

void kept_memory_begin(char **argv)
{
    (void)argv;
}

void kept_memory_ahead(void)
{
}

#endif
