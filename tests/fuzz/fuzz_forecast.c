/* Any bytes are left out of the page, or are forecasts that it can show; a line "---" stands between two. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "report/page.h"

enum { MOST = 8 };

static void require(int condition)
{
    if (!condition) abort();
}

static void show(const char *const *texts, size_t n)
{
    parcast_report_content content = {.study = "fuzz", .forecasts = texts, .n_forecasts = n};
    struct page page = {.content = &content, .datasets = json_object(), .charts = json_object()};
    require(page.datasets && page.charts && page_add_forecasts(&page));
    page_write_answer(&page);
    page_write_scaling(&page);
    page_write_fit(&page);
    require(!page.html.failed && page.html.text && !strstr(page.html.text, "<script"));
    json_decref(page.forecasts);
    json_decref(page.datasets);
    json_decref(page.charts);
    free(page.html.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char mark[] = "\n---\n";
    const char *texts[MOST];
    size_t n = 0;
    char *text = malloc(size + 1), *next = text;
    require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    while (next && n < MOST) {
        char *end = strstr(next, mark);
        texts[n++] = next;
        next = end ? end + strlen(mark) : NULL;
        if (end) *end = '\0';
    }
    show(texts, n);
    free(text);
    return 0;
}
