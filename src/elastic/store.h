/**
 * The directory of a run: which checkpoints are committed, and a lock against a second supervisor.
 *
 *     lock           held by the supervisor
 *     checkpoint.E   manifest of epoch E; it exists as soon as the checkpoint is committed
 *     journal        what happened, a line each
 */
#ifndef PARCAST_ELASTIC_STORE_H
#define PARCAST_ELASTIC_STORE_H

#include "elastic/manifest.h"

typedef struct elastic_store {
    char *directory;
    char *pieces; /* directory of this node's pieces */
    char *local;  /* directory of the run in the memory of this node; the same unless pieces are common */
    bool pieces_are_common;
    int lock;
    int64_t *epochs; /* [n] committed, ascending */
    size_t n;
    int64_t next_epoch; /* above all that were ever used */
} elastic_store;

/**
 * @param[in] checkpoints directory for pieces that all nodes see; NULL: the memory of the nodes
 * @return PARCAST_INVALID when another supervisor holds the lock; PARCAST_IO
 */
parcast_status elastic_store_open(const char *directory, const char *checkpoints, elastic_store *store,
                                  parcast_error *error);
/** Forget everything that is committed. */
void elastic_store_forget(elastic_store *store);
/** Write, flush and rename a manifest. PARCAST_IO; PARCAST_FORMAT when it is none. */
parcast_status elastic_store_commit(elastic_store *store, int64_t epoch, const char *text, size_t bytes,
                                    parcast_error *error);
/**
 * Text of the newest manifest that is whole and older than `before`; free() it. PARCAST_NOT_FOUND. Those that
 * are damaged are passed over and named in *damaged (may be NULL; empty if none).
 */
parcast_status elastic_store_newest(elastic_store *store, int64_t before, char **text, size_t *bytes,
                                    int64_t *epoch, char damaged[256], parcast_error *error);
/** Keep the newest `keep` checkpoints; returns the oldest epoch that is kept. */
int64_t elastic_store_trim(elastic_store *store, size_t keep);
/** A line in the journal. */
void elastic_store_note(const elastic_store *store, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** `remove`: the run is over, nothing of it is needed any more. */
void elastic_store_close(elastic_store *store, bool remove);

/**
 * Remove what runs that nobody will resume have left when they were killed: directories beside this one whose
 * names begin alike up to the last dot, ours, not locked, and older than a minute.
 */
void elastic_store_sweep_siblings(const char *directory);

/** Remove piece files of epochs below `epoch` from a directory; nothing else. */
void elastic_store_sweep(const char *directory, int64_t epoch);

#endif
