/*
 * Forecasts of a study as rows for the charts. A study may hold many; the page draws the latest of each
 * engine, platform and placement.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "page.h"

static const char *engine_of(const json_t *forecast)
{
    const char *engine = json_get_text(forecast, "engine");
    return engine ? engine : "unnamed engine";
}

static const char *platform_of(const json_t *forecast)
{
    const json_t *platform = json_object_get(forecast, "platform");
    const char *name =
        json_is_object(platform) ? json_get_text(platform, "name") : json_string_value(platform);
    return name ? name : "";
}

static const char *policy_of(const json_t *forecast)
{
    const char *policy = json_get_text(forecast, "policy");
    return policy ? policy : "";
}

static bool same_machine(const json_t *a, const json_t *b)
{
    return strcmp(platform_of(a), platform_of(b)) == 0 && strcmp(policy_of(a), policy_of(b)) == 0;
}

static bool same_series(const json_t *a, const json_t *b)
{
    return same_machine(a, b) && strcmp(engine_of(a), engine_of(b)) == 0;
}

static bool is_drawn(const json_t *forecasts, const json_t *forecast)
{
    size_t i;
    json_t *other;
    json_array_foreach(forecasts, i, other) if (same_series(other, forecast)) return true;
    return false;
}

/* A forecast that the page can draw: an object with at least one point that has a time. */
static json_t *read_forecast(const char *text)
{
    json_t *forecast = json_loads(text, 0, NULL);
    const json_t *points = json_object_get(forecast, "points");
    size_t i;
    json_t *point;
    json_array_foreach(points, i, point) if (json_get_number(point, "time_s") > 0 &&
                                             json_get_number(point, "processes") > 0) return forecast;
    json_decref(forecast);
    return NULL;
}

/* Engines in the order in which they answer, when several forecast the same machine. */
static int preference(const json_t *forecast)
{
    static const char *const engines[] = {"model", "replay", "pmnf", "paper", "bound"};
    int n = (int)(sizeof engines / sizeof *engines);
    for (int i = 0; i < n; i++)
        if (strcmp(engine_of(forecast), engines[i]) == 0) return i;
    return n;
}

/* The latest forecast says which machine is asked about; the best engine for it answers. */
static bool put_answer_first(json_t *forecasts)
{
    size_t best = 0;
    for (size_t i = 1; i < json_array_size(forecasts); i++) {
        const json_t *candidate = json_array_get(forecasts, i);
        if (same_machine(candidate, json_array_get(forecasts, 0)) &&
            preference(candidate) < preference(json_array_get(forecasts, best)))
            best = i;
    }
    json_t *answer = json_incref(json_array_get(forecasts, best));
    bool done =
        !answer || (json_array_remove(forecasts, best) == 0 && json_array_insert(forecasts, 0, answer) == 0);
    json_decref(answer);
    return done;
}

static bool name_series(json_t *forecasts)
{
    bool platforms = false, policies = false, done = true;
    size_t i;
    json_t *forecast;
    const json_t *first = json_array_get(forecasts, 0);
    json_array_foreach(forecasts, i, forecast)
    {
        platforms |= strcmp(platform_of(forecast), platform_of(first)) != 0;
        policies |= strcmp(policy_of(forecast), policy_of(first)) != 0;
    }
    json_array_foreach(forecasts, i, forecast) done &= json_put_text(
        forecast, "series", "%s%s%s%s%s", engine_of(forecast), platforms ? " on " : "",
        platforms ? platform_of(forecast) : "", policies ? ", " : "", policies ? policy_of(forecast) : "");
    return done;
}

static bool select_forecasts(struct page *page)
{
    const parcast_report_content *content = page->content;
    for (size_t i = content->n_forecasts; i-- > 0;) {
        json_t *forecast = read_forecast(content->forecasts[i]);
        if (!forecast)
            page->n_unreadable++;
        else if (!is_drawn(page->forecasts, forecast) && json_array_size(page->forecasts) >= PAGE_MAX_SERIES)
            page->n_older++;
        else if (!is_drawn(page->forecasts, forecast) && json_array_append(page->forecasts, forecast) != 0)
            return json_decref(forecast), false;
        json_decref(forecast);
    }
    return put_answer_first(page->forecasts) && name_series(page->forecasts);
}

const json_t *page_answer(const struct page *page)
{
    return json_array_get(page->forecasts, 0);
}

int point_nodes(const json_t *point)
{
    const json_t *nodes = json_object_get(point, "nodes");
    if (json_is_number(nodes)) return json_get_count(point, "nodes");
    double sum = 0;
    size_t i;
    json_t *group;
    json_array_foreach(nodes, i, group)
    {
        double count = json_get_number(group, "count");
        if (count > 0 && count < 1e6) sum += count;
    }
    return (int)fmin(sum, 1e9);
}

char *point_node_text(const json_t *point)
{
    struct html text = {0};
    const json_t *nodes = json_object_get(point, "nodes");
    const json_t *previous = NULL;
    double sum = 0;
    size_t i;
    html_raw(&text, "", 0);
    for (i = 0; i <= json_array_size(nodes); i++) { /* neighbouring groups of one type are one */
        const json_t *group = json_array_get(nodes, i);
        const char *type = json_get_text(group, "type"), *before = json_get_text(previous, "type");
        if (previous && (!group || strcmp(type ? type : "", before ? before : "") != 0)) {
            char number[32];
            snprintf(number, sizeof number, "%s%.0f", text.length ? " + " : "", sum);
            html_raw(&text, number, strlen(number));
            if (before) html_raw(&text, " \u00d7 ", strlen(" \u00d7 "));
            if (before) html_raw(&text, before, strlen(before));
            sum = 0;
        }
        double count = json_get_number(group, "count");
        if (isfinite(count)) sum += count;
        previous = group;
    }
    return text.text;
}

bool forecast_is_bound(const json_t *forecast)
{
    const char *engine = json_get_text(forecast, "engine");
    return engine && strcmp(engine, "bound") == 0;
}

const json_t *forecast_best(const json_t *forecast, const char *which)
{
    double processes =
        json_get_number(json_object_get(json_object_get(forecast, "best"), which), "processes");
    size_t i;
    json_t *point;
    json_array_foreach(json_object_get(forecast, "points"), i,
                       point) if (json_get_number(point, "processes") == processes) return point;
    return NULL;
}

/* The interval of a quantity that is inversely (speed-up, efficiency) or directly (cost) proportional to
 * time. */
static bool put_intervals(json_t *row, const json_t *point)
{
    double time = json_get_number(point, "time_s");
    double low = json_get_number(point, "low_s"), high = json_get_number(point, "high_s");
    double speedup = json_get_number(point, "speedup"),
           efficiency = json_get_number(point, "efficiency_ratio");
    double cost = json_get_number(point, "cost");
    return json_put_number(row, "speedup_low", speedup * time / high) &&
           json_put_number(row, "speedup_high", speedup * time / low) &&
           json_put_number(row, "efficiency_low", efficiency * time / high) &&
           json_put_number(row, "efficiency_high", efficiency * time / low) &&
           json_put_number(row, "cost_low", cost * low / time) &&
           json_put_number(row, "cost_high", cost * high / time);
}

static bool put_about(json_t *row, const json_t *point, const json_t *forecast)
{
    struct human time, interval, efficiency, cost;
    char *nodes = point_node_text(point);
    int processes = json_get_count(point, "processes");
    double money = json_get_number(point, "cost");
    human_interval(&interval, json_get_number(point, "low_s"), json_get_number(point, "high_s"));
    bool done =
        nodes &&
        json_put_text(row, "about", "%s: %d %s%s%s: %s%s%s%s, efficiency %s%s%s",
                      json_get_text(forecast, "series"), processes, processes == 1 ? "process" : "processes",
                      *nodes ? " on " : "", nodes, human_time(&time, json_get_number(point, "time_s")),
                      *interval.text ? " (" : "", interval.text, *interval.text ? ")" : "",
                      human_percent(&efficiency, json_get_number(point, "efficiency_ratio")),
                      isfinite(money) ? ", " : "",
                      isfinite(money) ? human_cost(&cost, money, json_get_text(forecast, "currency")) : "");
    free(nodes);
    return done;
}

static json_t *point_row(const json_t *point, const json_t *forecast)
{
    static const char *const copied[] = {"processes",        "time_s",  "low_s", "high_s",
                                         "efficiency_ratio", "speedup", "cost"};
    json_t *row = json_object();
    bool done = row && json_object_set(row, "series", json_object_get(forecast, "series")) == 0;
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        done = done && json_put_number(row, copied[i], json_get_number(point, copied[i]));
    done = done && json_put_number(row, "nodes", point_nodes(point)) && put_intervals(row, point) &&
           put_about(row, point, forecast);
    if (done) return row;
    json_decref(row);
    return NULL;
}

/* Over nodes a chart shows the fastest process count of each. */
static bool mark_best_of_nodes(json_t *rows, size_t first)
{
    json_t *fastest = json_object(); /* number of nodes: its shortest time */
    bool done = fastest != NULL;
    char nodes[32];
    for (size_t i = first; done && i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        snprintf(nodes, sizeof nodes, "%.0f", json_get_number(row, "nodes"));
        if (!(json_get_number(fastest, nodes) <= json_get_number(row, "time_s")))
            done = json_put_number(fastest, nodes, json_get_number(row, "time_s"));
    }
    for (size_t i = first; done && i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i);
        snprintf(nodes, sizeof nodes, "%.0f", json_get_number(row, "nodes"));
        bool best = json_get_number(fastest, nodes) == json_get_number(row, "time_s");
        done = json_object_set_new(row, "best_of_nodes", json_boolean(best)) == 0;
    }
    json_decref(fastest);
    return done;
}

/* Step of a logarithmic ruler between the first and the last count on which a count lies. */
static int ruler(const json_t *points, double processes)
{
    double first = json_get_number(json_array_get(points, 0), "processes");
    double last = json_get_number(json_array_get(points, json_array_size(points) - 1), "processes");
    if (!(first >= 1) || !(last > first) || !(last <= 1e9) || !(processes >= first) || !(processes <= last))
        return -1;
    return (int)(PAGE_MAX_POINTS * log(processes / first) / log(last / first));
}

/* A forecast of very many counts is drawn at evenly spread ones and at those that the answer names. */
static bool draws_point(const json_t *forecast, size_t i)
{
    static const char *const named[] = {"fastest", "cheapest", "turning_point", "under_deadline",
                                        "under_budget"};
    const json_t *points = json_object_get(forecast, "points"), *point = json_array_get(points, i);
    double processes = json_get_number(point, "processes");
    if (!(json_get_number(point, "time_s") > 0) || !(processes > 0)) return false;
    if (i == 0 || json_array_size(points) <= PAGE_MAX_POINTS) return true;
    for (size_t k = 0; k < sizeof named / sizeof *named; k++)
        if (json_get_number(json_object_get(json_object_get(forecast, "best"), named[k]), "processes") ==
            processes)
            return true;
    return ruler(points, processes) !=
           ruler(points, json_get_number(json_array_get(points, i - 1), "processes"));
}

static bool add_points(json_t *rows, const json_t *forecast)
{
    size_t first = json_array_size(rows), i;
    json_t *point;
    json_array_foreach(json_object_get(forecast, "points"), i,
                       point) if (draws_point(forecast, i) &&
                                  json_array_append_new(rows, point_row(point, forecast)) != 0) return false;
    return mark_best_of_nodes(rows, first);
}

/* The point that the reader looks for, with its label; no row when the forecast has none. */
static bool add_chosen(struct page *page, const char *dataset, const char *which, const char *label)
{
    json_t *rows = json_array();
    const json_t *point = forecast_best(page_answer(page), which);
    bool done = rows != NULL;
    if (done && point) {
        json_t *row = point_row(point, page_answer(page));
        done = row && json_put_text(row, "label", "%s", label) && json_array_append(rows, row) == 0;
        json_decref(row);
    }
    return done ? json_object_set_new(page->datasets, dataset, rows) == 0 : (json_decref(rows), false);
}

/* Speed-up of a program that wastes nothing: the relative speeds of the cores used, added up. */
static bool add_ideal(struct page *page)
{
    json_t *rows = json_array();
    bool done = rows != NULL;
    size_t i;
    json_t *point;
    json_array_foreach(json_object_get(page_answer(page), "points"), i, point)
    {
        if (!(json_get_number(point, "processes") > 0)) continue;
        json_t *row = json_object();
        double speedup = json_get_number(point, "speedup"),
               efficiency = json_get_number(point, "efficiency_ratio");
        done = done && row && json_put_number(row, "processes", json_get_number(point, "processes")) &&
               json_put_number(row, "nodes", point_nodes(point)) &&
               json_put_number(row, "speedup", speedup / efficiency) && json_array_append(rows, row) == 0;
        json_decref(row);
    }
    return done && json_object_set_new(page->datasets, "ideal", rows) == 0;
}

bool page_add_forecasts(struct page *page)
{
    page->forecasts = json_array();
    json_t *rows = json_array();
    if (!page->forecasts || !rows || json_object_set_new(page->datasets, "points", rows) != 0) return false;
    if (!select_forecasts(page)) return false;
    size_t i;
    json_t *forecast;
    json_array_foreach(page->forecasts, i, forecast) if (!add_points(rows, forecast)) return false;
    return add_chosen(page, "chosen", "turning_point", "more do not pay") &&
           add_chosen(page, "cheapest", "cheapest", "cheapest") && add_ideal(page);
}
