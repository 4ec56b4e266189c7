/* A server of pieces answers whatever is asked by the bytes of its piece or by a refusal, and takes no order
 * whose file could lie elsewhere. The first byte says whose words follow: a rank's,
 * the supervisor's, or those of a server about ranks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "elastic/place.h"
#include "elastic/serve.h"
#include "fuzz.h"

static const char token[] = "0123456789abcdef0123456789abcdef";
static const uint64_t checksum_of_seeds =
    UINT64_C(0x91521ab7fb254782); /* else the seeds that ask for bytes get a refusal */
static char directory[] = "/tmp/parcast-fuzz-serve.XXXXXX", path[64];

static void require(int condition)
{
    if (!condition) abort();
}

static void clean_up(void)
{
    unlink(path);
    rmdir(directory);
}

/* "piece.1.0.x": epoch 1, rank 0, 4096 bytes with the padding. */
static void make_piece(void)
{
    unsigned char data[64];
    elastic_piece_writer *writer;
    elastic_piece piece = {0};
    for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i * 7);
    require(mkdtemp(directory) != NULL);
    snprintf(path, sizeof path, "%s/piece.1.0.x", directory);
    require(elastic_piece_create(path, 1, 0, false, &writer, NULL) == PARCAST_OK);
    require(elastic_piece_append(writer, data, sizeof data, NULL) == PARCAST_OK);
    require(elastic_piece_finish(&writer, &piece, NULL) == PARCAST_OK);
    require(piece.index_checksum == checksum_of_seeds && piece.data_bytes == 4096);
    atexit(clean_up);
}

static void ask(const uint8_t *data, size_t size)
{
    int ends[2];
    const int room = 1 << 22; /* nobody reads what it answers: the piece is small */
    char greeting[64];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) return;
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    int n = snprintf(greeting, sizeof greeting, "token %s\n", token);
    require(write(ends[1], greeting, (size_t)n) == n && write(ends[1], data, size) == (ssize_t)size);
    shutdown(ends[1], SHUT_WR);
    elastic_serve_client(directory, token, ends[0]);
    close(ends[1]);
}

static void order(const uint8_t *data, size_t size)
{
    char line[ELASTIC_LINE_BYTES];
    elastic_order order;
    size_t n = size < sizeof line - 1 ? size : sizeof line - 1;
    memcpy(line, data, n);
    line[n] = '\0';
    if (!elastic_order_read(line, &order) || order.kind != ELASTIC_ORDER_COPY) return;
    require(order.piece.path[0] && order.piece.path[0] != '.' && !strchr(order.piece.path, '/'));
    require(order.piece.rank >= 0 && order.piece.data_bytes >= 0 && strchr(order.source, ' '));
}

static void place(const uint8_t *data, size_t size)
{
    char line[512];
    elastic_found found;
    memcpy(line, data, size);
    line[size] = '\0';
    if (elastic_place_read(line, &found))
        require(found.rank >= 0 && found.process > 0 && found.iteration >= -1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool made;
    if (!made) make_piece();
    made = true;
    if (size < 1 || size > 512) return 0;
    if (data[0] == '3')
        place(data + 1, size - 1);
    else if (data[0] % 2)
        order(data + 1, size - 1);
    else
        ask(data + 1, size - 1);
    return 0;
}
