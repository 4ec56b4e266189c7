/* From calls to events: which kind of event a call is. */
#include "trace_parts.h"

#define SHAPE(name, op, start, mode)                                                                         \
    [ID_##name] = {PARCAST_TRACE_##op, PARCAST_TRACE_##start, PARCAST_TRACE_##mode}
#define SENDS(name, lower, mode)                                                                             \
    SHAPE(name, SEND, BLOCKING, mode), SHAPE(I##lower, SEND, NONBLOCKING, mode),                             \
        SHAPE(name##_init, SEND, PERSISTENT, mode)
#define COLLECTIVE(name, lower, op)                                                                          \
    SHAPE(name, op, BLOCKING, STANDARD), SHAPE(I##lower, op, NONBLOCKING, STANDARD),                         \
        SHAPE(name##_init, op, PERSISTENT, STANDARD)
#define PLAIN(name, op) SHAPE(name, op, BLOCKING, STANDARD)

/* Functions that are not here are other events. */
const struct shape trace_shapes[N_FUNCTIONS] = {
    SENDS(Send, send, STANDARD),
    SENDS(Ssend, ssend, SYNCHRONOUS),
    SENDS(Bsend, bsend, BUFFERED),
    SENDS(Rsend, rsend, READY),
    SHAPE(Psend_init, SEND, PERSISTENT, STANDARD),
    PLAIN(Recv, RECV),
    PLAIN(Mrecv, RECV),
    SHAPE(Irecv, RECV, NONBLOCKING, STANDARD),
    SHAPE(Imrecv, RECV, NONBLOCKING, STANDARD),
    SHAPE(Recv_init, RECV, PERSISTENT, STANDARD),
    SHAPE(Precv_init, RECV, PERSISTENT, STANDARD),
    PLAIN(Sendrecv, SENDRECV),
    PLAIN(Sendrecv_replace, SENDRECV),
    SHAPE(Isendrecv, SENDRECV, NONBLOCKING, STANDARD),
    SHAPE(Isendrecv_replace, SENDRECV, NONBLOCKING, STANDARD),
    PLAIN(Start, START),
    PLAIN(Startall, START),
    PLAIN(Probe, PROBE),
    PLAIN(Mprobe, PROBE),
    PLAIN(Iprobe, IPROBE),
    PLAIN(Improbe, IPROBE),
    PLAIN(Wait, WAIT),
    PLAIN(Waitall, WAITALL),
    PLAIN(Waitany, WAITANY),
    PLAIN(Waitsome, WAITSOME),
    PLAIN(Test, TEST),
    PLAIN(Testall, TESTALL),
    PLAIN(Testany, TESTANY),
    PLAIN(Testsome, TESTSOME),
    PLAIN(Request_free, REQUEST_FREE),
    PLAIN(Cancel, CANCEL),
    COLLECTIVE(Barrier, barrier, BARRIER),
    COLLECTIVE(Bcast, bcast, BCAST),
    COLLECTIVE(Reduce, reduce, REDUCE),
    COLLECTIVE(Allreduce, allreduce, ALLREDUCE),
    COLLECTIVE(Gather, gather, GATHER),
    COLLECTIVE(Gatherv, gatherv, GATHERV),
    COLLECTIVE(Scatter, scatter, SCATTER),
    COLLECTIVE(Scatterv, scatterv, SCATTERV),
    COLLECTIVE(Allgather, allgather, ALLGATHER),
    COLLECTIVE(Allgatherv, allgatherv, ALLGATHERV),
    COLLECTIVE(Alltoall, alltoall, ALLTOALL),
    COLLECTIVE(Alltoallv, alltoallv, ALLTOALLV),
    COLLECTIVE(Alltoallw, alltoallw, ALLTOALLW),
    COLLECTIVE(Reduce_scatter, reduce_scatter, REDUCE_SCATTER),
    COLLECTIVE(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK),
    COLLECTIVE(Scan, scan, SCAN),
    COLLECTIVE(Exscan, exscan, EXSCAN),
    COLLECTIVE(Neighbor_allgather, neighbor_allgather, NEIGHBOR_ALLGATHER),
    COLLECTIVE(Neighbor_allgatherv, neighbor_allgatherv, NEIGHBOR_ALLGATHERV),
    COLLECTIVE(Neighbor_alltoall, neighbor_alltoall, NEIGHBOR_ALLTOALL),
    COLLECTIVE(Neighbor_alltoallv, neighbor_alltoallv, NEIGHBOR_ALLTOALLV),
    COLLECTIVE(Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOR_ALLTOALLW),
    PLAIN(Pcontrol, PCONTROL),
    PLAIN(Comm_free, COMM_FREE),
    PLAIN(Comm_disconnect, COMM_FREE),
};

struct draft trace_begin(const struct call *c)
{
    struct shape s = trace_shapes[c->id];
    unsigned op = s.op;
    if (!op)
        op = c->f->kind == KIND_COMM_CREATE                        ? PARCAST_TRACE_COMM_CREATE
             : c->f->kind == KIND_RMA                              ? PARCAST_TRACE_RMA
             : c->f->kind >= KIND_IO && c->f->kind <= KIND_IO_READ ? PARCAST_TRACE_IO
                                                                   : PARCAST_TRACE_OTHER;
    return draft_begin(c, op, s.start, s.mode);
}

static void write_plain(const struct call *c)
{
    struct draft d = trace_begin(c);
    draft_write(&d, &(struct trace_times){.gap = c->gap_wall, .in_call = c->t1 - c->t0, .cpu = c->gap});
}

static void one_sided(const struct call *c)
{
    struct comm *win = comms_find(call_handle(c, c->f->win) | COMM_WINDOW);
    struct draft d = trace_begin(c);
    int peer = call_int(c, c->f->peer);
    int32_t world = win ? comm_world_rank(win, peer) : PARCAST_TRACE_ANY;
    draft_add(&d, MEMBER_PEER, peer == abi.proc_null ? PARCAST_TRACE_PROC_NULL : world);
    draft_add(&d, MEMBER_BYTES, (int64_t)recorder.noted.size);
    const struct trace_times t = times_of(c);
    draft_write(&d, &t);
}

static void one_number(const struct call *c, enum spool_member member, int64_t value)
{
    struct draft d = trace_begin(c);
    draft_add(&d, member, value);
    const struct trace_times t = times_of(c);
    draft_write(&d, &t);
}

/* A call that failed did nothing that could be replayed; it took its time. */
static void write_failed(const struct call *c)
{
    struct draft d = draft_begin(c, PARCAST_TRACE_OTHER, 0, 0);
    const struct trace_times t = times_of(c);
    draft_write(&d, &t);
}

void trace_call(const struct call *c, const struct before *b)
{
    if (c->failed) {
        write_failed(c);
        return;
    }
    switch (c->f->kind) {
    case KIND_SEND:
    case KIND_SEND_INIT:
        trace_send(c);
        break;
    case KIND_RECV:
    case KIND_IMRECV:
        if (c->f->message) {
            trace_receive_message(c, b);
            break;
        }
        trace_receive(c, b);
        break;
    case KIND_IRECV:
    case KIND_RECV_INIT:
        trace_receive(c, b);
        break;
    case KIND_SENDRECV:
    case KIND_ISENDRECV:
        trace_sendrecv(c, b);
        break;
    case KIND_START:
        trace_start_requests(c);
        break;
    case KIND_PROBE:
        trace_probe(c, b);
        break;
    case KIND_WAIT:
        trace_wait_one(c, b);
        break;
    case KIND_WAITALL:
    case KIND_WAITANY:
    case KIND_WAITSOME:
        trace_wait_many(c, b);
        break;
    case KIND_REQUEST_FREE:
    case KIND_CANCEL:
        trace_end_request(c, b);
        break;
    case KIND_COLLECTIVE:
    case KIND_COLLECTIVE_INIT:
        trace_collective(c);
        break;
    case KIND_COMM_CREATE:
        if (c->f->request)
            trace_create_later(c);
        else
            trace_create(c);
        break;
    case KIND_COMM_FREE:
        one_number(c, MEMBER_COMM, b->freed_comm);
        break;
    case KIND_PCONTROL:
        one_number(c, MEMBER_VALUE, call_int(c, 1));
        break;
    case KIND_RMA:
        one_sided(c);
        break;
    case KIND_IO_WRITE:
    case KIND_IO_READ:
        one_number(c, MEMBER_BYTES, (int64_t)recorder.noted.size);
        break;
    default:
        write_plain(c);
    }
}
