/* A mesh that is numbered at random is laid out and cut in two, and so are both halves. */
#include "valueflow/distribution/unfold.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/place.h"
#include "valueflow/distribution/unfold_known.h"
#include "valueflow/graph/once.h"

/* Edges, from both their ends: to lay out more takes seconds, for each number of parts anew. */
static const idx_t most_edges = 1 << 22;

/* Which side they are on. *placed: false where they do not hang together. */
static parcast_status cut(struct unfold *u, double share, struct unfold_cut **cuts, bool *placed)
{
    bool is_there;
    struct unfold_cut *known = unfold_known(u, cuts, share, &is_there);
    if (!known) return PARCAST_MEMORY;
    if (!is_there) {
        bool is_laid_out = unfold_lay_out(u);
        if (is_laid_out) unfold_split(u, share);
        unfold_settle(u, known, is_laid_out);
    }
    *placed = known->is_placed;
    return PARCAST_OK;
}

/* The upper side becomes piece + n_parts / 2. */
static parcast_status divide(struct unfold *u, idx_t *vertices, idx_t n, uint32_t piece, size_t n_parts,
                             struct unfold_cut **cuts, bool *placed)
{
    size_t lower = n_parts / 2;
    idx_t n_lower = 0, n_upper = 0;
    if (n_parts == 1) return PARCAST_OK;
    u->vertices = vertices;
    u->n = n;
    u->piece = piece;
    parcast_status status = cut(u, (double)lower / (double)n_parts, cuts, placed);
    if (status || !*placed) return status;
    for (idx_t i = 0; i < n; i++) {
        idx_t v = vertices[i];
        if (u->best[v]) {
            vertices[n_lower++] = v;
        } else {
            u->other[n_upper++] = v;
            u->part[v] = piece + (uint32_t)lower;
        }
    }
    memcpy(vertices + n_lower, u->other, (size_t)n_upper * sizeof *vertices);
    status = divide(u, vertices, n_lower, piece, lower, cuts, placed);
    if (status || !*placed) return status;
    return divide(u, vertices + n_lower, n_upper, piece + (uint32_t)lower, n_parts - lower, cuts, placed);
}

static parcast_status unfold(const struct shown *graph, size_t n_parts, struct unfold_cut **cuts,
                             uint32_t *part, bool *placed)
{
    struct unfold u = {.graph = graph, .key = unfold_key(graph), .part = part};
    size_t n = (size_t)graph->n;
    idx_t *vertices = malloc(n * sizeof *vertices);
    u.other = malloc(n * sizeof *u.other);
    u.distance = malloc(UNFOLD_LANDMARKS * n * sizeof *u.distance);
    u.nearest = malloc(n * sizeof *u.nearest);
    u.queue = malloc(n * sizeof *u.queue);
    u.index = malloc(n * sizeof *u.index);
    u.first = malloc((n + 1) * sizeof *u.first);
    u.beside = malloc((size_t)graph->first[graph->n] * sizeof *u.beside);
    u.place = malloc(n * sizeof *u.place);
    u.next = malloc(n * sizeof *u.next);
    u.along = malloc(n * sizeof *u.along);
    u.work = malloc(UNFOLD_BINS * sizeof *u.work);
    u.lower = calloc(n, sizeof *u.lower);
    u.best = calloc(n, sizeof *u.best);
    bool fine = vertices && u.other && u.distance && u.nearest && u.queue && u.index && u.first && u.beside &&
                u.place && u.next && u.along && u.work && u.lower && u.best;
    for (size_t v = 0; fine && v < n; v++) {
        vertices[v] = (idx_t)v;
        part[v] = 0;
    }
    parcast_status status = fine ? divide(&u, vertices, graph->n, 0, n_parts, cuts, placed) : PARCAST_MEMORY;
    free(vertices);
    free(u.other);
    free(u.distance);
    free(u.nearest);
    free(u.queue);
    free(u.index);
    free(u.first);
    free(u.beside);
    free(u.place);
    free(u.next);
    free(u.along);
    free(u.work);
    free(u.lower);
    free(u.best);
    return status;
}

parcast_status graph_unfold(const parcast_values *values, size_t n_parts, bool leave_terms, uint32_t *part,
                            bool *placed, parcast_error *error)
{
    struct shown shown = {0};
    uint32_t *shown_part = NULL;
    *placed = false;
    parcast_status status = shown_make(values, n_parts, SHOWN_HUB_OF_SMALL, true, &shown);
    if (!status && !shown.is_too_large && (size_t)shown.n > n_parts && shown.first[shown.n] &&
        shown.first[shown.n] <= most_edges && shown_can_be_even(&shown, n_parts)) {
        shown_part = malloc((size_t)shown.n * sizeof *shown_part);
        status =
            shown_part ? unfold(&shown, n_parts, &values->once->cuts, shown_part, placed) : PARCAST_MEMORY;
    }
    for (uint32_t v = 0; !status && *placed && v < values->n_vertices; v++) {
        bool is_left = leave_terms && values->arrays[values->vertices[v].array].is_terms;
        part[v] = shown.number[v] && !is_left ? shown_part[shown.number[v] - 1] : GRAPH_NONE;
    }
    free(shown_part);
    shown_clear(&shown);
    if (status)
        parcast_error_set(error, status, NULL, 0, "out of memory for a layout of %u words",
                          values->n_vertices);
    return status;
}
