/*
 * Parts of this machine, ready at once. A node is as many cores as it has ranks (ranks_per_node, else the
 * cores of the platform's nodes, else one), so the machine makes cores / ranks nodes, and one at least.
 */
#include <sched.h>
#include <unistd.h>

#include "allocator/internal.h"

/* CPUs that this process may use. */
static int allowed_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set))
        return (int)sysconf(_SC_NPROCESSORS_ONLN); /* over 1024 CPUs */
    return CPU_COUNT(&set);
}

static parcast_status open_local(parcast_allocator *a, const char *argument, parcast_error *error)
{
    (void)a;
    if (!argument) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "'local' takes no argument, but '%s' was given",
                             argument);
}

static void close_local(parcast_allocator *a)
{
    (void)a;
}

static int slots_of(const parcast_allocator *a, int index)
{
    const parcast_platform *platform = a->options.platform;
    int type = allocator_type_of_index(platform, index);
    if (a->options.ranks_per_node) return a->options.ranks_per_node;
    return type >= 0 ? platform->types[type].cores : 1;
}

/* Nodes whose slots are cores of their own. */
static int nodes_of_machine(const parcast_allocator *a)
{
    int n = 0;
    for (int left = allowed_cores() - slots_of(a, 0); left >= 0; left -= slots_of(a, n)) n++;
    return n > 0 ? n : 1;
}

/* Whoever asks for more nodes than that gets them: ranks then share cores. */
static parcast_status spare(parcast_allocator *a, int *n_nodes, parcast_error *error)
{
    (void)error;
    int own = nodes_of_machine(a), most = a->options.max_nodes > own ? a->options.max_nodes : own;
    int held = allocator_count(a, PARCAST_NODE_READY);
    *n_nodes = most > held ? most - held : 0;
    return PARCAST_OK;
}

static parcast_status grow(parcast_allocator *a, int n, parcast_error *error)
{
    int there;
    parcast_status status = spare(a, &there, error);
    if (status) return status;
    int take = n < there ? n : there, held = allocator_count(a, PARCAST_NODE_READY);
    for (int i = 0; i < take; i++) {
        int slots = slots_of(a, held + i);
        struct node *node =
            allocator_add(a, "localhost", slots, allocator_type_of_index(a->options.platform, held + i));
        if (!node) return allocator_no_memory(error);
        allocator_ready(a, node, slots);
    }
    if (take > 0)
        allocator_tell(a, PARCAST_ALLOCATION_READY, take, "%d node%s of this machine, %d cores each", take,
                       take == 1 ? "" : "s", slots_of(a, held));
    if (take < n)
        allocator_tell(a, PARCAST_ALLOCATION_REFUSED, held + take, "this machine makes no more than %d nodes",
                       held + take);
    return PARCAST_OK;
}

static parcast_status look(parcast_allocator *a, parcast_error *error)
{
    (void)a;
    (void)error;
    return PARCAST_OK;
}

/* It is the machine that we run on. */
static void check(parcast_allocator *a, struct node *node)
{
    (void)a;
    (void)node;
}

const struct backend allocator_local = {"local", open_local,       close_local, spare,
                                        grow,    allocator_settle, look,        check};
