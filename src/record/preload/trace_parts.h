/** What the files that turn calls into events share. */
#ifndef PARCAST_PRELOAD_TRACE_PARTS_H
#define PARCAST_PRELOAD_TRACE_PARTS_H

#include "bytes.h"
#include "trace.h"
#include "trace_requests.h"

/** Operation, start and mode of a function; op 0: it is told from the kind. */
struct shape {
    uint8_t op, start, mode;
};
extern const struct shape trace_shapes[N_FUNCTIONS] __attribute__((visibility("hidden")));

/** The draft of a call, with nothing in it but what the function says. */
struct draft trace_begin(const struct call *c);

static inline int32_t rank_number(int rank)
{
    if (rank >= 0) return rank;
    if (rank == abi.any_source) return PARCAST_TRACE_ANY;
    return rank == abi.root ? PARCAST_TRACE_ROOT : PARCAST_TRACE_PROC_NULL;
}

/* MPI_ANY_TAG is -1 in both families. */
static inline int32_t tag_number(int tag)
{
    return tag < 0 ? PARCAST_TRACE_ANY : tag;
}

static inline struct trace_times times_of(const struct call *c)
{
    return (struct trace_times){.gap = c->gap_wall, .in_call = c->t1 - c->t0, .cpu = c->gap};
}

static inline uint16_t comm_number(const struct call *c)
{
    const struct comm *comm = c->f->comm ? comms_find(call_handle(c, c->f->comm)) : NULL;
    return comm ? comm->traced : TRACE_UNKNOWN_COMM;
}

static inline void match_from(struct draft *d, const void *status)
{
    d->matches = true;
    d->matched_peer = d->matched_tag = PARCAST_TRACE_ANY;
    if (!status) return;
    d->matched_peer = rank_number(abi_status_source(status));
    d->matched_tag = abi_status_tag(status);
}

static inline int32_t add_request(const struct call *c)
{
    if (!c->f->request) return TRACED_NONE;
    return traced_add(call_handle_at(c, c->f->request, 0));
}

static inline void mark_persistent(const struct call *c, int32_t request)
{
    if (request != TRACED_NONE)
        traced_at(request)->persistent = trace_shapes[c->id].start == PARCAST_TRACE_PERSISTENT;
}

void trace_send(const struct call *c);
void trace_receive(const struct call *c, const struct before *b);
void trace_sendrecv(const struct call *c, const struct before *b);
void trace_start_requests(const struct call *c);
void trace_probe(const struct call *c, const struct before *b);
/** A receive of a message that a probe took out. */
void trace_receive_message(const struct call *c, const struct before *b);

void trace_wait_one(const struct call *c, const struct before *b);
void trace_wait_many(const struct call *c, const struct before *b);
void trace_end_request(const struct call *c, const struct before *b);

void trace_collective(const struct call *c);
void trace_create(const struct call *c);
/** Not blocking: the new communicator may be there only at the end. */
void trace_create_later(const struct call *c);

#endif
