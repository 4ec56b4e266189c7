/*
 * Versions that a part adds up, but does not receive for other readers. They are sent there once sums are
 * chosen; before they are part of the price, once for each part that might add up.
 */
#include <string.h>

#include "valueflow/words/evaluation.h"

/* A look at one set after the other. */
struct lacking {
    struct evaluation *evaluation;
    bool is_settled;
    size_t n;           /* of evaluation.adding */
    uint32_t sent_from; /* the part that evaluation.is_sent tells of; GRAPH_NONE */
};

static bool lacks(const struct evaluation *e, uint32_t home, uint32_t q, uint32_t vertex)
{
    size_t at = e->folds.spread[home] * e->folds.n_words + q / 64;
    return e->folds.lacking[at] >> q % 64 & 1 ||
           (e->folds.is_across[home] && folds_lack_across(&e->folds, vertex, home, q));
}

static bool any_lacks(const struct evaluation *e, uint32_t home)
{
    bool any = e->folds.is_across[home];
    for (size_t w = 0; w < e->folds.n_words; w++)
        any = any || e->folds.lacking[e->folds.spread[home] * e->folds.n_words + w];
    return any;
}

static struct fold *group_of(struct evaluation *e, const struct fold *fold)
{
    return &e->folds.fold[folds_group(&e->folds, (uint32_t)(fold - e->folds.fold))];
}

/* Is a value of the home sent to where this pin is, whatever else is there? Before sums are chosen what reads
 * it as it is tells, what could not do without, and sums that cost more than values even before the price of
 * what is lacking. */
static bool is_sent_to(struct evaluation *e, uint32_t pin, uint32_t home)
{
    if (!(pin & GRAPH_FOLD)) return true;
    const struct fold *fold = folds_at(&e->folds, pin & ~GRAPH_FOLD, e->part[home]);
    if (!fold && e->elsewhere) fold = folds_at_elsewhere(&e->folds, pin & ~GRAPH_FOLD, home);
    return !fold || !fold->used || !evaluation_chooses(e, fold, group_of(e, fold));
}

/* That does not depend on the home, but on its part only, unless values are looked for elsewhere, and lasts
 * until a price changes. */
static void find_sent(struct lacking *l, uint32_t set, uint32_t home)
{
    struct evaluation *e = l->evaluation;
    const uint32_t *pins = e->values->pins;
    uint32_t from = e->part[home];
    if (l->sent_from == from && !e->elsewhere) return;
    memset(e->is_sent, 0, e->n_parts * sizeof *e->is_sent);
    for (uint64_t i = e->values->set_first[set]; i < e->values->set_first[set + 1]; i++)
        if (is_sent_to(e, pins[i], home)) e->is_sent[e->part[pins[i] & ~GRAPH_FOLD]] = true;
    l->sent_from = from;
}

static bool may_add_up(struct lacking *l, const struct fold *fold)
{
    const struct fold *group = group_of(l->evaluation, fold);
    bool may = fold->used && group->saved_words >= group->group_cost;
    return l->is_settled ? evaluation_chooses(l->evaluation, fold, group) : may;
}

/* Prices only rise: what may not add up now will not. The sum's own part has terms as well, and gets no value
 * from where these are added up. */
static void list_adding(struct lacking *l, uint32_t set)
{
    struct evaluation *e = l->evaluation;
    const uint32_t *pins = e->values->pins;
    l->n = 0;
    for (uint64_t i = e->values->set_first[set]; i < e->values->set_first[set + 1]; i++) {
        uint32_t v = pins[i] & ~GRAPH_FOLD, first = e->folds.first[v], end = e->folds.first[v + 1];
        if (!(pins[i] & GRAPH_FOLD)) continue;
        size_t begin = l->n;
        for (uint32_t k = first; k < end; k++)
            if (may_add_up(l, &e->folds.fold[k]))
                e->adding[l->n++] = (struct adding){&e->folds.fold[k], e->folds.fold[k].part, GRAPH_NONE};
        for (size_t k = begin, n = l->n; k < n; k++)
            e->adding[l->n++] = (struct adding){e->adding[k].fold, e->part[v], e->adding[k].fold->part};
    }
}

/* The versions of a net that a part adds up without having read them otherwise, as it does most of the home.
 */
static void look_at_net(struct lacking *l, uint32_t set, const struct graph_net *net)
{
    struct evaluation *e = l->evaluation;
    uint32_t from = e->part[net->home];
    bool is_found = false;
    e->now++;
    for (size_t k = 0; k < l->n; k++) {
        const struct adding *one = &e->adding[k];
        uint32_t to = one->to;
        bool is_there = to == from || e->stamp[to] == e->now;
        if (is_there || (one->from != GRAPH_NONE && one->from != from)) continue;
        if (!lacks(e, net->home, to, one->fold->vertex) || !may_add_up(l, one->fold)) continue;
        if (!is_found) find_sent(l, set, net->home);
        is_found = true;
        if (e->is_sent[to]) continue;
        e->stamp[to] = e->now;
        if (l->is_settled) {
            evaluation_send(e, from, to, net->count,
                            (uint64_t)net->count * e->values->vertices[net->home].bytes);
        } else {
            group_of(e, one->fold)->group_cost += net->count;
            l->sent_from = GRAPH_NONE;
        }
    }
}

static void look_at_set(struct lacking *l, uint32_t set)
{
    const parcast_values *values = l->evaluation->values;
    bool is_listed = false;
    l->sent_from = GRAPH_NONE;
    for (uint64_t i = values->net_first[set]; i < values->net_first[set + 1]; i++) {
        if (!any_lacks(l->evaluation, values->nets[i].home)) continue;
        if (!is_listed) list_adding(l, set);
        is_listed = true;
        if (!l->n) return;
        look_at_net(l, set, &values->nets[i]);
    }
}

void evaluation_send_lacking(struct evaluation *e, bool is_settled)
{
    struct lacking l = {.evaluation = e, .is_settled = is_settled};
    bool any = e->folds.any_lacking || e->folds.across.n;
    for (uint32_t set = 0; any && set < e->values->n_sets; set++) look_at_set(&l, set);
}
