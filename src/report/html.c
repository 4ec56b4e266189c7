#include "html.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */

static bool reserve(struct html *html, size_t more)
{
    if (html->failed) return false;
    size_t needed = html->length + more + 1;
    if (needed <= html->capacity) return true;
    size_t capacity = html->capacity ? html->capacity : 4096;
    while (capacity < needed) capacity *= 2;
    char *text = realloc(html->text, capacity);
    if (!text) {
        html->failed = true;
        return false;
    }
    html->text = text;
    html->capacity = capacity;
    return true;
}

void html_raw(struct html *html, const char *text, size_t length)
{
    if (!reserve(html, length)) return;
    memcpy(html->text + html->length, text, length);
    html->length += length;
    html->text[html->length] = '\0';
}

static void add_literal(struct html *html, const char *text)
{
    html_raw(html, text, strlen(text));
}

/* Length of the UTF-8 character at s, 0 if it is none (RFC 3629: shortest form, no surrogates, up to
 * U+10FFFF). */
static size_t utf8_length(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    if (u[0] < 0x80) return 1;
    size_t length = u[0] >= 0xC2 && u[0] <= 0xDF   ? 2
                    : (u[0] & 0xF0) == 0xE0        ? 3
                    : u[0] >= 0xF0 && u[0] <= 0xF4 ? 4
                                                   : 0;
    for (size_t i = 1; i < length; i++)
        if ((u[i] & 0xC0) != 0x80) return 0;
    if (length < 3) return length;
    unsigned second = u[1];
    if ((u[0] == 0xE0 && second < 0xA0) || (u[0] == 0xED && second > 0x9F)) return 0;
    if ((u[0] == 0xF0 && second < 0x90) || (u[0] == 0xF4 && second > 0x8F)) return 0;
    return length;
}

static const char *entity(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case '\t':
    case '\n':
        return NULL;
    default:
        return (unsigned char)c < 0x20 || c == 0x7F ? replacement : NULL;
    }
}

static void add_escaped(struct html *html, const char *text)
{
    while (text && *text) {
        size_t length = utf8_length(text);
        const char *instead = length == 0 ? replacement : length == 1 ? entity(*text) : NULL;
        if (instead)
            add_literal(html, instead);
        else
            html_raw(html, text, length);
        text += length ? length : 1;
    }
}

/* One conversion with its argument; returns what follows it in the format. */
static const char *add_conversion(struct html *html, const char *percent, va_list *arguments)
{
    char one[32], text[512];
    size_t length = 1 + strcspn(percent + 1, "sduxgfe%");
    bool is_size = memchr(percent, 'z', length) != NULL, is_long = memchr(percent, 'l', length) != NULL;
    char kind = percent[length++];
    snprintf(one, sizeof one, "%.*s", (int)length, percent);
    text[0] = '\0';
    // NOLINTBEGIN(bugprone-branch-clone): the branches differ in the type they take
    if (kind == 's')
        add_escaped(html, va_arg(*arguments, const char *));
    else if (kind == '%')
        snprintf(text, sizeof text, "%%");
    else if (kind == 'd' && is_long)
        snprintf(text, sizeof text, one, va_arg(*arguments, long long));
    else if (kind == 'd' || kind == 'x')
        snprintf(text, sizeof text, one, va_arg(*arguments, int));
    else if (kind == 'u' && is_size)
        snprintf(text, sizeof text, one, va_arg(*arguments, size_t));
    else
        snprintf(text, sizeof text, one, va_arg(*arguments, double));
    // NOLINTEND(bugprone-branch-clone)
    add_literal(html, text);
    return percent + length;
}

void html_add(struct html *html, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    while (*format) {
        size_t plain = strcspn(format, "%");
        html_raw(html, format, plain);
        format += plain;
        if (*format) format = add_conversion(html, format, &arguments);
    }
    va_end(arguments);
}

void html_json(struct html *html, const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6));
    if (!text) {
        html->failed = true;
        return;
    }
    /* These characters stand only inside strings, where their escapes mean the same. */
    for (const char *rest = text; *rest;) {
        size_t plain = strcspn(rest, "<>&");
        html_raw(html, rest, plain);
        rest += plain;
        if (*rest) html_add(html, "\\u00%02x", (unsigned)*rest++);
    }
    free(text);
}

json_t *html_json_string(const char *text)
{
    struct html clean = {0};
    html_raw(&clean, "", 0);
    for (; text && *text && !clean.failed; text++) {
        size_t length = utf8_length(text);
        if (length == 0)
            add_literal(&clean, replacement);
        else
            html_raw(&clean, text, length);
        text += length ? length - 1 : 0;
    }
    json_t *string = clean.failed ? NULL : json_string(clean.text);
    free(clean.text);
    return string;
}
