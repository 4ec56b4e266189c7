#include "valueflow/search/contract.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/incidence.h"
#include "valueflow/graph/once.h"
#include "valueflow/graph/pin_sets.h"

/* Of a graph that is only near: sums of fewer terms read values, and so do all of one size where they are
 * more. */
enum { FEW_TERMS = 64, MOST_LONG = 4096 };

struct contracting {
    const parcast_values *from;
    parcast_values *to;
    const uint32_t *group;
    uint32_t *vertex;
    bool *alone;            /* [n_vertices] sums with terms elsewhere */
    uint64_t *stamp, now;   /* [vertices of the small graph] */
    uint32_t *pins;         /* of the set at hand */
    struct pin_sets sets;   /* of the small graph */
    struct graph_net *nets; /* in the order of the large graph, `set` beside them */
    uint32_t *net_set;
    uint64_t n_nets, net_capacity;
    uint64_t n_read, n_met; /* as in the contraction */
};

/* ---- vertices ---- */

/* Has every term of the chain a label in the vertex's own group? */
static bool is_local(const struct contracting *c, const struct graph_chain *chain)
{
    const parcast_values *values = c->from;
    uint32_t own = c->group[chain->vertex];
    for (uint32_t key = chain->key; key; key = values->segments[key].before) {
        const struct graph_segment *s = &values->segments[key];
        for (uint32_t i = 0; i < s->n_terms && s->labels; i++) {
            bool any = false;
            for (uint32_t j = 0; j < s->labels && !any; j++)
                any = c->group[values->stream_homes[values->stream_first[s->streams[j]] + i]] == own;
            if (!any) return false;
        }
    }
    return true;
}

static void find_alone(struct contracting *c)
{
    const parcast_values *values = c->from;
    for (size_t i = 0; i < values->n_chains; i++) {
        const struct graph_chain *chain = &values->chains[i];
        if (!c->alone[chain->vertex] && !is_local(c, chain)) c->alone[chain->vertex] = true;
    }
}

/* log2 of the terms of a vertex's largest sum */
static void measure_sums(const parcast_values *values, unsigned char *size)
{
    for (size_t i = 0; i < values->n_chains; i++) {
        uint64_t n = 0;
        unsigned char bits = 0;
        for (uint32_t key = values->chains[i].key; key; key = values->segments[key].before)
            n += values->segments[key].n_terms;
        while (n >>= 1) bits++;
        if (bits > size[values->chains[i].vertex]) size[values->chains[i].vertex] = bits;
    }
}

/* Only the longest stay alone. */
static bool keep_long(struct contracting *c)
{
    uint32_t n = c->from->n_vertices, least = 64;
    uint64_t of_size[64] = {0}, kept = 0;
    unsigned char *size = calloc((size_t)n + 1, sizeof *size);
    if (!size) return false;
    measure_sums(c->from, size);
    for (uint32_t v = 0; v < n; v++) of_size[size[v]] += c->alone[v];
    while ((UINT64_C(1) << (least - 1)) >= FEW_TERMS && kept + of_size[least - 1] <= MOST_LONG)
        kept += of_size[--least];
    for (uint32_t v = 0; v < n; v++) c->alone[v] = c->alone[v] && size[v] >= least;
    free(size);
    return true;
}

/* Groups by number and then by the size of their words, then what is alone; only those that have vertices. */
static bool number_vertices(struct contracting *c, uint32_t n_groups, uint32_t most)
{
    const parcast_values *from = c->from;
    uint32_t n = 0, *number = calloc((size_t)n_groups * 2 + 1, sizeof *number);
    if (!number) return false;
    c->to->n_vertices = most + 1;
    for (uint32_t v = 0; v < from->n_vertices && n <= most; v++) {
        uint32_t *own = &number[c->group[v] * (size_t)2 + (from->vertices[v].bytes == 4)];
        if (c->alone[v]) {
            c->vertex[v] = n++;
            continue;
        }
        if (!*own) *own = ++n;
        c->vertex[v] = *own - 1;
    }
    free(number);
    c->to->n_vertices = n;
    return true;
}

static bool make_vertices(struct contracting *c)
{
    const parcast_values *from = c->from;
    struct graph_vertex *vertices = calloc((size_t)c->to->n_vertices + 1, sizeof *vertices);
    double *work = calloc((size_t)c->to->n_vertices + 1, sizeof *work);
    c->to->vertices = vertices;
    if (!vertices || !work) {
        free(work);
        return false;
    }
    for (uint32_t v = from->n_vertices; v-- > 0;) {
        uint32_t to = c->vertex[v];
        const struct graph_vertex *own = &from->vertices[v];
        bool better = !from->arrays[own->array].is_result || !vertices[to].bytes;
        if (better) vertices[to] = *own;
        if (!c->alone[v])
            vertices[to].is_chosen = false; /* all terms are in its block: a reader like others */
        work[to] += own->work;
    }
    c->to->has_chosen = from->has_chosen;
    for (uint32_t v = 0; v < c->to->n_vertices; v++) vertices[v].work = (float)work[v];
    free(work);
    return true;
}

/* ---- sets and nets ---- */

/* The pins of a set in the small graph, each once. */
static uint32_t collect(struct contracting *c, uint32_t set)
{
    const parcast_values *from = c->from;
    uint32_t n = 0, last = GRAPH_NONE;
    c->now++;
    for (uint64_t i = from->set_first[set]; i < from->set_first[set + 1]; i++) {
        uint32_t v = from->pins[i] & ~GRAPH_FOLD, to = c->vertex[v];
        if (to == last || c->stamp[to] == c->now) continue;
        last = to;
        c->stamp[to] = c->now;
        c->pins[n++] = to | (c->alone[v] ? from->pins[i] & GRAPH_FOLD : 0);
    }
    graph_sort_pins(c->pins, n);
    return n;
}

static bool grow(void **array, uint64_t *capacity, uint64_t wanted, size_t size)
{
    if (wanted <= *capacity && *array) return true;
    uint64_t more = 2 * wanted + 1024;
    void *larger = realloc(*array, more * size);
    if (!larger) return false;
    *array = larger;
    *capacity = more;
    return true;
}

static bool add_net(struct contracting *c, uint32_t set, struct graph_net net)
{
    uint64_t capacity = c->net_capacity;
    if (!grow((void **)&c->nets, &capacity, c->n_nets + 1, sizeof *c->nets) ||
        !grow((void **)&c->net_set, &c->net_capacity, c->n_nets + 1, sizeof *c->net_set))
        return false;
    c->nets[c->n_nets] = net;
    c->net_set[c->n_nets++] = set;
    return true;
}

/* Nets whose readers lie with their home cost nothing; those of sums tell their versions. */
static bool take_set(struct contracting *c, uint32_t set)
{
    const parcast_values *from = c->from;
    uint64_t n_pins = from->set_first[set + 1] - from->set_first[set];
    uint32_t n = collect(c, set), number = GRAPH_NONE;
    for (uint64_t i = from->net_first[set]; i < from->net_first[set + 1]; i++) {
        struct graph_net net = from->nets[i];
        bool alone = c->alone[net.home];
        net.home = c->vertex[net.home];
        if (!alone && (!n || (n == 1 && c->pins[0] == net.home))) continue;
        if (number == GRAPH_NONE && !pin_sets_intern(&c->sets, c->to, c->pins, n, &number)) return false;
        uint64_t last = c->n_nets - 1;
        if (c->n_nets && c->net_set[last] == number && c->nets[last].home == net.home &&
            c->nets[last].count <= UINT32_MAX - net.count)
            c->nets[last].count += net.count;
        else if (!add_net(c, number, net))
            return false;
    }
    if (number != GRAPH_NONE && n_pins > 1) {
        c->n_read += n_pins;
        c->n_met += n;
    }
    return true;
}

static void forget_nets(struct contracting *c)
{
    free(c->nets);
    free(c->net_set);
    c->nets = NULL;
    c->net_set = NULL;
}

static bool sort_nets(struct contracting *c)
{
    parcast_values *to = c->to;
    to->net_first = calloc((size_t)to->n_sets + 2, sizeof *to->net_first);
    to->nets = malloc((c->n_nets + 1) * sizeof *to->nets);
    if (!to->net_first || !to->nets) return false;
    for (uint64_t i = 0; i < c->n_nets; i++) to->net_first[c->net_set[i] + 1]++;
    for (uint32_t s = 0; s < to->n_sets; s++) to->net_first[s + 1] += to->net_first[s];
    for (uint64_t i = 0; i < c->n_nets; i++) to->nets[to->net_first[c->net_set[i]]++] = c->nets[i];
    for (uint32_t s = to->n_sets; s > 0; s--) to->net_first[s] = to->net_first[s - 1];
    to->net_first[0] = 0;
    forget_nets(c);
    graph_merge_nets(to);
    return true;
}

static bool make_sets(struct contracting *c)
{
    const parcast_values *from = c->from;
    uint64_t most = 1;
    for (uint32_t s = 0; s < from->n_sets; s++)
        if (from->set_first[s + 1] - from->set_first[s] > most)
            most = from->set_first[s + 1] - from->set_first[s];
    c->pins = malloc(most * sizeof *c->pins);
    c->stamp = calloc((size_t)c->to->n_vertices + 1, sizeof *c->stamp);
    if (!c->pins || !c->stamp) return false;
    for (uint32_t s = 0; s < from->n_sets; s++)
        if (!take_set(c, s)) return false;
    if (c->to->n_sets) pin_sets_end(&c->sets, c->to);
    return sort_nets(c);
}

/* ---- sums ---- */

/* Segments of the sums that are kept, which may begin alike, and their streams: 1 in `kept`. */
static void mark_kept(const struct contracting *c, bool *segment, bool *stream)
{
    const parcast_values *from = c->from;
    for (size_t i = 0; i < from->n_chains; i++) {
        uint32_t key = c->alone[from->chains[i].vertex] ? from->chains[i].key : 0;
        for (; key && !segment[key]; key = from->segments[key].before) {
            segment[key] = true;
            for (uint32_t j = 0; j < from->segments[key].labels; j++)
                stream[from->segments[key].streams[j]] = true;
        }
    }
}

/* Numbers are those of the large graph; what is not kept has no homes. */
static bool copy_streams(struct contracting *c, const bool *stream)
{
    const parcast_values *from = c->from;
    parcast_values *to = c->to;
    uint64_t n = 0;
    for (uint32_t i = 0; i < from->n_streams; i++)
        n += stream[i] ? from->stream_first[i + 1] - from->stream_first[i] : 0;
    to->stream_first = malloc(((size_t)from->n_streams + 1) * sizeof *to->stream_first);
    to->stream_homes = malloc((n + 1) * sizeof *to->stream_homes);
    if (!to->stream_first || !to->stream_homes) return false;
    n = 0;
    for (uint32_t i = 0; i < from->n_streams; i++) {
        to->stream_first[i] = n;
        for (uint64_t j = from->stream_first[i]; stream[i] && j < from->stream_first[i + 1]; j++)
            to->stream_homes[n++] = c->vertex[from->stream_homes[j]];
    }
    to->stream_first[from->n_streams] = n;
    to->n_streams = from->n_streams;
    return true;
}

/* Those that are not kept have no terms. */
static bool copy_segments(struct contracting *c, const bool *segment)
{
    const parcast_values *from = c->from;
    parcast_values *to = c->to;
    to->segments = calloc((size_t)from->n_segments + 1, sizeof *to->segments);
    if (!to->segments) return false;
    to->n_segments = from->n_segments;
    for (uint32_t i = 0; i < from->n_segments; i++)
        if (segment[i]) to->segments[i] = from->segments[i];
    return true;
}

/* Their terms stay what they are; homes get their new numbers. */
static bool make_sums(struct contracting *c)
{
    const parcast_values *from = c->from;
    parcast_values *to = c->to;
    to->chains = malloc((from->n_chains + 1) * sizeof *to->chains);
    if (!to->chains) return false;
    for (size_t i = 0; i < from->n_chains; i++) {
        struct graph_chain chain = from->chains[i];
        if (!c->alone[chain.vertex]) continue;
        chain.vertex = c->vertex[chain.vertex];
        to->chains[to->n_chains++] = chain;
    }
    if (!to->n_chains) return true;
    bool *segment = calloc((size_t)from->n_segments + 1, sizeof *segment);
    bool *stream = calloc((size_t)from->n_streams + 1, sizeof *stream);
    bool fine = segment && stream;
    if (fine) mark_kept(c, segment, stream);
    fine = fine && copy_segments(c, segment) && copy_streams(c, stream);
    free(segment);
    free(stream);
    return fine;
}

parcast_status contract_fits(const parcast_values *values, const uint32_t *group, uint32_t n_groups,
                             uint32_t most, bool *fits)
{
    parcast_values to = {0};
    struct contracting c = {.from = values, .group = group, .to = &to};
    c.alone = calloc((size_t)values->n_vertices + 1, sizeof *c.alone);
    c.vertex = malloc(((size_t)values->n_vertices + 1) * sizeof *c.vertex);
    bool made = c.alone && c.vertex;
    if (made) find_alone(&c);
    made = made && number_vertices(&c, n_groups, most);
    *fits = made && to.n_vertices <= most;
    free(c.alone);
    free(c.vertex);
    return made ? PARCAST_OK : PARCAST_MEMORY;
}

static bool make(struct contracting *c, uint32_t n_groups, uint32_t most, bool near, bool *made)
{
    parcast_values *to = c->to;
    c->alone = calloc((size_t)c->from->n_vertices + 1, sizeof *c->alone);
    c->vertex = malloc(((size_t)c->from->n_vertices + 1) * sizeof *c->vertex);
    if (!c->alone || !c->vertex) return false;
    find_alone(c);
    if (near && !keep_long(c)) return false;
    if (!number_vertices(c, n_groups, most)) return false;
    *made = to->n_vertices <= most;
    if (!*made) return true;
    to->arrays = c->from->arrays;
    to->n_arrays = c->from->n_arrays;
    to->work = c->from->work;
    to->at = calloc(1, sizeof *to->at);
    to->once = calloc(1, sizeof *to->once);
    return to->at && to->once && make_vertices(c) && make_sets(c) && make_sums(c) &&
           (!to->n_sets || incidence_make(to, to->at) == PARCAST_OK);
}

parcast_status contract(const parcast_values *values, const uint32_t *group, uint32_t n_groups, uint32_t most,
                        bool near, struct contraction *contraction, bool *made)
{
    struct contracting c = {.from = values, .group = group, .to = calloc(1, sizeof *c.to)};
    *made = false;
    bool fine = c.to && make(&c, n_groups, most, near, made);
    free(c.alone);
    free(c.stamp);
    free(c.pins);
    pin_sets_clear(&c.sets);
    forget_nets(&c);
    *contraction = (struct contraction){c.to, c.vertex, c.n_read, c.n_met};
    if (!fine || !*made || !c.to->n_sets) {
        *made = false;
        contraction_clear(contraction);
    }
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}

void contraction_clear(struct contraction *contraction)
{
    if (contraction->values) {
        contraction->values->arrays = NULL;
        contraction->values->n_arrays = 0;
    }
    parcast_values_destroy(&contraction->values);
    free(contraction->vertex);
    *contraction = (struct contraction){0};
}
