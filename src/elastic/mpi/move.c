/*
 * A resize in memory. It is prepared while the program computes (ahead.h); the data go from memory to memory,
 * each byte once, and the checkpoint of that iteration is written behind the run (behind.h). Where ranks may
 * not read each other, and where it is asked for, the checkpoint comes first.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "elastic/mpi/ahead.h"
#include "elastic/mpi/behind.h"
#include "elastic/mpi/held.h"

/* What ranks that were spawned are told. */
enum round {
    ROUND_MEMORY, /* the arrays lie in the memory of others; if they cannot be read there is another round */
    ROUND_PIECES, /* they lie in pieces */
    ROUND_OVER    /* nothing comes of it */
};

/* What a rank that was spawned cannot know. */
struct shared {
    elastic_orders orders;
    int64_t round, next_epoch, save_first, cannot_pull, bytes; /* of the description that follows */
    elastic_behind_place place;                                /* of records, for the ranks of the old size */
};

/* -------- rounds: all ranks that will compute, or did -------- */

static void keep_time(parcast_elastic *e)
{
    e->last_look = e->next_look = e->iteration;
    e->last_look_s = e->began_s = e->last_told_s = elastic_now();
}

/* `own` on rank 0. `behind` has the records to be found on ranks of the old size; elsewhere it is NULL. */
static parcast_status hear_text(parcast_elastic *e, char *own, const struct shared *shared,
                                parcast_elastic *behind, int64_t *n_bytes, parcast_error *error)
{
    const bool first = e->rank == 0;
    char *text = first ? own : malloc((size_t)shared->bytes + 1);
    parcast_status status = text ? PARCAST_OK : elastic_no_memory(error);
    if (!status && behind && shared->place.process)
        status = elastic_behind_find(behind, &shared->place, error);
    status = elastic_agree(e, status, error);
    if (!status) {
        elastic_broadcast(e, text, shared->bytes);
        status = elastic_resume(e, text, (size_t)shared->bytes, NULL, n_bytes, error);
    }
    if (!first) free(text);
    return status;
}

/* One round. `shared` is read on rank 0 and set elsewhere. */
static parcast_status share(parcast_elastic *e, struct shared *shared, char *own, parcast_elastic *behind,
                            int64_t *n_bytes, parcast_error *error)
{
    elastic_broadcast(e, shared, sizeof *shared);
    if (shared->round == ROUND_OVER) return PARCAST_INTERRUPTED;
    e->save_first = shared->save_first;
    e->cannot_pull = shared->cannot_pull;
    return hear_text(e, own, shared, behind, n_bytes, error);
}

static bool is_worth_another(const struct shared *shared, parcast_status status)
{
    return shared->round == ROUND_MEMORY && (status == PARCAST_IO || status == PARCAST_FORMAT);
}

/* The other ranks end now, so this one does. */
static void leave_for_good(parcast_elastic *e)
{
    elastic_part(e);
    MPI_Finalize();
    exit(0);
}

parcast_status elastic_join_run(parcast_elastic *e, int64_t *n_bytes, parcast_error *error)
{
    struct shared shared;
    parcast_status status;
    MPI_Request request;
    MPI_Isend("", 1, MPI_BYTE, 0, ELASTIC_READY_TAG, e->own, &request);
    elastic_wait(&request);
    do status = share(e, &shared, NULL, NULL, n_bytes, error);
    while (is_worth_another(&shared, status));
    if (status == PARCAST_INTERRUPTED) leave_for_good(e);
    e->orders = e->incoming = shared.orders;
    e->next_epoch = shared.next_epoch;
    keep_time(e);
    return status;
}

void elastic_send_away(parcast_elastic *next)
{
    struct shared shared = {.round = ROUND_OVER};
    elastic_broadcast(next, &shared, sizeof shared);
}

void elastic_hear_orders(parcast_elastic *e)
{
    elastic_broadcast(e, &e->incoming, sizeof e->incoming);
    e->orders = e->incoming;
}

/* -------- the move: ranks of the old size -------- */

struct resize {
    int64_t iteration, n_bytes, epoch; /* of the checkpoint behind */
    elastic_behind_place place;
    elastic_item *was; /* [n_items] arrays of the old size */
    elastic_table *table;
    char *text;                                          /* rank 0: a description of the arrays in memory */
    bool saved;                                          /* the checkpoint came first */
    double begin_s, stopped_s, held_s, moved_s, spawn_s; /* stopped: all is prepared */
};

static parcast_status describe(parcast_elastic *e, struct resize *resize, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    if (!resize->saved) status = elastic_behind_prepare(e, resize->iteration, &resize->place, error);
    status = elastic_agree(e, status, error);
    if (status) return status;
    resize->epoch = e->next_epoch++;
    return elastic_describe_held(e, resize->iteration, resize->epoch, &resize->table, &resize->text, error);
}

static parcast_status tell_round(parcast_elastic *e, struct resize *resize, enum round round, char *text,
                                 parcast_error *error)
{
    struct shared shared = {.orders = e->incoming,
                            .round = round,
                            .next_epoch = e->next_epoch,
                            .save_first = e->save_first,
                            .cannot_pull = e->cannot_pull,
                            .bytes = e->rank == 0 ? (int64_t)strlen(text) : 0};
    if (round == ROUND_MEMORY) shared.place = resize->place;
    return share(&e->ahead->next, &shared, text, round == ROUND_MEMORY ? e : NULL, &resize->n_bytes, error);
}

static parcast_status move_by_memory(parcast_elastic *e, struct resize *resize, parcast_error *error)
{
    elastic_let_read(true);
    parcast_status status = describe(e, resize, error);
    resize->held_s = elastic_now();
    if (!status) status = tell_round(e, resize, ROUND_MEMORY, resize->text, error);
    resize->moved_s = elastic_now();
    elastic_let_read(false);
    if (status) elastic_behind_cancel(e);
    return status;
}

static parcast_status save(parcast_elastic *e, struct resize *resize, parcast_error *error)
{
    if (resize->saved) return PARCAST_OK;
    resize->saved = elastic_save(e, resize->iteration, ELASTIC_SAVE_IN_MOVE);
    if (resize->saved) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0, "no checkpoint could be written");
}

/* All of them remember that memory cannot be read. */
static parcast_status move_by_pieces(parcast_elastic *e, struct resize *resize, parcast_error *error)
{
    e->cannot_pull = 1;
    parcast_status status = save(e, resize, error);
    if (status) return status;
    resize->held_s = elastic_now();
    status = tell_round(e, resize, ROUND_PIECES, e->manifest, error);
    resize->moved_s = elastic_now();
    return status;
}

static void let_go(const parcast_elastic *e, struct resize *resize)
{
    for (size_t i = 0; resize->was && i < e->n_items; i++) elastic_item_release(&resize->was[i]);
    free(resize->was);
    free(resize->table);
    free(resize->text);
}

/* The data are where they belong: from now on the ranks are those of the new size. */
static parcast_status settle_down(parcast_elastic *e, struct resize *resize, parcast_error *error)
{
    const bool growing = e->ahead->growing;
    const int64_t ranks = e->ahead->next.n_ranks;
    resize->spawn_s = e->ahead->spawn_s;
    parcast_status status = elastic_become(e, resize->was, error);
    elastic_ahead_clear(e);
    if (e->behind) elastic_behind_begin(e, resize->epoch, resize->was);
    if (status || growing) return status;
    double begin_s = elastic_now();
    e->left = elastic_shrink(e, ranks);
    if (e->left) return PARCAST_OK;
    status = elastic_gather_weights(e, error);
    resize->spawn_s = elastic_now() - begin_s;
    return status;
}

static parcast_status move(parcast_elastic *e, struct resize *resize, parcast_error *error)
{
    resize->was = calloc(e->n_items + 1, sizeof *resize->was);
    parcast_status status = elastic_agree(e, resize->was ? PARCAST_OK : elastic_no_memory(error), error);
    if (status) return status;
    assert(resize->was); /* they agreed on it */
    for (size_t i = 0; i < e->n_items; i++) resize->was[i].shape.read_only = true;
    if (e->save_first || e->cannot_pull) status = save(e, resize, error);
    if (status) return status;
    status = e->cannot_pull ? PARCAST_IO : move_by_memory(e, resize, error);
    if (status == PARCAST_IO || status == PARCAST_FORMAT) status = move_by_pieces(e, resize, error);
    return status ? status : settle_down(e, resize, error);
}

/* The next order comes at once, so that none is met too late. */
static void tell_resized(parcast_elastic *e, const struct resize *resize)
{
    if (e->rank == 0) {
        elastic_wire_say(&e->wire, "resized %lld %d %.6f %.6f %.6f %lld %.6f", (long long)resize->iteration,
                         e->n_ranks, resize->held_s - resize->stopped_s, resize->spawn_s,
                         resize->moved_s - resize->held_s, (long long)resize->n_bytes, e->copy_s);
        if (!elastic_control_next(e)) e->incoming.alone = 1;
    }
    keep_time(e);
    elastic_hear_orders(e);
}

static parcast_elastic_state give_up(parcast_elastic *e, int64_t iteration, const parcast_error *error)
{
    if (e->rank == 0) elastic_wire_say(&e->wire, "unresized %lld %s", (long long)iteration, error->text);
    elastic_ahead_abandon(e);
    return PARCAST_ELASTIC_GO_ON;
}

static parcast_elastic_state finish(parcast_elastic *e, const struct resize *resize, parcast_status status,
                                    const parcast_error *error)
{
    if (status == PARCAST_UNSUPPORTED) {
        give_up(e, resize->iteration, error);
        return PARCAST_ELASTIC_RESIZED; /* by nothing; but what the program released it makes again */
    }
    if (status) {
        elastic_raise(e, error);
        return PARCAST_ELASTIC_FAILED;
    }
    if (e->left) return PARCAST_ELASTIC_LEAVE;
    tell_resized(e, resize);
    return PARCAST_ELASTIC_RESIZED;
}

parcast_elastic_state elastic_resize(parcast_elastic *e, int64_t iteration, int64_t ranks)
{
    parcast_error error = {0};
    struct resize resize = {.iteration = iteration, .begin_s = elastic_now()};
    if (e->rank == 0) elastic_wire_say(&e->wire, "saving %lld", (long long)iteration);
    elastic_behind_finish(e);
    parcast_status status = elastic_ahead_finish(e, iteration, ranks, &error);
    resize.stopped_s = elastic_now();
    if (status == PARCAST_INTERRUPTED) {
        e->hung = true;
        return PARCAST_ELASTIC_GO_ON;
    }
    if (status) return give_up(e, iteration, &error);
    e->last_spawn_s = e->ahead->spawn_s;
    e->touch_bytes_per_s = e->ahead->touch_bytes_per_s;
    if (e->rank == 0) elastic_wire_say(&e->wire, "resizing %lld", (long long)iteration);
    if (e->options.release) e->options.release(e->options.context);
    status = move(e, &resize, &error);
    let_go(e, &resize);
    return finish(e, &resize, status, &error);
}
