/**
 * The checkpoint of a resize in memory is written behind the run: a thread of every rank of the old size
 * writes the arrays that nobody changes any more. Ranks that have left by then say so in memory that they
 * share with rank 0, which hands the manifest over when all are done.
 */
#ifndef PARCAST_ELASTIC_BEHIND_H
#define PARCAST_ELASTIC_BEHIND_H

#include "elastic/mpi/internal.h"

/** Where the records of the ranks are: descriptor `fd` of process `process`; process 0: nowhere. */
typedef struct elastic_behind_place {
    int64_t process, fd;
} elastic_behind_place;

/** All ranks of the old size, before anything changes: who they are, and on rank 0 the values of now. */
parcast_status elastic_behind_prepare(parcast_elastic *e, int64_t iteration, elastic_behind_place *place,
                                      parcast_error *error);
/** Each of them: find the records. Rank 0 has them already. */
parcast_status elastic_behind_find(parcast_elastic *e, const elastic_behind_place *place,
                                   parcast_error *error);
/** Each of them: begin to write these arrays; they belong to the thread from now on. [e->n_items] */
void elastic_behind_begin(parcast_elastic *e, int64_t epoch, elastic_item *items);
/** It does not come to that. */
void elastic_behind_cancel(parcast_elastic *e);

/** At a look: rank 0 hands the manifest over when all have written; others let go what is done with. */
void elastic_behind_look(parcast_elastic *e);
/** What the supervisor said of it. */
void elastic_behind_hear(parcast_elastic *e, bool committed);
/** Wait until it is over: before another checkpoint and at the end. */
void elastic_behind_finish(parcast_elastic *e);

#endif
