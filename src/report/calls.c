/*
 * The MPI calls of the run that is shown, summed over its ranks.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "page.h"

static void add_call_row(struct html *html, const parcast_profile_call *call, double longest_s)
{
    struct human text;
    html_add(html, "<tr>");
    table_text(html, call->name);
    table_number(html, human_count(&text, (double)call->count));
    table_bar(html, human_time(&text, call->time_s), call->time_s / longest_s);
    table_number(html, human_time(&text, call->wait_s));
    table_number(html, call->bytes ? human_bytes(&text, (double)call->bytes) : "\u2013");
    table_number(html, call->bytes && call->count
                           ? human_bytes(&text, (double)call->bytes / (double)call->count)
                           : "\u2013");
    html_add(html, "</tr>\n");
}

void page_write_calls(struct page *page)
{
    static const char *const titles[] = {
        "call", "#count", "#time, all ranks", "#of it waiting", "#bytes", "#bytes a call", NULL};
    struct html *html = &page->html;
    parcast_profile_call *calls = NULL;
    size_t n = 0;
    if (page->shown && parcast_run_calls(page->shown, &calls, &n, NULL) != PARCAST_OK) html->failed = true;
    if (n) {
        html_add(html,
                 "<section id=\"calls\"><h2>MPI calls</h2>\n<p>Run %lld with %d %s, summed over the ranks. "
                 "<code>parcast show --run %lld</code> prints those of other runs.</p>\n",
                 (long long)page->shown->id, page->shown->n_ranks,
                 page->shown->n_ranks == 1 ? "rank" : "ranks", (long long)page->shown->id);
        table_begin(html, NULL, titles);
        for (size_t i = 0; i < n; i++) add_call_row(html, &calls[i], calls[0].time_s);
        table_end(html, NULL);
        html_add(html, "</section>\n");
    }
    free(calls);
}
