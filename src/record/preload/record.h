/** State of the recorder in one process: the mapped tables, the places of the ranks, the thread's own. */
#ifndef PARCAST_PRELOAD_RECORD_H
#define PARCAST_PRELOAD_RECORD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call.h"
#include "record/raw_format.h"

struct recorder {
    bool active;  /* calls are being recorded */
    bool counted; /* the library is known: arguments are interpreted */
    bool locked;  /* several threads may call at once */
    bool precise; /* more ranks than CPUs: computing is measured in CPU time */
    bool traced;  /* events are written to the spool */
    pthread_mutex_t lock;

    /* The mapped file, section by section. */
    struct raw_header *header;
    struct raw_call *calls;
    struct raw_size *sizes;
    struct raw_collective *collectives;
    struct raw_site *sites;
    struct raw_module *modules;
    uint64_t *windows;
    struct raw_phase *phases;
    struct raw_peer *peers;
    size_t bytes;
    int peers_capacity;

    const int32_t *node_of; /* [n_ranks] */
    const void *caller;     /* a place in the program that uses MPI, to find symbols from */
    double ticks_per_ns;
    uint64_t stamp_ticks; /* how often the header is brought up to date */
    /* What accounting for a call has found out, for its event. */
    struct {
        uint64_t sent, received; /* bytes of its halves */
        uint64_t size;           /* of the operation, as struct contribution; bytes of others */
        const struct raw_site *site;
    } noted;
    int pid;
    char path[4096]; /* of the file; empty: tables are in anonymous memory */
};

struct thread {
    unsigned depth; /* > 0: inside an MPI call or the recorder */
    bool known, is_main;
    uint64_t last;     /* ticks at the return of the last call */
    uint64_t last_cpu; /* CPU time then [ns], in precise mode */
};

extern struct recorder recorder __attribute__((visibility("hidden")));
extern _Thread_local struct thread thread_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* lifecycle.c: after MPI_Init; around MPI_Finalize and MPI_Abort. */
void record_start(const struct call *c);
void record_stop(void);
void record_finalized(const struct call *c);
void record_end(enum raw_end end);

/**
 * A call of f with n words: passes it on to the function of the same name behind, which *next remembers, and
 * records it.
 */
word parcast_watch(const struct function *f, void **next, enum binding binding, unsigned n, word *a,
                   const void *site);

/** The same for a preload library of ours in front of this one, which has a table of functions of its own. */
__attribute__((visibility("default"))) word parcast_record_watch(unsigned id, void **next,
                                                                 enum binding binding, unsigned n, word *a,
                                                                 const void *site);

#endif
