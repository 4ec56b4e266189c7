/* Prepare a resize in memory while the program computes; see ahead.h. */
#include "elastic/mpi/ahead.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const double close_patience_s = 10;

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

/* Its error is everyone's. */
static parcast_status spawn_and_join(elastic_ahead *ahead)
{
    const parcast_elastic *e = ahead->e;
    MPI_Comm inter = MPI_COMM_NULL, merged;
    double begin_s = elastic_now();
    int result = spawn(&ahead->next, (int)(ahead->next.resize_to - e->n_ranks), &inter);
    parcast_status status = result == MPI_SUCCESS
                                ? PARCAST_OK
                                : parcast_error_set(&ahead->error, PARCAST_UNSUPPORTED, NULL, 0,
                                                    "this MPI could not spawn ranks");
    status = elastic_agree(&ahead->next, status, &ahead->error);
    if (status) return status;
    ahead->inter = inter;
    MPI_Intercomm_merge(inter, 0, &merged);
    status = elastic_settle(&ahead->next, merged, &ahead->error);
    ahead->spawn_s = elastic_now() - begin_s;
    return status;
}

/* Rank 0: those that were spawned have made their arrays. */
static void wait_for_guests(elastic_ahead *ahead)
{
    for (int r = ahead->e->n_ranks; r < ahead->next.n_ranks; r++) {
        char ready;
        MPI_Request request;
        MPI_Irecv(&ready, 1, MPI_BYTE, r, ELASTIC_READY_TAG, ahead->next.own, &request);
        elastic_wait(&request);
    }
}

/* -------- arrays -------- */

static parcast_status copy_items(elastic_ahead *ahead)
{
    const parcast_elastic *e = ahead->e;
    parcast_elastic *next = &ahead->next;
    next->items = calloc(e->n_items + 1, sizeof(elastic_item *));
    next->n_items = 0;
    if (!next->items) return elastic_no_memory(&ahead->error);
    for (size_t i = 0; i < e->n_items; i++) {
        elastic_item *item = calloc(1, sizeof *item);
        if (!item) return elastic_no_memory(&ahead->error);
        memcpy(item->name, e->items[i]->name, sizeof item->name);
        item->shape = e->items[i]->shape;
        item->shape.name = item->name;
        next->items[next->n_items++] = item;
    }
    return PARCAST_OK;
}

/* A rank that leaves needs to know the arrays, and no memory for them. */
static parcast_status place_item(elastic_ahead *ahead, elastic_item *item)
{
    parcast_elastic *next = &ahead->next;
    if (next->rank < next->n_ranks) return elastic_item_place(next, item, &ahead->error);
    parcast_status status =
        elastic_layout_make(&item->shape, next->n_ranks, next->weights, &item->layout, &ahead->error);
    return status ? status : elastic_layout_saved(&item->layout, &item->saved, &ahead->error);
}

/* What is only read has no need of two places: it is filled again. */
static parcast_status place(elastic_ahead *ahead)
{
    parcast_elastic *next = &ahead->next;
    parcast_status status = PARCAST_OK;
    next->expect = true;
    for (size_t i = 0; i < next->n_items && !status; i++)
        if (!next->items[i]->shape.read_only) status = place_item(ahead, next->items[i]);
    return status;
}

/* The weights of the ranks that stay. */
static parcast_status keep_weights(elastic_ahead *ahead)
{
    parcast_elastic *next = &ahead->next;
    size_t bytes = (size_t)next->resize_to * sizeof *next->weights;
    next->n_ranks = (int)next->resize_to;
    next->weights = malloc(bytes);
    if (!next->weights) return elastic_no_memory(&ahead->error);
    memcpy(next->weights, ahead->e->weights, bytes);
    return PARCAST_OK;
}

/* -------- the work -------- */

/* What follows needs no MPI: it must not take the cores of the program. In a thread, `nice` is its own. */
static void be_modest(const elastic_ahead *ahead)
{
    const int modest = 10;
    if (ahead->threaded) setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), modest);
}

static void set_rate(elastic_ahead *ahead, double took_s)
{
    double bytes = 0;
    for (size_t i = 0; i < ahead->next.n_items; i++)
        if (!ahead->next.items[i]->shape.read_only)
            bytes += (double)elastic_layout_bytes(&ahead->next.items[i]->layout, 0) * ahead->next.n_ranks;
    ahead->touch_bytes_per_s = took_s > 0 ? bytes / took_s : 0;
}

static void prepare(elastic_ahead *ahead)
{
    parcast_status status = ahead->growing ? spawn_and_join(ahead) : keep_weights(ahead);
    be_modest(ahead);
    double begin_s = elastic_now();
    if (!status) status = place(ahead);
    if (ahead->growing && ahead->inter != MPI_COMM_NULL && ahead->e->rank == 0) wait_for_guests(ahead);
    if (!status) set_rate(ahead, elastic_now() - begin_s);
    ahead->status = status;
    atomic_store(&ahead->done, true);
}

static void *run(void *context)
{
    elastic_ahead *ahead = context;
    prepare(ahead);
    return NULL;
}

parcast_status elastic_ahead_begin(parcast_elastic *e, int64_t ranks, parcast_error *error)
{
    elastic_ahead *ahead = calloc(1, sizeof *ahead);
    parcast_status status = ahead ? PARCAST_OK : elastic_no_memory(error);
    if (ahead) {
        ahead->e = e;
        ahead->next = *e;
        ahead->next.ahead = NULL;
        ahead->next.behind = NULL;
        ahead->next.weights = NULL;
        ahead->next.resize_to = ranks;
        ahead->inter = MPI_COMM_NULL;
        ahead->growing = ranks > e->n_ranks;
        if (ahead->growing && e->quiet != MPI_COMM_NULL) ahead->next.own = e->quiet;
        status = copy_items(ahead);
        if (status) *error = ahead->error;
    }
    e->ahead = ahead;
    status = elastic_agree(e, status, error);
    if (status) {
        elastic_ahead_clear(e);
        return status;
    }
    assert(ahead); /* they agreed on it */
    if (e->rank == 0 && ahead->growing)
        elastic_wire_say(&e->wire, "spawning %lld %lld", (long long)e->iteration, (long long)ranks);
    if (!ahead->growing || e->quiet != MPI_COMM_NULL) {
        ahead->threaded = true;
        ahead->threaded = pthread_create(&ahead->thread, NULL, run, ahead) == 0;
    }
    return PARCAST_OK;
}

bool elastic_ahead_is_ready(const parcast_elastic *e)
{
    return e->ahead && (!e->ahead->threaded || atomic_load(&e->ahead->done));
}

/* Rank 0: until the thread has done its work, or nobody waits for it any more. */
static bool wait_for_thread(parcast_elastic *e, int64_t iteration)
{
    const struct timespec pause = {.tv_nsec = 200000};
    while (!atomic_load(&e->ahead->done)) {
        elastic_control_poll(e);
        if (e->incoming.alone || (e->incoming.stop_at >= 0 && e->incoming.stop_at <= iteration)) return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

parcast_status elastic_ahead_finish(parcast_elastic *e, int64_t iteration, int64_t ranks,
                                    parcast_error *error)
{
    int go = 1;
    parcast_status status = e->ahead ? PARCAST_OK : elastic_ahead_begin(e, ranks, error);
    if (status) return status;
    if (!e->ahead->threaded) prepare(e->ahead);
    if (e->rank == 0) go = wait_for_thread(e, iteration);
    elastic_broadcast(e, &go, sizeof go);
    if (!go) {
        elastic_hear_orders(e);
        return parcast_error_set(error, PARCAST_INTERRUPTED, NULL, 0, "the supervisor does not wait");
    }
    if (e->ahead->threaded) pthread_join(e->ahead->thread, NULL);
    e->ahead->threaded = false;
    *error = e->ahead->error;
    return elastic_agree(e, e->ahead->status, error);
}

/* -------- the end of it -------- */

void elastic_ahead_clear(parcast_elastic *e)
{
    elastic_ahead *ahead = e->ahead;
    e->ahead = NULL;
    if (!ahead) return;
    for (size_t i = 0; ahead->next.items && i < ahead->next.n_items; i++) {
        elastic_item_release(ahead->next.items[i]);
        free(ahead->next.items[i]);
    }
    free(ahead->next.items);
    free(ahead->next.weights);
    free(ahead);
}

/* A thread that hangs in MPI cannot be ended; the supervisor kills its process in the end. */
static bool is_over(const elastic_ahead *ahead)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    double until_s = elastic_now() + close_patience_s;
    while (ahead->threaded && !atomic_load(&ahead->done)) {
        if (elastic_now() > until_s) return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

void elastic_ahead_abandon(parcast_elastic *e)
{
    elastic_ahead *ahead = e->ahead;
    if (!ahead) return;
    if (!is_over(ahead)) {
        e->ahead = NULL; /* it is the thread's for ever */
        return;
    }
    if (ahead->threaded) pthread_join(ahead->thread, NULL);
    if (ahead->inter != MPI_COMM_NULL) {
        elastic_send_away(&ahead->next);
        elastic_free_comms(&ahead->next);
        MPI_Comm_disconnect(&ahead->inter);
    }
    elastic_ahead_clear(e);
}
