/*
 * Which communicator is it? All its ranks must say the same without talking to each other: the ordered ranks
 * of the world in its groups, and the lowest number that no living communicator with these groups has. Making
 * and freeing are collective, so the ranks of a communicator count alike.
 */
#include <stdlib.h>
#include <string.h>

#include "trace.h"

enum { MOST_ALIVE = 4096, MOST_KNOWN = 16384, KNOWN_SLOTS = 2 * MOST_KNOWN };

struct alive {
    word c_handle;
    uint32_t known; /* index in `known` */
};

static struct alive *alive; /* [MOST_ALIVE] */
static unsigned n_alive;
static struct spool_comm *known; /* [MOST_KNOWN]; the index is the number in this rank's events */
static unsigned n_known;
static uint16_t *known_slots; /* [KNOWN_SLOTS] index + 1 */

static uint64_t hash_ranks(const int32_t *ranks, int n)
{
    uint64_t hash = (uint64_t)n * 0x9e3779b97f4a7c15U;
    for (int i = 0; i < n; i++) {
        hash = (hash ^ (uint32_t)(ranks ? ranks[i] : i)) * 0xbf58476d1ce4e5b9U;
        hash ^= hash >> 31;
    }
    return hash;
}

static uint64_t hash_local_group(const struct comm *comm)
{
    int32_t *ranks = comm_local_ranks(comm);
    uint64_t hash = hash_ranks(ranks, comm->n_ranks);
    free(ranks);
    return hash;
}

static struct spool_comm identify(const struct comm *comm)
{
    struct spool_comm id = {.n_ranks = (uint32_t)comm->n_ranks, .rank = (uint32_t)comm->rank};
    if (!comm->inter) {
        id.local_hash = hash_ranks(comm->world_ranks, comm->n_peers);
        return id;
    }
    id.local_hash = hash_local_group(comm);
    id.remote_hash = hash_ranks(comm->world_ranks, comm->n_peers);
    id.n_remote = (uint32_t)comm->n_peers;
    id.other_world = comm->n_peers > 0 && comm_world_rank(comm, 0) < 0;
    return id;
}

static bool same_groups(const struct spool_comm *a, const struct spool_comm *b)
{
    return a->local_hash == b->local_hash && a->remote_hash == b->remote_hash && a->n_ranks == b->n_ranks &&
           a->n_remote == b->n_remote;
}

static uint32_t lowest_alike(const struct spool_comm *id)
{
    uint32_t alike = 0;
    for (unsigned i = 0; i < n_alive; i++) {
        const struct spool_comm *other = &known[alive[i].known];
        if (!same_groups(other, id) || other->alike != alike) continue;
        alike++;
        i = (unsigned)-1; /* they are not sorted: look again from the first */
    }
    return alike;
}

/* The number of one that has been here before, or a new one; -1: no room. */
static int32_t number_of(const struct spool_comm *id)
{
    size_t i = (id->local_hash ^ id->remote_hash * 3 ^ id->alike * 0x9e3779b97f4a7c15U) % KNOWN_SLOTS;
    for (; known_slots[i]; i = (i + 1) % KNOWN_SLOTS) {
        const struct spool_comm *other = &known[known_slots[i] - 1];
        if (same_groups(other, id) && other->alike == id->alike) return known_slots[i] - 1;
    }
    if (n_known == MOST_KNOWN) return -1;
    known[n_known] = *id;
    known_slots[i] = (uint16_t)(n_known + 1);
    uint64_t words[sizeof *id / 8];
    memcpy(words, id, sizeof words);
    spool_put(SPOOL_COMM, n_known, words, sizeof words / sizeof words[0]);
    return (int32_t)n_known++;
}

static bool make_room(void)
{
    if (known) return true;
    alive = calloc(MOST_ALIVE, sizeof *alive);
    known = calloc(MOST_KNOWN, sizeof *known);
    known_slots = calloc(KNOWN_SLOTS, sizeof *known_slots);
    return alive && known && known_slots;
}

void trace_comm_known(struct comm *comm)
{
    comm->traced = TRACE_UNKNOWN_COMM;
    if (!make_room()) return;
    for (unsigned i = 0; i < n_alive; i++)
        if (alive[i].c_handle == comm->c_handle) {
            comm->traced = (uint16_t)alive[i].known;
            return;
        }
    struct spool_comm id = identify(comm);
    id.alike = lowest_alike(&id);
    int32_t number = n_alive < MOST_ALIVE ? number_of(&id) : -1;
    if (number < 0) {
        spool.header->flags |= SPOOL_COMMS;
        return;
    }
    alive[n_alive++] = (struct alive){comm->c_handle, (uint32_t)number};
    comm->traced = (uint16_t)number;
}

uint16_t trace_comm_number(word key)
{
    const struct comm *comm = comms_find(key);
    return comm ? comm->traced : TRACE_UNKNOWN_COMM;
}

void trace_comm_freed(word c_handle)
{
    for (unsigned i = 0; i < n_alive; i++)
        if (alive[i].c_handle == c_handle) {
            alive[i] = alive[--n_alive];
            return;
        }
}
