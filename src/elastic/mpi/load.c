/*
 * The beginning of a run: rank 0 receives the manifest of the checkpoint to go on from, or none; every rank
 * checks it and fetches its part. A checkpoint that cannot be used is refused, and the supervisor offers the
 * one before.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elastic/mpi/internal.h"

struct offer {
    elastic_begin begin;
    int given; /* 0: the supervisor is gone */
};

/* Manifest and servers on every rank. */
static parcast_status receive(parcast_elastic *e, struct offer *offer, char **manifest, char **servers,
                              parcast_error *error)
{
    char **texts[2] = {manifest, servers};
    *manifest = *servers = NULL;
    if (e->rank == 0) offer->given = elastic_control_begin(e, &offer->begin, manifest, servers);
    elastic_broadcast(e, offer, sizeof *offer);
    if (!offer->given)
        return parcast_error_set(error, PARCAST_IO, NULL, 0,
                                 "the supervisor is gone before the first iteration");
    const int64_t sizes[2] = {offer->begin.manifest_bytes, offer->begin.servers_bytes};
    parcast_status status = PARCAST_OK;
    for (int i = 0; i < 2; i++)
        if (e->rank != 0 && sizes[i] > 0) {
            *texts[i] = malloc((size_t)sizes[i] + 1);
            if (!*texts[i]) status = elastic_no_memory(error);
        }
    status = elastic_agree(e, status, error);
    for (int i = 0; i < 2 && !status; i++)
        if (sizes[i] > 0) {
            assert(*texts[i]); /* they agreed on it */
            elastic_broadcast(e, *texts[i], sizes[i]);
            (*texts[i])[sizes[i]] = '\0';
        }
    return status;
}

/* -------- does the checkpoint fit the program? -------- */

static parcast_status unfit(parcast_error *error, const char *name, const char *what)
{
    parcast_error_set(error, PARCAST_DATA, NULL, 0, "the checkpoint does not fit the program: '%s' %s", name,
                      what);
    parcast_error_hint(error,
                       "it was written by another version of the program or with other arguments; start anew "
                       "with 'parcast run --restart'");
    return PARCAST_DATA;
}

static parcast_status check_arrays(const parcast_elastic *e, const elastic_manifest *manifest,
                                   parcast_error *error)
{
    size_t n = 0;
    for (size_t i = 0; i < e->n_items; i++) {
        const elastic_item *item = e->items[i];
        if (item->shape.read_only) continue;
        n++;
        const elastic_saved_array *array = elastic_manifest_array(manifest, item->name);
        if (!array) return unfit(error, item->name, "is not in it");
        if (!elastic_layout_same_array(&array->layout, &item->saved))
            return unfit(error, item->name, "has another size");
    }
    return n == manifest->n_arrays ? PARCAST_OK : unfit(error, "the arrays", "are more in the checkpoint");
}

static parcast_status check_values(const parcast_elastic *e, const elastic_manifest *manifest,
                                   parcast_error *error)
{
    for (size_t i = 0; i < e->n_values; i++) {
        const elastic_saved_value *value = elastic_manifest_value(manifest, e->values[i].name);
        if (!value) return unfit(error, e->values[i].name, "is not in it");
        if (value->bytes != e->values[i].bytes) return unfit(error, e->values[i].name, "has another size");
    }
    return e->n_values == manifest->n_values ? PARCAST_OK
                                             : unfit(error, "the values", "are more in the checkpoint");
}

static void take_values(parcast_elastic *e, const elastic_manifest *manifest)
{
    for (size_t i = 0; i < e->n_values; i++) {
        const elastic_saved_value *value = elastic_manifest_value(manifest, e->values[i].name);
        memcpy(e->values[i].data, value->data, value->bytes);
    }
}

/* -------- resume -------- */

parcast_status elastic_resume(parcast_elastic *e, const char *text, size_t bytes, const char *servers,
                              int64_t *n_bytes, parcast_error *error)
{
    elastic_manifest manifest = {0};
    parcast_status status = elastic_manifest_parse(text, bytes, "checkpoint", &manifest, error);
    if (!status) status = check_arrays(e, &manifest, error);
    if (!status) status = check_values(e, &manifest, error);
    status = elastic_agree(e, status, error);
    if (!status) status = elastic_fetch(e, &manifest, servers, n_bytes, error);
    if (!status) {
        take_values(e, &manifest);
        e->iteration = manifest.iteration;
        e->resumed = true;
    }
    elastic_manifest_clear(&manifest);
    return status;
}

/* What a checkpoint that was refused has left in the arrays. */
static void forget(parcast_elastic *e)
{
    for (size_t i = 0; i < e->n_items; i++)
        if (!e->items[i]->shape.read_only) memset(e->items[i]->array.data, 0, e->items[i]->mapped_bytes);
}

/* One offer of the supervisor: taken, or refused with a reason that everybody knows. */
static parcast_status try_offer(parcast_elastic *e, bool *again, parcast_error *error)
{
    struct offer offer = {0};
    char *manifest = NULL, *servers = NULL;
    double begin_s = elastic_now();
    int64_t n_bytes = 0;
    *again = false;
    parcast_status status = receive(e, &offer, &manifest, &servers, error);
    if (e->rank == 0) begin_s = elastic_now();
    if (!status && manifest) {
        status = elastic_resume(e, manifest, (size_t)offer.begin.manifest_bytes, servers, &n_bytes, error);
        *again = status && status != PARCAST_DATA && status != PARCAST_MEMORY;
    }
    free(manifest);
    free(servers);
    e->next_epoch = offer.begin.next_epoch;
    e->save_first = offer.begin.save_first;
    if (offer.begin.ranks > 0) {
        e->orders.resize_at = offer.begin.stop_at;
        e->orders.resize_to = offer.begin.ranks;
    } else {
        e->orders.stop_at = offer.begin.stop_at;
    }
    e->incoming = e->orders;
    if (*again) forget(e);
    if (*again && e->rank == 0) elastic_wire_say(&e->wire, "refused %s: %s", error->source, error->text);
    if (!status && e->rank == 0)
        elastic_wire_say(&e->wire, "running %lld %.6f %lld %.6f", (long long)e->iteration,
                         elastic_now() - begin_s, (long long)n_bytes, e->copy_s);
    return status;
}

/* Memory of the arrays on all ranks: those of rank 0 are the largest. */
static int64_t bytes_of_all(const parcast_elastic *e)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < e->n_items; i++) bytes += elastic_layout_bytes(&e->items[i]->layout, 0);
    return bytes > INT64_MAX / e->n_ranks ? INT64_MAX : bytes * e->n_ranks;
}

/* What a move has to carry: each cell once, without halos. */
static double state_bytes(const parcast_elastic *e)
{
    double all = 0;
    for (size_t i = 0; i < e->n_items; i++) {
        const elastic_layout *layout = &e->items[i]->layout;
        double bytes = (double)layout->element_bytes;
        for (int d = 0; d < layout->n_dims; d++) bytes *= (double)layout->dims[d].size;
        if (!e->items[i]->shape.read_only) all += bytes;
    }
    return all;
}

parcast_status elastic_load(parcast_elastic *e, parcast_error *error)
{
    bool again;
    parcast_status status;
    if (e->rank == 0)
        elastic_wire_say(&e->wire, "ready %lld %.0f", (long long)bytes_of_all(e), state_bytes(e));
    do status = try_offer(e, &again, error);
    while (again);
    e->began_s = e->last_look_s = e->last_told_s = elastic_now();
    e->last_look = e->next_look = e->iteration;
    return status;
}
