/*
 * Copy my part of the arrays out of the memory of the ranks that hold them (process_vm_readv, Linux 3.2): as
 * quick as memcpy, for it is one. Long runs go straight to their place, far ones many with a call; short
 * ones that lie close to each other come by a window, for a system call takes as long as the copy of some
 * thousand bytes, and so does a run of its own in one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "elastic/checksum.h"
#include "elastic/mpi/held.h"

enum {
    WINDOW_BYTES = 1 << 20,
    AHEAD_BYTES = 64 << 10, /* read at least, if the array has them: the next runs lie there */
    LONG_BYTES = 64 << 10,
    FAR_BYTES = 4 << 10, /* between two runs */
    CALL_RUNS = 512,
    CALL_BYTES = 1 << 30
};

struct pull {
    parcast_elastic *e;
    const elastic_manifest *manifest;
    elastic_table **tables; /* [manifest ranks] those that were needed */
    unsigned char *window;  /* [WINDOW_BYTES] */
    int64_t n_bytes;
    parcast_error *error;
};

/* One array of one rank. */
struct source {
    struct pull *pull;
    const elastic_piece *piece;
    size_t number;
    int64_t bytes, window_begin, window_end; /* of the array; what of it is in the window */
    uint64_t address;                        /* 0: not looked up yet */
    unsigned char *to;
    parcast_status status;
};

/* -------- the memory of another process -------- */

static parcast_status cannot_read(const struct pull *pull, const elastic_piece *piece, int why)
{
    return parcast_error_set(pull->error, PARCAST_IO, NULL, 0, "cannot read the memory of rank %d (%s): %s",
                             piece->rank, piece->path, strerror(why));
}

static bool parse_path(const char *path, long *process, uint64_t *address)
{
    char *end;
    errno = 0;
    *process = strtol(path + 1, &end, 10);
    if (path[0] != '@' || errno || *process < 1 || *end != ':') return false;
    *address = strtoull(end + 1, &end, 16);
    return !errno && *end == '\0' && *address != 0;
}

static parcast_status read_memory(const struct pull *pull, const elastic_piece *piece, uint64_t address,
                                  void *to, size_t bytes)
{
    long process;
    uint64_t table;
    if (!parse_path(piece->path, &process, &table)) return cannot_read(pull, piece, EINVAL);
    for (size_t done = 0; done < bytes;) {
        size_t part = bytes - done < CALL_BYTES ? bytes - done : CALL_BYTES;
        struct iovec here = {(char *)to + done, part};
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): an address in another process */
        struct iovec there = {(void *)(uintptr_t)(address + done), part};
        ssize_t n = process_vm_readv((pid_t)process, &here, 1, &there, 1, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return cannot_read(pull, piece, n < 0 ? errno : EFAULT);
        done += (size_t)n;
    }
    return PARCAST_OK;
}

/* A process that has the number of one that is gone does not have its table. */
static parcast_status read_table(struct pull *pull, int rank)
{
    const elastic_piece *piece = &pull->manifest->pieces[rank];
    size_t n = pull->manifest->n_arrays, bytes = elastic_table_bytes(n);
    long process;
    uint64_t address;
    if (!parse_path(piece->path, &process, &address)) return cannot_read(pull, piece, EINVAL);
    elastic_table *table = calloc(1, bytes);
    if (!table) return elastic_no_memory(pull->error);
    parcast_status status = read_memory(pull, piece, address, table, bytes);
    if (!status && (elastic_checksum(table, bytes) != piece->index_checksum ||
                    table->magic != elastic_table_magic || table->rank != rank || table->n != (int64_t)n))
        status = parcast_error_set(pull->error, PARCAST_FORMAT, NULL, 0,
                                   "the memory of rank %d holds something else", rank);
    if (status)
        free(table);
    else
        pull->tables[rank] = table;
    return status;
}

static parcast_status look_up(struct source *source)
{
    struct pull *pull = source->pull;
    int rank = source->piece->rank;
    parcast_status status = pull->tables[rank] ? PARCAST_OK : read_table(pull, rank);
    if (status) return status;
    const elastic_held_array *held = &pull->tables[rank]->arrays[source->number];
    if (held->bytes != source->bytes)
        return parcast_error_set(pull->error, PARCAST_FORMAT, NULL, 0, "rank %d holds another shape", rank);
    source->address = held->address;
    return PARCAST_OK;
}

/* -------- runs -------- */

static parcast_status copy_long(struct source *source, const elastic_strided *runs)
{
    parcast_status status = PARCAST_OK;
    for (int64_t i = 0; i < runs->count && !status; i++)
        status = read_memory(source->pull, source->piece,
                             source->address + (uint64_t)(runs->source + i * runs->source_step),
                             source->to + runs->target + i * runs->target_step, (size_t)runs->bytes);
    return status;
}

/* So many runs from the first-th on. */
static parcast_status read_many(struct source *source, const elastic_strided *runs, int64_t first, size_t n)
{
    struct iovec here[CALL_RUNS], there[CALL_RUNS];
    long process;
    uint64_t table;
    if (!parse_path(source->piece->path, &process, &table))
        return cannot_read(source->pull, source->piece, EINVAL);
    for (size_t i = 0; i < n; i++) {
        int64_t number = first + (int64_t)i;
        uint64_t from = source->address + (uint64_t)(runs->source + number * runs->source_step);
        here[i] = (struct iovec){source->to + runs->target + number * runs->target_step, (size_t)runs->bytes};
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): an address in another process */
        there[i] = (struct iovec){(void *)(uintptr_t)from, (size_t)runs->bytes};
    }
    ssize_t done;
    do done = process_vm_readv((pid_t)process, here, n, there, n, 0);
    while (done < 0 && errno == EINTR);
    if (done == (ssize_t)n * (ssize_t)runs->bytes) return PARCAST_OK;
    return cannot_read(source->pull, source->piece, done < 0 ? errno : EFAULT);
}

static parcast_status copy_far(struct source *source, const elastic_strided *runs)
{
    parcast_status status = PARCAST_OK;
    for (int64_t i = 0; i < runs->count && !status; i += CALL_RUNS) {
        int64_t left = runs->count - i;
        status = read_many(source, runs, i, (size_t)(left < CALL_RUNS ? left : CALL_RUNS));
    }
    return status;
}

/* `wanted` bytes and what may come next; runs ascend in the source as they do in the target. */
static parcast_status fill_window(struct source *source, int64_t from, int64_t wanted)
{
    int64_t more = wanted > AHEAD_BYTES ? wanted : AHEAD_BYTES;
    if (more > WINDOW_BYTES) more = WINDOW_BYTES;
    if (more > source->bytes - from) more = source->bytes - from;
    source->window_begin = source->window_end = 0;
    parcast_status status = read_memory(source->pull, source->piece, source->address + (uint64_t)from,
                                        source->pull->window, (size_t)more);
    if (status) return status;
    source->window_begin = from;
    source->window_end = from + more;
    return status;
}

static parcast_status copy_close(struct source *source, elastic_strided runs)
{
    while (runs.count > 0) {
        int64_t extent = (runs.count - 1) * runs.source_step + runs.bytes;
        if (runs.source < source->window_begin || runs.source + runs.bytes > source->window_end) {
            parcast_status status = fill_window(source, runs.source, extent);
            if (status) return status;
        }
        elastic_strided part = runs;
        int64_t room = source->window_end - runs.source - runs.bytes;
        if (runs.count > 1 && room / runs.source_step + 1 < runs.count)
            part.count = room / runs.source_step + 1;
        part.source -= source->window_begin;
        elastic_copy_strided(source->to, source->pull->window, &part);
        runs.count -= part.count;
        runs.source += part.count * runs.source_step;
        runs.target += part.count * runs.target_step;
    }
    return PARCAST_OK;
}

static bool copy_runs(void *context, const elastic_strided *runs)
{
    struct source *source = context;
    if (!source->address) source->status = look_up(source);
    if (source->status) return false;
    if (runs->bytes >= LONG_BYTES)
        source->status = copy_long(source, runs);
    else if (runs->count > 1 && runs->source_step - runs->bytes >= FAR_BYTES)
        source->status = copy_far(source, runs);
    else
        source->status = copy_close(source, *runs);
    source->pull->n_bytes += runs->bytes * runs->count;
    return source->status == PARCAST_OK;
}

static parcast_status pull_from(struct pull *pull, size_t number, const elastic_item *item,
                                const elastic_layout *layout, int rank)
{
    struct source source = {.pull = pull,
                            .piece = &pull->manifest->pieces[rank],
                            .number = number,
                            .bytes = elastic_layout_bytes(layout, rank),
                            .to = item->array.data};
    parcast_status status =
        elastic_walk(layout, rank, &item->layout, pull->e->rank, copy_runs, &source, pull->error);
    return status == PARCAST_INTERRUPTED ? source.status : status;
}

static parcast_status pull_item(struct pull *pull, const elastic_item *item)
{
    const elastic_manifest *manifest = pull->manifest;
    const elastic_saved_array *saved = elastic_manifest_array(manifest, item->name);
    size_t number = (size_t)(saved - manifest->arrays);
    int own = pull->e->rank % manifest->n_ranks;
    /* Of what every rank holds whole any rank will do. */
    if (item->layout.dims[0].kind == PARCAST_ELASTIC_WHOLE && item->layout.n_dims == 1)
        return pull_from(pull, number, item, &item->layout, own);
    elastic_layout layout = saved->layout; /* in memory it has its halo */
    for (int d = 0; d < layout.n_dims; d++) layout.dims[d].halo = item->layout.dims[d].halo;
    parcast_status status = PARCAST_OK;
    for (int i = 0; i < manifest->n_ranks && !status; i++)
        status = pull_from(pull, number, item, &layout, (own + i) % manifest->n_ranks);
    return status;
}

parcast_status elastic_pull(parcast_elastic *e, const elastic_manifest *manifest, int64_t *n_bytes,
                            parcast_error *error)
{
    struct pull pull = {.e = e, .manifest = manifest, .error = error};
    parcast_status status = PARCAST_OK;
    *n_bytes = 0;
    if (e->rank >= e->n_ranks) return PARCAST_OK; /* it leaves */
    pull.tables = calloc((size_t)manifest->n_ranks, sizeof *pull.tables);
    pull.window = malloc(WINDOW_BYTES);
    if (!pull.tables || !pull.window) status = elastic_no_memory(error);
    for (size_t i = 0; i < e->n_items && !status; i++)
        if (!e->items[i]->shape.read_only) status = pull_item(&pull, e->items[i]);
    for (int r = 0; pull.tables && r < manifest->n_ranks; r++) free(pull.tables[r]);
    free(pull.tables);
    free(pull.window);
    *n_bytes = pull.n_bytes;
    return status;
}
