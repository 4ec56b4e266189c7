/* How the extents of an array's words are seen, once they are told. */
#include <string.h>

#include "valueflow/graph/once.h"
#include "valueflow/space/distances.h"
#include "valueflow/space/images.h"
#include "valueflow/space/line.h"

/* An array up to its images. */
struct line line_of(const parcast_values *values, uint32_t index)
{
    const struct graph_array *array = &values->arrays[index];
    return (struct line){values, images_front(values, index), array->words, array->record,
                         array->n_blocks > 1 ? array->block_words : 0};
}

static bool are_same(const parcast_extents *a, const parcast_extents *b)
{
    return a->n == b->n && memcmp(a->extent, b->extent, a->n * sizeof *a->extent) == 0;
}

static bool are_rare(const parcast_values *values, uint32_t index, const parcast_extents *extents)
{
    enum { RARE = 16 };
    struct line line = line_of(values, index);
    size_t n = extents->n;
    if (line.whole > LINE_MOST_WORDS || n < 3 || n > PARCAST_MAX_EXTENTS) return false;
    const struct once_extents *one = line_find(&line, 1, 1);
    return one && are_same(&one->extents[n], extents) && one->seen[n] < one->seen[n - 1] / RARE;
}

bool extents_are_rare(const parcast_values *values, uint32_t index, const parcast_extents *extents)
{
    once_hold();
    bool are = are_rare(values, index, extents);
    once_release();
    return are;
}

static bool are_steps(const parcast_values *values, uint32_t index, const parcast_extents *extents)
{
    struct line line = line_of(values, index);
    if (line.whole > LINE_MOST_WORDS || extents->n != 4) return false;
    const struct once_extents *one = line_find(&line, 1, 1);
    return one && one->are_steps && are_same(&one->extents[4], extents);
}

bool extents_are_steps(const parcast_values *values, uint32_t index, const parcast_extents *extents)
{
    once_hold();
    bool are = are_steps(values, index, extents);
    once_release();
    return are;
}

static bool mix(const parcast_values *values, uint32_t index, const parcast_extents *extents)
{
    struct line line = line_of(values, index);
    if (line.whole > LINE_MOST_WORDS || extents->n < 3 || extents->n > 4) return false;
    const struct once_extents *one = line_find(&line, 1, 1);
    return one && are_same(&one->extents[extents->n], extents) && one->are_mixed[extents->n];
}

bool extents_mix(const parcast_values *values, uint32_t index, const parcast_extents *extents)
{
    once_hold();
    bool do_mix = mix(values, index, extents);
    once_release();
    return do_mix;
}

static float near(const parcast_values *values, uint32_t index, const parcast_extents *extents)
{
    struct line line = line_of(values, index);
    if (line.whole > LINE_MOST_WORDS || extents->n < 2 || extents->n > 4) return 0;
    const struct once_extents *one = line_find(&line, 1, 1);
    return one && are_same(&one->extents[extents->n], extents) ? one->near[extents->n] : 0;
}

float extents_near(const parcast_values *values, uint32_t index, const parcast_extents *extents)
{
    once_hold();
    float share = near(values, index, extents);
    once_release();
    return share;
}
