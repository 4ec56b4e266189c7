/* Fetch runs of bytes from the server of another node. */
#include <stdlib.h>
#include <string.h>

#include "elastic/checksum.h"
#include "elastic/serve.h"

enum { ANSWER_MS = 20000 };

bool elastic_request_add(elastic_request *request, int64_t source, int64_t target, int64_t bytes)
{
    request->n_bytes += bytes;
    if (request->n > 0) {
        elastic_span *last = &request->spans[request->n - 1];
        if (last->source + last->bytes == source && last->target + last->bytes == target) {
            last->bytes += bytes;
            return true;
        }
    }
    if (request->n == request->n_allocated) {
        size_t more = request->n_allocated ? 2 * request->n_allocated : 64;
        elastic_span *grown = realloc(request->spans, more * sizeof *grown);
        if (!grown) return false;
        request->spans = grown;
        request->n_allocated = more;
    }
    request->spans[request->n++] = (elastic_span){source, target, bytes};
    return true;
}

void elastic_request_clear(elastic_request *request)
{
    free(request->spans);
    *request = (elastic_request){0};
}

/* -------- one batch: at most so many spans and bytes -------- */

struct batch {
    elastic_extent extents[ELASTIC_BATCH_SPANS];
    int64_t targets[ELASTIC_BATCH_SPANS];
    size_t n;
    int64_t n_bytes;
    unsigned char *data; /* [ELASTIC_BATCH_BYTES] */
};

/* Take spans, and parts of long ones, until the batch is full. */
static void fill(struct batch *batch, const elastic_request *request, int64_t offset, size_t *at,
                 int64_t *done)
{
    batch->n = 0;
    batch->n_bytes = 0;
    while (*at < request->n && batch->n < ELASTIC_BATCH_SPANS && batch->n_bytes < ELASTIC_BATCH_BYTES) {
        const elastic_span *span = &request->spans[*at];
        int64_t bytes = span->bytes - *done, room = ELASTIC_BATCH_BYTES - batch->n_bytes;
        if (bytes > room) bytes = room;
        batch->extents[batch->n] = (elastic_extent){offset + span->source + *done, bytes};
        batch->targets[batch->n++] = span->target + *done;
        batch->n_bytes += bytes;
        *done += bytes;
        if (*done == span->bytes) {
            *done = 0;
            ++*at;
        }
    }
}

static parcast_status broken(const elastic_piece *piece, const char *what, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_IO, piece->path, 0, "the server of node '%s' %s", piece->node,
                             what);
}

static parcast_status receive(elastic_wire *wire, struct batch *batch, const elastic_piece *piece,
                              unsigned char *memory, parcast_error *error)
{
    char line[ELASTIC_LINE_BYTES];
    uint64_t sum;
    elastic_wire_state state = elastic_wire_line(wire, ANSWER_MS, line);
    if (state == ELASTIC_WIRE_NOTHING) return broken(piece, "does not answer", error);
    if (state != ELASTIC_WIRE_LINE) return broken(piece, "closed the connection", error);
    if (strcmp(line, "ok") != 0)
        return parcast_error_set(error, PARCAST_FORMAT, piece->path, 0, "node '%s': %s", piece->node,
                                 strncmp(line, "no ", 3) == 0 ? line + 3 : line);
    if (!elastic_wire_bytes(wire, batch->data, (size_t)batch->n_bytes) ||
        !elastic_wire_bytes(wire, &sum, sizeof sum))
        return broken(piece, "stopped in the middle", error);
    if (elastic_checksum(batch->data, (size_t)batch->n_bytes) != sum)
        return parcast_error_set(error, PARCAST_FORMAT, piece->path, 0,
                                 "data from node '%s' were damaged on the way", piece->node);
    const unsigned char *from = batch->data;
    for (size_t i = 0; i < batch->n; i++) {
        memcpy(memory + batch->targets[i], from, (size_t)batch->extents[i].bytes);
        from += batch->extents[i].bytes;
    }
    return PARCAST_OK;
}

static parcast_status exchange(elastic_wire *wire, struct batch *batch, const elastic_piece *piece,
                               int64_t epoch, unsigned char *memory, parcast_error *error)
{
    const char *slash = strrchr(piece->path, '/');
    if (!elastic_wire_say(wire, "get %lld %d %lld %016llx %zu %lld %s", (long long)epoch, piece->rank,
                          (long long)piece->data_bytes, (unsigned long long)piece->index_checksum, batch->n,
                          (long long)batch->n_bytes, slash ? slash + 1 : piece->path) ||
        !elastic_wire_send(wire, batch->extents, batch->n * sizeof *batch->extents))
        return broken(piece, "does not listen", error);
    return receive(wire, batch, piece, memory, error);
}

/* "NODE HOST:PORT" among the lines. */
static parcast_status connect_to(elastic_wire *wire, const char *servers, const char *token,
                                 const elastic_piece *piece, parcast_error *error)
{
    size_t length = strlen(piece->node);
    for (const char *line = servers; line && *line;) {
        size_t n = strcspn(line, "\n");
        if (n > length + 1 && n < length + 300 && strncmp(line, piece->node, length) == 0 &&
            line[length] == ' ') {
            char address[300];
            memcpy(address, line + length + 1, n - length - 1);
            address[n - length - 1] = '\0';
            parcast_status status = elastic_wire_connect(wire, address, error);
            if (!status && !elastic_wire_say(wire, "token %s", token))
                status = broken(piece, "does not listen", error);
            return status;
        }
        line += n + (line[n] == '\n');
    }
    return parcast_error_set(error, PARCAST_NOT_FOUND, piece->path, 0,
                             "the piece of rank %d lies on node '%s', which does not answer", piece->rank,
                             piece->node);
}

parcast_status elastic_request_fetch(const elastic_request *request, const char *servers, const char *token,
                                     const elastic_piece *piece, int64_t epoch, int64_t offset, void *memory,
                                     parcast_error *error)
{
    elastic_wire wire = {.fd = -1};
    struct batch *batch = malloc(sizeof *batch);
    size_t at = 0;
    int64_t done = 0;
    parcast_status status = PARCAST_OK;
    if (batch) batch->data = malloc(ELASTIC_BATCH_BYTES);
    if (!batch || !batch->data)
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "no memory to fetch a piece");
    if (!status) status = connect_to(&wire, servers, token, piece, error);
    while (!status && at < request->n) {
        fill(batch, request, offset, &at, &done);
        status = exchange(&wire, batch, piece, epoch, memory, error);
    }
    elastic_wire_end(&wire);
    if (batch) free(batch->data);
    free(batch);
    return status;
}
