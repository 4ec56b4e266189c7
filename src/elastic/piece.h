/**
 * Piece files: what one rank holds of all saved arrays, with a checksum for each block of the file. The
 * manifest of the checkpoint says how many bytes the data have and what the checksum of the index is.
 * Format: docs/formats/checkpoint.md.
 */
#ifndef PARCAST_ELASTIC_PIECE_H
#define PARCAST_ELASTIC_PIECE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"

enum { ELASTIC_BLOCK_BYTES = 256 * 1024, ELASTIC_ALIGNMENT = 4096 };

/** What a manifest says of a piece. */
typedef struct elastic_piece {
    int rank;
    char node[256];  /* host name of the node whose memory or disk holds it */
    char path[1024]; /* on that node */
    int64_t data_bytes;
    uint64_t index_checksum;
} elastic_piece;

/** One writer, one file. Data are appended; nothing is visible to others before the manifest names it. */
typedef struct elastic_piece_writer elastic_piece_writer;

/**
 * @param[in] durable  flush to the disk before the end
 * @return PARCAST_IO with path and cause; PARCAST_MEMORY
 */
parcast_status elastic_piece_create(const char *path, int64_t epoch, int rank, bool durable,
                                    elastic_piece_writer **writer, parcast_error *error);
parcast_status elastic_piece_append(elastic_piece_writer *writer, const void *data, size_t bytes,
                                    parcast_error *error);
/** Zeros up to the next multiple of ELASTIC_ALIGNMENT: arrays begin there. */
parcast_status elastic_piece_align(elastic_piece_writer *writer, parcast_error *error);
/** Write the index and close; data_bytes and index_checksum of the piece are set. */
parcast_status elastic_piece_finish(elastic_piece_writer **writer, elastic_piece *piece,
                                    parcast_error *error);
/** Give up: the file is removed. */
void elastic_piece_abandon(elastic_piece_writer **writer);

/** A mapped piece. */
typedef struct elastic_piece_view {
    const unsigned char *data;
    int64_t data_bytes;
    const uint64_t *checksums; /* [n_blocks] */
    int64_t n_blocks;
    void *mapped;
    size_t mapped_bytes;
} elastic_piece_view;

/**
 * Map a piece and check its index.
 * @return PARCAST_OK; PARCAST_NOT_FOUND (no such file); PARCAST_FORMAT (cut, of another checkpoint, or the
 *         index does not fit its checksum)
 */
parcast_status elastic_piece_open(const elastic_piece *piece, int64_t epoch, elastic_piece_view *view,
                                  parcast_error *error);
/** Does block `number` fit its checksum? PARCAST_FORMAT names file and block. */
parcast_status elastic_piece_verify(const elastic_piece *piece, const elastic_piece_view *view,
                                    int64_t number, parcast_error *error);
void elastic_piece_close(elastic_piece_view *view);

#endif
