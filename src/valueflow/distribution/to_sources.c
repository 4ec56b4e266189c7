/*
 * Words where most of what they are computed from lies, all at once: populations of a lattice that are pushed
 * to the cell beside it, say. One after another they would save nothing, and a part that takes them has no
 * room before it has given away its own.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/place.h"
#include "valueflow/graph/incidence.h"

enum { MOST_HOMES = 64, MOST_SETS = 64 };

struct sources {
    const parcast_values *values;
    const struct incidence *at;
    const uint32_t *part;
    uint32_t *count; /* [n_parts] */
    uint32_t *touched, n_touched;
    uint32_t n;
};

static void count_homes(struct sources *s, uint32_t set)
{
    uint64_t first = s->values->net_first[set], end = s->values->net_first[set + 1];
    for (uint64_t i = first; i < end && i < first + MOST_HOMES; i++) {
        uint32_t part = s->part[s->values->nets[i].home];
        if (!s->count[part]++) s->touched[s->n_touched++] = part;
        s->n++;
    }
}

/* Its own part where none has more than half of them, or where it adds them up. */
static uint32_t part_of_most(struct sources *s, uint32_t v)
{
    uint64_t first = s->at->set_first[v], end = s->at->set_first[v + 1];
    uint32_t best = s->part[v];
    bool adds = end - first > MOST_SETS;
    s->n = s->n_touched = 0;
    for (uint64_t i = first; !adds && i < end; i++) {
        adds = s->at->sets[i] & 1;
        count_homes(s, s->at->sets[i] >> 1);
    }
    for (uint32_t i = 0; i < s->n_touched; i++) {
        if (!adds && 2 * s->count[s->touched[i]] > s->n) best = s->touched[i];
        s->count[s->touched[i]] = 0;
    }
    return best;
}

static parcast_status find(const parcast_values *values, size_t n_parts, const uint32_t *part,
                           uint32_t *moved, bool *any)
{
    struct sources s = {.values = values, .at = values->at, .part = part};
    s.count = calloc(n_parts, sizeof *s.count);
    s.touched = malloc(n_parts * sizeof *s.touched);
    parcast_status status = s.count && s.touched ? PARCAST_OK : PARCAST_MEMORY;
    *any = false;
    for (uint32_t v = 0; !status && v < values->n_vertices; v++) {
        moved[v] = part_of_most(&s, v);
        *any = *any || moved[v] != part[v];
    }
    free(s.count);
    free(s.touched);
    return status;
}

/* The part of all that it is computed from, as far as that is placed and not read by very many; GRAPH_NONE
 * where there are several or none. */
static uint32_t part_of_placed(const parcast_values *values, const uint32_t *part, uint32_t v)
{
    enum { CROWD = 1024 };
    uint32_t found = GRAPH_NONE;
    for (uint64_t i = values->at->set_first[v]; i < values->at->set_first[v + 1]; i++) {
        uint32_t set = values->at->sets[i] >> 1;
        uint64_t first = values->net_first[set], end = values->net_first[set + 1];
        if (values->set_first[set + 1] - values->set_first[set] > CROWD) continue;
        for (uint64_t j = first; j < end && j < first + MOST_HOMES; j++) {
            uint32_t of = part[values->nets[j].home];
            if (of == GRAPH_NONE || of == found) continue;
            if (found != GRAPH_NONE) return GRAPH_NONE;
            found = of;
        }
    }
    return found;
}

parcast_status graph_place_by_sources(const parcast_values *values, uint32_t *part, uint32_t *n_placed,
                                      parcast_error *error)
{
    uint32_t n = values->n_vertices, *to = malloc(((size_t)n + 1) * sizeof *to);
    *n_placed = 0;
    if (!to) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u words", n);
    for (uint32_t v = 0; v < n; v++) {
        to[v] = part[v] == GRAPH_NONE ? part_of_placed(values, part, v) : part[v];
        *n_placed += to[v] != part[v];
    }
    memcpy(part, to, n * sizeof *part);
    free(to);
    return PARCAST_OK;
}

parcast_status graph_move_to_sources(const parcast_values *values, size_t n_parts, double allowed,
                                     uint64_t words, uint32_t *part, parcast_flow *flow, parcast_error *error)
{
    size_t bytes = ((size_t)values->n_vertices + 1) * sizeof(uint32_t);
    uint32_t *moved = malloc(bytes);
    bool any = false;
    *flow = (parcast_flow){0};
    parcast_status status = moved ? find(values, n_parts, part, moved, &any) : PARCAST_MEMORY;
    if (status) parcast_error_set(error, status, NULL, 0, "out of memory for %zu parts", n_parts);
    if (!status && any) status = graph_evaluate(values, moved, n_parts, allowed, flow, error);
    if (!status && any && flow->words < words && flow->imbalance_ratio <= allowed)
        memcpy(part, moved, bytes - sizeof *part);
    else
        parcast_flow_clear(flow);
    free(moved);
    return status;
}
