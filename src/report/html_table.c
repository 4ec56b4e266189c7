#include <math.h>

#include "page.h"

void table_begin(struct html *html, const char *summary, const char *const *titles)
{
    if (summary) html_add(html, "<details><summary>%s</summary>", summary);
    html_add(html, "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>");
    for (; *titles; titles++) {
        bool number = **titles == '#';
        html_add(html, number ? "<th scope=\"col\" class=\"n\">%s</th>" : "<th scope=\"col\">%s</th>",
                 *titles + number);
    }
    html_add(html, "</tr></thead>\n<tbody>\n");
}

void table_text(struct html *html, const char *text)
{
    html_add(html, "<td>%s</td>", text);
}

void table_number(struct html *html, const char *text)
{
    html_add(html, "<td class=\"n\">%s</td>", text);
}

void table_bar(struct html *html, const char *text, double share)
{
    double percent = isfinite(share) ? fmin(fmax(share, 0), 1) * 100 : 0;
    html_add(html, "<td class=\"n bar\" style=\"--share:%.1f%%\">%s</td>", percent, text);
}

void table_end(struct html *html, const char *summary)
{
    html_add(html, "</tbody></table></div>");
    html_add(html, summary ? "</details>\n" : "\n");
}
