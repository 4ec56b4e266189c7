#include "elastic/piece.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elastic/checksum.h"

/* Behind the data: this, then the checksums. All numbers in the byte order of the machine, which `magic`
 * shows. */
struct index {
    uint64_t magic;
    int64_t epoch;
    int64_t rank;
    int64_t data_bytes;
    uint64_t checksums[];
};
static const uint64_t magic = UINT64_C(0x3143504543524150); /* "PARCEPC1" on little-endian machines */

struct elastic_piece_writer {
    int fd;
    bool durable;
    char *path;
    int64_t epoch;
    int rank;
    int64_t written;      /* bytes in the file, a multiple of the block */
    unsigned char *block; /* [ELASTIC_BLOCK_BYTES] */
    size_t filled;        /* bytes in it */
    uint64_t *checksums;  /* [n_blocks] */
    size_t n_blocks, n_allocated;
};

static parcast_status no_memory(parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "no memory for a checkpoint");
}

static parcast_status cannot_write(const elastic_piece_writer *writer, int why, parcast_error *error)
{
    parcast_error_set(error, PARCAST_IO, writer->path, 0, "cannot write a checkpoint: %s", strerror(why));
    if (why == ENOSPC)
        parcast_error_hint(error, "make room, or keep checkpoints elsewhere with --checkpoints DIR");
    return PARCAST_IO;
}

static void release(elastic_piece_writer **writer)
{
    if ((*writer)->fd >= 0) close((*writer)->fd);
    free((*writer)->path);
    free((*writer)->block);
    free((*writer)->checksums);
    free(*writer);
    *writer = NULL;
}

parcast_status elastic_piece_create(const char *path, int64_t epoch, int rank, bool durable,
                                    elastic_piece_writer **writer, parcast_error *error)
{
    elastic_piece_writer *made = calloc(1, sizeof *made);
    if (!made) return no_memory(error);
    *made = (elastic_piece_writer){.fd = -1, .durable = durable, .epoch = epoch, .rank = rank};
    made->path = strdup(path);
    made->block = malloc(ELASTIC_BLOCK_BYTES);
    if (!made->path || !made->block) {
        release(&made);
        return no_memory(error);
    }
    made->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (made->fd < 0) {
        parcast_status status = cannot_write(made, errno, error);
        release(&made);
        return status;
    }
    *writer = made;
    return PARCAST_OK;
}

static parcast_status write_all(elastic_piece_writer *writer, const void *data, size_t bytes,
                                parcast_error *error)
{
    const unsigned char *from = data;
    while (bytes > 0) {
        ssize_t n = write(writer->fd, from, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return cannot_write(writer, n < 0 ? errno : ENOSPC, error);
        from += n;
        bytes -= (size_t)n;
    }
    return PARCAST_OK;
}

/* A block is summed while it is in the cache for writing. */
static parcast_status write_block(elastic_piece_writer *writer, const void *data, size_t bytes,
                                  parcast_error *error)
{
    if (writer->n_blocks == writer->n_allocated) {
        size_t more = writer->n_allocated ? 2 * writer->n_allocated : 64;
        uint64_t *grown = realloc(writer->checksums, more * sizeof *grown);
        if (!grown) return no_memory(error);
        writer->checksums = grown;
        writer->n_allocated = more;
    }
    writer->checksums[writer->n_blocks++] = elastic_checksum(data, bytes);
    writer->written += (int64_t)bytes;
    return write_all(writer, data, bytes, error);
}

parcast_status elastic_piece_append(elastic_piece_writer *writer, const void *data, size_t bytes,
                                    parcast_error *error)
{
    const unsigned char *from = data;
    while (bytes > 0) {
        size_t part = ELASTIC_BLOCK_BYTES - writer->filled;
        parcast_status status = PARCAST_OK;
        if (bytes < part) part = bytes;
        if (part == ELASTIC_BLOCK_BYTES) {
            status = write_block(writer, from, part, error);
        } else {
            memcpy(writer->block + writer->filled, from, part);
            writer->filled += part;
            if (writer->filled == ELASTIC_BLOCK_BYTES) {
                writer->filled = 0;
                status = write_block(writer, writer->block, ELASTIC_BLOCK_BYTES, error);
            }
        }
        if (status) return status;
        from += part;
        bytes -= part;
    }
    return PARCAST_OK;
}

parcast_status elastic_piece_align(elastic_piece_writer *writer, parcast_error *error)
{
    static const unsigned char zeros[ELASTIC_ALIGNMENT];
    size_t over = writer->filled % ELASTIC_ALIGNMENT;
    return over ? elastic_piece_append(writer, zeros, ELASTIC_ALIGNMENT - over, error) : PARCAST_OK;
}

static parcast_status write_index(elastic_piece_writer *writer, elastic_piece *piece, parcast_error *error)
{
    size_t bytes = sizeof(struct index) + writer->n_blocks * sizeof(uint64_t);
    struct index *index = malloc(bytes);
    if (!index) return no_memory(error);
    *index = (struct index){magic, writer->epoch, writer->rank, writer->written};
    if (writer->n_blocks) memcpy(index->checksums, writer->checksums, writer->n_blocks * sizeof(uint64_t));
    parcast_status status = write_all(writer, index, bytes, error);
    piece->rank = writer->rank;
    piece->data_bytes = writer->written;
    piece->index_checksum = elastic_checksum(index, bytes);
    free(index);
    return status;
}

parcast_status elastic_piece_finish(elastic_piece_writer **writer, elastic_piece *piece, parcast_error *error)
{
    elastic_piece_writer *w = *writer;
    parcast_status status = elastic_piece_align(w, error); /* the index behind it is aligned too */
    if (!status && w->filled) {
        size_t rest = w->filled;
        w->filled = 0;
        status = write_block(w, w->block, rest, error);
    }
    if (!status) status = write_index(w, piece, error);
    if (!status && w->durable && fsync(w->fd) != 0) status = cannot_write(w, errno, error);
    int fd = w->fd;
    w->fd = -1;
    if (close(fd) != 0 && !status) status = cannot_write(w, errno, error);
    if (status)
        elastic_piece_abandon(writer);
    else
        release(writer);
    return status;
}

void elastic_piece_abandon(elastic_piece_writer **writer)
{
    if (!*writer) return;
    unlink((*writer)->path); /* a regular file: it was opened with O_CREAT and written */
    release(writer);
}

/* -------- reading -------- */

static parcast_status bad_piece(const elastic_piece *piece, const char *what, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_FORMAT, piece->path, 0, "the piece of rank %d %s", piece->rank,
                             what);
}

static parcast_status map(const elastic_piece *piece, size_t bytes, void **memory, parcast_error *error)
{
    struct stat file;
    int fd = open(piece->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return parcast_error_set(error, errno == ENOENT ? PARCAST_NOT_FOUND : PARCAST_IO, piece->path, 0,
                                 "cannot open the piece of rank %d: %s", piece->rank, strerror(errno));
    parcast_status status = PARCAST_OK;
    if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode) || file.st_size < 0 ||
        (size_t)file.st_size != bytes) {
        status = bad_piece(piece, "is cut or too long", error);
    } else {
        *memory = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
        if (*memory == MAP_FAILED)
            status =
                parcast_error_set(error, PARCAST_IO, piece->path, 0, "cannot map it: %s", strerror(errno));
    }
    close(fd);
    return status;
}

static parcast_status check_index(const elastic_piece *piece, int64_t epoch, const struct index *index,
                                  size_t bytes, parcast_error *error)
{
    if (elastic_checksum(index, bytes) != piece->index_checksum)
        return bad_piece(piece, "has an index that does not fit its checksum", error);
    if (index->magic != magic || index->epoch != epoch || index->rank != piece->rank ||
        index->data_bytes != piece->data_bytes)
        return bad_piece(piece, "belongs to another checkpoint", error);
    return PARCAST_OK;
}

parcast_status elastic_piece_open(const elastic_piece *piece, int64_t epoch, elastic_piece_view *view,
                                  parcast_error *error)
{
    if (piece->data_bytes < 0 || piece->data_bytes % (int64_t)sizeof(uint64_t) ||
        piece->data_bytes > INT64_MAX / 2)
        return bad_piece(piece, "has an impossible size", error);
    int64_t n_blocks = (piece->data_bytes + ELASTIC_BLOCK_BYTES - 1) / ELASTIC_BLOCK_BYTES;
    size_t index_bytes = sizeof(struct index) + (size_t)n_blocks * sizeof(uint64_t);
    size_t bytes = (size_t)piece->data_bytes + index_bytes;
    void *memory = NULL;
    parcast_status status = map(piece, bytes, &memory, error);
    if (status) return status;
    const void *behind = (const char *)memory + piece->data_bytes;
    const struct index *index = behind;
    status = check_index(piece, epoch, index, index_bytes, error);
    if (status)
        munmap(memory, bytes);
    else
        *view = (elastic_piece_view){memory, piece->data_bytes, index->checksums, n_blocks, memory, bytes};
    return status;
}

parcast_status elastic_piece_verify(const elastic_piece *piece, const elastic_piece_view *view,
                                    int64_t number, parcast_error *error)
{
    int64_t begin = number * ELASTIC_BLOCK_BYTES, bytes = view->data_bytes - begin;
    if (bytes > ELASTIC_BLOCK_BYTES) bytes = ELASTIC_BLOCK_BYTES;
    if (elastic_checksum(view->data + begin, (size_t)bytes) == view->checksums[number]) return PARCAST_OK;
    return parcast_error_set(error, PARCAST_FORMAT, piece->path, 0,
                             "block %lld of the piece of rank %d does not fit its checksum",
                             (long long)number, piece->rank);
}

void elastic_piece_close(elastic_piece_view *view)
{
    if (view->mapped_bytes) munmap(view->mapped, view->mapped_bytes);
    *view = (elastic_piece_view){0};
}
