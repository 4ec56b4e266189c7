#include "bytes.h"

struct cached_type bytes_types[1 << CACHED_TYPES_LOG2];
uint64_t bytes_generation = 1;

uint64_t bytes_ask_type(word key, struct cached_type *cached)
{
    int64_t size = 0;
    PMPI(Type_size_x, call_c_handle(key, abi.Type_f2c), (word)&size);
    *cached = (struct cached_type){key, size > 0 ? (uint64_t)size : 0, bytes_generation};
    return cached->bytes;
}

void bytes_forget_types(void)
{
    bytes_generation++;
}

static uint64_t send_side(const struct call *c)
{
    return bytes_of_buffer(c, c->f->count, c->f->type);
}

static uint64_t receive_side(const struct call *c)
{
    return bytes_of_buffer(c, c->f->recv_count, c->f->recv_type);
}

static uint64_t sum_of_counts(const struct call *c, unsigned counts, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) {
        int64_t count = call_count_at(c, counts, i);
        if (count > 0) sum += (uint64_t)count;
    }
    return sum;
}

static uint64_t sum_of_vector(const struct call *c, unsigned counts, unsigned type, int n)
{
    return sum_of_counts(c, counts, n) * bytes_of_type(call_handle(c, type));
}

static uint64_t sum_of_typed_vector(const struct call *c, unsigned counts, unsigned vector_of_types, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) {
        int64_t count = call_count_at(c, counts, i);
        if (count > 0)
            sum += (uint64_t)count * bytes_of_type(call_handle_at(c, vector_of_types, (uint64_t)i));
    }
    return sum;
}

static uint64_t element(const struct call *c, unsigned counts, unsigned type, int i)
{
    int64_t count = call_count_at(c, counts, i);
    return count > 0 ? (uint64_t)count * bytes_of_type(call_handle(c, type)) : 0;
}

/* Where the root of an intercommunicator sits: at the root itself MPI_ROOT, elsewhere in its group
 * MPI_PROC_NULL. */
static bool is_root(const struct call *c, const struct comm *comm)
{
    int root = call_int(c, c->f->root);
    return comm->inter ? root == abi.root : root == comm->rank;
}

static bool takes_no_part(const struct call *c, const struct comm *comm)
{
    return comm->inter && c->f->root && call_int(c, c->f->root) == abi.proc_null;
}

static struct contribution gathered(const struct call *c, const struct comm *comm)
{
    const struct function *f = c->f;
    bool root = is_root(c, comm);
    if (!root || !(comm->inter || call_in_place(c, f->buffer))) {
        uint64_t bytes = send_side(c);
        return (struct contribution){bytes, bytes};
    }
    uint64_t part = 0;
    if (f->rule == RULE_GATHER)
        part = receive_side(c);
    else if (!comm->inter)
        part = element(c, f->recv_count, f->recv_type, comm->rank);
    return (struct contribution){0, part};
}

static struct contribution scattered(const struct call *c, const struct comm *comm)
{
    const struct function *f = c->f;
    if (!is_root(c, comm)) return (struct contribution){0, receive_side(c)};
    int n = comm->n_peers;
    if (f->rule == RULE_SCATTER) {
        uint64_t part = send_side(c);
        return (struct contribution){(uint64_t)n * part, part};
    }
    uint64_t sum = sum_of_vector(c, f->count, f->type, n);
    return (struct contribution){sum, comm->inter ? 0 : element(c, f->count, f->type, comm->rank)};
}

static uint64_t exchanged(const struct call *c, struct comm *comm)
{
    const struct function *f = c->f;
    bool in_place = call_in_place(c, f->buffer);
    unsigned counts = in_place ? f->recv_count : f->count, type = in_place ? f->recv_type : f->type;
    switch (f->rule) {
    case RULE_ALLGATHER:
        return bytes_of_buffer(c, counts, type);
    case RULE_ALLGATHERV:
        return in_place ? element(c, counts, type, comm->rank) : send_side(c);
    case RULE_ALLTOALL:
        return (uint64_t)comm->n_peers * bytes_of_buffer(c, counts, type);
    case RULE_ALLTOALLV:
        return sum_of_vector(c, counts, type, comm->n_peers);
    case RULE_ALLTOALLW:
        return sum_of_typed_vector(c, counts, type, comm->n_peers);
    case RULE_REDUCE_SCATTER:
        return sum_of_vector(c, f->recv_count, f->type, comm->n_ranks);
    case RULE_REDUCE_SCATTER_BLOCK:
        return (uint64_t)comm->n_ranks * bytes_of_buffer(c, f->recv_count, f->type);
    case RULE_NEIGHBOR_ALLTOALL:
        return (uint64_t)comm_out_degree(comm) * send_side(c);
    case RULE_NEIGHBOR_ALLTOALLV:
        return sum_of_vector(c, f->count, f->type, comm_out_degree(comm));
    case RULE_NEIGHBOR_ALLTOALLW:
        return sum_of_typed_vector(c, f->count, f->type, comm_out_degree(comm));
    default:
        return 0;
    }
}

struct contribution bytes_of_collective(const struct call *c, struct comm *comm)
{
    uint64_t bytes;
    if (takes_no_part(c, comm)) return (struct contribution){0, 0};
    switch (c->f->rule) {
    case RULE_NONE:
        return (struct contribution){0, 0};
    case RULE_BCAST:
        bytes = send_side(c);
        return (struct contribution){is_root(c, comm) ? bytes : 0, bytes};
    case RULE_SEND_COUNT:
    case RULE_REDUCE:
        bytes = send_side(c);
        return (struct contribution){bytes, bytes};
    case RULE_GATHER:
    case RULE_GATHERV:
        return gathered(c, comm);
    case RULE_SCATTER:
    case RULE_SCATTERV:
        return scattered(c, comm);
    default:
        bytes = exchanged(c, comm);
        return (struct contribution){bytes, bytes};
    }
}
