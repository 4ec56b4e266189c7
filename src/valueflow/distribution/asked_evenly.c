/* How even the parts of a grid are: which sums are taken where their terms lie, and which of two readings is
 * meant. */
#include <stdlib.h>
#include <string.h>

#include "valueflow/distribution/asked.h"

/* A part with half as much work again as the mean: the grid was not meant like this. */
static const double lopsided_ratio = 0.5;
/* Sums that make parts this much more uneven than their blocks are somebody else's work: they may by a
 * little, unless that saves a fifth of the words. */
static const double much_ratio = 0.15, little_ratio = 0.05, hardly_more = 1.25;

bool asked_is_lopsided(const parcast_flow *flow)
{
    return flow->imbalance_ratio > lopsided_ratio;
}

/* The work of the parts in the array itself: the most and the least of one, and the mean; false where there
 * is none, or no memory. */
struct share {
    double most, least, mean;
};

static bool share_blocks(const parcast_values *values, uint32_t array, const uint32_t *part, size_t p,
                         struct share *share)
{
    double *work = calloc(p, sizeof *work), all = 0;
    for (uint32_t v = 0; work && v < values->n_vertices; v++)
        if (values->vertices[v].array == array && part[v] < p) work[part[v]] += values->vertices[v].work;
    *share = (struct share){0};
    for (size_t q = 0; work && q < p; q++) {
        all += work[q];
        if (work[q] > share->most) share->most = work[q];
        if (!q || work[q] < share->least) share->least = work[q];
    }
    free(work);
    share->mean = all / (double)p;
    return all > 0;
}

/* The blocks are uneven themselves, as of columns that are left in turn, or nine rows on four parts: that is
 * what was asked for, and no more than that. Not so where parts have none of the work. */
static bool are_lopsided(const struct share *share)
{
    static const double least_ratio = 0.01;
    return share->most > (1 + lopsided_ratio / 2) * share->mean && share->least > least_ratio * share->mean;
}

/* The same blocks with no part that has more than so much above the mean, where these have hardly more words:
 * of 31 rows on four parts, the one that has seven of them adds up nothing otherwise. */
static parcast_status take_even(const parcast_values *values, const struct grid_choice *choice,
                                double allowed_ratio, parcast_flow *flow, uint32_t *part,
                                parcast_error *error)
{
    struct grid_choice even = *choice;
    parcast_flow found = {0};
    uint32_t *other = malloc(((size_t)values->n_vertices + 1) * sizeof *other);
    even.allowed_ratio = even.still_ratio = allowed_ratio;
    parcast_status status = other ? grid_evaluate(values, &even, &found, other, error) : PARCAST_MEMORY;
    if (!status && found.imbalance_ratio <= allowed_ratio &&
        (double)found.words <= hardly_more * (double)flow->words) {
        parcast_flow kept = *flow;
        *flow = found;
        found = kept;
        memcpy(part, other, values->n_vertices * sizeof *part);
    }
    parcast_flow_clear(&found);
    if (status) parcast_flow_clear(flow);
    free(other);
    return status;
}

/* Blocks are given to divide the work: where what lies beside them would give it to one part after all, which
 * then sends the others their sums, it keeps to what is even. Those that are lopsided themselves, like those
 * of a triangle, are not to be even. */
parcast_status asked_evaluate(const parcast_values *values, const struct grid_choice *asked,
                              parcast_flow *flow, uint32_t *part, parcast_error *error)
{
    struct share share;
    struct grid_choice choice = *asked;
    choice.alike = true;
    parcast_status status = grid_evaluate(values, &choice, flow, part, error);
    if (status) return status;
    bool any = share_blocks(values, choice.array, part, flow->processes, &share);
    double own_ratio = any && are_lopsided(&share) ? share.most / share.mean - 1 : 0;
    if (flow->imbalance_ratio > own_ratio + lopsided_ratio) {
        struct grid_choice even = choice;
        even.allowed_ratio = even.still_ratio = own_ratio + lopsided_ratio;
        parcast_flow_clear(flow);
        status = grid_evaluate(values, &even, flow, part, error);
    }
    double of_blocks = any ? share.most / share.mean - 1 : lopsided_ratio;
    bool are_to_be_even = any && of_blocks <= lopsided_ratio;
    if (status || !are_to_be_even || flow->imbalance_ratio <= of_blocks + much_ratio) return status;
    return take_even(values, &choice, of_blocks + little_ratio, flow, part, error);
}

/* Does one divide the work much more evenly, with hardly more words? Planes of a few rows, say, that an array
 * is seen to have by chance, are cut where nobody means. */
static bool is_much_more_even(const parcast_flow *flow, const parcast_flow *other)
{
    return flow->imbalance_ratio + much_ratio < other->imbalance_ratio &&
           (double)flow->words <= hardly_more * (double)other->words;
}

/* Of two readings of a grid the one that divides the work, then the one with fewer words, or more evenly. */
bool asked_is_meant(const parcast_flow *flow, const parcast_flow *best)
{
    if (!best->processes || asked_is_lopsided(flow) != asked_is_lopsided(best))
        return !best->processes || asked_is_lopsided(best);
    if (is_much_more_even(flow, best)) return true;
    if (is_much_more_even(best, flow)) return false;
    return flow->words < best->words ||
           (flow->words == best->words && flow->imbalance_ratio < best->imbalance_ratio);
}

/* Points without an order have a few words less in two halves by chance. */
bool asked_is_clearly_meant(const parcast_flow *flow, const parcast_flow *best)
{
    bool few = hardly_more * (double)flow->words <= (double)best->words;
    return asked_is_meant(flow, best) && (!best->processes || asked_is_lopsided(best) || few);
}
