/* Rows and planes that pairs of words do not go round, where how far these are apart tells none, or wrong
 * ones (wraps.h). */
#include "valueflow/space/extents/distances.h"

#include "valueflow/graph/once.h"

/* Rows that are seen, but that pairs of words go round as if they were none, where there are others that they
 * do not: where only diagonals are read, say, the most common distance is no row. */
static void take_rows(const struct distances *d, struct once_extents *one)
{
    bool is_denied = one->seen[2] && wraps_deny(&d->wraps, d->words, one->extents[2].extent[1]);
    if (one->seen[2] && !is_denied) return;
    uint64_t row = wraps_row(&d->wraps, d->words, is_denied);
    if (!row) return;
    one->extents[2] = (parcast_extents){2, {(d->words + row - 1) / row, row}};
    one->seen[2] = d->used > UINT32_MAX ? UINT32_MAX : (uint32_t)d->used;
    for (size_t n = 3; n <= PARCAST_MAX_EXTENTS; n++)
        if (one->seen[n] && wraps_deny(&d->wraps, d->words, one->extents[n].extent[n - 1])) one->seen[n] = 0;
}

/* The rows of which planes consist, where none are known: those in two dimensions may be planes. */
static uint64_t row_of(const struct distances *d, const struct once_extents *one, bool is_denied)
{
    uint64_t row = wraps_row(&d->wraps, d->words, is_denied);
    uint64_t known = one->seen[2] ? one->extents[2].extent[1] : 0;
    return row && (!known || known % row == 0) ? row : 0;
}

/* Once nothing else is left that could tell them: planes that have nothing to do with each other, and rows of
 * which a word has nothing to do with those of the next row. */
static void take_planes(const struct distances *d, struct once_extents *one)
{
    const uint64_t *told = one->extents[3].extent;
    bool is_denied = one->seen[3] && (wraps_deny(&d->wraps, d->words, told[2]) ||
                                      wraps_deny_plane(&d->wraps, d->words, told[2], told[1]));
    if (one->seen[3] ? !is_denied : !d->is_last) return;
    uint64_t row = row_of(d, one, is_denied), rows = row ? wraps_rows(&d->wraps, d->words, row) : 0;
    if (!rows) return;
    one->extents[3] = (parcast_extents){3, {(d->words / row + rows - 1) / rows, rows, row}};
    one->seen[3] = d->used > UINT32_MAX ? UINT32_MAX : (uint32_t)d->used;
}

/* Rows that are seen far less often than others, which all is in, are none: the mirror images of a frame,
 * say, which a few words of each row have to do with. */
static void leave_out_rare(struct once_extents *one)
{
    enum { RARE = 16 };
    const parcast_extents *plane = &one->extents[2];
    for (size_t n = 3; n <= PARCAST_MAX_EXTENTS; n++)
        if (one->seen[n] < one->seen[2] / RARE && one->extents[n].extent[n - 1] != plane->extent[1])
            one->seen[n] = 0;
}

void distances_go_round(const struct distances *d, struct once_extents *one)
{
    /* At how many fields lie together, for whose rows there is another one. */
    bool is_guess = d->record > 1 && !d->are_told;
    if (!is_guess) take_rows(d, one);
    if (!is_guess) take_planes(d, one);
    leave_out_rare(one);
}
