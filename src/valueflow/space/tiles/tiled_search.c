/* Which tiles an array might be stored in: distances between words that are read together are steps within a
 * tile, and across its borders. */
#include <stdlib.h>
#include <string.h>

#include "valueflow/space/tiles/tiled.h"

enum {
    LEAST_SIDE = 6, /* along each dimension */
    SELDOM = 256,   /* what one set of so many has is no step */
    MOST_TILE = 1 << 14,
    MOST_WRITTEN = 1 << 17,
    MOST_DIVISORS = 512
};

/* What is looked for, with the offsets within a tile that are written. */
struct search {
    const struct tiled_sets *sets;
    uint64_t divisor[MOST_DIVISORS]; /* of its words */
    size_t n_divisors;
    bool *written; /* [words] */
    uint64_t tile;
    struct tiled best;
    uint64_t most; /* pairs that it explains */
};

static bool is_seen(const struct search *search, uint64_t apart)
{
    const struct tiled_sets *sets = search->sets;
    return apart && apart <= sets->words / 2 && sets->count[apart] > sets->n / SELDOM;
}

/* Some of very many tell as much as all. */
static void find_written(struct search *search, uint64_t tile)
{
    const struct tiled_sets *sets = search->sets;
    size_t step = sets->n_written / MOST_WRITTEN | 1;
    memset(search->written, 0, tile);
    search->tile = tile;
    for (size_t i = 0; i < sets->n_written; i += step) search->written[sets->written[i] % tile] = true;
}

/* What of the room along every axis is no halo, in all fields; and how many of these are written. */
static bool find_box(const struct search *search, struct tiled *tiled)
{
    uint64_t high[TILED_AXES] = {0};
    bool is_written[TILED_FIELDS] = {false};
    for (size_t a = 0; a < tiled->n; a++) tiled->axis[a].low = tiled->axis[a].room;
    for (uint64_t i = 0; i < tiled->tile; i++) {
        if (!search->written[i]) continue;
        is_written[i / tiled->plane] = true;
        for (size_t a = 0; a < tiled->n; a++) {
            uint64_t at = i % tiled->plane / tiled->axis[a].inner % tiled->axis[a].room;
            if (at < tiled->axis[a].low) tiled->axis[a].low = at;
            if (at + 1 > high[a]) high[a] = at + 1;
        }
    }
    tiled->fields_written = 0;
    for (uint32_t f = 0; f < tiled->fields; f++) tiled->fields_written += is_written[f];
    for (size_t a = 0; a < tiled->n; a++) {
        if (high[a] <= tiled->axis[a].low) return false;
        tiled->axis[a].size = high[a] - tiled->axis[a].low;
        if (tiled->axis[a].size == 1 && tiled->axis[a].room > 1) return false; /* a structure, rather */
    }
    return true;
}

/* Does an axis have one place in memory, from so many words on? */
static bool is_whole(const struct tiled_axis *axis, uint64_t stride)
{
    if (axis->room != axis->size || (axis->size > 1 && axis->inner != stride)) return false;
    return axis->n == 1 || axis->outer == stride * axis->size;
}

/* Rows one after the other, whichever axis is the outermost. */
static bool is_plain(const struct tiled *tiled)
{
    uint64_t stride = 1;
    bool is_done[TILED_AXES] = {false};
    for (size_t done = 0; done < tiled->n; done++) {
        size_t a = 0;
        while (a < tiled->n && (is_done[a] || !is_whole(&tiled->axis[a], stride))) a++;
        if (a == tiled->n) return false;
        is_done[a] = true;
        stride *= tiled->axis[a].size * tiled->axis[a].n;
    }
    return tiled->fields == 1;
}

/* Are the steps along each axis seen, within a tile and across its border? */
static bool are_steps_seen(const struct search *search, const struct tiled *tiled)
{
    for (size_t a = 0; a < tiled->n; a++) {
        const struct tiled_axis *axis = &tiled->axis[a];
        if (axis->n * axis->size < LEAST_SIDE) return false;
        if (axis->size > 1 && !is_seen(search, axis->inner)) return false;
        if (axis->n > 1 && axis->outer <= (axis->size - 1) * axis->inner) return false;
        if (axis->n > 1 && !is_seen(search, axis->outer - (axis->size - 1) * axis->inner)) return false;
    }
    return true;
}

static void try_tiled(struct search *search, const struct tiled *tiled)
{
    if (is_plain(tiled) || !are_steps_seen(search, tiled)) return;
    uint64_t pairs = tiled_fits(tiled, search->sets);
    if (pairs <= search->most) return;
    search->most = pairs;
    search->best = *tiled;
}

/* So many tiles, row by row of them, whichever axis is the outermost. */
static void try_tiles(struct search *search, struct tiled *tiled, const uint64_t *n)
{
    static const uint8_t orders[][TILED_AXES] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                                 {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (size_t o = 0; o < (tiled->n == 2 ? 2 : 6); o++) {
        uint64_t stride = tiled->tile;
        for (size_t a = tiled->n; a-- > 0;) {
            struct tiled_axis *axis = &tiled->axis[orders[o][a]];
            axis->n = n[orders[o][a]];
            axis->outer = stride;
            stride *= axis->n;
        }
        try_tiled(search, tiled);
    }
}

static void try_counts(struct search *search, struct tiled *tiled)
{
    const uint64_t *divisor = search->divisor;
    uint64_t all = search->sets->words / tiled->tile;
    for (size_t i = 0; i < search->n_divisors && divisor[i] <= all; i++) {
        if (all % divisor[i]) continue;
        uint64_t rest = all / divisor[i];
        for (size_t j = 0; j < search->n_divisors && divisor[j] <= rest; j++) {
            uint64_t n[TILED_AXES] = {divisor[i], divisor[j], rest / divisor[j]};
            if (rest % divisor[j] || (tiled->n == 2 && n[2] > 1)) continue;
            try_tiles(search, tiled, n);
        }
    }
}

static void try_tile(struct search *search, struct tiled *tiled)
{
    if (search->tile != tiled->tile) find_written(search, tiled->tile);
    if (find_box(search, tiled)) try_counts(search, tiled);
}

/* Rows of a tile, and planes where it has three dimensions, that are seen apart; it may be one word wide
 * along some. */
static void try_rows(struct search *search, struct tiled *tiled)
{
    struct tiled_axis *axis = tiled->axis;
    for (uint64_t row = 2; row <= tiled->plane; row++) {
        if (tiled->plane % row || (row < tiled->plane && !is_seen(search, row))) continue;
        tiled->n = 2;
        axis[1] = (struct tiled_axis){.inner = 1, .room = row};
        axis[0] = (struct tiled_axis){.inner = row, .room = tiled->plane / row};
        try_tile(search, tiled);
        tiled->n = 3;
        for (uint64_t plane = row; plane <= tiled->plane; plane += row) {
            bool is_inner = plane > row && plane < tiled->plane;
            if (tiled->plane % plane || (is_inner && !is_seen(search, plane))) continue;
            axis[2] = (struct tiled_axis){.inner = 1, .room = row};
            axis[1] = (struct tiled_axis){.inner = row, .room = plane / row};
            axis[0] = (struct tiled_axis){.inner = plane, .room = tiled->plane / plane};
            try_tile(search, tiled);
        }
    }
}

static void find_divisors(struct search *search)
{
    uint64_t words = search->sets->words;
    size_t n = 0;
    for (uint64_t w = 1; w * w <= words && 2 * n + 2 <= MOST_DIVISORS; w++)
        if (words % w == 0) search->divisor[n++] = w;
    search->n_divisors = n;
    for (size_t i = n; i-- > 0;)
        if (search->divisor[i] * search->divisor[i] != words)
            search->divisor[search->n_divisors++] = words / search->divisor[i];
}

static bool is_plain_in(const struct tiled_sets *sets, uint64_t plane, uint64_t row)
{
    struct tiled plain = {.n = 2, .tile = sets->words, .plane = sets->words, .fields = 1};
    if (plane < sets->words)
        plain.axis[plain.n++ - 2] =
            (struct tiled_axis){plane, sets->words / plane, 0, sets->words / plane, sets->words, 1};
    plain.axis[plain.n - 2] = (struct tiled_axis){row, plane / row, 0, plane / row, sets->words, 1};
    plain.axis[plain.n - 1] = (struct tiled_axis){1, row, 0, row, sets->words, 1};
    return tiled_fits(&plain, sets);
}

bool tiled_is_plain(const struct tiled_sets *sets)
{
    struct search search = {.sets = sets};
    find_divisors(&search);
    for (size_t i = 1; i < search.n_divisors; i++) {
        uint64_t row = search.divisor[i];
        if (!is_seen(&search, row)) continue;
        for (size_t j = i + 1; j < search.n_divisors; j++) {
            uint64_t plane = search.divisor[j];
            if (plane % row == 0 && (plane == sets->words || is_seen(&search, plane)) &&
                is_plain_in(sets, plane, row))
                return true;
        }
    }
    return false;
}

bool tiled_find(const struct tiled_sets *sets, struct tiled *tiled)
{
    struct search search = {.sets = sets, .written = calloc(sets->words + 1, sizeof *search.written)};
    *tiled = (struct tiled){0};
    if (!search.written) return false;
    find_divisors(&search);
    for (size_t i = 1; i < search.n_divisors && search.divisor[i] <= MOST_TILE; i++) {
        uint64_t tile = search.divisor[i];
        for (uint32_t fields = TILED_FIELDS; fields && tile < sets->words; fields--) {
            struct tiled one = {.tile = tile, .plane = tile / fields, .fields = fields};
            if (tile % fields == 0 && one.plane > 1) try_rows(&search, &one);
        }
    }
    *tiled = search.best;
    free(search.written);
    return true;
}
