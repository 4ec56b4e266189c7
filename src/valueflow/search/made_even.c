/* Blocks that have unequal work, made even: the cuts placed anew, or cells of the borders moved. */
#include <stdio.h>

#include "valueflow/distribution/describe.h"
#include "valueflow/search/search.h"

/* "4 x 2", or "4" where only the first dimension is cut: without extents behind it that says as much. */
static size_t name_cuts(const parcast_extents *grid, char *text, size_t size)
{
    parcast_extents cuts = *grid;
    if (grid->extent[0] > 1 && search_cuts(grid) == 1) cuts.n = 1;
    return (size_t)describe_grid(&cuts, text, size);
}

/* The cuts where the work is equal rather than the cells. */
static parcast_status cut_by_work(struct search *s, const struct rough *rough)
{
    const struct space *space = &s->shapes[rough->shape];
    char name[sizeof s->best.decomposition], array[DESCRIBE_NAME];
    parcast_error ignored = {0};
    parcast_status status = space_cut_by_work(s->values, space, &rough->grid, s->part, &ignored);
    if (status) return status == PARCAST_INVALID ? PARCAST_OK : status;
    size_t n = name_cuts(&rough->grid, name, sizeof name);
    snprintf(name + n, sizeof name - n, " blocks of equal work of %s",
             describe_name(s->values, space->array, array, sizeof array));
    s->index = space->array;
    return search_finish_within(s, name, search_cells_allow(space, s->p));
}

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
             describe_name(s->values, space->array, array, sizeof array));
    s->index = space->array;
    return search_finish_within(s, name, allowed);
}

parcast_status search_make_even(struct search *s, const struct rough *rough)
{
    parcast_status status = cut_by_work(s, rough);
    return status ? status : move_cells(s, rough);
}
