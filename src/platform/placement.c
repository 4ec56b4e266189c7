/*
 * Ranks on nodes. Placements are groups of equal nodes, so that a platform of a million nodes costs no more
 * than its types.
 */
#include <math.h>
#include <stdlib.h>

#include "parcast/platform.h"

static void add_group(parcast_placement *placement, size_t type, int n_nodes, int n_ranks)
{
    if (n_nodes == 0 || n_ranks == 0) return;
    placement->groups[placement->n_groups++] = (parcast_placement_group){type, n_nodes, n_ranks};
    placement->n_nodes += n_nodes;
    placement->n_ranks += n_nodes * n_ranks;
}

static void place_fill(const parcast_platform *platform, int n_ranks, parcast_placement *placement)
{
    int left = n_ranks;
    for (size_t t = 0; t < platform->n_types && left > 0; t++) {
        int cores = platform->types[t].cores, count = platform->types[t].count;
        int full = left / cores < count ? left / cores : count;
        add_group(placement, t, full, cores);
        left -= full * cores;
        if (full == count) continue;
        add_group(placement, t, 1, left);
        left = 0;
    }
}

/* Ranks placed when every node has `level` of them, or as many as it has cores. */
static long ranks_at_level(const parcast_platform *platform, int level)
{
    long ranks = 0;
    for (size_t t = 0; t < platform->n_types; t++) {
        int cores = platform->types[t].cores;
        ranks += (long)platform->types[t].count * (cores < level ? cores : level);
    }
    return ranks;
}

/* `level` whole rounds over the nodes, then one rank more for the first nodes with a core left. */
static void place_spread(const parcast_platform *platform, int n_ranks, parcast_placement *placement)
{
    int level = 0, beyond = n_ranks; /* the largest level with no more than n_ranks lies in [level, beyond] */
    while (level < beyond) {
        int middle = level + (beyond - level + 1) / 2;
        if (ranks_at_level(platform, middle) <= n_ranks)
            level = middle;
        else
            beyond = middle - 1;
    }
    int left = n_ranks - (int)ranks_at_level(platform, level);
    for (size_t t = 0; t < platform->n_types; t++) {
        int cores = platform->types[t].cores, count = platform->types[t].count;
        int more = cores <= level ? 0 : left < count ? left : count;
        add_group(placement, t, more, level + 1);
        add_group(placement, t, count - more, cores < level ? cores : level);
        left -= more;
    }
}

struct share {
    size_t type;
    int floor;    /* ranks beyond the cores on every node of the type */
    int more;     /* nodes with one rank beyond that */
    long remains; /* what rounding down took, in parts of all cores */
};

static int by_remains(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    if (x->remains != y->remains) return x->remains > y->remains ? -1 : 1;
    return x->type < y->type ? -1 : 1;
}

static int by_type(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    return x->type < y->type ? -1 : 1;
}

/* More ranks than cores: whole turns of all cores, then the rest in proportion to cores, largest remainders
   first. */
static parcast_status place_beyond(const parcast_platform *platform, int n_ranks,
                                   parcast_placement *placement)
{
    long all = parcast_platform_cores(platform);
    int turns = (int)(n_ranks / all);
    long rest = n_ranks % all, left = rest;
    struct share *shares = calloc(platform->n_types, sizeof *shares);
    if (!shares) return PARCAST_MEMORY;
    for (size_t t = 0; t < platform->n_types; t++) {
        long part = rest * platform->types[t].cores;
        shares[t] = (struct share){t, (int)(part / all), 0, part % all};
        left -= (long)shares[t].floor * platform->types[t].count;
    }
    qsort(shares, platform->n_types, sizeof *shares, by_remains);
    for (size_t i = 0; i < platform->n_types; i++) {
        int count = platform->types[shares[i].type].count;
        shares[i].more = left < count ? (int)left : count;
        left -= shares[i].more;
    }
    qsort(shares, platform->n_types, sizeof *shares, by_type);
    for (size_t t = 0; t < platform->n_types; t++) {
        int base = turns * platform->types[t].cores + shares[t].floor;
        add_group(placement, t, shares[t].more, base + 1);
        add_group(placement, t, platform->types[t].count - shares[t].more, base);
    }
    free(shares);
    return PARCAST_OK;
}

static parcast_status check_ranks(const parcast_platform *platform, int n_ranks, bool oversubscribe,
                                  parcast_error *error)
{
    int cores = parcast_platform_cores(platform);
    if (n_ranks < 1)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%d ranks cannot be placed", n_ranks);
    if (n_ranks <= cores || oversubscribe) return PARCAST_OK;
    parcast_error_set(error, PARCAST_DATA, platform->name, 0, "%d ranks do not fit on %d cores", n_ranks,
                      cores);
    parcast_error_hint(error, "--oversubscribe places more than one rank on a core");
    return PARCAST_DATA;
}

parcast_status parcast_placement_create(const parcast_platform *platform, int n_ranks,
                                        parcast_placement_policy policy, bool oversubscribe,
                                        parcast_placement **placement, parcast_error *error)
{
    parcast_status status = check_ranks(platform, n_ranks, oversubscribe, error);
    if (status) return status;
    parcast_placement *result = calloc(1, sizeof *result);
    if (result) result->groups = calloc(2 * platform->n_types, sizeof *result->groups);
    if (!result || !result->groups)
        status = PARCAST_MEMORY;
    else if (n_ranks > parcast_platform_cores(platform))
        status = place_beyond(platform, n_ranks, result);
    else if (policy == PARCAST_FILL)
        place_fill(platform, n_ranks, result);
    else
        place_spread(platform, n_ranks, result);
    if (status) {
        parcast_placement_destroy(&result);
        return parcast_error_set(error, status, NULL, 0, "out of memory");
    }
    result->policy = policy;
    *placement = result;
    return PARCAST_OK;
}

void parcast_placement_destroy(parcast_placement **placement)
{
    if (!*placement) return;
    free((*placement)->groups);
    free(*placement);
    *placement = NULL;
}

double parcast_placement_cost(const parcast_platform *platform, const parcast_placement *placement,
                              double time_s)
{
    if (!(time_s >= 0)) return NAN;
    double unit = platform->billing_unit_s, charged_s = time_s, per_hour = 0;
    if (unit > 0) charged_s = ceil(time_s / unit - 1e-9) * unit; /* 3600.000001 s is one hour */
    for (size_t i = 0; i < placement->n_groups; i++)
        per_hour += placement->groups[i].n_nodes * platform->types[placement->groups[i].type].price_per_hour;
    return per_hour * charged_s / 3600;
}
