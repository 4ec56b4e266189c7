/* Versions that a part adds up, but does not receive for other readers. */
#include "valueflow/words/evaluation.h"

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

/* Is a value of the home sent to where this pin is, whatever else is there? Before sums are chosen what reads
 * it as it is tells, what could not do without, and sums that cost more than values even before the price of
 * what is lacking. */
static bool is_sent_to(struct evaluation *e, uint32_t pin, uint32_t home)
{
    if (!(pin & GRAPH_FOLD)) return true;
    const struct fold *fold = folds_at(&e->folds, pin & ~GRAPH_FOLD, e->part[home]);
    if (!fold && e->elsewhere) fold = folds_at_elsewhere(&e->folds, pin & ~GRAPH_FOLD, home);
    if (!fold || !fold->used) return true;
    uint32_t group = folds_group(&e->folds, (uint32_t)(fold - e->folds.fold));
    return !evaluation_chooses(e, fold, &e->folds.fold[group]);
}

/* The versions of a net that a part adds up without having read them otherwise, as it does most of the home,
 * are sent there once sums are chosen. Before they are part of the price: once for each part that might add
 * up. */
static void look_at_fold(struct evaluation *e, const struct graph_net *net, const struct fold *fold,
                         uint32_t to, bool is_settled)
{
    struct fold *group = &e->folds.fold[folds_group(&e->folds, (uint32_t)(fold - e->folds.fold))];
    uint32_t from = e->part[net->home];
    bool may = fold->used && group->saved_words >= group->group_cost;
    bool adds_up = is_settled ? evaluation_chooses(e, fold, group) : may;
    if (!adds_up || to == from || e->stamp[to] == e->now || !lacks(e, net->home, to, fold->vertex)) return;
    e->stamp[to] = e->now;
    if (is_settled)
        evaluation_send(e, from, to, net->count, (uint64_t)net->count * e->values->vertices[net->home].bytes);
    else
        group->group_cost += net->count;
}

/* The sum's own part has terms as well, and gets no value from where these are added up. */
static void look_at_folds(struct evaluation *e, const struct graph_net *net, uint32_t v, bool is_settled)
{
    for (uint32_t k = e->folds.first[v]; k < e->folds.first[v + 1]; k++)
        look_at_fold(e, net, &e->folds.fold[k], e->folds.fold[k].part, is_settled);
    const struct fold *there = folds_at(&e->folds, v, e->part[net->home]);
    if (there) look_at_fold(e, net, there, e->part[v], is_settled);
}

static void look_at_net(struct evaluation *e, uint32_t set, const struct graph_net *net, bool is_settled)
{
    const uint32_t *pins = e->values->pins;
    uint64_t first = e->values->set_first[set], end = e->values->set_first[set + 1];
    e->now++;
    for (uint64_t i = first; i < end; i++)
        if (is_sent_to(e, pins[i], net->home)) e->stamp[e->part[pins[i] & ~GRAPH_FOLD]] = e->now;
    for (uint64_t i = first; i < end; i++)
        if (pins[i] & GRAPH_FOLD) look_at_folds(e, net, pins[i] & ~GRAPH_FOLD, is_settled);
}

void evaluation_send_lacking(struct evaluation *e, bool is_settled)
{
    const parcast_values *values = e->values;
    bool any = e->folds.any_lacking || e->folds.across.n;
    for (uint32_t set = 0; any && set < values->n_sets; set++)
        for (uint64_t i = values->net_first[set]; i < values->net_first[set + 1]; i++) {
            uint32_t home = values->nets[i].home;
            if (any_lacks(e, home)) look_at_net(e, set, &values->nets[i], is_settled);
        }
}
