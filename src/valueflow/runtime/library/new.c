/*
 * C++'s operator new, so that the place of an allocation is the one in the program: the library's own has no
 * frame to be seen from malloc, and hides the function that called it. Nothing is thrown here; where memory
 * has run out the library's operator is asked, which throws.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#include "valueflow/runtime/library/heap.h"

/* Names by the Itanium C++ ABI: new, new[], and both with an alignment. */
void *_Znwm(size_t bytes);
void *_Znam(size_t bytes);
void *_ZnwmSt11align_val_t(size_t bytes, size_t alignment);
void *_ZnamSt11align_val_t(size_t bytes, size_t alignment);

static void *ask_library(const char *name, size_t bytes, size_t alignment)
{
    void *(*real)(size_t, size_t);
    *(void **)&real = dlsym(RTLD_NEXT, name);
    return real ? real(bytes, alignment) : NULL;
}

#define HERE __builtin_frame_address(0)

void *_Znwm(size_t bytes)
{
    void *p = vf_allocate(bytes, HERE);
    return p ? p : ask_library("_Znwm", bytes, 0);
}

void *_Znam(size_t bytes)
{
    void *p = vf_allocate(bytes, HERE);
    return p ? p : ask_library("_Znam", bytes, 0);
}

void *_ZnwmSt11align_val_t(size_t bytes, size_t alignment)
{
    void *p = vf_allocate_aligned(alignment, bytes, HERE);
    return p ? p : ask_library("_ZnwmSt11align_val_t", bytes, alignment);
}

void *_ZnamSt11align_val_t(size_t bytes, size_t alignment)
{
    void *p = vf_allocate_aligned(alignment, bytes, HERE);
    return p ? p : ask_library("_ZnamSt11align_val_t", bytes, alignment);
}
