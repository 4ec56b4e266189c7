/* How uneven blocks may be. */
#include <math.h>

#include "valueflow/search/search.h"

/* Seven rows on two parts are four and three. */
static double unevenness_of(const struct space *space, const parcast_extents *grid)
{
    double ratio = 1;
    for (size_t i = 0; i < grid->n; i++) {
        uint64_t most = (space->count[i] + grid->extent[i] - 1) / grid->extent[i];
        ratio *= (double)(most * grid->extent[i]) / (double)space->count[i];
    }
    return ratio - 1;
}

static double least_unevenness(const struct space *space, parcast_extents *grid, size_t at, uint64_t left)
{
    double least = INFINITY;
    if (at + 1 >= grid->n || at + 1 >= PARCAST_MAX_EXTENTS) {
        grid->extent[at] = left;
        return unevenness_of(space, grid);
    }
    for (uint64_t f = 1; f <= left; f++) {
        if (left % f) continue;
        grid->extent[at] = f;
        least = fmin(least, least_unevenness(space, grid, at + 1, left / f));
    }
    return least;
}

/* However few cells there are. */
static double limit(double unevenness)
{
    return fmin(fmax(unevenness, SEARCH_BALANCED_RATIO), SEARCH_MOST_RATIO);
}

double search_cells_allow(const struct space *space, size_t n_parts)
{
    uint64_t most = (space->n_cells + n_parts - 1) / n_parts;
    return limit((double)(most * n_parts) / (double)space->n_cells - 1);
}

/* Blocks are as even as whole cells allow, where no other grid of the shape is much more even: four cells on
 * three parts are no excuse beside sixty-four. */
double search_allowed_for(const struct search *s, const struct space *space, const parcast_extents *grid)
{
    static const double much = 0.1;
    parcast_extents other = *grid;
    double own = unevenness_of(space, grid), least = least_unevenness(space, &other, 0, s->p);
    double ratio = own > least + much ? least : own;
    return limit(s->is_lenient ? ratio + (1 + ratio) * SEARCH_BALANCED_RATIO : ratio);
}

bool search_has_block(const struct search *s)
{
    return s->block.processes && s->block.imbalance_ratio <= SEARCH_BLOCK_RATIO;
}

/* What lies between blocks may make them a little more uneven than others have to be. */
double search_still_for(const struct search *s, double allowed)
{
    double most = SEARCH_BLOCK_RATIO;
    if (s->is_lenient && !search_has_block(s)) most += (1 + most) * SEARCH_BALANCED_RATIO;
    return fmax(allowed, most);
}

bool search_has_even_block(const struct search *s)
{
    return s->block.processes && s->block.imbalance_ratio <= s->block_allowed;
}
