/*
 * How the forecast knows: what was fitted on which runs, how far off it is on runs that it has not seen, and
 * which run would narrow it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "page.h"

static void add_list(struct html *html, const json_t *texts)
{
    size_t i;
    json_t *text;
    if (json_array_size(texts) == 0) return;
    html_add(html, "<ul class=\"notes\">\n");
    json_array_foreach(texts, i, text) if (json_is_string(text))
        html_add(html, "<li>%s</li>\n", json_string_value(text));
    html_add(html, "</ul>\n");
}

static void add_errors(struct html *html, const json_t *report, bool is_bound)
{
    struct human mean, worst, far;
    double mean_ratio = json_get_number(report, "loo_mean_ratio"),
           far_ratio = json_get_number(report, "extrapolation_ratio");
    html_add(html, "<p>");
    if (isfinite(mean_ratio))
        html_add(html,
                 "Each %s was left out of the fit in turn and forecast from the others: off by "
                 "<strong>%s</strong> on average, "
                 "%s at worst. ",
                 is_bound ? "size" : "run", human_percent(&mean, mean_ratio),
                 human_percent(&worst, json_get_number(report, "loo_worst_ratio")));
    else if (is_bound)
        html_add(html, "Nothing was extrapolated over sizes. ");
    else
        html_add(html,
                 "There were too few runs to leave one out, so the error on unseen runs is not known. ");
    if (isfinite(far_ratio))
        html_add(html,
                 "The largest %s, forecast from the smaller ones alone, was missed by <strong>%s</strong>.",
                 is_bound ? "size" : "count", human_percent(&far, far_ratio));
    html_add(html, "</p>\n");
}

static void add_used_run(struct html *html, const json_t *run)
{
    struct human text;
    double measured_s = json_get_number(run, "time_s"), left_out_s = json_get_number(run, "left_out_s");
    html_add(html, "<tr>");
    table_number(html, human_count(&text, json_get_number(run, "id")));
    table_number(html, human_count(&text, json_get_number(run, "processes")));
    table_number(html, human_count(&text, json_get_number(run, "nodes")));
    table_number(html, human_time(&text, measured_s));
    table_number(html, human_time(&text, json_get_number(run, "fitted_s")));
    table_number(html, human_time(&text, left_out_s));
    table_number(html, human_percent(&text, left_out_s / measured_s - 1));
    table_bar(html, human_number(&text, json_get_number(run, "weight"), 2), json_get_number(run, "weight"));
    table_text(html, json_is_true(json_object_get(run, "oversubscribed")) ? "more ranks than cores" : "");
    html_add(html, "</tr>\n");
}

static void add_used_runs(struct html *html, const json_t *runs)
{
    static const char *const titles[] = {
        "#run",    "#processes", "#nodes", "#measured", "#fitted", "#forecast without it",
        "#off by", "#weight",    "",       NULL};
    size_t i;
    json_t *run;
    if (json_array_size(runs) == 0) return;
    html_add(html, "<h3>Runs used</h3>\n");
    table_begin(html, NULL, titles);
    json_array_foreach(runs, i, run) add_used_run(html, run);
    table_end(html, NULL);
}

/* What the runs say about a parameter: its own note where it has one. */
static const char *standing(const json_t *parameter)
{
    const char *note = json_get_text(parameter, "note");
    if (note && *note) return note;
    if (json_is_true(json_object_get(parameter, "fixed"))) return "set, not fitted";
    if (json_is_true(json_object_get(parameter, "prior_only")))
        return "assumed: the runs say nothing about it";
    if (json_is_false(json_object_get(parameter, "identifiable"))) return "loosely known";
    return "known";
}

static void add_parameter(struct html *html, const json_t *parameter)
{
    struct human value, low, high;
    const char *advice = json_get_text(parameter, "advice"), *unit = json_get_text(parameter, "unit");
    double low_value = json_get_number(parameter, "low"), high_value = json_get_number(parameter, "high");
    html_add(html, "<tr>");
    table_text(html, json_get_text(parameter, "name"));
    html_add(html, "<td class=\"n\">%s %s</td><td class=\"n\">",
             human_number(&value, json_get_number(parameter, "value"), 3), unit);
    if (isfinite(low_value) && isfinite(high_value))
        html_add(html, "%s to %s", human_number(&low, low_value, 3), human_number(&high, high_value, 3));
    html_add(html, "</td>");
    table_text(html, standing(parameter));
    table_text(html, advice);
    html_add(html, "</tr>\n");
}

static void add_parameters(struct html *html, const json_t *parameters)
{
    static const char *const titles[] = {
        "parameter", "#value", "#95 % interval", "what the runs say", "would be known from", NULL};
    size_t i;
    json_t *parameter;
    if (json_array_size(parameters) == 0) return;
    html_add(html, "<h3>Fitted parameters</h3>\n");
    table_begin(html, NULL, titles);
    json_array_foreach(parameters, i, parameter) add_parameter(html, parameter);
    table_end(html, NULL);
}

static void add_functions(struct html *html, const json_t *functions)
{
    static const char *const titles[] = {"quantity", "chosen scaling function", "#error on left-out runs",
                                         NULL};
    struct human text;
    size_t i;
    json_t *function;
    if (json_array_size(functions) == 0) return;
    html_add(html, "<h3>Scaling functions</h3>\n<p>Chosen from several by their error on runs that were left "
                   "out.</p>\n");
    table_begin(html, NULL, titles);
    json_array_foreach(functions, i, function)
    {
        html_add(html, "<tr>");
        table_text(html, json_get_text(function, "quantity"));
        html_add(html, "<td><code>%s</code></td>", json_get_text(function, "form"));
        table_number(html, human_percent(&text, json_get_number(function, "loo_ratio")));
        html_add(html, "</tr>\n");
    }
    table_end(html, NULL);
}

static void add_advice(struct html *html, const json_t *forecast)
{
    struct human gain, cost;
    size_t i;
    json_t *run;
    const json_t *advice = json_object_get(forecast, "advice");
    if (json_array_size(advice) == 0) return;
    html_add(html, "<h3>The run that would narrow it most</h3>\n<ol>\n");
    json_array_foreach(advice, i, run)
    {
        double money = json_get_number(run, "cost"), processes = json_get_number(run, "processes"),
               nodes = json_get_number(run, "nodes");
        html_add(html, "<li>%.0f %s", processes, processes == 1 ? "process" : "processes");
        if (isfinite(nodes)) html_add(html, " on %.0f %s", nodes, nodes == 1 ? "node" : "nodes");
        html_add(html, ": the variance of the forecast falls by %s",
                 human_percent(&gain, json_get_number(run, "gain_ratio")));
        if (isfinite(money))
            html_add(html, ", for %s", human_cost(&cost, money, json_get_text(forecast, "currency")));
        html_add(html, "</li>\n");
    }
    html_add(html, "</ol>\n");
}

static void add_fit(struct html *html, const json_t *forecast)
{
    const json_t *report = json_object_get(forecast, "report");
    if (!json_is_object(report)) {
        add_list(html, json_object_get(forecast, "notes"));
        html_add(html, "<p class=\"empty\">This forecast says nothing about its fit.</p>\n");
        return;
    }
    add_errors(html, report, forecast_is_bound(forecast));
    add_list(html, json_object_get(forecast, "notes"));
    add_list(html, json_object_get(report, "notes"));
    add_advice(html, forecast);
    add_used_runs(html, json_object_get(report, "runs"));
    add_parameters(html, json_object_get(report, "parameters"));
    add_functions(html, json_object_get(report, "functions"));
}

void page_write_fit(struct page *page)
{
    struct html *html = &page->html;
    size_t n = json_array_size(page->forecasts), i;
    json_t *forecast;
    if (n == 0) return;
    html_add(html, "<section id=\"fit\"><h2>How the forecast knows</h2>\n");
    json_array_foreach(page->forecasts, i, forecast)
    {
        if (i > 0)
            html_add(html, "<details><summary>The same for %s</summary>\n",
                     json_get_text(forecast, "series"));
        add_fit(html, forecast);
        if (i > 0) html_add(html, "</details>\n");
    }
    html_add(html, "</section>\n");
}
