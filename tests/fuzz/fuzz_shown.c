/* Any bytes are refused with a reason, or are estimates of a study that `parcast show` lists; a line "---"
 * stands between two. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "show_estimates.h"

enum { MOST = 8 };

static void require(int condition)
{
    if (!condition) abort();
}

/* Where the table goes: this is about what it is made of. */
static void without_output(void)
{
    static int done;
    if (!done) require(freopen("/dev/null", "w", stdout) != NULL);
    done = 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char mark[] = "\n---\n";
    const struct cli_common common = {.command = "show"};
    char *texts[MOST], *text = malloc(size + 1), *next = text;
    size_t n = 0;
    json_t *all = NULL;
    parcast_error error = {0};
    require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    without_output();
    while (next && n < MOST) {
        char *end = strstr(next, mark);
        texts[n++] = next;
        next = end ? end + strlen(mark) : NULL;
        if (end) *end = '\0';
    }
    if (show_estimates_read(texts, n, &all, &error) == PARCAST_OK)
        require(json_array_size(all) == n && show_estimates_table(&common, all) == 0);
    else
        require(!all && error.text[0]);
    json_decref(all);
    free(text);
    return 0;
}
