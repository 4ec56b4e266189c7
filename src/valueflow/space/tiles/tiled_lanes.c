/* Arrays that are stored as a few words of each field in turn, `struct { double u[4], v[4]; } cells[n / 4]`,
 * however long the rows of what they mean are. */
#include <stdlib.h>
#include <string.h>

#include "valueflow/space/tiles/tiled.h"

enum {
    LEAST_SIDE = 6,  /* along each dimension */
    LEAST_LANES = 4, /* of two, numbers of one cell would be lanes of one */
    MOST_LANES = 64,
    MOST_ROWS = 16, /* distances that may be rows or planes, */
    OFTEN = 8       /* which one of so many pairs has */
};

struct lanes {
    const struct tiled_sets *sets;
    struct tiled best;
    uint64_t most; /* pairs that it explains */
};

/* How often words are so far apart, whatever fields they are of, as words of one field. `count` [plane + 1].
 */
static uint64_t count_apart(const struct tiled_sets *sets, const struct tiled *tiled, uint32_t *count)
{
    struct tiled line = *tiled;
    line.n = 1;
    line.axis[0] = (struct tiled_axis){1, tiled->plane, 0, tiled->plane, sets->words, 1};
    struct tiled_places places = tiled_places_of(&line, sets->words);
    uint64_t n = 0;
    memset(count, 0, (tiled->plane + 1) * sizeof *count);
    for (size_t s = 0; s < sets->n; s++) {
        int64_t home[TILED_AXES], pin[TILED_AXES];
        if (!sets->has_home[s]) continue;
        tiled_place(&places, sets->offset[sets->first[s]], home);
        for (size_t i = sets->first[s] + 1; i < sets->first[s + 1]; i++, n++) {
            tiled_place(&places, sets->offset[i], pin);
            count[llabs(home[0] - pin[0])]++;
        }
    }
    return n;
}

static void try_lane_rows(struct lanes *search, struct tiled *tiled, uint64_t row, uint64_t plane)
{
    const uint64_t words = search->sets->words, n_rows = (tiled->plane + row - 1) / row;
    struct tiled_axis *axis = tiled->axis;
    tiled->n = 2;
    axis[0] = (struct tiled_axis){row, n_rows, 0, n_rows, words, 1};
    axis[1] = (struct tiled_axis){1, row, 0, row, words, 1};
    if (plane > row) {
        const uint64_t n_planes = (tiled->plane + plane - 1) / plane;
        tiled->n = 3;
        axis[2] = axis[1];
        axis[1] = (struct tiled_axis){row, plane / row, 0, plane / row, words, 1};
        axis[0] = (struct tiled_axis){plane, n_planes, 0, n_planes, words, 1};
    }
    for (size_t a = 0; a < tiled->n; a++)
        if (axis[a].size < LEAST_SIDE) return;
    uint64_t pairs = tiled_fits(tiled, search->sets);
    if (pairs <= search->most) return;
    search->most = pairs;
    search->best = *tiled;
}

static void count_fields(const struct lanes *search, struct tiled *tiled)
{
    const struct tiled_sets *sets = search->sets;
    bool is_written[TILED_FIELDS] = {false};
    for (size_t i = 0; i < sets->n_written; i++)
        is_written[sets->written[i] / tiled->lanes % tiled->fields] = true;
    tiled->fields_written = 0;
    for (uint32_t f = 0; f < tiled->fields; f++) tiled->fields_written += is_written[f];
}

static void try_lanes(struct lanes *search, uint32_t fields, uint64_t lanes, uint32_t *count)
{
    const uint64_t words = search->sets->words;
    struct tiled tiled = {.tile = words, .plane = words / fields, .fields = fields, .lanes = lanes};
    uint64_t n = count_apart(search->sets, &tiled, count), rows[MOST_ROWS];
    size_t n_rows = 0;
    for (uint64_t apart = LEAST_SIDE; apart < tiled.plane / 2 && n_rows < MOST_ROWS; apart++)
        if (count[apart] > n / OFTEN) rows[n_rows++] = apart;
    count_fields(search, &tiled);
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = i; j < n_rows; j++)
            if (rows[j] % rows[i] == 0) try_lane_rows(search, &tiled, rows[i], rows[j]);
}

bool tiled_find_lanes(const struct tiled_sets *sets, uint64_t group, struct tiled *tiled)
{
    struct lanes search = {.sets = sets};
    uint32_t *count = malloc((sets->words + 1) * sizeof *count);
    *tiled = (struct tiled){0};
    if (!count) return false;
    for (uint32_t fields = 2; fields <= TILED_FIELDS; fields++)
        for (uint64_t lanes = LEAST_LANES; lanes <= MOST_LANES; lanes *= 2) /* as a vector has */
            if (sets->words % (fields * lanes) == 0 && (!group || group == fields * lanes))
                try_lanes(&search, fields, lanes, count);
    *tiled = search.best;
    free(count);
    return true;
}
