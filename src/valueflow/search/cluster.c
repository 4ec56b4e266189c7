#include "valueflow/search/cluster.h"

#include <stdlib.h>
#include <string.h>

/* CROWD: sets of more readers tell nothing of where one of them is. FULLEST: vertices of a group, as a
 * multiple of the mean that is wanted. */
enum { CROWD = 64, FULLEST = 2 };

/* Who reads what of whom, both ways; an edge may come several times. */
struct level {
    uint32_t n, *size;        /* vertices of the graph in each */
    uint64_t *first;          /* [n + 1] */
    uint32_t *other, *weight; /* [first[n]] */
};

static void clear_level(struct level *l)
{
    free(l->size);
    free(l->first);
    free(l->other);
    free(l->weight);
    *l = (struct level){0};
}

static bool make_room(struct level *l, uint64_t n_edges)
{
    l->other = malloc((n_edges + 1) * sizeof *l->other);
    l->weight = malloc((n_edges + 1) * sizeof *l->weight);
    return l->other && l->weight;
}

static void add_edge(struct level *l, uint32_t a, uint32_t b, uint32_t weight, bool fill)
{
    if (fill) {
        l->other[l->first[a]] = b;
        l->weight[l->first[a]] = weight;
    }
    l->first[a]++;
}

/* First how many edges each vertex has, then which: first[v] becomes the end of v's. */
static void look_at_sets(const parcast_values *values, struct level *l, bool fill)
{
    for (uint32_t s = 0; s < values->n_sets; s++) {
        uint64_t end = values->set_first[s + 1];
        if (end - values->set_first[s] > CROWD || values->net_first[s + 1] - values->net_first[s] > CROWD)
            continue;
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++)
            for (uint64_t i = values->set_first[s]; i < end; i++) {
                uint32_t home = values->nets[j].home, pin = values->pins[i] & ~GRAPH_FOLD;
                if (pin == home) continue;
                add_edge(l, home, pin, values->nets[j].count, fill);
                add_edge(l, pin, home, values->nets[j].count, fill);
            }
    }
}

static void sum_up(struct level *l)
{
    uint64_t total = 0;
    for (uint32_t v = 0; v <= l->n; v++) {
        uint64_t here = l->first[v];
        l->first[v] = total;
        total += here;
    }
}

static bool make_finest(const parcast_values *values, struct level *l)
{
    *l = (struct level){.n = values->n_vertices};
    l->size = malloc(((size_t)l->n + 1) * sizeof *l->size);
    l->first = calloc((size_t)l->n + 1, sizeof *l->first);
    if (!l->size || !l->first) return false;
    for (uint32_t v = 0; v < l->n; v++) l->size[v] = 1;
    look_at_sets(values, l, false);
    sum_up(l);
    if (!make_room(l, l->first[l->n])) return false;
    look_at_sets(values, l, true);
    for (uint32_t v = l->n; v > 0; v--) l->first[v] = l->first[v - 1];
    l->first[0] = 0;
    return true;
}

/* Weights to neighbours, of which edges may come several times. */
struct tally {
    uint64_t *weight; /* [n] */
    uint32_t *touched, n;
};

static void add_to_tally(struct tally *t, uint32_t v, uint64_t weight)
{
    if (!t->weight[v]) t->touched[t->n++] = v;
    t->weight[v] += weight;
}

/* The free neighbour with most values, per vertex in it so that groups stay alike; GRAPH_NONE. */
static uint32_t find_mate(const struct level *l, uint32_t v, const uint32_t *mate, uint32_t most,
                          struct tally *t)
{
    uint32_t best = GRAPH_NONE;
    double most_weight = 0;
    for (uint64_t i = l->first[v]; i < l->first[v + 1]; i++) {
        uint32_t u = l->other[i];
        if (u != v && mate[u] == GRAPH_NONE && l->size[u] + l->size[v] <= most)
            add_to_tally(t, u, (uint64_t)l->weight[i] + 1);
    }
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t u = t->touched[i];
        double weight = (double)t->weight[u] / l->size[u];
        if (weight > most_weight || (weight >= most_weight && u < best)) {
            most_weight = weight;
            best = u;
        }
        t->weight[u] = 0;
    }
    t->n = 0;
    return best;
}

/* to[v]: the vertex of the next level; returns how many. */
static uint32_t match(const struct level *l, uint32_t most, uint32_t *mate, uint32_t *to, struct tally *t)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < l->n; v++) mate[v] = GRAPH_NONE;
    for (uint32_t v = 0; v < l->n; v++) {
        if (mate[v] != GRAPH_NONE) continue;
        uint32_t u = find_mate(l, v, mate, most, t);
        mate[v] = u == GRAPH_NONE ? v : u;
        if (u != GRAPH_NONE) mate[u] = v;
    }
    for (uint32_t v = 0; v < l->n; v++) to[v] = mate[v] < v ? to[mate[v]] : n++;
    return n;
}

static void append_edges(const struct level *from, uint32_t v, const uint32_t *to, struct tally *t)
{
    for (uint64_t i = from->first[v]; i < from->first[v + 1]; i++)
        if (to[from->other[i]] != to[v]) add_to_tally(t, to[from->other[i]], from->weight[i]);
}

/* Pairs become one, and so do their edges. */
static bool make_next(const struct level *from, const uint32_t *mate, const uint32_t *to, uint32_t n,
                      struct tally *t, struct level *l)
{
    uint64_t n_edges = 0;
    *l = (struct level){.n = n};
    l->size = calloc((size_t)n + 1, sizeof *l->size);
    l->first = calloc((size_t)n + 1, sizeof *l->first);
    if (!l->size || !l->first || !make_room(l, from->first[from->n])) return false;
    for (uint32_t v = 0; v < from->n; v++) {
        l->size[to[v]] += from->size[v];
        if (mate[v] < v) continue;
        append_edges(from, v, to, t);
        if (mate[v] != v) append_edges(from, mate[v], to, t);
        for (uint32_t i = 0; i < t->n; i++, n_edges++) {
            uint64_t weight = t->weight[t->touched[i]];
            l->other[n_edges] = t->touched[i];
            l->weight[n_edges] = weight < UINT32_MAX ? (uint32_t)weight : UINT32_MAX;
            t->weight[t->touched[i]] = 0;
        }
        t->n = 0;
        l->first[to[v] + 1] = n_edges;
    }
    return true;
}

parcast_status graph_cluster(const parcast_values *values, uint32_t n_wanted, uint32_t *group,
                             uint32_t *n_groups)
{
    size_t n = (size_t)values->n_vertices + 1;
    uint32_t most = FULLEST * (values->n_vertices / (n_wanted ? n_wanted : 1) + 1);
    uint32_t *mate = malloc(n * sizeof *mate), *to = malloc(n * sizeof *to);
    struct tally tally = {calloc(n, sizeof *tally.weight), malloc(n * sizeof *tally.touched), 0};
    struct level level = {0}, next = {0};
    bool fine = mate && to && tally.weight && tally.touched && make_finest(values, &level);
    for (uint32_t v = 0; v < values->n_vertices; v++) group[v] = v;
    while (fine && level.n > n_wanted) {
        uint32_t smaller = match(&level, most, mate, to, &tally);
        if (20 * (uint64_t)smaller > 19 * (uint64_t)level.n) break;
        fine = make_next(&level, mate, to, smaller, &tally, &next);
        if (!fine) break;
        for (uint32_t v = 0; v < values->n_vertices; v++) group[v] = to[group[v]];
        clear_level(&level);
        level = next;
        next = (struct level){0};
    }
    *n_groups = level.n;
    clear_level(&level);
    clear_level(&next);
    free(mate);
    free(to);
    free(tally.weight);
    free(tally.touched);
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}
