#include <stdlib.h>
#include <string.h>

#include "valueflow/space/embedding.h"

enum { D = PARCAST_MAX_EXTENTS };

/* Words at the same place of arrays of one shape, like the fields of a node, stay together where they come to
 * lie within a cell of each other. */
struct site {
    float sum[D], low[D], high[D];
    uint32_t n;
};

static void add_to_site(const struct embedding *e, uint32_t v, size_t from, size_t d, struct site *site)
{
    for (size_t i = 0; i < d; i++) {
        float x = place_of(e, v)[from + i];
        site->sum[i] += x;
        if (!site->n || x < site->low[i]) site->low[i] = x;
        if (!site->n || x > site->high[i]) site->high[i] = x;
    }
    site->n++;
}

/* The last word of an array may reach beyond its end, where its bytes are not a multiple of the word's. */
static bool has_site(const struct embedding *e, uint32_t v, uint64_t words)
{
    const struct graph_vertex *vertex = &e->values->vertices[v];
    const struct graph_array *array = &e->values->arrays[vertex->array];
    return !array->is_result && array->words == words && vertex->offset < words && e->placed[v] &&
           !e->fixed[v];
}

/* Coordinates from..from + d of words of arrays of so many words. */
static void gather_shape(struct embedding *e, uint64_t words, size_t from, size_t d, struct site *sites)
{
    const parcast_values *values = e->values;
    memset(sites, 0, words * sizeof *sites);
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (has_site(e, v, words)) add_to_site(e, v, from, d, &sites[values->vertices[v].offset]);
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        if (!has_site(e, v, words)) continue;
        const struct site *site = &sites[values->vertices[v].offset];
        bool close = true;
        for (size_t i = 0; i < d; i++) close = close && site->high[i] - site->low[i] < 1;
        for (size_t i = 0; close && i < d; i++) place_of(e, v)[from + i] = site->sum[i] / (float)site->n;
    }
}

/* Shapes that more than one array has. */
bool sites_gather(struct embedding *e)
{
    const parcast_values *values = e->values;
    for (size_t a = 0; a < values->n_arrays; a++) {
        uint64_t words = values->arrays[a].words;
        bool before = values->arrays[a].is_result || words < 2 || words > values->n_vertices, shared = false;
        for (size_t b = 0; b < a && !before; b++)
            before = !values->arrays[b].is_result && values->arrays[b].words == words;
        for (size_t b = a + 1; b < values->n_arrays; b++)
            shared = shared || (!values->arrays[b].is_result && values->arrays[b].words == words);
        if (before || !shared) continue;
        struct site *sites = malloc(words * sizeof *sites);
        if (!sites) return false;
        for (size_t k = 0, from = 0; k < e->n_spaces; from += e->spaces[k++].extents.n)
            gather_shape(e, words, from, e->spaces[k].extents.n, sites);
        free(sites);
    }
    return true;
}
