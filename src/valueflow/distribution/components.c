/* Pieces of the graph that hang together only through hubs are given away whole, in the order of memory. */
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/place.h"

enum { HUB = 64, LARGE_PIECES = 32 };

uint32_t graph_root(uint32_t *up, uint32_t v)
{
    for (; up[v] != v; v = up[v]) up[v] = up[up[v]];
    return v;
}

void graph_join(uint32_t *up, uint32_t a, uint32_t b)
{
    a = graph_root(up, a);
    b = graph_root(up, b);
    if (a < b)
        up[b] = a;
    else
        up[a] = b;
}

/* In how many sets a vertex is a pin. A sum that the region chose to add to joins nothing: it is a hub. */
static uint32_t *count_sets(const parcast_values *values)
{
    uint32_t *degree = calloc((size_t)values->n_vertices + 1, sizeof *degree);
    uint64_t n = values->n_sets ? values->set_first[values->n_sets] : 0;
    for (uint64_t i = 0; degree && i < n; i++) degree[values->pins[i] & ~GRAPH_FOLD]++;
    for (uint32_t v = 0; degree && v < values->n_vertices; v++)
        if (values->vertices[v].is_chosen) degree[v] = HUB + 1;
    return degree;
}

static void join_sets(const parcast_values *values, uint32_t *up, const uint32_t *degree)
{
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t first = values->set_first[s], end = values->set_first[s + 1];
        if (end - first > HUB) continue;
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++)
            for (uint64_t i = first; i < end; i++) {
                uint32_t pin = values->pins[i] & ~GRAPH_FOLD;
                if (degree[pin] <= HUB) graph_join(up, values->nets[j].home, pin);
            }
    }
}

uint32_t *graph_near_pieces(const parcast_values *values)
{
    uint32_t n = values->n_vertices, *up = malloc(((size_t)n + 1) * sizeof *up), *degree = count_sets(values);
    for (uint32_t v = 0; up && v < n; v++) up[v] = v;
    if (up && degree) join_sets(values, up, degree);
    if (!degree) {
        free(up);
        up = NULL;
    }
    free(degree);
    return up;
}

/* part[] of whole pieces by their work so far; hubs stay without. False when one piece is more than its
 * share. */
static bool give_away(const parcast_values *values, uint32_t *up, const uint32_t *degree, size_t p,
                      uint32_t *part, double *weight)
{
    double total = 0, before = 0;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        part[v] = GRAPH_NONE;
        if (degree[v] > HUB) continue;
        weight[graph_root(up, v)] += values->vertices[v].work;
        total += values->vertices[v].work;
    }
    if (!(total > 0.5 * values->work)) return false;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        if (graph_root(up, v) != v || degree[v] > HUB) continue;
        if (weight[v] * (double)p > 1.03 * total && p > 1) return false;
        double q = (before + weight[v] / 2) * (double)p / total;
        part[v] = q < (double)p ? (uint32_t)q : (uint32_t)p - 1;
        before += weight[v];
    }
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (degree[v] <= HUB) part[v] = part[graph_root(up, v)];
    return true;
}

parcast_status graph_place_components(const parcast_values *values, size_t n_parts, uint32_t *part,
                                      bool *placed, parcast_error *error)
{
    uint32_t n = values->n_vertices, *up = malloc(((size_t)n + 1) * sizeof *up), *degree = count_sets(values);
    double *weight = calloc((size_t)n + 1, sizeof *weight);
    parcast_status status = PARCAST_OK;
    if (up && degree && weight) {
        for (uint32_t v = 0; v < n; v++) up[v] = v;
        join_sets(values, up, degree);
        *placed = give_away(values, up, degree, n_parts, part, weight);
    } else {
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u words", n);
    }
    free(up);
    free(degree);
    free(weight);
    return status;
}

/* Numbers from 1 for roots of pieces with much work; how many. */
static uint32_t number_pieces(const parcast_values *values, uint32_t *up, const uint32_t *degree,
                              const double *weight, uint32_t *piece)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (degree[v] <= HUB && graph_root(up, v) == v && weight[v] > values->work / LARGE_PIECES)
            piece[v] = ++n;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        uint32_t top = degree[v] <= HUB ? graph_root(up, v) : v;
        if (top != v) piece[v] = piece[top];
    }
    if (n < 2) memset(piece, 0, values->n_vertices * sizeof *piece);
    return n < 2 ? 0 : n;
}

parcast_status graph_find_pieces(const parcast_values *values, uint32_t **piece, uint32_t *n_pieces,
                                 parcast_error *error)
{
    uint32_t n = values->n_vertices, *up = malloc(((size_t)n + 1) * sizeof *up), *degree = count_sets(values);
    uint32_t *found = calloc((size_t)n + 1, sizeof *found);
    double *weight = calloc((size_t)n + 1, sizeof *weight);
    parcast_status status = PARCAST_OK;
    if (up && degree && weight && found) {
        for (uint32_t v = 0; v < n; v++) up[v] = v;
        join_sets(values, up, degree);
        for (uint32_t v = 0; v < n; v++)
            if (degree[v] <= HUB) weight[graph_root(up, v)] += values->vertices[v].work;
        *n_pieces = number_pieces(values, up, degree, weight, found);
        *piece = found;
        found = NULL;
    } else {
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %u words", n);
    }
    free(up);
    free(degree);
    free(found);
    free(weight);
    return status;
}
