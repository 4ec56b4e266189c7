#include "predict_compare.h"

#include <math.h>
#include <stdlib.h>

#include "parcast/units.h"
#include "table.h"

enum { MOST_ENGINES = 8 };

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median time of the runs with so many processes; NAN without any. */
static double measured(const parcast_run *runs, size_t n_runs, int processes)
{
    size_t n = 0;
    double *times_s = calloc(n_runs + 1, sizeof *times_s), median = NAN;
    for (size_t i = 0; times_s && i < n_runs; i++)
        if (runs[i].complete && runs[i].n_ranks == processes && runs[i].time_s > 0)
            times_s[n++] = runs[i].time_s;
    if (n) {
        qsort(times_s, n, sizeof *times_s, by_number);
        median = 0.5 * (times_s[(n - 1) / 2] + times_s[n / 2]);
    }
    free(times_s);
    return median;
}

static void put_time(struct cli_table *table, double seconds)
{
    char text[32];
    if (isnan(seconds))
        cli_table_put(table, "-");
    else
        cli_table_put(table, "%s", parcast_units_format_time(seconds, text, sizeof text));
}

static const parcast_point *point_of(const parcast_forecast *forecast, int processes)
{
    for (size_t i = 0; i < forecast->n_points; i++)
        if (forecast->points[i].processes == processes) return &forecast->points[i];
    return NULL;
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

static bool counts(const parcast_run *run)
{
    return run->complete && run->time_s > 0;
}

static json_t *ids_of(const parcast_run *runs, size_t n_runs, int processes)
{
    json_t *ids = json_array();
    for (size_t i = 0; i < n_runs; i++)
        if (counts(&runs[i]) && runs[i].n_ranks == processes)
            json_array_append_new(ids, json_integer(runs[i].id));
    return ids;
}

json_t *cli_measured_json(const parcast_run *runs, size_t n_runs)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n_runs; i++) {
        bool told = !counts(&runs[i]);
        for (size_t j = 0; j < i && !told; j++) told = counts(&runs[j]) && runs[j].n_ranks == runs[i].n_ranks;
        if (told) continue;
        json_array_append_new(list, json_pack("{s:i, s:f, s:o}", "processes", runs[i].n_ranks, "time_s",
                                              measured(runs, n_runs, runs[i].n_ranks), "run_ids",
                                              ids_of(runs, n_runs, runs[i].n_ranks)));
    }
    return list;
}

int cli_compare(const struct cli_common *common, parcast_forecast *const *forecasts, size_t n,
                const parcast_run *runs, size_t n_runs,
                bool (*shown)(const void *data, const parcast_forecast *forecast, size_t i), const void *data)
{
    struct cli_column columns[2 + MOST_ENGINES] = {{"processes", CLI_RIGHT}, {"measured", CLI_RIGHT}};
    if (n > MOST_ENGINES) n = MOST_ENGINES;
    for (size_t e = 0; e < n; e++)
        columns[2 + e] = (struct cli_column){parcast_engine_name(forecasts[e]->engine), CLI_RIGHT};
    struct cli_table *table = cli_table_create(common, columns, 2 + n);
    for (size_t i = 0; i < forecasts[0]->n_points; i++) {
        int processes = forecasts[0]->points[i].processes;
        if (!shown(data, forecasts[0], i)) continue;
        cli_table_row(table);
        cli_table_put(table, "%d", processes);
        put_time(table, measured(runs, n_runs, processes));
        for (size_t e = 0; e < n; e++) put_point(table, point_of(forecasts[e], processes));
    }
    return cli_table_print(common, &table);
}
