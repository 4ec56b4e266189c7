/* Fields of which only distances tell: those of so many words that lie together, as structures would. */
#include "valueflow/distribution/grid.h"
#include "valueflow/space/extents/closed.h"
#include "valueflow/space/extents/coupled.h"
#include "valueflow/space/extents/distances.h"
#include "valueflow/space/extents/line.h"

/* Rows of words end where no word has to do with the next one, which most have; in so many words each has, as
 * often wherever it is. */
static bool are_across_rows(const struct once_extents *words, size_t n, uint32_t fields)
{
    return words && words->seen[n] && !words->runs_on_in[n] && 2 * (uint64_t)words->steps > words->words &&
           !(words->uneven >> fields & 1);
}

/* How often structures of so many words show n - 1 extents, and are next to each other: more often than words
 * are, or they are only pairs of these, and no less of all pairs are beside each other. What has very short
 * rows of them is larger. */
static uint32_t see_fields(const struct line *line, size_t n, uint32_t fields, parcast_extents *extents)
{
    if (line->words % fields || line->whole % fields) return 0;
    const struct once_extents *one = line_find(line, 1, 1);
    uint32_t steps = one ? one->steps : 0;
    float near = one ? one->near[n] : 0;
    if (are_across_rows(one, n, fields)) return 0;
    one = line_find(line, fields, fields);
    if (!one || one->steps <= steps || one->near[n - 1] < near) return 0;
    if (one->extents[n - 1].extent[n - 2] < DISTANCES_FAR) return 0;
    *extents = one->extents[n - 1];
    extents->extent[extents->n++] = fields;
    return one->seen[n - 1] < one->steps ? one->seen[n - 1] : one->steps;
}

/* What tells words that lie together from rows of words: how much is beside each other in extents of words,
 * and in those of structures. */
struct sight {
    float of_words, best;
    bool run_on; /* rows of words go on from one to the next, as those do that are rows by chance */
};

static struct sight sight_of(const struct line *line, size_t n)
{
    const struct once_extents *one = line_find(line, 1, 1);
    if (!one) return (struct sight){1, 1, false};
    float near = one->near[n] > one->near[n - 1] ? one->near[n] : one->near[n - 1];
    return (struct sight){near, 0, one->seen[n] && one->runs_on_in[n]};
}

/* Structures of so many words show n - 1 extents in which nearly all is beside each other, as words show
 * none, and words are not beside each other alike wherever they are in one: how often. */
static uint32_t see_near(const struct line *line, size_t n, uint32_t fields, struct sight *sight,
                         parcast_extents *extents)
{
    static const float nearly_all = 0.9F, more_than_words = 1.25F, hardly_more = 1.02F;
    if (line->words % fields || line->whole % fields) return 0;
    const struct once_extents *one = line_find(line, 1, 1);
    if (!one || !(one->uneven >> fields & 1)) return 0;
    uint32_t seen = line_look_up(line, fields, fields, n - 1, extents);
    one = seen ? line_find(line, fields, fields) : NULL;
    if (!one || one->runs_on_in[n - 1] || extents->extent[n - 2] < DISTANCES_FAR) return 0;
    float near = one->near[n - 1];
    float least = sight->run_on ? sight->of_words : more_than_words * sight->of_words;
    if (near < nearly_all || near < least || near < hardly_more * sight->best) return 0;
    sight->best = near;
    extents->extent[extents->n++] = fields;
    return seen;
}

/* Elements in n - 1 dimensions, and their words. */
static bool infer_elements(const struct line *line, size_t n, parcast_extents *extents)
{
    bool may_be = n > 2 && line->words == line->whole;
    uint32_t words = may_be ? closed_words(line->values, line->words) : 0;
    if (may_be && !words) words = coupled_words(line->values, line->words);
    const struct once_extents *one = words ? line_find(line, words, words) : NULL;
    if (!one || !one->seen[n - 1] || one->extents[n - 1].extent[n - 2] < DISTANCES_FAR) return false;
    *extents = one->extents[n - 1];
    extents->extent[extents->n++] = words;
    return true;
}

/* Rows or planes that have nothing to do with each other are told by what does not go round them. Where each
 * word has to do with its own field only these are those of as many structures as words show to lie in a row,
 * beside each other at the steps of neighbours. */
static bool infer_apart(const struct line *line, size_t n, parcast_extents *extents)
{
    parcast_extents words, found;
    struct line told = *line;
    told.are_told = true;
    if (n < 3 || !line_look_up(line, 1, 1, n - 1, &words)) return false;
    uint64_t fields = words.extent[n - 2];
    if (fields < 2 || fields > GRID_FIELDS || line->words % fields || line->whole % fields) return false;
    if (!line_look_up(&told, (uint32_t)fields, (uint32_t)fields, n - 1, &found)) return false;
    bool has_rows = n < 4 || found.extent[2] == words.extent[1];
    if (!has_rows || graph_words_of(&found) != line->words / fields) return false;
    if (found.extent[n - 2] < DISTANCES_FAR) return false;
    *extents = found;
    extents->extent[extents->n++] = fields;
    return true;
}

/* Are these four dimensions three, of which the rows are divided once more? Every other word of a row, say,
 * which both are beside one that reads them. */
static bool divide_rows(const struct line *line, const parcast_extents *four)
{
    parcast_extents three;
    return four->n == 4 && line_look_up(line, 1, 1, 3, &three) && three.extent[0] == four->extent[0] &&
           three.extent[2] == four->extent[3];
}

/* Fields that lie together and mix: where the types tell no structures, those of so many words that show
 * their extents twice as often as words do, or in which nearly all is beside each other, as it is not in
 * extents of words. Rows that words show as well are rows of words. Where each field mixes with another one
 * only, as speeds at faces do with pressures, words show none at all; in large graphs that is taken for none,
 * since each number of fields is a look at all sets. */
bool line_infer_words(const struct line *line, size_t n, parcast_extents *extents)
{
    uint32_t seen = line_look_up(line, 1, 1, n, extents), most = 2 * seen;
    bool may_be_fields = n > 2 && (seen || line->values->n_vertices < GRAPH_LARGE);
    const parcast_extents plain = *extents;
    if (infer_elements(line, n, extents)) return true;
    struct sight sight = may_be_fields ? sight_of(line, n) : (struct sight){0};
    for (uint32_t fields = 2; may_be_fields && fields <= GRID_FIELDS; fields++) {
        parcast_extents found;
        uint32_t often = see_near(line, n, fields, &sight, &found);
        bool is_near = often;
        if (!is_near && !sight.best) often = see_fields(line, n, fields, &found);
        bool are_rows = seen && often && plain.extent[n - 1] == found.extent[n - 2] * fields;
        if ((!is_near && often <= most) || are_rows) continue;
        most = often;
        *extents = found;
    }
    parcast_extents apart;
    if ((!most || divide_rows(line, extents)) && infer_apart(line, n, &apart)) {
        *extents = apart;
        return true;
    }
    return most;
}

void line_join_fields(const struct line *line, parcast_extents *extents)
{
    parcast_extents cells;
    uint64_t last = extents->extent[2];
    if (extents->n != 3 || last >= DISTANCES_FAR || !line_infer_words(line, 4, &cells)) return;
    uint64_t fields = cells.extent[3];
    if (fields <= last || fields % last || fields > GRID_FIELDS || cells.extent[2] < DISTANCES_FAR) return;
    *extents = (parcast_extents){3, {cells.extent[0], cells.extent[1], cells.extent[2] * fields}};
}
