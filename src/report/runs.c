/*
 * The runs of the study as a table.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "page.h"

static void add_remark(struct html *html, const char *remark, bool *any)
{
    html_add(html, "%s%s", *any ? ", " : "", remark);
    *any = true;
}

static void add_remarks(struct html *html, const parcast_run *run)
{
    bool any = false;
    if (!run->complete) add_remark(html, "partial", &any);
    if (run->exit_status != 0) add_remark(html, "exit status ", &any);
    if (run->exit_status != 0) html_add(html, "%d", run->exit_status);
    if (run->oversubscribed) add_remark(html, "more ranks than cores", &any);
    if (run->weak) add_remark(html, "weak scaling", &any);
}

static void add_run(struct html *html, const parcast_run *run)
{
    struct human text;
    html_add(html, "<tr>");
    table_number(html, human_count(&text, (double)run->id));
    table_text(html, run->source == PARCAST_RUN_IMPORTED ? "imported" : "recorded");
    table_number(html, human_count(&text, run->n_ranks));
    table_number(html, human_count(&text, run->n_nodes_used > 0 ? run->n_nodes_used : NAN));
    table_number(html, human_time(&text, run->time_s));
    table_number(html, human_time(&text, run->compute_s));
    table_number(html, human_time(&text, run->mpi_s));
    table_text(html, run->mpi);
    html_add(html, "<td>");
    add_remarks(html, run);
    html_add(html, "</td><td class=\"when\">%s</td></tr>\n", run->started_at);
}

void page_write_runs(struct page *page)
{
    static const char *const titles[] = {
        "#run",        "",        "#processes", "#nodes", "#time", "#computing, mean", "#MPI, mean",
        "MPI library", "remarks", "started",    NULL};
    const parcast_report_content *content = page->content;
    struct html *html = &page->html;
    html_add(html, "<section id=\"runs\"><h2>Measured runs</h2>\n");
    if (content->n_runs == 0) {
        html_add(html, "<p class=\"empty\">The study holds no run.</p>\n</section>\n");
        return;
    }
    table_begin(html, NULL, titles);
    for (size_t i = 0; i < content->n_runs && i < PAGE_MAX_TABLE_ROWS; i++) add_run(html, &content->runs[i]);
    table_end(html, NULL);
    if (content->n_runs > PAGE_MAX_TABLE_ROWS)
        html_add(html, "<p class=\"quiet\">The first %d of %zu; <code>parcast show</code> lists all.</p>\n",
                 PAGE_MAX_TABLE_ROWS, content->n_runs);
    html_add(html, "</section>\n");
}
