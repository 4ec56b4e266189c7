/* Blocks that have unequal work, made even: the cuts placed anew, or cells of the borders moved. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/describe.h"
#include "valueflow/distribution/place.h"
#include "valueflow/graph/once.h"
#include "valueflow/search/search.h"

/* "4 x 2", or "4" where only the first dimension is cut: without extents behind it that says as much. */
static size_t name_cuts(const parcast_extents *grid, char *text, size_t size)
{
    parcast_extents cuts = *grid;
    if (grid->extent[0] > 1 && search_cuts(grid) == 1) cuts.n = 1;
    return (size_t)describe_grid(&cuts, text, size);
}

/* ---- the cuts where the work is equal ---- */

struct cut {
    struct search *search;
    const struct space *space;
    const parcast_extents *grid;
    double *work, *load; /* [n_cells] work that is to be equal; [p] what the parts have */
    uint32_t *cell_part; /* [n_cells] */
    uint32_t *best;      /* [n_vertices] the most even of all that was tried */
    double best_ratio;   /* its imbalance */
};

/* What has no place in the array lies in the middle of what it reads and of what reads it. */
static void place_all(const struct cut *c)
{
    struct search *s = c->search;
    for (uint32_t v = 0; v < s->values->n_vertices; v++)
        s->part[v] = c->space->cell[v] == GRAPH_NONE ? GRAPH_NONE : c->cell_part[c->space->cell[v]];
}

static parcast_status place_words(const struct cut *c)
{
    struct search *s = c->search;
    for (uint32_t v = 0; v < s->values->n_vertices; v++) {
        s->fixed[v] = c->space->fixed[v] && c->space->cell[v] != GRAPH_NONE;
        s->part[v] = s->fixed[v] ? c->cell_part[c->space->cell[v]] : GRAPH_NONE;
    }
    return graph_follow(s->values, s->p, s->fixed, s->part, s->error);
}

static double imbalance_of(const double *load, size_t p)
{
    double all = 0, largest = 0;
    for (size_t q = 0; q < p; q++) {
        all += load[q];
        if (load[q] > largest) largest = load[q];
    }
    return all > 0 ? largest * (double)p / all - 1 : 0;
}

/* As if what follows the cells of a part were as much for each of its cells. What is one piece goes from part
 * to part meanwhile: later cuts move half as far. */
static void scale(struct cut *c, double *lie, int round)
{
    double power = round < 4 ? 1 : 0.5;
    size_t p = c->search->p;
    for (size_t q = 0; q < p; q++) lie[q] = 0;
    for (uint64_t k = 0; k < c->space->n_cells; k++) lie[c->cell_part[k]] += c->work[k];
    for (uint64_t k = 0; k < c->space->n_cells; k++)
        if (lie[c->cell_part[k]] > 0)
            c->work[k] *= pow(c->load[c->cell_part[k]] / lie[c->cell_part[k]], power);
}

/* Words first, all else follows them; then the cuts move to where that makes the work equal. */
static parcast_status cut_until_even(struct cut *c, double *lie, double allowed)
{
    enum { ROUNDS = 8 };
    struct search *s = c->search;
    size_t bytes = s->values->n_vertices * sizeof *c->best;
    parcast_status status = PARCAST_OK;
    for (uint64_t k = 0; k < c->space->n_cells; k++) c->work[k] = 1;
    for (int round = 0; !status && round < ROUNDS && c->best_ratio > allowed; round++) {
        if (round) scale(c, lie, round);
        status = space_divide(c->space, c->grid, s->p, c->work, c->cell_part, s->error);
        if (!status) status = place_words(c);
        if (!status) status = graph_find_loads(s->values, s->part, s->p, c->load);
        double ratio = status ? 0 : imbalance_of(c->load, s->p);
        if (status || ratio >= c->best_ratio) continue;
        c->best_ratio = ratio;
        memcpy(c->best, s->part, bytes);
    }
    if (!status) memcpy(s->part, c->best, bytes);
    return status;
}

/* Where what follows words of the array lies in the middle of them, the cuts are in place at once. */
static parcast_status try_cuts(struct cut *c, double *lie, uint64_t words, const char *name)
{
    static const double near_ratio = 1.25;
    struct search *s = c->search;
    double allowed = search_cells_allow(c->space, s->p);
    space_add_up_work(s->values, c->space, c->work);
    parcast_status status = space_divide(c->space, c->grid, s->p, c->work, c->cell_part, s->error);
    if (status) return status;
    place_all(c);
    status = search_finish_within(s, name, allowed);
    bool is_near = s->best.processes && (double)s->best.words <= near_ratio * (double)words;
    if (status || is_near) return status;
    c->best_ratio = INFINITY;
    status = cut_until_even(c, lie, allowed);
    s->values->once->shares_work = true; /* as the loads that made it even */
    if (!status) status = graph_relieve(s->values, s->p, allowed, s->part, s->error);
    if (!status) status = search_finish_within(s, name, allowed);
    s->values->once->shares_work = false;
    return status;
}

static parcast_status cut_by_work(struct search *s, const struct rough *rough, uint64_t words)
{
    const struct space *space = &s->shapes[rough->shape];
    struct cut c = {.search = s, .space = space, .grid = &rough->grid};
    char name[sizeof s->best.decomposition], array[DESCRIBE_NAME];
    parcast_error ignored = {0};
    if (space_check_grid(s->values, space, &rough->grid, &ignored)) return PARCAST_OK;
    size_t n = name_cuts(&rough->grid, name, sizeof name), n_cells = (size_t)space->n_cells;
    snprintf(name + n, sizeof name - n, " blocks of equal work of %s",
             describe_told(s->values, space->array, array, sizeof array));
    s->index = space->array;
    double *lie = malloc(s->p * sizeof *lie);
    c.work = malloc((n_cells + 1) * sizeof *c.work);
    c.load = malloc(s->p * sizeof *c.load);
    c.cell_part = malloc((n_cells + 1) * sizeof *c.cell_part);
    c.best = malloc(((size_t)s->values->n_vertices + 1) * sizeof *c.best);
    bool fine = lie && c.work && c.load && c.cell_part && c.best;
    parcast_status status = fine ? try_cuts(&c, lie, words, name) : PARCAST_MEMORY;
    free(lie);
    free(c.work);
    free(c.load);
    free(c.cell_part);
    free(c.best);
    return status;
}

/* ---- cells of the borders moved ---- */

/* What lies between cells is not even to the last bit. */
static parcast_status move_cells(struct search *s, const struct rough *rough)
{
    static const double spared = 0.01;
    const struct space *space = &s->shapes[rough->shape];
    const parcast_extents *grid = &rough->grid;
    char name[sizeof s->best.decomposition], array[DESCRIBE_NAME];
    double allowed = search_cells_allow(space, s->p);
    parcast_error ignored = {0};
    bool made = false;
    parcast_status status = space_cut(s->values, space, grid, s->part, &ignored);
    if (status) return status == PARCAST_INVALID ? PARCAST_OK : status;
    status = space_even(s->values, space, s->p, allowed > SEARCH_BALANCED_RATIO ? allowed : allowed - spared,
                        s->part, &made, s->error);
    if (status || !made) return status;
    size_t n = name_cuts(grid, name, sizeof name);
    snprintf(name + n, sizeof name - n, " blocks of %s, cells moved until they are even",
             describe_told(s->values, space->array, array, sizeof array));
    s->index = space->array;
    return search_finish_within(s, name, allowed);
}

/* Where each value goes in a sum at a computed place tells only the program's run: to lie by that would be
 * hindsight. */
static bool is_chosen(const struct search *s, const struct space *space)
{
    for (uint32_t v = 0; s->values->has_chosen && v < s->values->n_vertices; v++)
        if (space->fixed[v] && s->values->vertices[v].is_chosen) return true;
    return false;
}

/* Cuts through a handful of words divide what these are the parameters of. */
static bool has_few_cells(const struct search *s, const struct space *space)
{
    enum { FEWEST = 16 };
    return space->n_cells < FEWEST * s->p;
}

parcast_status search_make_even(struct search *s, const struct rough *rough, uint64_t words)
{
    const struct space *space = &s->shapes[rough->shape];
    bool may_be_cut = !has_few_cells(s, space) && !is_chosen(s, space);
    parcast_status status = may_be_cut ? cut_by_work(s, rough, words) : PARCAST_OK;
    return status ? status : move_cells(s, rough);
}

parcast_status search_make_still_even(struct search *s, const struct rough *rough, struct grid_trials *trials)
{
    bool is_there = trials->way[0].part || trials->way[1].part;
    parcast_status status = is_there ? search_grid_moved(s, rough, trials) : PARCAST_OK;
    bool is_fewer = !s->best.processes || s->tried_words < s->best.words;
    return status || s->tried_even || !is_fewer ? status : search_make_even(s, rough, s->tried_words);
}
