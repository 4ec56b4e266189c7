#include "raw.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "raw_format.h"
#include "raw_tables.h"

_Static_assert(sizeof((struct raw_name *)0)->text == sizeof((parcast_profile_call *)0)->name,
               "names have one length");

static const size_t entry_bytes[RAW_N_SECTIONS] = {
    [RAW_SECTION_NAMES] = sizeof(struct raw_name), [RAW_SECTION_CALLS] = sizeof(struct raw_call),
    [RAW_SECTION_SIZES] = sizeof(struct raw_size), [RAW_SECTION_COLLECTIVES] = sizeof(struct raw_collective),
    [RAW_SECTION_SITES] = sizeof(struct raw_site), [RAW_SECTION_MODULES] = sizeof(struct raw_module),
    [RAW_SECTION_WINDOWS] = sizeof(uint64_t),      [RAW_SECTION_PHASES] = sizeof(struct raw_phase),
    [RAW_SECTION_PEERS] = sizeof(struct raw_peer),
};

static parcast_status damaged(const char *source, parcast_error *error, const char *what)
{
    return parcast_error_set(error, PARCAST_FORMAT, source, 0, "damaged raw profile: %s", what);
}

static bool terminated(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

/* Every section lies inside the file and has entries of the size that this version has. */
static const char *check_sections(const struct raw_header *h, size_t size)
{
    for (int i = 0; i < RAW_N_SECTIONS; i++) {
        const struct raw_section *s = &h->sections[i];
        if (s->entry_bytes != entry_bytes[i]) return "entries of a section have the wrong size";
        if (s->offset < sizeof *h || s->offset > size || s->offset % 8 != 0) return "a section lies outside";
        if (s->entries > (size - s->offset) / s->entry_bytes) return "a section is longer than the file";
    }
    if (h->sections[RAW_SECTION_NAMES].entries != h->sections[RAW_SECTION_CALLS].entries)
        return "numbers of names and calls differ";
    if (h->sections[RAW_SECTION_SIZES].entries != (uint64_t)RAW_CLASSES * RAW_REACHES * RAW_BINS)
        return "the histogram has the wrong size";
    return NULL;
}

static const char *check_header(const struct raw_header *h)
{
    if (h->n_ranks < 1 || h->rank < 0 || h->rank >= h->n_ranks) return "the rank is not in the world";
    if (h->end > RAW_END_FINALIZED) return "unknown end";
    if (h->window_shift > 63) return "windows are too wide";
    if (h->phase >= h->sections[RAW_SECTION_PHASES].entries) return "the phase does not exist";
    if (!terminated(h->host, sizeof h->host) || !terminated(h->mpi, sizeof h->mpi) ||
        !terminated(h->mpi_version, sizeof h->mpi_version) || !terminated(h->mpi_text, sizeof h->mpi_text))
        return "a text has no end";
    return NULL;
}

static parcast_status check(const struct raw_header *h, size_t size, const char *source, parcast_error *error)
{
    if (size < sizeof *h || memcmp(h->magic, RAW_MAGIC, sizeof h->magic) != 0)
        return parcast_error_set(error, PARCAST_FORMAT, source, 0, "not a raw profile");
    if (h->byte_order != RAW_BYTE_ORDER || h->version != RAW_VERSION)
        return parcast_error_set(error, PARCAST_FORMAT, source, 0,
                                 "raw profile of another version or byte order (version %u)", h->version);
    if (h->file_bytes != size) return damaged(source, error, "it has been cut");
    const char *wrong = check_sections(h, size);
    if (!wrong) wrong = check_header(h);
    return wrong ? damaged(source, error, wrong) : PARCAST_OK;
}

/* The two stamps that are farthest apart give the rate of the ticks. */
static double seconds_per_tick(const struct raw_header *h)
{
    const struct raw_stamp *last = h->stop.ticks ? &h->stop : &h->latest;
    const struct raw_stamp *first =
        last->monotonic_ns > h->start.monotonic_ns + 10000000 ? &h->start : &h->load;
    if (last->ticks <= first->ticks || last->monotonic_ns <= first->monotonic_ns) return 1e-9;
    return 1e-9 * (double)(last->monotonic_ns - first->monotonic_ns) / (double)(last->ticks - first->ticks);
}

static uint64_t window_end(const struct raw_header *h)
{
    uint64_t end = h->stop.ticks ? h->stop.ticks : h->last_ticks;
    return end > h->start.ticks ? end : h->start.ticks;
}

static double difference_s(uint64_t later_ns, uint64_t earlier_ns)
{
    return later_ns > earlier_ns ? 1e-9 * (double)(later_ns - earlier_ns) : 0;
}

static void read_place(const struct raw_header *h, parcast_rank_profile *p)
{
    p->world_id = h->world_id;
    p->spawned = h->flags & RAW_SPAWNED;
    p->rank = h->rank;
    p->n_ranks = h->n_ranks;
    p->node = h->node;
    p->n_nodes = h->n_nodes;
    memcpy(p->host, h->host, sizeof p->host);
    p->pid = h->pid;
    p->launcher_pid = h->launcher_pid;
    p->core = h->core;
    p->allowed_cores = h->allowed_cores;
    p->node_allowed_cores = h->node_allowed_cores;
    p->node_cores = h->node_cores;
    p->node_logical_cores = h->node_logical_cores;
    p->node_sockets = h->node_sockets;
    p->node_ranks = h->node_ranks;
    p->node_memory_bytes = h->node_memory_bytes ? (double)h->node_memory_bytes : NAN;
    p->calibration = h->calibration > 0 && isfinite(h->calibration) ? h->calibration : NAN;
    p->load_average = h->load_average >= 0 && isfinite(h->load_average) ? h->load_average : NAN;
}

static void read_kind(const struct raw_header *h, parcast_rank_profile *p)
{
    static const parcast_profile_end ends[] = {
        [RAW_END_LOST] = PARCAST_END_LOST,
        [RAW_END_EXITED] = PARCAST_END_EXITED,
        [RAW_END_ABORTED] = PARCAST_END_ABORTED,
        [RAW_END_FINALIZED] = PARCAST_END_FINALIZED,
    };
    memcpy(p->mpi, h->mpi, sizeof p->mpi);
    memcpy(p->mpi_version, h->mpi_version, sizeof p->mpi_version);
    memcpy(p->mpi_text, h->mpi_text, sizeof p->mpi_text);
    p->thread_level_asked = h->thread_level_asked;
    p->thread_level = h->thread_level;
    p->n_threads = h->n_threads;
    p->end = ends[h->end];
    p->complete = h->end == RAW_END_FINALIZED;
    p->oversubscribed = h->flags & RAW_OVERSUBSCRIBED;
    p->uncounted = h->flags & RAW_UNCOUNTED;
    p->unsaved = h->flags & RAW_UNSAVED;
    p->lost_sites = h->lost_sites;
    p->lost_peers = h->lost_peers;
    p->lost_collectives = h->lost_collectives;
    p->lost_requests = h->lost_requests;
}

static void read_times(const struct raw_header *h, double tick_s, parcast_rank_profile *p)
{
    uint64_t end = window_end(h);
    p->start_unix_s = 1e-9 * (double)h->start_unix_ns;
    p->time_s = tick_s * (double)(end - h->start.ticks);
    p->startup_s = 1e-9 * (double)h->startup_ns;
    p->shutdown_s = h->shutdown_ticks ? tick_s * (double)h->shutdown_ticks : NAN;
    p->mpi_s = tick_s * (double)h->main.mpi;
    p->io_s = tick_s * (double)h->main.io;
    p->compute_wall_s = p->time_s > p->mpi_s ? p->time_s - p->mpi_s : 0;
    p->compute_s = tick_s * (double)h->main.gap;
    p->other_threads_mpi_s = tick_s * (double)h->others.mpi;
    p->other_threads_compute_s = tick_s * (double)h->others.gap;
    p->cpu_s = difference_s(h->usage_latest.process_cpu_ns, h->usage_start.process_cpu_ns);
    p->thread_cpu_s = difference_s(h->usage_latest.thread_cpu_ns, h->usage_start.thread_cpu_ns);
    p->switches_voluntary = h->usage_latest.voluntary - h->usage_start.voluntary;
    p->switches_involuntary = h->usage_latest.involuntary - h->usage_start.involuntary;
    p->peak_memory_bytes = (double)h->usage_latest.peak_memory_bytes;
    p->n_rounds = h->n_rounds;
    p->n_cycles = h->n_cycles;
    p->cycle_s = tick_s * (double)h->cycle_mark;
    p->cycle_sq_s2 = tick_s * tick_s * (isfinite(h->cycle_sq) ? h->cycle_sq : 0);
    p->cycle_min_s = tick_s * (double)h->cycle_min;
    p->cycle_max_s = tick_s * (double)h->cycle_max;
}

parcast_status parcast_raw_read(const void *bytes, size_t size, const char *source,
                                parcast_rank_profile *profile, parcast_error *error)
{
    struct raw_header header;
    if (size < sizeof header)
        return parcast_error_set(error, PARCAST_FORMAT, source, 0, "not a raw profile: too short");
    memcpy(&header, bytes, sizeof header);
    parcast_status status = check(&header, size, source, error);
    if (status) return status;
    parcast_rank_profile p = {0};
    double tick_s = seconds_per_tick(&header);
    read_place(&header, &p);
    read_kind(&header, &p);
    read_times(&header, tick_s, &p);
    struct raw_view view = {
        .bytes = bytes, .header = &header, .tick_s = tick_s, .end_ticks = window_end(&header)};
    status = raw_read_tables(&view, source, &p, error);
    if (status) {
        parcast_profile_clear(&p);
        return status;
    }
    *profile = p;
    return PARCAST_OK;
}

/* WORLD.RANK.parcast-raw of an empty file: the rank had no room for its record. */
static bool empty_profile(const char *name, parcast_rank_profile *p)
{
    unsigned long long world;
    int rank, end = 0;
    if (sscanf(name, "%16llx.%d" RAW_SUFFIX "%n", &world, &rank, &end) != 2 || end == 0 ||
        name[end] != '\0' || rank < 0)
        return false;
    *p = (parcast_rank_profile){.world_id = world,
                                .rank = rank,
                                .n_ranks = rank + 1,
                                .unsaved = true,
                                .end = PARCAST_END_LOST,
                                .core = -1};
    p->time_s = p->startup_s = p->shutdown_s = p->mpi_s = p->wait_s = p->io_s = p->compute_s = NAN;
    p->compute_wall_s = p->cpu_s = p->thread_cpu_s = p->calibration = p->load_average = NAN;
    p->node_memory_bytes = p->start_unix_s = NAN;
    return true;
}

static parcast_status read_whole(const char *path, void **bytes, size_t *size, parcast_error *error)
{
    struct stat info;
    size_t n = 0;
    char *buffer = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &info) != 0) goto fail;
    buffer = malloc((size_t)info.st_size + 1);
    if (!buffer) goto fail;
    while (n < (size_t)info.st_size) {
        ssize_t got = read(file, buffer + n, (size_t)info.st_size - n);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) goto fail;
        if (got == 0) break;
        n += (size_t)got;
    }
    close(file);
    *bytes = buffer;
    *size = n;
    return PARCAST_OK;

fail:
    parcast_error_set(error, PARCAST_IO, path, 0, "cannot read '%s': %s", path, strerror(errno));
    free(buffer);
    if (file >= 0) close(file);
    return PARCAST_IO;
}

static parcast_status read_file(const char *directory, const char *name, parcast_rank_profile *profile,
                                parcast_error *error)
{
    char path[4096];
    void *bytes;
    size_t size;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    parcast_status status = read_whole(path, &bytes, &size, error);
    if (status) return status;
    if (size == 0 && empty_profile(name, profile))
        status = PARCAST_OK;
    else
        status = parcast_raw_read(bytes, size, path, profile, error);
    free(bytes);
    return status;
}

/* A rank without a record has no start: its world's place in time is that of the others. */
static double start_of_world(const parcast_rank_profile *profiles, size_t n, uint64_t world_id)
{
    double start_s = INFINITY;
    for (size_t i = 0; i < n; i++)
        if (profiles[i].world_id == world_id && profiles[i].start_unix_s < start_s)
            start_s = profiles[i].start_unix_s;
    return start_s;
}

struct keyed {
    double world_start_s;
    parcast_rank_profile profile;
};

static int compare_keyed(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->world_start_s != y->world_start_s) return x->world_start_s < y->world_start_s ? -1 : 1;
    if (x->profile.world_id != y->profile.world_id) return x->profile.world_id < y->profile.world_id ? -1 : 1;
    return (x->profile.rank > y->profile.rank) - (x->profile.rank < y->profile.rank);
}

static parcast_status sort_profiles(parcast_rank_profile *profiles, size_t n, parcast_error *error)
{
    struct keyed *keyed = calloc(n ? n : 1, sizeof *keyed);
    if (!keyed) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %zu profiles", n);
    for (size_t i = 0; i < n; i++)
        keyed[i] = (struct keyed){start_of_world(profiles, n, profiles[i].world_id), profiles[i]};
    qsort(keyed, n, sizeof *keyed, compare_keyed);
    for (size_t i = 0; i < n; i++) profiles[i] = keyed[i].profile;
    free(keyed);
    return PARCAST_OK;
}

static bool has_suffix(const char *name)
{
    size_t length = strlen(name), suffix = strlen(RAW_SUFFIX);
    return length > suffix && strcmp(name + length - suffix, RAW_SUFFIX) == 0;
}

static parcast_status read_all(DIR *stream, const char *directory, parcast_rank_profile **profiles, size_t *n,
                               parcast_error *error)
{
    size_t capacity = 0;
    const struct dirent *entry;
    while ((entry = readdir(stream))) {
        if (!has_suffix(entry->d_name)) continue;
        if (*n == capacity) {
            capacity = capacity ? 2 * capacity : 16;
            parcast_rank_profile *more = realloc(*profiles, capacity * sizeof *more);
            if (!more)
                return parcast_error_set(error, PARCAST_MEMORY, directory, 0, "out of memory for profiles");
            *profiles = more;
        }
        (*profiles)[*n] = (parcast_rank_profile){0};
        parcast_status status = read_file(directory, entry->d_name, &(*profiles)[*n], error);
        if (status) return status;
        (*n)++;
    }
    return sort_profiles(*profiles, *n, error);
}

parcast_status parcast_raw_read_directory(const char *directory, parcast_rank_profile **profiles, size_t *n,
                                          parcast_error *error)
{
    parcast_rank_profile *list = NULL;
    size_t n_list = 0;
    DIR *stream = opendir(directory);
    if (!stream)
        return parcast_error_set(error, PARCAST_IO, directory, 0, "cannot open directory '%s': %s", directory,
                                 strerror(errno));
    parcast_status status = read_all(stream, directory, &list, &n_list, error);
    closedir(stream);
    if (status) {
        parcast_profiles_destroy(&list, n_list);
        return status;
    }
    *profiles = list;
    *n = n_list;
    return PARCAST_OK;
}
