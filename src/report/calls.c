/*
 * The MPI calls of the run that is shown, summed over its ranks.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "page.h"

static int by_name(const void *a, const void *b)
{
    return strcmp(((const parcast_profile_call *)a)->name, ((const parcast_profile_call *)b)->name);
}

static int longest_first(const void *a, const void *b)
{
    double x = ((const parcast_profile_call *)a)->time_s, y = ((const parcast_profile_call *)b)->time_s;
    return x != y ? (x < y) - (x > y) : by_name(a, b);
}

/* Calls of all ranks, one entry a kind, longest first; the number of kinds, 0 also when memory ran out. */
static size_t sum_calls(const parcast_run *run, parcast_profile_call **calls)
{
    size_t n = 0, kinds = 0;
    for (size_t i = 0; i < run->n_profiles; i++) n += run->ranks[i].n_calls;
    parcast_profile_call *all = n ? malloc(n * sizeof *all) : NULL;
    *calls = all;
    if (!all) return 0;
    for (size_t i = 0, k = 0; i < run->n_profiles; k += run->ranks[i].n_calls, i++)
        if (run->ranks[i].n_calls) memcpy(all + k, run->ranks[i].calls, run->ranks[i].n_calls * sizeof *all);
    qsort(all, n, sizeof *all, by_name);
    for (size_t i = 0; i < n; i++) {
        if (kinds == 0 || by_name(&all[kinds - 1], &all[i]) != 0) {
            all[kinds++] = all[i];
            continue;
        }
        all[kinds - 1].count += all[i].count;
        all[kinds - 1].time_s += all[i].time_s;
        all[kinds - 1].wait_s += all[i].wait_s;
        all[kinds - 1].bytes += all[i].bytes;
    }
    qsort(all, kinds, sizeof *all, longest_first);
    return kinds;
}

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
    size_t n = page->shown ? sum_calls(page->shown, &calls) : 0;
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
