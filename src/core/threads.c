#include "parcast/threads.h"

#include <sched.h>

static size_t most; /* 0: one for each processor */

void parcast_threads_limit(size_t n)
{
    most = n;
}

size_t parcast_threads(void)
{
    cpu_set_t set;
    size_t n = sched_getaffinity(0, sizeof set, &set) ? 1 : (size_t)CPU_COUNT(&set);
    return most && most < n ? most : n;
}
