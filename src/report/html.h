/**
 * A growing text of HTML. Strings that come from outside can only enter escaped: html_add escapes every %s,
 * and html_raw is for text of our own.
 */
#ifndef PARCAST_REPORT_HTML_H
#define PARCAST_REPORT_HTML_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct html {
    char *text; /**< terminated; free() it */
    size_t length, capacity;
    bool failed; /**< out of memory: what follows is left out */
};

/** Add text as it is. */
void html_raw(struct html *html, const char *text, size_t length);

/**
 * Add formatted text. %s is escaped for elements and quoted attributes, bytes that are no UTF-8 and control
 * characters become U+FFFD; NULL adds nothing. Also %d, %lld, %zu, %x, %f, %g, %e with flags, width and
 * precision, and %%.
 */
void html_add(struct html *html, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Add JSON that stands inside a script element: ASCII only, and without any <, > or &. */
void html_json(struct html *html, const json_t *value);

/** A JSON string of any bytes: what is no UTF-8 becomes U+FFFD. */
json_t *html_json_string(const char *text);

#endif
