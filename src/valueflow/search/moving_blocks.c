/*
 * Blocks of which every border moves, that of the array's own words, too: where words are read by others than
 * those that they lie beside, blocks are near to the least words and not the least.
 */
#include "valueflow/distribution/place.h"
#include "valueflow/search/search.h"

/* Blocks with more than so many times the words of the best ones are left as they are, and such as send more
 * than so many of all values, which are border everywhere. */
static const double near_ratio = 1.1, most_sent = 0.5;

parcast_status search_freely(struct search *s, const struct grid_choice *choice)
{
    parcast_flow flow = {0};
    double allowed = choice->allowed_ratio;
    if (!s->tried_even || (double)s->tried_words > near_ratio * (double)s->block.words) return PARCAST_OK;
    parcast_status status =
        graph_move_to_sources(s->values, s->p, allowed, s->tried_words, s->part, &flow, s->error);
    double words = (double)(flow.processes ? flow.words : s->tried_words);
    parcast_flow_clear(&flow);
    if (status || words > most_sent * (double)s->all->summary.values) return status;
    status = graph_refine_freely(s->values, s->p, NULL, allowed, s->part, s->error);
    if (!status) status = graph_evaluate(s->values, s->part, s->p, allowed, &flow, s->error);
    if (status) return status;
    grid_name(s->values, choice, ", borders moved", flow.decomposition, sizeof flow.decomposition);
    return search_keep(s, &flow, allowed);
}
