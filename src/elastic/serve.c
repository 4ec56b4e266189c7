/* The server of a node's pieces: a thread a connection. */
#include "elastic/serve.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "elastic/checksum.h"
#include "elastic/place.h"
#include "elastic/store.h"

struct server {
    const char *directory, *token;
    int output;
};

/* A connection has one piece open at a time and remembers which of its blocks were verified. */
struct client {
    const struct server *server;
    elastic_wire wire;
    elastic_piece piece;
    char file[256]; /* as it was asked for */
    elastic_piece_view view;
    unsigned char *verified; /* [n_blocks] */
    elastic_extent *extents; /* [ELASTIC_BATCH_SPANS] */
    unsigned char *data;     /* [ELASTIC_BATCH_BYTES] */
};

static void close_piece(struct client *client)
{
    elastic_piece_close(&client->view);
    free(client->verified);
    client->verified = NULL;
    client->file[0] = '\0';
}

/* The piece itself, or a second copy of another node's. */
static parcast_status map_piece(struct client *client, elastic_piece *piece, int64_t epoch, const char *file,
                                parcast_error *error)
{
    char copy[ELASTIC_PATH_BYTES];
    parcast_error none;
    int n = snprintf(piece->path, sizeof piece->path, "%s/%s", client->server->directory, file);
    if (n < 0 || (size_t)n >= sizeof piece->path - sizeof ".copy")
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "'%s' is too long", file);
    parcast_status status = elastic_piece_open(piece, epoch, &client->view, error);
    if (!status) return status;
    elastic_copy_path(client->server->directory, piece->path, copy);
    n = snprintf(piece->path, sizeof piece->path, "%s", copy);
    if (n < 0 || (size_t)n >= sizeof piece->path) return status;
    return elastic_piece_open(piece, epoch, &client->view, &none) == PARCAST_OK ? PARCAST_OK : status;
}

static parcast_status open_piece(struct client *client, const elastic_piece *wanted, int64_t epoch,
                                 const char *file, parcast_error *error)
{
    elastic_piece piece = *wanted;
    if (strchr(file, '/') || file[0] == '.')
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "'%s' is not served", file);
    if (strcmp(file, client->file) == 0 && piece.index_checksum == client->piece.index_checksum)
        return PARCAST_OK;
    close_piece(client);
    parcast_status status = map_piece(client, &piece, epoch, file, error);
    if (status) return status;
    client->verified = calloc((size_t)client->view.n_blocks + 1, 1);
    if (!client->verified) {
        close_piece(client);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "no memory");
    }
    client->piece = piece;
    snprintf(client->file, sizeof client->file, "%s", file);
    return PARCAST_OK;
}

static parcast_status verify(struct client *client, const elastic_extent *extent, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    if (extent->offset < 0 || extent->bytes < 1 || extent->bytes > client->view.data_bytes ||
        extent->offset > client->view.data_bytes - extent->bytes)
        return parcast_error_set(error, PARCAST_INVALID, client->piece.path, 0,
                                 "bytes outside the piece were asked for");
    int64_t last = (extent->offset + extent->bytes - 1) / ELASTIC_BLOCK_BYTES;
    for (int64_t b = extent->offset / ELASTIC_BLOCK_BYTES; b <= last && !status; b++) {
        if (client->verified[b]) continue;
        status = elastic_piece_verify(&client->piece, &client->view, b, error);
        client->verified[b] = !status;
    }
    return status;
}

/* All extents into the buffer. */
static parcast_status collect(struct client *client, size_t n, int64_t n_bytes, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    int64_t filled = 0;
    for (size_t i = 0; i < n && !status; i++) {
        const elastic_extent *extent = &client->extents[i];
        status = verify(client, extent, error);
        if (!status && extent->bytes > n_bytes - filled)
            status = parcast_error_set(error, PARCAST_INVALID, NULL, 0, "more bytes than were announced");
        if (status) break;
        memcpy(client->data + filled, client->view.data + extent->offset, (size_t)extent->bytes);
        filled += extent->bytes;
    }
    if (!status && filled != n_bytes)
        status = parcast_error_set(error, PARCAST_INVALID, NULL, 0, "fewer bytes than were announced");
    return status;
}

static bool answer(struct client *client, const char *line)
{
    elastic_piece piece = {0};
    parcast_error error = {0};
    long long epoch, data_bytes, n_bytes;
    unsigned long long sum;
    size_t n;
    char file[256];
    if (sscanf(line, "get %lld %d %lld %llx %zu %lld %255s", &epoch, &piece.rank, &data_bytes, &sum, &n,
               &n_bytes, file) != 7 ||
        n > ELASTIC_BATCH_SPANS || n_bytes < 0 || n_bytes > ELASTIC_BATCH_BYTES)
        return false;
    piece.data_bytes = data_bytes;
    piece.index_checksum = sum;
    if (!elastic_wire_bytes(&client->wire, client->extents, n * sizeof *client->extents)) return false;
    parcast_status status = open_piece(client, &piece, epoch, file, &error);
    if (!status) status = collect(client, n, n_bytes, &error);
    if (status) return elastic_wire_say(&client->wire, "no %s", error.text);
    uint64_t checksum = elastic_checksum(client->data, (size_t)n_bytes);
    return elastic_wire_say(&client->wire, "ok") &&
           elastic_wire_send(&client->wire, client->data, (size_t)n_bytes) &&
           elastic_wire_send(&client->wire, &checksum, sizeof checksum);
}

static bool is_let_in(struct client *client)
{
    char line[ELASTIC_LINE_BYTES], token[64];
    const int patience_ms = 10000;
    return elastic_wire_line(&client->wire, patience_ms, line) == ELASTIC_WIRE_LINE &&
           sscanf(line, "token %63s", token) == 1 && elastic_wire_same_token(token, client->server->token);
}

static void attend(struct client *client)
{
    char line[ELASTIC_LINE_BYTES];
    client->extents = malloc(ELASTIC_BATCH_SPANS * sizeof *client->extents);
    client->data = malloc(ELASTIC_BATCH_BYTES);
    if (client->extents && client->data && is_let_in(client))
        while (elastic_wire_line(&client->wire, -1, line) == ELASTIC_WIRE_LINE && answer(client, line))
            continue;
    close_piece(client);
    elastic_wire_end(&client->wire);
    free(client->extents);
    free(client->data);
}

void elastic_serve_client(const char *directory, const char *token, int fd)
{
    const struct server server = {directory, token, -1};
    struct client client = {.server = &server};
    elastic_wire_begin(&client.wire, fd);
    attend(&client);
}

static void *run_client(void *client)
{
    attend(client);
    free(client);
    return NULL;
}

static void let_in(const struct server *server, int listener)
{
    pthread_t thread;
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    struct client *client = calloc(1, sizeof *client);
    if (!client) {
        close(fd);
        return;
    }
    client->server = server;
    elastic_wire_begin(&client->wire, fd);
    if (pthread_create(&thread, NULL, run_client, client) == 0) {
        pthread_detach(thread);
    } else {
        elastic_wire_end(&client->wire);
        free(client);
    }
}

/* -------- second copies -------- */

struct errand {
    const struct server *server;
    elastic_order order;
};

/* Few at a time: the program needs the network as well. */
static void *run_errand(void *context)
{
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    struct errand *errand = context;
    const elastic_order *order = &errand->order;
    char path[ELASTIC_PATH_BYTES];
    parcast_error error = {0};
    elastic_copy_path(errand->server->directory, order->piece.path, path);
    pthread_mutex_lock(&turn);
    parcast_status status =
        elastic_copy_piece(&order->piece, order->epoch, order->source, errand->server->token, path, &error);
    pthread_mutex_unlock(&turn);
    if (status)
        dprintf(errand->server->output, "uncopied %lld %d %.300s\n", (long long)order->epoch,
                order->piece.rank, error.text);
    else
        dprintf(errand->server->output, "copied %lld %d\n", (long long)order->epoch, order->piece.rank);
    free(errand);
    return NULL;
}

static void go_on_errand(const struct server *server, const elastic_order *order)
{
    pthread_t thread;
    struct errand *errand = malloc(sizeof *errand);
    if (errand) {
        *errand = (struct errand){server, *order};
        if (pthread_create(&thread, NULL, run_errand, errand) == 0) {
            pthread_detach(thread);
            return;
        }
    }
    free(errand);
    dprintf(server->output, "uncopied %lld %d out of memory\n", (long long)order->epoch, order->piece.rank);
}

/* -------- orders -------- */

bool elastic_order_read(const char *line, elastic_order *order)
{
    long long epoch, data_bytes;
    unsigned long long sum;
    char node[256], address[300], file[256];
    *order = (elastic_order){.kind = ELASTIC_ORDER_SWEEP};
    if (sscanf(line, "sweep %lld", &epoch) == 1) {
        order->epoch = epoch;
        return true;
    }
    if (sscanf(line, "places %llx", &sum) == 1 || sscanf(line, "end %llx %d", &sum, &order->launch) == 2) {
        order->kind = line[0] == 'p' ? ELASTIC_ORDER_PLACES : ELASTIC_ORDER_END;
        order->key = sum;
        return true;
    }
    if (sscanf(line, "copy %lld %d %lld %llx %255s %299s %255s", &epoch, &order->piece.rank, &data_bytes,
               &sum, node, address, file) != 7 ||
        data_bytes < 0 || order->piece.rank < 0 || strchr(file, '/') || file[0] == '.')
        return false;
    order->kind = ELASTIC_ORDER_COPY;
    order->epoch = epoch;
    order->piece.data_bytes = data_bytes;
    order->piece.index_checksum = sum;
    snprintf(order->piece.node, sizeof order->piece.node, "%s", node);
    snprintf(order->piece.path, sizeof order->piece.path, "%s", file);
    snprintf(order->source, sizeof order->source, "%s %s\n", node, address);
    return true;
}

static void tell_places(const struct server *server, uint64_t key)
{
    enum { MOST = 1024 };
    elastic_found *found = malloc(MOST * sizeof *found);
    size_t n = found ? elastic_place_find(key, found, MOST) : 0;
    for (size_t i = 0; i < n; i++)
        dprintf(server->output, "place %lld %lld %lld %lld %c\n", (long long)found[i].launch,
                (long long)found[i].rank, (long long)found[i].process, (long long)found[i].iteration,
                found[i].state);
    free(found);
}

static void sweep(const struct server *server, int64_t epoch)
{
    elastic_store_sweep(server->directory, epoch);
    if (epoch == INT64_MAX) rmdir(server->directory); /* it stays if there is something else in it */
}

static void carry_out(const struct server *server, const char *line)
{
    elastic_order order;
    if (!elastic_order_read(line, &order)) return;
    switch (order.kind) {
    case ELASTIC_ORDER_SWEEP:
        sweep(server, order.epoch);
        break;
    case ELASTIC_ORDER_COPY:
        go_on_errand(server, &order);
        break;
    case ELASTIC_ORDER_PLACES:
        tell_places(server, order.key);
        break;
    case ELASTIC_ORDER_END:
        elastic_place_kill(order.key, order.launch);
        break;
    }
}

/* False when the input has ended. */
static bool obey(int input, const struct server *server, char line[ELASTIC_LINE_BYTES], size_t *length)
{
    char byte;
    ssize_t n = read(input, &byte, 1);
    if (n <= 0) return n < 0 && (errno == EINTR || errno == EAGAIN);
    if (byte != '\n') {
        if (*length < ELASTIC_LINE_BYTES - 1) line[(*length)++] = byte;
        return true;
    }
    line[*length] = '\0';
    *length = 0;
    carry_out(server, line);
    return true;
}

parcast_status elastic_serve(const char *directory, const char *token, int input, int output,
                             parcast_error *error)
{
    /* Threads may outlive this call until the process ends: what they use must, too. */
    static struct server server;
    int listener, port;
    char line[ELASTIC_LINE_BYTES], node[256] = "";
    size_t length = 0;
    parcast_status status = elastic_wire_listen(NULL, &listener, &port, error);
    if (status) return status;
    server = (struct server){directory, token, output};
    /* Ranks name their node as the node calls itself; the supervisor may know it by an address. */
    if (gethostname(node, sizeof node) != 0 || dprintf(output, "port %d %s\n", port, node) < 0)
        status = parcast_error_set(error, PARCAST_IO, NULL, 0, "nobody reads the port: %s", strerror(errno));
    while (!status) {
        struct pollfd fds[2] = {{.fd = input, .events = POLLIN}, {.fd = listener, .events = POLLIN}};
        if (poll(fds, 2, -1) < 0 && errno != EINTR) break;
        if (fds[0].revents && !obey(input, &server, line, &length)) break;
        if (fds[1].revents & POLLIN) let_in(&server, listener);
    }
    close(listener);
    return status;
}
