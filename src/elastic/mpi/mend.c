/*
 * Fetch from whatever copy is whole: the piece itself, a second copy on this node, or either of them on any
 * node that serves. Every rank verifies what it takes; nothing is shared, for this happens after a fault.
 */
#include <stdlib.h>
#include <string.h>

#include "elastic/mpi/fetch.h"
#include "elastic/serve.h"

static parcast_status open_whole(const struct fetch *fetch, const elastic_piece *piece,
                                 elastic_piece_view *view)
{
    parcast_status status = elastic_piece_open(piece, fetch->manifest->epoch, view, fetch->error);
    for (int64_t b = 0; b < view->n_blocks && !status; b++)
        status = elastic_piece_verify(piece, view, b, fetch->error);
    if (status) elastic_piece_close(view);
    return status;
}

static parcast_status from_this_node(struct fetch *fetch, size_t number, const elastic_item *item, int rank)
{
    elastic_piece copy = fetch->manifest->pieces[rank];
    elastic_piece_view *view = &fetch->views[rank];
    parcast_status status = view->mapped_bytes ? PARCAST_OK : PARCAST_NOT_FOUND;
    if (status && elastic_piece_is_here(fetch, rank)) status = open_whole(fetch, &copy, view);
    if (status) {
        struct fetch quiet = *fetch; /* what is wrong with the piece itself is worth telling */
        parcast_error none;
        quiet.error = &none;
        elastic_copy_path(fetch->e->directory, fetch->manifest->pieces[rank].path, copy.path);
        if (open_whole(&quiet, &copy, view) == PARCAST_OK) status = PARCAST_OK;
    }
    return status ? status : elastic_copy_from_view(fetch, number, item, rank, view);
}

/* Line by line: "NODE HOST:PORT". */
static parcast_status from_servers(struct fetch *fetch, size_t number, const elastic_item *item, int rank)
{
    const elastic_piece *piece = &fetch->manifest->pieces[rank];
    parcast_status status = PARCAST_NOT_FOUND;
    for (const char *line = fetch->servers; line && *line && status;) {
        elastic_piece there = *piece;
        char server[600];
        size_t n = strcspn(line, "\n"), name = strcspn(line, " ");
        if (n < sizeof server && name < n && name < sizeof there.node) {
            memcpy(server, line, n);
            server[n] = '\0';
            memcpy(there.node, line, name);
            there.node[name] = '\0';
            status = elastic_copy_from_server(fetch, number, item, rank, &there, server);
        }
        line += n + (line[n] == '\n');
    }
    return status;
}

static parcast_status copy_part(struct fetch *fetch, size_t number, const elastic_item *item, int rank)
{
    parcast_error first = {0};
    parcast_status status = from_this_node(fetch, number, item, rank);
    if (!status) return status;
    first = *fetch->error;
    if (from_servers(fetch, number, item, rank) == PARCAST_OK) return PARCAST_OK;
    if (!elastic_piece_is_here(fetch, rank))
        return parcast_error_set(
            fetch->error, PARCAST_NOT_FOUND, fetch->manifest->pieces[rank].path, 0,
            "the piece of rank %d lies on node '%s', which does not answer, and no other "
            "node has a copy of it",
            rank, fetch->manifest->pieces[rank].node);
    *fetch->error = first;
    return status;
}

parcast_status elastic_mend(parcast_elastic *e, const elastic_manifest *manifest, const char *servers,
                            int64_t *n_bytes, parcast_error *error)
{
    struct fetch fetch = {.e = e, .manifest = manifest, .servers = servers, .error = error};
    fetch.views = calloc((size_t)manifest->n_ranks, sizeof *fetch.views);
    parcast_status status = fetch.views ? PARCAST_OK : elastic_no_memory(error);
    if (!status) status = elastic_fetch_items(&fetch, copy_part);
    for (int r = 0; fetch.views && r < manifest->n_ranks; r++) elastic_piece_close(&fetch.views[r]);
    free(fetch.views);
    *n_bytes = fetch.n_bytes;
    return status;
}
