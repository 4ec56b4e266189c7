/*
 * A distribution by METIS (Karypis and Kumar 1998), objective: communication volume. What it optimises is
 * only near to the words; these are counted exactly afterwards.
 */
#include <metis.h>
#include <stdlib.h>

#include "valueflow/distribution/place.h"
#include "valueflow/distribution/shown.h"

static void metis_options(bool by_cut, int seed, idx_t options[METIS_NOPTIONS])
{
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_OBJTYPE] = by_cut ? METIS_OBJTYPE_CUT : METIS_OBJTYPE_VOL;
    options[METIS_OPTION_SEED] = seed;
    options[METIS_OPTION_UFACTOR] = 20; /* 2 % */
}

/* `where` [g->n]; `placed` is false where it finds nothing. */
static parcast_status run_metis(struct shown *g, size_t n_parts, int seed, bool by_cut, idx_t *where,
                                bool *placed)
{
    idx_t options[METIS_NOPTIONS], n = g->n, one = 1, parts = (idx_t)n_parts, volume;
    metis_options(by_cut, seed, options);
    int result = METIS_PartGraphKway(&n, &one, g->first, g->other, g->work, by_cut ? NULL : g->size,
                                     by_cut ? g->weight : NULL, &parts, NULL, NULL, options, &volume, where);
    *placed = result == METIS_OK;
    return result == METIS_ERROR_MEMORY ? PARCAST_MEMORY : PARCAST_OK;
}

static parcast_status divide(const parcast_values *values, struct shown *g, size_t n_parts, int seed,
                             bool by_cut, uint32_t *part, bool *placed)
{
    if (!shown_can_be_even(g, n_parts)) return PARCAST_OK; /* METIS would complain on standard output */
    idx_t *where = calloc((size_t)g->n + 1, sizeof *where);
    parcast_status status = where ? run_metis(g, n_parts, seed, by_cut, where, placed) : PARCAST_MEMORY;
    for (uint32_t v = 0; *placed && v < values->n_vertices; v++)
        part[v] = g->number[v] ? (uint32_t)where[g->number[v] - 1] : GRAPH_NONE;
    free(where);
    return status;
}

parcast_status graph_partition(const parcast_values *values, size_t n_parts, int seed, uint32_t hub,
                               bool by_cut, uint32_t *part, bool *placed, parcast_error *error)
{
    struct shown shown = {0};
    *placed = false;
    parcast_status status = shown_make(values, n_parts, hub, by_cut, &shown);
    bool can_be = !status && !shown.is_too_large && (size_t)shown.n > n_parts && n_parts > 1;
    if (can_be && shown.first[shown.n]) status = divide(values, &shown, n_parts, seed, by_cut, part, placed);
    shown_clear(&shown);
    if (status)
        parcast_error_set(error, status, NULL, 0, "out of memory for a partition of %u words",
                          values->n_vertices);
    return status;
}
