/* What a candidate becomes once some of its vertices have their parts: the others follow, everything moves,
 * and the words are counted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "valueflow/distribution/place.h"
#include "valueflow/graph/once.h"
#include "valueflow/search/search.h"

bool search_is_scattered(const struct search *s)
{
    return s->coarse && s->coarse->is_scattered && !s->coarse->is_clustered && s->values != s->all;
}

bool search_is_slow(const struct search *s)
{
    static const uint64_t many_pins = UINT64_C(1) << 20;
    const parcast_values *values = s->values;
    bool is_large = values->n_vertices >= GRAPH_LARGE && values->set_first[values->n_sets] > many_pins;
    return search_is_scattered(s) || (!s->coarse && is_large);
}

/* More than three slices of a mesh whose numbers follow a curve have longer borders than compact parts. Where
 * no blocks are even, or many of all values are sent, a mesh may be numbered at random though groups of cells
 * looked alike: each was a node and its fields. What has many readers for each value takes long and gains
 * little. */
static bool may_be_compact(const struct search *s)
{
    enum { MOST_SLICES = 3, MANY = 4, MOST_READERS = 32 };
    const parcast_values *values = s->all;
    double readers = 0;
    for (uint32_t i = 0; i < values->n_sets; i++)
        readers += (double)(values->set_first[i + 1] - values->set_first[i]) *
                   (double)(values->net_first[i + 1] - values->net_first[i]);
    if (readers > (double)MOST_READERS * values->n_vertices) return false;
    bool sends_many = (double)s->best.words * MANY > (double)values->summary.values;
    bool has_compact = search_is_halved(s) || (s->block.processes && s->block_cuts > 1);
    return sends_many || (s->p > MOST_SLICES && !has_compact);
}

bool search_is_irregular(const struct search *s)
{
    static const double above_ratio = 1.1;
    const char *best = s->best.decomposition;
    double block = s->block.processes ? (double)s->block.words : INFINITY;
    bool are_parts = strstr(best, "(graph partitioning)") || strstr(best, "(bisection)");
    if (!s->coarse || !s->best.processes || !s->best.words) return false;
    return s->coarse->is_scattered || may_be_compact(s) ||
           (are_parts && block > above_ratio * (double)s->best.words);
}

bool search_is_far(const struct search *s, uint64_t words)
{
    static const double near_ratio = 1.5, slow_ratio = 1.1;
    double ratio = search_is_slow(s) ? slow_ratio : near_ratio;
    return s->best.processes && (double)words > ratio * (double)s->best.words;
}

/* A near graph is searched in little time: what is far above the best before it moves is left alone. So it is
 * in a slow one and in a large one, where moving takes long; but not what is as near as the best blocks
 * were before theirs had moved. */
static parcast_status look_first(struct search *s, bool *hopeless)
{
    static const double still_ratio = 1.1;
    bool is_near = s->coarse && (s->coarse->is_near || s->values == s->all);
    parcast_flow flow = {0};
    *hopeless = false;
    if (!s->best.processes || (!is_near && !search_is_slow(s))) return PARCAST_OK;
    parcast_status status = graph_evaluate(s->values, s->part, s->p, SEARCH_BALANCED_RATIO, &flow, s->error);
    s->finished_words = flow.words;
    *hopeless =
        !status && search_is_far(s, flow.words) && (double)flow.words > still_ratio * (double)s->still_words;
    parcast_flow_clear(&flow);
    return status;
}

/* A candidate; `imbalance` receives its balance. */
static parcast_status count(struct search *s, const char *name, double allowed, double *imbalance)
{
    parcast_flow flow = {0};
    parcast_status status = graph_evaluate(s->values, s->part, s->p, allowed, &flow, s->error);
    if (status) return status;
    *imbalance = flow.imbalance_ratio;
    s->finished_words = flow.words;
    snprintf(flow.decomposition, sizeof flow.decomposition, "%s", name);
    return search_keep(s, &flow, allowed);
}

/* The adding of sums counts where their terms are, as where few words are counted. What moves with a vertex
 * is not known exactly before: what is still too much afterwards is taken off what parts may have. */
static parcast_status relieve(struct search *s, const char *name, double allowed)
{
    enum { TIMES = 3 };
    bool *shares_work = &s->values->once->shares_work, before = *shares_work;
    double limit = allowed, imbalance = 0;
    parcast_status status = PARCAST_OK;
    for (int i = 0; !status && i < TIMES && limit > 0; i++) {
        *shares_work = true;
        status = graph_relieve(s->values, s->p, limit, s->part, s->error);
        *shares_work = before;
        if (!status) status = count(s, name, allowed, &imbalance);
        if (imbalance <= allowed) break;
        limit -= imbalance - allowed;
    }
    return status;
}

/* What is hardly more uneven than it may be is made even. */
static parcast_status relieve_slightly(struct search *s, const char *name, double allowed, double imbalance)
{
    static const double slightly = 0.02;
    if (imbalance <= allowed || imbalance > allowed + slightly) return PARCAST_OK;
    return relieve(s, name, allowed);
}

parcast_status search_finish_within(struct search *s, const char *name, double allowed)
{
    uint32_t n = s->values->n_vertices;
    bool hopeless = false;
    double imbalance = 0;
    s->finished_words = 0;
    for (uint32_t v = 0; v < n; v++) s->fixed[v] = s->part[v] != GRAPH_NONE;
    parcast_status status = graph_follow(s->values, s->p, s->fixed, s->part, s->error);
    if (!status) status = look_first(s, &hopeless);
    if (status || hopeless) return status;
    status = graph_refine(s->values, s->p, NULL, allowed, NULL, s->part, NULL, s->error);
    if (!status) status = count(s, name, allowed, &imbalance);
    if (!status) status = relieve_slightly(s, name, allowed, imbalance);
    return status ? status : search_climb(s, name, allowed);
}

parcast_status search_finish(struct search *s, const char *name)
{
    return search_finish_within(s, name, SEARCH_BALANCED_RATIO);
}

parcast_status search_even_out(struct search *s, const char *name, double allowed)
{
    static const double clearly_ratio = 1.1;
    parcast_flow flow = {0};
    if (!s->best.processes) return PARCAST_OK;
    parcast_status status = graph_evaluate(s->values, s->part, s->p, 0, &flow, s->error);
    bool has_fewer = clearly_ratio * (double)flow.words < (double)s->best.words;
    bool may_be_even = flow.imbalance_ratio > allowed && flow.imbalance_ratio <= SEARCH_MOST_RATIO;
    parcast_flow_clear(&flow);
    return !status && has_fewer && may_be_even ? relieve(s, name, allowed) : status;
}
