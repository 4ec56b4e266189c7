/* What is stored in tiles is numbered without them (tiles/tiles.h): who asks for blocks of u[n/4][m/4][4][4]
 * may give its extents, and cut it between its tiles. */
#include "valueflow/distribution/asked.h"

/* Which of its dimensions as the program has it each of those given ends with: several may be one. */
static bool fits(const struct graph_tiles *tiles, const parcast_extents *extents, size_t *end)
{
    size_t at = 0;
    for (size_t i = 0; i < extents->n; end[i++] = at)
        for (uint64_t words = 1; words < extents->extent[i] || words == 1; at++) {
            if (at == tiles->stored.n || extents->extent[i] % (words *= tiles->stored.extent[at]))
                return false;
        }
    return at == tiles->stored.n;
}

static const struct graph_tiles *find_tiles(const parcast_values *values, const parcast_extents *extents)
{
    size_t end[PARCAST_MAX_EXTENTS];
    for (size_t i = 0; i < values->n_arrays; i++) {
        const struct graph_tiles *tiles = &values->arrays[i].tiles;
        if (tiles->stored.n && extents->n > tiles->plain.n && fits(tiles, extents, end)) return tiles;
    }
    return NULL;
}

bool asked_join_tiles(const parcast_values *values, parcast_extents *extents)
{
    const struct graph_tiles *tiles = find_tiles(values, extents);
    if (tiles) *extents = tiles->plain;
    return tiles;
}

/* Of all dimensions that are part of one the outermost may be cut, and none together with others. */
static bool join(const struct graph_tiles *tiles, const size_t *end, const parcast_extents *grid,
                 parcast_extents *joined)
{
    bool is_cut[PARCAST_MAX_EXTENTS] = {false};
    *joined = (parcast_extents){.n = tiles->plain.n};
    for (size_t i = 0, at = 0; i < tiles->stored.n; i++) {
        uint8_t of = tiles->of[i];
        bool is_first = i == (at ? end[at - 1] : 0), is_last = at < grid->n && i + 1 == end[at];
        uint64_t cuts = at < grid->n ? grid->extent[at] : 1;
        if (cuts > 1 && (is_cut[of] || !is_first || !is_last)) return false;
        if (!is_cut[of]) joined->extent[of] = cuts;
        is_cut[of] = true;
        at += is_last;
    }
    return true;
}

void asked_join_cuts(const parcast_values *values, const parcast_extents *extents, parcast_extents *grid)
{
    uint32_t array = extents ? GRAPH_NONE : graph_index_array(values, NULL);
    size_t end[PARCAST_MAX_EXTENTS] = {1, 2, 3, 4, 5};
    const struct graph_tiles *tiles = extents               ? find_tiles(values, extents)
                                      : array != GRAPH_NONE ? &values->arrays[array].tiles
                                                            : NULL;
    parcast_extents joined;
    if (!tiles || !tiles->stored.n || grid->n <= tiles->plain.n) return;
    if (extents && (extents->n != grid->n || !fits(tiles, extents, end))) return;
    if (join(tiles, end, grid, &joined)) *grid = joined;
}
