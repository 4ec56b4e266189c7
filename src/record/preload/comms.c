#include "comms.h"

#include <stdlib.h>

#include "trace.h"

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
    comm->out_degree = comm->in_degree = -1;
    comm->c_handle = call_c_handle(key & ~COMM_WINDOW, window ? abi.Win_f2c : abi.Comm_f2c);
    comm->c_handle = abi_handle(comm->c_handle) | (key & COMM_WINDOW);
    if (!(window ? describe_window(comm) : describe_communicator(comm))) {
        free(comm);
        return NULL;
    }
    comm->reach = reach_of(comm);
    if (recorder.traced && !window) trace_comm_known(comm);
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
    if (recorder.traced && !(key & COMM_WINDOW)) trace_comm_freed(abi_handle(handle));
    sweep(has_handle, abi_handle(handle) | (key & COMM_WINDOW));
}

void comms_release(struct comm *comm)
{
    if (comm && --comm->users == 0 && comm->forgotten) drop(comm);
}

static int topology(const struct comm *comm)
{
    int kind = 0;
    PMPI(Topo_test, comm->c_handle, (word)&kind);
    return kind;
}

static void ask_degrees(struct comm *comm)
{
    int kind = topology(comm), in = 0, out = 0, weighted = 0;
    if (kind == abi.topo_cart) {
        PMPI(Cartdim_get, comm->c_handle, (word)&out);
        in = out *= 2;
    } else if (kind == abi.topo_graph) {
        PMPI(Graph_neighbors_count, comm->c_handle, (word)comm->rank, (word)&out);
        in = out;
    } else if (kind == abi.topo_dist_graph) {
        PMPI(Dist_graph_neighbors_count, comm->c_handle, (word)&in, (word)&out, (word)&weighted);
    }
    comm->in_degree = in > 0 ? in : 0;
    comm->out_degree = out > 0 ? out : 0;
}

int comm_out_degree(struct comm *comm)
{
    if (comm->out_degree < 0) ask_degrees(comm);
    return comm->out_degree;
}

int comm_in_degree(struct comm *comm)
{
    if (comm->in_degree < 0) ask_degrees(comm);
    return comm->in_degree;
}

/* Of a grid: for each dimension the one before and the one behind, of whom each is source and destination. */
static void grid_neighbours(const struct comm *comm, int32_t *sources, int32_t *destinations)
{
    for (int i = 0; i < comm->out_degree / 2; i++) {
        int32_t *both = sources + (size_t)i * 2;
        PMPI(Cart_shift, comm->c_handle, (word)i, 1, (word)&both[0], (word)&both[1]);
    }
    for (int i = 0; i < comm->out_degree; i++) destinations[i] = sources[i];
}

int32_t *comm_neighbours(struct comm *comm)
{
    int in = comm_in_degree(comm), out = comm_out_degree(comm), kind = topology(comm);
    if (in + out == 0) return NULL;
    int32_t *ranks =
        calloc(2 * ((size_t)in + (size_t)out), sizeof *ranks); /* the second half is for weights */
    if (!ranks) return NULL;
    int32_t *destinations = ranks + in, *weights = destinations + out;
    if (kind == abi.topo_cart) {
        grid_neighbours(comm, ranks, destinations);
    } else if (kind == abi.topo_graph) {
        PMPI(Graph_neighbors, comm->c_handle, (word)comm->rank, (word)out, (word)destinations);
        for (int i = 0; i < out; i++) ranks[i] = destinations[i];
    } else {
        PMPI(Dist_graph_neighbors, comm->c_handle, (word)in, (word)ranks, (word)weights, (word)out,
             (word)destinations, (word)(weights + in));
    }
    return ranks;
}

int32_t *comm_local_ranks(const struct comm *comm)
{
    word group = 0;
    const int32_t *ranks = first_numbers(comm->n_ranks);
    int32_t *world = malloc(((size_t)comm->n_ranks + 1) * sizeof *world);
    if (!ranks || !world) {
        free(world);
        return NULL;
    }
    PMPI(Comm_group, comm->c_handle, (word)&group);
    PMPI(Group_translate_ranks, abi_handle(group), (word)comm->n_ranks, (word)ranks, world_group,
         (word)world);
    PMPI(Group_free, (word)&group);
    return world;
}
