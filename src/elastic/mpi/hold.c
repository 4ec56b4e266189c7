/*
 * The end of a launch whose successor waits on the same machine: the ranks hold still with their arrays,
 * those of the next size copy them, and only then, while those compute, a checkpoint is written. So the
 * program does not stand still for it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "elastic/checksum.h"
#include "elastic/mpi/held.h"

static size_t count_saved(const parcast_elastic *e)
{
    size_t n = 0;
    for (size_t i = 0; i < e->n_items; i++) n += !e->items[i]->shape.read_only;
    return n;
}

static elastic_table *make_table(const parcast_elastic *e)
{
    elastic_table *table = calloc(1, elastic_table_bytes(count_saved(e)));
    if (!table) return NULL;
    table->magic = elastic_table_magic;
    table->rank = e->rank;
    for (size_t i = 0; i < e->n_items; i++) {
        const elastic_item *item = e->items[i];
        if (item->shape.read_only) continue;
        table->arrays[table->n++] =
            (elastic_held_array){(uintptr_t)item->array.data, elastic_layout_bytes(&item->layout, e->rank)};
    }
    return table;
}

static void set_piece(const parcast_elastic *e, const elastic_table *table, elastic_piece *piece)
{
    piece->rank = e->rank;
    piece->index_checksum = elastic_checksum(table, elastic_table_bytes((size_t)table->n));
    snprintf(piece->path, sizeof piece->path, "@%ld:%llx", (long)getpid(),
             (unsigned long long)(uintptr_t)table);
    snprintf(piece->node, sizeof piece->node, "%s", e->node);
}

parcast_status elastic_describe_held(parcast_elastic *e, int64_t iteration, int64_t epoch,
                                     elastic_table **table, char **text, parcast_error *error)
{
    elastic_piece piece = {0}, *pieces = NULL;
    *text = NULL;
    *table = make_table(e);
    if (*table) set_piece(e, *table, &piece);
    parcast_status status = *table ? PARCAST_OK : elastic_no_memory(error);
    status = elastic_gather_pieces(e, status, &piece, &pieces, error);
    if (!status && e->rank == 0) status = elastic_format_manifest(e, iteration, epoch, pieces, text, error);
    free(pieces);
    return status;
}

/* Where the Yama module keeps processes apart, those of our own user may read us for as long as we hold
 * still. */
void elastic_let_read(bool yes)
{
#ifdef PR_SET_PTRACER
    prctl(PR_SET_PTRACER, yes ? PR_SET_PTRACER_ANY : 0UL, 0, 0, 0);
#else
    (void)yes;
#endif
}

/* Rank 0 asks the supervisor; without a description, or without an answer, the checkpoint comes first. */
static elastic_word ask(parcast_elastic *e, int64_t iteration, const char *text)
{
    return text ? elastic_control_hold(e, iteration, e->next_epoch, text) : ELASTIC_WORD_WRITE;
}

static elastic_word hold(parcast_elastic *e, int64_t iteration)
{
    elastic_table *table = NULL;
    parcast_error error = {0};
    char *text = NULL;
    int word = ELASTIC_WORD_WRITE;
    if (e->rank == 0) elastic_wire_say(&e->wire, "saving %lld", (long long)iteration);
    elastic_let_read(true);
    elastic_describe_held(e, iteration, e->next_epoch, &table, &text, &error);
    if (e->rank == 0) word = (int)ask(e, iteration, text);
    elastic_broadcast(e, &word, sizeof word);
    elastic_let_read(false);
    free(text);
    free(table);
    return (elastic_word)word;
}

bool elastic_leave(parcast_elastic *e, int64_t iteration)
{
    const int modest = 10;
    elastic_word word = hold(e, iteration);
    if (word == ELASTIC_WORD_GO_ON) return false;
    if (word == ELASTIC_WORD_WRITE) return elastic_save(e, iteration, ELASTIC_SAVE_AND_LEAVE);
    /* Others compute on these cores now. If this checkpoint fails the one before it stands. */
    setpriority(PRIO_PROCESS, 0, modest);
    elastic_save(e, iteration, ELASTIC_SAVE_LAST);
    return true;
}
