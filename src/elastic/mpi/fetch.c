/*
 * Every rank fetches what it needs: pieces of its own node through shared memory, those of other nodes from
 * the server there. The blocks of local pieces are verified once, shared among the ranks of the node; servers
 * verify what they send.
 */
#include <stdlib.h>
#include <string.h>

#include "elastic/mpi/fetch.h"
#include "elastic/mpi/held.h"
#include "elastic/serve.h"

bool elastic_piece_is_here(const struct fetch *fetch, int rank)
{
    const char *node = fetch->manifest->pieces[rank].node;
    return strcmp(node, "*") == 0 || strcmp(node, fetch->e->node) == 0;
}

static parcast_status view(struct fetch *fetch, int rank, const elastic_piece_view **found)
{
    elastic_piece_view *v = &fetch->views[rank];
    *found = v;
    if (v->mapped_bytes) return PARCAST_OK;
    return elastic_piece_open(&fetch->manifest->pieces[rank], fetch->manifest->epoch, v, fetch->error);
}

/* -------- verify -------- */

static int64_t blocks_of(const elastic_piece *piece)
{
    return (piece->data_bytes + ELASTIC_BLOCK_BYTES - 1) / ELASTIC_BLOCK_BYTES;
}

/* My share of all local blocks: all ranks have one when the pieces lie on a common disk, else those of this
 * node. */
static parcast_status verify(struct fetch *fetch)
{
    const elastic_manifest *manifest = fetch->manifest;
    bool common = strcmp(manifest->pieces[0].node, "*") == 0;
    int place = common ? fetch->e->rank : fetch->e->place,
        n = common ? fetch->e->n_ranks : fetch->e->n_colleagues;
    int64_t total = 0, before = 0;
    for (int r = 0; r < manifest->n_ranks; r++)
        if (elastic_piece_is_here(fetch, r)) total += blocks_of(&manifest->pieces[r]);
    int64_t begin = total / n * place + total % n * place / n,
            end = total / n * (place + 1) + total % n * (place + 1) / n;
    parcast_status status = PARCAST_OK;
    for (int r = 0; r < manifest->n_ranks && !status; r++) {
        const elastic_piece_view *v;
        if (!elastic_piece_is_here(fetch, r)) continue;
        int64_t blocks = blocks_of(&manifest->pieces[r]);
        int64_t from = begin > before ? begin - before : 0,
                to = end - before < blocks ? end - before : blocks;
        before += blocks;
        if (from >= to) continue;
        status = view(fetch, r, &v);
        for (int64_t b = from; b < to && !status; b++)
            status = elastic_piece_verify(&manifest->pieces[r], v, b, fetch->error);
    }
    return status;
}

/* -------- fetch -------- */

struct copy {
    const unsigned char *from;
    unsigned char *to;
    int64_t n_bytes;
};

static bool copy_runs(void *context, const elastic_strided *runs)
{
    struct copy *copy = context;
    elastic_copy_strided(copy->to, copy->from, runs);
    copy->n_bytes += runs->bytes * runs->count;
    return true;
}

struct listing {
    elastic_request request;
    bool enough;
};

static bool list_runs(void *context, const elastic_strided *runs)
{
    struct listing *listing = context;
    for (int64_t i = 0; i < runs->count && listing->enough; i++)
        listing->enough = elastic_request_add(&listing->request, runs->source + i * runs->source_step,
                                              runs->target + i * runs->target_step, runs->bytes);
    return listing->enough;
}

static bool note_runs(void *context, const elastic_strided *runs)
{
    (void)runs;
    *(bool *)context = true;
    return false;
}

/* Is there anything for me in a piece? */
static parcast_status needs(const struct fetch *fetch, size_t number, const elastic_item *item, int rank,
                            bool *any)
{
    *any = false;
    parcast_status status = elastic_walk(&fetch->manifest->arrays[number].layout, rank, &item->layout,
                                         fetch->e->rank, note_runs, any, fetch->error);
    return status == PARCAST_INTERRUPTED ? PARCAST_OK : status;
}

parcast_status elastic_copy_from_view(struct fetch *fetch, size_t number, const elastic_item *item, int rank,
                                      const elastic_piece_view *view)
{
    struct copy copy = {view->data + elastic_manifest_offset(fetch->manifest, number, rank), item->array.data,
                        0};
    parcast_status status = elastic_walk(&fetch->manifest->arrays[number].layout, rank, &item->layout,
                                         fetch->e->rank, copy_runs, &copy, fetch->error);
    fetch->n_bytes += copy.n_bytes;
    return status;
}

/* Requests are as large as a list of runs may be. */
parcast_status elastic_copy_from_server(struct fetch *fetch, size_t number, const elastic_item *item,
                                        int rank, const elastic_piece *piece, const char *servers)
{
    struct listing listing = {.enough = true};
    parcast_status status = elastic_walk(&fetch->manifest->arrays[number].layout, rank, &item->layout,
                                         fetch->e->rank, list_runs, &listing, fetch->error);
    if (!listing.enough) status = elastic_no_memory(fetch->error);
    if (!status)
        status = elastic_request_fetch(
            &listing.request, servers, fetch->e->token, piece, fetch->manifest->epoch,
            elastic_manifest_offset(fetch->manifest, number, rank), item->array.data, fetch->error);
    fetch->n_bytes += listing.request.n_bytes;
    elastic_request_clear(&listing.request);
    return status;
}

static parcast_status copy_part(struct fetch *fetch, size_t number, const elastic_item *item, int rank)
{
    const elastic_piece_view *v;
    if (!elastic_piece_is_here(fetch, rank))
        return elastic_copy_from_server(fetch, number, item, rank, &fetch->manifest->pieces[rank],
                                        fetch->servers);
    parcast_status status = view(fetch, rank, &v);
    return status ? status : elastic_copy_from_view(fetch, number, item, rank, v);
}

static parcast_status fetch_item(struct fetch *fetch, const elastic_item *item, elastic_copy_part *copy)
{
    const elastic_saved_array *saved = elastic_manifest_array(fetch->manifest, item->name);
    size_t number = (size_t)(saved - fetch->manifest->arrays);
    parcast_status status = PARCAST_OK;
    /* Each begins with another piece, so that not all ask the same server first. */
    for (int i = 0; i < fetch->manifest->n_ranks && !status; i++) {
        int rank = (int)(((int64_t)i + fetch->e->rank) % fetch->manifest->n_ranks);
        bool any;
        status = needs(fetch, number, item, rank, &any);
        if (!status && any) status = copy(fetch, number, item, rank);
    }
    return status;
}

parcast_status elastic_fetch_items(struct fetch *fetch, elastic_copy_part *copy)
{
    parcast_status status = PARCAST_OK;
    if (fetch->e->rank >= fetch->e->n_ranks) return status; /* it leaves, and helps to verify */
    for (size_t i = 0; i < fetch->e->n_items && !status; i++)
        if (!fetch->e->items[i]->shape.read_only) status = fetch_item(fetch, fetch->e->items[i], copy);
    return status;
}

/* From pieces. */
static parcast_status fetch_all(parcast_elastic *e, const elastic_manifest *manifest, const char *servers,
                                int64_t *n_bytes, parcast_error *error)
{
    struct fetch fetch = {.e = e, .manifest = manifest, .servers = servers, .error = error};
    fetch.views = calloc((size_t)manifest->n_ranks, sizeof *fetch.views);
    parcast_status status = fetch.views ? PARCAST_OK : elastic_no_memory(error);
    if (!status) status = verify(&fetch);
    if (!status) status = elastic_fetch_items(&fetch, copy_part);
    for (int r = 0; fetch.views && r < manifest->n_ranks; r++) elastic_piece_close(&fetch.views[r]);
    free(fetch.views);
    *n_bytes = fetch.n_bytes;
    return status;
}

/* What is damaged or out of reach on one node may be whole on another; on a common disk there is one copy. */
static parcast_status fetch_some_copy(parcast_elastic *e, const elastic_manifest *manifest,
                                      const char *servers, int64_t *n_bytes, parcast_error *error)
{
    parcast_error why = {0};
    parcast_status status = elastic_agree(e, fetch_all(e, manifest, servers, n_bytes, &why), &why);
    if (!status) return status;
    *error = why;
    if (status == PARCAST_MEMORY || !servers || strcmp(manifest->pieces[0].node, "*") == 0) return status;
    status = elastic_agree(e, elastic_mend(e, manifest, servers, n_bytes, error), error);
    if (!status && e->rank == 0) elastic_wire_say(&e->wire, "mended %s: %s", why.source, why.text);
    return status;
}

parcast_status elastic_fetch(parcast_elastic *e, const elastic_manifest *manifest, const char *servers,
                             int64_t *n_bytes, parcast_error *error)
{
    int64_t mine = 0, all = 0;
    double begin_s = elastic_now(), took_s;
    parcast_status status = elastic_is_held(manifest) ? elastic_pull(e, manifest, &mine, error)
                                                      : fetch_some_copy(e, manifest, servers, &mine, error);
    took_s = elastic_now() - begin_s;
    MPI_Request requests[2];
    MPI_Iallreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, e->own, &requests[0]);
    MPI_Iallreduce(&took_s, &e->copy_s, 1, MPI_DOUBLE, MPI_MAX, e->own, &requests[1]);
    for (int i = 0; i < 2; i++) elastic_wait(&requests[i]);
    *n_bytes = all;
    return elastic_agree(e, status, error);
}
