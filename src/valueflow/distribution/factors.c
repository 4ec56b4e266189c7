/*
 * Where inputs and products lie that one sum alone reads: a matrix's elements in y[i] += a[k] * x[j], or
 * p[k] = a[k] * x[j] that are added up later. Each may go with the rest of its term, so that the part that
 * has this adds up, or with the sum, which then takes the values. One by one none of them saves anything by
 * moving. So values and sums that hang together take whichever are fewer words, as they will when the words
 * are counted (evaluate.c), and the factors go with these.
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/place.h"
#include "valueflow/graph/incidence.h"
#include "valueflow/graph/once.h"

/* Of programs with more terms, matrix products say, none is looked at. What is computed once where the rest
 * of its terms has so many versions is computed seldom; what so many read is everywhere. */
enum { MOST_TERMS = 1 << 22, SELDOM = 2, EVERYWHERE = 64 };

/* A sum and a part that has terms of it. */
struct pair {
    uint32_t vertex, part, group; /* group: union-find */
    uint64_t versions, saved, cost;
};

struct factors {
    const parcast_values *values;
    const struct incidence *at;
    const uint32_t *reader; /* [n_vertices] of a factor: one of its readers; GRAPH_NONE */
    bool *free;             /* [n_vertices] factors that may move, whose readers are in one part */
    uint32_t *part;
    size_t n_parts;
    uint32_t *term_of; /* [n_vertices] a pair that a factor is a term of, + 1 */
    uint32_t *rest;    /* [n_vertices] of a product that is not fixed: where its sources are; GRAPH_NONE */
    bool *silent;      /* [n_vertices] factors that say nothing about where the rest of their terms lies */
    bool *seldom;    /* [n_vertices] factors that are computed seldom, as far as terms have been looked at */
    uint64_t *count; /* [n_vertices] versions that are read */
    struct pair *pairs;
    size_t n_pairs, capacity;
    size_t *first;        /* [n_vertices + 1] into pairs, by vertex */
    uint64_t *versions;   /* [n_parts] of the sum at hand; of the homes of the set at hand */
    bool *mixed;          /* [n_parts] */
    uint64_t *stamp, now; /* [n_parts] parts that need the value anyway */
    uint32_t *pair_of;    /* [n_parts] a pair that would save the transfer there, + 1 */
};

static bool is_factor(const struct factors *f, uint32_t v)
{
    return f->free[v];
}

static bool are_readers_together(const struct factors *f, uint32_t v)
{
    const parcast_values *values = f->values;
    uint32_t part = f->part[f->reader[v]];
    for (uint64_t i = f->at->net_first[v]; i < f->at->net_first[v + 1]; i++) {
        uint32_t set = f->at->net_sets[i];
        for (uint64_t j = values->set_first[set]; j < values->set_first[set + 1]; j++)
            if (f->part[values->pins[j] & ~GRAPH_FOLD] != part) return false;
    }
    return true;
}

static bool find_free(struct factors *f, const bool *fixed)
{
    bool any = false;
    for (uint32_t v = 0; v < f->values->n_vertices; v++) {
        f->free[v] = f->reader[v] != GRAPH_NONE && !fixed[v] && are_readers_together(f, v);
        any = any || f->free[v];
    }
    return any;
}

static bool is_input(const struct factors *f, uint32_t v)
{
    return f->at->set_first[v] == f->at->set_first[v + 1];
}

/* What it is computed from, without inputs of its own, in one part. `any`: is there anything else? */
static uint32_t rest_of(const struct factors *f, uint32_t product, bool *any)
{
    const parcast_values *values = f->values;
    uint32_t part = GRAPH_NONE;
    *any = false;
    for (uint64_t i = f->at->set_first[product]; i < f->at->set_first[product + 1]; i++) {
        uint32_t set = f->at->sets[i] >> 1;
        for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++) {
            uint32_t home = values->nets[j].home;
            if (is_factor(f, home) && f->reader[home] == product) continue;
            *any = true;
            if (part != GRAPH_NONE && f->part[home] != part) return GRAPH_NONE;
            part = f->part[home];
        }
    }
    return part;
}

/* A matrix may be input, or made of what nobody else reads: the numbers of its columns, say. Such a label
 * says nothing about where the rest of its term lies. */
static void find_rest(struct factors *f, uint32_t v)
{
    bool any = false;
    f->rest[v] = is_factor(f, v) && !is_input(f, v) ? rest_of(f, v, &any) : GRAPH_NONE;
    f->silent[v] = is_factor(f, v) && !any;
}

static bool is_silent(const struct factors *f, uint32_t home)
{
    return f->silent[home];
}

static uint32_t label_part(const struct factors *f, uint32_t home)
{
    return f->rest[home] != GRAPH_NONE ? f->rest[home] : f->part[home];
}

static uint32_t home_of(const struct factors *f, const struct graph_segment *segment, uint32_t label,
                        uint32_t term)
{
    return f->values->stream_homes[f->values->stream_first[segment->streams[label]] + term];
}

/* The part of a term but for its factors; GRAPH_NONE: there is nothing else, or it lies in several. */
static uint32_t part_of_term(const struct factors *f, const struct graph_segment *segment, uint32_t term,
                             bool *several)
{
    uint32_t part = GRAPH_NONE;
    *several = false;
    for (uint32_t j = 0; j < segment->labels; j++) {
        uint32_t home = home_of(f, segment, j, term);
        if (is_silent(f, home)) continue;
        uint32_t own = label_part(f, home);
        *several = *several || (part != GRAPH_NONE && own != part);
        part = own;
    }
    return *several ? GRAPH_NONE : part;
}

/* ---- pairs ---- */

static struct pair *pair_at(const struct factors *f, uint32_t vertex, uint32_t part)
{
    for (size_t i = f->first[vertex]; i < f->first[vertex + 1]; i++)
        if (f->pairs[i].part == part) return &f->pairs[i];
    return NULL;
}

static uint32_t group_of(struct factors *f, uint32_t i)
{
    while (f->pairs[i].group != i) i = f->pairs[i].group = f->pairs[f->pairs[i].group].group;
    return i;
}

static void look_at_segment(struct factors *f, const struct graph_segment *segment, bool *has)
{
    for (uint32_t i = 0; i < segment->n_terms; i++) {
        bool several;
        uint32_t part = part_of_term(f, segment, i, &several);
        if (part != GRAPH_NONE) has[part] = true;
        for (uint32_t j = 0; several && j < segment->labels; j++)
            f->mixed[label_part(f, home_of(f, segment, j, i))] = true;
    }
}

static bool add_pairs(struct factors *f, uint32_t vertex)
{
    for (uint32_t q = 0; q < f->n_parts; q++) {
        if (!f->versions[q] || f->mixed[q] || q == f->part[vertex]) continue;
        if (f->n_pairs == f->capacity) {
            size_t wanted = f->capacity ? 2 * f->capacity : 256;
            struct pair *more = realloc(f->pairs, wanted * sizeof *more);
            if (!more) return false;
            f->pairs = more;
            f->capacity = wanted;
        }
        f->pairs[f->n_pairs] = (struct pair){vertex, q, (uint32_t)f->n_pairs, f->versions[q], 0, 0};
        f->n_pairs++;
    }
    return true;
}

static bool look_at_sum(struct factors *f, size_t chain, size_t end, bool *has)
{
    const parcast_values *values = f->values;
    memset(f->versions, 0, f->n_parts * sizeof *f->versions);
    memset(f->mixed, 0, f->n_parts * sizeof *f->mixed);
    for (size_t i = chain; i < end; i++) {
        memset(has, 0, f->n_parts * sizeof *has);
        for (uint32_t key = values->chains[i].key; key; key = values->segments[key].before)
            look_at_segment(f, &values->segments[key], has);
        for (size_t q = 0; q < f->n_parts; q++)
            if (has[q]) f->versions[q] += values->chains[i].count;
    }
    return values->vertices[values->chains[chain].vertex].is_chosen ||
           add_pairs(f, values->chains[chain].vertex);
}

static bool find_pairs(struct factors *f)
{
    const parcast_values *values = f->values;
    bool *has = malloc(f->n_parts * sizeof *has), fine = has;
    uint32_t v = 0;
    for (size_t i = 0, end; fine && i < values->n_chains; i = end) {
        uint32_t vertex = values->chains[i].vertex;
        for (end = i; end < values->n_chains && values->chains[end].vertex == vertex;) end++;
        for (; v <= vertex; v++) f->first[v] = f->n_pairs;
        fine = look_at_sum(f, i, end, has);
    }
    for (; v <= values->n_vertices; v++) f->first[v] = f->n_pairs;
    free(has);
    return fine;
}

static void join(struct factors *f, uint32_t a, uint32_t b)
{
    f->pairs[group_of(f, a)].group = group_of(f, b);
}

/* Versions that have to be sent to the part once a factor is computed there, each for itself. What many read
 * is there anyway. */
static uint64_t cost_of_moving(const struct factors *f, uint32_t factor, uint32_t part)
{
    const parcast_values *values = f->values;
    uint64_t cost = 0;
    for (uint64_t i = f->at->set_first[factor]; i < f->at->set_first[factor + 1]; i++) {
        uint32_t set = f->at->sets[i] >> 1;
        if (values->set_first[set + 1] - values->set_first[set] > EVERYWHERE) continue;
        for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++) {
            uint32_t home = values->nets[j].home;
            bool is_own = is_factor(f, home) && f->reader[home] == factor;
            if (!is_own && f->part[home] != part) cost += values->nets[j].count;
        }
    }
    return cost;
}

/* A factor that sums of several words have lies in one place for all of them. */
static void join_by_term(struct factors *f, const struct graph_segment *segment, uint32_t term, uint32_t sum)
{
    bool several;
    uint32_t part = part_of_term(f, segment, term, &several);
    struct pair *pair = part == GRAPH_NONE ? NULL : pair_at(f, sum, part);
    for (uint32_t j = 0; pair && j < segment->labels; j++) {
        uint32_t home = home_of(f, segment, j, term), own = (uint32_t)(pair - f->pairs);
        if (!is_factor(f, home)) continue;
        if (f->term_of[home])
            join(f, own, f->term_of[home] - 1);
        else if (is_silent(f, home))
            pair->versions += cost_of_moving(f, home, part);
        f->term_of[home] = own + 1;
    }
}

/* ---- values ---- */

/* A product is read through: by the sum that it is a term of. */
static struct pair *pair_of_pin(const struct factors *f, uint32_t pin, uint32_t from, uint32_t *to)
{
    uint32_t v = pin & ~GRAPH_FOLD;
    bool adds = pin & GRAPH_FOLD;
    if (!adds && is_factor(f, v) && f->rest[v] == from) {
        v = f->reader[v];
        adds = true;
    }
    *to = f->part[v];
    return adds ? pair_at(f, v, from) : NULL;
}

static void look_at_pins(struct factors *f, uint32_t set, uint32_t from)
{
    f->now++;
    for (uint64_t i = f->values->set_first[set]; i < f->values->set_first[set + 1]; i++) {
        uint32_t to;
        struct pair *pair = pair_of_pin(f, f->values->pins[i], from, &to);
        if (to == from) continue;
        if (!pair) {
            f->stamp[to] = f->now;
            continue;
        }
        uint32_t own = (uint32_t)(pair - f->pairs);
        if (f->pair_of[to])
            join(f, own, f->pair_of[to] - 1);
        else
            f->pair_of[to] = own + 1;
    }
}

static void look_at_set(struct factors *f, uint32_t set)
{
    const parcast_values *values = f->values;
    memset(f->versions, 0, f->n_parts * sizeof *f->versions);
    for (uint64_t i = values->net_first[set]; i < values->net_first[set + 1]; i++)
        if (!is_factor(f, values->nets[i].home))
            f->versions[f->part[values->nets[i].home]] += values->nets[i].count;
    for (uint32_t a = 0; a < f->n_parts; a++) {
        if (!f->versions[a]) continue;
        look_at_pins(f, set, a);
        for (size_t b = 0; b < f->n_parts; b++) {
            if (f->pair_of[b] && f->stamp[b] != f->now) f->pairs[f->pair_of[b] - 1].saved += f->versions[a];
            f->pair_of[b] = 0;
        }
    }
}

static void sum_up(struct factors *f)
{
    for (uint32_t i = 0; i < f->n_pairs; i++) {
        struct pair *pair = &f->pairs[i], *group = &f->pairs[group_of(f, i)];
        group->cost += pair->versions;
        if (group == pair) continue;
        group->saved += pair->saved;
        pair->saved = 0;
    }
}

/* ---- factors ---- */

/* A matrix is not taken apart for a word: its rows stay with their sums. */
static void settle_term(struct factors *f, const struct graph_segment *segment, uint32_t term, uint32_t sum)
{
    static const double clearly_ratio = 1.05;
    bool several;
    uint32_t part = part_of_term(f, segment, term, &several), to = f->part[sum];
    if (part == GRAPH_NONE) return;
    struct pair *pair = pair_at(f, sum, part);
    if (part != to && !pair) return;
    if (pair) {
        pair = &f->pairs[group_of(f, (uint32_t)(pair - f->pairs))];
        if (pair->saved == pair->cost) return;
        if ((double)pair->saved > clearly_ratio * (double)pair->cost) to = part;
    }
    for (uint32_t j = 0; j < segment->labels; j++) {
        uint32_t home = home_of(f, segment, j, term);
        if (is_silent(f, home) || f->rest[home] != GRAPH_NONE) f->part[home] = to;
    }
}

static void for_terms(struct factors *f, void (*look)(struct factors *f, const struct graph_segment *segment,
                                                      uint32_t term, uint32_t sum))
{
    const parcast_values *values = f->values;
    for (size_t i = 0; i < values->n_chains; i++)
        for (uint32_t key = values->chains[i].key; key; key = values->segments[key].before)
            for (uint32_t j = 0; j < values->segments[key].n_terms; j++)
                look(f, &values->segments[key], j, values->chains[i].vertex);
}

/* Inputs of products go with these. */
static void settle_all(struct factors *f)
{
    for_terms(f, settle_term);
    for (uint32_t v = 0; v < f->values->n_vertices; v++)
        if (is_factor(f, v) && is_factor(f, f->reader[v])) f->part[v] = f->part[f->reader[v]];
}

/* A matrix that is made once and used in every step goes where the vector's words are that it multiplies. */
static void look_at_versions(struct factors *f, const struct graph_segment *segment, uint32_t term,
                             uint32_t sum)
{
    (void)sum;
    uint64_t most = 0;
    for (uint32_t j = 0; j < segment->labels; j++) {
        uint64_t n = f->count[home_of(f, segment, j, term)];
        if (n > most) most = n;
    }
    for (uint32_t j = 0; j < segment->labels; j++) {
        uint32_t home = home_of(f, segment, j, term);
        if (SELDOM * f->count[home] > most) f->seldom[home] = false;
    }
}

static void find_silent(struct factors *f)
{
    uint32_t n = f->values->n_vertices;
    bool any = false;
    for (uint32_t v = 0; v < n; v++) {
        f->seldom[v] = is_factor(f, v) && !is_input(f, v);
        any = any || f->seldom[v];
        for (uint64_t i = f->at->net_first[v]; i < f->at->net_first[v + 1]; i++)
            f->count[v] += f->at->net_counts[i];
    }
    if (any) for_terms(f, look_at_versions);
    for (uint32_t v = 0; v < n; v++) {
        find_rest(f, v);
        if (!f->seldom[v]) continue;
        f->silent[v] = true;
        f->rest[v] = GRAPH_NONE;
    }
}

static bool begin(struct factors *f)
{
    size_t n = (size_t)f->values->n_vertices + 1;
    f->rest = malloc(n * sizeof *f->rest);
    f->silent = malloc(n * sizeof *f->silent);
    f->seldom = malloc(n * sizeof *f->seldom);
    f->count = calloc(n, sizeof *f->count);
    f->first = malloc((n + 1) * sizeof *f->first);
    f->versions = calloc(f->n_parts, sizeof *f->versions);
    f->mixed = calloc(f->n_parts, sizeof *f->mixed);
    f->stamp = calloc(f->n_parts, sizeof *f->stamp);
    f->pair_of = calloc(f->n_parts, sizeof *f->pair_of);
    f->term_of = calloc(n, sizeof *f->term_of);
    if (!f->term_of || !f->rest || !f->silent || !f->seldom || !f->count || !f->first || !f->versions ||
        !f->mixed || !f->stamp || !f->pair_of)
        return false;
    find_silent(f);
    return true;
}

bool graph_place_factors(const parcast_values *values, size_t n_parts, const bool *fixed, uint32_t *part)
{
    bool none = false;
    struct factors f = {.values = values, .at = values->at, .part = part, .n_parts = n_parts};
    f.reader = once_readers(values, &none);
    if (!f.reader || none || terms_count(values) > MOST_TERMS) return f.reader;
    f.free = malloc(((size_t)values->n_vertices + 1) * sizeof *f.free);
    if (!f.free || !find_free(&f, fixed)) {
        bool enough = f.free;
        free(f.free);
        return enough;
    }
    bool fine = begin(&f) && find_pairs(&f);
    if (fine) for_terms(&f, join_by_term);
    for (uint32_t set = 0; fine && set < values->n_sets; set++) look_at_set(&f, set);
    if (fine) {
        sum_up(&f);
        settle_all(&f);
    }
    free(f.free);
    free(f.term_of);
    free(f.rest);
    free(f.silent);
    free(f.seldom);
    free(f.count);
    free(f.pairs);
    free(f.first);
    free(f.versions);
    free(f.mixed);
    free(f.stamp);
    free(f.pair_of);
    return fine;
}
