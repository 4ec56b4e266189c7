/*
 * The least words over a portfolio. Every candidate is counted exactly, so whoever proposed it, the smallest
 * one whose work is balanced is a fact: a program that distributes its words like this sends no more.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/describe.h"
#include "valueflow/distribution/place.h"
#include "valueflow/graph/once.h"
#include "valueflow/search/search.h"
#include "valueflow/space/turned.h"

/* `flow` is taken. */
static void set_spare(const struct search *s, const parcast_flow *flow, struct spare *spare)
{
    parcast_flow_clear(&spare->flow);
    spare->flow = *flow;
    spare->index = s->index;
    memcpy(spare->part, s->part, s->values->n_vertices * sizeof *s->part);
}

/* The one with fewest words, should all that is even have far more; of others the most even one, for the case
 * that none is. */
static void keep_spare(struct search *s, parcast_flow *flow)
{
    const parcast_flow *few = &s->few.flow, *even = &s->uneven.flow;
    bool is_few = flow->imbalance_ratio <= SEARCH_SPARE_RATIO &&
                  search_is_fewer(flow, flow->imbalance_ratio, few, few->imbalance_ratio);
    bool was_even = few->processes && (!even->processes || few->imbalance_ratio < even->imbalance_ratio);
    if (is_few && was_even) {
        struct spare most_even = s->few;
        s->few = s->uneven;
        s->uneven = most_even;
    }
    if (is_few)
        set_spare(s, flow, &s->few);
    else if (!even->processes || flow->imbalance_ratio < even->imbalance_ratio)
        set_spare(s, flow, &s->uneven);
    else
        parcast_flow_clear(flow);
}

bool search_is_fewer(const parcast_flow *flow, double allowed, const parcast_flow *best, double best_allowed)
{
    if (!best->processes || flow->words != best->words) return !best->processes || flow->words < best->words;
    return allowed < best_allowed;
}

/* What is allowed differs: nothing loses to what is less even and has more words. */
static bool is_better_in_all(const parcast_flow *flow, const parcast_flow *best)
{
    return best->processes && flow->words < best->words && flow->imbalance_ratio <= best->imbalance_ratio;
}

static bool are_best_blocks(const struct search *s, const parcast_flow *flow)
{
    return s->block.processes && flow->words == s->block.words &&
           strcmp(flow->decomposition, s->block.decomposition) == 0;
}

/* Of what has as many words blocks are what a person would write. */
static bool is_plainer(const struct search *s, const parcast_flow *flow, double allowed)
{
    return flow->words == s->best.words && allowed <= s->best_allowed && are_best_blocks(s, flow) &&
           !are_best_blocks(s, &s->best);
}

parcast_status search_mix(struct search *s, parcast_flow *flow, double limit, const parcast_flow *best)
{
    parcast_flow other = {0};
    bool is_even = flow->imbalance_ratio <= limit;
    uint64_t fewest = is_even ? flow->uneven_words : flow->words;
    if (!s->values->n_chains || !fewest || (best->processes && fewest >= best->words)) return PARCAST_OK;
    parcast_status status = graph_evaluate_mixing(s->values, s->part, s->p, limit, &other, s->error);
    if (status) return status;
    bool is_better = other.imbalance_ratio <= limit && (!is_even || other.words < flow->words);
    memcpy(other.decomposition, flow->decomposition, sizeof other.decomposition);
    parcast_flow_clear(is_better ? flow : &other);
    if (is_better) *flow = other;
    return PARCAST_OK;
}

parcast_status search_keep_within(struct search *s, parcast_flow *flow, double allowed, double limit)
{
    parcast_status status = limit > 0 ? search_mix(s, flow, limit, &s->best) : PARCAST_OK;
    if (status) {
        parcast_flow_clear(flow);
        return status;
    }
    bool better = search_is_fewer(flow, allowed, &s->best, s->best_allowed) || is_plainer(s, flow, allowed);
    if (flow->imbalance_ratio > limit && !is_better_in_all(flow, &s->best)) {
        keep_spare(s, flow);
        return PARCAST_OK;
    }
    if (!better) {
        parcast_flow_clear(flow);
        return PARCAST_OK;
    }
    parcast_flow_clear(&s->best);
    s->best = *flow;
    s->best_allowed = allowed;
    s->best_index = s->index;
    memcpy(s->best_part, s->part, s->values->n_vertices * sizeof *s->part);
    return PARCAST_OK;
}

parcast_status search_keep(struct search *s, parcast_flow *flow, double allowed)
{
    return search_keep_within(s, flow, allowed, allowed);
}

/* Blocks with their borders moved where that saves words. */
static parcast_status try_refined(struct search *s)
{
    parcast_flow flow = {0};
    char name[sizeof flow.decomposition];
    if (!s->best.processes) return PARCAST_OK;
    s->index = s->best_index;
    memcpy(s->part, s->best_part, s->values->n_vertices * sizeof *s->part);
    parcast_status status =
        graph_refine(s->values, s->p, NULL, SEARCH_BALANCED_RATIO, NULL, s->part, NULL, s->error);
    if (!status) status = graph_evaluate(s->values, s->part, s->p, SEARCH_BALANCED_RATIO, &flow, s->error);
    if (status) return status;
    bool moved = strstr(s->best.decomposition, "borders moved");
    snprintf(name, sizeof name, "%.200s%s", s->best.decomposition, moved ? "" : ", borders moved");
    snprintf(flow.decomposition, sizeof flow.decomposition, "%s", name);
    status = search_keep(s, &flow, SEARCH_BALANCED_RATIO);
    if (!status) status = search_even_out(s, name, SEARCH_BALANCED_RATIO);
    return status ? status : search_climb(s, name, SEARCH_BALANCED_RATIO);
}

static void take_spare(struct search *s, struct spare *spare)
{
    uint32_t *part = s->best_part;
    parcast_flow_clear(&s->best);
    s->best = spare->flow;
    s->best_allowed = spare->flow.imbalance_ratio;
    s->best_part = spare->part;
    s->best_index = spare->index;
    spare->part = part;
    spare->flow = (parcast_flow){0};
}

/* Work that cannot be divided evenly in any of the ways: one word may be half of it. Blocks that are a little
 * above what is even lose to partitions of a few words more, not to ten times as many. */
static void take_uneven(struct search *s)
{
    static const double far_ratio = 2;
    struct spare *most_even = &s->uneven;
    const parcast_flow *few = &s->few.flow;
    if (few->processes &&
        (!most_even->flow.processes || few->imbalance_ratio <= most_even->flow.imbalance_ratio))
        most_even = &s->few;
    const parcast_flow *even = &most_even->flow;
    if (even->processes && (!s->best.processes || is_better_in_all(even, &s->best))) take_spare(s, most_even);
    if (few->processes && (double)s->best.words > far_ratio * (double)few->words) take_spare(s, &s->few);
}

/* Nothing is less than nothing. */
static bool is_least(const struct search *s)
{
    return s->best.processes && !s->best.words && s->block.processes;
}

/* Groups of a scattered graph that nothing has divided evenly tell little: the rest is left to the large one.
 */
static bool has_failed(const struct search *s)
{
    return s->coarse && s->coarse->is_scattered && s->values != s->all && !s->best.processes;
}

/* Partitions go first in a slow graph and early in a near one; borders of a scattered one move once, in the
 * large graph. */
static bool is_left_out(const struct search *s, parcast_status (*way)(struct search *))
{
    bool near = s->coarse && s->coarse->is_near;
    return ((near || search_is_slow(s)) && way == search_partitions) ||
           (search_is_scattered(s) && way == try_refined);
}

/* What is far above the best is left alone in a near graph and in a slow one. */
static parcast_status try_all(struct search *s)
{
    parcast_status (*const ways[])(struct search *) = {
        search_halved,     search_turns, search_crossed, search_bisections, search_folded,
        search_components, search_terms, search_pieces,  search_partitions, try_refined};
    bool slow = search_is_slow(s), near = s->coarse && s->coarse->is_near;
    parcast_status status = slow ? search_partitions(s) : PARCAST_OK;
    if (!status) status = search_blocks(s);
    if (!status && near && !slow && !is_least(s)) status = search_partitions(s);
    if (has_failed(s)) return status;
    for (size_t i = 0; !status && !is_least(s) && i < sizeof ways / sizeof *ways; i++)
        if (!is_left_out(s, ways[i])) status = ways[i](s);
    return status;
}

parcast_status search_begin_large(struct search *s)
{
    size_t n = (size_t)s->all->n_vertices + 1;
    uint32_t **parts[] = {&s->part, &s->best_part, &s->uneven.part, &s->few.part};
    bool fine = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        free(*parts[i]);
        *parts[i] = malloc(n * sizeof **parts[i]);
        fine = fine && *parts[i];
    }
    free(s->fixed);
    s->fixed = malloc(n * sizeof *s->fixed);
    parcast_flow_clear(&s->best);
    parcast_flow_clear(&s->block);
    parcast_flow_clear(&s->near_block);
    parcast_flow_clear(&s->uneven.flow);
    parcast_flow_clear(&s->few.flow);
    s->values = s->all;
    s->counted.n = 0;
    s->still_words = s->halved_words = 0;
    return fine && s->fixed ? PARCAST_OK : PARCAST_MEMORY;
}

/* In a small graph. Where that finds nothing, as where all results of pairs are one group, in the large one.
 */
static parcast_status try_small(struct search *s)
{
    parcast_status status = try_all(s);
    if (!status && s->best.processes && s->coarse->is_near) status = search_settle(s);
    if (status || s->best.processes) return status;
    status = search_begin_large(s);
    s->coarse = NULL;
    s->n_shapes = s->n_rough = 0;
    s->most_rough = s->closely = SEARCH_CLOSELY;
    s->is_lenient = false;
    return status ? status : try_all(s);
}

static parcast_status find(struct search *s)
{
    parcast_status status = s->coarse ? try_small(s) : try_all(s);
    if (!status) take_uneven(s);
    describe_unevenness(&s->best);
    if (!status && !s->best.processes) {
        status = parcast_error_set(s->error, PARCAST_DATA, NULL, 0,
                                   "no balanced distribution over %zu parts was found", s->p);
        parcast_error_hint(s->error, "ask for fewer parts, or run a larger problem");
    }
    return status;
}

/* From groups to their vertices. */
static parcast_status take_large(struct search *s)
{
    uint32_t *part = malloc(((size_t)s->all->n_vertices + 1) * sizeof *part);
    if (!part) return PARCAST_MEMORY;
    for (uint32_t v = 0; v < s->all->n_vertices; v++) part[v] = s->best_part[s->coarse->small.vertex[v]];
    free(s->best_part);
    s->best_part = part;
    return PARCAST_OK;
}

/* Borders move vertex by vertex; where that is all of a graph, and nothing has moved in it before, as if it
 * had no borders. */
static parcast_status refine_large(struct search *s)
{
    bool looked = false;
    uint64_t words = s->best.words;
    double allowed =
        s->best.imbalance_ratio > SEARCH_BALANCED_RATIO ? s->best.imbalance_ratio : SEARCH_BALANCED_RATIO;
    parcast_status status = coarse_sharpen(s->all, s->p, allowed, s->best_part, &s->best, &looked, s->error);
    size_t used = strlen(s->best.decomposition);
    if (!status && !looked && (s->coarse->is_near || s->values == s->all)) return try_refined(s);
    if (s->best.words < words && !strstr(s->best.decomposition, "borders moved"))
        snprintf(s->best.decomposition + used, sizeof s->best.decomposition - used, ", borders moved");
    return status;
}

static parcast_status search_all(struct search *s)
{
    parcast_status status = find(s);
    if (!status && s->values != s->all) status = take_large(s);
    if (!status && s->coarse && s->values != s->all) status = search_in_large(s);
    if (!status && s->coarse) status = refine_large(s);
    if (!status) // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): best_part is the caller's to free
        status = graph_describe(s->all, s->best_part, s->p, s->best_index, s->best.decomposition,
                                sizeof s->best.decomposition);
    if (status && s->error && !s->error->text[0])
        parcast_error_set(s->error, status, NULL, 0, "out of memory");
    return status;
}

/* How words look before anything follows blocks misleads: where a look costs little, all are looked at. */
static void set_effort(struct search *s, bool near)
{
    static const uint64_t few_pins = UINT64_C(1) << 17;
    bool is_small = s->values->set_first[s->values->n_sets] <= few_pins;
    s->closely = is_small && !near ? SEARCH_NOTED : SEARCH_CLOSELY;
    s->most_rough = near ? SEARCH_NOTED : s->closely;
}

static parcast_status begin_search(struct search *s)
{
    bool made = false;
    parcast_status status = coarse_make(s->all, s->extent, s->p, s->all->coarse, &made, s->error);
    if (status) return status;
    s->values = made ? s->all->coarse->small.values : s->all;
    s->coarse = made ? s->all->coarse : NULL;
    set_effort(s, made && s->coarse->is_near);
    size_t n = (size_t)s->values->n_vertices + 1;
    s->part = malloc(n * sizeof *s->part);
    s->best_part = malloc(n * sizeof *s->best_part);
    s->uneven.part = malloc(n * sizeof *s->uneven.part);
    s->few.part = malloc(n * sizeof *s->few.part);
    s->fixed = malloc(n * sizeof *s->fixed);
    bool fine = s->part && s->best_part && s->uneven.part && s->few.part && s->fixed;
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}

static void take_fewer(parcast_flow *flow, parcast_flow *other)
{
    bool is_fewer = other->processes && (!flow->processes || other->words < flow->words);
    parcast_flow_clear(is_fewer ? flow : other);
    if (is_fewer) *flow = *other;
}

/* What is told as blocks: those with fewest words, but none less even than the best has fewer than that. */
static void choose_block(struct search *s)
{
    if (s->near_block.words < s->best.words) return;
    take_fewer(&s->block, &s->near_block);
    s->near_block = (parcast_flow){0};
}

static void end_search(struct search *s)
{
    parcast_flow_clear(&s->near_block);
    for (size_t i = 0; !s->coarse && i < s->n_shapes; i++) space_clear(&s->shapes[i]);
    free(s->part);
    free(s->best_part);
    free(s->uneven.part);
    free(s->few.part);
    parcast_flow_clear(&s->uneven.flow);
    parcast_flow_clear(&s->few.flow);
    free(s->fixed);
}

static parcast_status find_minimum(const parcast_values *values, size_t processes,
                                   const parcast_extents *extent, parcast_flow *flow, parcast_flow *block,
                                   parcast_error *error)
{
    parcast_extents taken;
    parcast_status fits = extent ? grid_take_extent(values, extent, &taken, error) : PARCAST_OK;
    if (fits) return fits;
    bool only_copies = graph_only_copies(values);
    if (!values->n_sets || only_copies || processes == 1) {
        const char *name = processes == 1 ? "one part" : only_copies ? GRID_COPIES : NULL;
        parcast_status status = grid_nothing_sent(processes, name, flow, error);
        if (!status) *block = (parcast_flow){0};
        return status;
    }
    if (values->summary.divisible && processes > values->summary.divisible)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                                 "%zu parts for %llu words whose work can be divided", processes,
                                 (unsigned long long)values->summary.divisible);
    struct search s = {.all = values, .p = processes, .extent = extent ? &taken : NULL, .error = error};
    parcast_status status = begin_search(&s);
    if (!status) status = search_all(&s);
    if (!status) choose_block(&s);
    end_search(&s);
    if (status) {
        parcast_flow_clear(&s.best);
        parcast_flow_clear(&s.block);
        return status;
    }
    *flow = s.best;
    *block = s.block;
    return PARCAST_OK;
}

/* As if no array were turned to another one: where lines are worked on, to transpose may be cheaper than to
 * cut them. */
static parcast_status try_plain(const parcast_values *values, size_t processes, const parcast_extents *extent,
                                parcast_flow *flow, parcast_flow *block, parcast_error *error)
{
    struct once *once = values->once;
    parcast_values plain = *values;
    parcast_flow other = {0}, other_block = {0};
    parcast_error ignored = {0};
    if (!once->plain_coarse) once->plain_coarse = calloc(1, sizeof *once->plain_coarse);
    if (!once->plain_coarse) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    plain.coarse = once->plain_coarse;
    once->is_plain = true;
    parcast_status status = find_minimum(&plain, processes, extent, &other, &other_block, &ignored);
    once->is_plain = false;
    if (status == PARCAST_DATA) return PARCAST_OK; /* nothing even is found so */
    if (status) return parcast_error_set(error, status, NULL, 0, "%s", ignored.text);
    take_fewer(flow, &other);
    take_fewer(block, &other_block);
    return PARCAST_OK;
}

parcast_status parcast_values_minimum(const parcast_values *values, size_t processes,
                                      const parcast_extents *extent, parcast_flow *flow, parcast_flow *block,
                                      parcast_error *error)
{
    if (processes < 1) return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "0 processes");
    parcast_flow found = {0}, found_block = {0};
    parcast_status status = find_minimum(values, processes, extent, &found, &found_block, error);
    if (!status && turned_any(values))
        status = try_plain(values, processes, extent, &found, &found_block, error);
    if (status) {
        parcast_flow_clear(&found);
        parcast_flow_clear(&found_block);
        return status;
    }
    *flow = found;
    *block = found_block;
    return PARCAST_OK;
}
