/*
 * Blocks of cells made even: where one part has more work than it may, cells on its border go to a neighbour
 * that has room, those first that have most neighbours there already.
 */
#include <math.h>
#include <stdlib.h>

#include "valueflow/space/space.h"

enum { D = PARCAST_MAX_EXTENTS };
static const double most_looks = 3e8; /* cells that are looked at in all */

struct even {
    const struct space *space;
    double *work, *load; /* [n_cells], [p] */
    uint32_t *part;      /* [n_cells] */
    uint64_t stride[D];  /* of a dimension, in cells */
    double limit;
    size_t p;
};

static bool make_room(struct even *e, size_t n)
{
    e->work = calloc(n + 1, sizeof *e->work);
    e->part = malloc((n + 1) * sizeof *e->part);
    e->load = calloc(e->p, sizeof *e->load);
    return e->work && e->part && e->load;
}

static void add_up(const parcast_values *values, const uint32_t *part, double allowed, struct even *e)
{
    const struct space *space = e->space;
    double all = 0;
    uint64_t stride = 1;
    for (size_t i = space->extents.n; i-- > 0; stride *= space->count[i]) e->stride[i] = stride;
    for (uint64_t c = 0; c < space->n_cells; c++) e->part[c] = GRAPH_NONE;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        uint32_t cell = space->cell[v];
        if (cell == GRAPH_NONE) continue;
        e->part[cell] = part[v];
        e->work[cell] += values->vertices[v].work;
        e->load[part[v]] += values->vertices[v].work;
        all += values->vertices[v].work;
    }
    e->limit = (1 + allowed) * all / (double)e->p;
}

/* A part beside a cell, and how many of the cell's neighbours are there rather than in its own part. */
struct move {
    uint64_t cell;
    uint32_t to;
    int score;
};

static size_t neighbours(const struct even *e, uint64_t cell, uint32_t parts[2 * D])
{
    const struct space *space = e->space;
    size_t n = 0;
    for (size_t i = 0; i < space->extents.n; i++) {
        uint64_t at = cell / e->stride[i] % space->count[i];
        if (at > 0) parts[n++] = e->part[cell - e->stride[i]];
        if (at + 1 < space->count[i]) parts[n++] = e->part[cell + e->stride[i]];
    }
    return n;
}

/* Where nobody beside it has room, the one with least work takes it, and passes others on. */
static bool may_take(const struct even *e, uint64_t cell, uint32_t from, uint32_t to)
{
    double load = e->load[to] + e->work[cell];
    return load <= e->limit || load < e->load[from] - e->work[cell];
}

static void look_at(const struct even *e, uint64_t cell, struct move *best)
{
    uint32_t parts[2 * D], own = e->part[cell];
    size_t n = neighbours(e, cell, parts);
    for (size_t i = 0; i < n; i++) {
        if (parts[i] == own || parts[i] == GRAPH_NONE || !may_take(e, cell, own, parts[i])) continue;
        int score = e->load[parts[i]] + e->work[cell] <= e->limit ? 0 : -4 * D;
        for (size_t j = 0; j < n; j++) score += (parts[j] == parts[i]) - (parts[j] == own);
        if (best->to == GRAPH_NONE || score > best->score) *best = (struct move){cell, parts[i], score};
    }
}

static uint32_t heaviest(const struct even *e)
{
    uint32_t part = 0;
    for (uint32_t q = 1; q < e->p; q++)
        if (e->load[q] > e->load[part]) part = q;
    return part;
}

/* False where it does not become even. */
static bool even_out(struct even *e)
{
    uint64_t n = e->space->n_cells;
    double looks = 0;
    for (;;) {
        uint32_t from = heaviest(e);
        struct move best = {.to = GRAPH_NONE};
        if (e->load[from] <= e->limit) return true;
        if ((looks += (double)n) > most_looks) return false;
        for (uint64_t c = 0; c < n; c++)
            if (e->part[c] == from && e->work[c] > 0) look_at(e, c, &best);
        if (best.to == GRAPH_NONE) return false;
        e->load[from] -= e->work[best.cell];
        e->load[best.to] += e->work[best.cell];
        e->part[best.cell] = best.to;
    }
}

parcast_status space_even(const parcast_values *values, const struct space *space, size_t n_parts,
                          double allowed_ratio, uint32_t *part, bool *made, parcast_error *error)
{
    struct even e = {.space = space, .p = n_parts};
    parcast_status status = PARCAST_OK;
    *made = false;
    if (make_room(&e, (size_t)space->n_cells)) {
        add_up(values, part, allowed_ratio, &e);
        *made = even_out(&e);
        for (uint32_t v = 0; v < values->n_vertices; v++)
            if (space->cell[v] != GRAPH_NONE) part[v] = e.part[space->cell[v]];
    } else {
        status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for %llu cells",
                                   (unsigned long long)space->n_cells);
    }
    free(e.work);
    free(e.part);
    free(e.load);
    return status;
}
