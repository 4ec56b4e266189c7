/*
 * The engine in memory: ranks are spawned, or whole groups that were spawned are retired, while the others
 * live.
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

parcast_status elastic_grow(parcast_elastic *e, int64_t ranks, parcast_error *error)
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

bool elastic_shrink(parcast_elastic *e, int64_t ranks)
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
