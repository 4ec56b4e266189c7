/* Open, close, errors, and waits that do not spin. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "elastic/checksum.h"
#include "elastic/mpi/ahead.h"
#include "elastic/mpi/behind.h"
#include "elastic/mpi/check.h"
#include "elastic/private.h"

double elastic_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Longer and longer: at first to 80 microseconds, for a step of a collective takes no longer; then to a
 * millisecond, for ranks that wait for their launch must not take the cores of those that compute. */
static void nap(long *length_ns, int n_before)
{
    const int eager = 500;
    const struct timespec pause = {.tv_nsec = *length_ns};
    nanosleep(&pause, NULL);
    if (*length_ns < (n_before < eager ? 80000 : 500001)) *length_ns *= 2;
}

/* -------- errors -------- */

parcast_status elastic_raise(parcast_elastic *e, const parcast_error *error)
{
    e->error = *error;
    if (e->options.errors_return) return error->code;
    elastic_await_lower(e->rank);
    fprintf(stderr, "parcast elastic: rank %d: error: %s%s%s\n", e->rank, error->source,
            error->source[0] ? ": " : "", error->text);
    if (error->hint[0]) fprintf(stderr, "hint: %s\n", error->hint);
    elastic_flush();
    MPI_Abort(e->comm, parcast_status_exit(error->code));
    return error->code;
}

const parcast_error *parcast_elastic_error(const parcast_elastic *e)
{
    elastic_check_handle(e, "parcast_elastic_error");
    return &e->error;
}

/* -------- waiting -------- */

void elastic_wait(MPI_Request *request)
{
    int done = 0;
    long length_ns = 20000;
    for (int i = 0; !done; i++) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done && i > 20) nap(&length_ns, i);
    }
}

void elastic_broadcast(parcast_elastic *e, void *bytes, int64_t n)
{
    const int64_t most = 1 << 30;
    char *at = bytes;
    while (n > 0) {
        int part = (int)(n < most ? n : most);
        MPI_Request request;
        MPI_Ibcast(at, part, MPI_BYTE, 0, e->own, &request);
        elastic_wait(&request);
        at += part;
        n -= part;
    }
}

parcast_status elastic_agree(parcast_elastic *e, parcast_status status, parcast_error *error)
{
    int mine = status ? e->rank : INT_MAX, first = INT_MAX;
    parcast_error shared = {0};
    MPI_Request request;
    MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, e->own, &request);
    elastic_wait(&request);
    if (first == INT_MAX) return PARCAST_OK;
    if (first == e->rank && error) shared = *error;
    if (first == e->rank) shared.code = status;
    MPI_Ibcast(&shared, (int)sizeof shared, MPI_BYTE, first, e->own, &request);
    elastic_wait(&request);
    if (error) *error = shared;
    return shared.code;
}

/* -------- open and close -------- */

/* PARCAST_ELASTIC is "ADDRESS,TOKEN,LAUNCH,EXPECT,DURABLE,DIRECTORY". */
static parcast_status read_environment(parcast_elastic *e, const char *text, parcast_error *error)
{
    int expect = 0, durable = 0;
    char token[64] = "";
    if (sscanf(text, "%299[^,],%63[^,],%d,%d,%d,%767[^\n]", e->address, token, &e->launch, &expect, &durable,
               e->directory) != 6 ||
        strlen(token) != ELASTIC_TOKEN_BYTES - 1)
        return parcast_error_set(error, PARCAST_INVALID, "PARCAST_ELASTIC", 0,
                                 "the environment variable of 'parcast run' was changed: '%s'", text);
    memcpy(e->token, token, sizeof e->token);
    e->here = elastic_place_open(elastic_place_key(token), e->launch, e->rank, &e->here_fd);
    e->expect = expect != 0;
    e->durable = durable != 0;
    if (gethostname(e->node, sizeof e->node) != 0)
        return parcast_error_set(error, PARCAST_IO, NULL, 0, "no host name");
    e->node[sizeof e->node - 1] = '\0';
    return PARCAST_OK;
}

/* PARCAST_ELASTIC_SPEEDS is "NODE=SPEED,...": the speed of this rank's node, 1 if it is not listed. */
static double own_speed(const char *node)
{
    const char *list = getenv("PARCAST_ELASTIC_SPEEDS");
    size_t length = strlen(node);
    while (list && *list) {
        size_t n = strcspn(list, ",");
        if (n > length + 1 && strncmp(list, node, length) == 0 && list[length] == '=') {
            double speed = strtod(list + length + 1, NULL);
            return speed > 0 ? speed : 1;
        }
        list += n + (list[n] == ',');
    }
    return 1;
}

struct rank {
    double speed;
    uint64_t node; /* checksum of its name */
};

static void take_ranks(parcast_elastic *e, const struct rank *ranks)
{
    e->place = e->n_colleagues = 0;
    for (int r = 0; r < e->n_ranks; r++) {
        e->weights[r] = ranks[r].speed;
        if (ranks[r].node != ranks[e->rank].node) continue;
        e->n_colleagues++;
        e->place += r < e->rank;
    }
}

parcast_status elastic_gather_weights(parcast_elastic *e, parcast_error *error)
{
    const struct rank own = {own_speed(e->node), elastic_checksum(e->node, strlen(e->node))};
    struct rank *ranks = malloc((size_t)e->n_ranks * sizeof *ranks);
    free(e->weights);
    e->weights = malloc((size_t)e->n_ranks * sizeof *e->weights);
    if (!e->weights || !ranks) {
        free(ranks);
        return elastic_no_memory(error);
    }
    MPI_Request request;
    MPI_Iallgather(&own, (int)sizeof own, MPI_BYTE, ranks, (int)sizeof own, MPI_BYTE, e->own, &request);
    elastic_wait(&request);
    take_ranks(e, ranks);
    free(ranks);
    return PARCAST_OK;
}

static parcast_status begin_supervised(parcast_elastic *e, const char *text, parcast_error *error)
{
    parcast_status status = read_environment(e, text, error);
    if (!status && !e->durable) status = elastic_private_directory(e->directory, error);
    if (!status && e->rank == 0) status = elastic_control_open(e, error);
    status = elastic_agree(e, status, error);
    if (!status) status = elastic_gather_weights(e, error);
    if (!status && e->options.in_memory) elastic_settle_quiet(e);
    e->supervised = !status;
    return status;
}

/* A rank that was spawned: the others tell what it needs. */
static parcast_status begin_spawned(parcast_elastic *e, const char *text, MPI_Comm parent,
                                    parcast_error *error)
{
    parcast_status status = read_environment(e, text, error);
    e->expect = true; /* the others compute while this rank makes its arrays */
    if (!status) status = elastic_join(e, parent, error);
    e->supervised = !status;
    return status;
}

parcast_elastic *parcast_elastic_open(MPI_Comm comm, const parcast_elastic_options *options)
{
    elastic_check_open(comm);
    parcast_elastic *e = calloc(1, sizeof *e);
    const char *text = getenv("PARCAST_ELASTIC");
    parcast_error error = {0};
    if (!e) {
        fprintf(stderr, "parcast elastic: error: out of memory\n");
        MPI_Abort(comm, 1);
        return NULL;
    }
    elastic_note_open(e);
    if (options) e->options = *options;
    e->comm = comm;
    e->wire.fd = -1;
    e->quiet = MPI_COMM_NULL;
    e->agreement = MPI_REQUEST_NULL;
    e->orders = e->incoming =
        (elastic_orders){.stop_at = -1, .save_at = -1, .resize_at = -1, .resize_to = -1, .interval = 1};
    MPI_Comm parent = MPI_COMM_NULL;
    if (e->options.in_memory && text) MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        if (begin_spawned(e, text, parent, &error) != PARCAST_OK) elastic_raise(e, &error);
        return e;
    }
    MPI_Comm_dup(comm, &e->own);
    MPI_Comm_rank(comm, &e->rank);
    MPI_Comm_size(comm, &e->n_ranks);
    /* Every rank must see the supervisor, or none: a launcher that drops variables would split the ranks. */
    int here = text != NULL, least = 0, most = 0;
    MPI_Allreduce(&here, &least, 1, MPI_INT, MPI_MIN, e->own);
    MPI_Allreduce(&here, &most, 1, MPI_INT, MPI_MAX, e->own);
    parcast_status status = PARCAST_OK;
    if (least != most)
        status = parcast_error_set(
            &error, PARCAST_INVALID, NULL, 0,
            "only some ranks see the variable PARCAST_ELASTIC: the launcher does not pass it on");
    else if (most)
        status = begin_supervised(e, text, &error);
    if (status) elastic_raise(e, &error);
    return e;
}

MPI_Comm parcast_elastic_comm(const parcast_elastic *e)
{
    elastic_check_handle(e, "parcast_elastic_comm");
    return e->comm;
}

bool parcast_elastic_resumed(const parcast_elastic *e)
{
    elastic_check_handle(e, "parcast_elastic_resumed");
    return e->resumed;
}

/* The work is done when it is on all ranks: one that dies before is resumed from the last checkpoint. */
static void say_end(parcast_elastic *e)
{
    if (!e->left) {
        MPI_Request all;
        MPI_Ibarrier(e->own, &all);
        elastic_wait(&all);
    }
    if (e->rank == 0)
        elastic_wire_say(&e->wire, e->left ? "left %lld" : "done %lld", (long long)e->iteration);
}

void parcast_elastic_close(parcast_elastic **handle)
{
    parcast_elastic *e = handle ? *handle : NULL;
    if (!e) return;
    elastic_note_close(e);
    if (e->agreement != MPI_REQUEST_NULL) elastic_wait(&e->agreement);
    elastic_behind_finish(e);
    elastic_ahead_abandon(e);
    if (e->supervised) say_end(e);
    elastic_wire_end(&e->wire);
    elastic_place_close(&e->here, &e->here_fd);
    elastic_part(e);
    for (size_t i = 0; i < e->n_items; i++) {
        elastic_item_release(e->items[i]);
        free(e->items[i]);
    }
    free(e->items);
    free(e->values);
    free(e->weights);
    free(e->manifest);
    free(e->levels);
    if (e->quiet != MPI_COMM_NULL) MPI_Comm_free(&e->quiet);
    if (e->own != MPI_COMM_NULL) MPI_Comm_free(&e->own);
    free(e);
    *handle = NULL;
}
