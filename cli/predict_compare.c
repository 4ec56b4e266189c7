#include "predict_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parcast/units.h"
#include "table.h"

enum { MOST_ENGINES = 8 };

/* ---- measurements ---- */

struct measured {
    double time_s; /* median; NAN without any */
    bool here;     /* on the nodes of the row */
};

static bool counts(const parcast_run *run)
{
    return run->complete && run->time_s > 0;
}

/* Runs of a row: those made on its nodes or (here false, or placement NULL) anywhere. */
static bool belongs(const struct predict *p, const parcast_run *run, int processes,
                    const parcast_placement *placement, bool here)
{
    if (!counts(run) || run->n_ranks != processes) return false;
    return !here || !placement || parcast_forecast_same_nodes(run, p->platform, placement, !p->on);
}

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const struct predict *p, int processes, const parcast_placement *placement, bool here)
{
    size_t n = 0;
    double *times_s = calloc(p->chosen.n_runs + 1, sizeof *times_s), middle = NAN;
    for (size_t i = 0; times_s && i < p->chosen.n_runs; i++)
        if (belongs(p, &p->chosen.runs[i], processes, placement, here))
            times_s[n++] = p->chosen.runs[i].time_s;
    if (n) {
        qsort(times_s, n, sizeof *times_s, by_number);
        middle = 0.5 * (times_s[(n - 1) / 2] + times_s[n / 2]);
    }
    free(times_s);
    return middle;
}

static struct measured measure(const struct predict *p, const parcast_point *row)
{
    double time_s = median(p, row->processes, row->placement, true);
    if (!isnan(time_s)) return (struct measured){time_s, true};
    return (struct measured){median(p, row->processes, NULL, false), false};
}

static json_t *ids_of(const struct predict *p, int processes, const parcast_placement *placement, bool here)
{
    json_t *ids = json_array();
    for (size_t i = 0; i < p->chosen.n_runs; i++)
        if (belongs(p, &p->chosen.runs[i], processes, placement, here))
            json_array_append_new(ids, json_integer(p->chosen.runs[i].id));
    return ids;
}

json_t *predict_measured_json(const struct predict *p)
{
    json_t *list = json_array();
    const parcast_run *runs = p->chosen.runs;
    for (size_t i = 0; i < p->chosen.n_runs; i++) {
        bool told = !counts(&runs[i]);
        for (size_t j = 0; j < i && !told; j++) told = counts(&runs[j]) && runs[j].n_ranks == runs[i].n_ranks;
        if (told) continue;
        json_array_append_new(list, json_pack("{s:i, s:f, s:o}", "processes", runs[i].n_ranks, "time_s",
                                              median(p, runs[i].n_ranks, NULL, false), "run_ids",
                                              ids_of(p, runs[i].n_ranks, NULL, false)));
    }
    return list;
}

/* ---- rows ---- */

static const parcast_point *point_of(const parcast_forecast *forecast, int processes)
{
    for (size_t i = 0; i < forecast->n_points; i++)
        if (forecast->points[i].processes == processes) return &forecast->points[i];
    return NULL;
}

/* The point of the next larger count of any forecast; all place their ranks alike. */
static const parcast_point *next_row(parcast_forecast *const *forecasts, size_t n, int after)
{
    const parcast_point *next = NULL;
    for (size_t e = 0; e < n; e++)
        for (size_t i = 0; i < forecasts[e]->n_points; i++) {
            const parcast_point *point = &forecasts[e]->points[i];
            if (point->processes > after && (!next || point->processes < next->processes)) next = point;
        }
    return next;
}

static bool is_shown(const struct predict *p, parcast_forecast *const *forecasts, size_t n, int processes)
{
    for (size_t e = 0; e < n; e++)
        for (size_t i = 0; i < forecasts[e]->n_points; i++)
            if (forecasts[e]->points[i].processes == processes && predict_shows(p, forecasts[e], i))
                return true;
    return false;
}

static void put_point(struct cli_table *table, const parcast_point *point)
{
    char time[32], low[32], high[32];
    if (!point) {
        cli_table_put(table, "-");
        return;
    }
    cli_table_put(table, "%s (%s .. %s)", parcast_units_format_time(point->time_s, time, sizeof time),
                  parcast_units_format_time(point->low_s, low, sizeof low),
                  parcast_units_format_time(point->high_s, high, sizeof high));
}

/* Returns whether the measurement is of other nodes. */
static bool put_row(const struct predict *p, struct cli_table *table, const parcast_point *row)
{
    char text[128];
    struct measured measured = measure(p, row);
    cli_table_row(table);
    cli_table_put(table, "%d", row->processes);
    cli_table_put(table, "%s", predict_nodes_text(p->platform, row->placement, text, sizeof text));
    if (isnan(measured.time_s)) {
        cli_table_put(table, "-");
        return false;
    }
    cli_table_put(table, "%s%s", parcast_units_format_time(measured.time_s, text, sizeof text),
                  measured.here ? "" : " *");
    return !measured.here;
}

int predict_compare(const struct predict *p, parcast_forecast *const *forecasts, size_t n)
{
    struct cli_column columns[3 + MOST_ENGINES] = {
        {"processes", CLI_RIGHT}, {"nodes", CLI_LEFT}, {"measured", CLI_RIGHT}};
    bool elsewhere = false;
    if (n > MOST_ENGINES) n = MOST_ENGINES;
    for (size_t e = 0; e < n; e++)
        columns[3 + e] = (struct cli_column){parcast_engine_name(forecasts[e]->engine), CLI_RIGHT};
    struct cli_table *table = cli_table_create(&p->common, columns, 3 + n);
    for (const parcast_point *row = next_row(forecasts, n, 0); row;
         row = next_row(forecasts, n, row->processes)) {
        if (!is_shown(p, forecasts, n, row->processes)) continue;
        elsewhere |= put_row(p, table, row);
        for (size_t e = 0; e < n; e++) put_point(table, point_of(forecasts[e], row->processes));
    }
    int status = cli_table_print(&p->common, &table);
    if (!status && elsewhere)
        puts("* measured with as many processes, but not on these nodes as far as the platform tells: it "
             "knows nodes by "
             "'record --node', hosts or calibration");
    return status;
}

static json_t *nodes_json(const struct predict *p, const parcast_placement *placement)
{
    json_t *nodes = json_array();
    for (size_t g = 0; g < placement->n_groups; g++)
        json_array_append_new(
            nodes, json_pack("{s:s%, s:i, s:i}", "type", p->platform->types[placement->groups[g].type].name,
                             strlen(p->platform->types[placement->groups[g].type].name), "count",
                             placement->groups[g].n_nodes, "ranks", placement->groups[g].n_ranks));
    return nodes;
}

static json_t *measured_json(const struct predict *p, const parcast_point *row)
{
    struct measured measured = measure(p, row);
    if (isnan(measured.time_s)) return json_null();
    return json_pack("{s:f, s:b, s:o}", "time_s", measured.time_s, "same_nodes", measured.here, "run_ids",
                     ids_of(p, row->processes, row->placement, measured.here));
}

json_t *predict_compare_json(const struct predict *p, parcast_forecast *const *forecasts, size_t n)
{
    json_t *rows = json_array();
    for (const parcast_point *row = next_row(forecasts, n, 0); row;
         row = next_row(forecasts, n, row->processes)) {
        json_t *engines = json_object();
        for (size_t e = 0; e < n; e++) {
            const parcast_point *point = point_of(forecasts[e], row->processes);
            json_object_set_new(engines, parcast_engine_name(forecasts[e]->engine),
                                point ? json_pack("{s:f, s:f, s:f}", "time_s", point->time_s, "low_s",
                                                  point->low_s, "high_s", point->high_s)
                                      : json_null());
        }
        json_array_append_new(rows, json_pack("{s:i, s:o, s:o, s:o}", "processes", row->processes, "nodes",
                                              nodes_json(p, row->placement), "measured",
                                              measured_json(p, row), "engines", engines));
    }
    return rows;
}
