/*
 * Collectives between the two groups of an intercommunicator. What both groups agree on goes from each group
 * to its first rank, between the two first ranks, and back; what each rank has for each goes there directly.
 */
#include "trace/translate.h"

/* Messages and collectives of these have communicators of their own behind those of the trace: number +
 * n_comms between the groups, number + 2 n_comms inside one. */
static uint32_t behind(const struct translation *t, int32_t comm, uint32_t n)
{
    return (uint32_t)comm + n * (uint32_t)parcast_trace_about(t->trace)->n_comms;
}

static parcast_status put_between(struct translation *t, const parcast_trace_event *e,
                                  parcast_operation_kind kind, int32_t peer, int64_t bytes, uint32_t request,
                                  parcast_error *error)
{
    parcast_operation *o = NULL;
    parcast_status status = translate_on(t, e, e->comm, kind, &o, error);
    if (status) return status;
    o->communicator = behind(t, e->comm, 1);
    o->peer = peer;
    o->source = peer;
    o->bytes = bytes;
    o->source_bytes = -1;
    o->request = request;
    return PARCAST_OK;
}

static parcast_status put_inside(struct translation *t, const parcast_trace_event *e,
                                 parcast_collective collective, int64_t bytes, parcast_error *error)
{
    const struct translated_comm comm = translate_comm(t, e->comm);
    parcast_operation *o = NULL;
    parcast_status status = translate_on(t, e, e->comm, PARCAST_OPERATION_COLLECTIVE, &o, error);
    if (status) return status;
    o->communicator = behind(t, e->comm, 2);
    o->members = comm.local;
    o->n_members = (uint32_t)comm.n_local;
    o->collective = collective;
    o->bytes = bytes;
    return PARCAST_OK;
}

/* To the first ranks, between them, and from them to all by `back`. */
static parcast_status put_agreement(struct translation *t, const parcast_trace_event *e, int64_t bytes,
                                    parcast_collective back, int64_t back_bytes, parcast_error *error)
{
    parcast_status status = put_inside(t, e, PARCAST_COLLECTIVE_REDUCE, bytes, error);
    if (!status && translate_comm(t, e->comm).self == 0)
        status = put_between(t, e, PARCAST_OPERATION_SENDRECEIVE, 0, bytes, 0, error);
    return status ? status : put_inside(t, e, back, back_bytes, error);
}

/* From one rank to the other group, or from that group to it. */
static parcast_status put_rooted(struct translation *t, const parcast_trace_event *e, bool gathers,
                                 parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    parcast_operation_kind here = gathers ? PARCAST_OPERATION_RECEIVE : PARCAST_OPERATION_SEND;
    parcast_operation_kind there = gathers ? PARCAST_OPERATION_SEND : PARCAST_OPERATION_RECEIVE;
    if (e->root == PARCAST_TRACE_PROC_NULL) return PARCAST_OK;
    if (e->root == PARCAST_TRACE_ROOT) return put_between(t, e, here, 0, gathers ? -1 : e->bytes, 0, error);
    if (gathers) status = put_inside(t, e, PARCAST_COLLECTIVE_REDUCE, e->bytes, error);
    if (!status && translate_comm(t, e->comm).self == 0)
        status = put_between(t, e, there, e->root, e->bytes, 0, error);
    return status || gathers ? status : put_inside(t, e, PARCAST_COLLECTIVE_BCAST, e->bytes, error);
}

static int64_t sent_to(const parcast_trace_event *e, size_t peer)
{
    return e->n_send_counts ? e->send_counts[peer] : e->bytes;
}

/* Each rank of the other group gets what this one has for it. */
static parcast_status put_to_all(struct translation *t, const parcast_trace_event *e, bool sends,
                                 bool receives, parcast_error *error)
{
    size_t n = (size_t)translate_comm(t, e->comm).n_peers;
    uint32_t request = translate_spare_request(t);
    parcast_status status = PARCAST_OK;
    if (e->n_send_counts && e->n_send_counts != n)
        return translate_fail(t, e, PARCAST_DATA, error, "%zu counts for a group of %zu ranks",
                              e->n_send_counts, n);
    for (size_t i = 0; i < n && receives && !status; i++)
        status = put_between(t, e, PARCAST_OPERATION_IRECEIVE, (int32_t)i, -1, request, error);
    for (size_t i = 0; i < n && sends && !status; i++)
        status = put_between(t, e, PARCAST_OPERATION_ISEND, (int32_t)i, sent_to(e, i), request, error);
    if (status) return status;
    parcast_operation *o = translate_put(t, PARCAST_OPERATION_WAIT);
    if (!o) return translate_no_memory(t, error);
    o->request = request;
    return PARCAST_OK;
}

/* Between a root and all of the other group. */
static parcast_status put_parts(struct translation *t, const parcast_trace_event *e, bool gathers,
                                parcast_error *error)
{
    if (e->root == PARCAST_TRACE_PROC_NULL) return PARCAST_OK;
    if (e->root == PARCAST_TRACE_ROOT) return put_to_all(t, e, !gathers, gathers, error);
    return put_between(t, e, gathers ? PARCAST_OPERATION_SEND : PARCAST_OPERATION_RECEIVE, e->root,
                       gathers ? e->bytes : -1, 0, error);
}

static parcast_status put_reduced_parts(struct translation *t, const parcast_trace_event *e,
                                        parcast_error *error)
{
    int64_t n = translate_comm(t, e->comm).n_local, part = e->bytes;
    const int64_t most = INT64_C(1) << 53;
    if (e->n_recv_counts) {
        part = 0;
        for (size_t i = 0; i < e->n_recv_counts; i++)
            if (e->recv_counts[i] >= 0 && e->recv_counts[i] <= most) part += e->recv_counts[i] / n;
    }
    if (part < 0 || part > most / n)
        return translate_fail(t, e, PARCAST_DATA, error, "a size that cannot be");
    return put_agreement(t, e, n * part, PARCAST_COLLECTIVE_SCATTER, part, error);
}

parcast_status translate_between(struct translation *t, const parcast_trace_event *e, int64_t bytes,
                                 parcast_error *error)
{
    if (e->start != PARCAST_TRACE_BLOCKING)
        return translate_fail(
            t, e, PARCAST_UNSUPPORTED, error,
            "a collective over an intercommunicator that does not block cannot be replayed");
    switch (e->op) {
    case PARCAST_TRACE_BARRIER:
    case PARCAST_TRACE_ALLREDUCE:
    case PARCAST_TRACE_COMM_CREATE:
        return put_agreement(t, e, bytes, PARCAST_COLLECTIVE_BCAST, bytes, error);
    case PARCAST_TRACE_BCAST:
    case PARCAST_TRACE_REDUCE:
        return put_rooted(t, e, e->op == PARCAST_TRACE_REDUCE, error);
    case PARCAST_TRACE_GATHER:
    case PARCAST_TRACE_GATHERV:
    case PARCAST_TRACE_SCATTER:
    case PARCAST_TRACE_SCATTERV:
        return put_parts(t, e, e->op == PARCAST_TRACE_GATHER || e->op == PARCAST_TRACE_GATHERV, error);
    case PARCAST_TRACE_REDUCE_SCATTER:
    case PARCAST_TRACE_REDUCE_SCATTER_BLOCK:
        return put_reduced_parts(t, e, error);
    case PARCAST_TRACE_ALLGATHER:
    case PARCAST_TRACE_ALLGATHERV:
    case PARCAST_TRACE_ALLTOALL:
    case PARCAST_TRACE_ALLTOALLV:
    case PARCAST_TRACE_ALLTOALLW:
        return put_to_all(t, e, true, true, error);
    default:
        return translate_fail(t, e, PARCAST_DATA, error,
                              "there is no such collective over an intercommunicator");
    }
}
