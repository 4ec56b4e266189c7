#include "valueflow/scale.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/load.h"

struct entry {
    uint32_t vertex, what, record; /* record of the later file; UINT32_MAX: of the earlier */
    int64_t count;
};

static int by_key(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->vertex != y->vertex) return x->vertex < y->vertex ? -1 : 1;
    if (x->what != y->what) return x->what < y->what ? -1 : 1;
    return x->record < y->record ? -1 : x->record > y->record;
}

/* One entry a key: versions between the two files, with a record that can take more. */
static size_t merge(struct entry *entries, size_t n)
{
    size_t kept = 0;
    qsort(entries, n, sizeof *entries, by_key);
    for (size_t i = 0; i < n; i++) {
        struct entry *last = kept ? &entries[kept - 1] : NULL;
        if (last && last->vertex == entries[i].vertex && last->what == entries[i].what)
            last->count += entries[i].count;
        else
            entries[kept++] = entries[i];
    }
    return kept;
}

/* A value that lived on and was read by more moved from one key of its vertex to another: no new version. */
static void cancel(struct entry *entries, size_t n)
{
    int64_t moved = 0;
    for (size_t i = 0; i < n; i++)
        if (entries[i].count < 0) moved -= entries[i].count;
    for (size_t i = 0; i < n && moved; i++) {
        if (entries[i].count <= 0) continue;
        int64_t taken = entries[i].count < moved ? entries[i].count : moved;
        entries[i].count -= taken;
        moved -= taken;
    }
}

static parcast_status add_entries(struct vf_dump_net *nets, const struct entry *entries, size_t n,
                                  double factor, const char *path, parcast_error *error)
{
    for (size_t i = 0; i < n; i++) {
        if (entries[i].count <= 0 || entries[i].record == UINT32_MAX) continue;
        struct vf_dump_net *net = &nets[entries[i].record];
        double count = (double)net->count + round(factor * (double)entries[i].count);
        if (count > (double)UINT32_MAX)
            return parcast_error_set(error, PARCAST_LIMIT, path, 0,
                                     "more than 2^32 values of one word; use fewer iterations");
        net->count = (uint32_t)count;
    }
    return PARCAST_OK;
}

static parcast_status scale_nets(struct vf_dump_net *nets, uint64_t n, const struct vf_dump_net *earlier,
                                 uint64_t n_earlier, double factor, const char *path, parcast_error *error)
{
    struct entry *entries = malloc((n + n_earlier + 1) * sizeof *entries);
    if (!entries)
        return parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory for the iterations");
    for (uint64_t i = 0; i < n; i++)
        entries[i] = (struct entry){nets[i].vertex, nets[i].what, (uint32_t)i, nets[i].count};
    for (uint64_t i = 0; i < n_earlier; i++)
        entries[n + i] =
            (struct entry){earlier[i].vertex, earlier[i].what, UINT32_MAX, -(int64_t)earlier[i].count};
    size_t kept = merge(entries, n + n_earlier);
    for (size_t first = 0, end; first < kept; first = end) {
        for (end = first + 1; end < kept && entries[end].vertex == entries[first].vertex;) end++;
        cancel(entries + first, end - first);
    }
    parcast_status status = add_entries(nets, entries, kept, factor, path, error);
    free(entries);
    return status;
}

/* Both lists ascend by vertex. */
static parcast_status scale_work(struct vf_dump_work *work, uint64_t n, const struct vf_dump_work *earlier,
                                 uint64_t n_earlier, double factor, const char *path, parcast_error *error)
{
    for (uint64_t i = 0, j = 0; i < n; i++) {
        while (j < n_earlier && earlier[j].vertex < work[i].vertex) j++;
        double before = j < n_earlier && earlier[j].vertex == work[i].vertex ? earlier[j].work : 0;
        work[i].work += factor * (work[i].work - before);
        if (!values_file_is_work(work[i].work))
            return parcast_error_set(error, PARCAST_LIMIT, path, 0,
                                     "%g operations on one word; use fewer iterations", work[i].work);
    }
    return PARCAST_OK;
}

static parcast_status scale_count(uint64_t *later, uint64_t earlier, double factor, const char *path,
                                  parcast_error *error)
{
    if (*later < earlier)
        return parcast_error_set(error, PARCAST_FORMAT, path, 0,
                                 "the later iterations did less than the earlier");
    double more = round(factor * (double)(*later - earlier));
    if ((double)*later + more >= 0x1p63)
        return parcast_error_set(error, PARCAST_LIMIT, path, 0, "more than 2^63 operations or values");
    *later += (uint64_t)more;
    return PARCAST_OK;
}

static parcast_status scale_counts(struct vf_dump_header *later, const struct vf_dump_header *earlier,
                                   double factor, const char *path, parcast_error *error)
{
    parcast_status status = scale_count(&later->flop, earlier->flop, factor, path, error);
    return status ? status : scale_count(&later->values, earlier->values, factor, path, error);
}

static parcast_status write_again(const char *path, struct values_file *file, parcast_error *error)
{
    memcpy(file->bytes, &file->header, sizeof file->header);
    FILE *out = fopen(path, "wb");
    bool fine = out && fwrite(file->bytes, 1, file->size, out) == file->size;
    if (out && fclose(out)) fine = false;
    return fine ? PARCAST_OK
                : parcast_error_set(error, PARCAST_IO, path, 0, "cannot write '%s': %s", path,
                                    strerror(errno));
}

parcast_status values_scale(const char *path, const char *before, double factor, parcast_error *error)
{
    struct values_file file, earlier;
    parcast_status status = values_file_read(path, &file, error);
    if (status) return status;
    status = values_file_read(before, &earlier, error);
    if (status) {
        values_file_clear(&file);
        return status;
    }
    struct vf_dump_header *h = &file.header;
    const struct vf_dump_header *e = &earlier.header;
    /* The records lie in file.bytes, which are ours. */
    status = scale_nets(file.nets, h->n_nets, earlier.nets, e->n_nets, factor, path, error);
    if (!status)
        status = scale_nets(file.chain_nets, h->n_chain_nets, earlier.chain_nets, e->n_chain_nets, factor,
                            path, error);
    if (!status) status = scale_counts(h, e, factor, path, error);
    if (!status) status = scale_work(file.work, h->n_work, earlier.work, e->n_work, factor, path, error);
    if (!status) status = write_again(path, &file, error);
    values_file_clear(&file);
    values_file_clear(&earlier);
    return status;
}
