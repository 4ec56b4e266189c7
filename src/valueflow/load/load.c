#include "valueflow/load/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/load/names.h"
#include "valueflow/load/readers.h"
#include "valueflow/load/ways.h"
#include "valueflow/runtime/blocks/object_kind.h"

/* More than any machine has of either. */
static const uint64_t MOST_BYTES = UINT64_C(1) << 40;
enum { MOST_SLOTS = 1 << 28 };

static parcast_status broken(const char *path, parcast_error *error, const char *what)
{
    parcast_error_set(error, PARCAST_FORMAT, path, 0, "not a complete file of values: %s", what);
    parcast_error_hint(
        error, "it is written when a program built by 'parcast cc --values' ends; was it stopped before?");
    return PARCAST_FORMAT;
}

FILE *values_file_open(const char *path, parcast_error *error)
{
    FILE *in = fopen(path, "rbe");
    if (!in) parcast_error_set(error, PARCAST_IO, path, 0, "cannot open '%s': %s", path, strerror(errno));
    return in;
}

static parcast_status read_bytes(FILE *in, const char *path, struct values_file *file, parcast_error *error)
{
    parcast_status status = PARCAST_OK;
    long size = fseek(in, 0, SEEK_END) ? -1 : ftell(in);
    if (size < 0 || fseek(in, 0, SEEK_SET)) {
        status = parcast_error_set(error, PARCAST_IO, path, 0, "cannot read '%s': not a regular file", path);
    } else {
        file->size = (size_t)size;
        file->bytes = malloc(file->size + 8);
        if (!file->bytes)
            status =
                parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory for %zu bytes", file->size);
        else if (fread(file->bytes, 1, file->size, in) != file->size)
            status = parcast_error_set(error, PARCAST_IO, path, 0, "cannot read '%s'", path);
    }
    fclose(in);
    return status;
}

/* The next n records; NULL when the file is too short for them. Doubles come first, then words of four bytes.
 */
static void *section(struct values_file *file, size_t *at, uint64_t n, size_t size)
{
    if (n > (file->size - *at) / size) return NULL;
    void *here = file->bytes + *at;
    *at += (size_t)n * size;
    return here;
}

static bool find_sections(struct values_file *file)
{
    const struct vf_dump_header *h = &file->header;
    size_t at = sizeof *h;
    return (file->objects = section(file, &at, h->n_objects, sizeof *file->objects)) &&
           (file->names = section(file, &at, h->name_bytes, 1)) &&
           (file->pieces = section(file, &at, h->n_pieces, sizeof *file->pieces)) &&
           (file->work = section(file, &at, h->n_work, sizeof *file->work)) &&
           (file->nets = section(file, &at, h->n_nets, sizeof *file->nets)) &&
           (file->chain_nets = section(file, &at, h->n_chain_nets, sizeof *file->chain_nets)) &&
           (file->sinks = section(file, &at, h->n_states, sizeof *file->sinks)) &&
           (file->homes = section(file, &at, h->n_steps, sizeof *file->homes)) &&
           (file->chains = section(file, &at, h->n_chains, sizeof *file->chains)) &&
           (file->reports = section(file, &at, h->n_reports, sizeof *file->reports)) &&
           (file->same = section(file, &at, h->n_same, sizeof *file->same)) && at == file->size;
}

static bool names_fit(const struct values_file *file)
{
    uint64_t bytes = file->header.name_bytes;
    for (uint64_t i = 0; i < file->header.n_objects; i++)
        if ((uint64_t)file->objects[i].name + file->objects[i].name_length > bytes) return false;
    for (uint64_t i = 0; i < file->header.n_reports; i++) {
        const struct vf_dump_report *r = &file->reports[i];
        if ((uint64_t)r->kind + r->kind_length > bytes || (uint64_t)r->name + r->name_length > bytes)
            return false;
    }
    for (uint64_t i = 0; i < file->header.n_pieces; i++)
        if ((uint64_t)file->pieces[i].name + file->pieces[i].name_length > bytes) return false;
    return true;
}

/* A result is no part of memory. */
static bool words_fit(const struct vf_dump_object *o, int size, uint64_t n_vertices)
{
    const struct vf_dump_span *words = &o->words[size];
    if ((uint64_t)words->first + words->n > n_vertices || (words->n && !words->first)) return false;
    if (o->kind == VF_RESULT) return size == VF_RESULTS || !words->n;
    return !words->n || words->n == (o->bytes >> size) + 1;
}

static bool objects_fit(const struct values_file *file)
{
    uint64_t n = file->header.n_vertices;
    for (uint64_t i = 1; i < file->header.n_objects; i++) {
        const struct vf_dump_object *o = &file->objects[i];
        for (int size = 0; size < VF_WORD_SIZES; size++)
            if (!words_fit(o, size, n)) return false;
        if (o->kind == VF_RESULT) continue;
        if (o->bytes > MOST_BYTES || o->slot > MOST_SLOTS) return false;
    }
    return n <= VF_MOST_VERTICES;
}

/* Object 0 is none: nothing of the block was touched. */
static bool pieces_fit(const struct values_file *file)
{
    for (uint64_t i = 0; i < file->header.n_pieces; i++) {
        const struct vf_dump_piece *p = &file->pieces[i];
        if (p->object >= file->header.n_objects || p->flags > VF_DUMP_MANY) return false;
        if (p->object && p->offset >= file->objects[p->object].bytes) return false;
    }
    return true;
}

/* Word 0 is none. */
static bool is_vertex(const struct values_file *file, uint32_t vertex)
{
    return vertex && vertex < file->header.n_vertices;
}

/* Slot 0 is the empty way; others without a vertex are no nodes, and nothing refers to them. */
static bool is_way(const uint32_t *vertices, uint64_t n, uint32_t way)
{
    return !way || (way < n && vertices[way]);
}

/* Parents come before their children, so every way ends; vertices exist. */
static bool tree_fits(const struct values_file *file, const uint32_t *parents, const uint32_t *vertices,
                      uint64_t n, uint32_t flag)
{
    for (uint64_t i = 1; i < n; i++) {
        if (!vertices[i]) continue;
        if (parents[i] >= i || !is_way(vertices, n, parents[i])) return false;
        if (parents[i] && (vertices[i] ^ vertices[parents[i]]) & VF_SHIFTED) return false;
        if (flag && vertices[i] & VF_SHIFTED) continue; /* readers.c looks at its vertex */
        if (!is_vertex(file, vertices[i] & ~flag)) return false;
    }
    return true;
}

static parcast_status find_ways(const char *path, struct values_file *file, parcast_error *error)
{
    const struct vf_dump_header *h = &file->header;
    file->parents = ways_find(file->sinks, h->n_states);
    file->step_parents = file->parents ? ways_find(file->homes, h->n_steps) : NULL;
    if (!file->step_parents)
        return parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory for %llu sets",
                                 (unsigned long long)(h->n_states + h->n_steps));
    return PARCAST_OK;
}

static bool ways_fit(const struct values_file *file)
{
    const struct vf_dump_header *h = &file->header;
    return tree_fits(file, file->parents, file->sinks, h->n_states, VF_FOLD_PIN) &&
           tree_fits(file, file->step_parents, file->homes, h->n_steps, 0);
}

static bool chains_fit(const struct values_file *file)
{
    for (uint64_t i = 1; i < file->header.n_chains; i++) {
        const struct vf_dump_chain *c = &file->chains[i];
        if (c->before >= i || (c->op_and_labels & 0xff) > VF_DUMP_LABELS) return false;
        for (int j = 0; j < VF_DUMP_LABELS; j++)
            if (!is_way(file->homes, file->header.n_steps, c->streams[j])) return false;
    }
    return true;
}

bool values_file_is_work(double work)
{
    return work >= 0 && work <= 1e18;
}

static bool counts_fit(const struct values_file *file)
{
    const struct vf_dump_header *h = &file->header;
    for (uint64_t i = 0; i < h->n_work; i++)
        if (!is_vertex(file, file->work[i].vertex) || file->work[i].flags > VF_DUMP_CHOSEN ||
            !values_file_is_work(file->work[i].work))
            return false;
    for (uint64_t i = 0; i < h->n_nets; i++)
        if (!is_vertex(file, file->nets[i].vertex) || !file->nets[i].count) return false;
    for (uint64_t i = 0; i < h->n_chain_nets; i++)
        if (!is_vertex(file, file->chain_nets[i].vertex) || !file->chain_nets[i].count) return false;
    return h->n_vertices <= VF_MOST_VERTICES;
}

static bool nets_fit(const struct values_file *file)
{
    const struct vf_dump_header *h = &file->header;
    for (uint64_t i = 0; i < h->n_nets; i++)
        if (!is_way(file->sinks, h->n_states, file->nets[i].what)) return false;
    for (uint64_t i = 0; i < h->n_chain_nets; i++)
        if (file->chain_nets[i].what >= h->n_chains) return false;
    for (uint64_t i = 0; i < h->n_same; i++)
        if (!is_vertex(file, file->same[i].instance) || file->same[i].word >= h->n_vertices) return false;
    return counts_fit(file);
}

static parcast_status read_header(const char *path, struct values_file *file, parcast_error *error)
{
    if (file->size < sizeof file->header) return broken(path, error, "shorter than its header");
    memcpy(&file->header, file->bytes, sizeof file->header);
    if (memcmp(file->header.magic, VF_DUMP_MAGIC, 8) != 0)
        return broken(path, error, "it begins with something else");
    if (file->header.version != VF_DUMP_VERSION) {
        parcast_error_set(error, PARCAST_FORMAT, path, 0, "version %u of the file; this parcast reads %u",
                          file->header.version, VF_DUMP_VERSION);
        parcast_error_hint(error, "compile the program again with the 'parcast cc --values' of this parcast");
        return PARCAST_FORMAT;
    }
    if (file->header.name_bytes % 8) return broken(path, error, "names of an odd length");
    if (!find_sections(file)) return broken(path, error, "its size does not match its header");
    return PARCAST_OK;
}

static bool is_whole(const struct values_file *file)
{
    return file->header.complete == VF_DUMP_COMPLETE || file->header.complete == VF_DUMP_PARTIAL;
}

static parcast_status check(const char *path, struct values_file *file, parcast_error *error)
{
    parcast_status status = read_header(path, file, error);
    if (status) return status;
    if (!is_whole(file)) return broken(path, error, "the program ended while it was written");
    if ((status = find_ways(path, file, error))) return status;
    if (!names_fit(file) || !objects_fit(file) || !ways_fit(file) || !chains_fit(file) || !nets_fit(file) ||
        !pieces_fit(file))
        return broken(path, error, "its tables contradict each other");
    if (!readers_fit(file)) return broken(path, error, "a reader is no word");
    if (!readers_list(file))
        return parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory for readers");
    return names_choose(file) ? PARCAST_OK
                              : parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory for names");
}

parcast_status values_file_read(FILE *in, const char *path, struct values_file *file, parcast_error *error)
{
    *file = (struct values_file){0};
    parcast_status status = read_bytes(in, path, file, error);
    if (!status) status = check(path, file, error);
    if (status) values_file_clear(file);
    return status;
}

void values_file_forget_readers(struct values_file *file)
{
    free(file->parents);
    free(file->reader_first);
    free(file->readers);
    file->parents = file->readers = NULL;
    file->reader_first = NULL;
}

void values_file_forget_steps(struct values_file *file)
{
    free(file->step_parents);
    free(file->own_chains);
    free(file->own_chain_nets);
    free(file->own_homes);
    file->step_parents = file->own_homes = NULL;
    file->own_chains = NULL;
    file->own_chain_nets = NULL;
}

void values_file_clear(struct values_file *file)
{
    values_file_forget_readers(file);
    values_file_forget_steps(file);
    free(file->bytes);
    free(file->own_objects);
    free(file->own_names);
    free(file->roots);
    free(file->is_no_sum);
    *file = (struct values_file){0};
}
