#include "comms.h"

#include <stdlib.h>

enum { SLOTS = 2048, LIMIT = SLOTS / 2 };

static struct comm *slots[SLOTS];
static unsigned n_known;
static word world_group;
static int32_t *numbers; /* 0, 1, 2, ...: ranks to translate */
static int n_numbers;
struct comm *comms_last;

static size_t slot_of(word key)
{
    return (size_t)(key * 0x9e3779b97f4a7c15U >> 53);
}

void comms_start(void)
{
    PMPI(Comm_group, abi.comm_world, (word)&world_group);
    world_group = abi_handle(world_group);
}

static const int32_t *first_numbers(int n)
{
    if (n > n_numbers) {
        int32_t *more = realloc(numbers, (size_t)n * sizeof *more);
        if (!more) return NULL;
        numbers = more;
        for (; n_numbers < n; n_numbers++) numbers[n_numbers] = n_numbers;
    }
    return numbers;
}

/* The ranks of a group as ranks of the world. */
static bool translate(struct comm *comm, word group)
{
    int n = comm->n_peers;
    const int32_t *ranks = first_numbers(n);
    int32_t *world = malloc((size_t)(n ? n : 1) * sizeof *world);
    if (!ranks || !world) {
        free(world);
        return false;
    }
    PMPI(Group_translate_ranks, group, (word)n, (word)ranks, world_group, (word)world);
    bool identity = true;
    for (int i = 0; i < n; i++) {
        if (world[i] < 0 || world[i] >= recorder.header->n_ranks) world[i] = -1;
        identity = identity && world[i] == i;
    }
    comm->world_ranks = world;
    if (identity) {
        free(world);
        comm->world_ranks = NULL;
    }
    return true;
}

static uint8_t reach_of(const struct comm *comm)
{
    int node = recorder.header->node;
    uint8_t reach = 0;
    for (int i = 0; i < comm->n_peers; i++) {
        int world = comm_world_rank(comm, i);
        if (world < 0) return 2;
        if (recorder.node_of[world] != node) reach = 1;
    }
    return reach;
}

static bool describe_communicator(struct comm *comm)
{
    int inter = 0;
    word group = 0;
    PMPI(Comm_size, comm->c_handle, (word)&comm->n_ranks);
    PMPI(Comm_rank, comm->c_handle, (word)&comm->rank);
    PMPI(Comm_test_inter, comm->c_handle, (word)&inter);
    comm->inter = inter;
    comm->n_peers = comm->n_ranks;
    if (inter) {
        PMPI(Comm_remote_size, comm->c_handle, (word)&comm->n_peers);
        PMPI(Comm_remote_group, comm->c_handle, (word)&group);
    } else {
        PMPI(Comm_group, comm->c_handle, (word)&group);
    }
    bool translated = translate(comm, abi_handle(group));
    PMPI(Group_free, (word)&group);
    comm->whole_world = !inter && comm->n_ranks == recorder.header->n_ranks;
    return translated;
}

static bool describe_window(struct comm *comm)
{
    word group = 0;
    PMPI(Win_get_group, comm->c_handle & ~COMM_WINDOW, (word)&group);
    PMPI(Group_size, abi_handle(group), (word)&comm->n_peers);
    comm->n_ranks = comm->n_peers;
    bool translated = translate(comm, abi_handle(group));
    PMPI(Group_free, (word)&group);
    return translated;
}

static struct comm *describe(word key)
{
    struct comm *comm = calloc(1, sizeof *comm);
    if (!comm) return NULL;
    bool window = key & COMM_WINDOW;
    comm->key = key;
    comm->out_degree = -1;
    comm->c_handle = call_c_handle(key & ~COMM_WINDOW, window ? abi.Win_f2c : abi.Comm_f2c);
    comm->c_handle = abi_handle(comm->c_handle) | (key & COMM_WINDOW);
    if (!(window ? describe_window(comm) : describe_communicator(comm))) {
        free(comm);
        return NULL;
    }
    comm->reach = reach_of(comm);
    return comm;
}

static void drop(struct comm *comm)
{
    comm->forgotten = true;
    if (comm->users) return;
    free(comm->world_ranks);
    free(comm);
}

static void put_in_slot(struct comm *comm)
{
    size_t i = slot_of(comm->key);
    while (slots[i]) i = (i + 1) % SLOTS;
    slots[i] = comm;
    n_known++;
}

/* Forget those that `leave` says, put the others back: no marks of removed entries are needed. */
static void sweep(bool (*leaves)(const struct comm *, word), word handle)
{
    static struct comm *kept[LIMIT + 1];
    unsigned n_kept = 0;
    for (size_t i = 0; i < SLOTS; i++) {
        if (!slots[i]) continue;
        if (leaves(slots[i], handle))
            drop(slots[i]);
        else
            kept[n_kept++] = slots[i];
        slots[i] = NULL;
    }
    n_known = 0;
    for (unsigned i = 0; i < n_kept; i++) put_in_slot(kept[i]);
    comms_last = NULL;
}

static bool has_handle(const struct comm *comm, word handle)
{
    return comm->c_handle == handle;
}

static bool is_any(const struct comm *comm, word handle)
{
    (void)comm;
    (void)handle;
    return true;
}

struct comm *comms_search(word key)
{
    for (size_t i = slot_of(key); slots[i]; i = (i + 1) % SLOTS)
        if (slots[i]->key == key) return comms_last = slots[i];
    struct comm *comm = describe(key);
    if (!comm) return NULL;
    if (n_known == LIMIT) sweep(is_any, 0);
    put_in_slot(comm);
    return comms_last = comm;
}

void comms_forget(word key)
{
    word handle = call_c_handle(key & ~COMM_WINDOW, key & COMM_WINDOW ? abi.Win_f2c : abi.Comm_f2c);
    sweep(has_handle, abi_handle(handle) | (key & COMM_WINDOW));
}

void comms_release(struct comm *comm)
{
    if (comm && --comm->users == 0 && comm->forgotten) drop(comm);
}

int comm_out_degree(struct comm *comm)
{
    if (comm->out_degree >= 0) return comm->out_degree;
    int kind = 0, in = 0, out = 0, weighted = 0;
    PMPI(Topo_test, comm->c_handle, (word)&kind);
    if (kind == abi.topo_cart) {
        PMPI(Cartdim_get, comm->c_handle, (word)&out);
        out *= 2;
    } else if (kind == abi.topo_graph) {
        PMPI(Graph_neighbors_count, comm->c_handle, (word)comm->rank, (word)&out);
    } else if (kind == abi.topo_dist_graph) {
        PMPI(Dist_graph_neighbors_count, comm->c_handle, (word)&in, (word)&out, (word)&weighted);
    }
    return comm->out_degree = out > 0 ? out : 0;
}
