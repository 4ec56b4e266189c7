/*
 * The answer in a sentence: how long, on how much, at what cost, and from where on more does not pay.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "page.h"

/* "16 processes on 4 nodes (2 x small + 2 x big)" */
static void add_where(struct html *html, const json_t *point, bool types)
{
    int processes = json_get_count(point, "processes"), nodes = point_nodes(point);
    html_add(html, "%d\u00a0%s", processes, processes == 1 ? "process" : "processes");
    if (nodes > 0) html_add(html, " on %d\u00a0%s", nodes, nodes == 1 ? "node" : "nodes");
    if (!types) return;
    char *text = point_node_text(point);
    if (text && strstr(text, "\u00d7")) html_add(html, " (%s)", text);
    free(text);
}

static void add_time(struct html *html, const json_t *point)
{
    struct human time, interval;
    html_add(html, "<strong>%s</strong>", human_time(&time, json_get_number(point, "time_s")));
    human_interval(&interval, json_get_number(point, "low_s"), json_get_number(point, "high_s"));
    if (*interval.text) html_add(html, " <span class=\"interval\">(%s, 95\u00a0%%)</span>", interval.text);
}

static void add_cost(struct html *html, const json_t *point, const json_t *forecast)
{
    struct human cost;
    double money = json_get_number(point, "cost");
    if (isfinite(money))
        html_add(html, " for <strong>%s</strong>",
                 human_cost(&cost, money, json_get_text(forecast, "currency")));
}

/* The point that the answer begins with: under a deadline or budget that one, else where more stops paying.
 */
static const json_t *headline(const json_t *forecast)
{
    static const char *const order[] = {"under_deadline", "under_budget", "turning_point", "fastest"};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const json_t *point = forecast_best(forecast, order[i]);
        if (point) return point;
    }
    return json_array_get(json_object_get(forecast, "points"), 0);
}

static void add_limits(struct html *html, const json_t *forecast)
{
    struct human limit;
    double deadline_s = json_get_number(forecast, "deadline_s"), budget = json_get_number(forecast, "budget");
    const json_t *in_time = forecast_best(forecast, "under_deadline"),
                 *in_budget = forecast_best(forecast, "under_budget");
    if (isfinite(deadline_s) && in_time)
        html_add(html, "This is the cheapest way to finish within %s. ", human_time(&limit, deadline_s));
    else if (isfinite(deadline_s))
        html_add(html, "<strong>Nothing finishes within %s on this platform.</strong> ",
                 human_time(&limit, deadline_s));
    if (!isfinite(budget)) return;
    human_cost(&limit, budget, json_get_text(forecast, "currency"));
    if (!in_budget) {
        html_add(html, "<strong>Nothing finishes for %s or less.</strong> ", limit.text);
    } else {
        html_add(html, "For at most %s the fastest is ", limit.text);
        add_where(html, in_budget, false);
        html_add(html, ", ");
        add_time(html, in_budget);
        html_add(html, ". ");
    }
}

static void add_turning_point(struct html *html, const json_t *forecast)
{
    const json_t *turning = forecast_best(forecast, "turning_point"),
                 *fastest = forecast_best(forecast, "fastest");
    if (!turning || !fastest) return;
    struct human time, gain;
    int processes = json_get_count(turning, "processes");
    double ratio = 1 - json_get_number(fastest, "time_s") / json_get_number(turning, "time_s");
    if (turning == fastest) {
        const json_t *points = json_object_get(forecast, "points");
        bool last = turning == json_array_get(points, json_array_size(points) - 1);
        html_add(html,
                 last ? "Within the counts asked for, more processes always pay. "
                      : "More than %d processes only make it slower. ",
                 processes);
        return;
    }
    html_add(html, "More than %d processes do not pay: the fastest, ", processes);
    add_where(html, fastest, false);
    html_add(html, ", takes %s, only %s less. ", human_time(&time, json_get_number(fastest, "time_s")),
             human_percent(&gain, ratio));
}

static void add_cheapest(struct html *html, const json_t *forecast)
{
    const json_t *cheapest = forecast_best(forecast, "cheapest");
    if (!cheapest || !isfinite(json_get_number(cheapest, "cost")) || cheapest == headline(forecast)) return;
    struct human time;
    html_add(html, "The cheapest is ");
    add_where(html, cheapest, false);
    html_add(html, ": %s", human_time(&time, json_get_number(cheapest, "time_s")));
    add_cost(html, cheapest, forecast);
    html_add(html, ". ");
}

/* An interval that spans a factor of three is no answer yet: say which run would make it one. */
static void add_doubt(struct html *html, const json_t *forecast)
{
    const json_t *point = headline(forecast), *run = json_array_get(json_object_get(forecast, "advice"), 0);
    double ratio = json_get_number(point, "high_s") / json_get_number(point, "low_s");
    if (!(ratio > 3)) return;
    html_add(html, "<strong>The interval is wide</strong>: the runs say little about %.0f processes. ",
             json_get_number(point, "processes"));
    if (!run) return;
    html_add(html, "A measured run of ");
    add_where(html, run, false);
    html_add(html, " would narrow it most. ");
}

static void add_card(struct html *html, const json_t *forecast, const char *which, const char *title)
{
    const json_t *point = forecast_best(forecast, which);
    struct human time, cost;
    if (!point) return;
    double money = json_get_number(point, "cost");
    html_add(html,
             "<li><span class=\"card-title\">%s</span><span class=\"card-value\">%s</span><span "
             "class=\"card-detail\">",
             title, human_time(&time, json_get_number(point, "time_s")));
    add_where(html, point, true);
    if (isfinite(money))
        html_add(html, " \u00b7 %s", human_cost(&cost, money, json_get_text(forecast, "currency")));
    html_add(html, "</span></li>\n");
}

static void add_trust(struct html *html, const json_t *forecast)
{
    struct human mean;
    const json_t *report = json_object_get(forecast, "report"), *runs = json_object_get(report, "runs");
    double largest = 0, error = json_get_number(report, "loo_mean_ratio");
    size_t i;
    json_t *run;
    json_array_foreach(runs, i, run) largest = fmax(largest, json_get_number(run, "processes"));
    html_add(html, "<p class=\"quiet\">Forecast by engine <em>%s</em>", json_get_text(forecast, "series"));
    if (json_array_size(runs) > 0)
        html_add(html, ", %s %zu %s of up to %.0f processes",
                 forecast_is_bound(forecast) ? "from estimates and" : "fitted on", json_array_size(runs),
                 json_array_size(runs) == 1 ? "run" : "runs", largest);
    if (isfinite(error))
        html_add(html, "; %s that were left out of the fit were missed by %s on average",
                 forecast_is_bound(forecast) ? "sizes" : "runs", human_percent(&mean, error));
    html_add(html, ". <a href=\"#fit\">How it knows</a></p>\n");
}

static void write_forecast_answer(struct html *html, const json_t *forecast)
{
    const json_t *point = headline(forecast);
    html_add(html, "<p class=\"headline\"><strong>");
    add_where(html, point, true);
    bool one = json_get_number(point, "processes") == 1;
    if (forecast_is_bound(forecast))
        html_add(html, "</strong> %s at least ", one ? "takes" : "take");
    else
        html_add(html, "</strong> %s in ", one ? "finishes" : "finish");
    add_time(html, point);
    add_cost(html, point, forecast);
    html_add(html, ".</p>\n<p class=\"more\">");
    add_limits(html, forecast);
    add_turning_point(html, forecast);
    add_cheapest(html, forecast);
    add_doubt(html, forecast);
    html_add(html, "</p>\n<ul class=\"cards\">\n");
    add_card(html, forecast, "under_deadline", "Within the deadline");
    add_card(html, forecast, "under_budget", "Within the budget");
    add_card(html, forecast, "turning_point", "Turning point");
    add_card(html, forecast, "fastest", "Fastest");
    add_card(html, forecast, "cheapest", "Cheapest");
    html_add(html, "</ul>\n");
    add_trust(html, forecast);
}

/* Without a forecast the answer is what was measured, and how to get one. */
static void write_measured_answer(struct html *html, const parcast_report_content *content)
{
    const parcast_run *fastest = NULL;
    struct human time;
    for (size_t i = 0; i < content->n_runs; i++)
        if (content->runs[i].complete && content->runs[i].time_s > 0 &&
            (!fastest || content->runs[i].time_s < fastest->time_s))
            fastest = &content->runs[i];
    html_add(html, "<p class=\"headline\">No forecast has been made yet.</p>\n<p class=\"more\">");
    if (fastest)
        html_add(html, "The fastest of the measured runs took %s with %d %s. ",
                 human_time(&time, fastest->time_s), fastest->n_ranks,
                 fastest->n_ranks == 1 ? "process" : "processes");
    else
        html_add(html, "No run of this program is complete either. ");
    html_add(html,
             "<code>parcast predict %s --on PLATFORM</code> makes one; then write this page again.</p>\n",
             content->study ? content->study : "STUDY");
}

void page_write_answer(struct page *page)
{
    const json_t *forecast = page_answer(page);
    html_add(&page->html, "<section id=\"answer\" aria-label=\"The answer\">\n");
    if (forecast)
        write_forecast_answer(&page->html, forecast);
    else
        write_measured_answer(&page->html, page->content);
    if (page->n_unreadable)
        html_add(&page->html, "<p class=\"warning\">%zu stored %s could not be read and %s left out.</p>\n",
                 page->n_unreadable, page->n_unreadable == 1 ? "forecast" : "forecasts",
                 page->n_unreadable == 1 ? "is" : "are");
    if (page->n_older)
        html_add(&page->html,
                 "<p class=\"quiet\">%zu older forecasts for other machines are not drawn.</p>\n",
                 page->n_older);
    html_add(&page->html, "</section>\n");
}
