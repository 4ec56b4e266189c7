/** One watched call: which function in which binding, its arguments as words, and how to read them. */
#ifndef PARCAST_PRELOAD_CALL_H
#define PARCAST_PRELOAD_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "abi.h"

/* What a function does, as far as accounting goes. */
enum kind {
    KIND_PLAIN, /* counted and timed */
    KIND_INIT,
    KIND_INIT_THREAD,
    KIND_FINALIZE,
    KIND_ABORT,
    KIND_PCONTROL,
    KIND_SEND,
    KIND_IRECV,
    KIND_ISENDRECV,
    KIND_SEND_INIT,
    KIND_RECV_INIT,
    KIND_START, /* one request, or n */
    KIND_COLLECTIVE,
    KIND_COLLECTIVE_INIT,
    KIND_COMM_CREATE,
    KIND_RMA,
    KIND_IO,
    KIND_IO_WRITE,
    KIND_IO_READ, /* from here on something must be kept before the call */
    KIND_RECV,
    KIND_IMRECV,
    KIND_SENDRECV,
    KIND_PROBE,
    KIND_WAIT, /* Wait and Test: one request, perhaps a flag */
    KIND_WAITALL,
    KIND_WAITANY,
    KIND_WAITSOME,
    KIND_REQUEST_FREE,
    KIND_CANCEL,
    KIND_COMM_FREE,
    KIND_TYPE_FREE,
    KIND_WIN_FREE,
};

/* How many bytes a rank contributes to a collective, n = size of the communicator. */
enum rule {
    RULE_NONE,
    RULE_SEND_COUNT, /* count x type */
    RULE_BCAST,      /* count x type at the root */
    RULE_REDUCE,     /* count x type, also in place */
    RULE_ALLGATHER,  /* count x type; in place: its own part of the receive buffer */
    RULE_ALLGATHERV,
    RULE_GATHER, /* count x type; root in place: nothing */
    RULE_GATHERV,
    RULE_SCATTER, /* root: n x count x type */
    RULE_SCATTERV,
    RULE_ALLTOALL, /* n x count x type; in place: the receive side's */
    RULE_ALLTOALLV,
    RULE_ALLTOALLW,
    RULE_REDUCE_SCATTER, /* sum of receive counts x type */
    RULE_REDUCE_SCATTER_BLOCK,
    RULE_NEIGHBOR_ALLTOALL, /* out-degree x count x type */
    RULE_NEIGHBOR_ALLTOALLV,
    RULE_NEIGHBOR_ALLTOALLW,
};

enum { WAITS = 1, ENDS_CYCLE = 2, SYNCHRONISES = 4, COUNT_64 = 8 };

/* A binding is made of properties; those that differ in the name only have a number of their own. */
enum {
    FORTRAN = 1,     /* arguments by reference, handles are 4-byte integers */
    LARGE = 2,       /* counts are 64 bits */
    DESCRIPTORS = 4, /* buffers are CFI descriptors */
    MPIX = 8,
    MODULE_F08 = 16,
};
enum binding {
    BINDING_C = 0,
    BINDING_C_LARGE = LARGE,
    BINDING_C_MPIX = MPIX,
    BINDING_F = FORTRAN,
    BINDING_F_MPIX = FORTRAN | MPIX,
    BINDING_F08 = FORTRAN | MODULE_F08,
    BINDING_F08TS = FORTRAN | MODULE_F08 | DESCRIPTORS,
    BINDING_F08_LARGE = FORTRAN | MODULE_F08 | LARGE,
    BINDING_F08TS_LARGE = FORTRAN | MODULE_F08 | DESCRIPTORS | LARGE,
};

/* Positions of arguments from 1; 0: there is none. See functions.def. */
struct function {
    const char *name; /* without MPI_ */
    uint16_t id;
    uint8_t words_c, words_f, kind, rule, flags;
    uint8_t buffer, count, type, peer, recv_buffer, recv_count, recv_type, source;
    uint8_t comm, win, root, n, request, status, flag, index, indices, partitions, message, new_comm;
};

enum function_id {
#define CALL(name, lower, upper, words_c, words_f, kind, ...) ID_##name,
#define CALL_LARGE                                            CALL
#define CALL_PERSISTENT                                       CALL
#include "functions.def"
#undef CALL
#undef CALL_LARGE
#undef CALL_PERSISTENT
    ID_Pcontrol,
    N_FUNCTIONS,
};

extern const struct function functions[N_FUNCTIONS] __attribute__((visibility("hidden")));

struct call {
    const struct function *f;
    word *a;
    const void *site; /* return address in the caller */
    void *next;       /* the function behind */
    unsigned id;
    enum binding binding;
    bool main_thread;
    bool failed;       /* the library returned an error: results mean nothing */
    uint64_t t0, t1;   /* ticks at entry and return */
    uint64_t gap;      /* ticks since the last call of this thread; CPU time where that is measured */
    uint64_t gap_wall; /* the same, always by the clock */
};

static inline word call_argument(const struct call *c, unsigned position)
{
    return c->a[position - 1];
}

/** An int that has no 64-bit form: a rank, a root, a length of an array of requests. */
static inline int call_int(const struct call *c, unsigned position)
{
    word w = call_argument(c, position);
    return (c->binding & FORTRAN) ? *(const int *)w : (int)w;
}

/** A count: 64 bits in the large forms. */
static inline int64_t call_count(const struct call *c, unsigned position)
{
    word w = call_argument(c, position);
    bool wide = (c->binding & LARGE) || (c->f->flags & COUNT_64);
    if ((c->binding & FORTRAN)) return wide ? *(const int64_t *)w : *(const int32_t *)w;
    return wide ? (int64_t)w : (int64_t)(int)w;
}

/** Element i of an array of counts. */
static inline int64_t call_count_at(const struct call *c, unsigned position, int64_t i)
{
    word w = call_argument(c, position);
    return (c->binding & LARGE) ? ((const int64_t *)w)[i] : ((const int32_t *)w)[i];
}

enum { CALL_FORTRAN_KEY_BIT = 63 };

/**
 * Key of a handle argument: unique among the handles of its kind. A Fortran handle of a library whose C
 * handles are pointers has a number space of its own, marked by the highest bit.
 */
static inline word call_key(const struct call *c, word handle)
{
    if (!(c->binding & FORTRAN)) return abi_handle(handle);
    return abi.kind == ABI_MPICH ? (word)(uint32_t)handle
                                 : (word)(uint32_t)handle | (word)1 << CALL_FORTRAN_KEY_BIT;
}

/** Key of a handle that is passed as such (a communicator, a type). */
static inline word call_handle(const struct call *c, unsigned position)
{
    word w = call_argument(c, position);
    return call_key(c, (c->binding & FORTRAN) ? *(const uint32_t *)w : w);
}

/** Key of element i of an array of handles, or (i = 0) of a handle that is passed by address. */
static inline word call_handle_at(const struct call *c, unsigned position, uint64_t i)
{
    const void *array = (const void *)call_argument(c, position);
    return call_key(c, (c->binding & FORTRAN) ? ((const uint32_t *)array)[i] : abi_handle_at(array, i));
}

/** The C handle that a key stands for; f2c is the library's conversion. */
static inline word call_c_handle(word key, void *f2c)
{
    if (!(key >> CALL_FORTRAN_KEY_BIT)) return key;
    return abi_call(f2c, 1, (const word[]){(word)(uint32_t)key});
}

/** Is the buffer MPI_IN_PLACE? */
bool call_in_place(const struct call *c, unsigned position);

bool call_ignores_fortran_status(const struct call *c);

/** Does the caller ignore the status (statuses)? In C one constant stands for both. */
static inline bool call_ignores_status(const struct call *c)
{
    if (c->binding & FORTRAN) return call_ignores_fortran_status(c);
    return call_argument(c, c->f->status) == abi.status_ignore;
}

#endif
