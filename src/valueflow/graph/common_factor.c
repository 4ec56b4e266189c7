/*
 * What all terms of a sum have in common: the weight of a weighted sum, the mean in a variance. It says
 * nothing about where a term is evaluated: that is where the rest of the term lies, and there the common
 * value has to be. So it is no label of the terms, and its readers are the words that the terms go through.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/build.h"

/* How a home occurs in the terms of sums of several: both ways in sums of different arrays is ALWAYS, too. */
enum { SELDOM = 0, ALWAYS = 1, VARIES = 2 };
enum { FEW_WORDS = 32 };
#define SEVERAL_ARRAYS (GRAPH_NONE - 1)
enum { MOST_MORE = 4, MOST_PINS = 1 << 20 }; /* that there may be: so many for each now, and so many */

/* A word that a common value has to be sent to; or, with GRAPH_FOLD, a sum that does not read it any more. */
struct need {
    uint32_t home, reader;
};

struct common {
    parcast_values *values;
    unsigned char *kind;  /* [n_vertices] */
    bool *is_same;        /* [n_streams] all terms have the same home there */
    uint32_t *looked_at;  /* [n_streams] the array of the sums that it was looked at in last */
    uint32_t *always_in;  /* [n_vertices] the array of the sums whose terms have it in common */
    struct need *needs;   /* by home */
    uint64_t *need_first; /* [n_vertices + 1] */
    uint64_t n_needs, capacity, most;
    uint32_t *pins; /* of the new sets */
    uint64_t n_pins;
    uint32_t *set_first, *net_first; /* likewise */
    struct graph_net *nets;
    uint32_t n_sets;
};

static uint64_t length_of(const parcast_values *values, uint32_t stream)
{
    return values->stream_first[stream + 1] - values->stream_first[stream];
}

/* Returns whether any has a home in common. */
static bool look_at_streams(struct common *c)
{
    const parcast_values *values = c->values;
    bool any = false;
    for (uint32_t s = 0; s < values->n_streams; s++) {
        const uint32_t *homes = values->stream_homes + values->stream_first[s];
        uint64_t n = length_of(values, s), same = 1;
        while (same < n && homes[same] == homes[0]) same++;
        c->is_same[s] = same >= n;
        if (n < 2) continue;
        any = any || same == n;
        for (uint64_t i = 0; i < n; i++) c->kind[homes[i]] |= same == n ? ALWAYS : VARIES;
    }
    return any;
}

/* Where it is in common in sums of this array; where of several, their names are no use. */
static void note_array(struct common *c, uint32_t stream, uint32_t array)
{
    if (!c->is_same[stream] || length_of(c->values, stream) < 2) return;
    uint32_t *in = &c->always_in[c->values->stream_homes[c->values->stream_first[stream]]];
    *in = *in == GRAPH_NONE || *in == array ? array : SEVERAL_ARRAYS;
}

/* In sums of one array it is one or the other: the values of points, and of those around them. */
static void leave_out_mixed(struct common *c, uint32_t stream, uint32_t array)
{
    const uint32_t *homes = c->values->stream_homes + c->values->stream_first[stream];
    for (uint64_t i = 0; !c->is_same[stream] && i < length_of(c->values, stream); i++)
        if (c->always_in[homes[i]] == array || c->always_in[homes[i]] == SEVERAL_ARRAYS)
            c->kind[homes[i]] = VARIES;
}

/* Those of all sums: the rows and columns of a product are streams of many. */
static void for_streams(struct common *c, void (*look)(struct common *c, uint32_t stream, uint32_t array))
{
    const parcast_values *values = c->values;
    for (uint32_t s = 0; s < values->n_streams; s++) c->looked_at[s] = GRAPH_NONE;
    for (size_t i = 0; i < values->n_chains; i++) {
        uint32_t array = values->vertices[values->chains[i].vertex].array;
        for (uint32_t key = values->chains[i].key; key; key = values->segments[key].before)
            for (uint32_t j = 0; j < values->segments[key].labels; j++) {
                uint32_t stream = values->segments[key].streams[j];
                if (c->looked_at[stream] != array) look(c, stream, array);
                c->looked_at[stream] = array;
            }
    }
}

/* Never another one in its place, in no sum of these arrays: a weight of all terms of a gradient may be one
 * of the weights in the sums that the gradient is of. */
static bool find_kinds(struct common *c)
{
    if (!look_at_streams(c)) return false;
    for (uint32_t v = 0; v < c->values->n_vertices; v++) c->always_in[v] = GRAPH_NONE;
    for_streams(c, note_array);
    for_streams(c, leave_out_mixed);
    for (uint32_t v = 0; v < c->values->n_vertices; v++)
        if (c->kind[v] & ALWAYS) c->kind[v] = ALWAYS;
    return true;
}

static bool is_common(const struct common *c, const struct graph_segment *segment, uint32_t label)
{
    uint32_t stream = segment->streams[label];
    return c->is_same[stream] && c->kind[c->values->stream_homes[c->values->stream_first[stream]]] == ALWAYS;
}

/* Of a term of which all is common nothing tells where it is evaluated. */
static uint32_t count_common(const struct common *c, const struct graph_segment *segment)
{
    uint32_t n = 0;
    for (uint32_t j = 0; j < segment->labels; j++) n += is_common(c, segment, j);
    return n < segment->labels ? n : 0;
}

static bool add_need(struct common *c, uint32_t home, uint32_t reader)
{
    if (c->n_needs == c->capacity) {
        uint64_t wanted = c->capacity ? 2 * c->capacity : 1024;
        struct need *more = realloc(c->needs, wanted * sizeof *more);
        if (!more) return false;
        c->needs = more;
        c->capacity = wanted;
    }
    c->needs[c->n_needs++] = (struct need){home, reader};
    return true;
}

/* A common value is needed where the first label that is none lies; in a term of nothing else, by the sum. */
static bool need_in_segment(struct common *c, const struct graph_segment *segment, uint32_t sum)
{
    const parcast_values *values = c->values;
    uint32_t n = count_common(c, segment), own = 0;
    while (n && is_common(c, segment, own)) own++;
    for (uint32_t j = 0; j < segment->labels; j++) {
        uint32_t home = values->stream_homes[values->stream_first[segment->streams[j]]];
        if (!is_common(c, segment, j)) continue;
        if (!add_need(c, home, sum | GRAPH_FOLD) || (!n && !add_need(c, home, sum))) return false;
        for (uint32_t i = 0; n && i < segment->n_terms; i++)
            if (!add_need(c, home, values->stream_homes[values->stream_first[segment->streams[own]] + i]))
                return false;
    }
    return c->n_needs <= c->most;
}

static int by_home(const void *a, const void *b)
{
    const struct need *x = a, *y = b;
    if (x->home != y->home) return x->home < y->home ? -1 : 1;
    return x->reader < y->reader ? -1 : x->reader > y->reader;
}

/* All of them, each once; false where there are too many. */
static bool list_needs(struct common *c, parcast_status *status)
{
    const parcast_values *values = c->values;
    uint64_t kept = 0;
    c->n_needs = 0;
    for (size_t i = 0; i < values->n_chains; i++)
        for (uint32_t key = values->chains[i].key; key; key = values->segments[key].before)
            if (!need_in_segment(c, &values->segments[key], values->chains[i].vertex)) {
                if (c->n_needs <= c->most) *status = PARCAST_MEMORY;
                return false;
            }
    if (c->n_needs) qsort(c->needs, c->n_needs, sizeof *c->needs, by_home);
    for (uint64_t i = 0; i < c->n_needs; i++)
        if (!kept || by_home(&c->needs[kept - 1], &c->needs[i]) != 0) c->needs[kept++] = c->needs[i];
    c->n_needs = kept;
    return true;
}

/* What only a few terms have in common lies where these are, and so does their sum: an element's own value
 * and its corners, say. Returns whether there are any. */
static bool leave_out_few(struct common *c)
{
    bool any = false;
    for (uint64_t i = 0, end; i < c->n_needs; i = end) {
        uint64_t words = 0;
        for (end = i; end < c->n_needs && c->needs[end].home == c->needs[i].home; end++)
            words += !(c->needs[end].reader & GRAPH_FOLD);
        if (words > FEW_WORDS) continue;
        c->kind[c->needs[i].home] = VARIES;
        any = true;
    }
    return any;
}

/* Without these other labels of their terms may be the first ones. */
static bool find_needs(struct common *c, parcast_status *status)
{
    do {
        if (!list_needs(c, status)) return false;
    } while (leave_out_few(c));
    for (uint64_t i = 0; i < c->n_needs; i++) c->need_first[c->needs[i].home + 1]++;
    for (uint32_t v = 0; v < c->values->n_vertices; v++) c->need_first[v + 1] += c->need_first[v];
    return c->n_needs > 0;
}

static void drop_labels(struct common *c)
{
    parcast_values *values = c->values;
    for (uint32_t k = 1; k < values->n_segments; k++) {
        struct graph_segment *segment = &values->segments[k];
        uint32_t kept = 0;
        if (!count_common(c, segment)) continue;
        for (uint32_t j = 0; j < segment->labels; j++)
            if (!is_common(c, segment, j)) segment->streams[kept++] = segment->streams[j];
        segment->labels = kept;
    }
}

/* ---- sets ---- */

static bool is_dropped(const struct common *c, uint32_t home, uint32_t pin)
{
    uint64_t low = c->need_first[home], high = c->need_first[home + 1];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (c->needs[middle].reader < pin)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->need_first[home + 1] && c->needs[low].reader == pin;
}

/* What such a sum reads goes to where its terms are; other versions do not: the sum itself, say, of which a
 * word is computed that all its terms have in common, and with which it was united. */
static bool is_apart(const struct common *c, uint32_t set, uint32_t home)
{
    const parcast_values *values = c->values;
    if (c->kind[home] != ALWAYS || c->need_first[home] == c->need_first[home + 1]) return false;
    for (uint64_t i = values->set_first[set]; i < values->set_first[set + 1]; i++)
        if (values->pins[i] != home && is_dropped(c, home, values->pins[i] | GRAPH_FOLD))
            return true; /* it may read the home besides */
    return false;
}

static void end_set(struct common *c, uint64_t n_nets)
{
    c->n_sets++;
    c->set_first[c->n_sets] = (uint32_t)c->n_pins;
    c->net_first[c->n_sets] = c->net_first[c->n_sets - 1] + (uint32_t)n_nets;
}

/* What stays together. */
static void keep_set(struct common *c, uint32_t set)
{
    const parcast_values *values = c->values;
    uint64_t n = 0, first = values->set_first[set], n_pins = values->set_first[set + 1] - first;
    for (uint64_t i = values->net_first[set]; i < values->net_first[set + 1]; i++)
        if (!is_apart(c, set, values->nets[i].home)) c->nets[c->net_first[c->n_sets] + n++] = values->nets[i];
    if (!n) return;
    memcpy(c->pins + c->n_pins, values->pins + first, n_pins * sizeof *c->pins);
    c->n_pins += n_pins;
    end_set(c, n);
}

/* Pins by vertex, the plain one of two first. */
static uint32_t sort_pins(uint32_t *pins, uint32_t n, uint32_t home)
{
    uint32_t m = 0;
    for (uint32_t i = 0; i < n; i++) pins[i] = pins[i] << 1 | pins[i] >> 31;
    graph_sort_pins(pins, n);
    for (uint32_t i = 0; i < n; i++)
        if (pins[i] >> 1 != home && (!m || pins[i] >> 1 != pins[m - 1] >> 1)) pins[m++] = pins[i];
    for (uint32_t i = 0; i < m; i++) pins[i] = pins[i] >> 1 | pins[i] << 31;
    return m;
}

/* The readers of one home that are no sums, those sums of which it is a label still, and the words that its
 * terms go through. */
static void part_net(struct common *c, uint32_t set, const struct graph_net *net)
{
    const parcast_values *values = c->values;
    uint32_t *pins = c->pins + c->n_pins, n = 0;
    for (uint64_t i = values->set_first[set]; i < values->set_first[set + 1]; i++)
        if (!(values->pins[i] & GRAPH_FOLD) || !is_dropped(c, net->home, values->pins[i]))
            pins[n++] = values->pins[i];
    for (uint64_t i = c->need_first[net->home]; i < c->need_first[net->home + 1]; i++)
        if (!(c->needs[i].reader & GRAPH_FOLD)) pins[n++] = c->needs[i].reader;
    n = sort_pins(pins, n, net->home);
    if (!n) return;
    c->n_pins += n;
    c->nets[c->net_first[c->n_sets]] = *net;
    end_set(c, 1);
}

static void make_sets(struct common *c)
{
    const parcast_values *values = c->values;
    for (uint32_t set = 0; set < values->n_sets; set++) {
        keep_set(c, set);
        for (uint64_t i = values->net_first[set]; i < values->net_first[set + 1]; i++)
            if (is_apart(c, set, values->nets[i].home)) part_net(c, set, &values->nets[i]);
    }
}

/* Room for what make_sets() makes; false where that would be far more than there is. */
static bool make_room(struct common *c, parcast_status *status)
{
    const parcast_values *values = c->values;
    uint64_t n_pins = values->set_first[values->n_sets], n_nets = values->net_first[values->n_sets];
    uint64_t n_sets = values->n_sets, pins = n_pins;
    for (uint32_t set = 0; set < values->n_sets; set++)
        for (uint64_t i = values->net_first[set]; i < values->net_first[set + 1]; i++) {
            uint32_t home = values->nets[i].home;
            if (!is_apart(c, set, home)) continue;
            pins += values->set_first[set + 1] - values->set_first[set] + c->need_first[home + 1] -
                    c->need_first[home];
            n_sets++;
        }
    if (pins > c->most || n_sets >= GRAPH_NONE) return false;
    c->pins = malloc((pins + 1) * sizeof *c->pins);
    c->set_first = calloc(n_sets + 2, sizeof *c->set_first);
    c->net_first = calloc(n_sets + 2, sizeof *c->net_first);
    c->nets = malloc((n_nets + 1) * sizeof *c->nets);
    if (!c->pins || !c->set_first || !c->net_first || !c->nets) *status = PARCAST_MEMORY;
    return !*status;
}

static void take(struct common *c)
{
    parcast_values *values = c->values;
    free(values->pins);
    free(values->set_first);
    free(values->net_first);
    free(values->nets);
    values->pins = c->pins;
    values->set_first = c->set_first;
    values->net_first = c->net_first;
    values->nets = c->nets;
    values->n_sets = c->n_sets;
    c->pins = NULL;
    c->set_first = c->net_first = NULL;
    c->nets = NULL;
}

static void clear(struct common *c)
{
    free(c->kind);
    free(c->is_same);
    free(c->looked_at);
    free(c->always_in);
    free(c->needs);
    free(c->need_first);
    free(c->pins);
    free(c->set_first);
    free(c->net_first);
    free(c->nets);
}

parcast_status build_common(parcast_values *values)
{
    struct common c = {.values = values, .most = MOST_PINS};
    parcast_status status = PARCAST_OK;
    if (!values->n_streams) return status;
    c.most += (uint64_t)MOST_MORE * values->set_first[values->n_sets];
    if (c.most > UINT32_MAX) c.most = UINT32_MAX;
    c.kind = calloc((size_t)values->n_vertices + 1, sizeof *c.kind);
    c.need_first = calloc((size_t)values->n_vertices + 2, sizeof *c.need_first);
    c.is_same = calloc((size_t)values->n_streams + 1, sizeof *c.is_same);
    c.looked_at = malloc(((size_t)values->n_streams + 1) * sizeof *c.looked_at);
    c.always_in = malloc(((size_t)values->n_vertices + 1) * sizeof *c.always_in);
    if (!c.kind || !c.need_first || !c.is_same || !c.looked_at || !c.always_in) {
        status = PARCAST_MEMORY;
    } else if (find_kinds(&c) && find_needs(&c, &status) && make_room(&c, &status)) {
        make_sets(&c);
        take(&c);
        drop_labels(&c);
    }
    clear(&c);
    return status;
}
