#include "valueflow/graph/once.h"

#include <pthread.h>
#include <stdlib.h>

#include "valueflow/distribution/unfold_known.h"
#include "valueflow/graph/incidence.h"
#include "valueflow/search/coarse.h"
#include "valueflow/space/boxes.h"
#include "valueflow/space/images.h"
#include "valueflow/space/turned.h"

enum { FEW_READERS = 64 };

static pthread_mutex_t held = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void once_hold(void)
{
    pthread_mutex_lock(&held);
}

void once_release(void)
{
    pthread_mutex_unlock(&held);
}

/* Where each turn adds a product and takes away a value, s += x[i] * y[i] - z[i], there are as many of the
 * one as of the other, and z[i] goes with x[i]: no part has to add up all of them. */
static void find_beside(const parcast_values *values, uint32_t *partner)
{
    for (uint32_t k = 1; k < values->n_segments; k++) {
        const struct graph_segment *s = &values->segments[k], *before = &values->segments[s->before];
        if (s->labels != 1 || !s->before || before->labels < 2 || before->n_terms != s->n_terms) continue;
        const uint32_t *own = values->stream_homes + values->stream_first[s->streams[0]];
        const uint32_t *beside = values->stream_homes + values->stream_first[before->streams[0]];
        for (uint32_t i = 0; i < s->n_terms; i++)
            if (partner[own[i]] == GRAPH_NONE) partner[own[i]] = beside[i];
    }
}

static void find_partners(const parcast_values *values, uint32_t *partner)
{
    for (uint32_t v = 0; v < values->n_vertices; v++) partner[v] = GRAPH_NONE;
    for (uint32_t k = 1; k < values->n_segments; k++) {
        const struct graph_segment *s = &values->segments[k];
        for (uint32_t j = 0; j < s->labels && s->labels > 1; j++) {
            const uint32_t *a = values->stream_homes + values->stream_first[s->streams[j]];
            const uint32_t *b = values->stream_homes + values->stream_first[s->streams[(j + 1) % s->labels]];
            for (uint32_t i = 0; i < s->n_terms; i++)
                if (partner[a[i]] == GRAPH_NONE) partner[a[i]] = b[i];
        }
    }
    find_beside(values, partner);
}

const uint32_t *once_partners(const parcast_values *values)
{
    struct once *once = values->once;
    once_hold();
    if (!once->partner) {
        once->partner = malloc(((size_t)values->n_vertices + 1) * sizeof *once->partner);
        if (once->partner) find_partners(values, once->partner);
    }
    once_release();
    return once->partner;
}

static void count_reads(const parcast_values *values, uint32_t *reads)
{
    for (uint32_t set = 0; set < values->n_sets; set++) {
        uint64_t n = values->net_first[set + 1] - values->net_first[set];
        for (uint64_t i = values->set_first[set]; n && i < values->set_first[set + 1]; i++) {
            uint32_t *m = &reads[values->pins[i] & ~GRAPH_FOLD];
            *m = n < UINT32_MAX - *m ? *m + (uint32_t)n : UINT32_MAX;
        }
    }
}

const uint32_t *once_reads(const parcast_values *values)
{
    struct once *once = values->once;
    once_hold();
    if (!once->reads) {
        once->reads = calloc((size_t)values->n_vertices + 1, sizeof *once->reads);
        if (once->reads) count_reads(values, once->reads);
    }
    once_release();
    return once->reads;
}

static bool has_products(const parcast_values *values)
{
    for (uint32_t i = 1; i < values->n_segments; i++)
        if (values->segments[i].labels > 1) return true;
    return false;
}

/* Of a word that is one term of always the same numbers, the force on a particle that has one neighbour, say,
 * nothing is known: that term is one of a pair. */
static void find_sums_of_one(const parcast_values *values, bool *is_of_one)
{
    for (size_t i = 0, next; i < values->n_chains; i = next) {
        uint32_t v = values->chains[i].vertex;
        bool all = true;
        for (next = i; next < values->n_chains && values->chains[next].vertex == v; next++) {
            const struct graph_segment *s = &values->segments[values->chains[next].key];
            all = all && !s->before && s->n_terms == 1;
        }
        is_of_one[v] = all && next - i > 1;
    }
}

const bool *once_sums_of_one(const parcast_values *values)
{
    struct once *once = values->once;
    once_hold();
    if (!once->is_of_one) {
        once->is_of_one = calloc((size_t)values->n_vertices + 1, sizeof *once->is_of_one);
        if (once->is_of_one) find_sums_of_one(values, once->is_of_one);
    }
    once_release();
    return once->is_of_one;
}

/* Are there pins that add a value up, and two or more that read it, or add one term only? */
static bool is_read_and_added(const parcast_values *values, uint32_t set)
{
    const bool *is_of_one = values->once->is_of_one;
    uint64_t n = values->set_first[set + 1] - values->set_first[set], adding = 0;
    for (uint64_t i = values->set_first[set]; i < values->set_first[set + 1]; i++)
        adding += values->pins[i] & GRAPH_FOLD && !is_of_one[values->pins[i] & ~GRAPH_FOLD];
    return adding && n - adding >= 2;
}

const uint32_t *once_spread(const parcast_values *values, uint32_t *n_spread, uint32_t *n_shared)
{
    struct once *once = values->once;
    once_hold();
    if (!once->spread && once_sums_of_one(values)) {
        once->spread = calloc((size_t)values->n_vertices + 1, sizeof *once->spread);
        bool any =
            once->spread && has_products(values) && once_number_shared(values, once->spread, &once->n_shared);
        once->n_spread = once->n_shared;
        for (uint32_t set = 0; any && set < values->n_sets; set++) {
            if (!is_read_and_added(values, set)) continue;
            for (uint64_t j = values->net_first[set]; j < values->net_first[set + 1]; j++)
                if (!once->spread[values->nets[j].home])
                    once->spread[values->nets[j].home] = ++once->n_spread;
        }
    }
    once_release();
    *n_spread = once->n_spread;
    *n_shared = once->n_shared;
    return once->spread;
}

static bool is_sum(const parcast_values *values, uint32_t v)
{
    for (uint64_t i = values->at->set_first[v]; i < values->at->set_first[v + 1]; i++)
        if (values->at->sets[i] & 1) return true;
    return false;
}

/* A pin of its values where all are of a few words that do the same with it: add it up, or not; GRAPH_NONE. A
 * sum at a place that depends on values places none of its terms. */
static uint32_t any_pin(const parcast_values *values, uint32_t v, uint32_t most)
{
    const struct incidence *at = values->at;
    uint32_t pin = GRAPH_NONE;
    for (uint64_t i = at->net_first[v]; i < at->net_first[v + 1]; i++) {
        uint32_t first = values->set_first[at->net_sets[i]], end = values->set_first[at->net_sets[i] + 1];
        if (end - first > most) return GRAPH_NONE;
        for (; first < end; first++) {
            if (pin != GRAPH_NONE && ((pin ^ values->pins[first]) & GRAPH_FOLD)) return GRAPH_NONE;
            pin = values->pins[first];
            if (values->vertices[pin & ~GRAPH_FOLD].is_chosen) return GRAPH_NONE;
        }
    }
    return pin;
}

static void find_readers(const parcast_values *values, uint32_t *reader)
{
    const struct incidence *at = values->at;
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        uint32_t pin = any_pin(values, v, FEW_READERS);
        bool is_term = pin != GRAPH_NONE && pin & GRAPH_FOLD && !is_sum(values, v);
        reader[v] = is_term ? pin & ~GRAPH_FOLD : GRAPH_NONE;
    }
    for (uint32_t v = 0; v < values->n_vertices; v++) {
        bool is_input = at->set_first[v] == at->set_first[v + 1];
        uint32_t pin =
            is_input && at->net_first[v] + 1 == at->net_first[v + 1] ? any_pin(values, v, 1) : GRAPH_NONE;
        if (!(pin & GRAPH_FOLD) && reader[pin] != GRAPH_NONE) reader[v] = pin;
    }
}

const uint32_t *once_readers(const parcast_values *values, bool *none)
{
    struct once *once = values->once;
    once_hold();
    if (!once->reader) {
        once->reader = malloc(((size_t)values->n_vertices + 1) * sizeof *once->reader);
        if (once->reader) find_readers(values, once->reader);
        once->no_readers = once->reader;
        for (uint32_t v = 0; once->no_readers && v < values->n_vertices; v++)
            once->no_readers = once->reader[v] == GRAPH_NONE;
    }
    once_release();
    *none = once->no_readers;
    return once->reader;
}

const struct terms *once_terms(const parcast_values *values, bool *too_many)
{
    struct once *once = values->once;
    once_hold();
    if (!once->has_terms && !once->has_too_many) {
        once->has_too_many = terms_count(values) > TERMS_MOST;
        once->has_terms = !once->has_too_many && !terms_make(values, NULL, &once->terms);
    }
    once_release();
    *too_many = once->has_too_many;
    return once->has_terms ? &once->terms : NULL;
}

void once_clear(struct once *once)
{
    terms_clear(&once->terms);
    free(once->partner);
    free(once->reads);
    free(once->spread);
    free(once->is_of_one);
    free(once->reader);
    free(once->extents);
    turned_clear(once->turns);
    turned_clear_faces(once->faces);
    images_clear(once->images);
    boxes_clear(once->boxes);
    if (once->plain_coarse) coarse_clear(once->plain_coarse);
    free(once->plain_coarse);
    unfold_forget(once->cuts);
    free(once->rows);
    *once = (struct once){0};
}
