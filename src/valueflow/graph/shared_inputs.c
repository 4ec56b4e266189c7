/*
 * Inputs that many terms of a sum have, but not all: widths of cells along the lines of a plane, as in
 * sum += u[i][j] * dx[i] * dy[j]; or that a large share of all sums have: the matrix that takes derivatives
 * in each element of a mesh. Whoever adds up terms with one may get it for that.
 */
#include "valueflow/graph/incidence.h"
#include "valueflow/graph/once.h"

enum { MANY_TERMS = 8, MANY_SUMS = 64, SHARE = 16 };

static uint64_t terms_of(const parcast_values *values, const struct graph_chain *chain)
{
    uint64_t n = 0;
    for (uint32_t key = chain->key; key; key = values->segments[key].before)
        n += values->segments[key].n_terms;
    return n;
}

static bool is_input(const parcast_values *values, uint32_t v)
{
    return values->at->set_first[v] == values->at->set_first[v + 1];
}

static bool is_in_many(const parcast_values *values, const struct terms *terms, uint32_t v)
{
    for (uint64_t i = terms->first[v], next; i < terms->first[v + 1]; i = next) {
        for (next = i; next < terms->first[v + 1] && terms->sums[next] == terms->sums[i];) next++;
        if (next - i < MANY_TERMS) continue;
        return 2 * (next - i) <= terms_of(values, &values->chains[terms->sums[i]]);
    }
    return false;
}

static bool is_in_large_share(const parcast_values *values, const struct terms *terms, uint32_t v)
{
    uint64_t n = 0;
    for (uint64_t i = terms->first[v]; i < terms->first[v + 1]; i++)
        n += i == terms->first[v] || terms->sums[i] != terms->sums[i - 1];
    return n >= MANY_SUMS && n * SHARE >= values->n_chains;
}

bool once_number_shared(const parcast_values *values, uint32_t *number, uint32_t *n_numbers)
{
    bool too_many;
    const struct terms *terms = once_terms(values, &too_many);
    for (uint32_t v = 0; terms && !too_many && v < values->n_vertices; v++)
        if (is_input(values, v) && (is_in_many(values, terms, v) || is_in_large_share(values, terms, v)))
            number[v] = ++*n_numbers;
    return terms || too_many;
}
