#include "valueflow/graph/incidence.h"

#include <stdlib.h>

static void sum_up(uint32_t *first, uint32_t n)
{
    uint32_t total = 0;
    for (uint32_t v = 0; v <= n; v++) {
        uint32_t here = first[v];
        first[v] = total;
        total += here;
    }
}

/* After filling, first[v] is where v ends: move everything one up. */
static void shift(uint32_t *first, uint32_t n)
{
    for (uint32_t v = n; v > 0; v--) first[v] = first[v - 1];
    first[0] = 0;
}

static void fill(const parcast_values *values, struct incidence *x)
{
    for (uint32_t s = 0; s < values->n_sets; s++) {
        for (uint64_t i = values->set_first[s]; i < values->set_first[s + 1]; i++) {
            uint32_t pin = values->pins[i];
            x->sets[x->set_first[pin & ~GRAPH_FOLD]++] = s << 1 | (pin & GRAPH_FOLD ? 1 : 0);
        }
        for (uint64_t i = values->net_first[s]; i < values->net_first[s + 1]; i++) {
            uint64_t at = x->net_first[values->nets[i].home]++;
            x->net_sets[at] = s;
            x->net_counts[at] = values->nets[i].count;
            x->versions[s] += values->nets[i].count;
        }
    }
    shift(x->set_first, values->n_vertices);
    shift(x->net_first, values->n_vertices);
}

parcast_status incidence_make(const parcast_values *values, struct incidence *x)
{
    uint32_t n = values->n_vertices;
    uint64_t n_pins = values->n_sets ? values->set_first[values->n_sets] : 0;
    uint64_t n_nets = values->n_sets ? values->net_first[values->n_sets] : 0;
    *x = (struct incidence){0};
    x->set_first = calloc((size_t)n + 1, sizeof *x->set_first);
    x->net_first = calloc((size_t)n + 1, sizeof *x->net_first);
    x->sets = malloc((n_pins + 1) * sizeof *x->sets);
    x->net_sets = malloc((n_nets + 1) * sizeof *x->net_sets);
    x->net_counts = malloc((n_nets + 1) * sizeof *x->net_counts);
    x->versions = calloc((size_t)values->n_sets + 1, sizeof *x->versions);
    if (!x->set_first || !x->net_first || !x->sets || !x->net_sets || !x->net_counts || !x->versions) {
        incidence_clear(x);
        return PARCAST_MEMORY;
    }
    for (uint64_t i = 0; i < n_pins; i++) x->set_first[values->pins[i] & ~GRAPH_FOLD]++;
    for (uint64_t i = 0; i < n_nets; i++) x->net_first[values->nets[i].home]++;
    sum_up(x->set_first, n);
    sum_up(x->net_first, n);
    fill(values, x);
    return PARCAST_OK;
}

void incidence_clear(struct incidence *x)
{
    free(x->set_first);
    free(x->net_first);
    free(x->sets);
    free(x->net_sets);
    free(x->net_counts);
    free(x->versions);
    *x = (struct incidence){0};
}
