/*
 * The engine in memory: the communicators of groups of ranks that come and go while others live.
 *
 * Retiring: MPI_Finalize is collective over everything that is connected, and disconnecting a merged
 * communicator hangs (Open MPI 4.1). What works is to free all communicators of both sides first and then to
 * disconnect the one between the groups.
 */
#include <stdlib.h>

#include "elastic/mpi/ahead.h"

/* A thread may spawn only where all ranks let several threads into MPI. */
void elastic_settle_quiet(parcast_elastic *e)
{
    int level = MPI_THREAD_SINGLE, least;
    MPI_Query_thread(&level);
    MPI_Allreduce(&level, &least, 1, MPI_INT, MPI_MIN, e->own);
    e->quiet = MPI_COMM_NULL;
    if (least >= MPI_THREAD_MULTIPLE) MPI_Comm_dup(e->comm, &e->quiet);
}

parcast_status elastic_settle(parcast_elastic *e, MPI_Comm comm, parcast_error *error)
{
    e->comm = comm;
    MPI_Comm_dup(comm, &e->own);
    MPI_Comm_rank(comm, &e->rank);
    MPI_Comm_size(comm, &e->n_ranks);
    elastic_settle_quiet(e);
    return elastic_gather_weights(e, error);
}

static parcast_status push_level(parcast_elastic *e, elastic_level level, parcast_error *error)
{
    elastic_level *grown = realloc(e->levels, (e->n_levels + 1) * sizeof *grown);
    if (!grown) return elastic_no_memory(error);
    e->levels = grown;
    e->levels[e->n_levels++] = level;
    return PARCAST_OK;
}

parcast_status elastic_join(parcast_elastic *e, MPI_Comm parent, parcast_error *error)
{
    elastic_level level = {
        .inter = parent, .comm = MPI_COMM_NULL, .own = MPI_COMM_NULL, .quiet = MPI_COMM_NULL};
    MPI_Comm merged;
    MPI_Comm_remote_size(parent, &level.below);
    MPI_Intercomm_merge(parent, 1, &merged);
    parcast_status status = push_level(e, level, error);
    return status ? status : elastic_settle(e, merged, error);
}

void elastic_free_comms(parcast_elastic *e)
{
    if (e->quiet != MPI_COMM_NULL) MPI_Comm_free(&e->quiet);
    MPI_Comm_free(&e->own);
    MPI_Comm_free(&e->comm);
}

/* -------- the next size -------- */

/* Arrays that are only read are filled again: the old ones go first. */
static parcast_status take_items(parcast_elastic *e, const parcast_elastic *next, elastic_item *was,
                                 parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < e->n_items; i++) {
        elastic_item *item = e->items[i], *made = next->items[i];
        if (item->shape.read_only)
            elastic_item_release(item);
        else
            was[i] = *item;
        *item = *made;
        item->shape.name = item->name;
        *made = (elastic_item){0};
        if (item->shape.read_only && !status && e->rank < e->n_ranks)
            status = elastic_item_place(e, item, error);
    }
    return status;
}

/* Of the size that is left: arrays that are only read are placed when they are known. */
parcast_status elastic_become(parcast_elastic *e, elastic_item *was, parcast_error *error)
{
    elastic_ahead *ahead = e->ahead;
    parcast_elastic *next = &ahead->next;
    elastic_level level = {ahead->inter, e->comm, e->own, e->quiet, e->n_ranks};
    parcast_status status = ahead->growing ? push_level(e, level, error) : PARCAST_OK;
    if (ahead->growing) {
        e->comm = next->comm;
        e->own = next->own;
        e->quiet = next->quiet;
    }
    e->n_ranks = next->n_ranks;
    free(e->weights);
    e->weights = next->weights;
    next->weights = NULL;
    e->place = next->place;
    e->n_colleagues = next->n_colleagues;
    e->iteration = next->iteration;
    e->resumed = next->resumed;
    e->copy_s = next->copy_s;
    parcast_status taken = take_items(e, next, was, error);
    return status ? status : taken;
}

/* -------- retire -------- */

/* The youngest group goes. True on its ranks. */
static bool retire_youngest(parcast_elastic *e)
{
    elastic_level level = e->levels[--e->n_levels];
    elastic_free_comms(e);
    MPI_Comm_disconnect(&level.inter);
    e->comm = level.comm;
    e->own = level.own;
    e->quiet = level.quiet;
    return level.comm == MPI_COMM_NULL;
}

void elastic_part(parcast_elastic *e)
{
    if (e->n_levels > 0 && e->options.release) e->options.release(e->options.context);
    while (e->n_levels > 0 && e->own != MPI_COMM_NULL) retire_youngest(e);
}

bool elastic_shrink(parcast_elastic *e, int64_t ranks)
{
    while (e->n_levels > 0 && e->levels[e->n_levels - 1].below >= ranks) {
        if (retire_youngest(e)) return true;
        MPI_Comm_size(e->comm, &e->n_ranks);
    }
    return false;
}

bool elastic_can_resize(const parcast_elastic *e, int64_t ranks, parcast_error *error)
{
    if (ranks == e->n_ranks || !e->options.in_memory) {
        parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0, "the program does not resize in memory");
        return false;
    }
    if (e->hung || (e->ahead && e->ahead->next.resize_to != ranks)) {
        parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0, "another change of size is under way");
        return false;
    }
    if (ranks > e->n_ranks && ranks <= INT32_MAX) return true;
    for (size_t i = 0; i < e->n_levels; i++)
        if (e->levels[i].below == ranks) return true;
    parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0,
                      "only whole groups that were spawned can be retired, and none leaves %lld rank%s",
                      (long long)ranks, ranks == 1 ? "" : "s");
    return false;
}
