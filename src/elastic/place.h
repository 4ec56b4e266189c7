/**
 * Where every rank is, for a supervisor that hears nothing any more: each keeps a page of its own up to date,
 * in memory without a name in any file system, which goes with the process however it ends. Other processes
 * of the same user find it below /proc.
 */
#ifndef PARCAST_ELASTIC_PLACE_H
#define PARCAST_ELASTIC_PLACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct elastic_place {
    uint64_t magic, key;
    int64_t launch, process;
    _Atomic int64_t rank, iteration; /* of the last safe point; -1 before the first */
} elastic_place;

/** Of a run, by its token. */
uint64_t elastic_place_key(const char *token);
/** A page for this process; NULL: there is none, and nobody finds this rank. *fd keeps it alive. */
elastic_place *elastic_place_open(uint64_t key, int launch, int64_t rank, int *fd);
void elastic_place_close(elastic_place **place, int *fd);

/** What /proc says of a process that waits for no one. */
typedef struct elastic_found {
    int64_t launch, process, rank, iteration;
    char state; /* R runs, S sleeps, D waits for a device, T is stopped, t is traced, Z is dead */
} elastic_found;

/** Ranks of a run on this machine, at most `most` of them. Cost: a look at every process of this user. */
size_t elastic_place_find(uint64_t key, elastic_found *found, size_t most);

/** "place LAUNCH RANK PROCESS ITERATION STATE", as a server tells it. False: it is something else. */
bool elastic_place_read(const char *line, elastic_found *found);
/** Kill the ranks of a launch on this machine, as kill -9 does. */
void elastic_place_kill(uint64_t key, int64_t launch);

#endif
