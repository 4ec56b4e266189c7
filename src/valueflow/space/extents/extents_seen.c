/* How the extents of an array's words are seen, once they are told. */
#include <string.h>

#include "valueflow/graph/once.h"
#include "valueflow/space/extents/distances.h"
#include "valueflow/space/extents/line.h"
#include "valueflow/space/images.h"

/* An array up to its images. */
struct line line_of(const parcast_values *values, uint32_t index)
{
    const struct graph_array *array = &values->arrays[index];
    return (struct line){.values = values,
                         .words = images_front(values, index),
                         .whole = array->words,
                         .record = array->record,
                         .block = array->n_blocks > 1 ? array->block_words : 0};
}

static bool are_same(const parcast_extents *a, const parcast_extents *b)
{
    return a->n == b->n && memcmp(a->extent, b->extent, a->n * sizeof *a->extent) == 0;
}

/* What was seen of the array, if the extents are those that distances tell in as many dimensions, `least` to
 * `most`; NULL. For as long as it is held. */
static const struct once_extents *find_told(const parcast_values *values, uint32_t index,
                                            const parcast_extents *extents, size_t least, size_t most)
{
    struct line line = line_of(values, index);
    if (line.whole > LINE_MOST_WORDS || extents->n < least || extents->n > most) return NULL;
    const struct once_extents *one = line_find(&line, 1, 1);
    return one && are_same(&one->extents[extents->n], extents) ? one : NULL;
}

bool extents_are_rare(const parcast_values *values, uint32_t index, const parcast_extents *extents)
{
    enum { RARE = 16 };
    size_t n = extents->n;
    once_hold();
    const struct once_extents *one = find_told(values, index, extents, 3, PARCAST_MAX_EXTENTS);
    bool are = one && one->seen[n] < one->seen[n - 1] / RARE;
    once_release();
    return are;
}

bool extents_are_steps(const parcast_values *values, uint32_t index, const parcast_extents *extents)
{
    once_hold();
    const struct once_extents *one = find_told(values, index, extents, 4, 4);
    bool are = one && one->are_steps;
    once_release();
    return are;
}

bool extents_mix(const parcast_values *values, uint32_t index, const parcast_extents *extents)
{
    once_hold();
    const struct once_extents *one = find_told(values, index, extents, 3, 4);
    bool do_mix = one && one->are_mixed[extents->n];
    once_release();
    return do_mix;
}

/* Of structures, or where words tell none of any structures of which there are as many, in rows of them. */
static const struct once_extents *find_structures(const parcast_values *values, uint32_t index,
                                                  const parcast_extents *extents)
{
    struct line line = line_of(values, index);
    parcast_extents rows = *extents;
    uint64_t *last = &rows.extent[rows.n - 1];
    if (line.whole > LINE_MOST_WORDS || line.words % line.record || *last % line.record) return NULL;
    *last /= line.record;
    const struct once_extents *one = line_find(&line, line.record, 0);
    return one && are_same(&one->extents[rows.n], &rows) ? one : NULL;
}

float extents_near(const parcast_values *values, uint32_t index, const parcast_extents *extents)
{
    once_hold();
    const struct once_extents *one = find_told(values, index, extents, 2, 4);
    if (!one && extents->n >= 2 && extents->n <= 4) one = find_structures(values, index, extents);
    float share = one ? one->near[extents->n] : 0;
    once_release();
    return share;
}
