/*
 * A step to a neighbour is the same number of rows and of words in a row wherever it begins. In rows of r
 * words those that are d = q r + s apart, 0 <= s < r, are q rows and s words apart, or, where that goes round
 * the end of a row, q + 1 rows and s - r words. Of n such pairs that begin anywhere
 *
 *     n min(s, r - s) / r                                                                    (1)
 *
 * are on the rarer side; where r is a row, and the d of a step is no other one's, none of them is. Around a
 * torus some are: the last word of a row, next to the first one, lies as far from it as a diagonal may go. Of
 * a few pairs none may be by chance, and of pairs from here and there only, wherever these are.
 */
#include "valueflow/space/extents/wraps.h"

#include <stdlib.h>

#include "core/divisor.h"

enum {
    MOST_PAIRS = 1 << 19,
    SHORTEST = 4,
    FEWEST = 10,
    ENOUGH = 16,
    BESIDE = 2,
    MOST_PARTS = 4,
    OFTEN = 8,
    MOST_STEPS = 64,
    SOME_PAIRS = 4096
};
/* What is seen of (1): less than `hardly` of a row that nothing else tells, than `seldom` of one in place of
 * what is none, of which more than `often` is. */
static const double hardly = 0.1, seldom = 0.3, often = 0.6;

void wraps_note(struct wraps *wraps, uint64_t low, uint64_t distance)
{
    if (wraps->is_full || !distance || low > UINT32_MAX || distance > UINT32_MAX) return;
    if (wraps->n == wraps->capacity) {
        size_t wanted = wraps->capacity ? 2 * wraps->capacity : 1024;
        struct wraps_pair *more = wanted <= MOST_PAIRS ? realloc(wraps->pairs, wanted * sizeof *more) : NULL;
        wraps->is_full = !more;
        if (!more) return;
        wraps->pairs = more;
        wraps->capacity = wanted;
    }
    wraps->pairs[wraps->n++] = (struct wraps_pair){(uint32_t)low, (uint32_t)distance};
}

void wraps_clear(struct wraps *wraps)
{
    free(wraps->pairs);
    *wraps = (struct wraps){0};
}

/* Pairs of a distance: all of them, those that are asked, and of these those that go round the end of a row.
 */
struct side {
    uint32_t distance, all, n, around;
};

struct look {
    const struct wraps *wraps;
    uint64_t words;
    uint32_t *side_of;  /* [words] + 1; 0: nothing is as far apart */
    struct side *sides; /* [n_sides] */
    size_t n_sides;
    size_t every;   /* of so many pairs one is asked */
    bool *is_asked; /* [words] rows that have been looked at */
    uint64_t best;
    double least; /* of (1), of the best */
};

static void end(struct look *look)
{
    free(look->side_of);
    free(look->sides);
    free(look->is_asked);
}

static bool begin(const struct wraps *wraps, uint64_t words, struct look *look)
{
    *look = (struct look){.wraps = wraps, .words = words, .every = 1};
    look->side_of = calloc(words + 1, sizeof *look->side_of);
    look->sides = malloc((wraps->n + 1) * sizeof *look->sides);
    look->is_asked = calloc(words + 1, sizeof *look->is_asked);
    if (!look->side_of || !look->sides || !look->is_asked) return false;
    for (size_t i = 0; i < wraps->n; i++) {
        uint32_t d = wraps->pairs[i].distance;
        if (d >= words) continue;
        if (!look->side_of[d]) {
            look->sides[look->n_sides++] = (struct side){.distance = d};
            look->side_of[d] = (uint32_t)look->n_sides;
        }
        look->sides[look->side_of[d] - 1].all++;
    }
    return true;
}

/* What is seen of the pairs that (1) expects on the rarer sides, of those in two units of so many words;
 * `unknown` where too few could tell. */
static double share_of(struct look *look, uint64_t row, uint64_t unit, double unknown)
{
    const struct wraps *wraps = look->wraps;
    double seen = 0, expected = 0;
    for (size_t i = 0; i < look->n_sides; i++) look->sides[i].n = look->sides[i].around = 0;
    for (size_t i = 0; i < wraps->n; i += look->every) {
        uint32_t d = wraps->pairs[i].distance, low = wraps->pairs[i].low;
        if (d >= look->words || low / unit == (low + d) / unit) continue;
        struct side *side = &look->sides[look->side_of[d] - 1];
        side->n++;
        side->around += low % row + d % row >= row;
    }
    for (size_t i = 0; i < look->n_sides; i++) {
        const struct side *side = &look->sides[i];
        if (side->n < ENOUGH) continue;
        uint64_t s = side->distance % row, rest = s < row - s ? s : row - s;
        uint32_t other = side->n - side->around;
        seen += side->around < other ? side->around : other;
        expected += (double)side->n * (double)rest / (double)row;
    }
    return expected < FEWEST ? unknown : seen / expected;
}

bool wraps_deny(const struct wraps *wraps, uint64_t words, uint64_t row)
{
    struct look look;
    if (!row || wraps->is_full) return false;
    bool denies = begin(wraps, words, &look) && share_of(&look, row, 1, 0) > often;
    end(&look);
    return denies;
}

/* The fewest words that a row consists of and nothing goes round the end of, as of structures; 1: none. */
static uint64_t unit_of(struct look *look, uint64_t row)
{
    for (uint64_t unit = 2; 2 * unit <= row; unit++)
        if (row % unit == 0 && share_of(look, unit, 1, 1) < hardly) return unit;
    return 1;
}

/* Do some of very many pairs go round it already? */
static bool is_none(struct look *look, uint64_t row)
{
    if (look->wraps->n < 2 * SOME_PAIRS) return false;
    look->every = look->wraps->n / SOME_PAIRS;
    bool is = share_of(look, row, 1, 0) > often;
    look->every = 1;
    return is;
}

static void ask(struct look *look, uint64_t row)
{
    if (row < SHORTEST || row > look->words / SHORTEST || look->is_asked[row]) return;
    look->is_asked[row] = true;
    if (is_none(look, row)) return;
    double share = share_of(look, row, 1, 1);
    if (share >= look->least) return;
    uint64_t unit = unit_of(look, row); /* what is within these tells nothing of rows of them */
    if (unit > 1 && share_of(look, row, unit, 1) >= look->least) return;
    look->least = share;
    look->best = row;
}

/* A row is a step to a neighbour, or beside one, or a few rows are. */
static void ask_beside(struct look *look, uint64_t distance)
{
    for (uint64_t k = 1; k <= MOST_PARTS; k++)
        for (uint64_t d = distance > BESIDE ? distance - BESIDE : 1; d <= distance + BESIDE; d++)
            if (d % k == 0) ask(look, d / k);
}

/* Words at very many distances are all read together: none of these is a step to a neighbour. */
static bool is_often(const struct look *look, size_t side)
{
    return (uint64_t)look->sides[side].all * OFTEN > look->words;
}

uint64_t wraps_row(const struct wraps *wraps, uint64_t words, bool is_denied)
{
    struct look look;
    if (wraps->is_full) return 0;
    bool fine = begin(wraps, words, &look);
    look.least = is_denied ? seldom : hardly;
    for (uint64_t row = SHORTEST; fine && row <= words / SHORTEST; row++)
        if (words % row == 0) ask(&look, row);
    size_t n_often = 0;
    for (size_t i = 0; i < look.n_sides; i++) n_often += is_often(&look, i);
    for (size_t i = 0; fine && n_often <= MOST_STEPS && i < look.n_sides; i++)
        if (is_often(&look, i)) ask_beside(&look, look.sides[i].distance);
    end(&look);
    return fine ? look.best : 0;
}

/* The pairs in two rows, in rows; false: out of memory. */
static bool in_rows(const struct wraps *wraps, uint64_t row, struct wraps *rows)
{
    *rows = (struct wraps){.is_full = wraps->is_full};
    for (size_t i = 0; i < wraps->n; i++) {
        uint64_t low = wraps->pairs[i].low, high = low + wraps->pairs[i].distance;
        wraps_note(rows, low / row, high / row - low / row);
    }
    return !rows->is_full;
}

bool wraps_deny_plane(const struct wraps *wraps, uint64_t words, uint64_t row, uint64_t rows)
{
    struct wraps of_rows;
    bool denies = row && in_rows(wraps, row, &of_rows) && wraps_deny(&of_rows, words / row, rows);
    if (row) wraps_clear(&of_rows);
    return denies;
}

/* What divides all distances. */
static uint64_t step_of(const struct wraps *wraps)
{
    uint64_t step = 0;
    for (size_t i = 0; i < wraps->n; i++) step = greatest_divisor(step, wraps->pairs[i].distance);
    return step;
}

uint64_t wraps_rows(const struct wraps *wraps, uint64_t words, uint64_t row)
{
    struct wraps of_rows;
    uint64_t found = 0;
    if (in_rows(wraps, row, &of_rows)) {
        uint64_t step = step_of(&of_rows);
        found = step > 1 ? step : wraps_row(&of_rows, words / row, false);
        if (found < SHORTEST || SHORTEST * found > words / row) found = 0;
    }
    wraps_clear(&of_rows);
    return found;
}
