/* The second copy of a piece, on another node: fetched from the server of the first one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elastic/serve.h"

enum { PART_BYTES = 4 * ELASTIC_BATCH_BYTES };

struct copying {
    const elastic_piece *piece;
    const char *server, *token;
    int64_t epoch;
    unsigned char *part; /* [PART_BYTES] */
    elastic_piece_writer *writer;
};

static parcast_status copy_data(struct copying *copying, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (int64_t at = 0; at < copying->piece->data_bytes && !status;) {
        int64_t left = copying->piece->data_bytes - at, bytes = left < PART_BYTES ? left : PART_BYTES;
        elastic_request request = {0};
        if (!elastic_request_add(&request, at, 0, bytes))
            status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "no memory");
        if (!status)
            status = elastic_request_fetch(&request, copying->server, copying->token, copying->piece,
                                           copying->epoch, 0, copying->part, error);
        if (!status) status = elastic_piece_append(copying->writer, copying->part, (size_t)bytes, error);
        elastic_request_clear(&request);
        at += bytes;
    }
    return status;
}

/* The index is made anew: that it has the checksum of the first one shows that all data are the same. */
static parcast_status finish(struct copying *copying, const char *path, parcast_error *error)
{
    elastic_piece copy = {0};
    parcast_status status = elastic_piece_finish(&copying->writer, &copy, error);
    if (status || copy.index_checksum == copying->piece->index_checksum) return status;
    unlink(path); /* the regular file that was just written */
    return parcast_error_set(error, PARCAST_FORMAT, path, 0, "the copy differs from the piece of rank %d",
                             copying->piece->rank);
}

parcast_status elastic_copy_piece(const elastic_piece *piece, int64_t epoch, const char *server,
                                  const char *token, const char *path, parcast_error *error)
{
    struct copying copying = {.piece = piece, .server = server, .token = token, .epoch = epoch};
    copying.part = malloc(PART_BYTES);
    if (!copying.part) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "no memory");
    parcast_status status = elastic_piece_create(path, epoch, piece->rank, false, &copying.writer, error);
    if (!status) status = copy_data(&copying, error);
    if (!status)
        status = finish(&copying, path, error);
    else
        elastic_piece_abandon(&copying.writer);
    free(copying.part);
    return status;
}

void elastic_copy_path(const char *directory, const char *piece_path, char path[ELASTIC_PATH_BYTES])
{
    const char *slash = strrchr(piece_path, '/');
    snprintf(path, ELASTIC_PATH_BYTES, "%s/%s.copy", directory, slash ? slash + 1 : piece_path);
}
