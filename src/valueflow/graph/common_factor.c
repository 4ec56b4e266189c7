/*
 * What all terms of a sum have in common: the weight of a weighted sum, the mean in a variance. It says
 * nothing about where a term is evaluated: that is where the rest of the term lies, and there the common
 * value has to be. So it is no label of the terms, and its readers are the words that the terms go through.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/build.h"
#include "valueflow/graph/common_kinds.h"

enum { FEW_WORDS = 32 };
enum { MOST_MORE = 4, MOST_PINS = 1 << 20 }; /* that there may be: so many for each now, and so many */

/* A word that a common value has to be sent to; or, with GRAPH_FOLD, a sum that does not read it any more. */
struct need {
    uint32_t home, reader;
};

struct common {
    parcast_values *values;
    struct common_kinds kinds;
    struct need *needs;   /* by home */
    uint64_t *need_first; /* [n_vertices + 1] */
    uint64_t n_needs, capacity, most;
    uint32_t *pins; /* of the new sets */
    uint64_t n_pins;
    uint32_t *set_first, *net_first; /* likewise */
    struct graph_net *nets;
    uint32_t n_sets;
};

static uint32_t home_at(const struct common *c, const struct graph_segment *segment, uint32_t label,
                        uint32_t term)
{
    return homes_of(c->values, segment->streams[label])[term];
}

static bool is_common(const struct common *c, const struct graph_segment *segment, uint32_t label,
                      uint32_t term)
{
    return period_is_same(c->kinds.period[segment->streams[label]], term) &&
           c->kinds.kind[home_at(c, segment, label, term)] == ALWAYS;
}

/* So many terms tell all of them. */
static uint32_t terms_that_tell(const struct common *c, const struct graph_segment *segment)
{
    uint32_t n = 1;
    for (uint32_t j = 0; j < segment->labels; j++)
        if (c->kinds.period[segment->streams[j]].n > 1) n = PERIOD_ALL;
    return n < segment->n_terms ? n : segment->n_terms;
}

/* Of a term of which all is common nothing tells where it is evaluated. So it is where terms have different
 * numbers of labels that are. */
static uint32_t count_common(const struct common *c, const struct graph_segment *segment)
{
    uint32_t all = 0, n_terms = terms_that_tell(c, segment);
    for (uint32_t i = 0; i < n_terms; i++) {
        uint32_t n = 0;
        for (uint32_t j = 0; j < segment->labels; j++) n += is_common(c, segment, j, i);
        if (n == segment->labels || (i && n != all)) return 0;
        all = n;
    }
    return all;
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
    uint32_t n = count_common(c, segment), n_terms = terms_that_tell(c, segment);
    for (uint32_t i = 0; i < n_terms; i++)
        for (uint32_t j = 0; j < segment->labels; j++) {
            uint32_t home = home_at(c, segment, j, i);
            if (!is_common(c, segment, j, i)) continue;
            if (!add_need(c, home, sum | GRAPH_FOLD) || (!n && !add_need(c, home, sum))) return false;
        }
    for (uint32_t i = 0; n && i < segment->n_terms; i++) {
        uint32_t own = 0;
        while (is_common(c, segment, own, i)) own++;
        for (uint32_t j = 0; j < segment->labels; j++)
            if (is_common(c, segment, j, i) &&
                !add_need(c, home_at(c, segment, j, i), home_at(c, segment, own, i)))
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
        c->kinds.kind[c->needs[i].home] = VARIES;
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

/* The labels that are left, where these are other ones from term to term: streams of their own. */
static void keep_in_new_streams(struct common *c, struct graph_segment *segment, uint32_t kept)
{
    parcast_values *values = c->values;
    uint32_t first = values->n_streams;
    for (uint32_t k = 0; k < kept; k++) {
        uint64_t at = values->stream_first[values->n_streams++];
        values->stream_first[values->n_streams] = at + segment->n_terms;
    }
    for (uint32_t i = 0; i < segment->n_terms; i++) {
        uint32_t k = 0;
        for (uint32_t j = 0; j < segment->labels; j++)
            if (!is_common(c, segment, j, i))
                values->stream_homes[values->stream_first[first + k++] + i] = home_at(c, segment, j, i);
    }
    for (uint32_t k = 0; k < kept; k++) segment->streams[k] = first + k;
}

static void drop_labels(struct common *c)
{
    parcast_values *values = c->values;
    for (uint32_t k = 1; k < values->n_segments; k++) {
        struct graph_segment *segment = &values->segments[k];
        uint32_t n = count_common(c, segment), kept = 0;
        if (!n) continue;
        if (terms_that_tell(c, segment) > 1) {
            kept = segment->labels - n;
            keep_in_new_streams(c, segment, kept);
        } else {
            for (uint32_t j = 0; j < segment->labels; j++)
                if (!is_common(c, segment, j, 0)) segment->streams[kept++] = segment->streams[j];
        }
        segment->labels = kept;
    }
}

/* Room for these; false without memory. */
static bool make_stream_room(struct common *c)
{
    parcast_values *values = c->values;
    uint64_t n_streams = values->n_streams, n_homes = values->stream_first[values->n_streams];
    for (uint32_t k = 1; k < values->n_segments; k++) {
        const struct graph_segment *segment = &values->segments[k];
        uint32_t n = terms_that_tell(c, segment) > 1 ? count_common(c, segment) : 0;
        n_streams += n ? segment->labels - n : 0;
        n_homes += n ? (uint64_t)segment->n_terms * (segment->labels - n) : 0;
    }
    if (n_streams == values->n_streams) return true;
    uint64_t *first = realloc(values->stream_first, (n_streams + 1) * sizeof *first);
    if (first) values->stream_first = first;
    uint32_t *homes = first ? realloc(values->stream_homes, (n_homes + 1) * sizeof *homes) : NULL;
    if (homes) values->stream_homes = homes;
    return homes;
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
    if (c->kinds.kind[home] != ALWAYS || c->need_first[home] == c->need_first[home + 1]) return false;
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
    common_kinds_clear(&c->kinds);
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
    c.need_first = calloc((size_t)values->n_vertices + 2, sizeof *c.need_first);
    bool any = false;
    status = c.need_first ? common_kinds_find(values, &c.kinds, &any) : PARCAST_MEMORY;
    if (!status && any && find_needs(&c, &status) && make_room(&c, &status)) {
        if (make_stream_room(&c)) {
            make_sets(&c);
            take(&c);
            drop_labels(&c);
        } else {
            status = PARCAST_MEMORY;
        }
    }
    clear(&c);
    return status;
}
