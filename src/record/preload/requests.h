/**
 * Open requests that need following: receives, because what arrives is known at the end only, and persistent
 * requests, because each start is a message. Send requests are not here, so the handles that MPI libraries
 * share among sends that are complete at once do not collide.
 */
#ifndef PARCAST_PRELOAD_REQUESTS_H
#define PARCAST_PRELOAD_REQUESTS_H

#include "comms.h"

enum request_kind {
    REQUEST_RECEIVE = 1,
    REQUEST_PERSISTENT_SEND,
    REQUEST_PERSISTENT_RECEIVE,
    REQUEST_PERSISTENT_COLLECTIVE
};

struct request {
    word key;
    uint8_t kind; /* 0: free */
    uint8_t reach;
    bool active; /* persistent: started */
    bool cancelled;
    uint16_t function; /* whose bytes to correct at the end */
    bool corrects_call;
    int32_t world_rank; /* persistent sends: of the destination; -1 other world */
    uint64_t bytes;     /* as counted so far */
    uint64_t size;      /* persistent collectives: of the operation */
    uint32_t ticks;     /* as counted for a receive */
    struct raw_site *site;
    struct comm *comm;
};

/** Nothing is being followed: completion needs no look. */
extern unsigned requests_open __attribute__((visibility("hidden")));

/** A new entry for key; what was known of this key before is over. NULL when there is no room: counted as
 * lost. */
struct request *requests_add(word key, enum request_kind kind);
struct request *requests_find(word key);
void requests_remove(struct request *request);

/** A receive that was counted as posted is complete with this status. */
void requests_received(struct request *request, const void *status);

#endif
