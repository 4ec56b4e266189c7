/*
 * Mistakes of a program that would end in a hang, a crash or another result: calls out of order, and ranks
 * that register different things. Each gets one message.
 */
#include "elastic/mpi/check.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static parcast_elastic *opened; /* by this process */

/* -------- calls out of order -------- */

void elastic_await_lower(int rank)
{
    const int most = 8;
    const long step_ns = 100000000;
    const struct timespec pause = {.tv_nsec = rank > 0 ? ((rank < most ? rank : most) + 1) * step_ns : 0};
    nanosleep(&pause, NULL);
}

void elastic_flush(void)
{
    const struct timespec pause = {.tv_nsec = 100000000};
    fflush(stderr);
    nanosleep(&pause, NULL);
}

void elastic_refuse(const char *what)
{
    int begun = 0, over = 0, rank = 0;
    MPI_Initialized(&begun);
    MPI_Finalized(&over);
    if (begun && !over) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    elastic_await_lower(rank);
    fprintf(stderr, "parcast elastic: error: %s\n", what);
    elastic_flush();
    if (begun && !over) MPI_Abort(MPI_COMM_WORLD, parcast_status_exit(PARCAST_INVALID));
    exit(parcast_status_exit(PARCAST_INVALID));
}

void elastic_refuse_call(const char *call)
{
    char what[256];
    snprintf(what, sizeof what,
             "%s has no handle: parcast_elastic_open comes before it, and nothing comes after "
             "parcast_elastic_close",
             call);
    elastic_refuse(what);
}

/* Finalize frees the attributes of MPI_COMM_SELF before anything else. */
static int at_finalize(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm, (void)key, (void)state;
    parcast_elastic *e = value;
    if (opened != e || e->rank != 0) return MPI_SUCCESS;
    fprintf(stderr, "parcast elastic: error: parcast_elastic_close comes before MPI_Finalize\n");
    /* The supervisor must not take what ended in order for a crash. */
    if (e->supervised && e->begun && !e->left)
        elastic_wire_say(&e->wire, "unclosed %lld", (long long)e->iteration);
    return MPI_SUCCESS;
}

void elastic_check_open(MPI_Comm comm)
{
    int begun = 0, over = 0;
    MPI_Initialized(&begun);
    MPI_Finalized(&over);
    if (!begun) elastic_refuse("MPI_Init comes before parcast_elastic_open");
    if (over) elastic_refuse("parcast_elastic_open comes before MPI_Finalize");
    if (comm == MPI_COMM_NULL) elastic_refuse("parcast_elastic_open has MPI_COMM_NULL");
    if (opened)
        elastic_refuse("parcast_elastic_open is called again: a program has one handle, for all its arrays");
}

void elastic_note_open(parcast_elastic *e)
{
    opened = e;
    e->finalize_key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &e->finalize_key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, e->finalize_key, e);
}

void elastic_note_close(parcast_elastic *e)
{
    int over = 0;
    MPI_Finalized(&over);
    if (over) elastic_refuse("parcast_elastic_close comes before MPI_Finalize");
    opened = NULL;
    MPI_Comm_delete_attr(MPI_COMM_SELF, e->finalize_key);
    MPI_Comm_free_keyval(&e->finalize_key);
}

parcast_status elastic_check_point(const parcast_elastic *e, parcast_error *error)
{
    if (!e->begun)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "parcast_elastic_first_iteration comes before the first safe point");
    if (e->left)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "a safe point comes after one that said to leave: the program must close, "
                                 "finalize and exit");
    return PARCAST_OK;
}

/* -------- what ranks register -------- */

struct text {
    char *bytes;
    size_t n, size;
    bool failed;
};

static void append(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(struct text *text, const char *format, ...)
{
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= sizeof piece) n = sizeof piece - 1;
    if (text->n + (size_t)n + 1 > text->size) {
        char *grown = realloc(text->bytes, 2 * text->size + sizeof piece);
        text->failed = text->failed || !grown;
        if (!grown) return;
        text->bytes = grown;
        text->size = 2 * text->size + sizeof piece;
    }
    memcpy(text->bytes + text->n, piece, (size_t)n + 1);
    text->n += (size_t)n;
}

static void append_dim(struct text *text, const parcast_elastic_dim *dim)
{
    static const char *const kinds[] = {"", " block", " cyclic"};
    append(text, "%lld%s", (long long)dim->size, kinds[dim->kind]);
    if (dim->kind == PARCAST_ELASTIC_CYCLIC) append(text, " %lld", (long long)dim->block);
    if (dim->halo) append(text, " halo %lld", (long long)dim->halo);
    if (dim->parts) append(text, " parts %d", dim->parts);
    if (dim->weighted) append(text, " weighted");
}

/* A line for each array and value, that a reader understands as well. */
static void describe(const parcast_elastic *e, struct text *text)
{
    append(text, "%s", "");
    for (size_t i = 0; i < e->n_items; i++) {
        const parcast_elastic_shape *shape = &e->items[i]->shape;
        append(text, "array '%s' (", e->items[i]->name);
        for (int d = 0; d < shape->n_dims; d++) {
            if (d) append(text, " x ");
            append_dim(text, &shape->dims[d]);
        }
        append(text, ", %zu bytes each%s)\n", shape->element_bytes, shape->read_only ? ", read-only" : "");
    }
    for (size_t i = 0; i < e->n_values; i++)
        append(text, "value '%s' (%zu bytes)\n", e->values[i].name, e->values[i].bytes);
}

/* The line at a place; "nothing" at the end. */
static void take_line(const char *at, char line[256])
{
    if (!*at) at = "nothing";
    snprintf(line, 256, "%.*s", (int)strcspn(at, "\n"), at);
}

static parcast_status compare(const parcast_elastic *e, const char *mine, const char *first,
                              parcast_error *error)
{
    char here[256], there[256];
    while (*mine || *first) {
        size_t n = strcspn(mine, "\n");
        if (n != strcspn(first, "\n") || memcmp(mine, first, n) != 0) break;
        mine += n + (mine[n] == '\n');
        first += n + (first[n] == '\n');
    }
    if (!*mine && !*first) return PARCAST_OK;
    take_line(mine, here);
    take_line(first, there);
    parcast_error_set(error, PARCAST_INVALID, NULL, 0, "rank %d registers %s where rank 0 registers %s",
                      e->rank, here, there);
    parcast_error_hint(error,
                       "all ranks register the same arrays and values in the same order, with global sizes");
    return PARCAST_INVALID;
}

parcast_status elastic_check_registered(parcast_elastic *e, parcast_error *error)
{
    struct text text = {0};
    describe(e, &text);
    int64_t n = (int64_t)text.n;
    elastic_broadcast(e, &n, sizeof n);
    char *first = calloc((size_t)n + 1, 1);
    parcast_status status = text.failed || !first ? elastic_no_memory(error) : PARCAST_OK;
    status = elastic_agree(e, status, error);
    assert(status || (first && text.bytes)); /* they agreed on it */
    if (!status && e->rank == 0) memcpy(first, text.bytes, (size_t)n);
    if (!status) elastic_broadcast(e, first, n);
    if (!status) status = elastic_agree(e, compare(e, text.bytes, first, error), error);
    free(first);
    free(text.bytes);
    return status;
}
