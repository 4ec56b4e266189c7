/* Which homes are the same in all terms of the sums that they occur in. */
#include <stdlib.h>

#include "valueflow/graph/common_kinds.h"

#define SEVERAL_ARRAYS (GRAPH_NONE - 1)

struct search {
    const parcast_values *values;
    unsigned char *kind;
    struct period *period;
    uint32_t *looked_at; /* [n_streams] the array of the sums that it was looked at in last */
    uint32_t *always_in; /* [n_vertices] the array of the sums whose terms have it in common */
};

enum { LONGEST = 4, LEAST_TURNS = 4 };

static bool is_same(const uint32_t *homes, uint64_t n, uint64_t first, uint64_t step)
{
    for (uint64_t i = first; i < n; i += step)
        if (homes[i] != homes[first]) return false;
    return true;
}

/* One term a turn has the same home in all turns, however few; that every second one has it may be chance. */
static struct period period_of(const uint32_t *homes, uint64_t n)
{
    for (unsigned step = 1; step <= LONGEST; step++) {
        struct period period = {(unsigned char)step, 0};
        if (n % step || (step > 1 && n < (uint64_t)LEAST_TURNS * step)) continue;
        for (unsigned r = 0; r < step && r < n; r++)
            period.same |= (unsigned char)(is_same(homes, n, r, step) << r);
        if (period.same) return period;
    }
    return (struct period){0, 0};
}

/* Returns whether any has a home in common. */
static bool look_at_streams(struct search *s)
{
    const parcast_values *values = s->values;
    bool any = false;
    for (uint32_t i = 0; i < values->n_streams; i++) {
        const uint32_t *homes = homes_of(values, i);
        uint64_t n = length_of(values, i);
        s->period[i] = period_of(homes, n);
        if (n < 2) continue;
        any = any || s->period[i].n;
        for (uint64_t k = 0; k < n; k++)
            s->kind[homes[k]] |= period_is_same(s->period[i], k) ? ALWAYS : VARIES;
    }
    return any;
}

/* Where it is in common in sums of this array; where of several, their names are no use. */
static void note_array(struct search *s, uint32_t stream, uint32_t array)
{
    struct period period = s->period[stream];
    for (unsigned r = 0; r < period.n && length_of(s->values, stream) >= 2; r++) {
        uint32_t *in = &s->always_in[homes_of(s->values, stream)[r]];
        if (period_is_same(period, r)) *in = *in == GRAPH_NONE || *in == array ? array : SEVERAL_ARRAYS;
    }
}

/* In sums of one array it is one or the other: the values of points, and of those around them. */
static void leave_out_mixed(struct search *s, uint32_t stream, uint32_t array)
{
    const uint32_t *homes = homes_of(s->values, stream);
    struct period period = s->period[stream];
    if (period.n == 1) return;
    for (uint64_t i = 0; i < length_of(s->values, stream); i++) {
        uint32_t in = s->always_in[homes[i]];
        if (!period_is_same(period, i) && (in == array || in == SEVERAL_ARRAYS)) s->kind[homes[i]] = VARIES;
    }
}

/* Those of all sums: the rows and columns of a product are streams of many. */
static void for_streams(struct search *s, void (*look)(struct search *s, uint32_t stream, uint32_t array))
{
    const parcast_values *values = s->values;
    for (uint32_t i = 0; i < values->n_streams; i++) s->looked_at[i] = GRAPH_NONE;
    for (size_t i = 0; i < values->n_chains; i++) {
        uint32_t array = values->vertices[values->chains[i].vertex].array;
        for (uint32_t key = values->chains[i].key; key; key = values->segments[key].before)
            for (uint32_t j = 0; j < values->segments[key].labels; j++) {
                uint32_t stream = values->segments[key].streams[j];
                if (s->looked_at[stream] != array) look(s, stream, array);
                s->looked_at[stream] = array;
            }
    }
}

/* Never another one in its place, in no sum of these arrays: a weight of all terms of a gradient may be one
 * of the weights in the sums that the gradient is of. */
static bool find_kinds(struct search *s)
{
    if (!look_at_streams(s)) return false;
    for (uint32_t v = 0; v < s->values->n_vertices; v++) s->always_in[v] = GRAPH_NONE;
    for_streams(s, note_array);
    for_streams(s, leave_out_mixed);
    for (uint32_t v = 0; v < s->values->n_vertices; v++)
        if (s->kind[v] & ALWAYS) s->kind[v] = ALWAYS;
    return true;
}

parcast_status common_kinds_find(const parcast_values *values, struct common_kinds *kinds, bool *any)
{
    size_t n_vertices = (size_t)values->n_vertices + 1, n_streams = (size_t)values->n_streams + 1;
    struct search s = {.values = values,
                       .kind = calloc(n_vertices, sizeof *s.kind),
                       .period = calloc(n_streams, sizeof *s.period),
                       .looked_at = malloc(n_streams * sizeof *s.looked_at),
                       .always_in = malloc(n_vertices * sizeof *s.always_in)};
    bool fine = s.kind && s.period && s.looked_at && s.always_in;
    *any = fine && find_kinds(&s);
    free(s.looked_at);
    free(s.always_in);
    *kinds = (struct common_kinds){s.kind, s.period};
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}

void common_kinds_clear(struct common_kinds *kinds)
{
    free(kinds->kind);
    free(kinds->period);
    *kinds = (struct common_kinds){0};
}
