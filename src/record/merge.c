#include "record/merge.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 65536, MOST_SITES = 1 << 22, MOST_COMMS = 1 << 22, FIRST_SLOTS = 1024 };

static parcast_status no_memory(parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a trace");
}

static parcast_status damaged(const char *what, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_FORMAT, NULL, 0, "the events of a rank are damaged: %s", what);
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
    return hash ^ hash >> 32;
}

/* -------- index -------- */

typedef uint64_t hash_of(const struct merge *merge, size_t number);

static uint32_t *free_slot(struct merge_index *index, uint64_t hash)
{
    size_t i = hash & (index->n_slots - 1);
    while (index->slots[i]) i = (i + 1) & (index->n_slots - 1);
    return &index->slots[i];
}

/* Room for one more than n. */
static bool index_grow(struct merge *merge, struct merge_index *index, size_t n, hash_of *hash)
{
    if (2 * (n + 1) <= index->n_slots) return true;
    size_t n_slots = index->n_slots ? 2 * index->n_slots : FIRST_SLOTS;
    uint32_t *slots = calloc(n_slots, sizeof *slots);
    if (!slots) return false;
    free(index->slots);
    *index = (struct merge_index){slots, n_slots};
    for (size_t i = 0; i < n; i++) *free_slot(index, hash(merge, i)) = (uint32_t)i + 1;
    return true;
}

/* Room for one more of n things of some size, doubled at powers of two. */
static bool list_grow(void *list, size_t n, size_t size)
{
    if (n & (n - 1)) return true;
    void **pointer = list, *more = realloc(*pointer, (n ? 2 * n : 1) * size);
    if (more) *pointer = more;
    return more != NULL;
}

/* -------- functions -------- */

static bool ends(const char *text, size_t room)
{
    return memchr(text, '\0', room) != NULL;
}

parcast_status merge_function(struct merge *merge, const struct spool_read *read, int32_t *number,
                              parcast_error *error)
{
    const char *name = (const char *)read->words;
    if (read->n == 0 || !ends(name, (size_t)read->n * 8)) return damaged("the name of a function", error);
    size_t i = 0;
    while (i < merge->n_functions && strcmp(merge->functions[i], name) != 0) i++;
    *number = (int32_t)i;
    if (i < merge->n_functions) return PARCAST_OK;
    if (i == MOST_FUNCTIONS) return damaged("more functions than MPI has", error);
    if (!list_grow(&merge->functions, i, sizeof *merge->functions)) return no_memory(error);
    merge->functions[i] = strdup(name);
    if (!merge->functions[i]) return no_memory(error);
    merge->n_functions++;
    return PARCAST_OK;
}

/* -------- sites -------- */

static uint64_t hash_text(const char *text, uint64_t offset)
{
    uint64_t hash = offset;
    for (; *text; text++) hash = mix(hash, (unsigned char)*text);
    return mix(hash, offset);
}

static uint64_t hash_of_site(const struct merge *merge, size_t i)
{
    return hash_text(merge->sites[i].module, merge->sites[i].offset);
}

parcast_status merge_site(struct merge *merge, const struct spool_read *read, int32_t *number,
                          parcast_error *error)
{
    const char *module = (const char *)(read->words + 1);
    if (read->n < 2 || !ends(module, (size_t)(read->n - 1) * 8)) return damaged("the place of a call", error);
    if (!index_grow(merge, &merge->site_index, merge->n_sites, hash_of_site)) return no_memory(error);
    size_t mask = merge->site_index.n_slots - 1, i = hash_text(module, read->words[0]) & mask;
    for (; merge->site_index.slots[i]; i = (i + 1) & mask) {
        const parcast_trace_site *site = &merge->sites[merge->site_index.slots[i] - 1];
        if (site->offset != read->words[0] || strcmp(site->module, module) != 0) continue;
        *number = (int32_t)(merge->site_index.slots[i] - 1);
        return PARCAST_OK;
    }
    if (merge->n_sites == MOST_SITES) return damaged("more places of calls than can be", error);
    if (!list_grow(&merge->sites, merge->n_sites, sizeof *merge->sites)) return no_memory(error);
    parcast_trace_site *site = &merge->sites[merge->n_sites];
    site->offset = read->words[0];
    site->module = strdup(module);
    if (!site->module) return no_memory(error);
    *number = (int32_t)merge->n_sites++;
    merge->site_index.slots[i] = (uint32_t)merge->n_sites;
    return PARCAST_OK;
}

/* -------- communicators -------- */

static uint64_t hash_identity(const struct spool_comm *id)
{
    uint64_t hash = mix(id->local_hash, id->remote_hash);
    return mix(mix(hash, (uint64_t)id->n_ranks << 32 | id->n_remote), id->alike);
}

static uint64_t hash_of_comm(const struct merge *merge, size_t i)
{
    return hash_identity(&merge->comms[i].identity);
}

static bool same_comm(const struct spool_comm *a, const struct spool_comm *b)
{
    return a->local_hash == b->local_hash && a->remote_hash == b->remote_hash && a->n_ranks == b->n_ranks &&
           a->n_remote == b->n_remote && a->alike == b->alike;
}

/* Both groups of an intercommunicator call the other one remote. Returns which group the rank is in. */
static int put_in_order(struct spool_comm *id)
{
    if (id->n_remote == 0 || id->local_hash < id->remote_hash) return 0;
    if (id->local_hash == id->remote_hash) return 0;
    struct spool_comm given = *id;
    id->local_hash = given.remote_hash;
    id->remote_hash = given.local_hash;
    id->n_ranks = given.n_remote;
    id->n_remote = given.n_ranks;
    return 1;
}

static parcast_status make_group(struct merged_comm *comm, int side, uint32_t n, parcast_error *error)
{
    comm->groups[side] = malloc(((size_t)n + 1) * sizeof *comm->groups[side]);
    if (!comm->groups[side]) return no_memory(error);
    comm->n[side] = (int32_t)n;
    for (uint32_t i = 0; i < n; i++) comm->groups[side][i] = -1;
    return PARCAST_OK;
}

static parcast_status make_comm(struct merge *merge, const struct spool_comm *id, parcast_error *error)
{
    if (merge->n_comms == MOST_COMMS) return damaged("more communicators than can be", error);
    if (!list_grow(&merge->comms, merge->n_comms, sizeof *merge->comms)) return no_memory(error);
    struct merged_comm *comm = &merge->comms[merge->n_comms++];
    *comm = (struct merged_comm){.identity = *id};
    parcast_status status = make_group(comm, 0, id->n_ranks, error);
    return status ? status : make_group(comm, 1, id->n_remote, error);
}

/* The remote ranks may be of a world that is larger than this one. */
static bool can_be(const struct merge *merge, const struct spool_comm *id)
{
    uint32_t most = id->other_world ? 1U << 24 : (uint32_t)merge->n_ranks;
    return id->n_ranks > 0 && id->n_ranks <= (uint32_t)merge->n_ranks && id->rank < id->n_ranks &&
           id->n_remote <= most;
}

parcast_status merge_comm(struct merge *merge, int32_t rank, const struct spool_read *read, int32_t *number,
                          parcast_error *error)
{
    struct spool_comm id;
    if ((size_t)read->n * 8 != sizeof id) return damaged("a communicator", error);
    memcpy(&id, read->words, sizeof id);
    if (!can_be(merge, &id)) return damaged("a communicator", error);
    uint32_t own_rank = id.rank;
    int side = put_in_order(&id);
    if (!index_grow(merge, &merge->comm_index, merge->n_comms, hash_of_comm)) return no_memory(error);
    size_t mask = merge->comm_index.n_slots - 1, i = hash_identity(&id) & mask;
    while (merge->comm_index.slots[i] &&
           !same_comm(&merge->comms[merge->comm_index.slots[i] - 1].identity, &id))
        i = (i + 1) & mask;
    if (!merge->comm_index.slots[i]) {
        parcast_status status = make_comm(merge, &id, error);
        if (status) return status;
        merge->comm_index.slots[i] = (uint32_t)merge->n_comms;
    }
    *number = (int32_t)(merge->comm_index.slots[i] - 1);
    merge->comms[*number].groups[side][own_rank] = rank;
    return PARCAST_OK;
}

/* -------- begin and end -------- */

/* The world and each rank alone come first, whatever the ranks say of them. */
parcast_status merge_begin(struct merge *merge, int32_t n_ranks, parcast_error *error)
{
    *merge = (struct merge){.n_ranks = n_ranks};
    const struct spool_comm world = {.n_ranks = (uint32_t)n_ranks, .reserved = 1},
                            self = {.n_ranks = 1, .reserved = 2};
    parcast_status status = make_comm(merge, &world, error);
    if (!status) status = make_comm(merge, &self, error);
    if (status || merge->n_comms < 2) return status;
    for (int32_t i = 0; i < n_ranks; i++) merge->comms[0].groups[0][i] = i;
    return PARCAST_OK;
}

void merge_end(struct merge *merge)
{
    for (size_t i = 0; i < merge->n_functions; i++) free(merge->functions[i]);
    for (size_t i = 0; i < merge->n_sites; i++) free((void *)merge->sites[i].module);
    for (size_t i = 0; i < merge->n_comms; i++) {
        free(merge->comms[i].groups[0]);
        free(merge->comms[i].groups[1]);
    }
    free(merge->functions);
    free(merge->sites);
    free(merge->comms);
    free(merge->site_index.slots);
    free(merge->comm_index.slots);
    *merge = (struct merge){.n_ranks = 0};
}
