/*
 * Words of a distribution, exactly. A version goes once to every other part that holds one of its readers:
 *
 *     words = sum over nets of count x |parts of its pins without the home's| (1)
 *
 * unless all readers there add it up and a partial sum is cheaper. Readers and values that hang together
 * through that choice form groups; each group takes the smaller of its values and its partial sums (2)
 */
#include <stdlib.h>
#include <string.h>

#include "valueflow/graph/once.h"
#include "valueflow/words/evaluation.h"

enum { MOST_OF_SMALL = 64, MOST_ALIKE = 64 };

static bool is_large(const struct evaluation *e, uint32_t v)
{
    return e->reads[v] > MOST_OF_SMALL;
}

static void gather_homes(struct evaluation *e, uint32_t set)
{
    const parcast_values *values = e->values;
    e->n_homes = 0;
    for (uint64_t i = values->net_first[set]; i < values->net_first[set + 1]; i++) {
        const struct graph_net *net = &values->nets[i];
        uint32_t a = e->part[net->home];
        if (!e->words[a]) e->homes[e->n_homes++] = a;
        e->words[a] += net->count;
        e->word_bytes[a] += (uint64_t)net->count * values->vertices[net->home].bytes;
    }
}

static parcast_status defer(struct evaluation *e, uint32_t from, uint32_t to)
{
    if (e->n_deferred == e->deferred_capacity) {
        size_t wanted = e->deferred_capacity ? 2 * e->deferred_capacity : 256;
        struct deferred *more = realloc(e->deferred, wanted * sizeof *more);
        if (!more) return PARCAST_MEMORY;
        e->deferred = more;
        e->deferred_capacity = wanted;
    }
    e->deferred[e->n_deferred++] =
        (struct deferred){from, to, e->fold_of[to] - 1, e->words[from], e->word_bytes[from]};
    return PARCAST_OK;
}

/* What adds up all terms with the set's values of part a where it has received these; NULL. */
static struct fold *find_elsewhere(const struct evaluation *e, uint32_t set, uint32_t a, uint32_t v)
{
    const parcast_values *values = e->values;
    uint64_t first = values->net_first[set], end = values->net_first[set + 1];
    struct fold *found = NULL;
    if (end - first > MOST_ALIKE) return NULL;
    for (uint64_t i = first; i < end; i++) {
        if (e->part[values->nets[i].home] != a) continue;
        struct fold *fold = folds_at_elsewhere(&e->folds, v, values->nets[i].home);
        if (!fold || (found && fold != found)) return NULL;
        found = fold;
    }
    return found;
}

static void keep_fold(struct evaluation *e, struct fold *fold, uint32_t b)
{
    uint32_t index = (uint32_t)(fold - e->folds.fold);
    if (e->fold_of[b])
        folds_join(&e->folds, e->fold_of[b] - 1, index);
    else
        e->fold_of[b] = index + 1;
    fold->used = true;
}

static bool may_fold(const struct evaluation *e, uint32_t pin)
{
    return pin & GRAPH_FOLD && (!e->only_large || is_large(e, pin & ~GRAPH_FOLD));
}

/* Of parts that do not need the values otherwise. */
static void look_elsewhere(struct evaluation *e, uint32_t set, uint32_t a)
{
    const parcast_values *values = e->values;
    for (uint64_t i = values->set_first[set]; i < values->set_first[set + 1]; i++) {
        uint32_t pin = values->pins[i], v = pin & ~GRAPH_FOLD, b = e->part[v];
        if (b == a || e->stamp[b] == e->now || folds_at(&e->folds, v, a)) continue;
        struct fold *fold = may_fold(e, pin) ? find_elsewhere(e, set, a, v) : NULL;
        if (fold)
            keep_fold(e, fold, b);
        else
            e->stamp[b] = e->now;
    }
}

/* The pins of a set as values of part a see them: who needs them, and who might do with a partial sum. */
static void look_at_pins(struct evaluation *e, uint32_t set, uint32_t a)
{
    const parcast_values *values = e->values;
    bool any_elsewhere = false;
    e->now++;
    for (uint64_t i = values->set_first[set]; i < values->set_first[set + 1]; i++) {
        uint32_t pin = values->pins[i], v = pin & ~GRAPH_FOLD, b = e->part[v];
        if (b == a) continue;
        struct fold *fold = may_fold(e, pin) ? folds_at(&e->folds, v, a) : NULL;
        if (fold)
            keep_fold(e, fold, b);
        else if (e->elsewhere && may_fold(e, pin))
            any_elsewhere = true;
        else
            e->stamp[b] = e->now;
    }
    if (any_elsewhere) look_elsewhere(e, set, a);
}

/* Nothing of a set in one part is sent. */
static bool is_inside(const struct evaluation *e, uint32_t set)
{
    const parcast_values *values = e->values;
    uint64_t net = values->net_first[set], net_end = values->net_first[set + 1];
    if (net == net_end) return true;
    uint32_t own = e->part[values->nets[net].home];
    for (uint64_t i = values->set_first[set]; i < values->set_first[set + 1]; i++)
        if (e->part[values->pins[i] & ~GRAPH_FOLD] != own) return false;
    while (++net < net_end)
        if (e->part[values->nets[net].home] != own) return false;
    return true;
}

static parcast_status evaluate_set(struct evaluation *e, uint32_t set)
{
    parcast_status status = PARCAST_OK;
    if (is_inside(e, set)) return status;
    gather_homes(e, set);
    for (uint32_t h = 0; h < e->n_homes; h++) {
        uint32_t a = e->homes[h];
        if (!status) look_at_pins(e, set, a);
        for (uint32_t b = 0; !status && b < e->n_parts; b++) {
            if (e->stamp[b] == e->now)
                evaluation_send(e, a, b, e->words[a], e->word_bytes[a]);
            else if (e->fold_of[b])
                status = defer(e, a, b);
            e->fold_of[b] = 0;
        }
        e->words[a] = e->word_bytes[a] = 0;
    }
    return status;
}

static void count_groups(struct evaluation *e)
{
    for (size_t i = 0; i < e->n_deferred; i++)
        e->folds.fold[folds_group(&e->folds, e->deferred[i].fold)].saved_words += e->deferred[i].words;
    for (uint32_t i = 0; i < e->folds.n; i++) {
        const struct fold *fold = &e->folds.fold[i];
        struct fold *group = &e->folds.fold[folds_group(&e->folds, i)];
        if (!fold->used) continue;
        group->group_cost += fold->cost;
        group->has_large = group->has_large || is_large(e, fold->vertex);
        group->has_small = group->has_small || !is_large(e, fold->vertex);
        e->is_entangled = e->is_entangled || (group->has_large && group->has_small);
    }
}

/* `lender`: another evaluation that was asked the same; NULL. */
static parcast_status prepare(struct evaluation *e, const struct evaluation *lender)
{
    size_t p = e->n_parts;
    e->matrix = calloc(p * p, sizeof *e->matrix);
    e->words = calloc(p, sizeof *e->words);
    e->word_bytes = calloc(p, sizeof *e->word_bytes);
    e->homes = calloc(p, sizeof *e->homes);
    e->stamp = calloc(p, sizeof *e->stamp);
    e->fold_of = calloc(p, sizeof *e->fold_of);
    e->reads = once_reads(e->values);
    e->is_sent = calloc(p, sizeof *e->is_sent);
    if (!e->matrix || !e->words || !e->word_bytes || !e->homes || !e->stamp || !e->fold_of || !e->reads ||
        !e->is_sent)
        return PARCAST_MEMORY;
    struct fold_question question = {e->values, e->part, p, e->at_sums, e->takes};
    parcast_status status = lender ? folds_lend(&lender->folds, &e->folds) : folds_find(&question, &e->folds);
    e->adding = status ? NULL : malloc((2 * e->folds.n + 1) * sizeof *e->adding);
    return status || e->adding ? status : PARCAST_MEMORY;
}

static void clear(struct evaluation *e)
{
    free(e->matrix);
    free(e->words);
    free(e->word_bytes);
    free(e->homes);
    free(e->stamp);
    free(e->fold_of);
    free(e->deferred);
    free(e->adding);
    free(e->is_sent);
    free(e->takes);
    folds_clear(&e->folds);
}

static parcast_status evaluate(struct evaluation *e, const struct evaluation *lender)
{
    parcast_status status = prepare(e, lender);
    for (uint32_t s = 0; !status && s < e->values->n_sets; s++) status = evaluate_set(e, s);
    if (!status) count_groups(e);
    if (!status) evaluation_send_lacking(e, false);
    return status;
}

/* Where both are as many words, one more term in a part costs a value, but no partial sum. */
static bool adds_up(const struct fold *fold, const struct fold *group)
{
    return fold->used && group->saved_words >= group->group_cost;
}

static void tell_adding(struct evaluation *e, bool *adds)
{
    const parcast_values *values = e->values;
    memset(adds, 0, values->n_vertices * sizeof *adds);
    for (size_t i = 0; i < values->n_chains; i++) adds[values->chains[i].vertex] = true;
    for (uint32_t i = 0; i < e->folds.n; i++) {
        const struct fold *fold = &e->folds.fold[i];
        if (fold->used && !adds_up(fold, &e->folds.fold[folds_group(&e->folds, i)]))
            adds[fold->vertex] = false;
    }
}

static parcast_status evaluate_evenly(struct evaluation *e, double allowed_ratio, parcast_flow *flow,
                                      bool *adds)
{
    parcast_status status = evaluate(e, NULL);
    if (!status && adds) tell_adding(e, adds);
    return status ? status : evaluation_settle_evenly(e, allowed_ratio, UINT64_MAX, flow);
}

/* What one has lent to the other belongs to `a` then. */
static void exchange(struct evaluation *a, struct evaluation *b)
{
    struct evaluation kept = *a;
    *a = *b;
    *b = kept;
    b->folds.is_lent = a->folds.is_lent;
    a->folds.is_lent = false;
}

/* Another way to evaluate terms, which is taken if it has fewer words. */
static parcast_status evaluate_otherwise(struct evaluation *e, struct evaluation other, double allowed_ratio,
                                         parcast_flow *flow, bool *adds)
{
    parcast_flow found = {0};
    bool is_same = other.at_sums == e->at_sums && !other.takes && !e->takes;
    parcast_status status = evaluate(&other, is_same ? e : NULL);
    if (!status) status = evaluation_settle_evenly(&other, allowed_ratio, flow->words, &found);
    bool is_even = allowed_ratio <= 0 || found.imbalance_ratio <= allowed_ratio ||
                   found.imbalance_ratio <= flow->imbalance_ratio ||
                   evaluation_is_worth_more(&found, flow, allowed_ratio);
    if (!status && found.words < flow->words && is_even) {
        if (adds) tell_adding(&other, adds);
        *flow = found;
        exchange(e, &other);
    }
    clear(&other);
    return status;
}

static bool has_products(const parcast_values *values)
{
    for (uint32_t i = 1; i < values->n_segments; i++)
        if (values->segments[i].labels > 1) return true;
    return false;
}

/* Sums that get no partial ones: what is sent for them is there for others. */
static void find_taking(struct evaluation *e, bool *takes)
{
    const parcast_values *values = e->values;
    for (size_t i = 0; i < values->n_chains; i++) takes[values->chains[i].vertex] = true;
    for (uint32_t i = 0; i < e->folds.n; i++) {
        const struct fold *fold = &e->folds.fold[i], *group = &e->folds.fold[folds_group(&e->folds, i)];
        if (fold->used && group->saved_words > group->group_cost) takes[fold->vertex] = false;
    }
}

/* A row of a matrix is sent to where a product with it is added up, and multiplied there by another one. Not
 * in large graphs, for which one more look at each distribution takes too long. */
static parcast_status evaluate_taken(struct evaluation *e, double allowed_ratio, parcast_flow *flow,
                                     bool *adds)
{
    const parcast_values *values = e->values;
    if (values->n_vertices >= GRAPH_LARGE || !values->n_chains || !has_products(values)) return PARCAST_OK;
    struct evaluation other = {.values = e->values,
                               .part = e->part,
                               .n_parts = e->n_parts,
                               .mixes = e->mixes,
                               .at_sums = e->at_sums,
                               .elsewhere = true,
                               .takes = calloc((size_t)e->values->n_vertices + 1, sizeof *other.takes)};
    if (!other.takes) return PARCAST_MEMORY;
    find_taking(e, other.takes);
    if (folds_any_taken(e->values, other.takes))
        return evaluate_otherwise(e, other, allowed_ratio, flow, adds);
    free(other.takes);
    return PARCAST_OK;
}

/* Whether a part has what a term of a pair reads depends on whether the forces there, say, get partial sums;
 * and where these and the energy of all pairs would have to get them together, the forces may better take the
 * values. What is received elsewhere lets more sums stand or fall together. */
static parcast_status evaluate_others(struct evaluation *e, double allowed_ratio, parcast_flow *flow,
                                      bool *adds)
{
    struct evaluation other = {
        .values = e->values, .part = e->part, .n_parts = e->n_parts, .mixes = e->mixes};
    parcast_status status = PARCAST_OK;
    bool any_elsewhere = e->folds.elsewhere.n;
    if (e->folds.any_shared) {
        other.at_sums = true;
        status = evaluate_otherwise(e, other, allowed_ratio, flow, adds);
    }
    if (!status && e->is_entangled) {
        other.at_sums = e->at_sums;
        other.only_large = true;
        status = evaluate_otherwise(e, other, allowed_ratio, flow, adds);
    }
    if (!status && any_elsewhere) {
        other.at_sums = other.only_large = false;
        other.elsewhere = true;
        status = evaluate_otherwise(e, other, allowed_ratio, flow, adds);
    }
    return status ? status : evaluate_taken(e, allowed_ratio, flow, adds);
}

static parcast_status evaluate_all(struct evaluation *e, double allowed_ratio, parcast_flow *flow, bool *adds,
                                   parcast_error *error)
{
    parcast_flow found = {0};
    parcast_status status = evaluate_evenly(e, allowed_ratio, &found, adds);
    if (!status) status = evaluate_others(e, allowed_ratio, &found, adds);
    if (!status) {
        *flow = found;
        flow->matrix = e->matrix;
        e->matrix = NULL;
    } else {
        parcast_error_set(error, status, NULL, 0, "out of memory for %zu parts", e->n_parts);
    }
    clear(e);
    return status;
}

parcast_status graph_evaluate_adding(const parcast_values *values, const uint32_t *part, size_t n_parts,
                                     double allowed_ratio, parcast_flow *flow, bool *adds,
                                     parcast_error *error)
{
    struct evaluation e = {.values = values, .part = part, .n_parts = n_parts};
    return evaluate_all(&e, allowed_ratio, flow, adds, error);
}

parcast_status graph_evaluate_mixing(const parcast_values *values, const uint32_t *part, size_t n_parts,
                                     double allowed_ratio, parcast_flow *flow, parcast_error *error)
{
    struct evaluation e = {.values = values, .part = part, .n_parts = n_parts, .mixes = true};
    return evaluate_all(&e, allowed_ratio, flow, NULL, error);
}

parcast_status graph_evaluate(const parcast_values *values, const uint32_t *part, size_t n_parts,
                              double allowed_ratio, parcast_flow *flow, parcast_error *error)
{
    return graph_evaluate_adding(values, part, n_parts, allowed_ratio, flow, NULL, error);
}

parcast_status graph_find_adding(const parcast_values *values, const uint32_t *part, size_t n_parts,
                                 bool *adds)
{
    struct evaluation e = {.values = values, .part = part, .n_parts = n_parts};
    parcast_status status = evaluate(&e, NULL);
    if (!status) tell_adding(&e, adds);
    clear(&e);
    return status;
}

parcast_status graph_find_loads(const parcast_values *values, const uint32_t *part, size_t n_parts,
                                double *load)
{
    struct evaluation e = {.values = values, .part = part, .n_parts = n_parts};
    parcast_status status = evaluate(&e, NULL);
    for (size_t q = 0; q < n_parts; q++) load[q] = 0;
    if (!status) evaluation_settle(&e);
    if (!status) evaluation_add_work(&e, load);
    clear(&e);
    return status;
}

void parcast_flow_clear(parcast_flow *flow)
{
    free(flow->matrix);
    *flow = (parcast_flow){0};
}
