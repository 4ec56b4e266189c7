/* Small graphs cost little: there every candidate goes on uphill, so that what is found depends less on where
 * it began. */
#include <stdio.h>
#include <string.h>

#include "valueflow/distribution/place.h"
#include "valueflow/search/search.h"

enum { MOST_VERTICES = 1024, MOST_PINS = 1 << 14, MOST_PARTS = 32 };

bool search_is_small(const struct search *s)
{
    return !s->coarse && s->p <= MOST_PARTS && s->values->n_vertices <= MOST_VERTICES &&
           s->values->set_first[s->values->n_sets] <= MOST_PINS;
}

parcast_status search_climb(struct search *s, const char *name, double allowed)
{
    parcast_flow flow = {0};
    if (!search_is_small(s)) return PARCAST_OK;
    parcast_status status = graph_climb(s->values, s->p, allowed, s->part, s->error);
    if (!status) status = graph_evaluate(s->values, s->part, s->p, allowed, &flow, s->error);
    if (status) return status;
    snprintf(flow.decomposition, sizeof flow.decomposition, "%.200s%s", name,
             strstr(name, "borders moved") || !strstr(name, "blocks") ? "" : ", borders moved");
    return search_keep(s, &flow, allowed);
}
