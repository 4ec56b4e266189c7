/*
 * Vertices with work, the inputs that several of them read, and the edges from homes to readers; other inputs
 * follow afterwards. Hubs are not shown, which every distribution cuts, nor readers whose sources change from
 * step to step: a cluster of k-means or a bin of a histogram is not known before the run.
 */
#include "valueflow/distribution/shown.h"

#include <stdlib.h>
#include <string.h>

enum { PATH = 64, VOLATILE_CHAINS = 3, DEEPEST = 16, MUCH = 16 };
static const double MOST_WEIGHT = 2e8;
static const uint32_t SEVERAL = GRAPH_NONE - 1;

struct edge {
    idx_t a, b, weight;
};

struct view {
    const parcast_values *values;
    struct shown *shown;
    size_t n_parts;
    uint32_t hub;
    struct edge *edges;
    size_t n_edges, capacity;
    bool *changing; /* readers whose sources change */
    uint32_t *degree;
    double scale; /* of the weights of edges, so that their sum fits */
    parcast_status status;
};

static void add_edge(struct view *p, uint32_t u, uint32_t v, uint32_t count)
{
    idx_t a = p->shown->number[u] - 1, b = p->shown->number[v] - 1;
    if (a < 0 || b < 0 || a == b || p->shown->is_too_large || p->status) return;
    if (p->n_edges + 2 > p->capacity) {
        size_t wanted = p->capacity ? 2 * p->capacity : 1 << 16;
        p->shown->is_too_large = wanted >= (size_t)INT32_MAX / 2;
        struct edge *more = p->shown->is_too_large ? NULL : realloc(p->edges, wanted * sizeof *more);
        if (!more) {
            if (!p->shown->is_too_large) p->status = PARCAST_MEMORY;
            return;
        }
        p->edges = more;
        p->capacity = wanted;
    }
    idx_t weight = 1 + (idx_t)(count * p->scale);
    p->edges[p->n_edges++] = (struct edge){a, b, weight};
    p->edges[p->n_edges++] = (struct edge){b, a, weight};
}

/* Where they have most of the work, as the words of a mesh that are relaxed edge by edge, what is left tells
 * nothing. */
static void find_changing(struct view *p)
{
    const parcast_values *values = p->values;
    double hidden = 0;
    for (size_t i = 0, n = 0; i < values->n_chains; i++) {
        n = i && values->chains[i].vertex == values->chains[i - 1].vertex ? n + 1 : 1;
        if (n != VOLATILE_CHAINS) continue;
        p->changing[values->chains[i].vertex] = true;
        hidden += values->vertices[values->chains[i].vertex].work;
    }
    if (2 * hidden > values->work) memset(p->changing, 0, values->n_vertices * sizeof *p->changing);
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (values->vertices[v].is_chosen) p->changing[v] = true;
}

static bool is_shown(const struct view *p, uint32_t v)
{
    return p->values->vertices[v].work > 0 && p->degree[v] <= p->hub && !p->changing[v];
}

static void note_reader(uint32_t *reader, uint32_t v)
{
    if (*reader != v) *reader = *reader == GRAPH_NONE ? v : SEVERAL;
}

/* reader[v]: who alone reads v, GRAPH_NONE, or SEVERAL. */
static void find_readers(const parcast_values *values, uint32_t *reader)
{
    for (uint32_t v = 0; v < values->n_vertices; v++) reader[v] = GRAPH_NONE;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint32_t one = GRAPH_NONE;
        for (uint64_t i = values->set_first[s]; i < values->set_first[s + 1]; i++)
            note_reader(&one, values->pins[i] & ~GRAPH_FOLD);
        for (uint64_t j = values->net_first[s]; one != GRAPH_NONE && j < values->net_first[s + 1]; j++)
            note_reader(&reader[values->nets[j].home], one);
    }
}

static bool belongs_to_reader(const struct view *p, const uint32_t *reader, uint32_t v)
{
    const parcast_values *values = p->values;
    return is_shown(p, v) && values->arrays[values->vertices[v].array].is_result && reader[v] < SEVERAL &&
           is_shown(p, reader[v]);
}

/* Where such values are more than a share of 1 / MUCH of a part's work they may be added up on several. */
static void leave_much(const struct view *p, uint32_t *reader, double *work)
{
    uint32_t n = p->values->n_vertices;
    double most = p->values->work / (double)p->n_parts / MUCH;
    for (uint32_t v = 0; v < n; v++)
        if (belongs_to_reader(p, reader, v)) work[reader[v]] += p->values->vertices[v].work;
    for (uint32_t v = 0; v < n; v++)
        if (reader[v] < SEVERAL && work[reader[v]] > most) reader[v] = SEVERAL;
}

/* What only one word reads, as the second of two sums of a row, is of one vertex with it: METIS would divide
 * work between them. */
static void number_shown(struct view *p, const uint32_t *reader)
{
    uint32_t n = p->values->n_vertices;
    for (uint32_t v = 0; v < n; v++)
        if (is_shown(p, v) && !belongs_to_reader(p, reader, v)) p->shown->number[v] = ++p->shown->n;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t with = v;
        for (int i = 0; i < DEEPEST && belongs_to_reader(p, reader, with); i++) with = reader[with];
        if (p->shown->number[v] || !is_shown(p, v)) continue;
        p->shown->number[v] = p->shown->number[with] ? p->shown->number[with] : ++p->shown->n;
    }
}

/* An input has no work and belongs to its readers: a path from one to the next would tie those together that
 * have nothing else to do with each other. One that a single vertex reads tells nothing. */
static void show_inputs(struct view *p)
{
    const parcast_values *values = p->values;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t first = values->set_first[s], end = values->set_first[s + 1], shown = 0;
        if (end - first > p->hub) continue;
        for (uint64_t i = first; i < end; i++) shown += p->shown->number[values->pins[i] & ~GRAPH_FOLD] > 0;
        for (uint64_t j = values->net_first[s]; shown > 1 && j < values->net_first[s + 1]; j++) {
            uint32_t home = values->nets[j].home;
            if (!p->shown->number[home] && !p->degree[home] && values->vertices[home].work <= 0)
                p->shown->number[home] = ++p->shown->n;
        }
    }
}

/* The home with its readers; where it is not shown, these one after another. */
static void add_set(struct view *p, uint32_t set)
{
    const parcast_values *values = p->values;
    uint64_t first = values->set_first[set], end = values->set_first[set + 1];
    if (end - first > p->hub) return;
    for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++) {
        uint32_t home = values->nets[j].home;
        bool shown = p->shown->number[home] > 0;
        if (!shown && (j > values->net_first[set] || end - first > PATH)) continue;
        for (uint64_t i = first; i < end; i++) {
            uint32_t pin = values->pins[i] & ~GRAPH_FOLD;
            if (shown)
                add_edge(p, home, pin, values->nets[j].count);
            else if (i > first)
                add_edge(p, values->pins[i - 1] & ~GRAPH_FOLD, pin, values->nets[j].count);
        }
    }
}

/* Edges stand there in both directions, so as many begin at a vertex as end there: from[v + 1] is where those
 * of v are put and so ends. */
static void deal_edges(const struct edge *edges, size_t n_edges, bool by_end, const size_t *first,
                       size_t *from, idx_t n, struct edge *sorted)
{
    for (idx_t v = 0; v < n; v++) from[v] = first[v];
    for (size_t i = 0; i < n_edges; i++) sorted[from[by_end ? edges[i].b : edges[i].a]++] = edges[i];
}

/* By their first end, those of equal ones by the other. */
static bool sort_edges(struct view *p)
{
    size_t n = (size_t)p->shown->n + 1, *first = calloc(n + 1, sizeof *first),
           *from = malloc(n * sizeof *from);
    struct edge *other = malloc((p->n_edges + 1) * sizeof *other);
    bool fine = first && from && other;
    for (size_t i = 0; fine && i < p->n_edges; i++) first[p->edges[i].a + 1]++;
    for (idx_t v = 0; fine && v < p->shown->n; v++) first[v + 1] += first[v];
    if (fine) deal_edges(p->edges, p->n_edges, true, first, from, p->shown->n, other);
    if (fine) deal_edges(other, p->n_edges, false, first, from, p->shown->n, p->edges);
    free(first);
    free(from);
    free(other);
    return fine;
}

static bool is_read_elsewhere(const struct view *p, uint32_t set, idx_t v)
{
    for (uint64_t i = p->values->set_first[set]; i < p->values->set_first[set + 1]; i++)
        if (p->shown->number[p->values->pins[i] & ~GRAPH_FOLD] != v + 1) return true;
    return false;
}

/* How many versions of each vertex others read. */
static void find_sizes(const struct view *p, idx_t *size)
{
    const parcast_values *values = p->values;
    for (uint32_t s = 0; s < values->n_sets; s++)
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++) {
            idx_t v = p->shown->number[values->nets[j].home] - 1;
            if (v >= 0 && size[v] < 1000000 && is_read_elsewhere(p, s, v))
                size[v] += (idx_t)(values->nets[j].count < 1000000 ? values->nets[j].count : 1000000);
        }
}

static bool make_csr(struct view *p, struct shown *g)
{
    g->first = calloc((size_t)p->shown->n + 1, sizeof *g->first);
    g->other = malloc((p->n_edges + 1) * sizeof *g->other);
    g->weight = malloc((p->n_edges + 1) * sizeof *g->weight);
    g->work = calloc((size_t)p->shown->n + 1, sizeof *g->work);
    g->size = calloc((size_t)p->shown->n + 1, sizeof *g->size);
    if (!g->first || !g->other || !g->weight || !g->work || !g->size || !sort_edges(p)) return false;
    idx_t n = 0;
    for (size_t i = 0; i < p->n_edges; i++) {
        if (i && p->edges[i].a == p->edges[i - 1].a && p->edges[i].b == p->edges[i - 1].b) {
            g->weight[n - 1] += p->edges[i].weight;
            continue;
        }
        g->weight[n] = p->edges[i].weight;
        g->other[n++] = p->edges[i].b;
        g->first[p->edges[i].a + 1] = n;
    }
    for (idx_t v = 0; v < p->shown->n; v++)
        if (g->first[v + 1] < g->first[v]) g->first[v + 1] = g->first[v];
    const parcast_values *values = p->values;
    double scale = values->work > 1e8 ? 1e8 / values->work : 1;
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (p->shown->number[v])
            g->work[p->shown->number[v] - 1] +=
                (idx_t)(values->vertices[v].work * scale) + (scale < 1 && values->vertices[v].work > 0);
    find_sizes(p, g->size);
    free(p->edges);
    p->edges = NULL;
    return true;
}

/* Sets with each reader among them. Terms that are results of their own, as those of more than four sources
 * are, may all be of one set, since the sum alone reads them: it is as much of a hub as if it had their
 * sources. */
static void count_degrees(struct view *p)
{
    const parcast_values *values = p->values;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t first = values->set_first[s], end = values->set_first[s + 1];
        for (uint64_t i = first; i < end; i++) p->degree[values->pins[i] & ~GRAPH_FOLD]++;
        for (uint64_t j = values->net_first[s] + 1; end - first == 1 && j < values->net_first[s + 1]; j++)
            p->degree[values->pins[first] & ~GRAPH_FOLD] +=
                values->arrays[values->vertices[values->nets[j].home].array].is_result;
    }
}

static void prepare(struct view *p)
{
    size_t n = (size_t)p->values->n_vertices + 1;
    p->shown->number = calloc(n, sizeof *p->shown->number);
    p->changing = calloc(n, sizeof *p->changing);
    p->degree = calloc(n, sizeof *p->degree);
    uint32_t *reader = malloc(n * sizeof *reader);
    double *work = calloc(n, sizeof *work);
    if (!p->shown->number || !p->changing || !p->degree || !reader || !work) {
        p->status = PARCAST_MEMORY;
        free(reader);
        free(work);
        return;
    }
    find_changing(p);
    count_degrees(p);
    find_readers(p->values, reader);
    leave_much(p, reader, work);
    number_shown(p, reader);
    free(reader);
    free(work);
    show_inputs(p);
    for (uint32_t s = 0; s < p->values->n_sets && !p->shown->is_too_large && !p->status; s++) add_set(p, s);
}

/* What has to do with nothing that is shown, and next to no work, goes where the others say: it tells METIS
 * nothing, but where its random numbers fall. */
static void leave_lonely(struct view *p)
{
    static const double next_to_none = 1e-3;
    const parcast_values *values = p->values;
    idx_t *to = calloc((size_t)p->shown->n + 1, sizeof *to), n = 0;
    double lonely = 0;
    if (!to) {
        p->status = PARCAST_MEMORY;
        return;
    }
    for (size_t i = 0; i < p->n_edges; i++) to[p->edges[i].a] = 1;
    for (uint32_t v = 0; v < values->n_vertices; v++)
        if (p->shown->number[v] && !to[p->shown->number[v] - 1]) lonely += values->vertices[v].work;
    if (lonely <= next_to_none * values->work) {
        for (idx_t i = 0; i < p->shown->n; i++)
            if (to[i]) to[i] = ++n;
        for (uint32_t v = 0; v < values->n_vertices; v++)
            if (p->shown->number[v]) p->shown->number[v] = to[p->shown->number[v] - 1];
        for (size_t i = 0; i < p->n_edges; i++) {
            p->edges[i].a = to[p->edges[i].a] - 1;
            p->edges[i].b = to[p->edges[i].b] - 1;
        }
        p->shown->n = n;
    }
    free(to);
}

/* All pins once are no less than all edges. */
static double scale_of(const parcast_values *values)
{
    double sum = 1;
    for (uint32_t s = 0; s < values->n_sets; s++)
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++)
            sum += values->nets[j].count * (double)(values->set_first[s + 1] - values->set_first[s]);
    return sum > MOST_WEIGHT ? MOST_WEIGHT / sum : 1;
}

parcast_status shown_make(const parcast_values *values, size_t n_parts, uint32_t hub, bool by_cut,
                          struct shown *shown)
{
    struct view view = {.values = values,
                        .shown = shown,
                        .n_parts = n_parts,
                        .hub = hub,
                        .scale = by_cut ? scale_of(values) : 0};
    prepare(&view);
    if (!view.status && !shown->is_too_large) leave_lonely(&view);
    if (!view.status && !shown->is_too_large && !make_csr(&view, shown)) view.status = PARCAST_MEMORY;
    free(view.changing);
    free(view.degree);
    free(view.edges);
    return view.status;
}

bool shown_has_small_hubs(const parcast_values *values)
{
    uint32_t *degree = calloc((size_t)values->n_vertices + 1, sizeof *degree);
    bool has = false;
    if (!degree) return false;
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t n = values->set_first[s + 1] - values->set_first[s];
        has = has || (n > SHOWN_HUB_OF_SMALL && n <= SHOWN_HUB);
        for (uint64_t i = values->set_first[s]; i < values->set_first[s + 1]; i++)
            degree[values->pins[i] & ~GRAPH_FOLD]++;
    }
    for (uint32_t v = 0; !has && v < values->n_vertices; v++)
        has = degree[v] > SHOWN_HUB_OF_SMALL && degree[v] <= SHOWN_HUB;
    free(degree);
    return has;
}

bool shown_can_be_even(const struct shown *shown, size_t n_parts)
{
    double total = 0, most = 0;
    size_t n_working = 0;
    for (idx_t v = 0; v < shown->n; v++) {
        n_working += shown->work[v] > 0;
        total += (double)shown->work[v];
        if ((double)shown->work[v] > most) most = (double)shown->work[v];
    }
    return most * (double)n_parts <= 1.2 * total && n_working >= 4 * n_parts;
}

void shown_clear(struct shown *shown)
{
    free(shown->number);
    free(shown->first);
    free(shown->other);
    free(shown->weight);
    free(shown->work);
    free(shown->size);
    *shown = (struct shown){0};
}
