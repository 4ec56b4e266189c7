/* Borders of a distribution of a large graph: what lies inside of a part is one vertex, so that only the
 * borders are looked at. */
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/place.h"
#include "valueflow/search/coarse.h"

/* A distribution that is border everywhere is left alone. */
enum { MOST_NEAR = 4, ROUNDS = 3 };

/* Sets with readers or homes in several parts. */
static bool is_cut(const parcast_values *values, uint32_t set, const uint32_t *part)
{
    uint64_t first = values->set_first[set], end = values->set_first[set + 1];
    if (first == end) return false;
    uint32_t own = part[values->pins[first] & ~GRAPH_FOLD];
    for (uint64_t i = first + 1; i < end; i++)
        if (part[values->pins[i] & ~GRAPH_FOLD] != own) return true;
    for (uint64_t i = values->net_first[set]; i < values->net_first[set + 1]; i++)
        if (part[values->nets[i].home] != own) return true;
    return false;
}

/* group[v]: the part, or a number of its own on a border; returns how many groups. */
static uint32_t find_borders(const parcast_values *values, size_t n_parts, const uint32_t *part,
                             uint32_t *group)
{
    uint32_t n = (uint32_t)n_parts;
    for (uint32_t v = 0; v < values->n_vertices; v++) group[v] = part[v];
    for (uint32_t s = 0; s < values->n_sets; s++) {
        if (!is_cut(values, s, part)) continue;
        for (uint64_t i = values->set_first[s]; i < values->set_first[s + 1]; i++) {
            uint32_t v = values->pins[i] & ~GRAPH_FOLD;
            if (group[v] < n_parts) group[v] = n++;
        }
        for (uint64_t i = values->net_first[s]; i < values->net_first[s + 1]; i++)
            if (group[values->nets[i].home] < n_parts) group[values->nets[i].home] = n++;
    }
    return n;
}

static parcast_status improve(const parcast_values *values, size_t n_parts, double allowed_ratio, bool freely,
                              const uint32_t *group, const struct contraction *small, uint32_t *part,
                              parcast_flow *flow, bool *better, parcast_error *error)
{
    size_t n = (size_t)small->values->n_vertices + 1;
    uint32_t *where = calloc(n, sizeof *where);
    bool *fixed = calloc(n, sizeof *fixed);
    parcast_flow found = {0};
    parcast_status status = where && fixed ? PARCAST_OK : PARCAST_MEMORY;
    for (uint32_t v = 0; !status && v < values->n_vertices; v++) {
        where[small->vertex[v]] = part[v];
        fixed[small->vertex[v]] = group[v] < n_parts;
    }
    if (!status && freely)
        status = graph_refine_freely(small->values, n_parts, fixed, allowed_ratio, where, error);
    else if (!status)
        status = graph_refine(small->values, n_parts, fixed, allowed_ratio, NULL, where, NULL, error);
    if (!status) status = graph_evaluate(small->values, where, n_parts, allowed_ratio, &found, error);
    *better = !status && found.words < flow->words && found.imbalance_ratio <= allowed_ratio;
    if (*better) {
        memcpy(found.decomposition, flow->decomposition, sizeof found.decomposition);
        parcast_flow_clear(flow);
        *flow = found;
        for (uint32_t v = 0; v < values->n_vertices; v++) part[v] = where[small->vertex[v]];
    } else {
        parcast_flow_clear(&found);
    }
    free(where);
    free(fixed);
    return status;
}

/* What lies in one block of a small graph may be computed in another one. */
static parcast_status move_to_sources(const parcast_values *values, size_t n_parts, double allowed_ratio,
                                      uint32_t *part, parcast_flow *flow, parcast_error *error)
{
    parcast_flow found;
    parcast_status status =
        graph_move_to_sources(values, n_parts, allowed_ratio, flow->words, part, &found, error);
    if (status || !found.processes) return status;
    memcpy(found.decomposition, flow->decomposition, sizeof found.decomposition);
    parcast_flow_clear(flow);
    *flow = found;
    return PARCAST_OK;
}

parcast_status coarse_sharpen(const parcast_values *values, size_t n_parts, double allowed_ratio,
                              uint32_t *part, parcast_flow *flow, bool *looked, parcast_error *error)
{
    uint32_t *group = malloc(((size_t)values->n_vertices + 1) * sizeof *group);
    parcast_status status = group ? PARCAST_OK : PARCAST_MEMORY;
    if (!status) status = move_to_sources(values, n_parts, allowed_ratio, part, flow, error);
    bool better, freely = false, over = false; /* freely: at last, sums of few values read them */
    *looked = false;
    for (int round = 0; !status && !over && round < ROUNDS; round++) {
        struct contraction small;
        bool made = false;
        uint32_t n = find_borders(values, n_parts, part, group);
        better = false;
        status = contract(values, group, n, values->n_vertices / MOST_NEAR, false, &small, &made);
        if (status || !made) break;
        *looked = true;
        status = improve(values, n_parts, allowed_ratio, freely, group, &small, part, flow, &better, error);
        contraction_clear(&small);
        over = freely && !better;
        freely = freely || !better || round + 2 == ROUNDS;
    }
    free(group);
    if (status == PARCAST_MEMORY)
        parcast_error_set(error, status, NULL, 0, "out of memory for %zu parts", n_parts);
    return status;
}
