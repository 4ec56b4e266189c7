#include "valueflow/graph/versions.h"

#include <stdlib.h>

struct entry {
    uint32_t root, chain, net;
};

static int by_root(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->root != y->root) return x->root < y->root ? -1 : 1;
    if (x->chain != y->chain) return x->chain < y->chain ? -1 : 1;
    return x->net < y->net ? -1 : x->net > y->net;
}

bool versions_make(struct unite *u, struct versions *versions)
{
    const struct values_file *file = u->file;
    size_t n = file->header.n_vertices, n_nets = file->header.n_chain_nets;
    struct entry *entries = malloc((n_nets + 1) * sizeof *entries);
    versions->first = calloc(n + 2, sizeof *versions->first);
    versions->nets = malloc((n_nets + 1) * sizeof *versions->nets);
    bool fine = entries && versions->first && versions->nets;
    for (uint32_t i = 0; fine && i < n_nets; i++) {
        const struct vf_dump_net *net = &file->chain_nets[i];
        entries[i] = (struct entry){unite_root(u, net->vertex), net->what, i};
        versions->first[entries[i].root + 1]++;
    }
    for (size_t v = 0; fine && v < n; v++) versions->first[v + 1] += versions->first[v];
    if (fine) qsort(entries, n_nets, sizeof *entries, by_root);
    for (size_t i = 0; fine && i < n_nets; i++) versions->nets[i] = entries[i].net;
    free(entries);
    return fine;
}

void versions_clear(struct versions *versions)
{
    free(versions->first);
    free(versions->nets);
    *versions = (struct versions){0};
}

bool versions_alike(const struct values_file *file, const struct versions *versions, uint32_t a, uint32_t b)
{
    uint32_t n = versions_count(versions, a);
    const uint32_t *x = versions->nets + versions->first[a], *y = versions->nets + versions->first[b];
    if (n != versions_count(versions, b)) return false;
    for (uint32_t i = 0; i < n; i++)
        if (file->chain_nets[x[i]].count != file->chain_nets[y[i]].count) return false;
    return true;
}
