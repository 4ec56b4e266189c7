#include "valueflow/space/extents/meet_behind.h"

#include <stdlib.h>

#include "valueflow/graph/once.h"

enum { RUNS = 512, MOST_RESULTS = 3 };

struct meeting {
    const parcast_values *values;
    const struct terms *terms; /* NULL: there are no sums, or too many */
    uint32_t *reader;          /* [n_vertices] of results, one that reads each; GRAPH_NONE */
    uint32_t words[MEET_BEHIND_MOST];
    size_t n; /* MEET_BEHIND_MOST + 1: too many */
};

static bool is_result(const parcast_values *values, uint32_t v)
{
    return values->arrays[values->vertices[v].array].is_result;
}

/* Who reads it by itself comes before who adds it up. */
static bool find_readers(struct meeting *m)
{
    const parcast_values *values = m->values;
    m->reader = malloc(((size_t)values->n_vertices + 1) * sizeof *m->reader);
    if (!m->reader) return false;
    for (uint32_t v = 0; v < values->n_vertices; v++) m->reader[v] = GRAPH_NONE;
    for (uint32_t s = 0; s < values->n_sets; s++)
        for (uint64_t j = values->net_first[s]; j < values->net_first[s + 1]; j++) {
            uint32_t home = values->nets[j].home, pin = values->pins[values->set_first[s]] & ~GRAPH_FOLD;
            if (is_result(values, home) && pin != home) m->reader[home] = pin;
        }
    for (uint32_t v = 0; m->terms && v < values->n_vertices; v++)
        if (m->reader[v] == GRAPH_NONE && m->terms->first[v] < m->terms->first[v + 1] && is_result(values, v))
            m->reader[v] = values->chains[m->terms->sums[m->terms->first[v]]].vertex;
    return true;
}

/* A word, or what it is behind a few results, once. */
static void add_word(struct meeting *m, uint32_t word)
{
    for (int i = 0; i < MOST_RESULTS && word != GRAPH_NONE && is_result(m->values, word); i++)
        word = m->reader[word];
    if (word == GRAPH_NONE || m->n > MEET_BEHIND_MOST) return;
    for (size_t k = 0; k < m->n; k++)
        if (m->words[k] == word) return;
    if (m->n < MEET_BEHIND_MOST) m->words[m->n] = word;
    m->n++;
}

static void tell_all(const struct meeting *m, uint32_t home,
                     void (*tell)(void *context, uint32_t home, uint32_t one, uint32_t other), void *context)
{
    for (size_t i = 0; m->n <= MEET_BEHIND_MOST && i < m->n; i++)
        for (size_t k = 0; k < i; k++) tell(context, home, m->words[i], m->words[k]);
}

static void list_sums(struct meeting *m, uint32_t home)
{
    m->n = 0;
    for (uint64_t i = m->terms->first[home]; i < m->terms->first[home + 1]; i++)
        add_word(m, m->values->chains[m->terms->sums[i]].vertex);
}

static void list_pins(struct meeting *m, uint32_t set)
{
    const parcast_values *values = m->values;
    uint64_t first = values->set_first[set], end = values->set_first[set + 1];
    bool any = false;
    m->n = 0;
    if (end > first + MEET_BEHIND_MOST) return;
    for (uint64_t i = first; i < end; i++) {
        any = any || is_result(values, values->pins[i] & ~GRAPH_FOLD);
        add_word(m, values->pins[i] & ~GRAPH_FOLD);
    }
    if (!any) m->n = 0;
}

bool meet_behind(const parcast_values *values,
                 void (*tell)(void *context, uint32_t home, uint32_t one, uint32_t other), void *context)
{
    bool too_many = false;
    struct meeting m = {.values = values};
    if (values->n_chains) m.terms = once_terms(values, &too_many);
    if ((values->n_chains && !m.terms && !too_many) || !find_readers(&m)) return false;
    uint32_t every = graph_every(values, RUNS);
    for (uint32_t v = 0; m.terms && v < values->n_vertices; v++) {
        if (!graph_is_in_run(v, every)) continue;
        list_sums(&m, v);
        tell_all(&m, v, tell, context);
    }
    for (uint32_t s = 0; s < values->n_sets; s++) {
        if (!graph_is_in_run(s, every) || values->net_first[s] == values->net_first[s + 1]) continue;
        list_pins(&m, s);
        tell_all(&m, values->nets[values->net_first[s]].home, tell, context);
    }
    free(m.reader);
    return true;
}
