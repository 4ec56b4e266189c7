/* A forecast for people: the points, the best of them, what it rests on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/units.h"
#include "predict.h"
#include "table.h"

const char *predict_nodes_text(const parcast_platform *platform, const parcast_placement *placement,
                               char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t g = 0; g < placement->n_groups && used < size; g++) {
        const parcast_placement_group *group = &placement->groups[g];
        int n = snprintf(text + used, size - used, "%s%d %s x %d", used ? ", " : "", group->n_nodes,
                         platform->types[group->type].name, group->n_ranks);
        used += n > 0 ? (size_t)n : 0;
    }
    return text;
}

/* Every node used is full. */
static bool whole_nodes(const parcast_platform *platform, const parcast_placement *placement)
{
    for (size_t g = 0; g < placement->n_groups; g++)
        if (placement->groups[g].n_ranks < platform->types[placement->groups[g].type].cores) return false;
    return true;
}

/* Long sweeps are thinned for people: powers of two, whole nodes, the best ones, the ends. JSON has them all.
 */
bool predict_shows(const struct predict *p, const parcast_forecast *f, size_t i)
{
    const int best[] = {f->best.fastest, f->best.cheapest, f->best.turning_point, f->best.under_deadline,
                        f->best.under_budget};
    int n = f->points[i].processes;
    bool all = p->counts != NULL || p->common.verbose || f->n_points <= 24;
    if (all || i == 0 || i + 1 == f->n_points || (n & (n - 1)) == 0) return true;
    for (size_t b = 0; b < sizeof best / sizeof *best; b++)
        if (best[b] == (int)i) return true;
    return parcast_platform_nodes(p->platform) <= 16 && whole_nodes(p->platform, f->points[i].placement);
}

/* Three significant digits, never an exponent: 0.0000437, 1.25, 310. */
static const char *cost_text(double cost, char *text, size_t size)
{
    int digits = cost > 0 ? 2 - (int)floor(log10(cost)) : 2;
    if (isnan(cost))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%.*f", digits < 0 ? 0 : digits > 9 ? 9 : digits, cost);
    return text;
}

static bool any_known(const parcast_forecast *f, double (*value)(const parcast_point *))
{
    for (size_t i = 0; i < f->n_points; i++)
        if (!isnan(value(&f->points[i]))) return true;
    return false;
}

static double cost_of(const parcast_point *point)
{
    return point->cost;
}

static double compute_of(const parcast_point *point)
{
    return point->compute_s;
}

static double speedup_of(const parcast_point *point)
{
    return point->speedup;
}

static void put_time(struct cli_table *table, double seconds)
{
    char text[32];
    cli_table_put(table, "%s", parcast_units_format_time(seconds, text, sizeof text));
}

/* Columns that nothing is known of are left out. */
static int print_points(const struct predict *p, const parcast_forecast *f)
{
    bool split = any_known(f, compute_of), priced = any_known(f, cost_of);
    bool compared = any_known(f, speedup_of), is_bound = f->engine == PARCAST_ENGINE_BOUND;
    char cost[32], title[48];
    snprintf(title, sizeof title, "cost [%.32s]", f->currency);
    struct cli_column columns[10] = {{"processes", CLI_RIGHT},
                                     {"nodes", CLI_LEFT},
                                     {is_bound ? "time from" : "time", CLI_RIGHT},
                                     {"95 % interval", CLI_RIGHT}};
    size_t n = 4;
    if (split) columns[n++] = (struct cli_column){"compute", CLI_RIGHT};
    if (split) columns[n++] = (struct cli_column){"comm.", CLI_RIGHT};
    if (compared) columns[n++] = (struct cli_column){is_bound ? "speed-up to" : "speed-up", CLI_RIGHT};
    if (compared) columns[n++] = (struct cli_column){is_bound ? "eff. to" : "eff.", CLI_RIGHT};
    if (priced) columns[n++] = (struct cli_column){title, CLI_RIGHT};
    if (split) columns[n++] = (struct cli_column){"limited by", CLI_LEFT};
    struct cli_table *table = cli_table_create(&p->common, columns, n);
    for (size_t i = 0; i < f->n_points; i++) {
        if (!predict_shows(p, f, i)) continue;
        const parcast_point *point = &f->points[i];
        char nodes[128], low[32], high[32];
        cli_table_row(table);
        cli_table_put(table, "%d", point->processes);
        cli_table_put(table, "%s", predict_nodes_text(p->platform, point->placement, nodes, sizeof nodes));
        put_time(table, point->time_s);
        cli_table_put(table, "%s .. %s", parcast_units_format_time(point->low_s, low, sizeof low),
                      parcast_units_format_time(point->high_s, high, sizeof high));
        if (split) put_time(table, point->compute_s);
        if (split) put_time(table, point->communication_s);
        if (compared) cli_table_put(table, "%.2f", point->speedup);
        if (compared) cli_table_put(table, "%.0f %%", 100 * point->efficiency_ratio);
        if (priced) cli_table_put(table, "%s", cost_text(point->cost, cost, sizeof cost));
        if (split) cli_table_put(table, "%s", point->limit);
        if ((int)i == f->best.turning_point) cli_table_highlight(table);
    }
    return cli_table_print(&p->common, &table);
}

static void print_best(const parcast_forecast *f, const char *what, int index, const char *none)
{
    char time[32], cost[32];
    if (index < 0) {
        if (none) printf("%-15s %s\n", what, none);
        return;
    }
    const parcast_point *point = &f->points[index];
    printf("%-15s %d process%s on %d node%s: %s", what, point->processes, point->processes == 1 ? "" : "es",
           point->placement->n_nodes, point->placement->n_nodes == 1 ? "" : "s",
           parcast_units_format_time(point->time_s, time, sizeof time));
    if (!isnan(point->cost)) printf(", %s %s", cost_text(point->cost, cost, sizeof cost), f->currency);
    putchar('\n');
}

static void print_summary(const parcast_forecast *f)
{
    print_best(f, "turning point", f->best.turning_point, NULL);
    print_best(f, "fastest", f->best.fastest, NULL);
    print_best(f, "cheapest", f->best.cheapest, NULL);
    if (!isnan(f->deadline_s)) print_best(f, "by deadline", f->best.under_deadline, "no count meets it");
    if (!isnan(f->budget))
        print_best(f, "in budget", f->best.under_budget,
                   f->best.cheapest < 0 ? "unknown: the platform has no price_per_hour"
                                        : "no count stays within it");
}

static bool undetermined(const parcast_parameter *p)
{
    return !p->fixed && (p->prior_only || !p->identifiable);
}

/* Parameters that the same kind of run would determine stand in one line. */
static void print_undetermined(const parcast_fit_report *r)
{
    for (size_t i = 0; i < r->n_parameters; i++) {
        bool told = !undetermined(&r->parameters[i]);
        for (size_t j = 0; j < i; j++)
            told = told || (undetermined(&r->parameters[j]) &&
                            strcmp(r->parameters[i].advice, r->parameters[j].advice) == 0);
        if (told) continue;
        printf("not determined by the runs: %s", r->parameters[i].name);
        for (size_t j = i + 1; j < r->n_parameters; j++)
            if (undetermined(&r->parameters[j]) &&
                strcmp(r->parameters[i].advice, r->parameters[j].advice) == 0)
                printf(", %s", r->parameters[j].name);
        printf("; %s would\n", r->parameters[i].advice);
    }
}

/* " 1 (x 3), 2 (x 3), 4* (x 3) processes; * more ranks than cores" of the runs used, or of those held out. */
static void print_counts(const parcast_fit_report *r, bool held_out)
{
    bool crowded = false, first = true;
    int largest = 0;
    for (size_t i = 0; i < r->n_runs; i++) {
        const parcast_used_run *run = &r->runs[i];
        int times = 0;
        bool told = run->held_out != held_out;
        for (size_t k = 0; k < r->n_runs; k++) {
            bool same = r->runs[k].held_out == held_out && r->runs[k].processes == run->processes &&
                        r->runs[k].oversubscribed == run->oversubscribed;
            told = told || (same && k < i);
            times += same;
        }
        if (told) continue;
        crowded = crowded || run->oversubscribed;
        printf("%s %d%s", first ? "" : ",", run->processes, run->oversubscribed ? "*" : "");
        if (times > 1) printf(" (x %d)", times);
        if (run->processes > largest) largest = run->processes;
        first = false;
    }
    printf(" process%s%s\n", largest == 1 ? "" : "es", crowded ? "; * more ranks than cores" : "");
}

/* "engine model, fitted on 9 runs: ..." */
static void print_runs(const parcast_forecast *f)
{
    const parcast_fit_report *r = f->report;
    const char *how = f->engine == PARCAST_ENGINE_BOUND    ? "from estimates and"
                      : f->engine == PARCAST_ENGINE_REPLAY ? "traces of"
                                                           : "fitted on";
    size_t held_out = 0;
    printf("\nengine %s", parcast_engine_name(f->engine));
    if (r->n_runs == 0) {
        putchar('\n'); /* bound: its notes say which estimates it is from */
        return;
    }
    for (size_t i = 0; i < r->n_runs; i++) held_out += r->runs[i].held_out;
    size_t used = r->n_runs - held_out;
    printf(", %s %zu run%s:", how, used, used == 1 ? "" : "s");
    print_counts(r, false);
    if (!held_out) return;
    printf("held against %zu run%s without a trace:", held_out, held_out == 1 ? "" : "s");
    print_counts(r, true);
}

/* How the errors out of sample were found, and why there may be none. */
struct error_words {
    const char *how, *none;
};
static struct error_words error_words(parcast_engine engine)
{
    if (engine == PARCAST_ENGINE_BOUND)
        return (struct error_words){"each size left out in turn",
                                    "none, nothing was extrapolated over sizes"};
    if (engine == PARCAST_ENGINE_REPLAY)
        return (struct error_words){"each run against the traces of other runs with as many processes",
                                    "unknown, no count has a second run to hold a trace against"};
    return (struct error_words){"each count left out in turn",
                                "unknown, too few process counts to leave one out"};
}

/* Where the figures come from: runs, error out of sample, what the runs cannot tell, what to record next. */
static void print_basis(const struct predict *p, const parcast_forecast *f)
{
    const parcast_fit_report *r = f->report;
    print_runs(f);
    struct error_words words = error_words(f->engine);
    if (isfinite(r->loo_mean_ratio))
        printf("error out of sample: mean %.1f %%, worst %.1f %% (%s)\n", 100 * r->loo_mean_ratio,
               100 * r->loo_worst_ratio, words.how);
    else
        printf("error out of sample: %s\n", words.none);
    if (f->engine == PARCAST_ENGINE_BOUND && isfinite(r->extrapolation_ratio))
        printf("the largest size, from the smaller ones: off by %.1f %%\n", 100 * r->extrapolation_ratio);
    if (p->common.quiet) return;
    print_undetermined(r);
    for (size_t i = 0; i < f->n_advice && (i == 0 || p->common.verbose); i++)
        printf("%s: %d rank%s on %d node%s, would cut the variance of the last row by %.0f %%\n",
               i == 0 ? "next run that helps most" : "  or", f->advice[i].processes,
               f->advice[i].processes == 1 ? "" : "s", f->advice[i].nodes, f->advice[i].nodes == 1 ? "" : "s",
               100 * f->advice[i].gain_ratio);
    for (size_t i = 0; i < r->n_notes; i++) printf("note: %s\n", r->notes[i]);
    for (size_t i = 0; i < f->n_notes; i++) printf("note: %s\n", f->notes[i]);
}

static void print_fit(const parcast_forecast *f)
{
    const parcast_fit_report *r = f->report;
    const char *of = f->engine == PARCAST_ENGINE_BOUND ? "size of the problem" : "process count";
    if (r->n_functions) printf("\nfunctions of the %s n:\n", of);
    for (size_t i = 0; i < r->n_functions; i++)
        printf("  %-22s %s\n", r->functions[i].quantity, r->functions[i].form);
    puts("parameters:");
    for (size_t i = 0; i < r->n_parameters; i++) {
        const parcast_parameter *q = &r->parameters[i];
        printf("  %-34s %.4g %s", q->name, q->value, q->unit);
        if (isfinite(q->low) && isfinite(q->high)) printf(" [%.3g, %.3g]", q->low, q->high);
        printf(" %s\n", q->note);
    }
}

int predict_print(const struct predict *p, const parcast_forecast *f)
{
    printf("%s%s%s on %s, %s\n\n", f->program, *f->arguments ? " " : "", f->arguments, f->platform,
           f->policy == PARCAST_FILL ? "nodes filled one after the other" : "ranks spread over the nodes");
    int status = print_points(p, f);
    if (status) return status;
    putchar('\n');
    print_summary(f);
    print_basis(p, f);
    if (p->common.verbose) print_fit(f);
    return 0;
}
