#include "valueflow/scale.h"

#include <math.h>
#include <stdlib.h>

enum { SHORT_LIST = 16 };

struct entry {
    uint32_t what, record; /* record of the later file; UINT32_MAX: of the earlier */
    int64_t count;
};

/* The keys of every vertex together. */
struct entries {
    struct entry *entry;
    uint64_t *first; /* [n_vertices + 1] */
};

static int by_key(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->what != y->what) return x->what < y->what ? -1 : 1;
    return x->record < y->record ? -1 : x->record > y->record;
}

/* Most vertices have one or two keys in each file. */
static void sort(struct entry *entries, size_t n)
{
    if (n > SHORT_LIST) qsort(entries, n, sizeof *entries, by_key);
    for (size_t i = 1; i < n && n <= SHORT_LIST; i++) {
        struct entry one = entries[i];
        size_t j = i;
        for (; j > 0 && by_key(&entries[j - 1], &one) > 0; j--) entries[j] = entries[j - 1];
        entries[j] = one;
    }
}

/* One entry a key: versions between the two files, with a record that can take more. */
static size_t merge(struct entry *entries, size_t n)
{
    size_t kept = 0;
    sort(entries, n);
    for (size_t i = 0; i < n; i++) {
        struct entry *last = kept ? &entries[kept - 1] : NULL;
        if (last && last->what == entries[i].what)
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

/* Where the keys of each vertex begin; entries.first[v + 1] is where they are put and so ends. */
static bool make_room(struct entries *e, uint64_t n_vertices, const struct vf_dump_net *nets, uint64_t n,
                      const struct vf_dump_net *earlier, uint64_t n_earlier)
{
    e->entry = malloc((n + n_earlier + 1) * sizeof *e->entry);
    e->first = calloc(n_vertices + 2, sizeof *e->first);
    if (!e->entry || !e->first) return false;
    for (uint64_t i = 0; i < n; i++) e->first[nets[i].vertex + 1]++;
    for (uint64_t i = 0; i < n_earlier; i++) e->first[earlier[i].vertex + 1]++;
    for (uint64_t v = 0; v <= n_vertices; v++) e->first[v + 1] += e->first[v];
    return true;
}

static void fill(struct entries *e, const struct vf_dump_net *nets, uint64_t n,
                 const struct vf_dump_net *earlier, uint64_t n_earlier, uint64_t n_vertices)
{
    for (uint64_t i = 0; i < n; i++)
        e->entry[e->first[nets[i].vertex]++] = (struct entry){nets[i].what, (uint32_t)i, nets[i].count};
    for (uint64_t i = 0; i < n_earlier; i++)
        e->entry[e->first[earlier[i].vertex]++] =
            (struct entry){earlier[i].what, UINT32_MAX, -(int64_t)earlier[i].count};
    for (uint64_t v = n_vertices; v > 0; v--) e->first[v] = e->first[v - 1];
    e->first[0] = 0;
}

static parcast_status scale_nets(struct vf_dump_net *nets, uint64_t n, const struct vf_dump_net *earlier,
                                 uint64_t n_earlier, uint64_t n_vertices, double factor, const char *path,
                                 parcast_error *error)
{
    struct entries e = {0};
    parcast_status status = PARCAST_OK;
    if (make_room(&e, n_vertices, nets, n, earlier, n_earlier))
        fill(&e, nets, n, earlier, n_earlier, n_vertices);
    else
        status = parcast_error_set(error, PARCAST_MEMORY, path, 0, "out of memory for the iterations");
    for (uint64_t v = 0; !status && v < n_vertices; v++) {
        struct entry *keys = e.entry + e.first[v];
        size_t kept = merge(keys, e.first[v + 1] - e.first[v]);
        cancel(keys, kept);
        status = add_entries(nets, keys, kept, factor, path, error);
    }
    free(e.entry);
    free(e.first);
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

parcast_status values_scale(const char *path, struct values_file *file, const struct values_scaling *scaling,
                            parcast_error *error)
{
    struct values_file earlier;
    parcast_status status = values_file_read_counts(scaling->before, &earlier, error);
    if (status) return status;
    struct vf_dump_header *h = &file->header;
    const struct vf_dump_header *e = &earlier.header;
    double factor = scaling->factor;
    if (e->n_vertices > h->n_vertices)
        status = parcast_error_set(error, PARCAST_FORMAT, path, 0,
                                   "the later iterations know fewer words than the earlier");
    if (!status)
        status =
            scale_nets(file->nets, h->n_nets, earlier.nets, e->n_nets, h->n_vertices, factor, path, error);
    if (!status)
        status = scale_nets(file->chain_nets, h->n_chain_nets, earlier.chain_nets, e->n_chain_nets,
                            h->n_vertices, factor, path, error);
    if (!status) status = scale_counts(h, e, factor, path, error);
    if (!status) status = scale_work(file->work, h->n_work, earlier.work, e->n_work, factor, path, error);
    values_file_clear(&earlier);
    return status;
}
