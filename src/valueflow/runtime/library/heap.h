/* The program's allocator for those that stand in front of it (new.c). `frame` is the caller's. */
#ifndef PARCAST_VALUEFLOW_HEAP_H
#define PARCAST_VALUEFLOW_HEAP_H

#include <stddef.h>

#pragma GCC visibility push(hidden)

void *vf_allocate(size_t bytes, const void *frame);
void *vf_allocate_aligned(size_t alignment, size_t bytes, const void *frame);
#pragma GCC visibility pop

#endif
