/* Collectives, and the making of communicators. */
#include <string.h>

#include "trace/translate.h"

/* What making a communicator agrees on: its context, a bit mask of so many bytes in MPICH. */
enum { CONTEXT_BYTES = 256 };

static const struct {
    parcast_trace_op op;
    parcast_collective collective;
} collectives[] = {
    {PARCAST_TRACE_BARRIER, PARCAST_COLLECTIVE_BARRIER},
    {PARCAST_TRACE_BCAST, PARCAST_COLLECTIVE_BCAST},
    {PARCAST_TRACE_REDUCE, PARCAST_COLLECTIVE_REDUCE},
    {PARCAST_TRACE_ALLREDUCE, PARCAST_COLLECTIVE_ALLREDUCE},
    {PARCAST_TRACE_GATHER, PARCAST_COLLECTIVE_GATHER},
    {PARCAST_TRACE_GATHERV, PARCAST_COLLECTIVE_GATHERV},
    {PARCAST_TRACE_SCATTER, PARCAST_COLLECTIVE_SCATTER},
    {PARCAST_TRACE_SCATTERV, PARCAST_COLLECTIVE_SCATTERV},
    {PARCAST_TRACE_ALLGATHER, PARCAST_COLLECTIVE_ALLGATHER},
    {PARCAST_TRACE_ALLGATHERV, PARCAST_COLLECTIVE_ALLGATHERV},
    {PARCAST_TRACE_ALLTOALL, PARCAST_COLLECTIVE_ALLTOALL},
    {PARCAST_TRACE_ALLTOALLV, PARCAST_COLLECTIVE_ALLTOALLV},
    {PARCAST_TRACE_ALLTOALLW, PARCAST_COLLECTIVE_ALLTOALLW},
    {PARCAST_TRACE_REDUCE_SCATTER, PARCAST_COLLECTIVE_REDUCE_SCATTER},
    {PARCAST_TRACE_REDUCE_SCATTER_BLOCK, PARCAST_COLLECTIVE_REDUCE_SCATTER_BLOCK},
    {PARCAST_TRACE_SCAN, PARCAST_COLLECTIVE_SCAN},
    {PARCAST_TRACE_EXSCAN, PARCAST_COLLECTIVE_EXSCAN},
    {PARCAST_TRACE_COMM_CREATE, PARCAST_COLLECTIVE_ALLREDUCE},
};

/* The vectors that the collective goes by, in bytes; of rooted ones only the root has one. */
static parcast_status add_counts(struct translation *t, const parcast_trace_event *e, parcast_operation *o,
                                 parcast_error *error)
{
    const parcast_trace_comm *comm = parcast_trace_get_comm(t->trace, e->comm);
    bool pairs =
        o->collective == PARCAST_COLLECTIVE_ALLTOALLV || o->collective == PARCAST_COLLECTIVE_ALLTOALLW;
    bool sends = pairs || o->collective == PARCAST_COLLECTIVE_SCATTERV;
    bool all = pairs || e->op == PARCAST_TRACE_ALLGATHERV || e->op == PARCAST_TRACE_REDUCE_SCATTER;
    size_t n = sends ? e->n_send_counts : e->n_recv_counts, n_members = (size_t)comm->n_ranks;
    if ((all || n > 0) && n != n_members)
        return translate_fail(t, e, PARCAST_DATA, error, "%zu counts in a communicator of %zu ranks", n,
                              n_members);
    if (pairs && e->n_recv_counts != n)
        return translate_fail(t, e, PARCAST_DATA, error,
                              "it counts %zu that it sends to and %zu it receives from", n, e->n_recv_counts);
    if (n > 0) o->counts = sends ? e->send_counts : e->recv_counts;
    if (pairs) o->receive_counts = e->recv_counts;
    for (size_t i = 0; o->counts && i < n; i++)
        if (o->counts[i] < 0 || (o->receive_counts && o->receive_counts[i] < 0))
            return translate_fail(t, e, PARCAST_DATA, error, "a negative count");
    return PARCAST_OK;
}

static void add_element(const parcast_trace_event *e, parcast_operation *o)
{
    int64_t bytes = o->bytes;
    for (size_t i = 0; e->op == PARCAST_TRACE_REDUCE_SCATTER && i < e->n_recv_counts; i++)
        if (__builtin_add_overflow(bytes, e->recv_counts[i], &bytes)) return;
    if (e->count > 0 && bytes % e->count == 0) o->element_bytes = bytes / e->count;
}

static bool is_call(const struct translation *t, const parcast_trace_event *e, const char *name)
{
    const char *function = parcast_trace_function(t->trace, e->function);
    return function && strcmp(function, name) == 0;
}

/* Of two calls those take part that are in the new communicator; of all others those in the old one. */
static int32_t comm_of(const struct translation *t, const parcast_trace_event *e)
{
    bool in_new = e->op == PARCAST_TRACE_COMM_CREATE && e->new_comm != PARCAST_TRACE_NONE &&
                  (is_call(t, e, "MPI_Comm_create_group") || is_call(t, e, "MPI_Intercomm_merge"));
    return in_new ? e->new_comm : e->comm;
}

static parcast_status put_collective(struct translation *t, const parcast_trace_event *e, int32_t comm,
                                     parcast_collective collective, parcast_error *error)
{
    parcast_operation *o = NULL;
    bool blocks = e->start == PARCAST_TRACE_BLOCKING;
    parcast_status status = PARCAST_OK;
    if (!blocks) status = translate_begin_request(t, e, false, error);
    if (status || e->start == PARCAST_TRACE_PERSISTENT) return status;
    status = translate_on(t, e, comm, blocks ? PARCAST_OPERATION_COLLECTIVE : PARCAST_OPERATION_ICOLLECTIVE,
                          &o, error);
    if (status) return status;
    o->collective = collective;
    o->bytes = e->op == PARCAST_TRACE_COMM_CREATE ? CONTEXT_BYTES : e->bytes;
    o->root = e->root;
    o->flop = e->flop;
    if (!blocks) o->request = (uint32_t)e->request;
    status = add_counts(t, e, o, error);
    if (!status) add_element(e, o);
    return status;
}

parcast_status translate_collective(struct translation *t, const parcast_trace_event *e, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    size_t i = 0, n = sizeof collectives / sizeof collectives[0];
    while (i < n && collectives[i].op != e->op) i++;
    if (i == n) return translate_neighbours(t, e, error);
    if (e->op == PARCAST_TRACE_COMM_CREATE) status = translate_topology(t, e, error);
    if (status) return status;
    int32_t comm = comm_of(t, e);
    if (parcast_trace_get_comm(t->trace, comm)->inter)
        return translate_between(t, e, e->op == PARCAST_TRACE_COMM_CREATE ? CONTEXT_BYTES : e->bytes, error);
    return put_collective(t, e, comm, collectives[i].collective, error);
}
