/*
 * The page: head, sections in order, data, scripts.
 */
#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "page.h"
#include "parcast/version.h"

static void add_asset(struct html *html, enum report_asset asset)
{
    struct report_text text = report_asset(asset);
    html_raw(html, text.text, text.length);
}

/* What the page is about: the program and its arguments, of the forecast or of the runs. */
static void add_title(struct page *page)
{
    struct html *html = &page->html;
    const json_t *forecast = page_answer(page);
    const parcast_run *run = page->content->n_runs ? &page->content->runs[page->content->n_runs - 1] : NULL;
    if (run) {
        html_add(html, "%s", run->program);
        for (size_t i = 0; i < run->n_arguments; i++) html_add(html, " %s", run->arguments[i]);
    } else if (json_get_text(forecast, "program")) {
        html_add(html, "%s %s", json_get_text(forecast, "program"), json_get_text(forecast, "arguments"));
    } else {
        html_add(html, "%s", page->content->study ? page->content->study : "a study");
    }
}

static void write_head(struct page *page)
{
    struct html *html = &page->html;
    html_add(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"");
    add_asset(html, REPORT_POLICY);
    html_add(html, "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" "
                   "content=\"parcast " PARCAST_VERSION "\">\n"
                   "<title>");
    add_title(page);
    html_add(html, " \u00b7 parcast</title>\n<style>\n");
    add_asset(html, REPORT_STYLE);
    html_add(html, "</style>\n</head>\n");
}

static void write_header(struct page *page)
{
    struct html *html = &page->html;
    const parcast_report_content *content = page->content;
    html_add(html, "<body>\n<header><p class=\"eyebrow\">parcast report</p>\n<h1>");
    add_title(page);
    html_add(html, "</h1>\n<p class=\"quiet\">");
    if (content->study) html_add(html, "Study <code>%s</code> \u00b7 ", content->study);
    html_add(html, "%zu measured %s", content->n_runs, content->n_runs == 1 ? "run" : "runs");
    const char *platform = json_get_text(page_answer(page), "platform");
    if (platform) html_add(html, " \u00b7 forecast for \u201c%s\u201d", platform);
    html_add(html, "</p>\n</header>\n<main>\n");
}

static void write_footer(struct page *page)
{
    struct html *html = &page->html;
    const parcast_report_content *content = page->content;
    html_add(html, "</main>\n<footer><p>");
    if (content->n_other_problems)
        html_add(html, "The study also holds %zu other %s of the program or its arguments, not shown here. ",
                 content->n_other_problems, content->n_other_problems == 1 ? "variant" : "variants");
    html_add(html, "Written by parcast " PARCAST_VERSION);
    if (content->written_at) html_add(html, " on %s", content->written_at);
    html_add(html, ". This page is complete in itself and loads nothing. Its charts are drawn by Vega-Lite; "
                   "the licences of the libraries inside stand in the source of the page.</p></footer>\n"
                   "<noscript><p class=\"warning\">The charts need JavaScript; the tables hold the same "
                   "numbers.</p></noscript>\n");
}

static bool write_data(struct page *page)
{
    struct report_text config = report_asset(REPORT_CONFIG);
    json_t *data = json_pack("{s:O, s:O, s:o, s:{s:{s:s, s:s}, s:{s:s, s:s}}}", "datasets", page->datasets,
                             "charts", page->charts, "config",
                             json_loadb(config.text, config.length, 0, NULL), "axes", "processes", "field",
                             "processes", "title", "processes", "nodes", "field", "nodes", "title", "nodes");
    if (!data) return false;
    html_add(&page->html, "<script type=\"application/json\" id=\"parcast-data\">");
    html_json(&page->html, data);
    html_add(&page->html, "</script>\n");
    json_decref(data);
    return true;
}

static bool write_scripts(struct page *page)
{
    if (!write_data(page)) return false;
    html_add(&page->html, "<script>");
    add_asset(&page->html, REPORT_LIBRARIES);
    html_add(&page->html, "</script>\n<script>");
    add_asset(&page->html, REPORT_GLUE);
    html_add(&page->html, "</script>\n</body>\n</html>\n");
    return !page->html.failed;
}

static bool write_page(struct page *page)
{
    write_head(page);
    write_header(page);
    page_write_answer(page);
    page_write_scaling(page);
    page_write_ranks(page);
    page_write_messages(page);
    page_write_calls(page);
    page_write_fit(page);
    page_write_runs(page);
    write_footer(page);
    return write_scripts(page);
}

parcast_status parcast_report_html(const parcast_report_content *content, char **html, size_t *length,
                                   parcast_error *error)
{
    if (!report_available()) {
        parcast_error_set(error, PARCAST_UNSUPPORTED, NULL, 0, "this parcast was built without the report");
        parcast_error_hint(error, "configure it with -DPARCAST_REPORT=ON, which needs node and npm");
        return PARCAST_UNSUPPORTED;
    }
    struct page page = {.content = content, .datasets = json_object(), .charts = json_object()};
    bool done = page.datasets && page.charts && page_add_forecasts(&page) && page_add_runs(&page) &&
                page_add_charts(&page) && write_page(&page);
    json_decref(page.forecasts);
    json_decref(page.datasets);
    json_decref(page.charts);
    if (!done) {
        free(page.html.text);
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory while writing the report");
    }
    *html = page.html.text;
    *length = page.html.length;
    return PARCAST_OK;
}
