/*
 * A resize in memory. A checkpoint is committed before it, so that a hang costs a restart and not the run;
 * the data go from memory to memory, or through the pieces of that checkpoint where ranks may not read each
 * other.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "elastic/mpi/held.h"

/* What a rank that was spawned cannot know. */
struct shared {
    elastic_orders orders;
    int64_t next_epoch, bytes[2]; /* of the descriptions to go on with: in memory, on disk; 0: none */
};

static parcast_status share_text(parcast_elastic *e, char *own, int64_t bytes, int64_t *n_bytes,
                                 parcast_error *error)
{
    const bool first = e->rank == 0;
    char *text = first ? own : malloc((size_t)bytes + 1);
    parcast_status status = elastic_agree(e, text ? PARCAST_OK : elastic_no_memory(error), error);
    if (!status) {
        elastic_broadcast(e, text, bytes);
        status = elastic_resume(e, text, (size_t)bytes, NULL, n_bytes, error);
    }
    if (!first) free(text);
    return status;
}

static parcast_status share(parcast_elastic *e, char *const texts[2], int64_t *n_bytes, parcast_error *error)
{
    struct shared shared = {.orders = e->incoming, .next_epoch = e->next_epoch};
    parcast_status status = PARCAST_INVALID;
    for (int i = 0; i < 2; i++) shared.bytes[i] = texts[i] ? (int64_t)strlen(texts[i]) : 0;
    elastic_broadcast(e, &shared, sizeof shared);
    for (int i = 0; i < 2 && status; i++)
        if (shared.bytes[i]) status = share_text(e, texts[i], shared.bytes[i], n_bytes, error);
    e->orders = e->incoming = shared.orders;
    e->next_epoch = shared.next_epoch;
    e->last_look = e->next_look = e->iteration;
    e->last_look_s = e->began_s = e->last_told_s = elastic_now();
    return status;
}

parcast_status elastic_join_run(parcast_elastic *e, int64_t *n_bytes, parcast_error *error)
{
    return share(e, (char *[2]){NULL, NULL}, n_bytes, error);
}

/* -------- memory -------- */

struct kept {
    void *data;
    size_t bytes;
};

/* New places for all arrays. What they held stays where it is until it is let go: others may read it. */
static parcast_status place_again(parcast_elastic *e, struct kept *kept, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < e->n_items && !status; i++) {
        elastic_item *item = e->items[i];
        if (!item->shape.read_only) {
            kept[i] = (struct kept){item->array.data, item->mapped_bytes};
            item->array.data = NULL;
        }
        elastic_item_release(item);
        status = elastic_item_place(e, item, error);
    }
    return status;
}

static void let_go(const parcast_elastic *e, struct kept *kept)
{
    for (size_t i = 0; kept && i < e->n_items; i++)
        if (kept[i].data) munmap(kept[i].data, kept[i].bytes);
    free(kept);
}

/* -------- the move -------- */

void elastic_hear_orders(parcast_elastic *e)
{
    elastic_broadcast(e, &e->incoming, sizeof e->incoming);
    e->orders = e->incoming;
}

struct resize {
    int64_t ranks, n_bytes;
    struct kept *kept;
    elastic_table *table;
    char *texts[2];
    double saved_s, changed_s,
        moved_s; /* when the checkpoint was committed, the ranks were there, the data were */
};

static parcast_status move_data(parcast_elastic *e, struct resize *resize, parcast_error *error)
{
    parcast_status status = place_again(e, resize->kept, error); /* a failure is fatal, for all */
    if (!status) status = share(e, resize->texts, &resize->n_bytes, error);
    resize->moved_s = elastic_now();
    return status;
}

static parcast_status grow(parcast_elastic *e, struct resize *resize, parcast_error *error)
{
    parcast_status status = elastic_grow(e, resize->ranks, error);
    resize->changed_s = elastic_now();
    return status ? status : move_data(e, resize, error);
}

/* Those that stay copy what those that leave hold before these are gone: with the layout of the new size, and
 * the communicator of the old one. */
static parcast_status pull_before_parting(parcast_elastic *e, struct resize *resize, parcast_error *error)
{
    char *const texts[2] = {resize->texts[0], NULL};
    parcast_status status = PARCAST_OK;
    e->n_ranks = (int)resize->ranks;
    if (e->rank < resize->ranks) status = place_again(e, resize->kept, error);
    status = elastic_agree(e, status, error);
    return status ? status : share(e, texts, &resize->n_bytes, error);
}

static parcast_status shrink(parcast_elastic *e, struct resize *resize, parcast_error *error)
{
    double begin_s = elastic_now();
    parcast_status pulled = pull_before_parting(e, resize, error);
    double pulled_s = elastic_now();
    e->left = elastic_shrink(e, resize->ranks);
    if (e->left) return PARCAST_OK;
    parcast_status status = pulled == PARCAST_MEMORY ? pulled : elastic_gather_weights(e, error);
    /* As if the ranks had changed first: what is told is how long either took. */
    resize->moved_s = elastic_now();
    resize->changed_s = begin_s + (resize->moved_s - pulled_s);
    if (status || !pulled) return status;
    char *const texts[2] = {NULL, resize->texts[1]};
    status = share(e, texts, &resize->n_bytes, error);
    resize->moved_s = elastic_now();
    return status;
}

/* The next order comes at once, so that none is met too late. */
static void tell_resized(parcast_elastic *e, int64_t iteration, double begin_s, const struct resize *resize)
{
    if (e->rank == 0) {
        elastic_wire_say(&e->wire, "resized %lld %d %.6f %.6f %.6f %lld %.6f", (long long)iteration,
                         e->n_ranks, resize->saved_s - begin_s, resize->changed_s - resize->saved_s,
                         resize->moved_s - resize->changed_s, (long long)resize->n_bytes, e->copy_s);
        if (!elastic_control_next(e)) e->incoming.alone = 1;
    }
    elastic_hear_orders(e);
}

static parcast_status prepare(parcast_elastic *e, int64_t iteration, struct resize *resize,
                              parcast_error *error)
{
    resize->texts[1] = e->manifest;
    resize->kept = calloc(e->n_items + 1, sizeof *resize->kept);
    parcast_status status = elastic_agree(e, resize->kept ? PARCAST_OK : elastic_no_memory(error), error);
    if (status) return status;
    return elastic_describe_held(e, iteration, e->next_epoch, &resize->table, &resize->texts[0], error);
}

static parcast_elastic_state finish(parcast_elastic *e, int64_t iteration, double begin_s,
                                    parcast_status status, const struct resize *resize,
                                    const parcast_error *error)
{
    if (status == PARCAST_UNSUPPORTED) {
        if (e->rank == 0) elastic_wire_say(&e->wire, "unresized %lld %s", (long long)iteration, error->text);
        return PARCAST_ELASTIC_RESIZED; /* by nothing; but what the program released it makes again */
    }
    if (status) {
        elastic_raise(e, error);
        return PARCAST_ELASTIC_FAILED;
    }
    if (e->left) return PARCAST_ELASTIC_LEAVE;
    tell_resized(e, iteration, begin_s, resize);
    return PARCAST_ELASTIC_RESIZED;
}

parcast_elastic_state elastic_resize(parcast_elastic *e, int64_t iteration, int64_t ranks)
{
    parcast_error error = {0};
    struct resize resize = {.ranks = ranks};
    double begin_s = elastic_now();
    bool growing = ranks > e->n_ranks;
    if (!elastic_save(e, iteration, ELASTIC_SAVE_AND_STAY))
        return PARCAST_ELASTIC_GO_ON; /* the supervisor was told why */
    resize.saved_s = elastic_now();
    if (e->options.release) e->options.release(e->options.context);
    elastic_let_read(true);
    parcast_status status = prepare(e, iteration, &resize, &error);
    if (!status) status = growing ? grow(e, &resize, &error) : shrink(e, &resize, &error);
    elastic_let_read(false);
    let_go(e, resize.kept);
    free(resize.table);
    free(resize.texts[0]);
    return finish(e, iteration, begin_s, status, &resize, &error);
}
