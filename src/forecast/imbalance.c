#include "forecast/imbalance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Windows that all ranks counted alike; fewer than 8 say little about what changes from one to the next. */
static size_t common_windows(const parcast_run *run)
{
    size_t windows = run->ranks[0].n_windows;
    for (size_t r = 0; r < run->n_profiles; r++)
        if (run->ranks[r].n_windows != windows ||
            run->ranks[r].syncs_per_window != run->ranks[0].syncs_per_window)
            return 1;
    return windows < 8 || run->oversubscribed ? 1 : windows;
}

static double speed_of(const struct machine *machine, int rank)
{
    if (rank < 0 || rank >= machine->n_ranks) return 1;
    double speed = machine->nodes[machine->node_of_rank[rank]].speed;
    return speed > 0 ? speed : 1;
}

parcast_status uneven_create(const parcast_run *run, const struct machine *machine, struct uneven *uneven,
                             parcast_error *error)
{
    *uneven = (struct uneven){0};
    size_t n = run->n_profiles;
    if (n < 2) return PARCAST_OK;
    size_t windows = common_windows(run);
    double *computing = calloc(n * windows, sizeof *computing), sum = 0;
    if (!computing)
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for the imbalance");
    for (size_t r = 0; r < n; r++) {
        const parcast_rank_profile *profile = &run->ranks[r];
        for (size_t w = 0; w < windows; w++) {
            double s = windows > 1 ? profile->windows_s[w] : profile->compute_s;
            computing[w * n + r] = s * speed_of(machine, profile->rank);
            sum += computing[w * n + r];
        }
    }
    if (!(sum > 0)) {
        free(computing);
        return PARCAST_OK;
    }
    for (size_t i = 0; i < n * windows; i++) computing[i] *= (double)(n * windows) / sum;
    *uneven = (struct uneven){computing, windows, (int)n};
    return PARCAST_OK;
}

void uneven_clear(struct uneven *uneven)
{
    free(uneven->computing);
    *uneven = (struct uneven){0};
}

/* A rank that is slow in turn holds up the others as much as one that always is. */
static double excess_of(const double *computing, size_t windows, size_t n)
{
    double slowest = 0, sum = 0;
    for (size_t w = 0; w < windows; w++) {
        double largest = 0;
        for (size_t r = 0; r < n; r++) {
            largest = fmax(largest, computing[w * n + r]);
            sum += computing[w * n + r];
        }
        slowest += largest;
    }
    return slowest / (sum / (double)n) - 1;
}

double uneven_excess(const struct uneven *uneven)
{
    return uneven->computing ? excess_of(uneven->computing, uneven->windows, (size_t)uneven->n) : 0;
}

/* What the runs with n ranks say together. */
struct group {
    double n, weight;     /* weight: sum over the runs */
    double squares;       /* e_1^2 */
    double random_square; /* NAN: a single run does not say */
};

static bool comparable(const struct uneven *a, const struct uneven *b)
{
    return a->computing && b->computing && a->n == b->n && a->windows == b->windows;
}

/* Excess of the mean of the runs that can be compared with runs[first], and how many they are. */
static double excess_of_mean(const struct uneven *const *runs, const double *weights, size_t n_runs,
                             size_t first, int *together)
{
    size_t size = runs[first]->windows * (size_t)runs[first]->n;
    double *sum = size ? calloc(size, sizeof *sum) : NULL;
    *together = 0;
    if (!sum) return NAN; /* as if there were one run: all of it may last */
    for (size_t k = first; k < n_runs; k++) {
        if (weights[k] <= 0 || !comparable(runs[first], runs[k])) continue;
        for (size_t i = 0; i < size; i++) sum[i] += runs[k]->computing[i];
        (*together)++;
    }
    double excess = excess_of(sum, runs[first]->windows, (size_t)runs[first]->n);
    free(sum);
    return excess;
}

static struct group group_from(const struct uneven *const *runs, const double *weights, size_t n_runs,
                               size_t first)
{
    struct group g = {.n = runs[first]->n, .random_square = NAN};
    int together = 0;
    double comparable_squares = 0;
    for (size_t k = first; k < n_runs; k++) {
        if (weights[k] <= 0 || runs[k]->n != runs[first]->n) continue;
        double excess = uneven_excess(runs[k]);
        g.squares += weights[k] * excess * excess;
        g.weight += weights[k];
        if (comparable(runs[first], runs[k])) comparable_squares += excess * excess;
    }
    g.squares /= g.weight;
    double mean = excess_of_mean(runs, weights, n_runs, first, &together);
    if (together > 1 && isfinite(mean)) {
        double chance = (comparable_squares / together - mean * mean) / (1 - 1.0 / together);
        g.random_square = fmin(fmax(chance, 0), g.squares);
    }
    return g;
}

static const struct growth_form lasting_forms[] = {
    {{GROWTH_LARGEST}}, {{GROWTH_BORDER_1}}, {{GROWTH_LOG}}, {{GROWTH_ONE}}, {{GROWTH_OTHERS}}};
static const struct growth_form random_forms[] = {{{GROWTH_LARGEST}}, {{GROWTH_INTERRUPTED}}};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
enum { MAX_GROUPS = 256 };

/* Runs at a count of their own share their excess out as the others do; without others all of it lasts. */
static void share_out(struct group *groups, size_t n_groups)
{
    double random = 0, all = 0;
    for (size_t i = 0; i < n_groups; i++)
        if (isfinite(groups[i].random_square)) {
            random += groups[i].random_square;
            all += groups[i].squares;
        }
    for (size_t i = 0; i < n_groups; i++)
        if (!isfinite(groups[i].random_square))
            groups[i].random_square = all > 0 ? groups[i].squares * random / all : 0;
}

void imbalance_fit(const struct uneven *const *runs, const double *weights, size_t n_runs,
                   struct imbalance *imbalance)
{
    struct group groups[MAX_GROUPS];
    struct growth_point lasting[MAX_GROUPS], random[MAX_GROUPS];
    size_t n_groups = 0;
    for (size_t k = 0; k < n_runs && n_groups < MAX_GROUPS; k++) {
        bool seen = weights[k] <= 0 || !runs[k]->computing;
        for (size_t i = 0; !seen && i < n_groups; i++) seen = groups[i].n == runs[k]->n;
        if (!seen) groups[n_groups++] = group_from(runs, weights, n_runs, k);
    }
    share_out(groups, n_groups);
    for (size_t i = 0; i < n_groups; i++) {
        const struct group *g = &groups[i];
        lasting[i] = (struct growth_point){g->n, sqrt(g->squares - g->random_square), g->weight};
        random[i] = (struct growth_point){g->n, sqrt(g->random_square), g->weight};
    }
    growth_choose(lasting, n_groups, lasting_forms, COUNT_OF(lasting_forms), GROWTH_TIMED, 1,
                  &imbalance->lasting);
    growth_choose(random, n_groups, random_forms, COUNT_OF(random_forms), GROWTH_TIMED, 1,
                  &imbalance->random);
}

double imbalance_value(const struct imbalance *imbalance, double n)
{
    return n > 1 ? hypot(growth_value(&imbalance->lasting, n), growth_value(&imbalance->random, n)) : 0;
}
