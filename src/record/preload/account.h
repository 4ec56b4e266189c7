/** What a call means: before it is passed on, and after it has returned. */
#ifndef PARCAST_PRELOAD_ACCOUNT_H
#define PARCAST_PRELOAD_ACCOUNT_H

#include <stdlib.h>

#include "record.h"

enum { ACCOUNT_FEW = 32, ACCOUNT_STATUS = 64 };

/** What must be kept while the call is inside the library. */
struct before {
    word handle;    /* single request or handle that the call destroys */
    uint64_t n;     /* requests in keys */
    word *keys;     /* as they were before */
    char *statuses; /* where the statuses arrive; the caller's or own */
    word few_keys[ACCOUNT_FEW];
    char own_status[ACCOUNT_FEW * ACCOUNT_STATUS];
    void *allocated;
    uint16_t freed_comm; /* number in the trace of a communicator that the call frees */
};

/** Save what the call will overwrite, and put own statuses in place of ignored ones where they are needed. */
void account_before(struct call *c, struct before *b);

/** Count it. */
void account_after(const struct call *c, struct before *b);

/** Release what account_before allocated. */
static inline void account_release(struct before *b)
{
    if (__builtin_expect(b->allocated != NULL, 0)) free(b->allocated);
}

/** Does account_before have anything to do? */
static inline bool account_needs_before(const struct function *f)
{
    return f->kind >= KIND_IO_READ;
}

#endif
