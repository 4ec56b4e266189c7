#include "valueflow/space/extents/distances.h"

#include "valueflow/distribution/grid.h"
#include "valueflow/space/extents/joins.h"

enum { MOST_STEPS = 3, MOST_MET = 16 };

/* What is read some steps to either side meets in results up to twice as many steps apart, and at all steps
 * between; and where all rows of a column meet each other, as in a product of matrices, any number of them
 * does, fewer more often. `seen`: how often this distance is. */
static bool is_met(const struct distances *d, uint64_t w, uint64_t step, uint32_t seen)
{
    bool through_results = d->is_last && w <= MOST_MET * step;
    if (w <= MOST_STEPS * step) return false;
    for (uint64_t less = step; less < w; less += step)
        if (d->count[less] < (through_results ? seen / 4 : seen)) return false;
    return true;
}

/* Where each word meets many others of its row, as columns that are rotated in pairs do, a distance is seen
 * about as often as those shorter and longer, and some of these more often by chance: that is none of them.
 */
static bool is_in_run(const struct distances *d, uint64_t w, uint64_t step)
{
    uint64_t end = w + MOST_STEPS * step;
    if (w <= MOST_STEPS * step || end > d->words / 2) return false;
    for (uint64_t other = step; other <= end; other += step)
        if (2 * (uint64_t)d->count[other] < d->count[w]) return false;
    return true;
}

/* Two or three steps to neighbours, of those that read farther than these, are no row; nor rows a plane. */
static bool is_steps(const struct distances *d, uint64_t w, uint64_t step)
{
    bool is_near = (w == 2 * step || w == MOST_STEPS * step) && d->count[step] >= d->count[w];
    return is_near || is_met(d, w, step, d->count[w]) || is_in_run(d, w, step);
}

bool distances_end_in_rows(const struct distances *d, uint64_t row)
{
    for (uint64_t end = row; end < d->words; end += row)
        if (d->is_joined[end - 1]) return false;
    return true;
}

/* Where diagonals are read, those of a row less a step and of a row and a step are as common as those of a
 * row: this is the one where no word at the end of a row has to do with the next one, or none in the last row
 * of a plane with the next plane. */
static bool ends(const struct distances *d, uint64_t w, uint64_t step)
{
    return step == 1 ? distances_end_in_rows(d, w) : joins_end(d, w, step);
}

/* A whole number of rows, or one less than that: nobody reads the last corner of a frame. Where at least a
 * row behind those in use is not used by anyone, it is them that are in rows. */
static bool divides(const struct distances *d, uint64_t w)
{
    bool is_larger = d->front + w < d->words;
    return d->words % w == 0 || (is_larger && (d->front % w == 0 || (d->front + 1) % w == 0));
}

/* Is so many words nearly a row? From the last reader of a word in one row to the first one in the next it
 * is less still, and more common. */
static bool is_beside(const struct distances *d, uint64_t w, uint64_t of, uint64_t step)
{
    enum { OFTEN = 4 };
    return w != of && w > step && w <= d->words / 2 && (d->is_last || divides(d, w)) &&
           OFTEN * (uint64_t)d->count[w] >= d->count[of];
}

/* What hardly any word has to do with is as far away by chance: in numbers at random all distances are. */
static bool is_rare(const struct distances *d, uint64_t w)
{
    enum { FEW = 64 };
    return (uint64_t)d->count[w] * FEW * d->every < d->used;
}

static bool is_diagonal(const struct distances *d, uint64_t of, uint64_t step)
{
    enum { MOST_BESIDE = 4 };
    if (is_rare(d, of)) return false;
    uint64_t first = of > MOST_BESIDE * step ? of - MOST_BESIDE * step : step;
    bool is_known = false;
    for (uint64_t w = first; w <= of + MOST_BESIDE * step; w += step) {
        if (!is_beside(d, w, of, step)) continue;
        if (!is_known && ends(d, of, step)) return false;
        is_known = true;
        if (ends(d, w, step)) return true;
    }
    return false;
}

static bool is_row(const struct distances *d, uint64_t w, uint64_t step)
{
    return d->count[w] && divides(d, w) && w >= d->least_row && !is_steps(d, w, step) &&
           !is_diagonal(d, w, step);
}

/* Most distances are never seen: what is asked of all is asked of the others first. */
static uint64_t best_row(const struct distances *d, uint64_t multiple_of, uint64_t below)
{
    uint64_t best = 0;
    for (uint64_t w = 2 * multiple_of; w <= below; w += multiple_of)
        if (d->count[w] > (best ? d->count[best] : 0) && is_row(d, w, multiple_of)) best = w;
    return best;
}

/* Rows of an array with some words more at its end, to which no row is a divisor: a distance that a quarter
 * of the words in use have. */
static uint64_t padded_row(const struct distances *d, uint64_t multiple_of)
{
    uint64_t best = 0;
    for (uint64_t w = 2 * multiple_of; d->is_last && w <= d->words / 2; w += multiple_of)
        if (d->count[w] >= d->used / 4 / d->every && (!best || d->count[w] > d->count[best]) &&
            !is_steps(d, w, multiple_of) && !is_diagonal(d, w, multiple_of))
            best = w;
    return best;
}

/* Triangles, two to a square, meet those of the next row a triangle beside their own place: what is a step
 * longer or shorter divides the array, and no word at the end of such a row has to do with the next one. */
static uint64_t beside_row(const struct distances *d, uint64_t row)
{
    if (!row || d->count[1] < d->used / 4 / d->every || distances_end_in_rows(d, row)) return row;
    for (uint64_t w = row - 1; w <= row + 1; w += 2)
        if (w > 1 && d->words % w == 0 && distances_end_in_rows(d, w)) return w;
    return row;
}

/* A square of which words are computed of those that lie across its diagonal: k steps from this they are k
 * times a row less one apart, two of them for each place that has as many steps behind it. */
static uint64_t mirrored_row(const struct distances *d)
{
    uint64_t row = 2, near = 0;
    while (row * row < d->words) row++;
    if (row * row != d->words || row < DISTANCES_FAR) return 0;
    near = d->count[row - 1];
    for (uint64_t k = 2; k * (row - 1) <= d->words / 2; k++) {
        uint64_t seen = d->count[k * (row - 1)];
        if (!seen || seen * (row - 1) != near * (row - k)) return 0;
    }
    return near ? row : 0;
}

/* Distances of all that is up to a step away along each dimension, each once. */
static size_t list_near(const parcast_extents *extents, uint64_t *near)
{
    size_t n = 1;
    uint64_t stride = 1;
    near[0] = 0;
    for (size_t i = extents->n; i-- > 0; stride *= extents->extent[i]) {
        size_t n_before = n;
        for (size_t k = 0; k < 2 * n_before; k++) {
            uint64_t of = near[k / 2], w = k % 2 ? of + stride : of > stride ? of - stride : stride - of;
            bool is_there = false;
            for (size_t j = 0; j < n; j++) is_there = is_there || near[j] == w;
            if (!is_there) near[n++] = w;
        }
    }
    return n;
}

float distances_near(const struct distances *d, const parcast_extents *extents)
{
    enum { MOST_NEAR = 81 };
    uint64_t near[MOST_NEAR], all = 0, seen = 0;
    size_t n = extents->n < PARCAST_MAX_EXTENTS ? list_near(extents, near) : 0;
    for (uint64_t w = 1; w <= d->words / 2; w++) all += d->count[w];
    for (size_t i = 0; i < n; i++)
        if (near[i] && near[i] <= d->words / 2) seen += d->count[near[i]];
    return all ? (float)seen / (float)all : 0;
}

bool distances_mix(const struct distances *d, const parcast_extents *extents)
{
    enum { OFTEN = 2 };
    uint64_t plane = 1;
    for (size_t i = 1; i < extents->n; i++) plane *= extents->extent[i];
    if (extents->n < 3 || plane > d->words / 2) return false;
    uint64_t step = 1;
    for (size_t i = extents->n - 1; i > 0; step *= extents->extent[i--])
        if (d->count[plane] < OFTEN * (uint64_t)d->count[step]) return false;
    return true;
}

static uint64_t how_many(uint64_t words, uint64_t of)
{
    return (words + of - 1) / of;
}

static uint32_t fewer(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* How often its rarest distance is seen, as of all that follow. */
static uint32_t infer_two(const struct distances *d, parcast_extents *extents)
{
    uint64_t row = best_row(d, 1, d->words / 2), step = row;
    if (!row) {
        row = mirrored_row(d);
        step = row ? row - 1 : 0;
    }
    if (!row) {
        step = padded_row(d, 1);
        row = beside_row(d, step);
    }
    if (!row) return 0;
    *extents = (parcast_extents){2, {how_many(d->words, row), row}};
    return d->count[step];
}

static uint32_t infer_padded(const struct distances *d, parcast_extents *extents)
{
    uint64_t row = best_row(d, 1, d->words / 2) ? 0 : padded_row(d, 1), most = row ? d->count[row] : 0;
    for (uint64_t w = row ? 2 : 0; w && w < row; w++) /* the shortest that is as common */
        if (d->count[w] >= most && !is_steps(d, w, 1) && !is_diagonal(d, w, 1)) row = w;
    uint64_t plane = row ? padded_row(d, row) : 0;
    if (plane) *extents = (parcast_extents){3, {how_many(d->words, plane), plane / row, row}};
    return plane ? d->count[plane] : 0;
}

/* A field that is computed from neighbours in another one is a field and a step away. */
static uint32_t beside(const struct distances *d, uint64_t plane, uint64_t row)
{
    uint64_t steps[] = {plane - row, plane - 1, plane + 1, plane + row};
    uint32_t n = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] <= d->words / 2) n += d->count[steps[i]];
    return n;
}

static uint64_t best_field(const struct distances *d, uint64_t row)
{
    uint64_t best = 0;
    for (uint64_t w = DISTANCES_FAR * row; w <= d->words / 2; w += row)
        if (d->words % w == 0 && d->words / w <= GRID_MOST_FIELDS && beside(d, w, row) &&
            !is_met(d, w, row, beside(d, w, row) / 4) && (!best || beside(d, w, row) > beside(d, best, row)))
            best = w;
    return best;
}

/* Two or more fields may be more common than one: the shortest that is at least half as common as what it
 * divides. */
static uint64_t best_fields(const struct distances *d, uint64_t row)
{
    uint64_t best = best_row(d, row, d->words / 2);
    for (uint64_t k = GRID_MOST_FIELDS; best && k > 1; k--)
        if (best % (k * row) == 0 && best / k >= DISTANCES_FAR * row &&
            d->words * k / best <= GRID_MOST_FIELDS && is_row(d, best / k, row) &&
            d->count[best / k] >= d->count[best] / 2)
            return best / k;
    return best;
}

/* A plane is a multiple of a row; the pair that is seen most. */
static uint32_t infer_three(const struct distances *d, parcast_extents *extents)
{
    uint32_t most = 0;
    for (uint64_t row = 2; row <= d->words / 4; row++) {
        if (!is_row(d, row, 1)) continue;
        uint64_t plane = best_fields(d, row);
        uint32_t seen = plane ? fewer(d->count[row], d->count[plane]) : 0;
        if (seen <= most) continue;
        most = seen;
        *extents = (parcast_extents){3, {how_many(d->words, plane), plane / row, row}};
    }
    if (most) return most;
    uint64_t row = best_row(d, 1, d->words / 2), plane = row ? best_field(d, row) : 0;
    if (!plane) return infer_padded(d, extents);
    *extents = (parcast_extents){3, {d->words / plane, plane / row, row}};
    return fewer(d->count[row], beside(d, plane, row));
}

static bool may_be_row(const struct distances *d, uint64_t w, uint64_t step, bool with_steps)
{
    return with_steps ? d->count[w] && d->words % w == 0 && w >= d->least_row : is_row(d, w, step);
}

static uint32_t infer_four_of(const struct distances *d, bool with_steps, parcast_extents *extents)
{
    uint32_t most = 0;
    for (uint64_t row = 2; row <= d->words / 8; row++) {
        if (!may_be_row(d, row, 1, with_steps)) continue;
        for (uint64_t plane = 2 * row; plane <= d->words / 4; plane += row) {
            if (!may_be_row(d, plane, row, with_steps)) continue;
            uint64_t block = best_fields(d, plane);
            uint32_t seen = block ? fewer(fewer(d->count[row], d->count[plane]), d->count[block]) : 0;
            if (seen <= most) continue;
            most = seen;
            *extents = (parcast_extents){4, {d->words / block, block / plane, plane / row, row}};
        }
    }
    return most;
}

/* Fields of a mesh in one array, around or inside of three dimensions. Of those seen as often, rows that are
 * no steps to neighbours go before others. */
static uint32_t infer_four(const struct distances *d, parcast_extents *extents)
{
    parcast_extents rows;
    uint32_t seen = infer_four_of(d, false, &rows), most = infer_four_of(d, true, extents);
    if (seen && seen == most) *extents = rows;
    return most;
}

/* The last word of every other block has to do with the first one of the next; or all rows of a column meet
 * each other, of which there are several in a block, those a block apart hardly more than those a row more.
 */
bool distances_run_on(const struct distances *d, uint64_t block, uint64_t row)
{
    uint64_t n_joined = 0, n = 0;
    for (uint64_t end = block; end < d->words; end += block, n++) n_joined += d->is_joined[end - 1];
    if (2 * n_joined >= n) return true;
    return row && row < block && block % row == 0 && block + row <= d->words / 2 && d->count[block] &&
           4 * (uint64_t)d->count[block + row] >= 3 * (uint64_t)d->count[block] && is_steps(d, block, row);
}

enum { SELDOM = 2, RARELY = 4 };

/* Pairs are next to others in a row as often as their words are to each other, or three apart where both take
 * turns; or no word has to do with the next one but those of a pair, which mix more often. */
static bool are_no_pairs(const struct distances *d, uint64_t w)
{
    return w == 2 && !distances_end_in_rows(d, 2) && d->count[2] < d->count[1] / RARELY &&
           d->count[3] < d->count[1] / RARELY;
}

/* How often it is seen in one block, and from this to the next, as where two take turns. */
static uint32_t seen_beside(const struct distances *d, uint64_t block, uint64_t w)
{
    uint32_t less = d->count[block - w], more = block + w <= d->words / 2 ? d->count[block + w] : 0;
    return d->count[w] + (less > more ? less : more);
}

/* A distance below their planes that is seen much less often than these is a step in them. */
bool distances_are_steps(const struct distances *d, const parcast_extents *four, const parcast_extents *three,
                         uint32_t seen)
{
    uint64_t row = three->extent[2], plane = row * three->extent[1], w = 1;
    uint64_t block = four->extent[3] * four->extent[2] * four->extent[1];
    for (size_t i = 3; i > 0; i--) {
        w *= four->extent[i];
        if (w < plane && w != row && (seen_beside(d, block, w) < seen / SELDOM || are_no_pairs(d, w)))
            return true;
    }
    return false;
}

uint32_t distances_infer(const struct distances *d, size_t n, parcast_extents *extents)
{
    if (n == 2) return infer_two(d, extents);
    return n == 3 ? infer_three(d, extents) : n == 4 ? infer_four(d, extents) : 0;
}
