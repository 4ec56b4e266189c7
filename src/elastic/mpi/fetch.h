/** What fetching from pieces and from their second copies share. */
#ifndef PARCAST_ELASTIC_FETCH_H
#define PARCAST_ELASTIC_FETCH_H

#include "elastic/mpi/internal.h"

struct fetch {
    parcast_elastic *e;
    const elastic_manifest *manifest;
    const char *servers;
    elastic_piece_view *views; /* [manifest ranks] of the local pieces, opened when they are needed */
    int64_t n_bytes;
    parcast_error *error;
};

/* Is the piece of a rank on this node, or on a disk that all see? */
bool elastic_piece_is_here(const struct fetch *fetch, int rank);
/* My part of one array out of the piece of a rank: from a view of it, or from the server that `piece` and
 * `servers` name. */
parcast_status elastic_copy_from_view(struct fetch *fetch, size_t number, const elastic_item *item, int rank,
                                      const elastic_piece_view *view);
parcast_status elastic_copy_from_server(struct fetch *fetch, size_t number, const elastic_item *item,
                                        int rank, const elastic_piece *piece, const char *servers);
/* Calls `copy` for every piece that holds something of mine. */
typedef parcast_status elastic_copy_part(struct fetch *fetch, size_t number, const elastic_item *item,
                                         int rank);
parcast_status elastic_fetch_items(struct fetch *fetch, elastic_copy_part *copy);

/* mend.c: the same where pieces are damaged or out of reach: any copy will do. Slower. */
parcast_status elastic_mend(parcast_elastic *e, const elastic_manifest *manifest, const char *servers,
                            int64_t *n_bytes, parcast_error *error);

#endif
