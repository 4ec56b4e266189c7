/*
 * A thread of the run time's own that asks the kernel for pages (MADV_POPULATE_WRITE) and touches no memory
 * but the list of what is asked for. Where a virtual machine's pages are backed when they are first touched,
 * that takes as long as the following itself.
 *
 * The program must not notice it: no allocation, none of its signals, no errno. So it is no thread of the C
 * library: it is cloned with the thread pointer of the one that follows, and calls the kernel itself. It ends
 * with the process. After a fork the child has none, and what it asks for stays in the list.
 *
 * A table may have moved when its turn comes: then there is nothing at its old place, or something that gets
 * pages too early.
 */
#include "valueflow/runtime/tables/ahead.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "valueflow/runtime/process/memory.h"
#include "valueflow/runtime/tables/map.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

enum {
    MANY = 32 << 20, /* bytes of tables before it pays */
    LEAST = 1 << 20,
    PIECE = 2 << 20, /* for so long the kernel may keep mappings as they are */
    STACK = 64 << 10,
    LISTED = 64, /* a power of two */
};

static struct range {
    uintptr_t first, end;
} ranges[LISTED];
static _Atomic uint32_t n_asked, n_done;
static _Atomic bool is_off;
static bool is_running;

unsigned vf_ahead_threads(void)
{
    return is_running && !atomic_load(&is_off);
}

#if defined __x86_64__
#define CAN_CALL 1
static long call(long number, long a, long b, long c, long d)
{
    long result;
    register long fourth __asm__("r10") = d;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined __aarch64__
#define CAN_CALL 1
static long call(long number, long a, long b, long c, long d)
{
    register long n __asm__("x8") = number;
    register long first __asm__("x0") = a, second __asm__("x1") = b, third __asm__("x2") = c,
                        fourth __asm__("x3") = d;
    __asm__ volatile("svc 0" : "+r"(first) : "r"(n), "r"(second), "r"(third), "r"(fourth) : "memory");
    return first;
}
#else
#define CAN_CALL 0
static long call(long number, long a, long b, long c, long d)
{
    (void)number, (void)a, (void)b, (void)c, (void)d;
    return -ENOSYS;
}
#endif

static void populate(struct range range)
{
    while (range.end > range.first) {
        uintptr_t end = (range.first + PIECE) & ~(uintptr_t)(PIECE - 1);
        if (end > range.end) end = range.end;
        long status = call(SYS_madvise, (long)range.first, (long)(end - range.first), MADV_POPULATE_WRITE, 0);
        if (status == -EINVAL) atomic_store(&is_off, true);
        if (status) return;
        range.first = end;
    }
}

static int serve(void *nothing)
{
    (void)nothing;
    while (!atomic_load(&is_off)) {
        uint32_t next = atomic_load(&n_done);
        if (next == atomic_load(&n_asked)) {
            call(SYS_futex, (long)&n_asked, FUTEX_WAIT_PRIVATE, next, 0);
            continue;
        }
        populate(ranges[next % LISTED]);
        atomic_store(&n_done, next + 1);
    }
    return 0;
}

static bool has_other_processor(void)
{
    cpu_set_t set;
    return !sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) > 1;
}

static bool begin(void)
{
    static const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    if (!CAN_CALL || !has_other_processor() || !vf_memory_is_ample()) return false;
    char *stack = vf_map_pages(NULL, STACK, 0);
    if (stack == MAP_FAILED) return false;
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    int thread = clone(serve, stack + STACK, flags, NULL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (thread < 0) vf_unmap_pages(stack, STACK);
    return thread >= 0;
}

void vf_ahead(void *p, size_t bytes, size_t mapped)
{
    static bool is_begun;
    if (mapped < MANY || bytes < LEAST || atomic_load(&is_off)) return;
    if (!is_begun) {
        is_begun = true;
        int before = errno;
        is_running = begin();
        if (!is_running) atomic_store(&is_off, true);
        errno = before;
    }
    uint32_t next = atomic_load(&n_asked);
    if (next - atomic_load(&n_done) >= LISTED) return;
    uintptr_t first = ((uintptr_t)p + 4095) & ~(uintptr_t)4095,
              end = ((uintptr_t)p + bytes) & ~(uintptr_t)4095;
    ranges[next % LISTED] = (struct range){first, end};
    atomic_store(&n_asked, next + 1);
    call(SYS_futex, (long)&n_asked, FUTEX_WAKE_PRIVATE, 1, 0);
}
