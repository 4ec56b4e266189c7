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

/* A chart over the processes: its file, the field along y, and the ends of its interval. */
static const struct scaling_chart {
    const char *name;
    enum report_asset asset;
    const char *field, *low, *high;
} scaling_charts[] = {
    {"time", REPORT_TIME, "time_s", "low_s", "high_s"},
    {"efficiency", REPORT_EFFICIENCY, "efficiency_ratio", "efficiency_low", "efficiency_high"},
    {"speedup", REPORT_SPEEDUP, "speedup", "speedup_low", "speedup_high"},
    {"cost", REPORT_COST, "cost", "cost_low", "cost_high"},
};

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

/* Smallest and largest positive value; empty when low > high. */
struct range {
    double low, high;
};

static struct range range_of(struct range range, const json_t *rows, const char *field)
{
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        double value = json_get_number(row, field);
        if (value > 0) range = (struct range){fmin(range.low, value), fmax(range.high, value)};
    }
    return range;
}

static struct range drawn_range(const struct page *page, const char *field)
{
    struct range range = range_of((struct range){INFINITY, 0}, dataset(page, "points"), field);
    if (strcmp(field, "speedup") == 0) range = range_of(range, dataset(page, "ideal"), field);
    return range_of(range, dataset(page, "measured"), field);
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

/* The ends of an interval that is off by orders of magnitude would press everything else flat: it is cut. */
static struct range band_range(struct page *page, struct range points, const char *low, const char *high)
{
    const json_t *rows = dataset(page, "points");
    struct range band = range_of(range_of(points, rows, low), rows, high);
    struct range cut = {fmax(band.low, points.low / 2), fmin(band.high, points.high * 2)};
    page->cut_bands |= band.low < cut.low || band.high > cut.high;
    return cut;
}

/* Long ranges of processes and speed-up are drawn by powers of two, long ranges of time by powers of ten. */
static bool fit_scales(struct page *page, json_t *chart, const struct scaling_chart *kind)
{
    json_t *x = json_object_get(json_object_get(chart, "encoding"), "x");
    struct range counts = drawn_range(page, "processes"), points = drawn_range(page, kind->field);
    struct range shown = band_range(page, points, kind->low, kind->high);
    bool wide = counts.high >= 8 * counts.low;
    bool is_time = strcmp(kind->name, "time") == 0, is_speedup = strcmp(kind->name, "speedup") == 0;
    bool logarithmic = (is_time && points.high >= 10 * points.low) || (is_speedup && wide);
    json_t *scale =
        wide ? json_pack("{s:s, s:i, s:b, s:i}", "type", "log", "base", 2, "nice", 0, "padding", 8)
             : json_pack("{s:s, s:b, s:b, s:i}", "type", "linear", "zero", 0, "nice", 0, "padding", 8);
    bool done = json_object_set_new(x, "scale", scale) == 0;
    if (logarithmic)
        scale = json_pack("{s:s, s:i, s:b, s:[f, f]}", "type", "log", "base", is_speedup ? 2 : 10, "nice", 0,
                          "domain", shown.low, shown.high);
    else
        scale = json_pack("{s:s, s:b, s:[f, f]}", "type", "linear", "nice", 1, "domain", 0.0, shown.high);
    return done && set_in_layers(chart, "y", kind->field, "scale", scale);
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

/* A label in the right third of the chart stands to the left of its point, so that it stays inside. */
static bool place_label(const struct page *page, json_t *chart)
{
    struct range counts = drawn_range(page, "processes");
    bool done = true;
    size_t i;
    json_t *layer;
    json_array_foreach(json_object_get(chart, "layer"), i, layer)
    {
        const char *name = json_get_text(layer, "name"),
                   *data = json_get_text(json_object_get(layer, "data"), "name");
        if (!name || strcmp(name, "chosen_text") != 0) continue;
        double processes = json_get_number(json_array_get(dataset(page, data), 0), "processes");
        if (log(processes / counts.low) > 2.0 / 3 * log(counts.high / counts.low))
            done = json_object_update_new(json_object_get(layer, "mark"),
                                          json_pack("{s:s, s:i}", "align", "right", "dx", 8)) == 0;
    }
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

static bool add_scaling_chart(struct page *page, const struct scaling_chart *kind)
{
    const json_t *points = dataset(page, "points"), *measured = dataset(page, "measured");
    if (!has_value(points, kind->field) && !has_value(measured, kind->field)) return true;
    json_t *chart = load(kind->asset);
    bool done = chart && fit_scales(page, chart, kind) && fit_titles(page, chart, kind->field) &&
                place_label(page, chart) &&
                json_put_text(chart, "description",
                              "%s over the number of processes: %zu forecast points, %zu measured runs",
                              kind->name, json_array_size(points), json_array_size(measured)) &&
                json_object_set(page->charts, kind->name, chart) == 0;
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
    for (size_t i = 0; i < sizeof scaling_charts / sizeof *scaling_charts; i++)
        if (!add_scaling_chart(page, &scaling_charts[i])) return false;
    return add_run_chart(page, "ranks", REPORT_RANKS,
                         "time of each rank: computing, communication, waiting") &&
           add_run_chart(page, "matrix", REPORT_MATRIX, "bytes and messages from rank to rank");
}
