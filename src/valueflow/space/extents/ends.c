#include <stdlib.h>
#include <string.h>

#include "valueflow/space/embedding.h"

/*
 * What meets at both ends of a dimension only, as where space is periodic, lies at an end, not in the middle
 * between them: as if one end followed the other.
 */
enum { MOST_NEIGHBOURS = 64, FEWEST_CELLS = 8, ROUNDS = 4, D = PARCAST_MAX_EXTENTS * PARCAST_MAX_EXTENTS };
enum { SAMPLE = 16 }; /* in a large graph one vertex in so many tells whether any are to be moved */

/* Along one dimension: how many neighbours lie in its first and in its last quarter, and between these. */
struct along {
    float sum; /* of those that have to do with one of these, the first ones behind the last */
    uint32_t first, last, between;
};

struct ends {
    struct embedding *e;
    float cells[D];
    struct along along[D];
    uint32_t n;
};

static void look_at(struct ends *ends, uint32_t v)
{
    const struct embedding *e = ends->e;
    ends->n++;
    if (!e->asking[v]) return;
    for (size_t i = 0; i < e->d; i++) {
        struct along *along = &ends->along[i];
        float x = place_of(e, v)[i], quarter = ends->cells[i] / 4;
        along->first += x < quarter;
        along->last += x >= 3 * quarter;
        along->between += x >= quarter && x < 3 * quarter;
        along->sum += x < quarter ? x + ends->cells[i] : x;
    }
}

/* False where they are many, who are everywhere. */
static bool look_around(struct ends *ends, uint32_t v)
{
    const struct embedding *e = ends->e;
    const parcast_values *values = e->values;
    memset(ends->along, 0, sizeof ends->along);
    ends->n = 0;
    for (uint64_t i = e->at.set_first[v]; i < e->at.set_first[v + 1]; i++) {
        uint32_t set = e->at.sets[i] >> 1;
        for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++) {
            look_at(ends, values->nets[j].home);
            if (ends->n > MOST_NEIGHBOURS) return false;
        }
    }
    for (uint64_t i = e->at.net_first[v]; i < e->at.net_first[v + 1]; i++) {
        uint32_t set = e->at.net_sets[i];
        for (uint64_t j = values->set_first[set]; j < values->set_first[set + 1]; j++) {
            look_at(ends, values->pins[j] & ~GRAPH_FOLD);
            if (ends->n > MOST_NEIGHBOURS) return false;
        }
    }
    return true;
}

static bool is_at_both(const struct ends *ends, size_t i)
{
    const struct along *along = &ends->along[i];
    return along->first && along->last && !along->between && ends->cells[i] >= FEWEST_CELLS;
}

static bool join(struct ends *ends, uint32_t v)
{
    bool any = false;
    if (!look_around(ends, v)) return false;
    for (size_t i = 0; i < ends->e->d; i++) {
        const struct along *along = &ends->along[i];
        if (!is_at_both(ends, i)) continue;
        float x = along->sum / (float)(along->first + along->last);
        place_of(ends->e, v)[i] = x < ends->cells[i] ? x : x - ends->cells[i];
        any = true;
    }
    return any;
}

static bool is_open(const struct embedding *e, uint32_t v)
{
    return !e->asking[v] && e->placed[v];
}

/* Of a large graph. */
static bool has_any(struct ends *ends)
{
    const struct embedding *e = ends->e;
    for (uint32_t v = 0; v < e->values->n_vertices; v += SAMPLE) {
        if (!is_open(e, v) || !look_around(ends, v)) continue;
        for (size_t i = 0; i < e->d; i++)
            if (is_at_both(ends, i)) return true;
    }
    return false;
}

void ends_join(struct embedding *e)
{
    struct ends ends = {.e = e};
    for (size_t k = 0, i = 0; k < e->n_spaces; k++)
        for (size_t j = 0; j < e->spaces[k].extents.n; j++) ends.cells[i++] = (float)e->spaces[k].count[j];
    for (uint32_t v = 0; v < e->values->n_vertices; v++) e->asking[v] = e->fixed[v];
    bool any = e->values->n_vertices < GRAPH_LARGE || has_any(&ends);
    for (int round = 0; any && round < ROUNDS; round++) {
        any = false;
        for (uint32_t v = 0; v < e->values->n_vertices; v++) {
            if (!is_open(e, v) || !join(&ends, v)) continue;
            e->asking[v] = 1;
            any = true;
        }
    }
}
