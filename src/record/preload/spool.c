#include "spool.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { WINDOW_BYTES = 1 << 20, PAGE = SPOOL_HEADER_BYTES };
_Static_assert(sizeof(struct spool_header) <= SPOOL_HEADER_BYTES, "the header is the first page of the file");

struct spool spool;
static char path[sizeof recorder.path];

/* Beyond the limit the kernel would not only refuse but kill the process by a signal. */
static bool within_limit(uint64_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}

/* The file is opened anew each time: a program may close files that it does not know. Blocks are reserved, or
 * a store into a full disk would end in a signal. */
static void *map_piece(int flags, uint64_t offset, size_t size)
{
    void *piece = MAP_FAILED;
    int file = open(path, O_RDWR | O_CLOEXEC | flags, 0666);
    if (file < 0) return MAP_FAILED;
    if (within_limit(offset + size) && posix_fallocate(file, (off_t)offset, (off_t)size) == 0)
        piece = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)offset);
    close(file);
    return piece;
}

bool spool_create(const char *directory, uint64_t world_id, int rank, int n_ranks)
{
    snprintf(path, sizeof path, "%s/%016llx.%d" SPOOL_SUFFIX, directory, (unsigned long long)world_id, rank);
    void *piece = map_piece(O_CREAT | O_TRUNC, 0, SPOOL_HEADER_BYTES);
    if (piece == MAP_FAILED) {
        unlink(path);
        return false;
    }
    struct spool_header *h = piece;
    h->version = SPOOL_VERSION;
    h->byte_order = RAW_BYTE_ORDER;
    h->world_id = world_id;
    h->rank = rank;
    h->n_ranks = n_ranks;
    memcpy(h->magic, SPOOL_MAGIC, sizeof h->magic);
    spool = (struct spool){.header = h, .offset = SPOOL_HEADER_BYTES};
    return true;
}

bool spool_slide(size_t n)
{
    uint64_t place = spool_place(), offset = place / PAGE * PAGE;
    size_t inside = (size_t)(place - offset);
    size_t size = n + inside + 2 > WINDOW_BYTES ? (n + inside + 2 + PAGE - 1) / PAGE * PAGE : WINDOW_BYTES;
    if (!spool.header || spool.header->flags & SPOOL_FULL) return false;
    void *piece = map_piece(0, offset, size);
    if (piece == MAP_FAILED) {
        spool.header->flags |= SPOOL_FULL;
        recorder.traced = false;
        return false;
    }
    if (spool.window) munmap(spool.window, spool.size);
    spool = (struct spool){
        .header = spool.header, .window = piece, .used = inside, .size = size, .offset = offset};
    return true;
}

void spool_put(enum spool_item item, unsigned number, const uint64_t *words, size_t n)
{
    unsigned char *room = spool_room(8 + 8 * n);
    if (!room) return;
    const uint16_t number_16 = (uint16_t)number;
    const uint32_t n_32 = (uint32_t)n;
    memcpy(room + 2, &number_16, sizeof number_16);
    memcpy(room + 4, &n_32, sizeof n_32);
    memcpy(room + 8, words, 8 * n);
    spool_commit(room, (uint16_t)item, 8 + 8 * n);
}

void spool_set_match(uint64_t place, int32_t peer, int32_t tag)
{
    const int32_t match[2] = {peer, tag};
    if (place >= spool.offset) {
        memcpy(spool.window + (place - spool.offset), match, sizeof match);
        return;
    }
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    if (pwrite(file, match, sizeof match, (off_t)place) != sizeof match) spool.header->flags |= SPOOL_FULL;
    close(file);
}

void spool_close(enum raw_end end)
{
    if (!spool.header) return;
    spool.header->end = end;
    spool.header->latest = recorder.header->latest;
    /* The rest of the window stays: another thread may still be in a call. */
    spool.header->bytes = spool_place();
}
