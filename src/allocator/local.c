/* The cores of this machine: a node is one core, ready at once. */
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

/* Whoever asks for more nodes than there are cores gets them: ranks then share cores. */
static parcast_status spare(parcast_allocator *a, int *n_nodes, parcast_error *error)
{
    (void)error;
    int cores = allowed_cores(), most = a->options.max_nodes > cores ? a->options.max_nodes : cores;
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
        int slots = a->options.ranks_per_node ? a->options.ranks_per_node : 1;
        struct node *node =
            allocator_add(a, "localhost", slots, allocator_type_of_index(a->options.platform, held + i));
        if (!node) return allocator_no_memory(error);
        allocator_ready(a, node, slots);
    }
    if (take > 0)
        allocator_tell(a, PARCAST_ALLOCATION_READY, take, "%d core%s of this machine", take,
                       take == 1 ? "" : "s");
    if (take < n)
        allocator_tell(a, PARCAST_ALLOCATION_REFUSED, held + take, "this machine has no more than %d cores",
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
