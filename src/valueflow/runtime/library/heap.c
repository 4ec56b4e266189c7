/*
 * The program's allocator, watched: glibc's own does the work under its internal names. Watching begins with
 * the first allocation, since the arrays of the region are mostly made before it.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/library/heap.h"
#include "valueflow/runtime/process/guard.h"
#include "valueflow/runtime/process/region.h"

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *p, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void *p);

enum { FRAMES = 5 };

const int vf_heap_is_watched = 1;

struct frame {
    const struct frame *below;
    const void *returns_to;
};

/* The innermost callers. Frames without a frame pointer (a library's) are stepped over by the chain. */
static uint64_t context_of(const void *start)
{
    uint64_t h = 1469598103934665603ull;
    const struct frame *frame = start;
    uintptr_t top = vf_stack_top();
    for (int i = 0; i < FRAMES && (uintptr_t)frame <= top - sizeof *frame && ((uintptr_t)frame & 7) == 0;
         i++) {
        uintptr_t pc = (uintptr_t)frame->returns_to - vf_load_address();
        h = (h ^ pc) * 1099511628211ull;
        if (frame->below <= frame) break;
        frame = frame->below;
    }
    return h;
}

static void *added(void *p, size_t bytes, const void *frame)
{
    if (p && vf_is_watching()) vf_block_add(VF_HEAP, (uintptr_t)p, bytes, context_of(frame), parcast_vf_site);
    return p;
}

void *vf_allocate(size_t bytes, const void *frame)
{
    return added(__libc_malloc(bytes ? bytes : 1), bytes, frame);
}

void *vf_allocate_aligned(size_t alignment, size_t bytes, const void *frame)
{
    return added(__libc_memalign(alignment, bytes ? bytes : 1), bytes, frame);
}

#define HERE __builtin_frame_address(0)

void *malloc(size_t bytes)
{
    return added(__libc_malloc(bytes), bytes, HERE);
}

/* Zeros are no input: nothing has to be sent for them. */
void *calloc(size_t n, size_t bytes)
{
    void *p = added(__libc_calloc(n, bytes), n * bytes, HERE);
    if (p && vf_tracing) parcast_vf_clear(p, n * bytes);
    return p;
}

void free(void *p)
{
    if (p && vf_is_watching()) vf_block_remove((uintptr_t)p);
    __libc_free(p);
}

void *memalign(size_t alignment, size_t bytes)
{
    return added(__libc_memalign(alignment, bytes), bytes, HERE);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return added(__libc_memalign(alignment, bytes), bytes, HERE);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
    if (alignment % sizeof(void *) || (alignment & (alignment - 1)) || !alignment) return EINVAL;
    void *p = added(__libc_memalign(alignment, bytes), bytes, HERE);
    if (!p) return ENOMEM;
    *out = p;
    return 0;
}

/* Always another block, so that the values can be moved while both are there. */
void *realloc(void *p, size_t bytes)
{
    if (!p) return added(__libc_malloc(bytes), bytes, HERE);
    if (!vf_is_watching()) return __libc_realloc(p, bytes);
    size_t old = vf_block_bytes((uintptr_t)p);
    if (!old && bytes) return __libc_realloc(p, bytes); /* from before the watching began */
    if (!bytes) {
        free(p);
        return NULL;
    }
    void *to = added(__libc_malloc(bytes), bytes, HERE);
    if (!to) return NULL;
    size_t kept = old < bytes ? old : bytes;
    memcpy(to, p, kept);
    parcast_vf_move(to, p, kept);
    free(p);
    return to;
}

void *reallocarray(void *p, size_t n, size_t bytes)
{
    size_t product;
    if (__builtin_mul_overflow(n, bytes, &product)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(p, product);
}

/* Files and memory that the program maps itself. */
void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
    long p = syscall(SYS_mmap, address, bytes, protection, flags, file, offset);
    if (p == -1) return MAP_FAILED;
    return added((void *)p, bytes, HERE); // NOLINT(performance-no-int-to-ptr)
}

void *mmap64(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
    long p = syscall(SYS_mmap, address, bytes, protection, flags, file, offset);
    if (p == -1) return MAP_FAILED;
    return added((void *)p, bytes, HERE); // NOLINT(performance-no-int-to-ptr)
}

int munmap(void *p, size_t bytes)
{
    if (vf_is_watching()) vf_block_remove((uintptr_t)p);
    return (int)syscall(SYS_munmap, p, bytes);
}
