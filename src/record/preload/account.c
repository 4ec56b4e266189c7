#include "account.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "index.h"
#include "requests.h"
#include "tables.h"
#include "trace.h"

enum { CLASS_SEND, CLASS_RECEIVE, CLASS_COLLECTIVE, CLASS_RMA, CLASS_IO };
enum { REACH_UNKNOWN = 2 };

/* Own statuses instead of ignored ones. */
static inline void want_statuses(struct call *c, struct before *b)
{
    b->statuses = (char *)call_argument(c, c->f->status);
    if (!call_ignores_status(c)) return;
    b->statuses = b->own_status;
    if (b->n <= 1)
        memset(b->own_status, 0, 32);
    else if (b->n <= ACCOUNT_FEW)
        memset(b->own_status, 0, b->n * abi.status_bytes);
    else
        b->statuses = (char *)b->allocated + b->n * sizeof *b->keys;
    c->a[c->f->status - 1] = (word)b->statuses;
}

static void keep_requests(struct call *c, struct before *b)
{
    int n = call_int(c, c->f->n);
    if (n <= 0 || (!requests_open && !recorder.traced)) return;
    b->keys = b->few_keys;
    if (n > ACCOUNT_FEW) {
        /* The only allocation in the path of a call: a wait for more requests than fit the stack. */
        b->allocated = calloc((size_t)n, sizeof *b->keys + abi.status_bytes);
        if (!b->allocated) return;
        b->keys = b->allocated;
    }
    b->n = (uint64_t)n;
    for (uint64_t i = 0; i < b->n; i++) b->keys[i] = call_handle_at(c, c->f->request, i);
    if (requests_open) want_statuses(c, b);
}

void account_before(struct call *c, struct before *b)
{
    const struct function *f = c->f;
    b->n = 0;
    b->keys = b->few_keys;
    b->statuses = NULL;
    b->allocated = NULL;
    if (!recorder.counted) return;
    switch (f->kind) {
    case KIND_RECV:
    case KIND_SENDRECV:
    case KIND_IO_READ:
        if (f->message) b->handle = call_handle_at(c, f->message, 0);
        if (f->status) want_statuses(c, b);
        break;
    case KIND_IMRECV:
        b->handle = call_handle_at(c, f->message, 0);
        break;
    case KIND_PROBE:
        if (recorder.traced) want_statuses(c, b);
        break;
    case KIND_WAIT:
        if (!requests_open && !recorder.traced) break;
        b->handle = call_handle_at(c, f->request, 0);
        b->n = 1;
        if (requests_open) want_statuses(c, b);
        break;
    case KIND_WAITALL:
    case KIND_WAITANY:
    case KIND_WAITSOME:
        keep_requests(c, b);
        break;
    case KIND_REQUEST_FREE:
    case KIND_CANCEL:
        b->handle = call_handle_at(c, f->request, 0);
        break;
    case KIND_COMM_FREE:
        if (recorder.traced) b->freed_comm = trace_comm_number(call_handle_at(c, f->comm, 0));
        comms_forget(call_handle_at(c, f->comm, 0));
        break;
    case KIND_WIN_FREE:
        comms_forget(call_handle_at(c, f->win, 0) | COMM_WINDOW);
        break;
    case KIND_TYPE_FREE:
        bytes_forget_types();
        break;
    default:
        break;
    }
}

static uint64_t ticks_of(const struct call *c)
{
    return c->t1 - c->t0;
}

static inline void message_to(struct comm *comm, int peer, uint64_t bytes, uint64_t ticks)
{
    int world = comm ? comm_world_rank(comm, peer) : -1;
    table_message(CLASS_SEND, comm && comm->reach == 0 ? 0 : comm_reach(world), bytes, ticks);
    table_peer(world, bytes);
}

/* Count the message of a sending call; its bytes. */
static inline uint64_t send_part(const struct call *c, struct comm *comm)
{
    int peer = call_int(c, c->f->peer);
    if (peer == abi.proc_null) return 0;
    uint64_t bytes = recorder.noted.sent = bytes_of_buffer(c, c->f->count, c->f->type);
    message_to(comm, peer, bytes, ticks_of(c));
    return bytes;
}

/* Count the message that a status tells of; its bytes. */
static inline uint64_t receive_part(const struct call *c, const struct before *b, const struct comm *comm)
{
    int source = abi_status_source(b->statuses);
    if (source == abi.proc_null) return 0;
    uint64_t bytes = recorder.noted.received = abi_status_bytes(b->statuses);
    unsigned reach = comm ? comm_reach_of(comm, source) : REACH_UNKNOWN;
    table_message(CLASS_RECEIVE, reach, bytes, ticks_of(c));
    return bytes;
}

/* Matched receives do not know their communicator. */
static inline struct comm *comm_of(const struct call *c)
{
    return c->f->comm ? comms_find(call_handle(c, c->f->comm)) : NULL;
}

static void sendrecv(const struct call *c, const struct before *b)
{
    struct comm *comm = comm_of(c);
    uint64_t bytes = send_part(c, comm);
    receive_part(c, b, comm);
    table_call(c, bytes, bytes);
}

static struct request *follow(const struct call *c, enum request_kind kind)
{
    word key = call_handle_at(c, c->f->request, 0);
    struct request *r = requests_add(key, kind);
    if (!r) return NULL;
    r->function = (uint16_t)c->id;
    r->reach = REACH_UNKNOWN;
    r->comm = comm_of(c);
    if (r->comm) r->comm->users++;
    return r;
}

static void post_receive(struct request *r, uint64_t bytes, uint64_t ticks)
{
    r->bytes = bytes;
    r->ticks = ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
    table_message(CLASS_RECEIVE, r->reach, bytes, r->ticks);
}

/* The receiving half of a call that starts a receive; the bytes as posted. */
static uint64_t posted_part(const struct call *c, unsigned source, unsigned count, unsigned type,
                            struct request **out)
{
    int peer = source ? call_int(c, source) : abi.any_source;
    *out = NULL;
    if (peer == abi.proc_null) return 0;
    uint64_t bytes = recorder.noted.received = bytes_of_buffer(c, count, type);
    struct request *r = follow(c, REQUEST_RECEIVE);
    if (!r) {
        table_message(CLASS_RECEIVE, REACH_UNKNOWN, bytes, ticks_of(c));
        return bytes;
    }
    if (peer != abi.any_source && r->comm) r->reach = (uint8_t)comm_reach(comm_world_rank(r->comm, peer));
    post_receive(r, bytes, ticks_of(c));
    *out = r;
    return bytes;
}

static void irecv(const struct call *c)
{
    struct request *r;
    uint64_t bytes = posted_part(c, c->f->peer, c->f->count, c->f->type, &r);
    struct raw_site *site = table_call(c, bytes, bytes);
    if (!r) return;
    r->site = site;
    r->corrects_call = true;
}

static void isendrecv(const struct call *c)
{
    const struct function *f = c->f;
    struct request *r;
    uint64_t bytes = send_part(c, comm_of(c));
    posted_part(c, f->source, f->recv_count ? f->recv_count : f->count, f->recv_type ? f->recv_type : f->type,
                &r);
    table_call(c, bytes, bytes);
}

static void make_persistent(const struct call *c)
{
    const struct function *f = c->f;
    table_call(c, 0, 0);
    int peer = call_int(c, f->peer);
    if (peer == abi.proc_null) return;
    uint64_t partitions = f->partitions ? (uint64_t)call_int(c, f->partitions) : 1;
    uint64_t bytes = partitions * bytes_of_buffer(c, f->count, f->type);
    recorder.noted.sent = recorder.noted.received = bytes;
    struct request *r =
        follow(c, f->kind == KIND_SEND_INIT ? REQUEST_PERSISTENT_SEND : REQUEST_PERSISTENT_RECEIVE);
    if (!r) return;
    r->size = r->bytes = bytes;
    r->world_rank = -1;
    if (peer == abi.any_source || !r->comm) return;
    r->world_rank = comm_world_rank(r->comm, peer);
    r->reach = (uint8_t)comm_reach(r->world_rank);
}

static void collective_done(unsigned id, struct comm *comm, struct contribution given, uint64_t ticks)
{
    table_message(CLASS_COLLECTIVE, comm ? comm->reach : REACH_UNKNOWN, given.bytes, ticks);
    table_collective(id, comm ? comm->n_ranks : 0, comm ? comm->reach : REACH_UNKNOWN, given.size,
                     given.bytes, ticks);
}

static void make_persistent_collective(const struct call *c)
{
    table_call(c, 0, 0);
    struct request *r = follow(c, REQUEST_PERSISTENT_COLLECTIVE);
    recorder.noted.size = 0;
    if (!r || !r->comm) return;
    struct contribution given = bytes_of_collective(c, r->comm);
    recorder.noted.size = given.size;
    r->bytes = given.bytes;
    r->size = given.size;
}

/* One request of a start; bytes that it sends. */
static uint64_t start_one(word key, uint64_t ticks)
{
    struct request *r = requests_find(key);
    if (!r) return 0;
    r->active = true;
    switch (r->kind) {
    case REQUEST_PERSISTENT_SEND:
        table_message(CLASS_SEND, r->reach, r->bytes, ticks);
        table_peer(r->world_rank, r->bytes);
        return r->bytes;
    case REQUEST_PERSISTENT_RECEIVE:
        post_receive(r, r->size, ticks);
        return 0;
    case REQUEST_PERSISTENT_COLLECTIVE:
        collective_done(r->function, r->comm, (struct contribution){r->bytes, r->size}, ticks);
        return r->bytes;
    default:
        return 0;
    }
}

static void start(const struct call *c)
{
    int n = c->f->n ? call_int(c, c->f->n) : 1;
    uint64_t bytes = 0, ticks = n > 0 ? ticks_of(c) / (uint64_t)n : 0;
    for (int i = 0; i < n; i++) bytes += start_one(call_handle_at(c, c->f->request, (uint64_t)i), ticks);
    table_call(c, bytes, bytes);
}

static void complete(word key, const void *status)
{
    struct request *r = requests_find(key);
    if (!r || !status) return;
    if (r->kind == REQUEST_RECEIVE) {
        requests_received(r, status);
        requests_remove(r);
    } else if (r->active) {
        if (r->kind == REQUEST_PERSISTENT_RECEIVE) requests_received(r, status);
        r->active = false;
    }
}

static bool flag_says_no(const struct call *c)
{
    return c->f->flag && *(const int *)call_argument(c, c->f->flag) == 0;
}

static const char *status_at(const struct before *b, uint64_t i)
{
    return b->statuses ? b->statuses + i * abi.status_bytes : NULL;
}

static bool completed_index(const struct call *c, const struct before *b, int given, uint64_t *i)
{
    if (given == abi.undefined) return false;
    int index = given - index_base(c);
    if (index < 0 || (uint64_t)index >= b->n) return false;
    *i = (uint64_t)index;
    return true;
}

static void completions(const struct call *c, const struct before *b)
{
    const struct function *f = c->f;
    uint64_t i;
    if (b->n == 0 || flag_says_no(c)) return;
    switch (f->kind) {
    case KIND_WAIT:
        complete(b->handle, b->statuses);
        break;
    case KIND_WAITALL:
        for (i = 0; i < b->n; i++) complete(b->keys[i], status_at(b, i));
        break;
    case KIND_WAITANY:
        if (completed_index(c, b, *(const int *)call_argument(c, f->index), &i))
            complete(b->keys[i], b->statuses);
        break;
    default: {
        int n = *(const int *)call_argument(c, f->index);
        const int *indices = (const int *)call_argument(c, f->indices);
        for (int k = 0; n != abi.undefined && k < n; k++)
            if (completed_index(c, b, indices[k], &i)) complete(b->keys[i], status_at(b, (uint64_t)k));
    }
    }
}

/*
 * Does every rank wait for every other here? By the nature of the operation, or because a broadcast has
 * another root than the one before: its root had to receive that one first, and so on (LU and its kind). All
 * ranks see the same roots, so their windows stay aligned.
 */
static bool synchronises(const struct call *c, const struct comm *comm)
{
    static int last_root = -1;
    if (!comm || !comm->whole_world || !c->main_thread) return false;
    if (c->f->flags & SYNCHRONISES) return true;
    if (c->f->rule != RULE_BCAST || !(c->f->flags & WAITS)) return false;
    int root = call_int(c, c->f->root), before = last_root;
    last_root = root;
    return before >= 0 && root != before;
}

static void collective(const struct call *c)
{
    struct comm *comm = comms_find(call_handle(c, c->f->comm));
    struct contribution given = {0, 0};
    if (comm) given = bytes_of_collective(c, comm);
    recorder.noted.size = given.size;
    table_call(c, given.bytes, given.size);
    collective_done(c->id, comm, given, ticks_of(c));
    if (synchronises(c, comm)) table_synchronised();
}

static void one_sided(const struct call *c)
{
    uint64_t bytes = 0;
    int peer = call_int(c, c->f->peer);
    if (peer != abi.proc_null) {
        struct comm *win = comms_find(call_handle(c, c->f->win) | COMM_WINDOW);
        bytes = bytes_of_buffer(c, c->f->count, c->f->type);
        unsigned reach = win ? comm_reach(comm_world_rank(win, peer)) : REACH_UNKNOWN;
        table_message(CLASS_RMA, reach, bytes, ticks_of(c));
    }
    recorder.noted.size = bytes;
    table_call(c, bytes, bytes);
}

static void file(const struct call *c, const struct before *b)
{
    uint64_t bytes = 0;
    if (c->f->kind == KIND_IO_READ && c->f->status)
        bytes = abi_status_bytes(b->statuses);
    else if (c->f->kind != KIND_IO)
        bytes = bytes_of_buffer(c, c->f->count, c->f->type);
    recorder.noted.size = bytes;
    table_call(c, bytes, bytes);
    if (c->f->kind != KIND_IO) table_message(CLASS_IO, REACH_UNKNOWN, bytes, ticks_of(c));
}

static void end_request(const struct call *c, const struct before *b)
{
    struct request *r = requests_find(b->handle);
    if (r && c->f->kind == KIND_CANCEL)
        r->cancelled = true;
    else if (r)
        requests_remove(r);
    table_call(c, 0, 0);
}

/*
 * Rounds of messages: what is posted since the last completion that blocked belongs to one round; waiting
 * again ends no other.
 */
static inline void open_round(const struct call *c)
{
    if (c->main_thread) recorder.header->round_open = 1;
}

static inline void close_round(const struct call *c, uint64_t rounds)
{
    if (!c->main_thread || !(c->f->flags & ENDS_CYCLE)) return; /* a test ends none */
    recorder.header->n_rounds += rounds;
    recorder.header->round_open = 0;
}

static void interpret(const struct call *c, const struct before *b)
{
    uint64_t bytes;
    switch (c->f->kind) {
    case KIND_SEND:
        open_round(c);
        bytes = send_part(c, comm_of(c));
        table_call(c, bytes, bytes);
        break;
    case KIND_RECV:
        close_round(c, 1);
        bytes = receive_part(c, b, comm_of(c));
        table_call(c, bytes, bytes);
        break;
    case KIND_SENDRECV:
        close_round(c, 1);
        sendrecv(c, b);
        break;
    case KIND_IRECV:
    case KIND_IMRECV:
        open_round(c);
        irecv(c);
        break;
    case KIND_ISENDRECV:
        open_round(c);
        isendrecv(c);
        break;
    case KIND_SEND_INIT:
    case KIND_RECV_INIT:
        make_persistent(c);
        break;
    case KIND_START:
        open_round(c);
        start(c);
        break;
    case KIND_WAIT:
    case KIND_WAITALL:
    case KIND_WAITANY:
    case KIND_WAITSOME:
        close_round(c, recorder.header->round_open);
        completions(c, b);
        table_call(c, 0, 0);
        break;
    case KIND_REQUEST_FREE:
    case KIND_CANCEL:
        end_request(c, b);
        break;
    case KIND_COLLECTIVE:
        collective(c);
        break;
    case KIND_COLLECTIVE_INIT:
        make_persistent_collective(c);
        break;
    case KIND_RMA:
        one_sided(c);
        break;
    case KIND_IO:
    case KIND_IO_READ:
    case KIND_IO_WRITE:
        file(c, b);
        break;
    default:
        table_call(c, 0, 0);
    }
}

static inline void add_times(const struct call *c)
{
    struct raw_times *t = c->main_thread ? &recorder.header->main : &recorder.header->others;
    uint64_t ticks = ticks_of(c);
    t->mpi += ticks;
    if (c->f->kind >= KIND_IO && c->f->kind <= KIND_IO_READ) t->io += ticks;
    t->gap += c->gap;
}

void account_after(const struct call *c, struct before *b)
{
    add_times(c);
    if (c->f->kind == KIND_PCONTROL) table_phase(call_int(c, 1), c->t0);
    if (recorder.counted && !c->failed)
        interpret(c, b);
    else
        table_call(c, 0, 0);
    if ((c->f->flags & ENDS_CYCLE) && c->main_thread) table_cycle();
    recorder.header->last_ticks = c->t1;
}
