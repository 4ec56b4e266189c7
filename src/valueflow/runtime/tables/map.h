/* The kernel's mapping, past the program's that is watched (heap.c). */
#ifndef PARCAST_VALUEFLOW_MAP_H
#define PARCAST_VALUEFLOW_MAP_H

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC visibility push(hidden)

/** Zeroed memory of which pages appear when they are touched; MAP_FAILED. */
static inline void *vf_map_pages(void *at, size_t bytes, int flags)
{
    long p = syscall(SYS_mmap, at, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    return p == -1 ? MAP_FAILED : (void *)p; // NOLINT(performance-no-int-to-ptr)
}

/** Zeroed memory that processes see which are forked later, too; NULL. */
static inline void *vf_map_shared(size_t bytes)
{
    long p = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return p == -1 ? NULL : (void *)p; // NOLINT(performance-no-int-to-ptr)
}

static inline void vf_unmap_pages(void *p, size_t bytes)
{
    syscall(SYS_munmap, p, bytes);
}
#pragma GCC visibility pop

#endif
