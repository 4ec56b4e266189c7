/** Events of this rank as the spool keeps them: drafted from a call, numbered by what they say, written with
 * times. */
#ifndef PARCAST_PRELOAD_TRACE_H
#define PARCAST_PRELOAD_TRACE_H

#include "account.h"
#include "comms.h"
#include "parcast/trace.h"
#include "spool.h"

enum { TRACE_UNKNOWN_COMM = 0xffff };

/** Begin: the spool is there and the clock runs. */
void trace_start(void);
/** The event of MPI_Finalize or MPI_Abort. */
void trace_last(unsigned op, uint64_t gap);

/** Record a call that has been accounted for. */
void trace_call(const struct call *c, const struct before *b);

/** A communicator was described for the first time: which one is it? */
void trace_comm_known(struct comm *comm);
/** Its number, by its key. */
uint16_t trace_comm_number(word key);
/** The program frees it. */
void trace_comm_freed(word c_handle);

/* ---- between trace_calls.c and trace.c ---- */

/** An event in the making: member words are added in ascending order of their bits. */
struct draft {
    uint64_t *words; /* room for DRAFT_FIXED words and the vectors that were announced */
    unsigned n;
    bool matches;
    int32_t matched_peer, matched_tag;
};
enum { DRAFT_FIXED = 24 };

struct draft draft_begin(const struct call *c, unsigned op, unsigned start, unsigned mode);

static inline void draft_add(struct draft *d, enum spool_member member, int64_t value)
{
    if (value == 0) return;
    d->words[1] |= (uint64_t)1 << member;
    d->words[d->n++] = (uint64_t)value;
}

/** For numbers whose absence means none. */
static inline void draft_add_number(struct draft *d, enum spool_member member, int32_t number)
{
    if (number < 0) return;
    d->words[1] |= (uint64_t)1 << member;
    d->words[d->n++] = (uint64_t)number;
}

/** A vector of n numbers, which are written to the returned place. NULL: out of memory, or n is 0. */
uint64_t *draft_vector(struct draft *d, enum spool_member member, size_t n);
/** The vector is shorter than announced. */
static inline void draft_shorten(struct draft *d, enum spool_member member, uint64_t *numbers, size_t n)
{
    numbers[-1] = n;
    d->n = (unsigned)(numbers - d->words) + (unsigned)n;
    if (n > 0) return;
    d->n--;
    d->words[1] &= ~((uint64_t)1 << member);
}

struct trace_times {
    uint64_t gap, in_call, cpu;
};

/** Write the event. Returns the place of its match in the spool, 0 if it has none. */
uint64_t draft_write(struct draft *d, const struct trace_times *times);

#endif
