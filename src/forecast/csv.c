#include "csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool line_end(char c)
{
    return c == '\n' || c == '\r';
}

static void skip_line_end(struct csv *csv)
{
    if (csv->next == csv->end) return;
    if (csv->next[0] == '\r' && csv->end - csv->next > 1 && csv->next[1] == '\n') csv->next++;
    csv->next++;
    csv->next_line++;
}

/* Comments, and lines of nothing but blanks and separators, as spreadsheets leave them. */
static void skip_empty_lines(struct csv *csv)
{
    while (csv->next < csv->end) {
        const char *p = csv->next;
        while (p < csv->end && (blank(*p) || *p == csv->separator)) p++;
        if (p < csv->end && *p != '#' && !line_end(*p)) return;
        while (p < csv->end && !line_end(*p)) p++;
        csv->next = p;
        skip_line_end(csv);
    }
}

/* The separator that is most frequent outside quotes in the first record. */
static char find_separator(const struct csv *csv)
{
    static const char separators[] = {',', ';', '\t'};
    size_t counts[sizeof separators] = {0}, best = 0;
    bool quoted = false;
    for (const char *p = csv->next; p < csv->end && (quoted || !line_end(*p)); p++) {
        if (*p == '"') quoted = !quoted;
        for (size_t s = 0; s < sizeof separators; s++) counts[s] += !quoted && *p == separators[s];
    }
    for (size_t s = 1; s < sizeof separators; s++)
        if (counts[s] > counts[best]) best = s;
    return separators[best];
}

parcast_status csv_open(const char *bytes, size_t size, const char *name, struct csv *csv,
                        parcast_error *error)
{
    struct csv opened = {.name = name, .next = bytes, .end = bytes + size, .next_line = 1};
    if (size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0)) {
        parcast_error_set(error, PARCAST_FORMAT, name, 0, "the table is written in UTF-16");
        parcast_error_hint(error, "save it as CSV in UTF-8");
        return PARCAST_FORMAT;
    }
    if (size > 0 && memchr(bytes, '\0', size)) {
        parcast_error_set(error, PARCAST_FORMAT, name, 0, "this is no text but a binary file");
        parcast_error_hint(error, "save the table as CSV");
        return PARCAST_FORMAT;
    }
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) opened.next += 3;
    opened.text = malloc(size + 1);
    if (!opened.text) {
        parcast_error_set(error, PARCAST_MEMORY, name, 0, "out of memory");
        return PARCAST_MEMORY;
    }
    skip_empty_lines(&opened);
    opened.separator = find_separator(&opened);
    *csv = opened;
    return PARCAST_OK;
}

void csv_close(struct csv *csv)
{
    free(csv->text);
    *csv = (struct csv){0};
}

/* A quoted field: from its quote to behind the closing one; returns the end of the copy or NULL. */
static char *read_quoted(struct csv *csv, char *out, parcast_error *error)
{
    int first_line = csv->next_line;
    for (csv->next++; csv->next < csv->end; csv->next++) {
        if (*csv->next == '"') {
            if (csv->end - csv->next < 2 || csv->next[1] != '"') {
                csv->next++;
                return out;
            }
            csv->next++;
        }
        if (*csv->next == '\n') csv->next_line++;
        *out++ = *csv->next;
    }
    parcast_error_set(error, PARCAST_FORMAT, csv->name, first_line, "a quote is not closed");
    return NULL;
}

/* One field up to a separator or the end of the line; returns the end of the copy, trimmed, or NULL. */
static char *read_field(struct csv *csv, char *out, parcast_error *error)
{
    char *start = out;
    while (csv->next < csv->end && blank(*csv->next) && *csv->next != csv->separator) csv->next++;
    bool quoted = csv->next < csv->end && *csv->next == '"';
    if (quoted && !(out = read_quoted(csv, out, error))) return NULL;
    while (csv->next < csv->end && *csv->next != csv->separator && !line_end(*csv->next)) {
        if (quoted && !blank(*csv->next)) {
            parcast_error_set(error, PARCAST_FORMAT, csv->name, csv->next_line,
                              "text behind a closing quote");
            return NULL;
        }
        if (!quoted) *out++ = *csv->next;
        csv->next++;
    }
    while (!quoted && out > start && blank(out[-1])) out--;
    return out;
}

parcast_status csv_next(struct csv *csv, parcast_error *error)
{
    char *out = csv->text;
    skip_empty_lines(csv);
    csv->n_fields = 0;
    csv->line = csv->next_line;
    if (csv->next == csv->end) return PARCAST_OK;
    for (;;) {
        if (csv->n_fields == CSV_MAX_FIELDS) {
            parcast_error_set(error, PARCAST_LIMIT, csv->name, csv->line, "more than %d columns",
                              CSV_MAX_FIELDS);
            return PARCAST_LIMIT;
        }
        csv->fields[csv->n_fields++] = out;
        out = read_field(csv, out, error);
        if (!out) return PARCAST_FORMAT;
        *out++ = '\0'; /* fits: the separator or line end was not copied */
        if (csv->next == csv->end || line_end(*csv->next)) break;
        csv->next++;
    }
    skip_line_end(csv);
    return PARCAST_OK;
}
