/*
 * A checkpoint: every rank writes its piece, rank 0 hands the manifest to the supervisor, whose rename is the
 * commit. Until then nothing that exists is touched, so that any of it may fail.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elastic/mpi/internal.h"

enum { SLICE_BYTES = 4 << 20 };

struct appending {
    elastic_piece_writer *writer;
    char *data;
    bool give_back; /* nobody needs the array any more: its memory goes as the piece grows */
    parcast_status status;
    parcast_error *error;
};

static void give_back(char *begin, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), over = (page - (uintptr_t)begin % page) % page;
    if (bytes > over + page) madvise(begin + over, (bytes - over) / page * page, MADV_DONTNEED);
}

static void append_run(struct appending *appending, int64_t source, int64_t bytes)
{
    for (int64_t done = 0; done < bytes && !appending->status; done += SLICE_BYTES) {
        size_t part = (size_t)(bytes - done < SLICE_BYTES ? bytes - done : SLICE_BYTES);
        char *from = appending->data + source + done;
        appending->status = elastic_piece_append(appending->writer, from, part, appending->error);
        if (appending->give_back) give_back(from, part);
    }
}

/* The order of the walk is the order in the piece. */
static bool append_runs(void *context, const elastic_strided *runs)
{
    struct appending *appending = context;
    for (int64_t i = 0; i < runs->count && !appending->status; i++)
        append_run(appending, runs->source + i * runs->source_step, runs->bytes);
    return appending->status == PARCAST_OK;
}

static parcast_status append_item(const parcast_elastic *e, const elastic_item *item, bool last,
                                  elastic_piece_writer *writer, parcast_error *error)
{
    struct appending appending = {writer, item->array.data, last, PARCAST_OK, error};
    parcast_status status =
        elastic_walk(&item->layout, e->rank, &item->saved, e->rank, append_runs, &appending, error);
    if (status == PARCAST_INTERRUPTED) return appending.status;
    return status ? status : elastic_piece_align(writer, error);
}

static void set_path(const parcast_elastic *e, int64_t epoch, elastic_piece *piece)
{
    snprintf(piece->path, sizeof piece->path, "%s/piece.%lld.%d.%.8s", e->directory, (long long)epoch,
             e->rank, e->token); /* the token: a run that was left behind must not write into ours */
    snprintf(piece->node, sizeof piece->node, "%s", e->durable ? "*" : e->node);
}

parcast_status elastic_write_piece(const parcast_elastic *e, int64_t epoch, bool last, elastic_piece *piece,
                                   parcast_error *error)
{
    elastic_piece_writer *writer = NULL;
    set_path(e, epoch, piece);
    parcast_status status = elastic_piece_create(piece->path, epoch, e->rank, e->durable, &writer, error);
    for (size_t i = 0; i < e->n_items && !status; i++)
        if (!e->items[i]->shape.read_only) status = append_item(e, e->items[i], last, writer, error);
    if (!status) return elastic_piece_finish(&writer, piece, error);
    elastic_piece_abandon(&writer);
    return status;
}

static void set_sizes_in_memory(const elastic_manifest *manifest)
{
    for (int r = 0; r < manifest->n_ranks; r++)
        if (manifest->pieces[r].path[0] == '@')
            manifest->pieces[r].data_bytes = elastic_manifest_offset(manifest, manifest->n_arrays, r);
}

/* The manifest lends what the handle has. */
parcast_status elastic_format_manifest(const parcast_elastic *e, int64_t iteration, int64_t epoch,
                                       elastic_piece *pieces, char **text, parcast_error *error)
{
    elastic_manifest manifest = {
        .epoch = epoch, .iteration = iteration, .n_ranks = e->n_ranks, .pieces = pieces};
    parcast_status status = PARCAST_OK;
    assert(pieces); /* they agreed on it */
    manifest.arrays = calloc(e->n_items + 1, sizeof *manifest.arrays);
    manifest.values = calloc(e->n_values + 1, sizeof *manifest.values);
    if (!manifest.arrays || !manifest.values) status = elastic_no_memory(error);
    for (size_t i = 0; i < e->n_items && !status; i++) {
        if (e->items[i]->shape.read_only) continue;
        elastic_saved_array *array = &manifest.arrays[manifest.n_arrays++];
        snprintf(array->name, sizeof array->name, "%s", e->items[i]->name);
        array->layout = e->items[i]->saved;
    }
    for (size_t i = 0; i < e->n_values && !status; i++) {
        elastic_saved_value *value = &manifest.values[manifest.n_values++];
        snprintf(value->name, sizeof value->name, "%s", e->values[i].name);
        value->bytes = e->values[i].bytes;
        value->data = e->values[i].data;
    }
    if (!status) set_sizes_in_memory(&manifest);
    if (!status) status = elastic_manifest_format(&manifest, text, error);
    free(manifest.arrays);
    free(manifest.values);
    return status;
}

parcast_status elastic_gather_pieces(parcast_elastic *e, parcast_status status, const elastic_piece *piece,
                                     elastic_piece **pieces, parcast_error *error)
{
    *pieces = e->rank == 0 ? malloc((size_t)e->n_ranks * sizeof **pieces) : NULL;
    if (!status && e->rank == 0 && !*pieces) status = elastic_no_memory(error);
    status = elastic_agree(e, status, error);
    if (status) return status;
    MPI_Datatype type;
    MPI_Request request;
    MPI_Type_contiguous((int)sizeof *piece, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Igather(piece, 1, type, *pieces, 1, type, 0, e->own, &request);
    elastic_wait(&request);
    MPI_Type_free(&type);
    return PARCAST_OK;
}

static int commit(parcast_elastic *e, int64_t iteration, int64_t epoch, bool leave, elastic_piece *pieces)
{
    parcast_error error = {0};
    char *text = NULL;
    if (elastic_format_manifest(e, iteration, epoch, pieces, &text, &error) != PARCAST_OK) {
        elastic_wire_say(&e->wire, "unsaved %lld %s", (long long)iteration, error.text);
        return 0;
    }
    bool committed = elastic_control_hand_over(e, iteration, epoch, leave ? "leave" : "stay", text) &&
                     elastic_control_committed(e);
    if (committed) {
        free(e->manifest);
        e->manifest = text;
    } else {
        free(text);
    }
    return committed;
}

bool elastic_save(parcast_elastic *e, int64_t iteration, elastic_saving how)
{
    elastic_piece piece = {0}, *pieces = NULL;
    parcast_error error = {0};
    int64_t epoch = e->next_epoch++;
    int committed = 0;
    bool leave = how == ELASTIC_SAVE_AND_LEAVE || how == ELASTIC_SAVE_LAST;
    /* Else it was said when the ranks began to hold still. */
    if (e->rank == 0 && how == ELASTIC_SAVE_AND_STAY)
        elastic_wire_say(&e->wire, "saving %lld", (long long)iteration);
    parcast_status status = elastic_gather_pieces(
        e, elastic_write_piece(e, epoch, how == ELASTIC_SAVE_LAST, &piece, &error), &piece, &pieces, &error);
    if (status && e->rank == 0)
        elastic_wire_say(&e->wire, "unsaved %lld %s: %s", (long long)iteration, error.source, error.text);
    if (!status && e->rank == 0) committed = commit(e, iteration, epoch, leave, pieces);
    free(pieces);
    elastic_broadcast(e, &committed, sizeof committed);
    if (!committed && piece.index_checksum) unlink(piece.path); /* our own regular file */
    return committed;
}
