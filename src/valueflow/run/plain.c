#include "valueflow/run/plain.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/run/period.h"

/* Below this everything is followed: it takes seconds, and is exact. */
static const double short_s = 0.01;
/* What runs between the steps and behind them is not followed: it must be little. What runs before them is.
 */
static const double most_left_out_ratio = 0.15;
/* Where steps are less than that, not to follow them all saves little. */
static const double least_share_ratio = 0.3;
enum { FEWEST_STEPS = 16 };
/* No program ran longer: a file that says so is broken. */
static const double longest_s = 1e10;

/* Of several loops around each other the one with the fewest iterations. */
static void choose(struct plain_run *run, unsigned long long *fewest, const char *what,
                   unsigned long long count, double time_s, double left_out_s)
{
    if (count < FEWEST_STEPS || (run->has_steps && count >= *fewest)) return;
    *fewest = count;
    run->has_steps = true;
    run->steps_s = time_s;
    run->left_out_ratio = left_out_s > 0 ? left_out_s / run->region_s : 0;
    run->n_steps = count;
    snprintf(run->steps, sizeof run->steps, "%s:%llu", what, count);
}

static void choose_loop(const char *line, struct plain_run *run, unsigned long long *fewest)
{
    unsigned long number;
    unsigned long long count;
    double time_s, before_s = 0; /* programs built before it was told have none */
    char name[24];
    if (sscanf(line, "loop %lu %llu %lf %lf", &number, &count, &time_s, &before_s) < 3) return;
    double left_out_s = run->region_s - before_s - time_s;
    if (!(time_s >= least_share_ratio * run->region_s) ||
        !(left_out_s <= most_left_out_ratio * run->region_s))
        return;
    snprintf(name, sizeof name, "%lu", number);
    choose(run, fewest, name, count, time_s, left_out_s);
}

static bool is_time(double time_s)
{
    return time_s >= 0 && time_s <= longest_s;
}

parcast_status plain_read(const char *path, struct plain_run *run, parcast_error *error)
{
    FILE *in = fopen(path, "r");
    char line[4096];
    double region_s;
    unsigned long long entries, fewest = 0;
    *run = (struct plain_run){0};
    if (!in)
        return parcast_error_set(error, PARCAST_IO, path, 0, "cannot open '%s': %s", path, strerror(errno));
    bool began = fgets(line, sizeof line, in);
    if (began && strcmp(line, "started\n") == 0) { /* it died, or became another program; so it will again */
        run->region_s = -1;
        fclose(in);
        return PARCAST_OK;
    }
    if (!began || sscanf(line, "region %lf %lf %llu", &run->region_s, &region_s, &entries) != 3 ||
        !is_time(run->region_s) || !is_time(region_s)) {
        fclose(in);
        *run = (struct plain_run){0};
        return parcast_error_set(error, PARCAST_FORMAT, path, 0, "not what a plain run leaves");
    }
    run->left_region = strstr(line, " left") != NULL;
    run->marked_late = strstr(line, " late") != NULL;
    if (run->region_s >= short_s) choose(run, &fewest, "entries", entries, run->region_s, 0);
    while (run->region_s >= short_s && fgets(line, sizeof line, in)) choose_loop(line, run, &fewest);
    fclose(in);
    return PARCAST_OK;
}

parcast_status counted_read(const char *path, unsigned long long total, struct counted_steps *steps,
                            parcast_error *error)
{
    enum { MOST = 1 << 16 };
    unsigned long long flop, stores;
    struct counted_steps s = {0};
    FILE *in = fopen(path, "r");
    if (!in)
        return parcast_error_set(error, PARCAST_IO, path, 0, "cannot open '%s': %s", path, strerror(errno));
    s.flop = malloc(MOST * sizeof *s.flop);
    s.stores = malloc(MOST * sizeof *s.stores);
    s.work = malloc(MOST * sizeof *s.work);
    bool fine = s.flop && s.stores && s.work;
    while (fine && s.n < MOST && fscanf(in, "%llu %llu", &flop, &stores) == 2) {
        s.flop[s.n] = flop;
        s.stores[s.n] = stores;
        s.work[s.n++] = flop * 0x9e3779b97f4a7c15u ^ stores;
    }
    bool sound = fine && feof(in) && s.n <= total;
    fclose(in);
    if (!sound) {
        counted_clear(&s);
        return parcast_error_set(error, PARCAST_FORMAT, path, 0, "not the operations of iterations");
    }
    *steps = s;
    return PARCAST_OK;
}

void counted_compare(const struct counted_steps *steps, size_t last, parcast_values_run *run)
{
    double flop = period_difference(steps->flop, steps->n, last, run->window);
    double stores = period_difference(steps->stores, steps->n, last, run->window);
    run->differing = period_others(steps->work, steps->n, last, run->window);
    run->difference_ratio = flop > stores ? flop : stores;
}

void counted_clear(struct counted_steps *steps)
{
    free(steps->flop);
    free(steps->stores);
    free(steps->work);
    *steps = (struct counted_steps){0};
}

parcast_status followed_read(const char *path, struct followed_steps *steps, parcast_error *error)
{
    struct followed_steps s = {0};
    FILE *in = fopen(path, "r");
    if (!in)
        return parcast_error_set(error, PARCAST_IO, path, 0, "cannot open '%s': %s", path, strerror(errno));
    int n = fscanf(in, "%llu %llu %llu %lf %255[^\n]", &s.first, &s.last, &s.total, &s.spread_ratio, s.what);
    bool sound = n == 5 && s.first < s.last && s.last <= s.total && s.spread_ratio >= 0 &&
                 isfinite(s.spread_ratio) && s.what[0];
    fclose(in);
    if (!sound)
        return parcast_error_set(error, PARCAST_FORMAT, path, 0, "not the iterations of a followed run");
    *steps = s;
    return PARCAST_OK;
}
