/*
 * Specifications of the charts: the embedded files, with what depends on the data filled in (scales, the runs
 * to choose from, the text for those who do not see the chart). A chart without data is left out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "page.h"

static json_t *dataset(const struct page *page, const char *name)
{
    return json_object_get(page->datasets, name);
}

static bool has_value(const json_t *rows, const char *field)
{
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row) if (json_is_number(json_object_get(row, field))) return true;
    return false;
}

/* Largest / smallest positive value of a field over two datasets. */
static double spread(const json_t *rows, const json_t *more, const char *field)
{
    double low = INFINITY, high = 0;
    const json_t *both[] = {rows, more};
    for (int k = 0; k < 2; k++) {
        size_t i;
        json_t *row;
        json_array_foreach(both[k], i, row)
        {
            double value = json_get_number(row, field);
            if (value > 0) low = fmin(low, value);
            if (value > 0) high = fmax(high, value);
        }
    }
    return high > 0 ? high / low : 1;
}

static json_t *load(enum report_asset asset)
{
    struct report_text file = report_asset(asset);
    return json_loadb(file.text, file.length, 0, NULL);
}

/* Give a channel of every layer a member, where the layer draws this field with it (NULL: any). Takes the
 * value. */
static bool set_in_layers(json_t *chart, const char *channel, const char *field, const char *member,
                          json_t *value)
{
    bool done = value != NULL;
    size_t i;
    json_t *layer;
    json_array_foreach(json_object_get(chart, "layer"), i, layer)
    {
        json_t *definition = json_object_get(json_object_get(layer, "encoding"), channel);
        const char *drawn = json_get_text(definition, "field");
        if (drawn && (!field || strcmp(drawn, field) == 0))
            done = done && json_object_set(definition, member, value) == 0;
    }
    json_decref(value);
    return done;
}

/* Long ranges of processes and speed-up are drawn by powers of two, long ranges of time by powers of ten. */
static bool fit_scales(const struct page *page, json_t *chart, const char *field)
{
    const json_t *points = dataset(page, "points"), *measured = dataset(page, "measured");
    json_t *x = json_object_get(json_object_get(chart, "encoding"), "x");
    bool wide = spread(points, measured, "processes") >= 8;
    json_t *scale =
        wide ? json_pack("{s:s, s:i, s:b, s:i}", "type", "log", "base", 2, "nice", 0, "padding", 8)
             : json_pack("{s:s, s:b, s:b, s:i}", "type", "linear", "zero", 0, "nice", 0, "padding", 8);
    bool done = json_object_set_new(x, "scale", scale) == 0;
    if (strcmp(field, "time_s") == 0 && spread(points, measured, field) >= 10)
        done = done &&
               set_in_layers(chart, "y", field, "scale", json_pack("{s:s, s:b}", "type", "log", "nice", 0));
    if (strcmp(field, "speedup") == 0 && wide)
        done = done && set_in_layers(chart, "y", field, "scale",
                                     json_pack("{s:s, s:i, s:b}", "type", "log", "base", 2, "nice", 0));
    return done;
}

/* One series needs no legend; a cost is in a currency. */
static bool fit_titles(const struct page *page, json_t *chart, const char *field)
{
    const char *currency = json_get_text(page_answer(page), "currency");
    bool done =
        json_array_size(page->forecasts) > 1 || set_in_layers(chart, "color", NULL, "legend", json_null());
    if (strcmp(field, "cost") != 0 || !currency) return done;
    json_t *named = json_object();
    done = done && named && json_put_text(named, "title", "cost [%s]", currency) &&
           set_in_layers(chart, "y", field, "title", json_incref(json_object_get(named, "title")));
    json_decref(named);
    return done;
}

/* Layers without a value would only stretch the scales. */
static void drop_empty_layers(const struct page *page, json_t *chart)
{
    const char *shared = json_get_text(json_object_get(chart, "data"), "name");
    json_t *layers = json_object_get(chart, "layer");
    for (size_t i = json_array_size(layers); i-- > 0;) {
        const json_t *layer = json_array_get(layers, i);
        const char *own = json_get_text(json_object_get(layer, "data"), "name");
        const char *field = json_get_text(json_object_get(json_object_get(layer, "encoding"), "y"), "field");
        if (!has_value(dataset(page, own ? own : shared), field)) json_array_remove(layers, i);
    }
}

static bool add_scaling_chart(struct page *page, const char *name, enum report_asset asset, const char *field)
{
    const json_t *points = dataset(page, "points"), *measured = dataset(page, "measured");
    bool drawable = has_value(points, field) || (strcmp(field, "cost") != 0 && has_value(measured, field));
    if (!drawable) return true;
    json_t *chart = load(asset);
    bool done = chart && fit_scales(page, chart, field) && fit_titles(page, chart, field) &&
                json_put_text(chart, "description",
                              "%s over the number of processes: %zu forecast points, %zu measured runs", name,
                              json_array_size(points), json_array_size(measured)) &&
                json_object_set(page->charts, name, chart) == 0;
    if (done) drop_empty_layers(page, chart);
    json_decref(chart);
    return done;
}

/* Runs that occur in a dataset, in its order. */
static json_t *runs_of(const json_t *rows)
{
    json_t *runs = json_array();
    size_t i;
    json_t *row;
    const char *last = "";
    json_array_foreach(rows, i, row)
    {
        const char *run = json_get_text(row, "run");
        if (run && strcmp(run, last) != 0) json_array_append(runs, json_object_get(row, "run"));
        if (run) last = run;
    }
    return runs;
}

static bool contains(const json_t *array, const json_t *value)
{
    size_t i;
    json_t *member;
    json_array_foreach(array, i, member) if (json_equal(member, value)) return true;
    return false;
}

/* How many different values a field has: bars or rows of the largest run. */
static size_t count_values(const json_t *rows, const char *field)
{
    json_t *values = json_object();
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row) if (json_get_text(row, field))
        json_object_set_new(values, json_get_text(row, field), json_true());
    size_t n = json_object_size(values);
    json_decref(values);
    return n;
}

/* Few bars or cells have a size of their own, many share the room. */
static bool fit_size(json_t *chart, const char *name, const json_t *rows)
{
    bool is_matrix = strcmp(name, "matrix") == 0;
    size_t n = count_values(rows, is_matrix ? "from" : "rank");
    if (n == 0 || n > (is_matrix ? 64 : 16)) return true;
    int step = is_matrix ? (int)(400 / n < 48 ? 400 / n : 48) : 56;
    bool done = json_object_set_new(chart, "width", json_pack("{s:i}", "step", step)) == 0;
    return done &&
           (!is_matrix || json_object_set_new(chart, "height", json_pack("{s:i}", "step", step)) == 0);
}

/* Fill the chooser of runs: the options, and the run that is shown first. */
static bool add_run_chart(struct page *page, const char *name, enum report_asset asset,
                          const char *description)
{
    json_t *runs = runs_of(dataset(page, name));
    if (json_array_size(runs) == 0) return json_decref(runs), true;
    json_t *chart = load(asset), *parameter = json_array_get(json_object_get(chart, "params"), 0);
    char *shown = page->shown ? run_label(page->shown) : NULL;
    json_t *value = shown ? json_string(shown) : NULL;
    if (!value || !contains(runs, value)) {
        json_decref(value);
        value = json_incref(json_array_get(runs, 0));
    }
    bool done = chart && fit_size(chart, name, dataset(page, name)) &&
                json_object_set(json_object_get(parameter, "bind"), "options", runs) == 0 &&
                json_object_set(parameter, "value", value) == 0 &&
                json_put_text(chart, "description", "%s", description) &&
                json_object_set(page->charts, name, chart) == 0;
    free(shown);
    json_decref(value);
    json_decref(runs);
    json_decref(chart);
    return done;
}

bool page_add_charts(struct page *page)
{
    return add_scaling_chart(page, "time", REPORT_TIME, "time_s") &&
           add_scaling_chart(page, "efficiency", REPORT_EFFICIENCY, "efficiency_ratio") &&
           add_scaling_chart(page, "speedup", REPORT_SPEEDUP, "speedup") &&
           add_scaling_chart(page, "cost", REPORT_COST, "cost") &&
           add_run_chart(page, "ranks", REPORT_RANKS,
                         "time of each rank: computing, communication, waiting") &&
           add_run_chart(page, "matrix", REPORT_MATRIX, "bytes and messages from rank to rank");
}
