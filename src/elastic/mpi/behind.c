/* A checkpoint that is written while the program goes on; see behind.h. */
#include "elastic/mpi/behind.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const double patience_s = 60;

enum record_state { RECORD_OPEN, RECORD_WRITTEN, RECORD_FAILED };

/* What a rank says when it has written its piece. */
struct record {
    atomic_int state;
    elastic_piece piece;
    char why[1024];
};

struct elastic_behind {
    parcast_elastic was; /* ranks, arrays and values as they were; items and values are its own */
    int64_t iteration, epoch;
    struct record *records; /* [was.n_ranks] shared by all of them */
    int fd;                 /* rank 0: of the records, until the others have found them */
    bool threaded, begun;
    bool handed_over; /* rank 0: the supervisor has not answered yet */
    pthread_t thread;
    double since_s;
};

static size_t records_bytes(const struct elastic_behind *behind)
{
    return (size_t)behind->was.n_ranks * sizeof(struct record);
}

/* -------- prepare -------- */

/* The program changes its values while the arrays are written. */
static parcast_status copy_values(const parcast_elastic *e, parcast_elastic *was, parcast_error *error)
{
    was->values = NULL;
    was->n_values = 0;
    if (e->rank != 0) return PARCAST_OK;
    was->values = calloc(e->n_values + 1, sizeof *was->values);
    if (!was->values) return elastic_no_memory(error);
    for (size_t i = 0; i < e->n_values; i++) {
        elastic_value *value = &was->values[was->n_values++];
        *value = e->values[i];
        value->data = malloc(value->bytes);
        if (!value->data) return elastic_no_memory(error);
        memcpy(value->data, e->values[i].data, value->bytes);
    }
    return PARCAST_OK;
}

static parcast_status cannot_share(int why, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_IO, NULL, 0, "ranks cannot share memory: %s", strerror(why));
}

static parcast_status map_records(struct elastic_behind *behind, int fd, parcast_error *error)
{
    void *memory = mmap(NULL, records_bytes(behind), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) return cannot_share(errno, error);
    behind->records = memory;
    return PARCAST_OK;
}

static parcast_status make_records(struct elastic_behind *behind, parcast_error *error)
{
    behind->fd = memfd_create("parcast-behind", MFD_CLOEXEC);
    if (behind->fd < 0 || ftruncate(behind->fd, (off_t)records_bytes(behind)) != 0)
        return cannot_share(errno, error);
    return map_records(behind, behind->fd, error);
}

parcast_status elastic_behind_prepare(parcast_elastic *e, int64_t iteration, elastic_behind_place *place,
                                      parcast_error *error)
{
    struct elastic_behind *behind = calloc(1, sizeof *behind);
    *place = (elastic_behind_place){0};
    if (!behind) return elastic_no_memory(error);
    e->behind = behind;
    behind->was = *e;
    behind->was.items = NULL;
    behind->was.n_items = 0;
    behind->iteration = iteration;
    behind->fd = -1;
    parcast_status status = copy_values(e, &behind->was, error);
    if (!status && e->rank == 0) status = make_records(behind, error);
    if (!status && e->rank == 0) *place = (elastic_behind_place){getpid(), behind->fd};
    return status;
}

parcast_status elastic_behind_find(parcast_elastic *e, const elastic_behind_place *place,
                                   parcast_error *error)
{
    char path[64];
    if (e->behind->records) return PARCAST_OK;
    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)place->process, (long long)place->fd);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return cannot_share(errno, error);
    parcast_status status = map_records(e->behind, fd, error);
    close(fd);
    return status;
}

/* -------- write -------- */

static void write_arrays(struct elastic_behind *behind)
{
    struct record *record = &behind->records[behind->was.rank];
    parcast_error error = {0};
    parcast_status status = elastic_write_piece(&behind->was, behind->epoch, true, &record->piece, &error);
    if (status) snprintf(record->why, sizeof record->why, "%s: %s", error.source, error.text);
    atomic_store(&record->state, status ? RECORD_FAILED : RECORD_WRITTEN);
}

/* In a thread, `nice` is its own. */
static void *run(void *context)
{
    const int modest = 10;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), modest);
    write_arrays(context);
    return NULL;
}

static parcast_status take_items(parcast_elastic *was, size_t n, elastic_item *items)
{
    was->items = calloc(n + 1, sizeof(elastic_item *));
    for (size_t i = 0; i < n && was->items; i++) {
        was->items[i] = malloc(sizeof *items);
        if (!was->items[i]) return PARCAST_MEMORY;
        *was->items[i] = items[i];
        was->items[i]->shape.name = was->items[i]->name;
        items[i] = (elastic_item){.shape.read_only = true};
        was->n_items++;
    }
    return was->items ? PARCAST_OK : PARCAST_MEMORY;
}

void elastic_behind_begin(parcast_elastic *e, int64_t epoch, elastic_item *items)
{
    struct elastic_behind *behind = e->behind;
    behind->epoch = epoch;
    behind->begun = true;
    behind->since_s = elastic_now();
    if (behind->fd >= 0) close(behind->fd);
    behind->fd = -1;
    if (take_items(&behind->was, e->n_items, items) != PARCAST_OK) {
        snprintf(behind->records[behind->was.rank].why, sizeof behind->records->why, "out of memory");
        atomic_store(&behind->records[behind->was.rank].state, RECORD_FAILED);
        return;
    }
    behind->threaded = pthread_create(&behind->thread, NULL, run, behind) == 0;
    if (!behind->threaded) write_arrays(behind);
}

/* -------- the end of it -------- */

static void clear(parcast_elastic *e)
{
    struct elastic_behind *behind = e->behind;
    e->behind = NULL;
    if (behind->threaded) pthread_join(behind->thread, NULL);
    for (size_t i = 0; i < behind->was.n_items; i++) {
        elastic_item_release(behind->was.items[i]);
        free(behind->was.items[i]);
    }
    free(behind->was.items);
    for (size_t i = 0; i < behind->was.n_values; i++) free(behind->was.values[i].data);
    free(behind->was.values);
    if (behind->records) munmap(behind->records, records_bytes(behind));
    if (behind->fd >= 0) close(behind->fd);
    free(behind);
}

void elastic_behind_cancel(parcast_elastic *e)
{
    if (e->behind) clear(e);
}

static int state_of(struct elastic_behind *behind, int rank)
{
    return atomic_load(&behind->records[rank].state);
}

static bool all_are_done(struct elastic_behind *behind)
{
    for (int r = 0; r < behind->was.n_ranks; r++)
        if (state_of(behind, r) == RECORD_OPEN) return false;
    return true;
}

/* Our own regular files. */
static void remove_pieces(struct elastic_behind *behind)
{
    for (int r = 0; r < behind->was.n_ranks; r++)
        if (state_of(behind, r) == RECORD_WRITTEN) unlink(behind->records[r].piece.path);
}

static void fail(parcast_elastic *e, const char *why)
{
    elastic_wire_say(&e->wire, "unsaved %lld %s", (long long)e->behind->iteration, why);
    remove_pieces(e->behind);
    clear(e);
}

static parcast_status format(struct elastic_behind *behind, char **text, parcast_error *error)
{
    elastic_piece *pieces = malloc((size_t)behind->was.n_ranks * sizeof *pieces);
    if (!pieces) return elastic_no_memory(error);
    for (int r = 0; r < behind->was.n_ranks; r++) pieces[r] = behind->records[r].piece;
    parcast_status status =
        elastic_format_manifest(&behind->was, behind->iteration, behind->epoch, pieces, text, error);
    free(pieces);
    return status;
}

/* Rank 0; all have written or failed. */
static void hand_over(parcast_elastic *e)
{
    struct elastic_behind *behind = e->behind;
    parcast_error error = {0};
    char *text = NULL;
    for (int r = 0; r < behind->was.n_ranks; r++)
        if (state_of(behind, r) == RECORD_FAILED) {
            fail(e, behind->records[r].why);
            return;
        }
    if (format(behind, &text, &error) != PARCAST_OK) {
        fail(e, error.text);
        return;
    }
    behind->handed_over = elastic_control_hand_over(e, behind->iteration, behind->epoch, "behind", text);
    free(text);
    if (!behind->handed_over) clear(e); /* the supervisor is gone */
}

void elastic_behind_look(parcast_elastic *e)
{
    struct elastic_behind *behind = e->behind;
    if (!behind || behind->handed_over) return;
    if (behind->was.rank != 0) {
        if (state_of(behind, behind->was.rank) != RECORD_OPEN) clear(e);
    } else if (all_are_done(behind)) {
        hand_over(e);
    } else if (elastic_now() - behind->since_s > patience_s) {
        fail(e, "some rank does not come to an end with its piece");
    }
}

void elastic_behind_hear(parcast_elastic *e, bool committed)
{
    if (!e->behind || !e->behind->handed_over) return;
    if (!committed) remove_pieces(e->behind);
    clear(e);
}

void elastic_behind_finish(parcast_elastic *e)
{
    const struct timespec pause = {.tv_nsec = 500000};
    if (!e->behind) return;
    if (e->behind->was.rank != 0) {
        clear(e);
        return;
    }
    while (e->behind && !e->behind->handed_over) {
        elastic_behind_look(e);
        if (e->behind && !e->behind->handed_over) nanosleep(&pause, NULL);
    }
    if (e->behind) elastic_behind_hear(e, elastic_control_committed(e));
}
