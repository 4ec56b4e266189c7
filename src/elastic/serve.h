/**
 * The server of a node's pieces, and its clients: ranks on other nodes that fetch runs of bytes. Every rank
 * asks the server of the node where a piece lies; there is no central one.
 * Words: docs/formats/elastic-control.md.
 */
#ifndef PARCAST_ELASTIC_SERVE_H
#define PARCAST_ELASTIC_SERVE_H

#include "elastic/piece.h"
#include "elastic/wire.h"

enum { ELASTIC_BATCH_SPANS = 1 << 15, ELASTIC_BATCH_BYTES = 4 << 20 };

/** Bytes of a piece, as a message names them. */
typedef struct elastic_extent {
    int64_t offset, bytes;
} elastic_extent;

/** Bytes of a piece, and where they go. */
typedef struct elastic_span {
    int64_t source; /* in the array's part of the piece */
    int64_t target; /* in memory */
    int64_t bytes;
} elastic_span;

typedef struct elastic_request {
    elastic_span *spans;
    size_t n, n_allocated;
    int64_t n_bytes;
} elastic_request;

/** Runs that touch on both sides become one. False without memory. */
bool elastic_request_add(elastic_request *request, int64_t source, int64_t target, int64_t bytes);
void elastic_request_clear(elastic_request *request);

/**
 * Fetch all spans of one piece.
 * @param[in]  servers lines "NODE HOST:PORT"
 * @param[in]  offset  of the array in the piece
 * @param[out] memory  spans go to memory + target
 * @return PARCAST_NOT_FOUND (no server for the node); PARCAST_IO; PARCAST_FORMAT (damaged piece, or damaged
 *         on the way)
 */
parcast_status elastic_request_fetch(const elastic_request *request, const char *servers, const char *token,
                                     const elastic_piece *piece, int64_t epoch, int64_t offset, void *memory,
                                     parcast_error *error);

enum { ELASTIC_PATH_BYTES = sizeof(((elastic_piece *)0)->path) };

/** Where the second copy of a piece lies in the directory of another node. */
void elastic_copy_path(const char *directory, const char *piece_path, char path[ELASTIC_PATH_BYTES]);

/**
 * Make a second copy of a piece.
 * @param[in] server line "NODE HOST:PORT" of the node where the piece lies
 * @param[in] path   of the copy; removed on failure
 * @return as elastic_request_fetch; PARCAST_IO when it cannot be written
 */
parcast_status elastic_copy_piece(const elastic_piece *piece, int64_t epoch, const char *server,
                                  const char *token, const char *path, parcast_error *error);

/**
 * Serve the pieces of a directory until `input` ends. Says "port N" on `output` first.
 * @param[in] directory only files directly in it are served
 */
parcast_status elastic_serve(const char *directory, const char *token, int input, int output,
                             parcast_error *error);

/** Serve one connection until it ends; `fd` does not block and is closed. */
void elastic_serve_client(const char *directory, const char *token, int fd);

typedef enum elastic_order_kind {
    ELASTIC_ORDER_SWEEP,  /* remove pieces of epochs before this one */
    ELASTIC_ORDER_COPY,   /* make a second copy */
    ELASTIC_ORDER_PLACES, /* tell where the ranks on this node are */
    ELASTIC_ORDER_END     /* kill those of a launch */
} elastic_order_kind;

/** What the supervisor tells a server. */
typedef struct elastic_order {
    elastic_order_kind kind;
    int64_t epoch;
    uint64_t key; /* of the run, see place.h */
    int launch;
    elastic_piece piece; /* as the server of its node knows it; the path is a name */
    char source[600];    /* line of that server */
} elastic_order;

/** "sweep EPOCH", "copy EPOCH RANK BYTES CHECKSUM NODE HOST:PORT FILE", "places KEY", "end KEY LAUNCH";
 * false: none. */
bool elastic_order_read(const char *line, elastic_order *order);

#endif
