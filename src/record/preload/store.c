#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ALIGNMENT = 64 };

static size_t lay_out(struct raw_section sections[RAW_N_SECTIONS], int n_ranks)
{
    const struct {
        size_t entries, entry_bytes;
    } shape[RAW_N_SECTIONS] = {
        [RAW_SECTION_NAMES] = {N_FUNCTIONS, sizeof(struct raw_name)},
        [RAW_SECTION_CALLS] = {N_FUNCTIONS, sizeof(struct raw_call)},
        [RAW_SECTION_SIZES] = {(size_t)RAW_CLASSES * RAW_REACHES * RAW_BINS, sizeof(struct raw_size)},
        [RAW_SECTION_COLLECTIVES] = {RAW_COLLECTIVES, sizeof(struct raw_collective)},
        [RAW_SECTION_SITES] = {RAW_SITES, sizeof(struct raw_site)},
        [RAW_SECTION_MODULES] = {RAW_MODULES, sizeof(struct raw_module)},
        [RAW_SECTION_WINDOWS] = {RAW_WINDOWS, sizeof(uint64_t)},
        [RAW_SECTION_PHASES] = {RAW_PHASES, sizeof(struct raw_phase)},
        [RAW_SECTION_PEERS] = {n_ranks < RAW_MAX_PEERS ? (size_t)n_ranks : RAW_MAX_PEERS,
                               sizeof(struct raw_peer)},
    };
    size_t offset = sizeof(struct raw_header);
    for (int i = 0; i < RAW_N_SECTIONS; i++) {
        offset = (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        sections[i] = (struct raw_section){offset, shape[i].entries, (uint32_t)shape[i].entry_bytes, 0};
        offset += shape[i].entries * shape[i].entry_bytes;
    }
    return offset;
}

static void *section(enum raw_section_id id)
{
    return (char *)recorder.header + recorder.header->sections[id].offset;
}

static void place_tables(void)
{
    recorder.calls = section(RAW_SECTION_CALLS);
    recorder.sizes = section(RAW_SECTION_SIZES);
    recorder.collectives = section(RAW_SECTION_COLLECTIVES);
    recorder.sites = section(RAW_SECTION_SITES);
    recorder.modules = section(RAW_SECTION_MODULES);
    recorder.windows = section(RAW_SECTION_WINDOWS);
    recorder.phases = section(RAW_SECTION_PHASES);
    recorder.peers = section(RAW_SECTION_PEERS);
    recorder.peers_capacity = (int)recorder.header->sections[RAW_SECTION_PEERS].entries;
    struct raw_name *names = section(RAW_SECTION_NAMES);
    for (size_t i = 0; i < N_FUNCTIONS; i++)
        snprintf(names[i].text, sizeof names[i].text, "MPI_%s", functions[i].name);
}

static void name_file(char *path, size_t size, const char *directory, uint64_t world_id, int rank)
{
    snprintf(path, size, "%s/%016llx.%d" RAW_SUFFIX, directory, (unsigned long long)world_id, rank);
}

/* Beyond the limit the kernel would not only refuse but kill the process by a signal. */
static bool within_limit(size_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}

/* An empty file stays behind where there is no room: it tells the reader which rank had none. */
static void *map_file(const char *path, size_t bytes)
{
    void *tables = MAP_FAILED;
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return MAP_FAILED;
    if (within_limit(bytes) && posix_fallocate(file, 0, (off_t)bytes) == 0)
        tables = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (tables == MAP_FAILED && ftruncate(file, 0) != 0) unlink(path);
    close(file);
    return tables;
}

bool store_create(const char *directory, uint64_t world_id, int rank, int n_ranks)
{
    struct raw_section sections[RAW_N_SECTIONS];
    size_t bytes = lay_out(sections, n_ranks);
    name_file(recorder.path, sizeof recorder.path, directory, world_id, rank);
    void *tables = map_file(recorder.path, bytes);
    bool in_file = tables != MAP_FAILED;
    if (!in_file) {
        recorder.path[0] = '\0';
        tables = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (tables == MAP_FAILED) return false;
    }
    struct raw_header *h = recorder.header = tables;
    recorder.bytes = bytes;
    h->version = RAW_VERSION;
    h->byte_order = RAW_BYTE_ORDER;
    h->file_bytes = bytes;
    h->world_id = world_id;
    h->rank = rank;
    h->n_ranks = n_ranks;
    h->flags = in_file ? 0 : RAW_UNSAVED;
    memcpy(h->sections, sections, sizeof sections);
    place_tables();
    memcpy(h->magic, RAW_MAGIC, sizeof h->magic);
    return true;
}

bool store_in_file(void)
{
    return recorder.path[0] != '\0';
}

int store_open(const char *directory, uint64_t world_id, int rank)
{
    char path[sizeof recorder.path];
    if (!within_limit(recorder.bytes)) return -1;
    name_file(path, sizeof path, directory, world_id, rank);
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

bool store_append(int file, const void *bytes, size_t n)
{
    const char *rest = bytes;
    while (n > 0) {
        ssize_t written = write(file, rest, n);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        rest += written;
        n -= (size_t)written;
    }
    return true;
}

bool store_close(int file, bool written)
{
    if (file < 0) return false;
    if (!written && ftruncate(file, 0) != 0) written = false;
    return close(file) == 0 && written;
}
