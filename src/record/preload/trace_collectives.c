/* Collectives, and the communicators that they make. */
#include <stdlib.h>

#include "trace_parts.h"

/* A vector of counts as bytes; types: position of one type, or of one per count. */
static void add_counts(const struct call *c, struct draft *d, enum spool_member member, unsigned counts,
                       unsigned type, bool typed, int n)
{
    uint64_t *numbers = draft_vector(d, member, n > 0 ? (size_t)n : 0);
    if (!numbers) return;
    uint64_t size = typed ? 0 : bytes_of_type(call_handle(c, type));
    for (int i = 0; i < n; i++) {
        int64_t count = call_count_at(c, counts, i);
        if (typed) size = bytes_of_type(call_handle_at(c, type, (uint64_t)i));
        numbers[i] = count > 0 ? (uint64_t)count * size : 0;
    }
}

static void add_vectors(const struct call *c, struct draft *d, struct comm *comm)
{
    const struct function *f = c->f;
    bool in_place = call_in_place(c, f->buffer),
         typed = f->rule == RULE_ALLTOALLW || f->rule == RULE_NEIGHBOR_ALLTOALLW;
    bool root =
        f->root && (comm->inter ? call_int(c, f->root) == abi.root : call_int(c, f->root) == comm->rank);
    switch (f->rule) {
    case RULE_GATHERV:
        if (root) add_counts(c, d, MEMBER_RECV_COUNTS, f->recv_count, f->recv_type, false, comm->n_peers);
        break;
    case RULE_SCATTERV:
        if (root) add_counts(c, d, MEMBER_SEND_COUNTS, f->count, f->type, false, comm->n_peers);
        break;
    case RULE_ALLGATHERV:
        add_counts(c, d, MEMBER_RECV_COUNTS, f->recv_count, f->recv_type, false, comm->n_peers);
        break;
    case RULE_REDUCE_SCATTER:
        add_counts(c, d, MEMBER_RECV_COUNTS, f->recv_count, f->type, false, comm->n_ranks);
        break;
    case RULE_ALLTOALLV:
    case RULE_ALLTOALLW:
        add_counts(c, d, MEMBER_SEND_COUNTS, in_place ? f->recv_count : f->count,
                   in_place ? f->recv_type : f->type, typed, comm->n_peers);
        add_counts(c, d, MEMBER_RECV_COUNTS, f->recv_count, f->recv_type, typed, comm->n_peers);
        break;
    case RULE_NEIGHBOR_ALLTOALLV:
    case RULE_NEIGHBOR_ALLTOALLW:
        add_counts(c, d, MEMBER_SEND_COUNTS, f->count, f->type, typed, comm_out_degree(comm));
        add_counts(c, d, MEMBER_RECV_COUNTS, f->recv_count, f->recv_type, typed, comm_in_degree(comm));
        break;
    case RULE_SEND_COUNT:
        if (trace_shapes[c->id].op == PARCAST_TRACE_NEIGHBOR_ALLGATHERV)
            add_counts(c, d, MEMBER_RECV_COUNTS, f->recv_count, f->recv_type, false, comm_in_degree(comm));
        break;
    default:
        break;
    }
}

/* Bytes of one block. */
static int64_t block_bytes(const struct call *c, struct comm *comm)
{
    int64_t size = (int64_t)recorder.noted.size;
    switch (c->f->rule) {
    case RULE_ALLTOALL:
        return comm->n_peers ? size / comm->n_peers : 0;
    case RULE_REDUCE_SCATTER_BLOCK:
        return comm->n_ranks ? size / comm->n_ranks : 0;
    case RULE_NEIGHBOR_ALLTOALL:
        return (int64_t)bytes_of_buffer(c, c->f->count, c->f->type);
    case RULE_ALLTOALLV:
    case RULE_ALLTOALLW:
    case RULE_REDUCE_SCATTER:
    case RULE_NEIGHBOR_ALLTOALLV:
    case RULE_NEIGHBOR_ALLTOALLW:
        return 0;
    default:
        return size;
    }
}

/* Elements of a reduction. */
static int64_t element_count(const struct call *c, const struct comm *comm)
{
    int64_t sum = 0;
    if (c->f->rule == RULE_REDUCE) return call_count(c, c->f->count);
    if (c->f->rule == RULE_REDUCE_SCATTER_BLOCK) return call_count(c, c->f->recv_count);
    if (c->f->rule != RULE_REDUCE_SCATTER) return 0;
    for (int i = 0; i < comm->n_ranks; i++) sum += call_count_at(c, c->f->recv_count, i);
    return sum;
}

void trace_collective(const struct call *c)
{
    struct comm *comm = comms_find(call_handle(c, c->f->comm));
    struct draft d = trace_begin(c);
    int32_t request = add_request(c);
    mark_persistent(c, request);
    draft_add(&d, MEMBER_COMM, comm ? comm->traced : TRACE_UNKNOWN_COMM);
    if (comm) draft_add(&d, MEMBER_BYTES, block_bytes(c, comm));
    if (c->f->root) draft_add(&d, MEMBER_ROOT, rank_number(call_int(c, c->f->root)));
    draft_add_number(&d, MEMBER_REQUEST, request);
    if (comm) draft_add(&d, MEMBER_COUNT, element_count(c, comm));
    if (comm) add_vectors(c, &d, comm);
    const struct trace_times t = times_of(c);
    draft_write(&d, &t);
}

/* -------- communicators -------- */

static void add_ranks(struct draft *d, enum spool_member member, const int32_t *ranks, int n)
{
    uint64_t *numbers = draft_vector(d, member, n > 0 ? (size_t)n : 0);
    for (int i = 0; numbers && i < n; i++) numbers[i] = (uint64_t)(int64_t)rank_number(ranks[i]);
}

static void add_neighbours(struct draft *d, struct comm *comm)
{
    int32_t *ranks = comm_neighbours(comm);
    if (!ranks) return;
    int in = comm_in_degree(comm);
    add_ranks(d, MEMBER_SOURCES, ranks, in);
    add_ranks(d, MEMBER_DESTINATIONS, ranks + in, comm_out_degree(comm));
    free(ranks);
}

/* Not blocking: the new communicator may be there only at the end. */
void trace_create_later(const struct call *c)
{
    struct draft d = trace_begin(c);
    int32_t request = add_request(c);
    d.words[0] |= PARCAST_TRACE_NONBLOCKING << 8;
    draft_add(&d, MEMBER_COMM, comm_number(c));
    draft_add_number(&d, MEMBER_REQUEST, request);
    if (request != TRACED_NONE) {
        traced_at(request)->made_comm = (const void *)call_argument(c, c->f->new_comm);
        traced_at(request)->made_in_fortran = c->binding & FORTRAN;
    }
    const struct trace_times t = times_of(c);
    draft_write(&d, &t);
}

void trace_create(const struct call *c)
{
    word key = call_handle_at(c, c->f->new_comm, 0);
    bool none = call_c_handle(key, abi.Comm_f2c) == abi.comm_null;
    struct comm *made = none ? NULL : comms_find(key);
    struct draft d = trace_begin(c);
    draft_add(&d, MEMBER_COMM, comm_number(c));
    if (made) draft_add_number(&d, MEMBER_NEW_COMM, made->traced);
    if (made) add_neighbours(&d, made);
    const struct trace_times t = times_of(c);
    draft_write(&d, &t);
}
