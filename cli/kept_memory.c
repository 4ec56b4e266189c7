#include "kept_memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "parcast/large_pages.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

static const char variable[] = "GLIBC_TUNABLES";
static const char before[] = "PARCAST_TUNABLES_BEFORE"; /* what it was; empty: not set */
/* From 1 GiB on a table is mapped by itself; less is kept for the next one. */
static const char wishes[] = "glibc.malloc.mmap_threshold=1073741824:"
                             "glibc.malloc.trim_threshold=68719476736:glibc.malloc.top_pad=67108864";
static const char in_large_pages[] = ":glibc.malloc.hugetlb=1";

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

#else

void kept_memory_begin(char **argv)
{
    (void)argv;
}

#endif
