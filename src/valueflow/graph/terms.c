#include "valueflow/graph/terms.h"

#include <stdlib.h>

uint64_t terms_count(const parcast_values *values)
{
    uint64_t n = 0;
    for (size_t i = 0; i < values->n_chains && n <= TERMS_MOST; i++)
        for (uint32_t key = values->chains[i].key; key; key = values->segments[key].before)
            n += (uint64_t)values->segments[key].labels * values->segments[key].n_terms;
    return n;
}

static void find_own(const parcast_values *values, uint32_t *own_first)
{
    uint32_t v = 0;
    for (size_t i = 0; i < values->n_chains; i++)
        for (; v <= values->chains[i].vertex; v++) own_first[v] = (uint32_t)i;
    for (; v <= values->n_vertices; v++) own_first[v] = (uint32_t)values->n_chains;
}

/* First how many sums each vertex is in; then, where there is room for them, which. */
static void list(const parcast_values *values, const bool *adds, struct terms *t)
{
    for (size_t i = 0; i < values->n_chains; i++) {
        if (adds && !adds[values->chains[i].vertex]) continue;
        for (uint32_t key = values->chains[i].key; key; key = values->segments[key].before)
            for (uint32_t j = 0; j < values->segments[key].labels; j++) {
                const uint32_t *homes =
                    values->stream_homes + values->stream_first[values->segments[key].streams[j]];
                for (uint32_t k = 0; k < values->segments[key].n_terms; k++) {
                    uint64_t at = t->first[homes[k]]++;
                    if (t->sums) t->sums[at] = (uint32_t)i;
                }
            }
    }
}

static void find_most(const parcast_values *values, struct terms *t)
{
    for (uint32_t v = 0; v < values->n_vertices; v++)
        for (uint64_t i = t->first[v], end; i < t->first[v + 1]; i = end) {
            uint32_t s = t->sums[i];
            for (end = i + 1; end < t->first[v + 1] && t->sums[end] == s;) end++;
            if (end - i > t->most[s]) t->most[s] = (uint32_t)(end - i);
        }
}

static bool fill(const parcast_values *values, const bool *adds, struct terms *t)
{
    uint32_t n = values->n_vertices;
    uint64_t total = 0;
    find_own(values, t->own_first);
    list(values, adds, t);
    for (uint32_t v = 0; v <= n; v++) {
        uint64_t here = t->first[v];
        t->first[v] = total;
        total += here;
    }
    t->sums = malloc((total + 1) * sizeof *t->sums);
    if (!t->sums) return false;
    list(values, adds, t);
    for (uint32_t v = n; v > 0; v--) t->first[v] = t->first[v - 1];
    t->first[0] = 0;
    find_most(values, t);
    return true;
}

parcast_status terms_make(const parcast_values *values, const bool *adds, struct terms *t)
{
    size_t n = (size_t)values->n_vertices + 1;
    *t = (struct terms){0};
    t->own_first = calloc(n, sizeof *t->own_first);
    t->first = calloc(n, sizeof *t->first);
    t->most = calloc(values->n_chains + 1, sizeof *t->most);
    if (t->own_first && t->first && t->most && fill(values, adds, t)) return PARCAST_OK;
    terms_clear(t);
    return PARCAST_MEMORY;
}

void terms_clear(struct terms *t)
{
    free(t->own_first);
    free(t->first);
    free(t->sums);
    free(t->most);
    *t = (struct terms){0};
}
