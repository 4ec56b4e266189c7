/*
 * The sections about the program: how it scales, where its time goes, what its ranks say to each other. Each
 * chart has the table of its numbers below.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "page.h"

void page_write_figure(struct page *page, const char *chart, const char *caption, const char *description)
{
    if (!json_object_get(page->charts, chart)) return;
    html_add(&page->html,
             "<figure class=\"figure-%s\"><figcaption>%s</figcaption>"
             "<div class=\"chart\" data-chart=\"%s\" aria-label=\"%s\"></div></figure>\n",
             chart, caption, chart, description);
}

static void add_forecast_row(struct html *html, const json_t *point, const json_t *forecast)
{
    struct human text, more;
    const char *currency = json_get_text(forecast, "currency");
    char *nodes = point_node_text(point);
    double time_s = json_get_number(point, "time_s");
    html_add(html, json_get_number(point, "processes") ==
                           json_get_number(forecast_best(forecast, "turning_point"), "processes")
                       ? "<tr class=\"chosen\">"
                       : "<tr>");
    table_number(html, human_count(&text, json_get_number(point, "processes")));
    table_text(html, nodes);
    table_number(html, human_time(&text, time_s));
    table_number(html,
                 human_interval(&text, json_get_number(point, "low_s"), json_get_number(point, "high_s")));
    table_number(html, human_time(&text, json_get_number(point, "compute_s")));
    table_number(html, human_time(&text, json_get_number(point, "communication_s")));
    table_number(html, human_number(&text, json_get_number(point, "speedup"), 3));
    table_number(html, human_percent(&text, json_get_number(point, "efficiency_ratio")));
    table_number(html, human_cost(&more, json_get_number(point, "cost"), currency));
    table_text(html, json_get_text(point, "limit"));
    html_add(html, "</tr>\n");
    free(nodes);
}

static void add_forecast_table(struct html *html, const json_t *forecast)
{
    static const char *const titles[] = {"#processes", "nodes",          "#time",     "#95 % interval",
                                         "#computing", "#communication", "#speed-up", "#efficiency",
                                         "#cost",      "limited by",     NULL};
    char summary[256];
    const json_t *points = json_object_get(forecast, "points");
    snprintf(summary, sizeof summary, "Forecast by %.150s as a table", json_get_text(forecast, "series"));
    table_begin(html, summary, titles);
    size_t n = json_array_size(points), i;
    json_t *point;
    json_array_foreach(points, i, point)
    {
        if (i >= PAGE_MAX_TABLE_ROWS) break;
        if (json_get_number(point, "time_s") > 0) add_forecast_row(html, point, forecast);
    }
    table_end(html, NULL);
    if (n > PAGE_MAX_TABLE_ROWS)
        html_add(html,
                 "<p class=\"quiet\">The first %d of %zu; <code>parcast predict --json</code> gives all.</p>",
                 PAGE_MAX_TABLE_ROWS, n);
    html_add(html, "</details>\n");
}

/* What the machine would have to be better at for the answer's point: d ln time / d ln quantity. */
static void add_sensitivity(struct html *html, const json_t *forecast)
{
    static const char *const members[] = {"speed", "bandwidth", "latency", "memory"};
    static const char *const texts[] = {"cores 10\u00a0% faster", "network links 10\u00a0% wider",
                                        "network latency 10\u00a0% shorter", "memory 10\u00a0% wider"};
    const json_t *point = forecast_best(forecast, "turning_point");
    const json_t *sensitivity = json_object_get(point, "sensitivity");
    struct human gain;
    int n = 0;
    for (size_t i = 0; i < 4; i++) {
        double change = fabs(json_get_number(sensitivity, members[i]));
        if (!(change >= 0.005)) continue;
        if (n++ == 0)
            html_add(html, "<p>At %.0f processes the time would fall by ",
                     json_get_number(point, "processes"));
        html_add(html, "%s%s with %s", n > 1 ? ", " : "", human_percent(&gain, 1 - pow(1.1, -change)),
                 texts[i]);
    }
    if (n) html_add(html, ".</p>\n");
}

static void add_thinning(struct html *html, const json_t *forecast)
{
    size_t n = json_array_size(json_object_get(forecast, "points"));
    if (n > PAGE_MAX_POINTS)
        html_add(html,
                 "<p class=\"quiet\">Of the %zu counts of engine %s about %d are drawn, evenly spread.</p>\n",
                 n, json_get_text(forecast, "series"), PAGE_MAX_POINTS);
}

static void add_axis_chooser(struct html *html)
{
    html_add(html, "<fieldset class=\"over\"><legend>Over the number of</legend>"
                   "<label><input type=\"radio\" name=\"over\" value=\"processes\" checked> processes</label>"
                   "<label><input type=\"radio\" name=\"over\" value=\"nodes\"> nodes</label></fieldset>\n");
}

static bool has_oversubscribed(const parcast_report_content *content)
{
    for (size_t i = 0; i < content->n_runs; i++)
        if (content->runs[i].oversubscribed) return true;
    return false;
}

void page_write_scaling(struct page *page)
{
    struct html *html = &page->html;
    const json_t *answer = page_answer(page);
    const char *platform = json_get_text(answer, "platform");
    html_add(html, "<section id=\"scaling\"><h2>How it scales</h2>\n");
    if (answer) {
        html_add(html,
                 "<p>Lines are the forecast for %s%s%s, bands its 95\u00a0%% interval, diamonds the measured "
                 "runs on the machine "
                 "where they were made",
                 platform ? "platform \u201c" : "the machine of the runs", platform ? platform : "",
                 platform ? "\u201d" : "");
        html_add(html, has_oversubscribed(page->content) ? " (hollow: with more ranks than cores).</p>\n"
                                                         : ".</p>\n");
    } else if (json_object_get(page->charts, "time"))
        html_add(html, "<p>Diamonds are the measured runs; there is no forecast to compare them with.</p>\n");
    else
        html_add(html, "<p class=\"empty\">There is no complete run and no forecast to draw.</p>\n");
    if (answer) add_axis_chooser(html);
    html_add(html, "<div class=\"grid\">\n");
    page_write_figure(page, "time", "Time",
                      "Chart of the time over the number of processes; the table below holds its numbers");
    page_write_figure(
        page, "efficiency", "Efficiency: speed-up for the cores used",
        "Chart of the efficiency over the number of processes; the table below holds its numbers");
    page_write_figure(
        page, "speedup", "Speed-up over one process",
        "Chart of the speed-up over the number of processes; the table below holds its numbers");
    page_write_figure(page, "cost", "Cost of the nodes used",
                      "Chart of the cost over the number of processes; the table below holds its numbers");
    html_add(html, "</div>\n");
    if (answer && !json_object_get(page->charts, "cost"))
        html_add(html, "<p class=\"empty\">No cost: the platform has no <code>price_per_hour</code>.</p>\n");
    size_t i;
    json_t *forecast;
    if (page->cut_bands)
        html_add(html, "<p class=\"quiet\">Intervals that reach far beyond a chart are cut at its edge; the "
                       "tables hold them whole.</p>\n");
    add_sensitivity(html, answer);
    json_array_foreach(page->forecasts, i, forecast) add_thinning(html, forecast);
    json_array_foreach(page->forecasts, i, forecast) add_forecast_table(html, forecast);
    html_add(html, "</section>\n");
}

static void add_rank_row(struct html *html, const parcast_run *run, const parcast_rank_profile *rank)
{
    struct human text;
    struct rank_parts parts = rank_parts(rank);
    html_add(html, "<tr>");
    table_number(html, human_count(&text, rank->rank));
    table_text(html, rank->node >= 0 && (size_t)rank->node < run->n_nodes ? run->nodes[rank->node].name
                                                                          : rank->host);
    table_number(html, human_time(&text, rank->time_s));
    for (int part = 0; part < 3; part++)
        table_bar(html, human_time(&text, parts.part_s[part]), parts.part_s[part] / rank->time_s);
    table_number(html, human_bytes(&text, rank->peak_memory_bytes));
    html_add(html, "</tr>\n");
}

void page_write_ranks(struct page *page)
{
    static const char *const titles[] = {"#rank",          "node",     "#time",   "#computing",
                                         "#communication", "#waiting", "#memory", NULL};
    struct html *html = &page->html;
    const parcast_run *run = page->shown;
    html_add(html, "<section id=\"ranks\"><h2>Where the time goes</h2>\n");
    if (!run) {
        html_add(html,
                 "<p class=\"empty\">No run of this study was recorded rank by rank. <code>parcast record -s "
                 "%s -- PROGRAM</code> "
                 "does that, and narrows the forecast.</p>\n</section>\n",
                 page->content->study ? page->content->study : "STUDY");
        return;
    }
    if (run_group(run) > 1)
        html_add(html, "<p>A bar is the mean of %d neighbouring ranks.</p>\n", run_group(run));
    page_write_figure(page, "ranks", "Time of each rank",
                      "Bars of the time of each rank: computing, communication, waiting; the table below "
                      "holds its numbers");
    char summary[96];
    snprintf(summary, sizeof summary, "Ranks of run %lld as a table", (long long)run->id);
    table_begin(html, summary, titles);
    for (size_t i = 0; i < run->n_profiles && i < PAGE_MAX_TABLE_ROWS; i++)
        add_rank_row(html, run, &run->ranks[i]);
    table_end(html, NULL);
    if (run->n_profiles > PAGE_MAX_TABLE_ROWS)
        html_add(
            html,
            "<p class=\"quiet\">The first %d of %zu ranks; <code>parcast show --json</code> gives all.</p>",
            PAGE_MAX_TABLE_ROWS, run->n_profiles);
    html_add(html, "</details></section>\n");
}

/* A row of the matrix with its sender, to sort by size. */
struct flow {
    int from;
    const parcast_profile_peer *peer;
};

static int larger_first(const void *a, const void *b)
{
    const struct flow *x = a, *y = b;
    if (x->peer->bytes != y->peer->bytes) return x->peer->bytes < y->peer->bytes ? 1 : -1;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->peer->rank > y->peer->rank) - (x->peer->rank < y->peer->rank);
}

/* The heaviest pairs of a run; returns how many there are. */
static size_t sorted_flows(struct html *html, const parcast_run *run, struct flow **flows)
{
    size_t n = 0, k = 0;
    for (size_t i = 0; i < run->n_profiles; i++) n += run->ranks[i].n_peers;
    *flows = n ? malloc(n * sizeof **flows) : NULL;
    html->failed |= n && !*flows;
    if (!*flows) return 0;
    for (size_t i = 0; i < run->n_profiles; i++)
        for (size_t j = 0; j < run->ranks[i].n_peers && !run->ranks[i].spawned; j++)
            (*flows)[k++] = (struct flow){run->ranks[i].rank, &run->ranks[i].peers[j]};
    qsort(*flows, k, sizeof **flows, larger_first);
    return k;
}

static void add_flow_table(struct html *html, const parcast_run *run)
{
    static const char *const titles[] = {"#from rank", "#to rank", "#bytes", "#messages", "where", NULL};
    struct flow *flows;
    struct human text;
    size_t n = sorted_flows(html, run, &flows);
    char summary[128];
    size_t rows = n < 40 ? n : 40;
    if (rows < n)
        snprintf(summary, sizeof summary, "The %zu heaviest of %zu pairs of run %lld as a table", rows, n,
                 (long long)run->id);
    else
        snprintf(summary, sizeof summary, "The %zu pairs of run %lld as a table", n, (long long)run->id);
    table_begin(html, summary, titles);
    for (size_t i = 0; i < rows; i++) {
        html_add(html, "<tr>");
        table_number(html, human_count(&text, flows[i].from));
        table_number(html,
                     flows[i].peer->rank < 0 ? "another world" : human_count(&text, flows[i].peer->rank));
        table_bar(html, human_bytes(&text, (double)flows[i].peer->bytes),
                  (double)flows[i].peer->bytes / (double)flows[0].peer->bytes);
        table_number(html, human_count(&text, (double)flows[i].peer->count));
        table_text(html, parcast_reach_name(flows[i].peer->reach));
        html_add(html, "</tr>\n");
    }
    table_end(html, summary);
    free(flows);
}

void page_write_messages(struct page *page)
{
    struct html *html = &page->html;
    if (!page->shown) return;
    html_add(html, "<section id=\"messages\"><h2>Who talks to whom</h2>\n");
    if (json_object_get(page->charts, "matrix")) {
        html_add(html, "<p>Point-to-point messages, counted at the sender; collectives are among the calls "
                       "below.</p>\n");
        page_write_figure(
            page, "matrix", "Messages from rank to rank",
            "Heat map of the bytes sent from rank to rank; the table below holds the heaviest pairs");
        add_flow_table(html, page->shown);
    } else {
        html_add(html, "<p class=\"empty\">The recorded ranks sent no point-to-point messages.</p>\n");
    }
    html_add(html, "</section>\n");
}
