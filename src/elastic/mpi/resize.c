/*
 * The engine in memory: ranks are spawned, or whole groups that were spawned are retired, while the others
 * live. The data go through the checkpoint that is committed before: by shared memory on one node, and a hang
 * costs a restart, not the run.
 *
 * Retiring: MPI_Finalize is collective over everything that is connected, and disconnecting a merged
 * communicator hangs (Open MPI 4.1). What works is to free all communicators of both sides first and then to
 * disconnect the one between the groups.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elastic/mpi/internal.h"

parcast_status elastic_settle(parcast_elastic *e, MPI_Comm comm, parcast_error *error)
{
    e->comm = comm;
    MPI_Comm_dup(comm, &e->own);
    MPI_Comm_rank(comm, &e->rank);
    MPI_Comm_size(comm, &e->n_ranks);
    return elastic_gather_weights(e, error);
}

static parcast_status push_level(parcast_elastic *e, elastic_level level, parcast_error *error)
{
    elastic_level *grown = realloc(e->levels, (e->n_levels + 1) * sizeof *grown);
    if (!grown) return elastic_no_memory(error);
    e->levels = grown;
    e->levels[e->n_levels++] = level;
    return PARCAST_OK;
}

parcast_status elastic_join(parcast_elastic *e, MPI_Comm parent, parcast_error *error)
{
    elastic_level level = {.inter = parent, .comm = MPI_COMM_NULL, .own = MPI_COMM_NULL};
    MPI_Comm merged;
    MPI_Comm_remote_size(parent, &level.below);
    MPI_Intercomm_merge(parent, 1, &merged);
    parcast_status status = push_level(e, level, error);
    return status ? status : elastic_settle(e, merged, error);
}

/* -------- spawn -------- */

/* The words that this process was started with; free() both. */
static char **own_words(char **text)
{
    enum { MOST = 1 << 20 };
    char *bytes = malloc(MOST), **words = NULL;
    size_t n = 0, got = 0;
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    while (bytes && fd >= 0 && got < MOST - 1) {
        ssize_t more = read(fd, bytes + got, MOST - 1 - got);
        if (more <= 0) break;
        got += (size_t)more;
    }
    if (fd >= 0) close(fd);
    for (size_t i = 0; bytes && i < got; i++) n += bytes[i] == '\0';
    if (bytes && n > 0) words = calloc(n + 1, sizeof *words);
    if (words) {
        bytes[got] = '\0';
        size_t at = 0;
        for (size_t i = 0; i < n; i++, at += strlen(bytes + at) + 1) words[i] = bytes + at;
    }
    if (words)
        *text = bytes;
    else
        free(bytes);
    return words;
}

/* Errors come back: not every MPI can spawn. */
static int spawn(parcast_elastic *e, int n, MPI_Comm *inter)
{
    char *text = NULL, **words = e->rank == 0 ? own_words(&text) : NULL;
    char program[4096] = "";
    int *codes = calloc((size_t)n, sizeof *codes), result = MPI_ERR_SPAWN, ready = e->rank != 0;
    if (e->rank == 0) {
        ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
        ready = words && length > 0;
    }
    if (!codes) ready = 0;
    if (elastic_agree(e, ready ? PARCAST_OK : PARCAST_MEMORY, NULL) == PARCAST_OK) {
        MPI_Comm_set_errhandler(e->own, MPI_ERRORS_RETURN);
        result = MPI_Comm_spawn(program, words ? words + 1 : MPI_ARGV_NULL, n, MPI_INFO_NULL, 0, e->own,
                                inter, codes);
        MPI_Comm_set_errhandler(e->own, MPI_ERRORS_ARE_FATAL);
    }
    free(codes);
    free(words);
    free(text);
    return result;
}

static parcast_status grow(parcast_elastic *e, int64_t ranks, parcast_error *error)
{
    elastic_level level = {.comm = e->comm, .own = e->own, .below = e->n_ranks};
    MPI_Comm merged;
    int result = spawn(e, (int)(ranks - e->n_ranks), &level.inter);
    parcast_status status = result == MPI_SUCCESS ? PARCAST_OK
                                                  : parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0,
                                                                      "this MPI could not spawn ranks");
    status = elastic_agree(e, status, error);
    if (!status) status = push_level(e, level, error);
    if (status) return status;
    MPI_Intercomm_merge(level.inter, 0, &merged);
    return elastic_settle(e, merged, error);
}

/* -------- retire -------- */

/* The youngest group goes. True on its ranks. */
static bool retire_youngest(parcast_elastic *e)
{
    elastic_level level = e->levels[--e->n_levels];
    MPI_Comm_free(&e->own);
    MPI_Comm_free(&e->comm);
    MPI_Comm_disconnect(&level.inter);
    e->comm = level.comm;
    e->own = level.own;
    return level.comm == MPI_COMM_NULL;
}

void elastic_part(parcast_elastic *e)
{
    if (e->n_levels > 0 && e->options.release) e->options.release(e->options.context);
    while (e->n_levels > 0 && e->own != MPI_COMM_NULL) retire_youngest(e);
}

static bool shrink(parcast_elastic *e, int64_t ranks)
{
    while (e->n_levels > 0 && e->levels[e->n_levels - 1].below >= ranks) {
        if (retire_youngest(e)) return true;
        MPI_Comm_size(e->comm, &e->n_ranks);
    }
    return false;
}

bool elastic_can_resize(const parcast_elastic *e, int64_t ranks, parcast_error *error)
{
    if (ranks == e->n_ranks || !e->options.in_memory) {
        parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0, "the program does not resize in memory");
        return false;
    }
    if (ranks > e->n_ranks && ranks <= INT32_MAX) return true;
    for (size_t i = 0; i < e->n_levels; i++)
        if (e->levels[i].below == ranks) return true;
    parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0,
                      "only whole groups that were spawned can be retired, and none leaves %lld ranks",
                      (long long)ranks);
    return false;
}

/* -------- both -------- */

/* What a rank that was spawned cannot know. */
struct shared {
    elastic_orders orders;
    int64_t next_epoch, bytes;
};

parcast_status elastic_share(parcast_elastic *e, int64_t *n_bytes, parcast_error *error)
{
    struct shared shared = {e->incoming, e->next_epoch, e->manifest ? (int64_t)strlen(e->manifest) : 0};
    elastic_broadcast(e, &shared, sizeof shared);
    char *text = e->rank == 0 ? e->manifest : malloc((size_t)shared.bytes + 1);
    parcast_status status = elastic_agree(e, text ? PARCAST_OK : elastic_no_memory(error), error);
    if (!status) {
        elastic_broadcast(e, text, shared.bytes);
        status = elastic_resume(e, text, (size_t)shared.bytes, NULL, n_bytes, error);
    }
    if (e->rank != 0) free(text);
    e->orders = e->incoming = shared.orders;
    e->next_epoch = shared.next_epoch;
    e->last_look = e->next_look = e->iteration;
    e->last_look_s = e->began_s = e->last_told_s = elastic_now();
    return status;
}

/* New places for all arrays; what they held is in the checkpoint. */
static parcast_status place_again(parcast_elastic *e, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    for (size_t i = 0; i < e->n_items && !status; i++) {
        elastic_item_release(e->items[i]);
        status = elastic_item_place(e, e->items[i], error);
    }
    return status;
}

void elastic_hear_orders(parcast_elastic *e)
{
    elastic_broadcast(e, &e->incoming, sizeof e->incoming);
    e->orders = e->incoming;
}

/* seconds: saving, spawning or retiring, fetching. The next order comes at once, so that none is met too
 * late. */
static parcast_elastic_state tell_resized(parcast_elastic *e, int64_t iteration, const double seconds[3],
                                          int64_t n_bytes)
{
    if (e->rank == 0) {
        elastic_wire_say(&e->wire, "resized %lld %d %.6f %.6f %.6f %lld", (long long)iteration, e->n_ranks,
                         seconds[0], seconds[1], seconds[2], (long long)n_bytes);
        if (!elastic_control_next(e)) e->incoming.alone = 1;
    }
    elastic_hear_orders(e);
    return PARCAST_ELASTIC_RESIZED;
}

parcast_elastic_state elastic_resize(parcast_elastic *e, int64_t iteration, int64_t ranks)
{
    parcast_error error = {0};
    double begin_s = elastic_now(), ready_s;
    int64_t n_bytes = 0;
    bool growing = ranks > e->n_ranks;
    if (!elastic_save(e, iteration, false)) return PARCAST_ELASTIC_GO_ON; /* the supervisor was told why */
    double saved_s = elastic_now();
    if (e->options.release) e->options.release(e->options.context);
    parcast_status status = growing ? grow(e, ranks, &error) : PARCAST_OK;
    if (status == PARCAST_UNSUPPORTED) {
        if (e->rank == 0) elastic_wire_say(&e->wire, "unresized %lld %s", (long long)iteration, error.text);
        return PARCAST_ELASTIC_RESIZED; /* by nothing; but what the program released it makes again */
    }
    if (!status && !growing) {
        e->left = shrink(e, ranks);
        if (e->left) return PARCAST_ELASTIC_LEAVE;
        status = elastic_gather_weights(e, &error);
    }
    ready_s = elastic_now();
    if (!status) status = place_again(e, &error);
    if (!status) status = elastic_share(e, &n_bytes, &error);
    if (status) {
        elastic_raise(e, &error);
        return PARCAST_ELASTIC_FAILED;
    }
    return tell_resized(e, iteration,
                        (const double[]){saved_s - begin_s, ready_s - saved_s, elastic_now() - ready_s},
                        n_bytes);
}
